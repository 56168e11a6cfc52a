//! What is done while a fault strikes. Each scenario ends well in one run if there is no fault.

use openstack_sync_tests::{Outcome, Site, flavor_cr};
use serde_json::{Value, json};

use crate::world::{DRIVER, PRUNE, World, text};

/// A state, and the run that is swept.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// Brings a new world to where the run begins.
    pub(crate) prepare: fn(&mut World),
    pub(crate) run: fn(&Site) -> Outcome,
}

/// A flavor `gold` with a profile of its own.
fn gold(more: Value) -> Value {
    flavor_cr("gold", "devcloud", more)
}

/// A CR that stays: its group is never empty, and its profile is not that of `gold`.
fn keep() -> Value {
    let profile = json!([{"driver": DRIVER, "meta_info": {"resource_class": "keep"}}]);
    flavor_cr("keep", "devcloud", json!({"spec": {"service_profiles": profile}}))
}

fn event(site: &Site, word: &str) -> Outcome {
    site.run(&[site.event(word, site.cr("gold").expect("the CR"))])
}

/// A due run for a new CR with two profiles.
pub(crate) const CREATE: Scenario = Scenario {
    name: "create",
    prepare: |world| {
        let profiles = json!([
            {"driver": DRIVER, "meta_info": {"vni_alloc": "auto"}},
            {"driver": DRIVER, "description": "second", "meta_info": {"resource_class": "large"}},
        ]);
        world.site.apply(gold(json!({"spec": {"service_profiles": profiles}})));
    },
    run: |site| event(site, "Added"),
};

/// A flavor and a profile are there, unmarked and unbound.
pub(crate) const ADOPT: Scenario = Scenario {
    name: "adopt",
    prepare: |world| {
        let neutron = world.site.dev.neutron();
        neutron.add_flavor(json!({
            "name": "gold", "service_type": "L3_ROUTER_NAT", "description": "gold, by hand", "enabled": false,
        }));
        neutron.add_profile(json!({
            "driver": DRIVER, "description": "gold, by hand", "metainfo": "{\"vni_alloc\": \"auto\"}",
        }));
        world.site.apply(gold(json!({})));
    },
    run: Site::full,
};

/// Another meta_info is another profile.
pub(crate) const CHANGE: Scenario = Scenario {
    name: "change of a profile",
    prepare: |world| {
        world.site.apply(gold(json!({})));
        world.site.full().expect(0);
        let profile = json!([{"driver": DRIVER, "meta_info": {"vni_alloc": "off"}}]);
        world.site.apply(gold(json!({"spec": {"service_profiles": profile, "description": "changed"}})));
    },
    run: |site| event(site, "Modified"),
};

/// A due run for a CR that is being deleted.
pub(crate) const DELETE: Scenario = Scenario {
    name: "delete",
    prepare: |world| {
        world.site.apply(gold(json!({})));
        world.site.apply(keep());
        world.site.full().expect(0);
        world.site.delete("gold");
    },
    run: |site| event(site, "Modified"),
};

/// The flavor was in use when its CR was deleted; now it no longer is.
pub(crate) const DELETE_AFTER_USE: Scenario = Scenario {
    name: "delete after it was in use",
    prepare: |world| {
        world.site.apply(gold(json!({})));
        world.site.apply(keep());
        world.site.full().expect(0);
        let neutron = world.site.dev.neutron();
        let flavor =
            neutron.flavors().into_iter().find(|flavor| flavor["name"] == "gold").expect("the flavor");
        let router = neutron.add_router(Some(text(&flavor["id"])), "r");
        world.site.delete("gold");
        world.site.full().expect(1);
        assert!(world.site.verdict("gold").starts_with("Failed (CleanupBlocked)"));
        neutron.delete_router(text(&router["id"]));
    },
    run: Site::full,
};

/// PRUNE was switched off: finalizers go, a managed profile without a flavor is swept, flavors stay.
pub(crate) const BEST_EFFORT: Scenario = Scenario {
    name: "best-effort sweep",
    prepare: |world| {
        world.site.apply(gold(json!({})));
        world.site.full().expect(0);
        world.site.hook.set(PRUNE, "false");
        world.site.dev.neutron().add_profile(json!({
            "driver": DRIVER,
            "metainfo": "{\"_understack_router_flavor_operator\":\"managed\",\"resource_class\":\"orphan\"}",
        }));
    },
    run: Site::full,
};

/// The CR names other credentials: created there, then deleted here.
pub(crate) const MOVE: Scenario = Scenario {
    name: "moved to another cloud",
    prepare: |world| {
        world.site.apply(gold(json!({})));
        world.site.apply(keep());
        world.site.full().expect(0);
        world.site.apply(flavor_cr("gold", "other", json!({})));
    },
    run: |site| event(site, "Modified"),
};
