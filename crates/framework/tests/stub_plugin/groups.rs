//! How errors of the other side spread: over a CR, over its group, never further.

use devcloud::{Action, Fault, Service};
use framework::{LazyKube, PluginError, REASON_RECONCILE_ERROR, Secrets};
use serde_json::{Value, json};

use crate::widgets::{broken, not_ready, refused};
use crate::world::{NS, World};

/// `a`, `b`, `c` at north, `far` at south.
fn scene() -> World {
    let world = World::new();
    for name in ["a", "b", "c"] {
        world.cr(name, json!({}));
    }
    world.cr("far", json!({"at": "south"}));
    world
}

fn reconciled(world: &World) -> Vec<String> {
    let calls = world.calls().into_iter();
    calls.filter_map(|call| call.strip_prefix("reconcile ").map(str::to_owned)).collect()
}

#[test]
fn a_group_is_connected_once_and_its_crs_are_reconciled_by_name() {
    let mut world = scene();
    assert!(world.full().is_success());
    let calls = world.calls();
    assert_eq!(calls.iter().filter(|call| call.starts_with("connect")).count(), 2);
    assert_eq!(calls.iter().filter(|call| call.starts_with("ready")).count(), 2);
    let order: Vec<_> = calls.iter().filter(|call| call.starts_with("reconcile")).collect();
    assert_eq!(order, ["reconcile a", "reconcile b", "reconcile c", "reconcile far"]);
}

#[test]
fn a_cr_that_fails_leaves_the_others() {
    let mut world = scene();
    world.plugin.on("reconcile a", broken);
    let report = world.full();
    assert!(!report.is_success());
    assert_eq!((report.synced, report.failed), (3, 1));
    assert_eq!(world.status("a"), "Failed ReconcileError: 409 not now");
}

#[test]
fn a_group_that_cannot_connect_fails_its_own_crs_only() {
    for (call, what) in [("connect north", "connection failed"), ("ready north", "API unavailable")] {
        let mut world = scene();
        world.plugin.on(call, not_ready);
        let report = world.tick();
        assert_eq!((report.synced, report.failed), (1, 3));
        for name in ["a", "b", "c"] {
            assert_eq!(world.status(name), format!("Failed ReconcileError: Cloud {what}: 503 starting"));
        }
        assert_eq!(world.status("far"), "Synced");
        assert_eq!(world.calls().iter().filter(|each| *each == call).count(), 1);
    }
}

#[test]
fn a_group_error_stops_the_group_and_it_is_not_tried_again() {
    let mut world = scene();
    world.plugin.on("reconcile b", refused);
    let report = world.full();
    assert_eq!((report.synced, report.failed), (2, 2));
    assert_eq!(reconciled(&world), ["a", "b", "far"]);
    for name in ["b", "c"] {
        assert_eq!(world.status(name), "Failed LoginRefused: 401 the credentials are not accepted");
    }
}

#[test]
fn two_failures_in_a_row_of_a_service_that_is_down_end_the_group() {
    let mut world = scene();
    world.plugin.on("reconcile a", not_ready);
    world.plugin.on("reconcile b", not_ready);
    let report = world.full();
    assert_eq!((report.synced, report.failed), (1, 3));
    assert_eq!(reconciled(&world), ["a", "b", "far"]);
    assert_eq!(world.status("c"), "Failed ReconcileError: 503 starting");
}

#[test]
fn two_that_are_not_in_a_row_do_not() {
    let mut world = scene();
    world.plugin.on("reconcile a", not_ready);
    world.plugin.on("reconcile c", not_ready);
    assert_eq!(world.full().synced, 2);
    assert_eq!(reconciled(&world), ["a", "b", "c", "far"]);
}

#[test]
fn a_full_run_waits_for_a_service_that_is_not_ready() {
    for call in ["connect north", "ready north"] {
        let mut world = scene();
        world.plugin.on_times(call, 3, not_ready);
        assert!(world.full().is_success());
        assert_eq!(world.calls().iter().filter(|each| *each == call).count(), 4);
    }
}

#[test]
fn a_due_run_tries_once() {
    let mut world = scene();
    world.plugin.on_times("connect north", 1, not_ready);
    assert!(!world.tick().is_success());
    assert_eq!(world.calls().iter().filter(|call| *call == "connect north").count(), 1);
}

#[test]
fn the_attempts_are_one_budget_for_the_whole_run() {
    let mut world = scene();
    world.set("READY_RETRIES", "5");
    world.plugin.on("connect north", not_ready);
    world.plugin.on("connect south", not_ready);
    let report = world.full();
    assert_eq!(report.failed, 4);
    let calls = world.calls();
    let count = |call: &str| calls.iter().filter(|each| *each == call).count();
    assert_eq!((count("connect north"), count("connect south")), (5, 1));
}

#[test]
fn other_errors_are_not_waited_for() {
    for look in [refused, broken] {
        let mut world = scene();
        world.plugin.on("connect north", look);
        world.full();
        assert_eq!(world.calls().iter().filter(|call| *call == "connect north").count(), 1);
    }
}

#[test]
fn namespaces_are_groups_of_their_own() {
    let mut world = scene();
    world.cloud.kube().create(json!({
        "apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"namespace": "m", "name": "z"},
        "spec": {"at": "north", "name": "z", "size": 1},
    }));
    assert!(world.full().is_success());
    assert_eq!(world.calls().iter().filter(|call| *call == "connect north").count(), 2);
}

#[test]
fn a_secret_is_read_in_the_namespace_of_the_group_and_its_errors_say_what_they_mean() {
    let world = World::new();
    let kube = |world: &World| LazyKube::with_client(world.client());
    let read = |world: &World, namespace: &str| -> Result<String, PluginError> {
        let data = Secrets::new(&kube(world), namespace).get("creds")?;
        Ok(data.text("key").expect("text").expect("a key").expose().to_owned())
    };
    world.cloud.kube().create(json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": {"namespace": NS, "name": "creds"},
        "stringData": {"key": "value"},
    }));
    assert_eq!(read(&world, NS).unwrap(), "value");
    let missing = read(&world, "default").unwrap_err();
    assert!(missing.is_group() && missing.reason() == REASON_RECONCILE_ERROR);
    assert_eq!(missing.to_string(), "secret \"creds\" does not exist in namespace \"default\"");
    for (action, ready_later) in [
        (Action::CutBefore, true),
        (Action::answer(503, Value::Null), true),
        (Action::answer(429, Value::Null), true),
        (Action::answer(403, Value::Null), false),
    ] {
        world.cloud.inject(Fault::new(Service::Kubernetes, "/secrets/creds", action.clone()));
        let error = read(&world, NS).unwrap_err();
        assert_eq!(error.is_not_ready(), ready_later, "{action:?}");
        assert_eq!(error.is_group(), !ready_later, "{action:?}");
        assert!(error.to_string().contains("\"creds\""), "{error}");
        world.cloud.clear_faults();
    }
}
