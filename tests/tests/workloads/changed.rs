//! The Template changes: objects come, change and go.

use devcloud::Service;
use openstack_sync_tests::workloads::{managers, owner};
use serde_json::{Value, json};

use crate::web::{
    INVENTORY, SYNCED, config_map, in_place, object_writes, objects, parameters, relabel, spec_with,
};

/// The Template without its ConfigMap, which is the second of three.
fn without_config_map() -> Value {
    let mut objects = objects();
    objects.as_array_mut().unwrap().remove(1);
    objects
}

#[test]
fn an_object_that_came_is_made() {
    let site = in_place(json!({}));
    let mut objects = objects();
    objects.as_array_mut().unwrap().insert(0, config_map("${NAME}-first"));
    site.template("web", objects, parameters());
    site.full_run(0);
    assert_eq!(site.inventory("shop")[0], "v1 ConfigMap workloads/shop-first");
    assert_eq!(site.inventory("shop")[1..], INVENTORY);
    assert_eq!(owner(&site.object("ConfigMap", "shop-first").unwrap()), Some(site.uid("shop").as_str()));
    site.settled();
}

#[test]
fn an_object_that_changed_is_changed_and_the_others_are_not() {
    let site = in_place(json!({}));
    let before = site.objects();
    let mut objects = objects();
    objects[1]["data"] = json!({"other": "${NAME}"});
    site.template("web", objects, parameters());
    site.full_run(0);
    let changed = site.object("ConfigMap", "shop").unwrap();
    assert_eq!(changed["data"], json!({"other": "shop"}), "the key that left is gone");
    for (name, object) in &before {
        assert_eq!(site.objects()[name] == *object, name != "ConfigMap workloads/shop", "{name}");
    }
    site.settled();
}

#[test]
fn a_changed_parameter_changes_the_objects() {
    let mut site = in_place(json!({}));
    site.workload("shop", spec_with(json!({"parameters": {"REPLICAS": 5}})));
    site.tick_run(0);
    assert_eq!(site.object("Deployment", "shop").unwrap()["spec"]["replicas"], 5);
    site.settled();
}

/// A parameter that names the objects: those of the old name left, those of the new one came.
#[test]
fn objects_of_another_name_replace_the_former_ones() {
    let mut site = in_place(json!({}));
    let before = site.owned(&site.uid("shop")).len();
    site.workload("shop", spec_with(json!({"parameters": {"NAME": "store"}})));
    site.tick_run(0);
    let names: Vec<String> = site.owned(&site.uid("shop")).into_keys().collect();
    assert_eq!(
        names,
        ["ConfigMap workloads/store", "Deployment workloads/store", "Secret workloads/store-login"]
    );
    assert_eq!(before, 3);
    site.settled();
}

/// As a list that came back empty must not empty a cloud.
#[test]
fn a_template_that_lost_all_its_objects_deletes_nothing() {
    let site = in_place(json!({}));
    let before = site.objects();
    site.template("web", json!([]), parameters());
    site.full_run(1);
    let verdict = site.verdict("shop");
    assert!(
        verdict.starts_with("Failed (InvalidTemplate): the template has no objects any more, and 3 were"),
        "{verdict}"
    );
    assert_eq!((site.objects(), site.inventory("shop").len()), (before, 3));
    site.delete("shop");
    site.tick_run(0);
    assert_eq!((site.cr("shop"), site.object("ConfigMap", "shop")), (None, None));
}

#[test]
fn an_object_that_left_is_deleted_last_and_only_itself() {
    let site = in_place(json!({}));
    let uid = site.object("ConfigMap", "shop").unwrap()["metadata"]["uid"].clone();
    site.template("web", without_config_map(), parameters());
    site.dev.clear_journal();
    site.full_run(0);
    assert_eq!(site.object("ConfigMap", "shop"), None);
    assert_eq!(object_writes(&site).last().unwrap(), "DELETE /api/v1/namespaces/workloads/configmaps/shop");
    let deleted = site.writes().into_iter().find(|entry| entry.method == "DELETE").unwrap();
    assert_eq!(deleted.service, Service::Kubernetes);
    let preconditions = &deleted.request_body.unwrap()["preconditions"];
    assert_eq!(preconditions["uid"], uid);
    assert!(preconditions["resourceVersion"].is_string());
    assert_eq!(site.inventory("shop"), [INVENTORY[0], INVENTORY[2]]);
    assert_eq!(site.verdict("shop"), SYNCED);
    site.settled();
}

#[test]
fn without_prune_an_object_that_left_stays_and_is_told() {
    let mut site = in_place(json!({}));
    site.set("PRUNE", "false");
    let kept = site.object("ConfigMap", "shop");
    site.template("web", without_config_map(), parameters());
    let outcome = site.full_run(0);
    assert!(outcome.says(&[
        "WARN",
        "workloads/shop",
        "v1 ConfigMap workloads/shop left the template and stays"
    ]));
    assert_eq!(site.object("ConfigMap", "shop"), kept);
    assert_eq!(
        site.verdict("shop"),
        format!(
            "{SYNCED}; needs manual action: its objects will stay when it is deleted: TEMPLATE_WORKLOAD_PRUNE is \
             false; v1 ConfigMap workloads/shop left the template and stays: TEMPLATE_WORKLOAD_PRUNE is false"
        )
    );
    assert_eq!(site.inventory("shop"), [INVENTORY[0], INVENTORY[2], INVENTORY[1]], "it is remembered");
    site.settled();
    // As soon as the site allows it, it goes.
    site.set("PRUNE", "true");
    site.full_run(0);
    assert_eq!(site.object("ConfigMap", "shop"), None);
    site.settled();
}

#[test]
fn without_prune_what_comes_back_into_the_template_is_ours_again() {
    let mut site = in_place(json!({}));
    site.set("PRUNE", "false");
    site.template("web", without_config_map(), parameters());
    site.full_run(0);
    site.template("web", objects(), parameters());
    site.full_run(0);
    assert_eq!(site.inventory("shop"), INVENTORY);
    assert!(!site.verdict("shop").contains("left the template"), "{}", site.verdict("shop"));
    site.settled();
}

#[test]
fn with_orphan_an_object_that_left_is_let_go() {
    for prune in ["true", "false"] {
        let mut site = in_place(json!({"deletionPolicy": "Orphan"}));
        site.set("PRUNE", prune);
        let before = site.object("ConfigMap", "shop").unwrap();
        site.template("web", without_config_map(), parameters());
        site.full_run(0);
        let after = site.object("ConfigMap", "shop").expect("it stays");
        assert_eq!(owner(&after), None);
        assert!(!managers(&after).iter().any(|manager| manager.contains("template-workloads/")), "{after:#}");
        assert_eq!(
            (&after["data"], &after["metadata"]["uid"]),
            (&before["data"], &before["metadata"]["uid"])
        );
        assert_eq!((site.verdict("shop").starts_with(SYNCED), site.inventory("shop").len()), (true, 2));
        site.settled();
    }
}

/// Other managers of an object that is let go stay what they are, and what was ours is theirs to change.
#[test]
fn other_managers_of_an_object_that_is_let_go_stay() {
    let site = in_place(json!({"deletionPolicy": "Orphan"}));
    let theirs = |data: Value| {
        let metadata = json!({"name": "shop", "namespace": "workloads"});
        let object = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data});
        site.dev.kube().apply_as("kubectl", object, false)
    };
    theirs(json!({"more": "theirs"})).expect("a key of their own");
    assert!(theirs(json!({"more": "theirs", "greeting": "theirs"})).is_err(), "it is ours");
    site.template("web", without_config_map(), parameters());
    site.full_run(0);
    assert_eq!(
        managers(&site.object("ConfigMap", "shop").unwrap()),
        ["kubectl Apply", "openstack-sync Update"]
    );
    theirs(json!({"more": "theirs", "greeting": "theirs"})).expect("nobody's any more");
    site.settled();
}

/// What somebody took the label off is not ours to delete, nor is another object of the name.
#[test]
fn an_object_that_left_and_is_not_ours_is_left_alone() {
    for again in [false, true] {
        let site = in_place(json!({}));
        if again {
            let labels = json!({template_workloads::ownership::OWNER_LABEL: site.uid("shop")});
            site.dev.kube().delete("ConfigMap", "workloads", "shop");
            crate::web::by_hand(&site, "shop", labels);
        } else {
            relabel(&site, "ConfigMap", "shop", None);
        }
        let theirs = site.object("ConfigMap", "shop");
        site.template("web", without_config_map(), parameters());
        let outcome = site.full_run(0);
        assert!(
            outcome.says(&["WARN", "v1 ConfigMap workloads/shop", "is left alone"]),
            "{}",
            outcome.stderr
        );
        assert_eq!(site.object("ConfigMap", "shop"), theirs);
        assert_eq!(site.inventory("shop").len(), 2, "it is forgotten");
        site.settled();
    }
}

/// The same object under another version of its API did not leave.
#[test]
fn another_version_of_the_kind_is_the_same_object() {
    let site = in_place(json!({}));
    let vm = |version: &str| {
        json!([{"apiVersion": format!("kubevirt.io/{version}"), "kind": "VirtualMachine",
            "metadata": {"name": "vm"}, "spec": {"running": true}}])
    };
    site.template("web", vm("v1"), parameters());
    site.full_run(0);
    let made = site.object("VirtualMachine", "vm").unwrap()["metadata"]["uid"].clone();
    let mut crd = site.dev.kube().get("CustomResourceDefinition", "", "virtualmachines.kubevirt.io").unwrap();
    let mut version = crd["spec"]["versions"][0].clone();
    version["name"] = "v2".into();
    version["storage"] = false.into();
    crd["spec"]["versions"].as_array_mut().unwrap().push(version);
    site.dev.kube().define(json!({"apiVersion": crd["apiVersion"], "kind": crd["kind"],
        "metadata": {"name": crd["metadata"]["name"]}, "spec": crd["spec"]}));
    site.template("web", vm("v2"), parameters());
    site.dev.clear_journal();
    site.full_run(0);
    assert!(!object_writes(&site).iter().any(|write| write.starts_with("DELETE")));
    assert_eq!(site.object("VirtualMachine", "vm").unwrap()["metadata"]["uid"], made);
    assert_eq!(site.inventory("shop"), ["kubevirt.io/v2 VirtualMachine workloads/vm"]);
    site.settled();
}
