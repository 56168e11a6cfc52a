//! CRs that were stored before the schema became what it is, or past it.

use openstack_sync_tests::{Site, flavor_cr};
use serde_json::{Value, json};

use crate::world::{GOOD, world};

/// A CR named `bad` with these changes in its spec; null removes the key.
fn bad(changes: &[(&str, Value)]) -> Value {
    let mut cr = flavor_cr("bad", "devcloud", json!({}));
    for (pointer, value) in changes {
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        let parent = cr.pointer_mut(&format!("/spec{parent}")).expect("a parent");
        match (parent, value) {
            (Value::Object(map), Value::Null) => drop(map.remove(key)),
            (parent, value) => parent[key] = value.clone(),
        }
    }
    cr
}

/// It is named with these words, is Failed with `InvalidSpec` and the same words, and stops nobody.
#[track_caller]
fn is_named(cr: &Value, words: &[&str]) {
    let world = world();
    world.site.store(cr.clone());
    let mut in_the_log = vec!["openstack/bad"];
    in_the_log.extend(words);
    for run in [Site::full as fn(&Site) -> _, |site: &Site| {
        site.run(&[site.event("Added", site.cr("bad").unwrap())])
    }] {
        world.fails(true, &in_the_log, run);
        let verdict = world.site.verdict("bad");
        assert!(verdict.starts_with("Failed (InvalidSpec): "), "{verdict}");
        assert!(words.iter().all(|word| verdict.contains(word)), "{words:?}: {verdict}");
        assert_eq!(world.site.cr("bad").unwrap()["metadata"].get("finalizers"), None, "it can be deleted");
    }
    // Its status tells it: a tick alone does not fail each minute for ever, and costs nothing.
    world.site.dev.clear_journal();
    world.site.tick().expect(0);
    assert_eq!(world.site.requests(), <[String; 0]>::default());
}

#[test]
fn a_cr_without_a_usable_spec() {
    let mut cr = flavor_cr("bad", "devcloud", json!({}));
    cr["spec"] = "x".into();
    is_named(&cr, &["spec is a string"]);
    cr["spec"] = json!([]);
    is_named(&cr, &["spec is a list"]);
}

/// The API server refuses every write to it, also of its status: that one request is all that is ever tried.
#[test]
fn a_cr_without_any_spec() {
    let world = world();
    let mut cr = flavor_cr("bad", "devcloud", json!({}));
    cr.as_object_mut().unwrap().remove("spec");
    world.site.store(cr);
    for run in [Site::full, Site::full, Site::tick] {
        world.site.dev.clear_journal();
        let outcome = run(&world.site).expect(1);
        assert!(outcome.says(&["openstack/bad", "spec is missing"]), "{}", outcome.stderr);
        assert!(outcome.says(&["status of openstack/bad not written", "422"]), "{}", outcome.stderr);
        assert!(world.site.verdict(GOOD).starts_with("Synced"), "{}", outcome.stderr);
        world.nothing_was_deleted();
    }
    let writes = world.site.writes();
    assert!(writes.len() == 1 && writes[0].path.ends_with("/bad/status"), "{writes:?}");
}

#[test]
fn a_cr_without_usable_credentials() {
    let reference = "/cloudCredentialsRef";
    for (pointer, value, words) in [
        (reference, Value::Null, &["cloudCredentialsRef is missing"][..]),
        (reference, json!("infrasetup/devcloud"), &["cloudCredentialsRef is not an object"]),
        (reference, json!({}), &["cloudCredentialsRef.secretName is missing"]),
        ("/cloudCredentialsRef/secretName", json!(""), &["secretName is blank"]),
        ("/cloudCredentialsRef/secretName", json!(7), &["secretName is not a string"]),
        ("/cloudCredentialsRef/cloudName", json!("  "), &["cloudName is blank"]),
        ("/cloudCredentialsRef/cloudName", Value::Null, &["cloudName is missing"]),
    ] {
        is_named(&bad(&[(pointer, value)]), words);
    }
}

#[test]
fn a_cr_that_lacks_a_required_field_or_has_another_type() {
    for (pointer, value, words) in [
        ("/name", Value::Null, &["name is missing"][..]),
        ("/name", json!(""), &["name is empty"]),
        ("/name", json!(7), &["name is not a string"]),
        ("/service_profiles", Value::Null, &["missing field `service_profiles`"]),
        ("/service_profiles", json!([]), &["service_profiles is empty"]),
        ("/service_profiles", json!("x"), &["expected a sequence"]),
        ("/service_profiles", json!([7]), &["integer `7`"]),
        ("/service_profiles", json!([{}]), &["missing field `driver`"]),
        ("/service_profiles", json!([{"driver": ""}]), &["service_profiles[0].driver is empty"]),
        ("/service_profiles", json!([{"driver": ["a"]}]), &["expected a string"]),
        ("/service_profiles", json!([{"driver": "a.B", "meta_info": "{}"}]), &["expected a map"]),
        ("/service_profiles", json!([{"driver": "a.B", "is_enabled": "yes"}]), &["expected a boolean"]),
        ("/is_enabled", json!("true"), &["expected a boolean"]),
        ("/description", json!(7), &["expected a string"]),
        ("/description", json!("x".repeat(989)), &["989 characters", "at most 988"]),
        ("/description", json!("[understack-router-flavor-operator]"), &["ownership marker"]),
        ("/service_type", json!("QOS"), &["service_type \"QOS\""]),
    ] {
        is_named(&bad(&[(pointer, value)]), words);
    }
}

/// What the schema says may be absent is no reason to fail.
#[test]
fn a_cr_without_the_optional_fields_is_served() {
    let site = Site::new();
    let mut cr = flavor_cr("plain", "devcloud", json!({}));
    cr["spec"]["service_profiles"] =
        json!([{"driver": "neutron.services.l3_router.service_providers.single_node.SingleNodeDriver"}]);
    site.store(cr);
    site.full().expect(0);
    assert!(site.verdict("plain").starts_with("Synced"));
    assert_eq!(site.neutron("devcloud").flavor("plain")["enabled"], true);
}

/// An unreadable CR that is being deleted cannot be cleaned up: it says so and keeps what it may describe.
#[test]
fn an_unreadable_cr_with_our_finalizer_that_is_deleted_waits() {
    let world = world();
    // With every default filled in, as the API server does when it reads what was stored.
    let mut cr = bad(&[
        ("/cloudCredentialsRef", Value::Null),
        ("/is_enabled", json!(true)),
        ("/service_type", json!("L3_ROUTER_NAT")),
        ("/service_profiles", json!([{"driver": "a.B", "is_enabled": true}])),
    ]);
    cr["metadata"]["finalizers"] = json!(["openstack-sync.understack.rackspace.net/finalizer"]);
    world.site.store(cr);
    world.site.delete("bad");
    world.fails(true, &["openstack/bad", "cloudCredentialsRef is missing"], Site::full);
    assert!(world.site.cr("bad").is_some());
    // The way out.
    let mut abandoned = world.site.cr("bad").unwrap();
    abandoned["metadata"]["annotations"]["openstack-sync.understack.rackspace.net/abandon"] = "true".into();
    world.site.store(abandoned);
    world.site.full().expect(0);
    assert_eq!(world.site.cr("bad"), None);
}

#[test]
fn a_record_of_credentials_that_is_no_list_is_named() {
    let mut cr = flavor_cr("bad", "devcloud", json!({}));
    cr["metadata"]["annotations"] = json!({"openstack-sync.understack.rackspace.net/applied": "devcloud"});
    is_named(&cr, &["annotation", "openstack-sync.understack.rackspace.net/applied", "not a list"]);
}
