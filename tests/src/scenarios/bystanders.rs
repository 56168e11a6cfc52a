//! Things made by hand that no scenario is about: made as much like ours as they can be without being ours.

use serde_json::{Value, json};

use super::{Cloud, HA, L3, MARKER, SINGLE};

/// What was planted in one cloud.
#[derive(Debug)]
pub(crate) struct Bystanders {
    flavors: Vec<Value>,
    profiles: Vec<Value>,
}

impl Bystanders {
    /// Plants them; answers them as the server shows them.
    pub(crate) fn plant(cloud: &Cloud) -> Self {
        let neutron = &cloud.neutron;
        let profiles = [
            // What the CRs of most scenarios want, but in use.
            (SINGLE, r#"{"vni_alloc":"auto"}"#),
            // Somebody else's mark.
            (HA, r#"{"_understack_router_flavor_operator":"foreign"}"#),
            // No JSON.
            (HA, "vni_alloc=auto"),
        ]
        .map(|(driver, metainfo)| cloud.plant_profile(driver, metainfo));
        let flavors = [
            ("hand-made", L3, "by hand".to_owned()),
            // Names that a filter of MariaDB finds for `gold`.
            ("GOLD", L3, "by hand".to_owned()),
            ("góld", L3, "by hand".to_owned()),
            // Our marker, but of another service type.
            ("gold", "QOS", format!("by hand {MARKER}")),
            // Our marker, but not at the end.
            ("quoting", L3, format!("not {MARKER} at all")),
        ]
        .map(|(name, service_type, description)| {
            neutron
                .add_flavor(json!({"name": name, "service_type": service_type, "description": description}))
        });
        neutron.bind(&flavors[0], &profiles[0]);
        let planted = |all: Vec<Value>, some: &[Value]| -> Vec<Value> {
            all.into_iter().filter(|one| some.iter().any(|other| other["id"] == one["id"])).collect()
        };
        Self {
            flavors: planted(neutron.flavors(), &flavors),
            profiles: planted(neutron.profiles(), &profiles),
        }
    }

    /// Compares.
    pub(crate) fn check(&self, cloud: &Cloud) {
        let (flavors, profiles) = (cloud.neutron.flavors(), cloud.neutron.profiles());
        for (planted, now) in self
            .flavors
            .iter()
            .map(|one| (one, &flavors))
            .chain(self.profiles.iter().map(|one| (one, &profiles)))
        {
            let found = now.iter().find(|other| other["id"] == planted["id"]);
            assert_eq!(found, Some(planted), "made by hand in cloud {}", cloud.name);
        }
    }
}
