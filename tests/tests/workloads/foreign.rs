//! Objects that are there already, of nobody, of somebody, of another CR.

use devcloud::{Action, Fault, Service};
use openstack_sync_tests::workloads::{WorkloadSite, owner};
use serde_json::{Value, json};
use template_workloads::ownership::OWNER_LABEL;

use crate::web::{SYNCED, by_hand, in_place, object_writes, relabel, site, spec, spec_with};

/// The CR fails with these words, nothing at all was written, nothing is remembered.
#[track_caller]
fn refused(site: &WorkloadSite, words: &str, before: &std::collections::BTreeMap<String, Value>) {
    assert_eq!(site.verdict("shop"), format!("Failed (ForeignObject): {words}"));
    assert_eq!(&site.objects(), before);
    assert_eq!(object_writes(site), Vec::<String>::new());
    assert_eq!(site.inventory("shop"), Vec::<String>::new());
}

#[test]
fn an_object_of_nobody_is_refused_and_nothing_is_written() {
    let mut site = site();
    by_hand(&site, "shop", json!({"app": "theirs"}));
    site.workload("shop", spec());
    let before = site.objects();
    site.tick_run(1);
    let words = "v1 ConfigMap workloads/shop exists and is not ours: set adopt: true to take it over, or give the template's object another name";
    refused(&site, words, &before);
    // Its deletion touches nothing either.
    site.delete("shop");
    site.tick_run(0);
    assert_eq!((site.cr("shop"), site.objects()), (None, before));
}

#[test]
fn every_foreign_object_is_named_at_once() {
    let mut site = site();
    by_hand(&site, "shop", json!({OWNER_LABEL: "another"}));
    let metadata = json!({"name": "shop-login", "namespace": "workloads"});
    site.apply(json!({"apiVersion": "v1", "kind": "Secret", "metadata": metadata}));
    site.workload("shop", spec_with(json!({"adopt": true})));
    let before = site.objects();
    site.tick_run(1);
    let words = format!(
        "v1 ConfigMap workloads/shop belongs to another TemplateWorkload (uid another); if that one is gone, take the \
         label {OWNER_LABEL} off the object"
    );
    refused(&site, &words, &before);
    site.workload("shop", spec());
    site.tick_run(1);
    let verdict = site.verdict("shop");
    assert!(verdict.contains("v1 Secret workloads/shop-login exists and is not ours"), "{verdict}");
    assert!(verdict.contains("; v1 ConfigMap workloads/shop belongs to another"), "{verdict}");
}

#[test]
fn adopt_takes_an_object_of_nobody() {
    let mut site = site();
    let theirs = by_hand(&site, "shop", json!({"app": "theirs"}));
    site.workload("shop", spec_with(json!({"adopt": true})));
    site.tick_run(0);
    assert_eq!(site.verdict("shop"), SYNCED);
    let ours = site.object("ConfigMap", "shop").unwrap();
    assert_eq!(ours["metadata"]["uid"], theirs["metadata"]["uid"]);
    assert_eq!(owner(&ours), Some(site.uid("shop").as_str()));
    assert_eq!((&ours["data"]["by"], &ours["metadata"]["labels"]["app"]), (&json!("hand"), &json!("theirs")));
    site.settled();
    site.delete("shop");
    site.tick_run(0);
    assert_eq!(site.object("ConfigMap", "shop"), None, "it goes as the others do");
}

/// It was not there when it was looked for, and is there when it is to be made: somebody was faster.
#[test]
fn an_object_that_appears_during_the_run_is_not_taken() {
    for adopt in [false, true] {
        let mut site = site();
        let theirs = by_hand(&site, "shop", json!({}));
        site.workload("shop", spec_with(json!({"adopt": adopt})));
        let not_yet = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": "configmaps \"shop\" not found", "reason": "NotFound",
            "details": {"name": "shop", "kind": "configmaps"}, "code": 404});
        let fault = Fault::new(Service::Kubernetes, "/configmaps/shop", Action::answer(404, not_yet));
        site.dev.inject(fault.method("GET").times(1));
        site.tick_run(1);
        assert_eq!(site.object("ConfigMap", "shop"), Some(theirs));
        assert_eq!(
            site.verdict("shop"),
            "Failed (ReconcileError): v1 ConfigMap workloads/shop was made or changed by somebody else during the \
             run; the next run looks at it again"
        );
        site.tick_run(i32::from(!adopt));
        let verdict = site.verdict("shop");
        assert!(
            verdict.starts_with(if adopt { SYNCED } else { "Failed (ForeignObject): v1 ConfigMap" }),
            "{verdict}"
        );
        site.delete("shop");
        site.tick_run(0);
        assert_eq!((site.cr("shop"), site.object("Secret", "shop-login")), (None, None));
    }
}

#[test]
fn two_crs_with_the_same_objects_do_not_fight() {
    for adopt in [false, true] {
        let mut site = in_place(json!({"adopt": adopt}));
        let before = site.objects();
        site.workload("twin", spec_with(json!({"adopt": adopt})));
        site.tick_run(1);
        let verdict = site.verdict("twin");
        assert!(
            verdict.starts_with("Failed (ForeignObject): v1 Secret workloads/shop-login belongs to another")
        );
        assert_eq!(verdict.matches("belongs to another TemplateWorkload").count(), 3, "{verdict}");
        site.full_run(1);
        assert_eq!(site.objects(), before);
        // The twin goes: nothing of the first goes with it.
        site.delete("twin");
        site.tick_run(0);
        assert_eq!((site.cr("twin"), site.objects()), (None, before));
        site.settled();
    }
}

#[test]
fn a_label_that_was_taken_off_by_hand_is_respected() {
    for adopt in [false, true] {
        let site = in_place(json!({"adopt": adopt}));
        let uid = site.uid("shop");
        relabel(&site, "ConfigMap", "shop", None);
        let before = site.objects();
        for _ in 0..2 {
            site.dev.clear_journal();
            site.full_run(1);
            assert_eq!(
                site.verdict("shop"),
                format!(
                    "Failed (ForeignObject): v1 ConfigMap workloads/shop was ours, until somebody took the label \
                     {OWNER_LABEL} off: put it back, with the value {uid}, or take the object out of the template"
                )
            );
            assert_eq!(site.objects(), before);
            assert_eq!(object_writes(&site), Vec::<String>::new());
        }
        relabel(&site, "ConfigMap", "shop", Some(&uid));
        site.tick_run(0);
        assert_eq!(site.verdict("shop"), SYNCED);
        site.settled();
    }
}

#[test]
fn a_cr_that_was_made_again_does_not_take_what_its_predecessor_left() {
    let mut site = site();
    site.set("PRUNE", "false");
    site.workload("shop", spec());
    site.tick_run(0);
    let former = site.uid("shop");
    site.delete("shop");
    site.workload("shop", spec_with(json!({"adopt": true})));
    let before = site.objects();
    site.tick_run(1);
    assert!(site.verdict("shop").contains(&format!("(uid {former})")), "{}", site.verdict("shop"));
    assert_eq!(site.objects(), before);
}
