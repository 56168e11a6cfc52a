//! Two groups of CRs with one claim: is it one cloud, or two?

use serde_json::{Value, json};

use super::World;
use crate::flavor_cr;

fn at(cloud: &str) -> Value {
    json!({"name": "gold", "cloudCredentialsRef": {"cloudName": cloud}})
}

/// One name in two clouds: each has its own flavor, and loses its own alone.
pub fn one_name_in_two_clouds(w: &mut World) {
    w.add_away();
    w.apply("here", at("home"));
    w.apply("there", at("away"));
    w.tick(0);
    let (here, there) = (w.home.flavor("gold"), w.away().flavor("gold"));
    assert_ne!(here["id"], there["id"]);
    w.settled();
    w.site.delete("here");
    w.tick(0);
    assert_eq!(w.site.cr("here"), None);
    assert!(w.home.flavors("gold").is_empty());
    assert_eq!(w.away().flavor("gold"), there);
    w.settled();
}

/// One cloud under two names: the flavor stays while one of the CRs does.
pub fn one_cloud_under_two_names(w: &mut World) {
    w.set_entry("alias", "home", json!({}));
    shared(w, at("alias"));
}

/// The same cloud in two Secrets.
pub fn one_cloud_in_two_secrets(w: &mut World) {
    w.add_secret("second");
    shared(w, json!({"name": "gold", "cloudCredentialsRef": {"secretName": "second", "cloudName": "home"}}));
}

fn shared(w: &mut World, other: Value) {
    w.apply("a", at("home"));
    w.tick(0);
    let flavor = w.home.flavor("gold");
    w.site.apply(flavor_cr("b", "home", json!({"spec": other})));
    w.tick(0);
    assert_eq!(w.home.flavor("gold"), flavor, "one cloud, one flavor");
    w.settled();
    w.site.delete("a");
    w.tick(0);
    assert_eq!(w.site.cr("a"), None, "it may go: the other CR describes the flavor");
    assert_eq!(w.home.flavor("gold"), flavor);
    w.settled();
    w.site.delete("b");
    w.tick(0);
    assert_eq!(w.site.cr("b"), None);
    assert!(w.home.flavors("gold").is_empty() && w.home.managed_profiles().is_empty());
}
