//! A CR whose credentials change takes its flavor along.

use serde_json::{Value, json};

use super::World;

fn at(cloud: &str) -> Value {
    json!({"cloudCredentialsRef": {"cloudName": cloud}})
}

/// A CR in place in `home`; answers its flavor.
fn in_place(w: &World) -> Value {
    w.apply("gold", at("home"));
    w.tick(0);
    w.assert_held_by("gold", &["home"]);
    w.home.flavor("gold")
}

/// Made in the new cloud, then deleted in the old one.
pub fn from_one_cloud_to_another(w: &mut World) {
    w.add_away();
    in_place(w);
    w.apply("gold", at("away"));
    w.tick(0);
    w.assert_synced("gold");
    w.assert_held_by("gold", &["away"]);
    w.away().flavor("gold");
    assert!(w.home.flavors("gold").is_empty() && w.home.managed_profiles().is_empty());
    w.settled();
}

/// A move that is taken back before it was carried out leaves everything as it was.
pub fn back_again(w: &mut World) {
    w.add_away();
    let flavor = in_place(w);
    w.apply("gold", at("away"));
    w.apply("gold", at("home"));
    w.tick(0);
    w.assert_synced("gold");
    assert_eq!(w.home.flavor("gold"), flavor);
    assert!(w.away().flavors("gold").is_empty());
    w.settled();
}

/// A flavor that routers use stays in the old cloud; the CR says so, and the move ends when they are gone.
pub fn a_flavor_in_use_holds_the_move(w: &mut World) {
    w.add_away();
    let flavor = in_place(w);
    let router = w.home.neutron.add_router("r", &flavor);
    w.apply("gold", at("away"));
    w.tick(1);
    assert_eq!(w.home.flavor("gold"), flavor);
    let new = w.away().flavor("gold");
    w.assert_held_by("gold", &["away", "home"]);
    w.assert_failed("gold", "CleanupBlocked", &["waiting: flavor \"gold\" is in use by routers"]);
    w.home.neutron.delete_router(&router);
    w.tick(0);
    w.assert_synced("gold");
    w.assert_held_by("gold", &["away"]);
    assert!(w.home.flavors("gold").is_empty());
    assert_eq!(w.away().flavor("gold"), new);
    w.settled();
}

/// Another name of the same cloud: nothing is deleted, only the record changes.
pub fn to_another_name_of_the_same_cloud(w: &mut World) {
    w.set_entry("alias", "home", json!({}));
    let flavor = in_place(w);
    w.apply("gold", at("alias"));
    w.tick(0);
    w.assert_synced("gold");
    w.assert_held_by("gold", &["alias"]);
    assert_eq!(w.home.flavor("gold"), flavor);
    w.settled();
}

/// While the new credentials are refused the old cloud keeps everything.
pub fn to_credentials_that_are_refused(w: &mut World) {
    w.set_entry("typo", "home", json!({"auth": {"password": "wrong-secret"}}));
    let flavor = in_place(w);
    w.apply("gold", at("typo"));
    w.full(1);
    w.assert_failed("gold", "LoginRefused", &[]);
    assert_eq!(w.home.flavor("gold"), flavor);
    w.set_entry("typo", "home", json!({}));
    w.full(0);
    w.assert_synced("gold");
    assert_eq!(w.home.flavor("gold"), flavor);
    w.settled();
}

/// A CR that never reached its new credentials has nothing there: its deletion needs the old ones alone.
pub fn deleted_while_the_new_credentials_are_refused(w: &mut World) {
    w.set_entry("typo", "home", json!({"auth": {"password": "wrong-secret"}}));
    in_place(w);
    w.apply("gold", at("typo"));
    w.full(1);
    w.site.delete("gold");
    w.full(0);
    assert_eq!(w.site.cr("gold"), None);
    assert!(w.home.flavors("gold").is_empty() && w.home.managed_profiles().is_empty());
}
