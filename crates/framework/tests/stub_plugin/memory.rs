//! What a plugin has the framework remember before it writes.

use std::rc::Rc;

use devcloud::{Action, Fault, Service};
use serde_json::json;

use crate::widgets::broken;
use crate::world::{World, crd, edit};

fn world() -> World {
    let world = World::new();
    world.plugin.remembers.set(true);
    world
}

#[test]
fn what_is_remembered_stands_before_the_plugin_writes() {
    let mut world = world();
    world.cr("a", json!({}));
    let cloud = Rc::clone(&world.cloud);
    world.plugin.on("create north/a", move || {
        let cr = cloud.kube().get("Widget", "n", "a").expect("the CR");
        assert_eq!(cr["status"], json!({"widgetId": 1}));
        Ok(())
    });
    assert!(world.full().is_success());
    assert!(world.calls().iter().any(|call| call == "create north/a"));
    assert_eq!(world.status("a"), "Synced");
}

#[test]
fn what_is_in_place_costs_no_request() {
    let mut world = world();
    world.settled(&["a"]);
    assert!(world.full().is_success());
    assert!(world.requests().is_empty());
}

#[test]
fn a_snapshot_older_than_the_status_loses_nothing_that_was_remembered() {
    let mut world = world();
    world.cr("a", json!({}));
    let old = world.schedule("periodic sync");
    edit(&world.cloud, "a/status", json!({"status": {"widgetId": 77}}));
    let report = world.run(framework::Contexts::Bindings(vec![old]));
    assert!(!report.is_success());
    assert!(world.plugin.names("north").is_empty(), "nothing was created");
    assert_eq!(world.get("a")["status"]["widgetId"], 77);
    assert!(world.status("a").contains("changed during the run"), "{}", world.status("a"));
    assert!(world.tick().is_success());
    assert_eq!(world.plugin.names("north"), ["a"]);

    // The same without a finalizer to write first.
    world.plugin.remove("north", "a");
    let old = world.schedule("periodic sync");
    edit(&world.cloud, "a/status", json!({"status": {"widgetId": 77}}));
    assert!(!world.run(framework::Contexts::Bindings(vec![old])).is_success());
    assert!(world.plugin.names("north").is_empty(), "nothing was created");
    assert!(world.status("a").contains("it was changed during the run"), "{}", world.status("a"));
}

#[test]
fn nothing_is_written_if_it_cannot_be_remembered() {
    let mut off = world();
    off.set("STATUS_ENABLED", "false");
    off.cr("a", json!({}));
    assert!(!off.full().is_success());
    assert!(off.plugin.names("north").is_empty());
    assert!(off.logs().iter().any(|line| line.contains("statuses are switched off")));

    let mut dropped = world();
    let mut without = crd(true);
    let schema = "/spec/versions/0/schema/openAPIV3Schema/properties/status";
    *without.pointer_mut(schema).expect("a schema") = json!({"type": "object", "properties": {"syncStatus": {"type": "string"}, "message": {"type": "string"}}});
    dropped.cloud.kube().define(without);
    dropped.cr("a", json!({}));
    assert!(!dropped.full().is_success());
    assert!(dropped.plugin.names("north").is_empty());
    assert!(dropped.get("a")["status"]["message"].as_str().unwrap().contains("status.widgetId"));

    let mut refused = world();
    refused.cr("a", json!({}));
    let fault = Fault::new(Service::Kubernetes, "/status", Action::answer(500, json!(null)));
    refused.cloud.inject(fault.method("PATCH"));
    assert!(!refused.full().is_success());
    assert!(refused.plugin.names("north").is_empty());
}

#[test]
fn a_dry_run_plans_what_it_would_remember_and_goes_on() {
    let mut world = world();
    world.set("DRY_RUN", "true");
    world.cr("a", json!({}));
    let report = world.full();
    let planned: Vec<_> = report.planned.iter().map(ToString::to_string).collect();
    let memory = planned.iter().position(|line| line.ends_with("n/a: status.widgetId"));
    let create = planned.iter().position(|line| line == "create widget a");
    assert!(memory.is_some() && memory < create, "{planned:?}");
    assert_eq!(world.get("a")["status"], json!(null));
}

#[test]
fn a_cleanup_by_an_old_memory_does_not_release_the_cr() {
    let mut world = world();
    world.settled(&["a"]);
    world.delete("a");
    let old = world.schedule("periodic sync");
    edit(&world.cloud, "a/status", json!({"status": {"widgetId": 77}}));
    assert!(!world.run(framework::Contexts::Bindings(vec![old])).is_success());
    assert!(world.is_held("a"), "what 77 stands for may still be there");
    assert!(world.full().is_success());
    assert!(!world.exists("a"));
}

/// Its predecessor's failure is no word about it, and taking that back must not make it forget what it has.
#[test]
fn a_failure_of_its_predecessor_does_not_empty_the_memory_of_a_cr_that_was_made_again() {
    let mut world = world();
    world.set("PRUNE", "false");
    world.cr("a", json!({}));
    let cloud = Rc::clone(&world.cloud);
    world.plugin.on_times("reconcile a", 1, move || {
        let mut again = cloud.kube().delete("Widget", "n", "a");
        again["metadata"] = json!({"namespace": "n", "name": "a"});
        cloud.kube().create(again);
        edit(&cloud, "a/status", json!({"status": {"widgetId": 77}}));
        broken()
    });
    assert!(!world.tick().is_success());
    assert_eq!(world.get("a")["status"], json!({"widgetId": 77}));
}

/// What a file without a resourceVersion says of the memory may be of any age.
#[test]
fn a_file_without_a_version_does_not_overwrite_what_is_remembered() {
    let mut world = world();
    world.set("PRUNE", "false");
    world.settled(&["a"]);
    let mut file = world.get("a");
    file["metadata"].as_object_mut().unwrap().remove("resourceVersion");
    file["status"]["message"] = json!("of long ago");
    edit(&world.cloud, "a/status", json!({"status": {"widgetId": 77, "message": "new"}}));
    world.run(framework::Contexts::parse_by_hand("file", &file.to_string()).expect("a CR"));
    assert_eq!(world.get("a")["status"]["widgetId"], 77);
    assert_eq!(world.status("a"), "Synced");
}
