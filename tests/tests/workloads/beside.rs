//! Several CRs: what is wrong with one does not stop the others.

use devcloud::{Action, Fault, Service};
use openstack_sync_tests::workloads::KIND;
use serde_json::json;

use crate::web::{SYNCED, in_place, parameters, spec_with};

#[test]
fn a_bad_cr_does_not_stop_the_others() {
    let mut site = in_place(json!({}));
    for (name, spec) in [
        ("a-missing", json!({"templateRef": {"name": "missing"}})),
        ("b-outside", json!({"targetNamespace": "kube-system"})),
        ("c-twice", json!({"parameters": {"PASSWORD": "given-twice-over"}})),
        ("z-good", json!({"parameters": {"NAME": "z"}})),
    ] {
        site.workload(name, spec_with(spec));
    }
    site.tick_run(1);
    assert_eq!((site.verdict("shop").as_str(), site.verdict("z-good").as_str()), (SYNCED, SYNCED));
    assert!(site.verdict("a-missing").starts_with("Failed (InvalidTemplate)"));
    assert!(site.verdict("b-outside").starts_with("Failed (InvalidSpec)"));
    assert!(site.verdict("c-twice").starts_with("Failed (InvalidSpec)"));
    let world = || (site.objects(), site.dev.kube().list(KIND));
    let before = world();
    site.full_run(1);
    assert_eq!(world(), before, "what fails, fails in the same words");
}

/// Objects of one kind cannot be read, or not be written, because its webhook or its API is away.
#[test]
fn a_kind_that_cannot_be_served_does_not_stop_crs_without_it() {
    for (method, code) in [("GET", 500), ("PATCH", 500), ("PATCH", 503)] {
        let mut site = in_place(json!({}));
        site.dev.kube().define_open("example.com/v1", "Widget", "widgets", true);
        let widget =
            json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "${NAME}"}});
        site.template("widgets", json!([widget]), parameters());
        let away = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": "conversion webhook for example.com/v2, Kind=Widget failed: connection refused", "code": code});
        let fault = Fault::new(Service::Kubernetes, "/widgets/", Action::answer(code, away));
        site.dev.inject(fault.method(method));
        for name in ["a-widget", "b-widget"] {
            let spec = json!({"templateRef": {"name": "widgets"}, "parameters": {"NAME": name}});
            site.workload(name, spec_with(spec));
        }
        site.workload("z-good", spec_with(json!({"parameters": {"NAME": "z"}})));
        site.full_run(1);
        let verdict = site.verdict("b-widget");
        assert!(verdict.starts_with("Failed (ReconcileError): ") && verdict.contains("widgets"), "{verdict}");
        for name in ["shop", "z-good"] {
            assert_eq!(site.verdict(name), SYNCED, "{method} {code}");
        }
    }
}

/// A CR is deleted beside one that has failed for a while: its objects go all the same.
#[test]
fn a_bad_cr_does_not_hold_up_a_deletion() {
    let mut site = in_place(json!({}));
    site.workload("bad", spec_with(json!({"templateRef": {"name": "missing"}})));
    site.tick_run(1);
    site.delete("shop");
    site.tick_run(1);
    assert_eq!((site.cr("shop"), site.object("ConfigMap", "shop")), (None, None));
    assert!(site.cr("bad").is_some());
}

/// Objects belong to one CR by its uid: no doubt about another CR is a doubt about them, also in a full run.
#[test]
fn a_bad_cr_does_not_hold_up_a_deletion_in_a_full_run() {
    let mut site = in_place(json!({}));
    site.workload("bad", spec_with(json!({"templateRef": {"name": "missing"}})));
    site.delete("shop");
    site.full_run(1);
    assert_eq!((site.cr("shop"), site.object("ConfigMap", "shop")), (None, None));
}

/// Nor does one that nobody can read, in any run: whoever may write one CR must not hold up everybody's deletions.
#[test]
fn a_cr_that_cannot_be_read_does_not_hold_up_the_deletions_of_others() {
    for full in [true, false] {
        let mut site = in_place(json!({}));
        let mut bad = site.workload("bad", spec_with(json!({"parameters": {"NAME": "bad"}})));
        bad["metadata"]["annotations"] =
            json!({"openstack-sync.understack.rackspace.net/applied": "nonsense"});
        site.store(bad);
        site.delete("shop");
        if full {
            site.full_run(1)
        } else {
            site.tick_run(1)
        };
        assert!(site.verdict("bad").contains("correct or remove it"), "{}", site.verdict("bad"));
        assert_eq!((site.cr("shop"), site.object("ConfigMap", "shop")), (None, None));
    }
}

#[test]
fn crs_of_several_namespaces_work_each_in_its_own() {
    let mut site = in_place(json!({}));
    site.hook.set("WATCH_NAMESPACES", "workloads,team");
    site.namespace("team");
    site.template_in("team", "web", json!([crate::web::config_map("${NAME}")]), crate::web::parameters());
    let mut cr = openstack_sync_tests::workloads::workload_cr(
        "shop",
        json!({"parameters": {"NAME": "shop", "PASSWORD": "not-needed-here"}}),
    );
    cr["metadata"]["namespace"] = "team".into();
    site.apply(cr);
    let before = site.objects();
    site.full_run(0);
    let new: Vec<String> = site.objects().into_keys().filter(|name| !before.contains_key(name)).collect();
    assert_eq!(new, ["ConfigMap team/shop"]);
    site.settled();
    site.dev.kube().delete(KIND, "team", "shop");
    site.tick_run(0);
    assert_eq!(site.objects(), before);
}
