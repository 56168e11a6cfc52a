//! A Kubernetes API and two clouds, with things in them that were made by hand.

use std::collections::BTreeMap;

use devcloud::{DevCloud, Entry, Fault, Options};
use openstack_sync_tests::{KIND, Site};
use serde_json::{Value, json};

pub(crate) const DRIVER: &str = "neutron.services.l3_router.service_providers.single_node.SingleNodeDriver";

pub(crate) const PRUNE: &str = "NEUTRON_ROUTER_FLAVOR_PRUNE";

/// What a case runs in. The clouds are called `devcloud` and `other` in the one `clouds.yaml`.
pub(crate) struct World {
    pub(crate) site: Site,
    pub(crate) other: DevCloud,
    by_hand: Vec<Value>,
}

/// Where a request went: 0 is the site, 1 the other cloud.
pub(crate) type Place = usize;

impl World {
    /// With nothing in it but what was made by hand.
    pub(crate) fn new() -> Self {
        let world = Self::empty();
        for cloud in world.clouds() {
            let neutron = cloud.neutron();
            let flavor = neutron.add_flavor(json!({
                "name": "by-hand", "service_type": "L3_ROUTER_NAT", "description": "not ours",
            }));
            let bound = neutron.add_profile(json!({"driver": DRIVER, "metainfo": "{\"vni_alloc\":\"on\"}"}));
            neutron.bind(text(&flavor["id"]), text(&bound["id"]));
            neutron.add_profile(json!({"driver": DRIVER, "description": "unbound", "metainfo": "by hand"}));
        }
        world.remembering()
    }

    fn empty() -> Self {
        let mut site = Site::new();
        let other = DevCloud::start(Options::default()).expect("a second cloud");
        site.use_clouds(&DevCloud::clouds_yaml_for(&[("devcloud", &site.dev), ("other", &other)]));
        Self { site, other, by_hand: Vec::new() }
    }

    /// What is in the clouds now and is not marked as ours counts as made by hand from now on, but for what is
    /// named `gold` or described as such: that is to be adopted.
    fn remembering(mut self) -> Self {
        let is_foreign = |thing: &Value| {
            let text = thing.to_string();
            !text.contains("router-flavor-operator")
                && !text.contains("router_flavor_operator")
                && !text.contains("gold")
        };
        self.by_hand = self.things().into_iter().filter(is_foreign).collect();
        self
    }

    /// Another world with the same things in it, under other ids.
    pub(crate) fn copy(&self) -> Self {
        let mut copy = Self::empty();
        let prune = self.site.hook.get(PRUNE).expect("PRUNE is set");
        copy.site.hook.set(PRUNE, prune);
        for cr in self.site.dev.kube().list(KIND) {
            copy.site.store(cr);
        }
        for (from, to) in self.clouds().into_iter().zip(copy.clouds()) {
            copy_cloud(from, to);
        }
        copy.remembering()
    }

    pub(crate) fn clouds(&self) -> [&DevCloud; 2] {
        [&self.site.dev, &self.other]
    }

    /// All flavors and profiles of both clouds.
    pub(crate) fn things(&self) -> Vec<Value> {
        let of = |cloud: &DevCloud| {
            cloud.neutron().flavors().into_iter().chain(cloud.neutron().profiles()).collect()
        };
        self.clouds().map(of).into_iter().flat_map(|things: Vec<Value>| things).collect()
    }

    /// What was made by hand and is not there any more as it was.
    pub(crate) fn touched(&self) -> Vec<Value> {
        let now = self.things();
        self.by_hand.iter().filter(|thing| !now.contains(thing)).cloned().collect()
    }

    pub(crate) fn clear_journals(&self) {
        self.clouds().iter().for_each(|cloud| cloud.clear_journal());
    }

    /// The requests since [`World::clear_journals`], with their places.
    pub(crate) fn journals(&self) -> Vec<(Place, Entry)> {
        let of = |place: Place| self.clouds()[place].journal().into_iter().map(move |entry| (place, entry));
        of(0).chain(of(1)).collect()
    }

    pub(crate) fn inject(&self, place: Place, fault: Fault) {
        self.clouds()[place].inject(fault);
    }

    pub(crate) fn clear_faults(&self) {
        self.clouds().iter().for_each(|cloud| cloud.clear_faults());
    }
}

fn copy_cloud(from: &DevCloud, to: &DevCloud) {
    let mut ids = BTreeMap::new();
    let without = |thing: &Value, keys: &[&str]| {
        let mut thing = thing.clone();
        keys.iter().for_each(|key| drop(thing.as_object_mut().expect("an object").remove(*key)));
        thing
    };
    for profile in from.neutron().profiles() {
        let made = to.neutron().add_profile(without(&profile, &["id"]));
        ids.insert(text(&profile["id"]).to_owned(), text(&made["id"]).to_owned());
    }
    for flavor in from.neutron().flavors() {
        let made = to.neutron().add_flavor(without(&flavor, &["id", "service_profiles"]));
        for profile in flavor["service_profiles"].as_array().into_iter().flatten() {
            to.neutron().bind(text(&made["id"]), &ids[text(profile)]);
        }
    }
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}
