//! Users whose role is not enough. Neutron hides what they may not see: most of their lists are silently empty.

use serde_json::{Value, json};

use super::World;
use super::world::counts;

/// A member sees flavors, but no profiles.
pub fn a_member(w: &mut World) {
    refused(w, "home-member");
}

/// So does a reader.
pub fn a_reader(w: &mut World) {
    refused(w, "home-reader");
}

/// A role that no policy mentions sees nothing at all.
pub fn a_role_of_no_meaning(w: &mut World) {
    refused(w, "home-nobody");
}

/// Both CRs of the group fail with one text that names a policy rule; nothing is written, and at most one write is
/// tried.
fn refused(w: &mut World, cloud: &str) {
    let before = w.home.neutron.snapshot();
    w.clear_journal();
    for name in ["gold", "silver"] {
        w.apply(name, json!({"cloudCredentialsRef": {"cloudName": cloud}}));
    }
    let outcome = w.full(1);
    let (gold, silver) = (w.site.verdict("gold"), w.site.verdict("silver"));
    assert_eq!(gold, silver);
    w.assert_failed("gold", "PolicyRefused", &[]);
    let rules = ["get_flavor", "get_service_profile", "create_service_profile"];
    assert!(rules.iter().any(|rule| gold.contains(rule)), "no rule is named: {gold}");
    assert_eq!(w.home.neutron.snapshot(), before);
    let writes = w.site.neutron_writes().len();
    assert!(writes <= 1, "{writes} writes are tried: {}", outcome.stderr);
    // The same again: nothing new to say.
    w.full(1);
    assert_eq!(w.site.verdict("gold"), gold);
    assert_eq!(w.home.neutron.snapshot(), before);
}

/// A CR in place whose user then lost its role: whatever the lists show, nothing of it is deleted or made twice.
pub fn a_lost_role_deletes_nothing(w: &mut World) {
    w.set_entry("shrinking", "home", json!({}));
    let at = json!({"cloudCredentialsRef": {"cloudName": "shrinking"}});
    w.apply("gold", at.clone());
    w.apply("silver", at);
    w.tick(0);
    let before = w.home.neutron.snapshot();
    for role in ["home-member", "home-reader", "home-nobody"] {
        w.set_entry("shrinking", role, json!({}));
        w.full(1);
        w.assert_failed("gold", "PolicyRefused", &[]);
        assert_eq!(w.home.neutron.snapshot(), before, "{role}");
    }
    w.set_entry("shrinking", "home", json!({}));
    w.full(0);
    assert_eq!(w.home.neutron.snapshot(), before);
    w.settled();
}

/// A CR that is deleted while its user sees too little waits: what is not in a list may still be there.
pub fn a_deletion_waits_for_the_lost_role(w: &mut World) {
    w.set_entry("shrinking", "home", json!({}));
    w.apply("gold", json!({"cloudCredentialsRef": {"cloudName": "shrinking"}}));
    w.tick(0);
    let before = w.home.neutron.snapshot();
    w.site.delete("gold");
    for role in ["home-member", "home-reader", "home-nobody"] {
        w.set_entry("shrinking", role, json!({}));
        let outcome = w.full(1);
        assert!(
            w.site.cr("gold").is_some(),
            "{role}: released although its flavor is there: {}",
            outcome.stderr
        );
        w.assert_failed("gold", "CleanupBlocked", &["waiting: "]);
        assert_eq!(w.home.neutron.snapshot(), before, "{role}");
    }
    w.set_entry("shrinking", "home", json!({}));
    let outcome = w.full(0);
    assert!(counts(&outcome).1 >= 2, "{}", outcome.stderr);
    assert_eq!(w.site.cr("gold"), None);
    assert_eq!(w.home.flavors("gold"), Vec::<Value>::new());
}
