//! What somebody changes by hand in a thing of ours.

use serde_json::{Value, json};

use super::world::{counts, usual, wanted};
use super::{MARKER, SINGLE, World};

/// A CR in place, and its flavor and profile.
fn in_place(w: &World) -> (Value, Value) {
    w.apply("gold", json!({"description": "shiny"}));
    w.tick(0);
    (w.home.flavor("gold"), w.home.profile("gold"))
}

/// A flavor that was changed by hand is left by a tick, which asks nothing, and corrected by the full run.
pub fn is_corrected_by_a_full_run_alone(w: &mut World) {
    let (before, _) = in_place(w);
    let description = format!("matt {MARKER}");
    w.home.neutron.update_flavor(&before, json!({"enabled": false, "description": description}));
    let changed = w.home.flavor("gold");
    let outcome = w.tick(0);
    assert_eq!(counts(&outcome), (0, 0), "{}", outcome.stderr);
    assert_eq!(w.home.flavor("gold"), changed);
    let outcome = w.full(0);
    assert_eq!(counts(&outcome).1, 1, "one update and no status: {}", outcome.stderr);
    assert_eq!(w.home.flavor("gold"), before);
    w.assert_synced("gold");
    w.settled();
}

/// A flavor whose marker was taken off is still what the CR names.
pub fn a_lost_marker_is_set_again(w: &mut World) {
    let (before, _) = in_place(w);
    w.home.neutron.update_flavor(&before, json!({"description": "shiny"}));
    w.full(0);
    assert_eq!(w.home.flavor("gold"), before);
    w.settled();
}

/// A profile that was unbound is bound again, not swept.
pub fn a_lost_binding_is_made_again(w: &mut World) {
    let (before, profile) = in_place(w);
    w.home.neutron.unbind(&before, &profile);
    w.full(0);
    assert_eq!(w.home.flavor("gold"), before);
    assert_eq!(w.home.profile("gold"), profile);
    w.settled();
}

/// A flavor that was deleted is made anew, with the profile that is still there.
pub fn a_lost_flavor_is_made_again(w: &mut World) {
    let (before, profile) = in_place(w);
    let path = format!("/flavors/{}", before["id"].as_str().expect("an id"));
    assert_eq!(w.home.neutron.call("DELETE", &path, None).0, 204);
    w.full(0);
    let after = w.home.flavor("gold");
    assert_ne!(after["id"], before["id"]);
    assert_eq!(after["description"], before["description"]);
    assert_eq!(w.home.profile("gold"), profile);
    w.settled();
}

/// A bound profile cannot be changed: what differs is a note, the CR stays in place and no write is tried.
pub fn a_bound_profile_that_differs_is_a_note(w: &mut World) {
    let (_, profile) = in_place(w);
    let mut wanted = usual();
    wanted["is_enabled"] = json!(false);
    wanted["description"] = json!("other");
    w.apply("gold", json!({"description": "shiny", "service_profiles": [wanted]}));
    w.tick(0);
    assert_eq!(w.home.profile("gold"), profile);
    let id = profile["id"].as_str().expect("an id");
    let expected = format!(
        "service profile {id} is_enabled: have=True want=False; service profile {id} description: have='' want='other'"
    );
    assert_eq!(w.notes("gold"), expected);
    w.settled();
}

/// A flavor with several profiles, the effective one of which is disabled, makes no router: that is said.
pub fn disabled_profiles_are_a_note(w: &mut World) {
    let disabled = ["auto", "on"].map(|alloc| {
        let mut profile = wanted(SINGLE, alloc);
        profile["is_enabled"] = json!(false);
        profile
    });
    w.apply("gold", json!({"service_profiles": disabled}));
    w.tick(0);
    let bound = w.home.neutron.profiles_of(&w.home.flavor("gold"));
    assert!(bound.len() == 2 && bound.iter().all(|profile| profile["enabled"] == false), "{bound:?}");
    let notes = w.notes("gold");
    // By id, as the lists are: the server takes the first.
    let effective = bound[0]["id"].as_str().expect("an id");
    assert!(notes.starts_with("WARNING: ") && notes.contains("is disabled"), "{notes}");
    assert!(notes.contains(effective), "{effective} in {notes}");
    w.settled();
}
