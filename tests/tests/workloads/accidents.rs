//! What goes wrong on the way: the run says so, the next one goes on from there.

use devcloud::{Action, Fault, Service};
use openstack_sync_tests::workloads::{NAMESPACE, WorkloadSite};
use serde_json::{Value, json};

use crate::web::{
    INVENTORY, SYNCED, config_map, in_place, object_writes, objects, parameters, site, spec, spec_with,
};

pub(crate) fn forbid(site: &WorkloadSite, path: &str, verb: &str) {
    site.dev.inject(Fault::forbidden(path, "system:serviceaccount:workloads:openstack-sync", Some(verb)));
}

/// Puts a Widget behind the ConfigMap in the Template.
fn with_a_widget(site: &WorkloadSite) {
    let widget = json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "${NAME}"}});
    site.template("web", json!([config_map("${NAME}"), widget]), parameters());
}

/// The CR with its Widget in place, and then the CRD is gone.
fn with_a_kind_that_went() -> WorkloadSite {
    let site = in_place(json!({}));
    site.dev.kube().define_open("example.com/v1", "Widget", "widgets", true);
    with_a_widget(&site);
    site.full_run(0);
    site.dev.kube().delete("CustomResourceDefinition", "", "widgets.example.com");
    site
}

#[test]
fn a_kind_whose_crd_is_missing_at_first_fails_cleanly_and_the_next_run_succeeds() {
    let mut site = site();
    with_a_widget(&site);
    site.workload("shop", spec());
    let before = site.objects();
    site.tick_run(1);
    assert_eq!(
        site.verdict("shop"),
        "Failed (ReconcileError): example.com/v1 Widget workloads/shop: the cluster does not serve this kind: is its \
         CRD or its API installed?"
    );
    assert_eq!((site.objects(), site.inventory("shop").len()), (before, 0));
    site.dev.kube().define_open("example.com/v1", "Widget", "widgets", true);
    site.tick_run(0);
    assert_eq!(site.verdict("shop"), SYNCED);
    assert!(site.object("Widget", "shop").is_some());
    site.settled();
}

/// The CRD is gone, and with it all objects of the kind: the others go, the CR waits for a decision.
#[test]
fn a_kind_that_is_no_longer_served_holds_the_cr_and_not_the_other_objects() {
    let site = with_a_kind_that_went();
    site.delete("shop");
    site.tick_run(1);
    assert_eq!(
        site.verdict("shop"),
        "Failed (CleanupBlocked): waiting: example.com/v1 Widget workloads/shop is not removed: the cluster does \
         not serve its kind (any more)"
    );
    assert_eq!(site.object("ConfigMap", "shop"), None);
    site.dev.kube().define_open("example.com/v1", "Widget", "widgets", true);
    site.tick_run(0);
    assert_eq!(site.cr("shop"), None);
}

/// It left the Template after its CRD was gone: nothing can be done about it, and nothing else waits for that.
#[test]
fn a_kind_that_is_no_longer_served_is_a_note_about_what_left() {
    let site = with_a_kind_that_went();
    site.template("web", json!([config_map("${NAME}")]), parameters());
    site.full_run(0);
    let widget = "example.com/v1 Widget workloads/shop";
    assert_eq!(
        site.verdict("shop"),
        format!(
            "{SYNCED}; needs manual action: {widget} left the template and stays: the cluster does not serve its kind \
             (any more)"
        )
    );
    assert_eq!(site.inventory("shop"), ["v1 ConfigMap workloads/shop", widget]);
    site.settled();
}

#[test]
fn the_second_of_three_is_refused_and_the_next_run_goes_on() {
    let mut site = site();
    site.workload("shop", spec());
    forbid(&site, "/configmaps/shop", "patch");
    site.tick_run(1);
    let verdict = site.verdict("shop");
    assert!(
        verdict.starts_with("Failed (ReconcileError): apply configmaps workloads/shop: 403 Forbidden"),
        "{verdict}"
    );
    assert_eq!(site.inventory("shop"), INVENTORY, "all are remembered");
    let owned: Vec<String> = site.owned(&site.uid("shop")).into_keys().collect();
    assert_eq!(owned, ["Secret workloads/shop-login"]);
    // Deleted now, what was made goes.
    site.dev.clear_faults();
    site.tick_run(0);
    assert_eq!(site.verdict("shop"), SYNCED);
    site.settled();
}

#[test]
fn a_cr_that_is_deleted_half_made_leaves_nothing() {
    let mut site = site();
    site.workload("shop", spec());
    forbid(&site, "/deployments/shop", "patch");
    site.tick_run(1);
    let uid = site.uid("shop");
    assert_eq!(site.owned(&uid).len(), 2);
    site.delete("shop");
    site.tick_run(0);
    assert_eq!((site.cr("shop"), site.owned(&uid).len()), (None, 0));
}

#[test]
fn what_cannot_be_deleted_holds_the_cr_and_not_the_other_objects() {
    let site = in_place(json!({}));
    forbid(&site, "/configmaps/shop", "delete");
    site.delete("shop");
    site.tick_run(1);
    let verdict = site.verdict("shop");
    let start = "Failed (CleanupBlocked): waiting: v1 ConfigMap workloads/shop is not removed: delete configmaps \
                 workloads/shop: 403 Forbidden";
    assert!(verdict.starts_with(start), "{verdict}");
    let owned: Vec<String> = site.owned(&site.uid("shop")).into_keys().collect();
    assert_eq!(owned, ["ConfigMap workloads/shop"]);
    let status = site.status("shop");
    site.tick_run(1);
    assert_eq!(site.status("shop"), status, "it is stable");
    site.dev.clear_faults();
    site.tick_run(0);
    assert_eq!((site.cr("shop"), site.object("ConfigMap", "shop")), (None, None));
}

#[test]
fn what_left_the_template_and_cannot_be_deleted_is_remembered() {
    let site = in_place(json!({}));
    let mut fewer = objects();
    fewer.as_array_mut().unwrap().remove(1);
    site.template("web", fewer, parameters());
    forbid(&site, "/configmaps/shop", "delete");
    site.full_run(1);
    let verdict = site.verdict("shop");
    let start = "Failed (ReconcileError): v1 ConfigMap workloads/shop left the template and is not removed: delete \
                 configmaps workloads/shop: 403 Forbidden";
    assert!(verdict.starts_with(start), "{verdict}");
    assert_eq!(site.inventory("shop").len(), 3);
    site.dev.clear_faults();
    site.tick_run(0);
    assert_eq!((site.verdict("shop").as_str(), site.inventory("shop").len()), (SYNCED, 2));
    site.settled();
}

#[test]
fn an_object_that_is_being_deleted_is_waited_for_and_made_again() {
    let site = in_place(json!({}));
    let path = format!("/api/v1/namespaces/{NAMESPACE}/configmaps/shop");
    site.dev.kube().call("PATCH", &path, Some(&json!({"metadata": {"finalizers": ["example.com/slow"]}})));
    let going = site.dev.kube().delete("ConfigMap", NAMESPACE, "shop");
    site.dev.clear_journal();
    site.full_run(1);
    assert_eq!(
        site.verdict("shop"),
        "Failed (ReconcileError): v1 ConfigMap workloads/shop is being deleted; it is made again when it is gone"
    );
    assert_eq!(object_writes(&site), Vec::<String>::new());
    site.dev.kube().call("PATCH", &path, Some(&json!({"metadata": {"finalizers": null}})));
    site.tick_run(0);
    assert_ne!(site.object("ConfigMap", "shop").unwrap()["metadata"]["uid"], going["metadata"]["uid"]);
    site.settled();
}

/// A stored CRD that drops the inventory: nothing is made, since nobody would know of it.
#[test]
fn without_a_place_for_the_inventory_nothing_is_made() {
    let mut site = site();
    let mut crd = openstack_sync_tests::yaml(
        "components/openstack-sync-operator/crds/openshift.understack.rackspace.net_templateworkloads.yaml",
    );
    let status = "/spec/versions/0/schema/openAPIV3Schema/properties/status/properties";
    crd.pointer_mut(status).and_then(Value::as_object_mut).unwrap().remove("objects");
    site.dev.kube().define(crd);
    site.workload("shop", spec());
    let before = site.objects();
    site.tick_run(1);
    assert_eq!(
        site.verdict("shop"),
        "Failed (ReconcileError): the stored CRD does not keep status.objects as it was written: update the CRD"
    );
    assert_eq!((site.objects(), object_writes(&site).len()), (before, 0));
}

/// The snapshot is older than the CR: what the run before it has remembered is not lost.
#[test]
fn a_stale_snapshot_does_not_overwrite_the_inventory() {
    let mut site = site();
    site.workload("shop", spec());
    let stale = site.periodic();
    site.full_run(0);
    let (status, objects) = (site.status("shop")["objects"].clone(), site.objects());
    site.checked(site.run(&[stale]), 1);
    assert_eq!((&site.status("shop")["objects"], site.objects()), (&status, objects));
    site.tick_run(0);
    assert_eq!(site.verdict("shop"), SYNCED);
    site.settled();
}

#[test]
fn the_template_api_is_away_and_comes_back() {
    let site = in_place(json!({}));
    let before = site.objects();
    // Once is what one read repeats; the process request is sent once.
    let away = Action::Answer { status: 503, body: "service unavailable\n".into(), headers: Vec::new() };
    site.dev.inject(Fault::new(Service::Kubernetes, "/processedtemplates", away).method("POST"));
    site.full_run(1);
    let verdict = site.verdict("shop");
    assert!(verdict.starts_with("Failed (ReconcileError): create processedtemplates.template"), "{verdict}");
    assert_eq!(site.objects(), before);
    site.dev.clear_faults();
    site.tick_run(0);
    assert_eq!(site.verdict("shop"), SYNCED);
}

#[test]
fn a_refused_login_is_told_as_one_and_not_repeated_eagerly() {
    let mut site = site();
    site.workload("shop", spec_with(json!({})));
    site.workload("twin", spec_with(json!({"parameters": {"NAME": "twin"}})));
    let refused = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": "Unauthorized", "reason": "Unauthorized", "code": 401});
    site.dev.inject(Fault::new(Service::Kubernetes, "/secrets/passwords", Action::answer(401, refused)));
    site.full_run(1);
    for name in ["shop", "twin"] {
        assert!(site.verdict(name).starts_with("Failed (LoginRefused): "), "{}", site.verdict(name));
    }
    site.dev.clear_faults();
    site.full_run(0);
    assert_eq!((site.verdict("shop").as_str(), site.verdict("twin").as_str()), (SYNCED, SYNCED));
}
