//! What goes, and what stays.

use serde_json::{Value, json};

use super::cloud::{is_managed_flavor, marked_metainfo};
use super::world::counts;
use super::{HA, MARKER, World};

const ABANDON: &str = "openstack-sync.understack.rackspace.net/abandon";

/// A flavor that routers use cannot go: its CR waits with its finalizer, says why, and goes when the router is gone.
pub fn a_flavor_in_use_stays_until_its_router_is_gone(w: &mut World) {
    w.apply("gold", json!({}));
    w.tick(0);
    let (flavor, profile) = (w.home.flavor("gold"), w.home.profile("gold"));
    let router = w.home.neutron.add_router("r", &flavor);
    w.site.delete("gold");
    w.tick(1);
    assert_eq!((w.home.flavor("gold"), w.home.profile("gold")), (flavor.clone(), profile.clone()));
    assert!(w.marks("gold").0, "the finalizer stays");
    w.assert_failed("gold", "CleanupBlocked", &["waiting: flavor \"gold\" is in use by routers"]);
    // The same again, without a new status.
    let outcome = w.tick(1);
    assert_eq!(counts(&outcome).1, 1, "the delete alone: {}", outcome.stderr);
    w.home.neutron.delete_router(&router);
    w.tick(0);
    assert_eq!(w.site.cr("gold"), None);
    assert!(w.home.flavors("gold").is_empty());
    assert_eq!(w.home.again(&profile), None);
}

/// Profiles with our mark that no flavor has, as an interrupted run leaves them, are swept by a full run, not by a
/// tick. Those of others are not: every scenario has two.
pub fn orphans_are_swept_by_a_full_run_alone(w: &mut World) {
    orphans(w);
}

/// The same without finalizers.
pub fn orphans_are_swept_without_finalizers_too(w: &mut World) {
    w.set("PRUNE", "false");
    orphans(w);
}

fn orphans(w: &mut World) {
    let orphan = w.home.plant_profile(HA, &marked_metainfo("off"));
    // Bound to a flavor of another service type alone: in use.
    let used = w.home.plant_profile(HA, &marked_metainfo("on"));
    let fields = json!({"name": "qos", "service_type": "QOS"});
    let elsewhere = w.home.neutron.add_flavor(fields);
    w.home.neutron.bind(&elsewhere, &used);
    w.apply("gold", json!({}));
    w.tick(0);
    assert_eq!(w.home.again(&orphan), Some(orphan.clone()));
    w.full(0);
    assert_eq!(w.home.again(&orphan), None);
    assert_eq!(w.home.again(&used), Some(used));
    w.settled();
}

/// Managed flavors that no CR claims go in a full run if they are few; if they are many, a snapshot may be
/// incomplete, and none goes.
pub fn unclaimed_flavors_go_within_the_limit_alone(w: &mut World) {
    w.apply("gold", json!({}));
    w.tick(0);
    let planted = ["x", "y", "z"].map(|name| w.home.plant_flavor(name, MARKER, &[]));
    let there = |w: &World| planted.iter().filter(|one| w.home.neutron.flavors().contains(one)).count();
    w.set("PRUNE_LIMIT", "2");
    let outcome = w.full(1);
    assert_eq!(there(w), 3);
    for name in ["x", "y", "z"] {
        assert!(outcome.says(&[&format!("{name:?}"), "no CR claims it"]), "{}", outcome.stderr);
    }
    assert!(outcome.says(&["NEUTRON_ROUTER_FLAVOR_PRUNE_LIMIT=2"]), "{}", outcome.stderr);
    w.assert_synced("gold");
    w.set("PRUNE_LIMIT", "0");
    w.full(0);
    assert_eq!(there(w), 3);
    // What is known to be deleted goes whatever the limit; the rest stays.
    w.apply("silver", json!({}));
    w.tick(0);
    w.site.delete("silver");
    w.full(0);
    assert!(w.home.flavors("silver").is_empty());
    assert_eq!(there(w), 3);
    w.set("PRUNE_LIMIT", "3");
    w.tick(0);
    assert_eq!(there(w), 3, "a tick leaves them");
    w.full(0);
    assert_eq!(there(w), 0);
    assert!(is_managed_flavor(&w.home.flavor("gold")));
    w.settled();
}

/// A snapshot without CRs is no order to delete everything.
pub fn an_empty_snapshot_empties_nothing(w: &mut World) {
    w.home.plant_flavor("gold", MARKER, &[]);
    w.home.plant_profile(HA, &marked_metainfo("off"));
    let before = w.home.neutron.snapshot();
    let outcome = w.full(0);
    assert_eq!(counts(&outcome), (0, 0), "{}", outcome.stderr);
    assert_eq!(w.home.neutron.snapshot(), before);
}

/// A CR that is given up goes at once; its flavor stays, and is nobody's from then on.
pub fn an_abandoned_flavor_stays_without_its_marker(w: &mut World) {
    w.apply("gold", json!({"description": "shiny"}));
    w.apply("silver", json!({}));
    w.tick(0);
    let (flavor, profile) = (w.home.flavor("gold"), w.home.profile("gold"));
    let mut cr = w.site.cr("gold").expect("a CR");
    cr["metadata"]["annotations"][ABANDON] = json!("true");
    w.site.apply(cr);
    w.site.delete("gold");
    w.tick(0);
    assert_eq!(w.site.cr("gold"), None);
    let mut expected = flavor;
    expected["description"] = json!("shiny");
    assert_eq!(w.home.flavor("gold"), expected);
    assert_eq!(w.home.profile("gold"), profile);
    w.full(0);
    assert_eq!(w.home.flavor("gold"), expected, "a later full run leaves it");
}

/// With PRUNE off there is no finalizer, and a CR's flavor stays when the CR goes.
pub fn without_finalizers_a_flavor_outlives_its_cr(w: &mut World) {
    w.set("PRUNE", "false");
    w.apply("gold", json!({}));
    w.apply("silver", json!({}));
    w.tick(0);
    assert_eq!(w.marks("gold"), (false, None));
    let before: (Value, Value) = (w.home.flavor("gold"), w.home.profile("gold"));
    let last = w.site.delete("gold");
    assert_eq!(w.site.cr("gold"), None);
    w.event("Deleted", last, 0);
    w.full(0);
    assert_eq!((w.home.flavor("gold"), w.home.profile("gold")), before);
    w.settled();
}
