//! From a CR to a flavor and back.

use serde_json::json;

use super::cloud::marked_metainfo;
use super::world::{counts, usual, wanted};
use super::{L3, MARKER, SINGLE, World};

/// A new CR becomes a flavor with its profile; what follows costs four requests, or none.
pub fn create(w: &mut World) {
    let profile = json!({"driver": SINGLE, "description": "one VNI", "meta_info": {"vni_alloc": "auto"}});
    w.apply("gold", json!({"description": "shiny", "is_enabled": false, "service_profiles": [profile]}));
    w.tick(0);
    w.assert_synced("gold");
    let flavor = w.home.flavor("gold");
    assert_eq!(flavor["description"], format!("shiny {MARKER}"));
    assert_eq!((&flavor["service_type"], &flavor["enabled"]), (&json!(L3), &json!(false)));
    let profile = w.home.profile("gold");
    let expected = json!({
        "id": profile["id"], "driver": SINGLE, "description": "one VNI", "enabled": true,
        "metainfo": marked_metainfo("auto"),
    });
    assert_eq!(profile, expected);
    w.assert_held_by("gold", &["home"]);
    let outcome = w.full(0);
    let (requests, writes) = counts(&outcome);
    assert_eq!(writes, 0, "{}", outcome.stderr);
    if w.has_whole_lists() {
        assert_eq!(requests, 4, "Secret, token, flavors, profiles: {}", outcome.stderr);
    }
    w.settled();
}

/// CRs that want the same profile share one, and one login.
pub fn three_crs_share_one_profile(w: &mut World) {
    for name in ["bronze", "gold", "silver"] {
        w.apply(name, json!({}));
    }
    w.clear_journal();
    w.tick(0);
    if let Some(journal) = w.journal() {
        assert_eq!(journal.iter().filter(|entry| entry.is_login()).count(), 1);
    }
    let ids = ["bronze", "gold", "silver"].map(|name| w.home.profile(name)["id"].clone());
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(w.home.managed_profiles().len(), 1);
    w.settled();
}

/// A change of the spec reaches the flavor in the next run, whatever its kind; the flavor stays the same one.
pub fn a_changed_spec_is_followed(w: &mut World) {
    w.apply("gold", json!({}));
    w.tick(0);
    let before = w.home.flavor("gold");
    assert_eq!(before["description"], MARKER);
    w.apply("gold", json!({"description": "žluť", "is_enabled": false}));
    w.tick(0);
    let after = w.home.flavor("gold");
    assert_eq!(after["id"], before["id"]);
    assert_eq!((&after["description"], &after["enabled"]), (&json!(format!("žluť {MARKER}")), &json!(false)));
    w.apply("gold", json!({"service_profiles": [usual(), wanted(SINGLE, "on")]}));
    w.tick(0);
    let after = w.home.flavor("gold");
    assert_eq!(after["id"], before["id"]);
    assert_eq!(w.home.neutron.profiles_of(&after).len(), 2);
    w.settled();
}

/// A deleted CR takes its flavor and its profile with it; nothing is left, and the next run does nothing.
pub fn delete(w: &mut World) {
    w.apply("gold", json!({}));
    w.tick(0);
    let profile = w.home.profile("gold");
    let marked = w.site.delete("gold");
    assert!(marked["metadata"]["deletionTimestamp"].is_string(), "the finalizer keeps it: {marked}");
    w.event("Modified", marked.clone(), 0);
    assert_eq!(w.site.cr("gold"), None);
    assert_eq!(w.home.flavors("gold"), [] as [serde_json::Value; 0]);
    assert_eq!(w.home.again(&profile), None);
    // Its Deleted event comes later, and finds nothing to do.
    let outcome = w.event("Deleted", marked, 0);
    assert_eq!(counts(&outcome).1, 0, "{}", outcome.stderr);
}

/// A profile goes with the last of its flavors.
pub fn a_shared_profile_outlives_one_of_its_flavors(w: &mut World) {
    w.apply("gold", json!({}));
    w.apply("silver", json!({}));
    w.tick(0);
    let profile = w.home.profile("gold");
    w.site.delete("gold");
    w.tick(0);
    assert!(w.home.flavors("gold").is_empty());
    assert_eq!(w.home.profile("silver"), profile);
    w.settled();
    w.site.delete("silver");
    w.tick(0);
    assert_eq!(w.home.again(&profile), None);
}
