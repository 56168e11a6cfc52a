//! The plugin on a simulated cloud, without the framework's driver.

use devcloud::{DevCloud, Entry, Options, Service};
use framework::{Cr, Group, PluginError, SyncPlugin, Writes};
use openstack::{Cloud, Session};
use router_flavors::RouterFlavors;
use router_flavors::cache::Cache;
use serde_json::{Value, json};

/// A driver that the simulated Neutron knows.
pub(crate) const DRIVER: &str = "neutron.services.l3_router.service_providers.single_node.SingleNodeDriver";
/// Another one.
pub(crate) const OTHER: &str = "neutron.services.l3_router.service_providers.ha.HaDriver";

/// Ends the description of a managed flavor.
pub(crate) const MARK: &str = "[understack-router-flavor-operator]";

/// A spec for the flavor `name` with one profile per meta_info value.
pub(crate) fn spec(name: &str, vni_alloc: &[&str]) -> Value {
    let profiles: Vec<_> =
        vni_alloc.iter().map(|value| json!({"driver": DRIVER, "meta_info": {"vni_alloc": value}})).collect();
    json!({"name": name, "description": "shiny", "service_profiles": profiles})
}

/// The id of what Neutron answered.
pub(crate) fn id(thing: &Value) -> &str {
    thing["id"].as_str().unwrap()
}

/// A cloud, and what one group of a run has at hand.
pub(crate) struct Bench {
    pub(crate) cloud: DevCloud,
    pub(crate) session: Session,
    pub(crate) cache: Cache,
    pub(crate) writes: Writes,
}

/// A bench on a cloud with the usual answers.
pub(crate) fn bench() -> Bench {
    Bench::new(Options::default())
}

impl Bench {
    /// Logged in as admin, the journal empty.
    pub(crate) fn new(options: Options) -> Self {
        Self::logged_in(DevCloud::start(options).unwrap(), "devcloud")
    }

    /// Logged in as another user of the cloud.
    pub(crate) fn logged_in(cloud: DevCloud, name: &str) -> Self {
        let parsed = Cloud::from_yaml(&cloud.clouds_yaml(), name, None).unwrap();
        let session = Session::new(parsed).unwrap();
        session.authenticate().unwrap();
        cloud.clear_journal();
        Self { cloud, session, cache: Cache::default(), writes: Writes::new(false) }
    }

    /// Another run: the lists are read anew.
    pub(crate) fn run(&mut self, spec: &Value) -> Result<Vec<String>, PluginError> {
        self.cache = Cache::default();
        self.cloud.clear_journal();
        RouterFlavors.wait_for_api(&self.session, &mut self.cache)?;
        self.reconcile(spec)
    }

    /// Another CR in the same run.
    pub(crate) fn reconcile(&mut self, spec: &Value) -> Result<Vec<String>, PluginError> {
        let cr = Cr {
            namespace: "openstack".to_owned(),
            name: "cr".to_owned(),
            uid: "u".to_owned(),
            generation: Some(1),
            created: String::new(),
            spec: serde_json::from_value(spec.clone()).unwrap(),
            status: Value::Null,
        };
        RouterFlavors.reconcile(&mut self.group(), &cr).map(|outcome| outcome.notes)
    }

    /// What the plugin works with.
    pub(crate) fn group(&mut self) -> Group<'_, RouterFlavors> {
        Group::new(&self.session, &mut self.cache, &mut self.writes)
    }

    /// The requests to Neutron since the journal was cleared, ids as `<id>`.
    pub(crate) fn requests(&self) -> Vec<String> {
        named(&self.cloud.journal())
    }

    /// Those that write.
    pub(crate) fn written(&self) -> Vec<String> {
        self.requests().into_iter().filter(|request| !request.starts_with("GET")).collect()
    }

    /// All that Neutron has.
    pub(crate) fn state(&self) -> State {
        State::of(&self.cloud)
    }
}

/// A profile that somebody made by hand, as [`spec`] would want it.
pub(crate) fn by_hand(bench: &Bench) -> Value {
    bench.cloud.neutron().add_profile(json!({"driver": DRIVER, "metainfo": "{ \"vni_alloc\": \"auto\" }"}))
}

/// A flavor with its profile, both made by somebody else.
pub(crate) fn by_hand_elsewhere(bench: &Bench) {
    let neutron = bench.cloud.neutron();
    let flavor = neutron.add_flavor(json!({"name": "theirs", "service_type": "L3_ROUTER_NAT"}));
    let profile = neutron.add_profile(json!({"driver": OTHER, "description": "theirs"}));
    neutron.bind(id(&flavor), id(&profile));
}

/// Requests to Neutron as `METHOD collection/<id>`.
pub(crate) fn named(journal: &[Entry]) -> Vec<String> {
    let shown = |entry: &Entry| {
        let path = entry.path.split('?').next().unwrap_or_default().trim_start_matches("/v2.0/");
        let segments = path.split('/').map(|part| if part.len() == 36 { "<id>" } else { part });
        format!("{} {}", entry.method, segments.collect::<Vec<_>>().join("/"))
    };
    journal.iter().filter(|entry| entry.service == Service::Neutron).map(shown).collect()
}

/// The state of a cloud without its random ids, so that two clouds can be compared.
#[derive(Debug, PartialEq)]
pub(crate) struct State {
    /// `name description enabled [profiles]`, sorted.
    pub(crate) flavors: Vec<String>,
    /// `driver description enabled metainfo`, sorted.
    pub(crate) profiles: Vec<String>,
}

impl State {
    pub(crate) fn of(cloud: &DevCloud) -> Self {
        let profiles = cloud.neutron().profiles();
        let text = |profile: &Value| {
            format!(
                "{} {} {} {}",
                profile["driver"], profile["description"], profile["enabled"], profile["metainfo"]
            )
        };
        let bound = |flavor: &Value| {
            let ids = flavor["service_profiles"].as_array().unwrap();
            let mut bound: Vec<_> =
                profiles.iter().filter(|profile| ids.contains(&profile["id"])).map(text).collect();
            bound.sort();
            bound
        };
        let shown = |flavor: &Value| {
            format!("{} {} {} {:?}", flavor["name"], flavor["description"], flavor["enabled"], bound(flavor))
        };
        let sorted = |mut lines: Vec<String>| {
            lines.sort();
            lines
        };
        Self {
            flavors: sorted(cloud.neutron().flavors().iter().map(shown).collect()),
            profiles: sorted(profiles.iter().map(text).collect()),
        }
    }
}
