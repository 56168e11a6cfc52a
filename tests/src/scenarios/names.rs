//! Names: Neutron's are not unique, and MariaDB finds more than was asked for.

use serde_json::{Value, json};

use super::cloud::{is_managed_flavor, marked_metainfo};
use super::world::counts;
use super::{MARKER, SINGLE, World};

/// Two flavors made by hand that could be meant: the CR fails, and neither is touched, nor anything made.
pub fn two_made_by_hand_are_one_too_many(w: &mut World) {
    for text in ["a", "b"] {
        w.home.plant_flavor("gold", text, &[]);
    }
    let before = w.home.neutron.snapshot();
    w.apply("gold", json!({}));
    w.tick(1);
    let ids: Vec<Value> = w.home.flavors("gold").iter().map(|flavor| flavor["id"].clone()).collect();
    let words: Vec<&str> = ids.iter().filter_map(Value::as_str).collect();
    w.assert_failed("gold", "ReconcileError", &["2 flavors are named \"gold\"", words[0], words[1]]);
    assert_eq!(w.home.neutron.snapshot(), before);
    // The second run says the same and writes no status.
    let outcome = w.full(1);
    assert_eq!(counts(&outcome).1, 0, "{}", outcome.stderr);
    assert_eq!(w.home.neutron.snapshot(), before);
    // With one of them gone the other is meant.
    let path = format!("/flavors/{}", words[0]);
    assert_eq!(w.home.neutron.call("DELETE", &path, None).0, 204);
    w.full(0);
    assert_eq!(w.home.flavor("gold")["id"], words[1]);
    w.settled();
}

/// Two flavors with our marker, for example copied with it.
pub fn two_managed_are_one_too_many(w: &mut World) {
    for text in ["a", "b"] {
        w.home.plant_flavor("gold", &format!("{text} {MARKER}"), &[]);
    }
    let before = w.home.neutron.snapshot();
    w.apply("gold", json!({}));
    w.full(1);
    w.assert_failed("gold", "ReconcileError", &["2 flavors are named \"gold\"", "marker"]);
    assert_eq!(w.home.neutron.snapshot(), before);
}

/// Of a managed flavor and others of its name, the managed one is meant.
pub fn the_managed_one_counts(w: &mut World) {
    w.apply("gold", json!({}));
    w.tick(0);
    let ours = w.home.flavor("gold");
    let theirs = ["a", "b"].map(|text| w.home.plant_flavor("gold", text, &[]));
    w.full(0);
    w.apply("gold", json!({"description": "still ours"}));
    w.tick(0);
    let all = w.home.flavors("gold");
    assert_eq!(all.len(), 3);
    assert!(all.iter().all(|flavor| is_managed_flavor(flavor) == (flavor["id"] == ours["id"])), "{all:?}");
    w.settled();
    w.site.delete("gold");
    w.tick(0);
    let left: Vec<Value> = w.home.flavors("gold");
    assert!(left.len() == 2 && theirs.iter().all(|flavor| left.contains(flavor)), "{left:?}");
}

/// Names that differ by case alone are different names, although a filter of MariaDB finds one for the other.
/// `GOLD` and `góld` made by hand are there in every scenario.
pub fn case_and_accents_count(w: &mut World) {
    w.apply("gold", json!({}));
    w.apply("mixed", json!({"name": "Gold"}));
    w.tick(0);
    assert_ne!(w.home.flavor("gold")["id"], w.home.flavor("Gold")["id"]);
    w.settled();
    w.site.delete("gold");
    w.tick(0);
    assert!(w.home.flavors("gold").is_empty());
    assert!(is_managed_flavor(&w.home.flavor("Gold")));
    assert!(!is_managed_flavor(&w.home.flavor("GOLD")));
    w.settled();
}

/// Two CRs describe one flavor: the older is served, the other says who won. When the winner goes, the flavor stays
/// and passes to the other.
pub fn the_older_of_two_crs_wins(w: &mut World) {
    w.apply("a", json!({"name": "gold", "description": "first"}));
    w.tick(0);
    w.apply("b", json!({"name": "gold", "description": "second"}));
    let outcome = w.tick(1);
    assert!(counts(&outcome).0 <= 1, "decided without a connection, one status: {}", outcome.stderr);
    w.assert_synced("a");
    w.assert_failed("b", "NameConflict", &["\"gold\"", "openstack/a"]);
    assert_eq!(w.marks("b"), (false, None));
    let flavor = w.home.flavor("gold");
    assert_eq!(flavor["description"], format!("first {MARKER}"));
    // A tick that has nothing new to say is no failure, a full run is one.
    let outcome = w.tick(0);
    assert_eq!(counts(&outcome), (0, 0), "{}", outcome.stderr);
    w.full(1);
    w.site.delete("a");
    w.tick(0);
    assert_eq!(w.site.cr("a"), None);
    assert_eq!(w.home.flavor("gold")["id"], flavor["id"], "protected by the other's claim");
    w.tick(0);
    w.assert_synced("b");
    let after = w.home.flavor("gold");
    assert_eq!((&after["id"], &after["description"]), (&flavor["id"], &json!(format!("second {MARKER}"))));
    w.settled();
}

/// A renamed claim makes a new flavor at once; the old one is nobody's and goes with the next full run.
pub fn a_renamed_flavor_leaves_the_old_one_to_a_full_run(w: &mut World) {
    w.apply("gold", json!({}));
    w.tick(0);
    let old = w.home.flavor("gold");
    w.apply("gold", json!({"name": "golden"}));
    w.tick(0);
    assert_eq!(w.home.flavor("gold"), old, "a due run does not touch what nobody claims");
    let new = w.home.flavor("golden");
    assert_eq!(new["service_profiles"], old["service_profiles"]);
    w.full(0);
    assert!(w.home.flavors("gold").is_empty());
    assert_eq!(w.home.flavor("golden"), new);
    assert_eq!(w.home.managed_profiles().len(), 1);
    assert_eq!(w.home.profile("golden")["metainfo"], marked_metainfo("auto"));
    assert_eq!(w.home.profile("golden")["driver"], SINGLE);
    w.settled();
}
