//! With any doubt about the desired set nothing is deleted.

use serde_json::{Value, json};

use super::cloud::marked_metainfo;
use super::{HA, MARKER, World};
use crate::flavor_cr;

/// A CR in place that is being deleted.
fn one_is_leaving(w: &World) -> Value {
    w.apply("gold", json!({}));
    w.tick(0);
    w.site.delete("gold");
    w.home.flavor("gold")
}

/// A live CR fails: the deletion of another waits for it.
pub fn a_failed_cr_holds_back_every_deletion(w: &mut World) {
    let flavor = one_is_leaving(w);
    let twins = ["a", "b"].map(|text| w.home.plant_flavor("silver", text, &[]));
    let orphan = w.home.plant_profile(HA, &marked_metainfo("off"));
    w.apply("silver", json!({}));
    w.full(1);
    assert_eq!(w.home.flavor("gold"), flavor);
    assert_eq!(w.home.again(&orphan), Some(orphan.clone()));
    assert!(w.marks("gold").0);
    w.assert_failed("gold", "CleanupBlocked", &["waiting: openstack/silver failed"]);
    let path = format!("/flavors/{}", twins[0]["id"].as_str().expect("an id"));
    assert_eq!(w.home.neutron.call("DELETE", &path, None).0, 204);
    w.full(0);
    assert_eq!(w.site.cr("gold"), None);
    assert!(w.home.flavors("gold").is_empty());
    assert_eq!(w.home.again(&orphan), None);
    w.settled();
}

/// A CR whose credentials cannot be read, stored before the schema asked for them, may claim anything.
pub fn an_unreadable_cr_holds_back_every_deletion(w: &mut World) {
    let flavor = one_is_leaving(w);
    let mut broken = flavor_cr("broken", "home", json!({}));
    broken["spec"].as_object_mut().expect("a spec").remove("cloudCredentialsRef");
    w.site.store(broken);
    let outcome = w.full(1);
    assert!(outcome.says(&["openstack/broken", "cloudCredentialsRef"]), "{}", outcome.stderr);
    assert_eq!(w.home.flavor("gold"), flavor);
    w.assert_failed("gold", "CleanupBlocked", &["waiting: openstack/broken cannot be read"]);
    w.assert_failed("broken", "InvalidSpec", &["cloudCredentialsRef"]);
    // It was never ours: it goes without a trace, and so does the doubt.
    w.site.delete("broken");
    assert_eq!(w.site.cr("broken"), None);
    w.full(0);
    assert_eq!(w.site.cr("gold"), None);
    assert!(w.home.flavors("gold").is_empty());
}

/// A list given by hand is never the whole desired set.
pub fn a_list_given_by_hand_deletes_nothing(w: &mut World) {
    w.apply("gold", json!({}));
    w.apply("silver", json!({}));
    w.tick(0);
    w.home.plant_flavor("unclaimed", MARKER, &[]);
    w.home.plant_profile(HA, &marked_metainfo("off"));
    let before = w.home.neutron.snapshot();
    let list = json!({"apiVersion": "v1", "kind": "List", "items": [w.site.cr("gold")]});
    w.site.by_hand(&list.to_string(), &["--full"]).expect(0);
    assert_eq!(w.home.neutron.snapshot(), before);
    // Nor does it clean up after a CR that it shows as leaving.
    let leaving = w.site.delete("silver");
    w.site.by_hand(&leaving.to_string(), &["--full"]).expect(1);
    assert_eq!(w.home.neutron.snapshot(), before);
    assert!(w.marks("silver").0);
}

/// A spec that cannot be served still protects the flavor that it names.
pub fn what_a_failed_cr_claims_is_safe(w: &mut World) {
    w.apply("gold", json!({}));
    w.apply("silver", json!({}));
    w.tick(0);
    let flavor = w.home.flavor("gold");
    let mut broken = w.site.cr("gold").expect("a CR");
    broken["spec"]["service_profiles"] = json!([]);
    broken["metadata"]["generation"] = json!(2);
    w.site.store(broken);
    w.full(1);
    w.assert_failed("gold", "InvalidSpec", &["service_profiles is empty"]);
    assert_eq!(w.home.flavor("gold"), flavor);
    // From now on it is known to be broken, and holds back nothing but its own claim.
    w.site.delete("silver");
    w.tick(0);
    assert!(w.home.flavors("silver").is_empty());
    assert_eq!(w.home.flavor("gold"), flavor);
}
