//! What a scenario has at hand: a site with one cloud or two, and the hook.

use devcloud::{DevCloud, Entry, Options};
use serde_json::{Value, json};

use super::bystanders::Bystanders;
use super::cloud::{is_managed_flavor, is_managed_profile};
use super::{Cloud, SINGLE};
use crate::{NAMESPACE, Neutron, Outcome, PREFIX, SECRET, Site, flavor_cr, merge};

/// Names the variable with the path of the `clouds.yaml` of a real cloud that only tests use.
pub const CLOUDS: &str = "OPENSTACK_SYNC_E2E_CLOUDS";
/// The same for a second, separate cloud.
pub const CLOUDS_2: &str = "OPENSTACK_SYNC_E2E_CLOUDS_2";

/// The users that a cloud must have, and what follows the cloud's name in the names of their entries.
const USERS: [(&str, &str); 4] =
    [("admin", ""), ("demo", "-member"), ("viewer", "-reader"), ("nobody", "-nobody")];

/// Where clouds come from.
enum Source {
    Simulated(Options),
    Real,
}

/// A site with the cloud `home`, and `away` where a scenario asks for it.
pub struct World {
    /// Kubernetes and the hook.
    pub site: Site,
    /// The cloud.
    pub home: Cloud,
    source: Source,
    away: Option<(Cloud, Bystanders)>,
    bystanders: Bystanders,
    entries: Value,
    second: Option<DevCloud>,
}

impl World {
    /// A world whose clouds are devcloud's.
    pub fn simulated(options: &Options) -> Self {
        let site = Site::with(options.clone());
        let entries = entries("home", site.clouds_yaml());
        Self::over(site, Source::Simulated(options.clone()), entries)
    }

    /// A world whose clouds are real: those of [`CLOUDS`] and, where a scenario wants two, [`CLOUDS_2`].
    /// Everything in them is deleted first.
    ///
    /// # Panics
    /// If the variable is not set, or the file is not what `e2e/openstack/up.sh` writes.
    pub fn real() -> Self {
        let entries = entries("home", &clouds_of(CLOUDS));
        let site = Site::real(&entries.to_string());
        Self::over(site, Source::Real, entries)
    }

    fn over(site: Site, source: Source, entries: Value) -> Self {
        let home = cloud("home", &entries, &source);
        let bystanders = Bystanders::plant(&home);
        let world = Self { site, home, source, away: None, bystanders, entries, second: None };
        world.write_secret();
        world
    }

    /// Adds the second cloud, `away`, which shares nothing with the first.
    pub fn add_away(&mut self) {
        let text = match &self.source {
            Source::Simulated(options) => {
                let second = DevCloud::start(options.clone()).expect("devcloud starts");
                self.second.insert(second).clouds_yaml()
            }
            Source::Real => clouds_of(CLOUDS_2),
        };
        merge(&mut self.entries, entries("away", &text));
        let away = cloud("away", &self.entries, &self.source);
        let bystanders = Bystanders::plant(&away);
        self.away = Some((away, bystanders));
        self.write_secret();
    }

    /// The second cloud.
    ///
    /// # Panics
    /// Before [`World::add_away`].
    pub fn away(&self) -> &Cloud {
        &self.away.as_ref().expect("add_away comes first").0
    }

    /// Adds the entry `name` to the `clouds.yaml` in the Secret, or replaces it: a copy of the entry `from` with
    /// `more` merged over it.
    pub fn set_entry(&mut self, name: &str, from: &str, more: Value) {
        let mut entry = self.entries["clouds"][from].clone();
        merge(&mut entry, more);
        self.entries["clouds"][name] = entry;
        self.write_secret();
    }

    /// Writes the `clouds.yaml` into a second Secret.
    pub fn add_secret(&self, name: &str) {
        self.site.apply(DevCloud::clouds_secret(NAMESPACE, name, &self.entries.to_string()));
    }

    fn write_secret(&self) {
        self.add_secret(SECRET);
    }

    /// Sets a variable of the hook, named without its prefix.
    pub fn set(&mut self, name: &str, value: &str) {
        self.site.hook.set(&format!("{PREFIX}_{name}"), value);
    }

    /// Applies a CR for the flavor of its own name in the cloud `home`, with `spec` merged over its spec.
    pub fn apply(&self, name: &str, spec: Value) -> Value {
        self.site.apply(flavor_cr(name, "home", json!({"spec": spec})))
    }

    /// A full run; panics unless it ends with `code`.
    #[track_caller]
    pub fn full(&self, code: i32) -> Outcome {
        self.checked(self.site.full(), code)
    }

    /// A catch-up run; panics unless it ends with `code`.
    #[track_caller]
    pub fn tick(&self, code: i32) -> Outcome {
        self.checked(self.site.tick(), code)
    }

    /// A run for an event of this object; panics unless it ends with `code`.
    #[track_caller]
    pub fn event(&self, word: &str, object: Value, code: i32) -> Outcome {
        self.checked(self.site.run(&[self.site.event(word, object)]), code)
    }

    /// Checks that neither the output nor a status tells a password.
    #[track_caller]
    fn checked(&self, outcome: Outcome, code: i32) -> Outcome {
        let statuses: Vec<Value> =
            self.site.dev.kube().list(crate::KIND).into_iter().map(|cr| cr["status"].clone()).collect();
        let told = format!("{}\n{}\n{}", outcome.stdout, outcome.stderr, Value::from(statuses));
        for entry in self.entries["clouds"].as_object().into_iter().flatten() {
            let password = entry.1["auth"]["password"].as_str().unwrap_or("no password");
            assert!(!told.contains(password), "a password is told:\n{told}");
        }
        outcome.expect(code)
    }

    /// Checks that everything is as it should be: a full run writes nothing, a tick asks nothing, nothing of ours
    /// is there twice.
    #[track_caller]
    pub fn settled(&self) {
        let outcome = self.full(0);
        let writes = counts(&outcome).1;
        assert_eq!(writes, 0, "{}", outcome.stderr);
        let outcome = self.tick(0);
        assert_eq!(counts(&outcome), (0, 0), "{}", outcome.stderr);
        for cloud in [Some(&self.home), self.away.as_ref().map(|(cloud, _)| cloud)].into_iter().flatten() {
            let mut keys: Vec<String> = Vec::new();
            let (flavors, profiles) = (cloud.neutron.flavors(), cloud.neutron.profiles());
            keys.extend(
                flavors
                    .iter()
                    .filter(|flavor| is_managed_flavor(flavor))
                    .map(|flavor| format!("flavor {} {}", flavor["service_type"], flavor["name"])),
            );
            keys.extend(
                profiles
                    .iter()
                    .filter(|profile| is_managed_profile(profile))
                    .map(|profile| format!("profile {} {}", profile["driver"], profile["metainfo"])),
            );
            keys.sort();
            let all = keys.len();
            keys.dedup();
            assert_eq!(keys.len(), all, "something is there twice: {keys:?}");
        }
    }

    /// Checks that a CR is in place without notes.
    #[track_caller]
    pub fn assert_synced(&self, name: &str) {
        assert_eq!(self.site.verdict(name), "Synced (Reconciled): Successfully reconciled router flavor");
    }

    /// Checks that a CR failed for this reason and that its message has these words; answers the message.
    #[track_caller]
    pub fn assert_failed(&self, name: &str, reason: &str, words: &[&str]) -> String {
        let verdict = self.site.verdict(name);
        assert!(verdict.starts_with(&format!("Failed ({reason}): ")), "{verdict}");
        words.iter().for_each(|word| assert!(verdict.contains(word), "no {word:?} in {verdict}"));
        verdict
    }

    /// The notes of a CR that is in place.
    #[track_caller]
    pub fn notes(&self, name: &str) -> String {
        let verdict = self.site.verdict(name);
        let start = "Synced (Reconciled): Successfully reconciled router flavor; needs manual action: ";
        verdict.strip_prefix(start).unwrap_or_else(|| panic!("no notes: {verdict}")).to_owned()
    }

    /// Our marks on a CR: whether it has the finalizer, and the clouds that are recorded as holding resources of it.
    #[track_caller]
    pub fn marks(&self, name: &str) -> (bool, Option<Vec<String>>) {
        let metadata = self.site.cr(name).unwrap_or_else(|| panic!("no CR {name}"))["metadata"].clone();
        let prefix = "openstack-sync.understack.rackspace.net";
        let finalizers = metadata["finalizers"].as_array().cloned().unwrap_or_default();
        let applied = metadata["annotations"][format!("{prefix}/applied")].as_str().map(|text| {
            let list: Value = serde_json::from_str(text).expect("JSON");
            let name = |at: &Value| at["cloudName"].as_str().unwrap_or_default().to_owned();
            list.as_array().into_iter().flatten().map(name).collect()
        });
        (finalizers.contains(&json!(format!("{prefix}/finalizer"))), applied)
    }

    /// Checks that a CR has our finalizer and that exactly these clouds are recorded for it.
    #[track_caller]
    pub fn assert_held_by(&self, name: &str, clouds: &[&str]) {
        let clouds = clouds.iter().map(|cloud| (*cloud).to_owned()).collect();
        assert_eq!(self.marks(name), (true, Some(clouds)));
    }

    /// What was asked of devcloud's services since [`World::clear_journal`]; `None` with real servers.
    pub fn journal(&self) -> Option<Vec<Entry>> {
        matches!(self.source, Source::Simulated(_)).then(|| self.site.dev.journal())
    }

    /// Forgets what was asked so far.
    pub fn clear_journal(&self) {
        self.site.dev.clear_journal();
    }

    /// Whether lists come in one answer, so that requests can be counted exactly.
    pub fn has_whole_lists(&self) -> bool {
        !matches!(&self.source, Source::Simulated(options) if options.page_limit.is_some())
    }

    pub(super) fn check_bystanders(&self) {
        self.bystanders.check(&self.home);
        if let Some((away, bystanders)) = &self.away {
            bystanders.check(away);
        }
    }
}

/// Requests and writes of a run, as its summary says.
#[track_caller]
pub(super) fn counts(outcome: &Outcome) -> (u64, u64) {
    let count = |what: &str| {
        let words: Vec<&str> = outcome.summary().split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let at = words.iter().position(|word| *word == what);
        at.and_then(|at| words[at - 1].parse().ok())
            .unwrap_or_else(|| panic!("no {what}: {}", outcome.stderr))
    };
    (count("requests"), count("writes"))
}

/// One wanted service profile.
pub(super) fn wanted(driver: &str, alloc: &str) -> Value {
    json!({"driver": driver, "meta_info": {"vni_alloc": alloc}})
}

/// The profile that a CR wants unless its scenario says otherwise.
pub(super) fn usual() -> Value {
    wanted(SINGLE, "auto")
}

fn cloud(name: &'static str, entries: &Value, source: &Source) -> Cloud {
    let cloud = Cloud { name, neutron: Neutron::login(&entries.to_string(), name) };
    if matches!(source, Source::Real) {
        cloud.neutron.wipe();
    }
    cloud
}

pub(crate) fn clouds_of(variable: &str) -> String {
    let path = std::env::var(variable).unwrap_or_else(|_| {
        panic!("{variable} must name a clouds.yaml as tests/e2e/openstack/up.sh writes it")
    });
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{variable}: {path}: {error}"))
}

/// The entries of a `clouds.yaml`, found by their user and renamed after `cloud`.
pub(crate) fn entries(cloud: &str, clouds_yaml: &str) -> Value {
    let parsed = rest::yaml::parse(clouds_yaml).expect("clouds.yaml is YAML");
    let mut entries = json!({"clouds": {}});
    for (user, suffix) in USERS {
        let mut all = parsed["clouds"].as_object().into_iter().flatten();
        let entry = all.find(|(_, entry)| entry["auth"]["username"] == user).map(|(_, entry)| entry.clone());
        entries["clouds"][format!("{cloud}{suffix}")] =
            entry.unwrap_or_else(|| panic!("no user {user} in clouds.yaml"));
    }
    entries
}
