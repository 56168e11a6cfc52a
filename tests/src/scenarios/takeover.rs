//! CRs, flavors and profiles as the previous implementation left them, and PRUNE switched on and off.

use serde_json::{Value, json};

use super::cloud::marked_metainfo;
use super::world::counts;
use super::{MARKER, SINGLE, World};
use crate::{flavor_cr, merge};

const FINALIZER: &str = "openstack-sync.understack.rackspace.net/finalizer";

/// Two CRs in place, as the previous implementation recorded it; answers everything in the cloud.
fn before(w: &World, finalizers: &[&str]) -> Value {
    let profile = w.home.plant_profile(SINGLE, &marked_metainfo("auto"));
    for name in ["gold", "silver"] {
        w.home.plant_flavor(name, MARKER, &[&profile]);
        let mut cr = flavor_cr(name, "home", json!({"status": former_status()}));
        if !finalizers.is_empty() {
            merge(&mut cr, json!({"metadata": {"finalizers": finalizers}}));
        }
        w.site.dev.kube().create(cr);
    }
    w.home.neutron.snapshot()
}

/// The status of a CR in its first generation that the previous implementation put in place.
pub(crate) fn former_status() -> Value {
    let time = "2026-05-04T03:02:01Z";
    let message = "Successfully reconciled router flavor";
    let condition = json!({
        "type": "Ready", "status": "True", "reason": "Reconciled", "message": message,
        "observedGeneration": 1, "lastTransitionTime": time,
    });
    json!({
        "syncStatus": "Synced", "lastSyncTime": time, "message": message, "observedGeneration": 1,
        "conditions": [condition],
    })
}

/// PRUNE was off and is switched on: the first full run adds finalizers and records, and nothing else.
pub fn of_crs_that_were_never_finalized(w: &mut World) {
    let before = before(w, &[]);
    let statuses = ["gold", "silver"].map(|name| w.site.status(name));
    let outcome = w.full(0);
    assert_eq!(counts(&outcome).1, 2, "one write for each CR: {}", outcome.stderr);
    for (name, status) in ["gold", "silver"].iter().zip(statuses) {
        w.assert_held_by(name, &["home"]);
        assert_eq!(w.site.status(name), status);
    }
    assert_eq!(w.home.neutron.snapshot(), before);
    w.settled();
    w.site.delete("gold");
    w.tick(0);
    assert!(w.home.flavors("gold").is_empty());
    assert_eq!(w.home.flavor("silver")["service_profiles"].as_array().map(Vec::len), Some(1));
}

/// PRUNE was on: a tick finds all current and asks nothing; the first full run adds the records. Finalizers of
/// others stay.
pub fn of_crs_with_a_finalizer(w: &mut World) {
    let before = before(w, &["example.com/theirs", FINALIZER]);
    let outcome = w.tick(0);
    assert_eq!(counts(&outcome), (0, 0), "{}", outcome.stderr);
    let outcome = w.full(0);
    assert_eq!(counts(&outcome).1, 2, "one write for each CR: {}", outcome.stderr);
    for name in ["gold", "silver"] {
        w.assert_held_by(name, &["home"]);
        let finalizers = w.site.cr(name).expect("a CR")["metadata"]["finalizers"].clone();
        assert_eq!(finalizers, json!(["example.com/theirs", FINALIZER]));
    }
    assert_eq!(w.home.neutron.snapshot(), before);
    w.settled();
    // What is released keeps the others' finalizer.
    w.site.delete("gold");
    w.tick(0);
    assert!(w.home.flavors("gold").is_empty());
    assert_eq!(w.site.cr("gold").expect("a CR")["metadata"]["finalizers"], json!(["example.com/theirs"]));
}

/// PRUNE is switched off: finalizers and records go, also those of a CR that is being deleted, whose flavor stays.
pub fn prune_on_then_off(w: &mut World) {
    w.apply("gold", json!({}));
    w.apply("silver", json!({}));
    w.tick(0);
    let flavor = w.home.flavor("gold");
    w.set("PRUNE", "false");
    w.site.delete("gold");
    w.tick(0);
    assert_eq!(w.site.cr("gold"), None);
    assert_eq!(w.home.flavor("gold"), flavor);
    assert_eq!(w.marks("silver"), (false, None));
    w.settled();
    w.set("PRUNE", "true");
    let before = w.home.neutron.snapshot();
    w.tick(0);
    w.assert_held_by("silver", &["home"]);
    assert_eq!(w.home.neutron.snapshot(), before);
    // The flavor that was left behind is managed, and nobody's: the full run takes it.
    w.full(0);
    assert!(w.home.flavors("gold").is_empty());
    w.settled();
}
