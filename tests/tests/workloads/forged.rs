//! A CR whose stored spec or status says what the hook never wrote: nothing of others is touched.

use openstack_sync_tests::workloads::{NAMESPACE, WorkloadSite};
use serde_json::{Value, json};
use template_workloads::ownership::OWNER_LABEL;

use crate::web::{INVENTORY, SYNCED, by_hand, in_place, object_writes};

const STATUS: &str =
    "/apis/openshift.understack.rackspace.net/v1alpha1/namespaces/workloads/templateworkloads/shop/status";

/// Writes `status.objects`, past the CRD if it would not take it.
fn forge(site: &WorkloadSite, objects: Value) {
    let mut cr = site.cr("shop").unwrap();
    cr["status"]["objects"] = objects;
    site.store(cr);
}

/// [`forge`], with one entry more than what there is.
fn add(site: &WorkloadSite, entry: Value) {
    let mut objects = site.status("shop")["objects"].clone();
    objects.as_array_mut().unwrap().push(entry);
    forge(site, objects);
}

fn entry(kind: &str, namespace: &str, name: &str, uid: Option<&Value>) -> Value {
    let mut entry = json!({"apiVersion": "v1", "kind": kind, "namespace": namespace, "name": name});
    if let Some(uid) = uid {
        entry["uid"] = uid.clone();
    }
    entry
}

#[test]
fn a_changed_target_namespace_is_refused_and_touches_neither() {
    let mut site = in_place(json!({}));
    site.set("NAMESPACES", "shops");
    site.namespace("shops");
    let before = site.objects();
    let mut cr = site.cr("shop").unwrap();
    cr["spec"]["targetNamespace"] = "shops".into();
    site.store(cr);
    site.full_run(1);
    assert_eq!(
        site.verdict("shop"),
        "Failed (InvalidSpec): v1 Secret workloads/shop-login was made in another namespace than \
         spec.targetNamespace, which cannot be changed: change it back, and make a new TemplateWorkload for the other \
         namespace"
    );
    site.delete("shop");
    site.full_run(1);
    assert_eq!(
        site.verdict("shop"),
        "Failed (CleanupBlocked): waiting: status.objects has v1 Secret workloads/shop-login, which is not in the \
         target namespace \"shops\", and nothing outside of it is touched"
    );
    assert_eq!(site.objects(), before);
    let mut cr = site.cr("shop").unwrap();
    cr["spec"].as_object_mut().unwrap().remove("targetNamespace");
    site.store(cr);
    site.full_run(0);
    assert_eq!((site.cr("shop"), site.objects().len()), (None, before.len() - 3));
}

/// The API server refuses it in the first place, if it knows CEL; devcloud does not.
#[test]
fn an_entry_elsewhere_stops_everything_and_touches_nothing() {
    let site = in_place(json!({}));
    site.namespace("kube-system");
    let labels = json!({OWNER_LABEL: site.uid("shop")});
    let metadata = json!({"name": "victim", "namespace": "kube-system", "labels": labels});
    let victim = site.apply(json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}));
    add(&site, entry("ConfigMap", "kube-system", "victim", Some(&victim["metadata"]["uid"])));
    let before = site.objects();
    site.full_run(1);
    assert!(
        site.verdict("shop").starts_with("Failed (InvalidSpec): v1 ConfigMap kube-system/victim was made")
    );
    site.delete("shop");
    site.full_run(1);
    assert!(
        site.verdict("shop")
            .starts_with("Failed (CleanupBlocked): waiting: status.objects has v1 ConfigMap kube")
    );
    assert_eq!(site.objects(), before);
}

#[test]
fn entries_of_objects_of_others_touch_nothing() {
    for leaves in [true, false] {
        let site = in_place(json!({}));
        let free = by_hand(&site, "free", json!({}));
        let taken = by_hand(&site, "taken", json!({OWNER_LABEL: "another"}));
        for victim in [&free, &taken] {
            let name = victim["metadata"]["name"].as_str().unwrap();
            add(&site, entry("ConfigMap", NAMESPACE, name, Some(&victim["metadata"]["uid"])));
            add(&site, entry("ConfigMap", NAMESPACE, name, None));
        }
        let secret = site.object("Secret", "passwords");
        add(&site, entry("Secret", NAMESPACE, "passwords", None));
        if leaves {
            site.delete("shop");
            site.tick_run(0);
            assert_eq!(site.cr("shop"), None);
        } else {
            site.full_run(0);
            assert_eq!((site.verdict("shop").as_str(), site.inventory("shop").len()), (SYNCED, 3));
        }
        assert_eq!(site.object("ConfigMap", "free").as_ref(), Some(&free));
        assert_eq!(site.object("ConfigMap", "taken").as_ref(), Some(&taken));
        assert_eq!(site.object("Secret", "passwords"), secret);
    }
}

/// An entry of a kind without namespaces is not worked on, and does not keep the others.
#[test]
fn an_entry_that_is_no_object_of_a_namespace_is_not_worked_on() {
    let site = in_place(json!({}));
    let labels = json!({OWNER_LABEL: site.uid("shop")});
    let victim = site.apply(
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "victim", "labels": labels}}),
    );
    add(&site, entry("Namespace", NAMESPACE, "victim", Some(&victim["metadata"]["uid"])));
    add(&site, entry("ConfigMap", NAMESPACE, "../../../namespaces/victim", None));
    site.delete("shop");
    site.dev.clear_journal();
    site.tick_run(1);
    let verdict = site.verdict("shop");
    assert!(verdict.contains("v1 Namespace workloads/victim is not removed: "), "{verdict}");
    assert!(verdict.contains("the kind is cluster-scoped"), "{verdict}");
    assert_eq!(site.dev.kube().get("Namespace", "", "victim"), Some(victim));
    assert_eq!(object_writes(&site).len(), 3, "ours go");
    assert!(!site.requests().iter().any(|request| request.contains("/namespaces/victim")));
}

#[test]
fn an_inventory_that_cannot_be_read_is_a_reason_to_stop() {
    for bad in [json!("all"), json!({}), json!([{"kind": "Secret"}]), json!([7])] {
        let site = in_place(json!({}));
        let before = site.objects();
        forge(&site, bad);
        site.full_run(1);
        let verdict = site.verdict("shop");
        assert!(verdict.starts_with("Failed (ReconcileError): status.objects cannot be read ("), "{verdict}");
        assert!(verdict.ends_with("): correct it, or remove it if there are no objects"), "{verdict}");
        site.delete("shop");
        site.full_run(1);
        let verdict = site.verdict("shop");
        assert!(
            verdict.starts_with("Failed (CleanupBlocked): waiting: status.objects cannot be read ("),
            "{verdict}"
        );
        assert_eq!((site.objects(), object_writes(&site)), (before, Vec::new()));
    }
}

/// Somebody emptied it: the next run knows again what the Template has.
#[test]
fn an_inventory_that_was_removed_is_made_again() {
    let site = in_place(json!({}));
    site.dev.kube().call("PATCH", STATUS, Some(&json!({"status": {"objects": null}})));
    assert_eq!(site.inventory("shop").len(), 0);
    let before = site.objects();
    site.full_run(0);
    assert_eq!((site.inventory("shop"), site.objects()), (INVENTORY.map(str::to_owned).to_vec(), before));
    site.settled();
}
