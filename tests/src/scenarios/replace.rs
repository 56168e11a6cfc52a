//! Another driver or meta_info is another profile.

use std::collections::BTreeSet;

use devcloud::Entry;
use serde_json::{Value, json};

use super::cloud::is_managed_profile;
use super::world::wanted;
use super::{HA, SINGLE, World};

/// Another driver: the flavor gets the new profile before it loses the old one, which is then deleted.
pub fn another_driver(w: &mut World) {
    replaced_by(w, &wanted(HA, "auto"));
}

/// The same for another meta_info.
pub fn another_meta_info(w: &mut World) {
    replaced_by(w, &wanted(SINGLE, "on"));
}

fn replaced_by(w: &mut World, profile: &Value) {
    w.apply("gold", json!({}));
    w.tick(0);
    let (flavor, old) = (w.home.flavor("gold"), w.home.profile("gold"));
    w.clear_journal();
    w.apply("gold", json!({"service_profiles": [profile]}));
    w.tick(0);
    w.assert_synced("gold");
    if let Some(journal) = w.journal() {
        assert_never_without(&journal, &flavor);
    }
    assert_eq!(w.home.flavor("gold")["id"], flavor["id"]);
    let new = w.home.profile("gold");
    assert_eq!(new["driver"], profile["driver"]);
    assert!(is_managed_profile(&new));
    assert_eq!(w.home.again(&old), None, "managed and unused: it goes");
    w.settled();
}

/// Plays the bindings of a flavor as they were asked for and checks that it had a profile at any time.
fn assert_never_without(journal: &[Entry], flavor: &Value) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut bound: BTreeSet<String> =
        flavor["service_profiles"].as_array().into_iter().flatten().map(text).collect();
    let path = format!("/v2.0/flavors/{}/service_profiles", text(&flavor["id"]));
    let mut changes = 0;
    for entry in journal.iter().filter(|entry| entry.status.is_some_and(|status| status < 300)) {
        let Some(rest) = entry.path.strip_prefix(&path) else { continue };
        match entry.method.as_str() {
            "POST" => {
                let body = entry.request_body.as_ref().expect("a body");
                bound.insert(text(&body["service_profile"]["id"]));
            }
            "DELETE" => {
                bound.remove(rest.trim_start_matches('/'));
            }
            _ => continue,
        }
        changes += 1;
        assert!(!bound.is_empty(), "after {} {} the flavor has no profile", entry.method, entry.path);
    }
    assert_eq!(changes, 2, "one bound, one unbound");
}

/// An old profile that another flavor uses is unbound and stays.
pub fn a_profile_that_others_use_stays(w: &mut World) {
    w.apply("gold", json!({}));
    w.apply("silver", json!({}));
    w.tick(0);
    let old = w.home.profile("gold");
    w.apply("gold", json!({"service_profiles": [wanted(HA, "off")]}));
    w.tick(0);
    assert_eq!(w.home.profile("silver"), old);
    assert_ne!(w.home.profile("gold")["id"], old["id"]);
    w.settled();
}

/// A profile that somebody bound to a flavor of ours stays bound, and the note says which one the server uses.
pub fn a_profile_made_by_hand_stays_bound(w: &mut World) {
    w.apply("gold", json!({}));
    w.tick(0);
    let theirs = w.home.plant_profile(HA, r#"{"vni_alloc":"off"}"#);
    w.home.neutron.bind(&w.home.flavor("gold"), &theirs);
    w.full(0);
    let bound = w.home.neutron.profiles_of(&w.home.flavor("gold"));
    assert!(bound.len() == 2 && bound.contains(&theirs), "{bound:?}");
    let notes = w.notes("gold");
    let effective = bound[0]["id"].as_str().expect("an id");
    assert!(notes.contains("lowest id") && notes.contains(effective), "{effective} in {notes}");
    assert_eq!(notes.contains("not managed"), bound[0] == theirs, "{notes}");
    // The same after a replacement of ours.
    w.apply("gold", json!({"service_profiles": [wanted(SINGLE, "on")]}));
    w.tick(0);
    let bound = w.home.neutron.profiles_of(&w.home.flavor("gold"));
    assert!(bound.len() == 2 && bound.contains(&theirs), "{bound:?}");
    w.settled();
}
