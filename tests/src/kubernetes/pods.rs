//! The pod that runs of a release, one after the other.

use std::path::Path;

use serde_json::Value;

use super::{ControlPlane, Operator, Release};

/// The pod of a Deployment with the strategy Recreate: none, or one.
#[derive(Default)]
pub(super) struct Pods {
    operator: Option<Operator>,
}

impl Pods {
    /// Installs the chart, or upgrades it. If the pod's template changed, the old pod ends and a new one starts;
    /// otherwise the old one goes on. Answers whether it changed.
    #[track_caller]
    pub(super) fn install(&mut self, plane: &ControlPlane, release: &Release, values: &Value) -> bool {
        let before = self.operator.is_some().then(|| release.deployment());
        release.install(values);
        let after = release.deployment();
        let changed = before.is_none_or(|before| before["spec"]["template"] != after["spec"]["template"]);
        if changed {
            self.start(plane, release, None);
        }
        changed
    }

    /// Starts a pod of the installed Deployment, with other `hooks` than the image's if given. One that runs is ended
    /// first.
    #[track_caller]
    pub(super) fn start(&mut self, plane: &ControlPlane, release: &Release, hooks: Option<&Path>) {
        if let Some(mut old) = self.operator.take() {
            old.terminate();
        }
        self.operator = Some(Operator::start(plane, &release.deployment(), hooks));
    }

    /// The pod.
    #[track_caller]
    pub(super) fn operator(&mut self) -> &mut Operator {
        self.operator.as_mut().expect("install comes first")
    }

    /// The pod, if there is one.
    pub(super) fn running(&self) -> Option<&Operator> {
        self.operator.as_ref()
    }
}
