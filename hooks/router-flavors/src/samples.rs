//! Specs, flavors and profiles for the tables of the tests.

use openstack::network::{Flavor, ServiceProfile};
use serde_json::{Value, json};

use crate::cache::Profile;
use crate::config::{SERVICE_TYPE, Spec};
use crate::markers::{mark, metainfo};

/// The driver of all samples.
pub(crate) const DRIVER: &str = "neutron.single_node.SingleNodeDriver";

/// A spec for the flavor `gold` with one profile, and what `more` says.
pub(crate) fn spec(more: &Value) -> Spec {
    let mut spec = json!({
        "name": "gold",
        "description": "shiny",
        "service_profiles": [{"driver": DRIVER, "description": "p", "meta_info": {"vni_alloc": "auto"}}],
    });
    for (key, value) in more.as_object().unwrap() {
        spec[key] = value.clone();
    }
    serde_json::from_value(spec).unwrap()
}

/// A managed router flavor as [`spec`] wants it, with these profiles.
pub(crate) fn flavor(id: &str, profiles: &[&str]) -> Flavor {
    Flavor {
        id: id.to_owned(),
        name: "gold".to_owned(),
        description: Some(mark("shiny")),
        service_type: SERVICE_TYPE.to_owned(),
        enabled: true,
        service_profiles: profiles.iter().map(|id| (*id).to_owned()).collect(),
    }
}

/// The same without the marker.
pub(crate) fn foreign_flavor(id: &str, profiles: &[&str]) -> Flavor {
    Flavor { description: Some("by hand".to_owned()), ..flavor(id, profiles) }
}

/// A profile as [`spec`] wants it, managed or not.
pub(crate) fn profile(id: &str, managed: bool) -> Profile {
    let content = json!({"vni_alloc": "auto"});
    let text = if managed { metainfo(content.as_object().unwrap()) } else { content.to_string() };
    Profile::new(ServiceProfile {
        id: id.to_owned(),
        driver: DRIVER.to_owned(),
        description: Some("p".to_owned()),
        enabled: true,
        metainfo: Some(text),
    })
}
