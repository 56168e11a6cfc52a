//! Parameters whose values are in Secrets.

use openstack_sync_tests::workloads::NAMESPACE;
use serde_json::{Value, json};

use crate::web::{PASSWORD, SYNCED, in_place, object_writes, site, spec};

/// The Secret with this data, in base64 as it is stored.
fn store(site: &openstack_sync_tests::workloads::WorkloadSite, data: Value) {
    let metadata = json!({"name": "passwords", "namespace": NAMESPACE});
    site.apply(json!({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": data}));
}

#[test]
fn what_is_wrong_with_a_secret_is_named_and_a_tick_finds_it_mended() {
    let mut site = site();
    site.dev.kube().delete("Secret", NAMESPACE, "passwords");
    site.workload("shop", spec());
    let failed = |words: &str| {
        site.tick_run(1);
        assert_eq!(site.verdict("shop"), format!("Failed (ReconcileError): {words}"));
        assert_eq!(object_writes(&site), Vec::<String>::new());
    };
    failed("secret \"passwords\" does not exist in namespace \"workloads\"");
    store(&site, json!({"other": "eA=="}));
    failed("secret \"passwords\" in namespace \"workloads\" has no key \"shop\"");
    store(&site, json!({"shop": "/////w=="}));
    failed("Secret workloads/passwords: the value of key \"shop\" is not UTF-8 text");
    site.secret("passwords", json!({"shop": PASSWORD}));
    site.tick_run(0);
    assert_eq!(site.verdict("shop"), SYNCED);
    site.settled();
}

#[test]
fn without_a_key_the_parameter_is_the_key() {
    let mut site = site();
    site.secret("passwords", json!({"PASSWORD": "named-after-the-parameter"}));
    site.workload(
        "shop",
        json!({"parameters": {"NAME": "shop"},
        "parametersFrom": [{"parameter": "PASSWORD", "secretName": "passwords"}]}),
    );
    site.tick_run(0);
    let stored = |name: &str, key: &str| site.object("Secret", name).unwrap()["data"][key].clone();
    assert_eq!(stored("shop-login", "password"), stored("passwords", "PASSWORD"));
}

#[test]
fn a_changed_secret_is_applied_by_the_next_full_run() {
    let mut site = in_place(json!({}));
    site.secret("passwords", json!({"shop": "another-password"}));
    site.tick_run(0);
    let stored = |site: &openstack_sync_tests::workloads::WorkloadSite, name: &str, key: &str| {
        site.object("Secret", name).unwrap()["data"][key].clone()
    };
    assert_ne!(stored(&site, "shop-login", "password"), stored(&site, "passwords", "shop"));
    site.full_run(0);
    assert_eq!(stored(&site, "shop-login", "password"), stored(&site, "passwords", "shop"));
    site.settled();
}

/// Only Secrets of the CR's own namespace are read, wherever Template and target are.
#[test]
fn secrets_are_those_of_the_crs_namespace() {
    let mut site = site();
    site.set("NAMESPACES", "shops library");
    site.namespace("shops");
    for namespace in ["shops", "library"] {
        let metadata = json!({"name": "passwords", "namespace": namespace});
        site.apply(json!({"apiVersion": "v1", "kind": "Secret", "metadata": metadata,
            "stringData": {"shop": "of-another-namespace"}}));
    }
    site.hook.forbid("of-another-namespace");
    site.template_in("library", "web", crate::web::objects(), crate::web::parameters());
    site.workload(
        "shop",
        crate::web::spec_with(json!({
        "targetNamespace": "shops", "templateRef": {"name": "web", "namespace": "library"}})),
    );
    site.dev.clear_journal();
    site.tick_run(0);
    let asked: Vec<String> = site.requests().into_iter().filter(|line| line.contains("/secrets/")).collect();
    assert_eq!(asked[0], "GET /api/v1/namespaces/workloads/secrets/passwords");
    assert!(asked[1..].iter().all(|line| line.contains("/namespaces/shops/secrets/shop-login")), "{asked:?}");
    let made = site.dev.kube().get("Secret", "shops", "shop-login").unwrap();
    assert_eq!(made["data"]["password"], site.object("Secret", "passwords").unwrap()["data"]["shop"]);
}
