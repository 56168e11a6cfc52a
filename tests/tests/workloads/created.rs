//! A CR comes: its objects are made, once.

use openstack_sync_tests::workloads::{KIND, managers, owner};
use serde_json::json;

use crate::web::{GREETING, INVENTORY, PASSWORD, SYNCED, in_place, object_writes, site, spec, writes};

#[test]
fn the_objects_of_the_template_are_made_and_marked() {
    let mut site = site();
    site.workload("shop", spec());
    let before = site.objects();
    site.event_run("shop", 0);
    assert_eq!(site.verdict("shop"), SYNCED);
    let uid = site.uid("shop");

    let new: Vec<String> = site.objects().into_keys().filter(|name| !before.contains_key(name)).collect();
    assert_eq!(new, ["ConfigMap workloads/shop", "Deployment workloads/shop", "Secret workloads/shop-login"]);
    let objects = site.objects();
    for object in new.iter().map(|name| &objects[name]) {
        assert_eq!(owner(object), Some(uid.as_str()));
        assert_eq!(managers(object), [format!("template-workloads/{uid} Apply")]);
    }
    assert_eq!(site.object("ConfigMap", "shop").unwrap()["data"], json!({"greeting": GREETING}));
    assert_eq!(site.object("Deployment", "shop").unwrap()["spec"]["replicas"], 2);
    assert_eq!(
        site.object("Deployment", "shop").unwrap()["metadata"]["labels"]["app"],
        "web",
        "theirs stays"
    );
    let password = &site.object("Secret", "passwords").unwrap()["data"]["shop"];
    assert_eq!(&site.object("Secret", "shop-login").unwrap()["data"]["password"], password);
    assert_ne!(password, PASSWORD);
    for (name, object) in &before {
        assert_eq!(site.objects().get(name), Some(object), "nothing else changed");
    }
}

#[test]
fn the_inventory_has_each_object_in_order_with_its_uid() {
    let site = in_place(json!({}));
    assert_eq!(site.inventory("shop"), INVENTORY);
    let uids = ["shop-login", "shop", "shop"].into_iter().zip(["Secret", "ConfigMap", "Deployment"]);
    for ((name, kind), entry) in uids.zip(site.status("shop")["objects"].as_array().unwrap()) {
        assert_eq!(entry["uid"], site.object(kind, name).unwrap()["metadata"]["uid"]);
    }
}

/// What was asked, in order: everything is looked at before anything is written, and the inventory comes first.
#[test]
fn the_inventory_is_written_before_the_first_object() {
    let mut site = site();
    site.workload("shop", spec());
    site.dev.clear_journal();
    site.event_run("shop", 0);
    let cr = "/apis/openshift.understack.rackspace.net/v1alpha1/namespaces/workloads/templateworkloads/shop";
    assert_eq!(
        writes(&site),
        [
            format!("PATCH {cr}"),
            format!("PATCH {cr}/status"),
            "PATCH /api/v1/namespaces/workloads/secrets/shop-login".to_owned(),
            "PATCH /api/v1/namespaces/workloads/configmaps/shop".to_owned(),
            "PATCH /apis/apps/v1/namespaces/workloads/deployments/shop".to_owned(),
            format!("PATCH {cr}/status"),
        ]
    );
    let journal = site.writes();
    let remembered = journal.iter().find(|entry| entry.path.ends_with("/status")).unwrap();
    let entries = remembered.request_body.as_ref().unwrap()["status"]["objects"].clone();
    assert_eq!(entries.as_array().map(Vec::len), Some(3));
    assert!(
        entries.as_array().unwrap().iter().all(|entry| entry.get("uid").is_none()),
        "nobody knows one: {entries}"
    );
    let all = site.requests();
    let first_write = all.iter().position(|request| request.ends_with("/status")).unwrap();
    let last_look = all.iter().rposition(|request| request.starts_with("GET /")).unwrap();
    assert!(last_look < first_write, "{all:#?}");
}

#[test]
fn a_full_run_over_an_unchanged_world_changes_no_resource_version() {
    let site = in_place(json!({}));
    let world = || (site.objects(), site.dev.kube().list(KIND));
    let before = world();
    site.full_run(0);
    assert_eq!(world(), before);
    assert_eq!(object_writes(&site).len(), 3, "each is applied");
    assert_eq!(writes(&site).len(), 3, "and nothing else is written");
}

/// 2 + G + 2 N, and one for each Secret.
#[test]
fn a_full_run_costs_what_it_must() {
    let site = in_place(json!({}));
    let outcome = site.full_run(0);
    let secrets = 1;
    assert_eq!(site.requests().len(), 2 + 2 + 2 * 3 + secrets, "{:#?}", site.requests());
    assert!(outcome.summary().contains("; 11 requests, 3 writes,"), "{}", outcome.summary());
}

/// The Secret of two parameters is read once.
#[test]
fn a_secret_is_read_once() {
    let mut site = in_place(json!({}));
    site.secret("passwords", json!({"shop": PASSWORD, "GREETING": "greetings-from-a-secret"}));
    site.workload(
        "shop",
        json!({"parameters": {"NAME": "shop", "REPLICAS": 2}, "parametersFrom": [
            {"parameter": "PASSWORD", "secretName": "passwords", "key": "shop"},
            {"parameter": "GREETING", "secretName": "passwords"},
        ]}),
    );
    site.dev.clear_journal();
    site.event_run("shop", 0);
    let reads = site.requests().into_iter().filter(|request| request.ends_with("/secrets/passwords")).count();
    assert_eq!(reads, 1);
    assert_eq!(site.object("ConfigMap", "shop").unwrap()["data"]["greeting"], "greetings-from-a-secret");
    site.settled();
}

#[test]
fn a_tick_over_a_world_in_place_asks_nothing() {
    let site = in_place(json!({}));
    let outcome = site.tick_run(0);
    assert_eq!(site.requests(), Vec::<String>::new());
    assert!(outcome.summary().contains("1 CR: 1 current; 0 requests, 0 writes"), "{}", outcome.summary());
}

#[test]
fn drift_is_mended_by_a_full_run_alone() {
    let site = in_place(json!({}));
    site.dev.kube().delete("ConfigMap", "workloads", "shop");
    site.tick_run(0);
    assert_eq!(site.object("ConfigMap", "shop"), None);
    site.full_run(0);
    let made = site.object("ConfigMap", "shop").unwrap();
    assert_eq!(site.status("shop")["objects"][1]["uid"], made["metadata"]["uid"]);
    site.settled();
}

#[test]
fn a_template_without_objects_is_a_success() {
    let mut site = site();
    site.template("web", json!([]), json!([]));
    site.workload("shop", json!({}));
    site.full_run(0);
    assert_eq!((site.verdict("shop").as_str(), site.inventory("shop").len()), (SYNCED, 0));
    site.settled();
    site.delete("shop");
    site.tick_run(0);
    assert_eq!(site.cr("shop"), None);
}
