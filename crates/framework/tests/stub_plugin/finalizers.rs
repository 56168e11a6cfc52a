//! Our finalizer: when it comes, when it goes, and that others' stay.

use std::rc::Rc;

use devcloud::{Action, Fault, Service};
use framework::{FINALIZER, PluginError};
use serde_json::{Value, json};

use crate::widgets::{broken, not_ready};
use crate::world::{World, edit};

const OTHERS: &str = "x.org/y";

fn fault(world: &World, method: &str, path: &str, status: u16, body: Value) {
    let fault = Fault::new(Service::Kubernetes, path, Action::answer(status, body));
    world.cloud.inject(fault.method(method));
}

/// Somebody else writes the CR just before our patch arrives, `times` times.
fn race(world: &World, times: usize) {
    let conflict = json!({"kind": "Status", "status": "Failure", "reason": "Conflict", "code": 409,
        "message": "the object has been modified"});
    let fault = Fault::new(Service::Kubernetes, "/widgets/a", Action::answer(409, conflict));
    world.cloud.inject(fault.method("PATCH").times(times));
}

#[test]
fn it_is_added_when_the_group_is_connected_and_before_the_first_write() {
    let mut world = World::new();
    world.cr("a", json!({}));
    let cloud = Rc::clone(&world.cloud);
    let held = move || cloud.kube().get("Widget", "n", "a").unwrap()["metadata"].get("finalizers").is_some();
    let (early, late) = (held.clone(), held);
    world.plugin.on("ready north", move || {
        assert!(!early(), "not before the group is ready");
        Ok(())
    });
    world.plugin.on("reconcile a", move || {
        assert!(late(), "before anything is written");
        Ok(())
    });
    assert!(world.tick().is_success());
    assert!(world.is_held("a"));
}

#[test]
fn a_typo_in_the_credentials_does_not_make_a_new_cr_undeletable() {
    let mut world = World::new();
    world.cr("a", json!({"at": "nroth"}));
    world.tick();
    assert_eq!(
        world.status("a"),
        "Failed ReconcileError: Cloud connection failed: there is no cloud \"nroth\""
    );
    assert!(!world.is_held("a"));
    world.delete("a");
    assert!(!world.exists("a"));
}

#[test]
fn a_typo_in_the_credentials_does_not_make_a_cr_in_place_undeletable() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.cr("a", json!({"at": "nroth"}));
    world.tick();
    assert_eq!(world.applied("a").as_deref(), Some(r#"["north"]"#), "nothing was written there");
    world.delete("a");
    let report = world.full();
    assert!(report.is_success(), "{:?}", world.logs());
    assert!(!world.exists("a"));
    assert!(world.plugin.names("north").is_empty());
}

#[test]
fn a_cr_that_was_in_place_gets_it_even_if_the_cloud_does_not_answer() {
    let mut world = World::new();
    world.set("PRUNE", "false");
    world.settled(&["a"]);
    world.set("PRUNE", "true");
    world.plugin.on("connect north", not_ready);
    assert!(!world.tick().is_success());
    assert!(world.is_held("a"));
    world.plugin.heal();
    world.tick();
    world.assert_settled();
}

#[test]
fn a_cr_that_never_was_does_not() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.plugin.on("connect north", not_ready);
    world.tick();
    assert!(!world.is_held("a"));
}

#[test]
fn others_writers_finalizers_are_never_touched() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.edit("a", json!({"metadata": {"finalizers": [OTHERS]}}));
    world.full();
    assert_eq!(world.finalizers("a"), [OTHERS, FINALIZER]);
    world.delete("a");
    assert!(world.full().is_success());
    assert_eq!(world.finalizers("a"), [OTHERS]);
    world.requests();
    world.full();
    assert!(world.requests().is_empty(), "what is left is theirs");
}

#[test]
fn a_race_is_tried_again_and_keeps_what_the_other_wrote() {
    let mut world = World::new();
    world.cr("a", json!({}));
    let cloud = Rc::clone(&world.cloud);
    world.plugin.on_times("ready north", 1, move || {
        edit(&cloud, "a", json!({"metadata": {"finalizers": [OTHERS]}}));
        Ok(())
    });
    assert!(world.tick().is_success());
    assert_eq!(world.finalizers("a"), [OTHERS, FINALIZER]);
    assert_eq!(world.requests(), ["PATCH a", "GET a", "PATCH a", "PATCH a/status"]);
}

#[test]
fn a_race_at_the_release_is_tried_again_and_keeps_what_the_other_wrote() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.edit("a", json!({"metadata": {"finalizers": [FINALIZER, OTHERS]}}));
    world.delete("a");
    let cloud = Rc::clone(&world.cloud);
    world.plugin.on("prune north", move || {
        edit(&cloud, "a", json!({"metadata": {"labels": {"x": "y"}}}));
        Ok(())
    });
    assert!(world.tick().is_success());
    assert_eq!(world.finalizers("a"), [OTHERS]);
}

#[test]
fn a_race_that_does_not_end_is_a_failure_after_three_attempts() {
    let mut world = World::new();
    world.cr("a", json!({}));
    race(&world, 2);
    assert!(world.tick().is_success(), "two are survived");
    world.cr("a", json!({"size": 2}));
    world.edit("a", json!({"metadata": {"finalizers": []}}));
    race(&world, 3);
    world.forget();
    assert!(!world.tick().is_success());
    assert!(!world.is_held("a"));
    assert!(world.status("a").starts_with(
        "Failed ReconcileError: Unable to add finalizer before reconciling: others kept changing the object"
    ));
    let patches = world.requests().iter().filter(|request| *request == "PATCH a").count();
    assert_eq!(patches, 3);
    assert_eq!(world.plugin.widgets("north")[0].size, 1, "it was not reconciled");
}

#[test]
fn a_cr_that_is_deleted_meanwhile_is_left_to_the_next_run() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.edit("a", json!({"metadata": {"finalizers": [OTHERS]}}));
    let cloud = Rc::clone(&world.cloud);
    world.plugin.on_times("ready north", 1, move || {
        cloud.kube().delete("Widget", "n", "a");
        Ok(())
    });
    let report = world.tick();
    assert!(report.is_success());
    assert_eq!((report.waiting, report.failed), (1, 0));
    assert!(world.plugin.names("north").is_empty(), "nothing is made for it");
    assert_eq!(world.status("a"), "none");
}

#[test]
fn a_422_means_deletion_only_if_the_cr_is_being_deleted() {
    let invalid = json!({"kind": "Status", "status": "Failure", "reason": "Invalid", "code": 422,
        "message": "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted"});
    let mut world = World::new();
    world.cr("a", json!({}));
    world.cr("b", json!({}));
    fault(&world, "PATCH", "/widgets/a", 422, invalid.clone());
    let report = world.tick();
    assert!(!report.is_success(), "an admission policy that refuses is a failure");
    world.cloud.clear_faults();

    let mut world = World::new();
    world.cr("a", json!({}));
    world.edit("a", json!({"metadata": {"finalizers": [OTHERS]}}));
    let tick = world.schedule("catch-up");
    world.delete("a");
    fault(&world, "PATCH", "/widgets/a", 422, invalid);
    let report = world.run(framework::Contexts::Bindings(vec![tick]));
    assert!(report.is_success());
    assert_eq!(report.waiting, 1);
}

#[test]
fn a_cr_that_is_gone_meanwhile_is_no_failure() {
    let mut world = World::new();
    world.cr("a", json!({}));
    let tick = world.schedule("catch-up");
    world.delete("a");
    let report = world.run(framework::Contexts::Bindings(vec![tick]));
    assert!(report.is_success());
    assert!(world.plugin.names("north").is_empty());
}

#[test]
fn a_cr_that_was_made_again_meanwhile_is_another_one() {
    let mut world = World::new();
    world.cr("a", json!({}));
    let tick = world.schedule("catch-up");
    world.delete("a");
    world.cr("a", json!({"size": 3}));
    assert!(world.run(framework::Contexts::Bindings(vec![tick])).is_success());
    assert!(!world.is_held("a"));
    assert_eq!(world.status("a"), "none");
    assert!(world.tick().is_success());
    assert_eq!(world.plugin.widgets("north")[0].size, 3);
}

#[test]
fn a_stale_one_is_removed_from_live_deleting_and_unreadable_crs() {
    let mut world = World::new();
    world.settled(&["live", "going"]);
    world.delete("going");
    let held = json!({"finalizers": [FINALIZER, OTHERS]});
    world.store("bad", json!({"at": 3}), held.clone());
    let mut deleting = held;
    deleting["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
    world.store("both", json!({"at": 3}), deleting);
    world.set("PRUNE", "false");
    world.tick();
    assert!(!world.is_held("live") && !world.exists("going"));
    assert_eq!(
        (world.finalizers("bad"), world.finalizers("both")),
        (vec![OTHERS.into()], vec![OTHERS.into()])
    );
    assert_eq!(world.applied("live"), None, "the record goes with it");
    assert_eq!(world.plugin.names("north"), ["going", "live"]);
}

#[test]
fn our_own_status_write_is_no_race_for_the_write_that_follows() {
    let mut world = World::new();
    world.set("PRUNE", "false");
    world.store("bad", json!({"at": 3}), json!({"finalizers": [FINALIZER, OTHERS]}));
    world.tick();
    assert_eq!(world.finalizers("bad"), [OTHERS]);
    assert_eq!(world.requests(), ["PATCH bad/status", "PATCH bad"]);
}

#[test]
fn a_stale_one_is_removed_though_the_cloud_is_down() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.set("PRUNE", "false");
    world.plugin.on("connect north", not_ready);
    world.tick();
    assert!(!world.is_held("a"));
}

#[test]
fn a_stale_one_that_cannot_be_removed_fails_the_cr() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.set("PRUNE", "false");
    fault(&world, "PATCH", "*/widgets/a", 500, Value::Null);
    assert!(!world.tick().is_success());
    assert!(world.status("a").contains("Unable to remove disabled finalizer before reconciling"));
    assert!(world.calls().is_empty(), "it is not reconciled");
}

#[test]
fn a_release_comes_only_after_the_cleanup() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.delete("a");
    world.plugin.on("delete north/a", broken);
    assert!(!world.tick().is_success());
    assert!(world.is_held("a"));
    world.plugin.heal();
    let cloud = Rc::clone(&world.cloud);
    world.plugin.on("delete north/a", move || {
        let object = cloud.kube().get("Widget", "n", "a").unwrap();
        assert_eq!(object["metadata"]["finalizers"], json!([FINALIZER]));
        Ok(())
    });
    assert!(world.tick().is_success());
    assert!(!world.exists("a"));
}

#[test]
fn a_release_of_a_cr_that_is_gone_is_a_success() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.delete("a");
    let cloud = Rc::clone(&world.cloud);
    world.plugin.on("prune north", move || {
        edit(&cloud, "a", json!({"metadata": {"finalizers": null}}));
        Ok(())
    });
    let report = world.tick();
    assert!(report.is_success());
    assert_eq!(report.released, 1);
}

#[test]
fn a_404_of_the_crd_is_no_release() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.delete("a");
    fault(&world, "PATCH", "/widgets/a", 404, json!("404 page not found"));
    let report = world.tick();
    assert!(!report.is_success());
    assert_eq!((report.released, report.failed), (0, 1));
}

#[test]
fn a_failed_release_is_tried_again() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.delete("a");
    fault(&world, "PATCH", "/widgets/a", 503, Value::Null);
    assert!(!world.tick().is_success());
    assert!(world.plugin.names("north").is_empty());
    world.cloud.clear_faults();
    assert!(world.tick().is_success());
    assert!(!world.exists("a"));
}

#[test]
fn a_deleting_cr_without_ours_gets_no_write() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.edit("a", json!({"metadata": {"finalizers": [OTHERS]}}));
    world.delete("a");
    let report = world.full();
    assert!(report.is_success());
    assert_eq!(report.waiting, 1);
    assert!(world.requests().is_empty());
}

#[test]
fn a_failing_cr_that_is_deleted_can_go() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.plugin.on("reconcile a", || Err(PluginError::cr("quota exceeded")));
    world.tick();
    assert!(world.is_held("a"));
    world.delete("a");
    assert!(world.tick().is_success());
    assert!(!world.exists("a"));
}
