//! What a CR's status says, and when it is written.

use std::rc::Rc;

use devcloud::{Action, Fault, Service};
use framework::PluginError;
use serde_json::{Value, json};

use crate::widgets::broken;
use crate::world::{World, crd};

#[test]
fn a_synced_status_has_every_field_of_the_contract() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.full();
    let status = world.get("a")["status"].clone();
    let time = status["lastSyncTime"].clone();
    assert!(time.as_str().is_some_and(|time| time.len() == 20 && time.ends_with('Z')), "{time}");
    let message = "Successfully reconciled widget";
    assert_eq!(
        status,
        json!({
            "syncStatus": "Synced", "lastSyncTime": time, "message": message, "observedGeneration": 1,
            "conditions": [{"type": "Ready", "status": "True", "reason": "Reconciled", "message": message,
                "observedGeneration": 1, "lastTransitionTime": time}],
            "widgetId": 1,
        })
    );
}

#[test]
fn nothing_is_written_when_only_times_would_change() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.cr("b", json!({}));
    world.plugin.on("reconcile b", broken);
    world.full();
    for _ in 0..2 {
        world.later(60);
        world.requests();
        world.full();
        world.tick();
        assert!(world.requests().is_empty(), "neither of a success nor of the same failure");
    }
}

#[test]
fn the_transition_time_moves_when_ready_flips_and_only_then() {
    let mut world = World::new();
    let transition = |world: &World| world.get("a")["status"]["conditions"][0]["lastTransitionTime"].clone();
    world.settled(&["a"]);
    let first = transition(&world);
    world.later(60);
    world.cr("a", json!({"size": 2}));
    world.tick();
    assert_eq!(transition(&world), first);
    assert_ne!(world.get("a")["status"]["lastSyncTime"], first);
    world.later(60);
    world.plugin.on("reconcile a", broken);
    world.full();
    let failed = transition(&world);
    assert_ne!(failed, first);
    world.plugin.heal();
    world.plugin.on("reconcile a", || Err(PluginError::cr("another reason")));
    world.later(60);
    world.full();
    assert_eq!(transition(&world), failed);
}

#[test]
fn notes_keep_a_cr_synced_and_are_in_its_status_and_in_the_log() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.cr("a", json!({"color": "red"}));
    assert!(world.tick().is_success());
    assert_eq!(world.status("a"), "Synced");
    assert_eq!(
        world.get("a")["status"]["message"],
        "Successfully reconciled widget; needs manual action: the color stays grey"
    );
    assert_eq!(world.log_count("n/a needs manual action: the color stays grey"), 1);
    world.assert_settled();
}

#[test]
fn a_failure_keeps_the_extra_keys_and_a_missing_one_is_filled_in() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.plugin.on("reconcile a", broken);
    world.full();
    assert_eq!(world.get("a")["status"]["widgetId"], 1);
    world.plugin.heal();
    world.full();
    world.edit("a/status", json!({"status": {"widgetId": null}}));
    world.tick();
    assert_eq!(world.get("a")["status"]["widgetId"], Value::Null, "it is no reason to be due");
    world.full();
    assert_eq!(world.get("a")["status"]["widgetId"], 1);
}

#[test]
fn a_key_that_the_crd_does_not_keep_is_told_once_and_not_written_again_in_that_run() {
    let mut world = World::new();
    world.settled(&["a", "b", "c"]);
    world.cloud.kube().define(crd(false));
    for name in ["a", "b", "c"] {
        world.edit(&format!("{name}/status"), json!({"status": {"widgetId": null}}));
    }
    world.forget();
    assert!(world.full().is_success());
    assert_eq!(world.log_count("the CRD widgets.example.com does not keep status.widgetId"), 1);
    assert_eq!(world.requests(), ["PATCH a/status"]);
}

#[test]
fn a_reason_of_the_plugins_own_is_on_the_condition() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.plugin.on("reconcile a", || Err(PluginError::cr("no room").with_reason("QuotaExceeded")));
    world.tick();
    assert_eq!(world.status("a"), "Failed QuotaExceeded: no room");
}

#[test]
fn what_varies_is_in_the_log_and_not_in_the_status() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.plugin.on("reconcile a", || {
        let source = std::io::Error::other("connection 7 was reset");
        Err(PluginError::cr("PUT failed").with_request_id(Some("req-1")).with_source(source))
    });
    world.tick();
    assert_eq!(world.status("a"), "Failed ReconcileError: PUT failed");
    assert_eq!(world.log_count("n/a: PUT failed: connection 7 was reset (request req-1)"), 1);
}

#[test]
fn with_statuses_off_none_is_written() {
    let mut world = World::new();
    world.set("STATUS_ENABLED", "false");
    world.cr("a", json!({}));
    world.store("bad", json!({"at": 3}), json!({}));
    assert!(!world.full().is_success());
    assert_eq!((world.status("a").as_str(), world.status("bad").as_str()), ("none", "none"));
    assert_eq!(world.plugin.names("north"), ["a"]);
    assert_eq!(world.requests(), ["PATCH a"], "the finalizer");
}

#[test]
fn a_cr_that_goes_during_the_run_is_no_failure_for_its_status() {
    let mut world = World::new();
    world.cr("a", json!({}));
    let cloud = Rc::clone(&world.cloud);
    world.set("PRUNE", "false");
    world.plugin.on("reconcile a", move || {
        cloud.kube().delete("Widget", "n", "a");
        Ok(())
    });
    assert!(world.tick().is_success());
    assert_eq!(world.log_count("status of n/a not written: it is gone already"), 1);
}

#[test]
fn a_cr_that_is_made_again_during_the_run_does_not_pass_for_reconciled() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.set("PRUNE", "false");
    let cloud = Rc::clone(&world.cloud);
    world.plugin.on_times("reconcile a", 1, move || {
        let mut again = cloud.kube().delete("Widget", "n", "a");
        again["metadata"] = json!({"namespace": "n", "name": "a"});
        again["spec"]["size"] = json!(5);
        cloud.kube().create(again);
        Ok(())
    });
    assert!(world.tick().is_success());
    assert_eq!(world.tick().synced, 1, "it is due");
    assert_eq!(world.plugin.widgets("north")[0].size, 5);
}

#[test]
fn the_summary_counts_what_there_is() {
    let mut world = World::new();
    world.settled(&["a", "going"]);
    world.delete("going");
    world.cr("b", json!({}));
    world.store("bad", json!({"at": "south", "name": "bad", "size": "x"}), json!({}));
    world.tick();
    world.plugin.on("reconcile b", broken);
    world.cr("b", json!({"size": 2}));
    let report = world.tick();
    let counts = [report.current, report.synced, report.failed, report.waiting, report.released];
    assert_eq!(counts, [1, 0, 3, 0, 0]);
    let text = report.to_string();
    assert!(text.starts_with("4 CRs: 1 current, 3 failed; "), "{text}");
}

#[test]
fn an_api_server_that_does_not_answer_is_asked_twice_and_not_for_each_status() {
    let mut world = World::new();
    world.set("PRUNE", "false");
    for name in ["a", "b", "c", "d", "e"] {
        world.cr(name, json!({}));
    }
    let fault = Fault::new(Service::Kubernetes, "/status", Action::CutBefore);
    world.cloud.inject(fault.method("PATCH"));
    world.full();
    let tried: std::collections::BTreeSet<String> = world.requests().into_iter().collect();
    assert_eq!(tried.len(), 2, "{tried:?}");
    assert_eq!(world.log_count("the Kubernetes API does not answer"), 3);
}
