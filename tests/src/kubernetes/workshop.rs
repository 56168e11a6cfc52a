//! One scenario's site for template-workloads: namespaces, the chart, shell-operator, and the Template API.

use serde_json::{Value, json};

use super::pods::Pods;
use super::verdict::{fails, goes, reaches};
use super::{ControlPlane, Kind, OFTEN, Operator, PREFIX, Release, Run, TEMPLATE, TW, serve_templates};
use crate::{merge, yaml};

const HOOK: &str = "template-workloads";
/// Where full runs matter: as often as they can be waited for.
const FULL: &str = "*/5 * * * * *";

/// What a scenario has at hand.
pub struct Workshop {
    // First, so that it ends before its rights do.
    pods: Pods,
    /// The API server.
    pub plane: &'static ControlPlane,
    /// The chart in a namespace of its own.
    pub release: Release,
    /// The watched namespace, without the operator in it.
    pub namespace: String,
    /// The values over the chart's own; [`Workshop::install`] reads them.
    pub values: Value,
}

/// Plays one scenario in namespaces named after it, as in the chart's example, but with `PRUNE` on; then checks that no
/// secret was told. No other namespace has CRs.
///
/// # Panics
/// If anything is not as it should be.
pub fn play_workloads(name: &str, scenario: impl FnOnce(&mut Workshop)) {
    let mut workshop = Workshop::new(name);
    scenario(&mut workshop);
    workshop.tells_no_secret();
}

/// A sample: the Template, the Secret with a parameter, or the CR.
fn sample(name: &str) -> Value {
    yaml(&format!("components/openstack-sync-samples/template-workloads/{name}.yaml"))
}

impl Workshop {
    fn new(name: &str) -> Self {
        let plane = ControlPlane::shared();
        serve_templates(plane);
        plane.clear(TW);
        let release = Release::new(plane, &format!("{PREFIX}{name}-{}", std::process::id()));
        let namespace = format!("{}-workloads", release.namespace);
        let example = yaml("components/openstack-sync-operator/examples/template-workloads.yaml");
        let env = json!({"PRUNE": true, "NAMESPACES": "", "SYNC_CRONTAB": FULL, "CATCH_UP_CRONTAB": OFTEN});
        let values = json!({
            "plugins": example["plugins"], "rbac": example["rbac"], "watchNamespaces": [namespace],
            "pluginData": {"templateWorkloads": {"hook": {"env": env}}},
        });
        let workshop = Self { pods: Pods::default(), plane, release, namespace, values };
        workshop.make_namespace(&workshop.namespace);
        workshop.store(|_| ());
        plane.apply(Kind::SECRET, &workshop.placed(sample("secret-hello-parameters")));
        workshop
    }

    /// Creates a namespace.
    #[track_caller]
    pub fn make_namespace(&self, name: &str) {
        self.plane.kubectl(&["create", "namespace", name]);
    }

    /// A variable of the hook, for the next [`Workshop::install`].
    pub fn set(&mut self, name: &str, value: Value) {
        self.values["pluginData"]["templateWorkloads"]["hook"]["env"][name] = value;
    }

    /// Installs the chart, or upgrades it; answers whether that made another pod.
    #[track_caller]
    pub fn install(&mut self) -> bool {
        self.tells_no_secret();
        self.pods.install(self.plane, &self.release, &self.values)
    }

    /// shell-operator.
    ///
    /// # Panics
    /// Before [`Workshop::install`].
    #[track_caller]
    pub fn operator(&mut self) -> &mut Operator {
        self.pods.operator()
    }

    /// Waits until a full run has begun after this call, and ended; answers all runs that ended meanwhile.
    #[track_caller]
    pub fn after_a_full_run(&self) -> Vec<Run> {
        let log = &self.pods.running().expect("install comes first").log;
        // The first of two may have begun before.
        log.after(HOOK, 2, |run| run.binding == "periodic sync")
    }

    /// Stores the Template of the samples in the watched namespace, with changes.
    #[track_caller]
    pub fn store(&self, change: impl FnOnce(&mut Value)) {
        let mut template = self.placed(sample("template-hello"));
        change(&mut template);
        self.plane.apply(TEMPLATE, &template);
    }

    /// Applies the CR of the samples, with `spec` merged over its spec; answers it as stored.
    #[track_caller]
    pub fn apply(&self, spec: Value) -> Value {
        self.plane.apply(TW, &self.cr(spec))
    }

    /// The same, not applied.
    pub fn cr(&self, spec: Value) -> Value {
        let mut cr = self.placed(sample("templateworkload-hello"));
        merge(&mut cr, json!({"spec": spec}));
        cr
    }

    /// A sample in the watched namespace.
    fn placed(&self, mut object: Value) -> Value {
        object["metadata"]["namespace"] = json!(self.namespace);
        object
    }

    /// The CR, if it is there.
    #[track_caller]
    pub fn get(&self) -> Option<Value> {
        self.plane.get(TW, &self.namespace, "hello")
    }

    /// Deletes the CR, without waiting.
    #[track_caller]
    pub fn delete(&self) {
        self.plane.delete(TW, &self.namespace, "hello");
    }

    /// Waits until the CR is in place at its present generation; answers it.
    #[track_caller]
    pub fn synced(&self) -> Value {
        reaches(self.plane, TW, &self.namespace, "hello", "Synced (Reconciled): ")
    }

    /// Waits until the CR has failed for this reason at its present generation, with these words in its message.
    #[track_caller]
    pub fn failed(&self, reason: &str, words: &[&str]) -> Value {
        fails(self.plane, TW, (&self.namespace, "hello"), reason, words)
    }

    /// Waits until the CR is gone.
    #[track_caller]
    pub fn gone(&self) {
        goes(self.plane, TW, &self.namespace, "hello");
    }

    fn tells_no_secret(&self) {
        let mut told: Vec<String> =
            self.plane.list(TW, None).iter().map(|cr| cr["status"].to_string()).collect();
        told.extend(self.pods.running().map(|operator| operator.log.text()));
        let secret = self.plane.get(Kind::SECRET, &self.namespace, "hello-parameters").expect("a Secret");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let password = text(&sample("secret-hello-parameters")["stringData"]["password"]);
        for secret in [password, text(&secret["data"]["password"]), "eyJhbGci".to_owned()] {
            assert!(!told.iter().any(|text| text.contains(&secret)), "{secret:?} is told");
        }
    }
}
