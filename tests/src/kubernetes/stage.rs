//! One scenario's site: a namespace, the chart in it, shell-operator, and a real cloud.

use std::path::Path;

use devcloud::DevCloud;
use serde_json::{Value, json};

use super::pods::Pods;
use super::verdict::{fails, goes, reaches};
use super::{ControlPlane, Kind, NRF, Operator, Release};
use crate::scenarios::bystanders::Bystanders;
use crate::scenarios::world::{clouds_of, entries};
use crate::scenarios::{CLOUDS, CLOUDS_2, Cloud};
use crate::{Neutron, SECRET, flavor_cr, merge};

/// How the namespaces of all scenarios begin.
pub const PREFIX: &str = "e2e-";
/// A schedule that is not due in any test.
pub const NEVER: &str = "0 0 29 2 *";
/// The catch-up schedule where minutes do not matter.
pub const OFTEN: &str = "*/5 * * * * *";

/// What a scenario has at hand.
pub struct Stage {
    // First, so that it ends before its rights do.
    pods: Pods,
    /// The API server.
    pub plane: &'static ControlPlane,
    /// The chart in this scenario's namespace.
    pub release: Release,
    /// The cloud.
    pub home: Cloud,
    /// The values over the chart's own; [`Stage::install`] reads them.
    pub values: Value,
    away: Option<Cloud>,
    entries: Value,
    bystanders: Bystanders,
}

/// Plays one scenario in a namespace named after it, then checks that nothing made by hand was touched and no secret
/// was told. The cloud is emptied first, and no other namespace has CRs.
///
/// # Panics
/// If anything is not as it should be.
pub fn play(name: &str, scenario: impl FnOnce(&mut Stage)) {
    let mut stage = Stage::new(name);
    scenario(&mut stage);
    stage.bystanders.check(&stage.home);
    stage.tells_no_secret();
}

impl Stage {
    fn new(name: &str) -> Self {
        let plane = ControlPlane::shared();
        plane.clear(NRF);
        let entries = entries("home", &clouds_of(CLOUDS));
        let home = Cloud { name: "home", neutron: Neutron::login(&entries.to_string(), "home") };
        home.neutron.wipe();
        let bystanders = Bystanders::plant(&home);
        let hook = json!({"env": {
            "PRUNE": true, "SYNC_CRONTAB": NEVER, "CATCH_UP_CRONTAB": OFTEN, "READY_RETRIES": 2, "READY_DELAY": 1,
        }});
        let values = json!({
            "plugins": {"neutronRouterFlavors": true},
            "pluginData": {"neutronRouterFlavors": {"hook": hook}},
        });
        // A control plane without controllers deletes no namespace, so each run has its own.
        let release = Release::new(plane, &format!("{PREFIX}{name}-{}", std::process::id()));
        let stage =
            Self { plane, release, home, values, pods: Pods::default(), away: None, entries, bystanders };
        stage.write_secret(SECRET);
        stage
    }

    /// The namespace.
    pub fn namespace(&self) -> &str {
        &self.release.namespace
    }

    /// Sets a value of router-flavors' environment, for the next [`Stage::install`].
    pub fn set(&mut self, name: &str, value: Value) {
        self.values["pluginData"]["neutronRouterFlavors"]["hook"]["env"][name] = value;
    }

    /// Installs the chart, or upgrades it. If the pod's template changed, the old pod ends and a new one starts, as
    /// the strategy Recreate has it; otherwise the old one goes on. Answers whether it changed.
    #[track_caller]
    pub fn install(&mut self) -> bool {
        self.tells_no_secret();
        self.pods.install(self.plane, &self.release, &self.values)
    }

    /// Starts a pod of the installed Deployment, with other `hooks` than the image's if given. One that runs is ended
    /// first.
    #[track_caller]
    pub fn start(&mut self, hooks: Option<&Path>) {
        self.tells_no_secret();
        self.pods.start(self.plane, &self.release, hooks);
    }

    /// shell-operator.
    ///
    /// # Panics
    /// Before [`Stage::install`].
    #[track_caller]
    pub fn operator(&mut self) -> &mut Operator {
        self.pods.operator()
    }

    /// Adds the second cloud, `away`, to the `clouds.yaml`.
    pub fn add_away(&mut self) -> &Cloud {
        merge(&mut self.entries, entries("away", &clouds_of(CLOUDS_2)));
        self.write_secret(SECRET);
        let away = Cloud { name: "away", neutron: Neutron::login(&self.entries.to_string(), "away") };
        away.neutron.wipe();
        self.away.insert(away)
    }

    /// The second cloud.
    ///
    /// # Panics
    /// Before [`Stage::add_away`].
    pub fn away(&self) -> &Cloud {
        self.away.as_ref().expect("add_away comes first")
    }

    /// Writes the `clouds.yaml` into a Secret of this name.
    pub fn write_secret(&self, name: &str) {
        self.write_secret_in(self.namespace(), name);
    }

    /// The same in another namespace.
    pub fn write_secret_in(&self, namespace: &str, name: &str) {
        let secret = DevCloud::clouds_secret(namespace, name, &self.entries.to_string());
        self.plane.apply(Kind::SECRET, &secret);
    }

    /// A CR for the flavor of its own name, with `spec` merged over its spec.
    pub fn cr(&self, name: &str, spec: Value) -> Value {
        flavor_cr(name, "home", json!({"metadata": {"namespace": self.namespace()}, "spec": spec}))
    }

    /// Applies it.
    #[track_caller]
    pub fn apply(&self, name: &str, spec: Value) -> Value {
        self.plane.apply(NRF, &self.cr(name, spec))
    }

    /// Deletes a CR, without waiting.
    #[track_caller]
    pub fn delete(&self, name: &str) {
        self.plane.delete(NRF, self.namespace(), name);
    }

    /// A CR, if it is there.
    #[track_caller]
    pub fn get(&self, name: &str) -> Option<Value> {
        self.plane.get(NRF, self.namespace(), name)
    }

    /// The CRs of this namespace.
    #[track_caller]
    pub fn crs(&self) -> Vec<Value> {
        self.plane.list(NRF, Some(self.namespace()))
    }

    /// Waits until a CR is in place at its present generation; answers it.
    #[track_caller]
    pub fn synced(&self, name: &str) -> Value {
        reaches(self.plane, NRF, self.namespace(), name, "Synced (Reconciled): ")
    }

    /// Waits until a CR has failed for this reason at its present generation, with these words in its message.
    #[track_caller]
    pub fn failed(&self, name: &str, reason: &str, words: &[&str]) -> Value {
        fails(self.plane, NRF, (self.namespace(), name), reason, words)
    }

    /// Waits until a CR is gone.
    #[track_caller]
    pub fn gone(&self, name: &str) {
        goes(self.plane, NRF, self.namespace(), name);
    }

    /// Waits for that many more runs of router-flavors to end, of whatever kind; answers them.
    #[track_caller]
    pub fn after_runs(&self, count: usize) -> Vec<super::Run> {
        self.pods.running().expect("install comes first").log.after("router-flavors", count, |_| true)
    }

    fn tells_no_secret(&self) {
        let mut told: Vec<String> = self.crs().iter().map(|cr| cr["status"].to_string()).collect();
        told.extend(self.pods.running().map(|operator| operator.log.text()));
        let passwords = self.entries["clouds"].as_object().into_iter().flatten();
        let passwords = passwords.filter_map(|(_, entry)| entry["auth"]["password"].as_str());
        for secret in passwords.chain(["gAAAA", "eyJhbGci"]) {
            assert!(!told.iter().any(|text| text.contains(secret)), "{secret:?} is told");
        }
    }
}
