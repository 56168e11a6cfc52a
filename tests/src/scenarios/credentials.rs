//! Credentials that do not work. None of this touches the cloud.

use serde_json::{Value, json};

use super::World;
use super::world::counts;

fn at(cloud: &str) -> Value {
    json!({"cloudCredentialsRef": {"cloudName": cloud}})
}

/// A refused login is tried once for the whole group, also in a full run: repeated ones lock an account. A CR that
/// was never in place gets no finalizer, so that it can be deleted.
pub fn a_wrong_password_is_tried_once(w: &mut World) {
    w.set_entry("typo", "home", json!({"auth": {"password": "wrong-secret"}}));
    w.apply("gold", at("typo"));
    w.apply("silver", at("typo"));
    w.apply("works", at("home"));
    let outcome = w.full(1);
    let message = w.assert_failed("gold", "LoginRefused", &["OpenStack connection failed"]);
    assert_eq!(w.site.verdict("silver"), message);
    assert_eq!(w.marks("gold"), (false, None));
    w.assert_synced("works");
    if let Some(journal) = w.journal() {
        let refused = journal.iter().filter(|entry| entry.is_login() && entry.status == Some(401)).count();
        assert_eq!(refused, 1, "{}", outcome.stderr);
    }
    // Secret and login of each group, two lists of the one that works; no status anew.
    let outcome = w.full(1);
    assert_eq!(counts(&outcome).1, 0, "{}", outcome.stderr);
    if w.has_whole_lists() {
        assert!(counts(&outcome).0 <= 6, "{}", outcome.stderr);
    }
    w.site.delete("gold");
    assert_eq!(w.site.cr("gold"), None, "no finalizer, no cleanup");
    w.set_entry("typo", "home", json!({}));
    w.full(0);
    w.assert_synced("silver");
    w.settled();
}

/// A region that the catalogue does not have; the message says which ones it has.
pub fn an_unknown_region(w: &mut World) {
    w.set_entry("elsewhere", "home", json!({"region_name": "RegionTwo"}));
    let before = w.home.neutron.snapshot();
    w.apply("gold", at("elsewhere"));
    w.full(1);
    w.assert_failed("gold", "ReconcileError", &["\"RegionTwo\"", "RegionOne"]);
    assert_eq!(w.home.neutron.snapshot(), before);
    w.set_entry("elsewhere", "home", json!({}));
    w.full(0);
    w.assert_synced("gold");
    w.settled();
}

/// A cloud that the `clouds.yaml` does not have; the message says which ones it has.
pub fn an_unknown_cloud(w: &mut World) {
    w.apply("gold", at("hoem"));
    let outcome = w.full(1);
    w.assert_failed("gold", "ReconcileError", &["\"hoem\"", "home", "infrasetup"]);
    assert!(counts(&outcome).0 <= 2, "Secret and status, no login: {}", outcome.stderr);
    w.apply("gold", at("home"));
    w.tick(0);
    w.assert_synced("gold");
    w.settled();
}

/// A Secret that is not there is named, and the other group is served.
pub fn a_missing_secret(w: &mut World) {
    w.apply("gold", json!({"cloudCredentialsRef": {"secretName": "nosuch"}}));
    w.apply("works", at("home"));
    w.full(1);
    let message = w.assert_failed("gold", "ReconcileError", &["\"nosuch\""]);
    w.assert_synced("works");
    let outcome = w.full(1);
    assert_eq!(w.site.verdict("gold"), message, "stable from run to run");
    assert_eq!(counts(&outcome).1, 0, "{}", outcome.stderr);
    w.add_secret("nosuch");
    w.full(0);
    w.assert_synced("gold");
    w.settled();
}

/// Credentials that are gone for good keep a deleted CR until its owner gives its flavor up.
pub fn lost_for_good_are_abandoned(w: &mut World) {
    w.add_secret("short-lived");
    w.apply("gold", json!({"cloudCredentialsRef": {"secretName": "short-lived"}}));
    w.tick(0);
    let flavor = w.home.flavor("gold");
    w.site.dev.kube().delete("Secret", crate::NAMESPACE, "short-lived");
    w.site.delete("gold");
    w.tick(1);
    assert!(w.marks("gold").0);
    w.assert_failed("gold", "CleanupBlocked", &["waiting: ", "\"short-lived\""]);
    let mut cr = w.site.cr("gold").expect("a CR");
    cr["metadata"]["annotations"]["openstack-sync.understack.rackspace.net/abandon"] = json!("true");
    w.site.apply(cr);
    let outcome = w.tick(0);
    assert_eq!(w.site.cr("gold"), None);
    assert!(outcome.says(&["openstack/gold is abandoned", "keeps our marker"]), "{}", outcome.stderr);
    assert_eq!(w.home.flavor("gold"), flavor);
}
