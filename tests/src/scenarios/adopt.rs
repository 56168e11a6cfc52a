//! What was made by hand and fits becomes ours, unless somebody else may need it.

use serde_json::json;

use super::cloud::{is_managed_profile, marked_metainfo};
use super::{MARKER, SINGLE, World};

/// A CR that names a flavor made by hand takes it over: the same flavor, now with the marker. A profile of it that
/// the CR does not want stays bound.
pub fn a_flavor_made_by_hand(w: &mut World) {
    let theirs = w.home.plant_profile(SINGLE, r#"{"vni_alloc":"off"}"#);
    let flavor = w.home.plant_flavor("gold", "mine", &[&theirs]);
    w.home.neutron.update_flavor(&flavor, json!({"enabled": false}));
    w.apply("gold", json!({"description": "shiny"}));
    w.tick(0);
    let adopted = w.home.flavor("gold");
    assert_eq!(adopted["id"], flavor["id"]);
    assert_eq!(
        (&adopted["description"], &adopted["enabled"]),
        (&json!(format!("shiny {MARKER}")), &json!(true))
    );
    assert_eq!(w.home.again(&theirs), Some(theirs.clone()));
    let bound = w.home.neutron.profiles_of(&adopted);
    assert_eq!(bound.len(), 2);
    assert!(bound.contains(&theirs) && bound.iter().any(is_managed_profile));
    let notes = w.notes("gold");
    assert!(notes.contains("has 2 service profiles"), "{notes}");
    w.settled();
    w.site.delete("gold");
    w.tick(0);
    assert!(w.home.flavors("gold").is_empty(), "adopted is managed");
    assert_eq!(w.home.again(&theirs), Some(theirs), "but the profile never was");
}

/// A profile made by hand that fits and that nobody uses gets our mark.
pub fn a_profile_made_by_hand(w: &mut World) {
    let theirs = w.home.plant_profile(SINGLE, r#" {"vni_alloc": "auto"} "#);
    let profile = json!({"driver": SINGLE, "description": "ours now", "meta_info": {"vni_alloc": "auto"}});
    w.apply("gold", json!({"service_profiles": [profile]}));
    w.tick(0);
    let adopted = w.home.profile("gold");
    assert_eq!(adopted["id"], theirs["id"]);
    assert_eq!(adopted["metainfo"], marked_metainfo("auto"));
    assert_eq!(adopted["description"], "ours now");
    w.assert_synced("gold");
    w.settled();
}

/// A profile made by hand that is bound to the flavor serves as it is, and outlives it.
pub fn a_profile_made_by_hand_that_is_bound_here(w: &mut World) {
    let theirs = w.home.plant_profile(SINGLE, r#"{"vni_alloc":"auto"}"#);
    let flavor = w.home.plant_flavor("gold", "", &[&theirs]);
    w.apply("gold", json!({}));
    w.tick(0);
    assert_eq!(w.home.flavor("gold")["id"], flavor["id"]);
    assert_eq!(w.home.profile("gold"), theirs);
    assert!(w.home.managed_profiles().is_empty());
    let notes = w.notes("gold");
    assert!(notes.contains("is bound to the flavor but not managed"), "{notes}");
    w.settled();
    w.site.delete("gold");
    w.tick(0);
    assert!(w.home.flavors("gold").is_empty());
    assert_eq!(w.home.again(&theirs), Some(theirs));
}

/// A profile that fits but serves another flavor is somebody's: a new one is made.
pub fn a_profile_that_is_bound_elsewhere_is_not_taken(w: &mut World) {
    let theirs = w.home.plant_profile(SINGLE, r#"{"vni_alloc":"on"}"#);
    let elsewhere = w.home.plant_flavor("bronze", "by hand", &[&theirs]);
    w.apply("gold", json!({"service_profiles": [{"driver": SINGLE, "meta_info": {"vni_alloc": "on"}}]}));
    w.tick(0);
    let ours = w.home.profile("gold");
    assert_ne!(ours["id"], theirs["id"]);
    assert!(is_managed_profile(&ours));
    assert_eq!(w.home.again(&theirs), Some(theirs.clone()));
    assert_eq!(w.home.flavor("bronze")["service_profiles"], json!([theirs["id"]]));
    assert_eq!(w.home.flavor("bronze")["id"], elsewhere["id"]);
    w.settled();
}

/// Of two profiles that fit, nobody can say which one is free to take.
pub fn of_two_unused_profiles_none_is_taken(w: &mut World) {
    let theirs = ["a", "b"].map(|_| w.home.plant_profile(SINGLE, r#"{"vni_alloc":"auto"}"#));
    w.apply("gold", json!({}));
    w.tick(0);
    assert!(is_managed_profile(&w.home.profile("gold")));
    for profile in theirs {
        assert_eq!(w.home.again(&profile), Some(profile));
    }
    w.settled();
}
