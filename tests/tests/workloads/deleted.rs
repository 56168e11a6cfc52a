//! The CR goes, and what it made goes with it, or stays.

use devcloud::{Action, Fault, Service};
use openstack_sync_tests::workloads::{managers, owner};
use serde_json::{Value, json};
use template_workloads::ownership::{OWNER_LABEL, RELEASED_BY};

use crate::web::{INVENTORY, SYNCED, by_hand, in_place, object_writes, relabel};

const DELETES: [&str; 3] = [
    "DELETE /apis/apps/v1/namespaces/workloads/deployments/shop",
    "DELETE /api/v1/namespaces/workloads/configmaps/shop",
    "DELETE /api/v1/namespaces/workloads/secrets/shop-login",
];

/// Nothing but the inventory is needed: Template, Secret and the whole Template API are gone.
#[test]
fn all_objects_go_the_last_first_without_template_and_parameters() {
    let site = in_place(json!({}));
    let uid = site.uid("shop");
    site.dev.kube().delete("Template", "workloads", "web");
    site.dev.kube().delete("Secret", "workloads", "passwords");
    site.dev.inject(Fault::no_template_api());
    let last = site.delete("shop");
    assert!(last["metadata"]["deletionTimestamp"].is_string(), "the finalizer keeps it");
    site.dev.clear_journal();
    site.event_run("shop", 0);
    assert_eq!(site.cr("shop"), None);
    assert_eq!(site.owned(&uid).len(), 0);
    assert_eq!(object_writes(&site), DELETES);
    let deletes = site.writes().into_iter().filter(|entry| entry.method == "DELETE");
    for (entry, object) in deletes.zip(last["status"]["objects"].as_array().unwrap().iter().rev()) {
        let body = entry.request_body.unwrap();
        assert_eq!(body["preconditions"]["uid"], object["uid"]);
        assert_eq!(body["propagationPolicy"], "Background");
    }
    assert_eq!(
        site.requests().len(),
        1 + 2 + 2 * 3 + 1,
        "CRs, groups, objects, finalizer: {:#?}",
        site.requests()
    );
}

/// shell-operator tells of the end, too: there is nothing left to do, and nothing to complain of.
#[test]
fn the_event_of_the_end_finds_nothing_to_do() {
    for policy in ["Delete", "Orphan"] {
        let site = in_place(json!({"deletionPolicy": policy}));
        let last = site.delete("shop");
        site.tick_run(0);
        let after = site.objects();
        let outcome = site.checked(site.run(&[site.event("Deleted", last)]), 0);
        assert_eq!(site.objects(), after);
        assert!(!outcome.stderr.contains("WARN"), "{policy}: {}", outcome.stderr);
    }
}

/// A finalizer that was taken off by hand does not keep us from cleaning up, if the event is seen.
#[test]
fn a_cr_that_is_gone_at_once_is_cleaned_up_after() {
    let site = in_place(json!({}));
    let last = site.cr("shop").unwrap();
    let uid = site.uid("shop");
    let path =
        "/apis/openshift.understack.rackspace.net/v1alpha1/namespaces/workloads/templateworkloads/shop";
    site.dev.kube().call("PATCH", path, Some(&json!({"metadata": {"finalizers": null}})));
    site.delete("shop");
    assert_eq!(site.cr("shop"), None);
    site.checked(site.run(&[site.event("Deleted", last)]), 0);
    assert_eq!(site.owned(&uid).len(), 0);
}

#[test]
fn with_orphan_all_objects_are_let_go() {
    let site = in_place(json!({"deletionPolicy": "Orphan"}));
    let before = site.owned(&site.uid("shop"));
    site.delete("shop");
    site.tick_run(0);
    assert_eq!(site.cr("shop"), None);
    assert_eq!(before.len(), 3);
    let objects = site.objects();
    for (name, was) in &before {
        let is = &objects[name];
        assert_eq!((owner(is), &is["metadata"]["uid"]), (None, &was["metadata"]["uid"]), "{name}");
        assert_eq!((&is["data"], &is["spec"]), (&was["data"], &was["spec"]), "{name}");
        assert!(!managers(is).iter().any(|manager| manager.starts_with("template-workloads/")), "{is:#}");
    }
}

/// An object that only we have managed: whoever applies something else later is not told of a conflict.
#[test]
fn what_was_let_go_is_anybodys_to_change() {
    let site = in_place(json!({"deletionPolicy": "Orphan"}));
    site.delete("shop");
    site.tick_run(0);
    let object = site.object("ConfigMap", "shop").unwrap();
    assert_eq!(object["metadata"]["annotations"][RELEASED_BY], "workloads/shop");
    let metadata = json!({"name": "shop", "namespace": "workloads"});
    let data: serde_json::Map<_, _> =
        object["data"].as_object().unwrap().keys().map(|key| (key.clone(), json!("theirs"))).collect();
    let theirs = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data});
    site.dev.kube().apply_as("kubectl", theirs, false).expect("no conflict");
}

/// What was let go can be taken over by the next CR.
#[test]
fn what_was_let_go_can_be_adopted() {
    let mut site = in_place(json!({"deletionPolicy": "Orphan"}));
    let uid = site.object("Deployment", "shop").unwrap()["metadata"]["uid"].clone();
    site.delete("shop");
    site.tick_run(0);
    site.workload("next", crate::web::spec_with(json!({"adopt": true})));
    site.tick_run(0);
    assert_eq!((site.verdict("next").as_str(), site.inventory("next").len()), (SYNCED, 3));
    assert_eq!(site.status("next")["objects"][2]["uid"], uid);
    site.settled();
}

#[test]
fn without_prune_there_is_no_finalizer_and_the_objects_stay() {
    for policy in ["Delete", "Orphan"] {
        let mut site = crate::web::site();
        site.set("PRUNE", "false");
        site.workload("shop", crate::web::spec_with(json!({"deletionPolicy": policy})));
        site.tick_run(0);
        assert_eq!(site.cr("shop").unwrap()["metadata"].get("finalizers"), None);
        let what = if policy == "Delete" { "stay" } else { "keep our label and field manager" };
        let note = format!("its objects will {what} when it is deleted: TEMPLATE_WORKLOAD_PRUNE is false");
        assert_eq!(site.verdict("shop"), format!("{SYNCED}; needs manual action: {note}"));
        site.settled();
        let before = site.objects();
        let last = site.delete("shop");
        assert_eq!(site.cr("shop"), None);
        site.checked(site.run(&[site.event("Deleted", last)]), 0);
        site.full_run(0);
        assert_eq!(site.objects(), before);
    }
}

#[test]
fn prune_that_is_switched_off_lets_the_finalizer_go() {
    let mut site = in_place(json!({}));
    site.set("PRUNE", "false");
    let before = site.objects();
    site.full_run(0);
    assert_eq!(site.cr("shop").unwrap()["metadata"].get("finalizers"), None);
    site.settled();
    site.set("PRUNE", "true");
    site.tick_run(0);
    assert_eq!(site.objects(), before);
    assert!(site.cr("shop").unwrap()["metadata"]["finalizers"][0].is_string());
    site.settled();
}

/// The rules of ownership: label and uid must both be what was made.
#[test]
fn what_is_not_what_was_made_survives_the_deletion() {
    let label = |site: &openstack_sync_tests::workloads::WorkloadSite| json!({OWNER_LABEL: site.uid("shop")});
    type Deed = fn(&openstack_sync_tests::workloads::WorkloadSite, Value);
    let again: Deed = |site, labels| {
        site.dev.kube().delete("ConfigMap", "workloads", "shop");
        by_hand(site, "shop", labels);
    };
    let cases: [(&str, Deed); 4] = [
        ("label off", |site, _| drop(relabel(site, "ConfigMap", "shop", None))),
        ("another label", |site, _| drop(relabel(site, "ConfigMap", "shop", Some("somebody")))),
        ("again with our label", again),
        ("again without it", |site, _| {
            site.dev.kube().delete("ConfigMap", "workloads", "shop");
            by_hand(site, "shop", json!({}));
        }),
    ];
    for (case, deed) in cases {
        let site = in_place(json!({}));
        deed(&site, label(&site));
        let theirs = site.object("ConfigMap", "shop");
        site.delete("shop");
        let outcome = site.tick_run(0);
        assert!(
            outcome.says(&["WARN", "v1 ConfigMap workloads/shop", "left alone"]),
            "{case}: {}",
            outcome.stderr
        );
        assert_eq!(site.object("ConfigMap", "shop"), theirs, "{case}");
        assert_eq!((site.cr("shop"), site.object("Deployment", "shop")), (None, None), "{case}");
    }
}

/// An object that was made again by hand with our label, and then seen by a run, is ours.
#[test]
fn an_object_that_was_made_again_with_our_label_is_taken_up_by_the_next_run() {
    let site = in_place(json!({}));
    site.dev.kube().delete("ConfigMap", "workloads", "shop");
    by_hand(&site, "shop", json!({OWNER_LABEL: site.uid("shop")}));
    site.full_run(0);
    assert_eq!(site.object("ConfigMap", "shop").unwrap()["data"]["by"], "hand", "theirs is beside ours");
    site.delete("shop");
    site.tick_run(0);
    assert_eq!(site.object("ConfigMap", "shop"), None);
}

/// One that is gone already, and one that goes later because of a finalizer of its own.
#[test]
fn objects_that_are_gone_or_going_hold_nothing_up() {
    let site = in_place(json!({}));
    site.dev.kube().delete("ConfigMap", "workloads", "shop");
    let patch = json!({"metadata": {"finalizers": ["example.com/slow"]}});
    site.dev.kube().call("PATCH", "/api/v1/namespaces/workloads/secrets/shop-login", Some(&patch));
    site.delete("shop");
    site.tick_run(0);
    assert_eq!(site.cr("shop"), None);
    let going = site.object("Secret", "shop-login").expect("its finalizer keeps it");
    assert!(going["metadata"]["deletionTimestamp"].is_string());
}

#[test]
fn a_cr_that_never_made_anything_goes_without_a_look() {
    let mut site = crate::web::site();
    site.template("web", json!([{"apiVersion": "v1", "kind": "List", "items": []}]), json!([]));
    site.workload("shop", json!({}));
    site.tick_run(1);
    assert_eq!(site.inventory("shop").len(), 0);
    site.delete("shop");
    site.dev.clear_journal();
    site.tick_run(0);
    assert_eq!((site.cr("shop"), site.requests().len()), (None, 1), "the finalizer alone");
}

/// The CR's spec does not parse any more; what it made still goes.
#[test]
fn a_cr_with_a_spec_that_no_longer_parses_goes_all_the_same() {
    let site = in_place(json!({}));
    let uid = site.uid("shop");
    let mut cr = site.cr("shop").unwrap();
    cr["spec"] = json!({"templateRef": "web", "parameters": [1]});
    site.store(cr);
    site.delete("shop");
    site.tick_run(0);
    assert_eq!((site.cr("shop"), site.owned(&uid).len()), (None, 0));
}

/// A policy that nobody knows is no permission to delete.
#[test]
fn an_unknown_policy_deletes_nothing() {
    let site = in_place(json!({}));
    let before = site.objects();
    let mut cr = site.cr("shop").unwrap();
    cr["spec"]["deletionPolicy"] = "Keep".into();
    site.store(cr);
    site.delete("shop");
    site.tick_run(1);
    let verdict = site.verdict("shop");
    assert!(
        verdict.starts_with("Failed (CleanupBlocked): waiting: spec.deletionPolicy: unknown variant"),
        "{verdict}"
    );
    assert_eq!((site.objects(), site.inventory("shop").len()), (before, INVENTORY.len()));
}

#[test]
fn an_abandoned_cr_goes_and_its_objects_stay() {
    let site = in_place(json!({}));
    let before = site.objects();
    let path =
        "/apis/openshift.understack.rackspace.net/v1alpha1/namespaces/workloads/templateworkloads/shop";
    let abandon =
        json!({"metadata": {"annotations": {"openstack-sync.understack.rackspace.net/abandon": "true"}}});
    site.dev.kube().call("PATCH", path, Some(&abandon));
    let last = site.delete("shop");
    site.tick_run(0);
    assert_eq!((site.cr("shop"), site.objects()), (None, before.clone()));
    site.checked(site.run(&[site.event("Deleted", last)]), 0);
    assert_eq!(site.objects(), before);
}

/// The target namespace went with all that is in it.
#[test]
fn a_target_namespace_that_is_gone_holds_nothing_up() {
    let mut site = crate::web::site();
    site.set("NAMESPACES", "shops");
    site.namespace("shops");
    site.workload("shop", crate::web::spec_with(json!({"targetNamespace": "shops"})));
    site.tick_run(0);
    assert_eq!(site.inventory("shop")[0], "v1 Secret shops/shop-login");
    site.dev.kube().delete("Namespace", "", "shops");
    site.delete("shop");
    site.tick_run(0);
    assert_eq!(site.cr("shop"), None);
    assert_eq!(site.dev.journal().iter().filter(|entry| entry.service != Service::Kubernetes).count(), 0);
}

/// It was ours when it was looked at, and is let go before it is removed.
#[test]
fn an_object_that_is_let_go_while_it_is_removed_stays() {
    for policy in ["Delete", "Orphan"] {
        let site = in_place(json!({"deletionPolicy": policy}));
        let seen = site.object("ConfigMap", "shop").unwrap();
        let theirs = relabel(&site, "ConfigMap", "shop", None);
        let stale = Fault::new(Service::Kubernetes, "/configmaps/shop", Action::answer(200, seen));
        site.dev.inject(stale.method("GET").times(1));
        site.delete("shop");
        site.tick_run(0);
        assert_eq!((site.cr("shop"), site.object("ConfigMap", "shop")), (None, Some(theirs)), "{policy}");
    }
}

/// It is ours each time it is looked at, and is another version each time it is to be deleted.
#[test]
fn an_object_that_keeps_changing_keeps_its_cr() {
    let site = in_place(json!({}));
    let mut seen = site.object("ConfigMap", "shop").unwrap();
    seen["metadata"]["resourceVersion"] = "7".into();
    let stale = Fault::new(Service::Kubernetes, "/configmaps/shop", Action::answer(200, seen));
    site.dev.inject(stale.method("GET").times(3));
    site.delete("shop");
    site.tick_run(1);
    assert_eq!(
        site.verdict("shop"),
        "Failed (CleanupBlocked): waiting: v1 ConfigMap workloads/shop is not removed: others kept changing it while it \
         was removed; the next run tries again"
    );
    site.tick_run(0);
    assert_eq!((site.cr("shop"), site.object("ConfigMap", "shop")), (None, None));
}
