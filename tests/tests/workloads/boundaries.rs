//! Where a CR may work, and on what.

use devcloud::{Action, Fault, Service};
use openstack_sync_tests::workloads::{NAMESPACE, WorkloadSite};
use serde_json::{Value, json};

use crate::web::{SYNCED, config_map, object_writes, objects, parameters, site, spec_with};

fn elsewhere() -> WorkloadSite {
    let site = site();
    site.namespace("shops");
    site.template_in("library", "web", objects(), parameters());
    site
}

#[test]
fn other_namespaces_are_refused_unless_they_are_listed() {
    let mut site = elsewhere();
    for (field, spec) in [
        ("spec.targetNamespace \"shops\"", json!({"targetNamespace": "shops"})),
        (
            "spec.templateRef.namespace \"library\"",
            json!({"templateRef": {"name": "web", "namespace": "library"}}),
        ),
    ] {
        site.workload("shop", spec_with(spec));
        site.dev.clear_journal();
        site.full_run(1);
        assert_eq!(
            site.verdict("shop"),
            format!(
                "Failed (InvalidSpec): {field} is neither this resource's own namespace nor in \
                 TEMPLATE_WORKLOAD_NAMESPACES: the operator works with its own rights, and only where the site allows it"
            )
        );
        let asked = site.requests();
        assert!(asked.iter().all(|request| request.contains("/templateworkloads/")), "{asked:?}");
        site.delete("shop");
        site.full_run(0);
        assert_eq!(site.cr("shop"), None);
    }
}

#[test]
fn listed_namespaces_may_be_named() {
    let mut site = elsewhere();
    site.set("NAMESPACES", " library,shops ");
    site.workload(
        "shop",
        spec_with(
            json!({"targetNamespace": "shops", "templateRef": {"name": "web", "namespace": "library"}}),
        ),
    );
    let before = site.objects();
    site.tick_run(0);
    assert_eq!(site.verdict("shop"), SYNCED);
    assert_eq!(site.inventory("shop")[1], "v1 ConfigMap shops/shop");
    let new: Vec<String> = site.objects().into_keys().filter(|name| !before.contains_key(name)).collect();
    assert_eq!(new.len(), 3);
    assert!(new.iter().all(|name| name.contains(" shops/")), "{new:?}");
    site.settled();
    // A site that takes the namespace back stops everything there, deletions too.
    site.set("NAMESPACES", "library");
    let before = site.objects();
    site.full_run(1);
    assert!(
        site.verdict("shop").starts_with("Failed (InvalidSpec): spec.targetNamespace \"shops\" is neither")
    );
    site.delete("shop");
    site.tick_run(1);
    let verdict = site.verdict("shop");
    assert!(
        verdict.starts_with("Failed (CleanupBlocked): waiting: spec.targetNamespace \"shops\" is neither"),
        "{verdict}"
    );
    assert_eq!(site.objects(), before);
    site.set("NAMESPACES", "shops");
    site.tick_run(0);
    assert_eq!((site.cr("shop"), site.objects().len()), (None, before.len() - 3));
}

#[test]
fn bad_values_of_the_variable_end_the_run_and_name_it() {
    let mut site = site();
    site.workload("shop", spec_with(json!({})));
    for bad in ["*", "A_B", "shops,*", "a/b", "-a", "shops;library"] {
        site.set("NAMESPACES", bad);
        site.dev.clear_journal();
        let outcome = site.full_run(1);
        let word = bad.trim_start_matches("shops,");
        assert!(outcome.says(&["TEMPLATE_WORKLOAD_NAMESPACES", &format!("{word:?}")]), "{}", outcome.stderr);
        assert_eq!(site.requests(), Vec::<String>::new());
    }
}

/// `--config` reads it not: a typo there must not stop the operator.
#[test]
fn a_bad_value_does_not_disturb_config() {
    let mut site = site();
    site.set("NAMESPACES", "*");
    site.hook.run(&["--config"]).expect(0);
}

#[test]
fn without_statuses_the_hook_does_nothing() {
    let mut site = site();
    site.workload("shop", spec_with(json!({})));
    site.set("STATUS_ENABLED", "false");
    site.dev.clear_journal();
    let outcome = site.full_run(1);
    assert!(outcome.says(&["TEMPLATE_WORKLOAD_STATUS_ENABLED: must be true"]), "{}", outcome.stderr);
    assert_eq!(site.requests(), Vec::<String>::new());
}

/// The object is the second of two: nothing is written, not even the first.
#[track_caller]
fn refused(object: Value, said: &str) {
    let mut site = site();
    site.namespace("kube-system");
    site.template("web", json!([config_map("${NAME}"), object]), parameters());
    site.workload("shop", spec_with(json!({})));
    let before = site.objects();
    site.tick_run(1);
    assert_eq!(site.verdict("shop"), format!("Failed (InvalidTemplate): {said}"));
    assert_eq!((site.objects(), site.inventory("shop").len()), (before, 0));
    assert_eq!(object_writes(&site), Vec::<String>::new());
}

#[test]
fn what_is_not_an_object_of_its_own_in_the_target_is_refused() {
    let meta = json!({"name": "x"});
    refused(
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": meta}),
        "v1 Namespace workloads/x: the kind is cluster-scoped: only objects in the target namespace are touched",
    );
    refused(
        json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": meta}),
        "rbac.authorization.k8s.io/v1 ClusterRole workloads/x: the kind is cluster-scoped: only objects in the target \
         namespace are touched",
    );
    refused(
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": "${GREETING}"}}),
        "object 2 of the template (ConfigMap): metadata.namespace is not the target namespace \"workloads\"",
    );
    refused(
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "generateName": "x-"}}),
        "object 2 of the template (ConfigMap): metadata.generateName is set: give it a metadata.name alone",
    );
    refused(
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {}}),
        "object 2 of the template (ConfigMap): metadata.name cannot be used: it is empty",
    );
    refused(config_map("${NAME}"), "v1 ConfigMap workloads/shop: the template has it twice");
    refused(
        json!({"apiVersion": "v1", "kind": "List", "items": [config_map("a")]}),
        "object 2 of the template (List): a List is not one object: put its items among the template's objects",
    );
}

/// A namespace that is written out is dropped by the server: the object is in the target, and only there.
#[test]
fn a_namespace_that_is_written_out_is_the_target() {
    let mut site = site();
    site.namespace("kube-system");
    let mut object = config_map("${NAME}");
    object["metadata"]["namespace"] = "kube-system".into();
    site.template("web", json!([object]), parameters());
    site.workload("shop", spec_with(json!({})));
    site.tick_run(0);
    assert!(site.dev.kube().get("ConfigMap", NAMESPACE, "shop").is_some());
    assert_eq!(site.dev.kube().get("ConfigMap", "kube-system", "shop"), None);
}

#[test]
fn a_missing_template_is_named_and_waited_for() {
    let mut site = site();
    site.workload("shop", spec_with(json!({"templateRef": {"name": "later"}})));
    site.tick_run(1);
    assert_eq!(
        site.verdict("shop"),
        "Failed (InvalidTemplate): get templates.template.openshift.io workloads/later: 404 NotFound: \
         templates.template.openshift.io \"later\" not found"
    );
    site.template("later", objects(), parameters());
    site.tick_run(0);
    assert_eq!(site.verdict("shop"), SYNCED);
}

/// The operator may patch its CRs, all of them, and to apply to what is there takes no more.
#[test]
fn a_template_does_not_reach_the_crs_of_the_operator() {
    let mut site = site();
    let flavor = |more: Value| {
        let mut metadata = json!({"name": "firewall", "namespace": NAMESPACE});
        metadata["annotations"] = more;
        json!({"apiVersion": "neutron.understack.rackspace.net/v1alpha1", "kind": "NeutronRouterFlavor",
            "metadata": metadata, "spec": {
                "cloudCredentialsRef": {"secretName": "infrasetup", "cloudName": "devcloud"}, "name": "firewall",
                "service_profiles": [{"driver": "neutron.services.ha.HaDriver"}],
        }})
    };
    let theirs = site.apply(flavor(json!({})));
    let abandon = json!({"openstack-sync.understack.rackspace.net/abandon": "true"});
    site.template("web", json!([config_map("${NAME}"), flavor(abandon)]), parameters());
    site.workload("shop", spec_with(json!({"adopt": true})));
    site.full_run(1);
    assert_eq!(
        site.verdict("shop"),
        "Failed (InvalidTemplate): neutron.understack.rackspace.net/v1alpha1 NeutronRouterFlavor workloads/firewall: \
         custom resources of the operator itself are not made by templates"
    );
    assert_eq!(site.dev.kube().get("NeutronRouterFlavor", NAMESPACE, "firewall"), Some(theirs));
    assert_eq!(object_writes(&site), Vec::<String>::new());
}

/// As of one kind that two API groups serve: the second apply would undo the first, in each run.
#[test]
fn one_object_is_described_once() {
    let site = crate::web::in_place(json!({}));
    let secret = site.object("Secret", "shop-login").unwrap();
    let mut same = site.object("ConfigMap", "shop").unwrap();
    same["metadata"]["uid"] = secret["metadata"]["uid"].clone();
    let other_view = Fault::new(Service::Kubernetes, "/configmaps/shop", Action::answer(200, same));
    site.dev.inject(other_view.method("GET").times(1));
    site.full_run(1);
    assert_eq!(
        site.verdict("shop"),
        "Failed (InvalidTemplate): one object is described more than once: v1 Secret workloads/shop-login, \
         v1 ConfigMap workloads/shop"
    );
    assert_eq!(object_writes(&site), Vec::<String>::new());
    site.tick_run(0);
    assert_eq!(site.verdict("shop"), SYNCED);
}
