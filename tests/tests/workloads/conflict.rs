//! Fields that somebody else has set otherwise.

use openstack_sync_tests::workloads::WorkloadSite;
use serde_json::{Value, json};

use crate::web::{GREETING, SYNCED, in_place, site, spec_with};

fn steal(site: &WorkloadSite, manager: &str, object: Value, force: bool) {
    site.dev.kube().apply_as(manager, object, force).expect("it is applied");
}

fn deployment(replicas: u64) -> Value {
    let metadata = json!({"name": "shop", "namespace": "workloads"});
    json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"replicas": replicas}})
}

#[test]
fn a_conflict_names_object_fields_and_managers_and_its_text_is_stable() {
    let site = in_place(json!({}));
    steal(&site, "autoscaler", deployment(7), true);
    let before = site.objects();
    site.full_run(1);
    let text = "Failed (FieldConflict): apps/v1 Deployment workloads/shop: these fields are set otherwise by other \
                managers: .spec.replicas (autoscaler); take them out of the template, or away from those managers";
    assert_eq!(site.verdict("shop"), text);
    assert_eq!(site.objects(), before);
    let status = site.status("shop");
    for _ in 0..2 {
        site.full_run(1);
        assert_eq!(site.status("shop"), status);
    }
    // Whoever set it lets go.
    let metadata = json!({"name": "shop", "namespace": "workloads"});
    steal(
        &site,
        "autoscaler",
        json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata}),
        false,
    );
    site.full_run(0);
    assert_eq!(site.verdict("shop"), SYNCED);
    assert_eq!(site.object("Deployment", "shop").unwrap()["spec"]["replicas"], 2);
}

#[test]
fn all_fields_and_all_managers_are_named_once_and_in_order() {
    let mut site = site();
    let map = |data: Value| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "shop", "namespace": "workloads"}, "data": data});
    site.template(
        "web",
        json!([{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "shop"},
        "data": {"b": "${GREETING}", "a": "${GREETING}"}}]),
        crate::web::parameters(),
    );
    steal(&site, "zoe", map(json!({"b": "theirs"})), false);
    steal(&site, "adam", map(json!({"a": "theirs", "b": "theirs"})), false);
    site.workload(
        "shop",
        spec_with(json!({"adopt": true, "parametersFrom": [], "parameters": {"PASSWORD": "some-password"}})),
    );
    site.tick_run(1);
    let verdict = site.verdict("shop");
    assert!(verdict.contains(": .data.a (adam), .data.b (adam), .data.b (zoe); "), "{verdict}");
    assert!(!verdict.contains(GREETING));
    let object = site.object("ConfigMap", "shop").unwrap();
    assert_eq!(object["data"], json!({"a": "theirs", "b": "theirs"}), "not by force");
}

/// A conflict in the third of three: the first two are in place, and the inventory knows of all.
#[test]
fn what_was_applied_before_a_conflict_stays_and_goes_later() {
    let mut site = site();
    steal(&site, "kubectl", deployment_in_whole(), false);
    site.workload("shop", spec_with(json!({"adopt": true})));
    site.tick_run(1);
    assert!(
        site.verdict("shop").starts_with("Failed (FieldConflict): apps/v1 Deployment"),
        "{}",
        site.verdict("shop")
    );
    assert_eq!(site.owned(&site.uid("shop")).len(), 2);
    assert_eq!(site.inventory("shop").len(), 3);
    let theirs = site.object("Deployment", "shop");
    site.delete("shop");
    site.tick_run(0);
    assert_eq!((site.cr("shop"), site.object("ConfigMap", "shop")), (None, None));
    assert_eq!(site.object("Deployment", "shop"), theirs, "it was never ours");
}

fn deployment_in_whole() -> Value {
    let mut object = deployment(7);
    object["spec"]["selector"] = json!({"matchLabels": {"app": "web"}});
    object["spec"]["template"] = crate::web::objects()[2]["spec"]["template"].clone();
    object
}
