//! One cloud of a scenario, seen by its administrator.

use serde_json::{Value, json};

use super::{L3, MARKER};
use crate::Neutron;

/// One cloud: the name of its administrator's entry, and the view of its Neutron.
pub struct Cloud {
    /// Entry of the `clouds.yaml`; others are `<name>-member`, `<name>-reader` and `<name>-nobody`.
    pub name: &'static str,
    /// Its Neutron.
    pub neutron: Neutron,
}

impl Cloud {
    /// The router flavors with exactly this name; flavors of other service types are not looked at.
    pub fn flavors(&self, name: &str) -> Vec<Value> {
        self.neutron.named(name).into_iter().filter(|flavor| flavor["service_type"] == L3).collect()
    }

    /// The one router flavor with this name.
    ///
    /// # Panics
    /// If there is none, or more than one.
    #[track_caller]
    pub fn flavor(&self, name: &str) -> Value {
        let mut found = self.flavors(name);
        assert_eq!(found.len(), 1, "router flavors named {name}: {found:?}");
        found.remove(0)
    }

    /// The one profile of the one router flavor with this name.
    ///
    /// # Panics
    /// If it is not exactly one.
    #[track_caller]
    pub fn profile(&self, flavor: &str) -> Value {
        let mut found = self.neutron.profiles_of(&self.flavor(flavor));
        assert_eq!(found.len(), 1, "profiles of {flavor}: {found:?}");
        found.remove(0)
    }

    /// The profile with the id of this one, as it is now.
    pub fn again(&self, profile: &Value) -> Option<Value> {
        self.neutron.profiles().into_iter().find(|other| other["id"] == profile["id"])
    }

    /// The profiles with our mark.
    pub fn managed_profiles(&self) -> Vec<Value> {
        self.neutron.profiles().into_iter().filter(is_managed_profile).collect()
    }

    /// The router flavors with our mark.
    pub fn managed_flavors(&self) -> Vec<Value> {
        let ours = |flavor: &Value| flavor["service_type"] == L3 && is_managed_flavor(flavor);
        self.neutron.flavors().into_iter().filter(ours).collect()
    }

    /// Makes a router flavor with this name, description and profiles.
    pub fn plant_flavor(&self, name: &str, description: &str, profiles: &[&Value]) -> Value {
        let fields = json!({"name": name, "service_type": L3, "description": description});
        let flavor = self.neutron.add_flavor(fields);
        profiles.iter().for_each(|profile| self.neutron.bind(&flavor, profile));
        flavor
    }

    /// Makes a service profile with this text as its `metainfo`.
    pub fn plant_profile(&self, driver: &str, metainfo: &str) -> Value {
        self.neutron.add_profile(json!({"driver": driver, "metainfo": metainfo, "description": ""}))
    }
}

/// Whether a flavor's description ends with the marker.
pub(crate) fn is_managed_flavor(flavor: &Value) -> bool {
    flavor["description"].as_str().is_some_and(|text| text.ends_with(MARKER))
}

/// Whether a profile's `metainfo` has the mark.
pub(crate) fn is_managed_profile(profile: &Value) -> bool {
    let metainfo = profile["metainfo"].as_str().unwrap_or_default();
    serde_json::from_str::<Value>(metainfo)
        .is_ok_and(|keys| keys["_understack_router_flavor_operator"] == "managed")
}

/// The `metainfo` that the hook, and the implementation before it, write for `{"vni_alloc": <alloc>}`.
pub(crate) fn marked_metainfo(alloc: &str) -> String {
    format!(
        r#"{{"_understack_router_flavor_marker_version":"v1","_understack_router_flavor_operator":"managed","_understack_router_flavor_source":"NeutronRouterFlavor","vni_alloc":"{alloc}"}}"#
    )
}
