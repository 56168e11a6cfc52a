//! The record of the credentials that hold resources of a CR, and CRs that move to others.

use std::rc::Rc;

use devcloud::{Action, Fault, Service};
use framework::{ABANDON_ANNOTATION, APPLIED_ANNOTATION};
use serde_json::{Value, json};

use crate::widgets::{broken, not_ready, refused};
use crate::world::World;

const NORTH: &str = r#"["north"]"#;
const BOTH: &str = r#"["north","south"]"#;
const SOUTH: &str = r#"["south"]"#;

/// `a` is in place at north and was just moved to `at`; another CR keeps both clouds' lists from being empty.
fn moved(at: &str) -> World {
    let mut world = World::new();
    world.plugin.add("south", "theirs", false);
    world.settled(&["a", "stays"]);
    world.cr("a", json!({"at": at}));
    world
}

fn without_record(world: &World, name: &str) {
    world.edit(name, json!({"metadata": {"annotations": {APPLIED_ANNOTATION: null}}}));
}

#[test]
fn a_new_cr_gets_its_record_with_its_finalizer_in_one_write() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.tick();
    assert_eq!(world.applied("a").as_deref(), Some(NORTH));
    assert_eq!(world.requests(), ["PATCH a", "PATCH a/status"]);
}

#[test]
fn a_move_is_recorded_before_the_first_write_and_shortened_when_the_old_cloud_is_clean() {
    let mut world = moved("south");
    let recorded = {
        let cloud = Rc::clone(&world.cloud);
        move || {
            let object = cloud.kube().get("Widget", "n", "a").unwrap();
            object["metadata"]["annotations"][APPLIED_ANNOTATION].as_str().unwrap_or_default().to_owned()
        }
    };
    let (at_create, at_delete) = (recorded.clone(), recorded);
    world.plugin.on("create south/a", move || {
        assert_eq!(at_create(), BOTH);
        Ok(())
    });
    world.plugin.on("delete north/a", move || {
        assert_eq!(at_delete(), BOTH);
        Ok(())
    });
    assert!(world.tick().is_success(), "{:?}", world.logs());
    assert_eq!(world.applied("a").as_deref(), Some(SOUTH));
    assert_eq!(world.plugin.names("north"), ["stays"]);
    assert_eq!(world.plugin.names("south"), ["(theirs)", "a"]);
    assert_eq!(world.status("a"), "Synced");
    assert!(world.calls().contains(&"delete north/a".to_owned()));
    world.assert_settled();
}

#[test]
fn the_old_cloud_is_cleaned_only_after_a_success_in_the_new_one() {
    let mut world = moved("south");
    world.plugin.on("create south/a", broken);
    assert!(!world.tick().is_success());
    assert_eq!(world.plugin.names("north"), ["a", "stays"]);
    assert_eq!(world.applied("a").as_deref(), Some(BOTH));
    world.plugin.heal();
    assert!(world.tick().is_success());
    assert_eq!(world.plugin.names("north"), ["stays"]);
    assert_eq!(world.applied("a").as_deref(), Some(SOUTH));
}

#[test]
fn a_move_within_one_cloud_only_shortens_the_record() {
    let mut world = moved("north-internal");
    assert!(world.tick().is_success());
    assert_eq!(world.applied("a").as_deref(), Some(r#"["north-internal"]"#));
    assert_eq!(world.plugin.names("north"), ["a", "stays"]);
    assert!(!world.calls().iter().any(|call| call.starts_with("delete")));
}

#[test]
fn a_move_and_back_before_any_success_leaves_everything() {
    let mut world = moved("south");
    world.plugin.on("create south/a", broken);
    world.tick();
    world.plugin.heal();
    world.cr("a", json!({"at": "north"}));
    assert!(world.tick().is_success(), "{:?}", world.logs());
    assert_eq!(world.applied("a").as_deref(), Some(NORTH));
    assert_eq!(world.plugin.names("north"), ["a", "stays"]);
}

#[test]
fn an_old_cloud_that_cannot_be_reached_blocks_the_cleanup_until_it_answers() {
    let mut world = moved("south");
    world.plugin.on("connect north", not_ready);
    assert!(!world.tick().is_success());
    assert_eq!(world.status("a"), "Failed CleanupBlocked: waiting: Cloud connection failed: 503 starting");
    assert_eq!(world.plugin.names("south"), ["(theirs)", "a"], "it is in place in the new one");
    assert_eq!(world.applied("a").as_deref(), Some(BOTH));
    world.plugin.heal();
    assert!(world.tick().is_success());
    assert_eq!((world.status("a").as_str(), world.applied("a").as_deref()), ("Synced", Some(SOUTH)));
    assert_eq!(world.plugin.names("north"), ["stays"]);
}

#[test]
fn an_old_cloud_that_refuses_the_login_is_asked_in_turns() {
    let mut world = moved("south");
    world.plugin.on("connect north", refused);
    world.tick();
    assert!(world.status("a").starts_with("Failed LoginRefused: waiting: "), "{}", world.status("a"));
    world.forget();
    for _ in 0..10 {
        world.later(60);
        world.tick();
    }
    assert_eq!(world.calls().iter().filter(|call| *call == "connect north").count(), 1);
}

#[test]
fn an_old_cloud_that_is_gone_for_good_is_given_up_with_the_annotation() {
    let mut world = moved("south");
    world.plugin.on("connect north", not_ready);
    world.tick();
    world.edit("a", json!({"metadata": {"annotations": {ABANDON_ANNOTATION: "true"}}}));
    world.logs();
    world.tick();
    assert_eq!((world.status("a").as_str(), world.applied("a").as_deref()), ("Synced", Some(SOUTH)));
    assert_eq!(world.log_count("what its former credentials hold is abandoned"), 1);
}

#[test]
fn what_an_old_cloud_can_still_clean_is_not_given_up_with_the_annotation() {
    let mut world = moved("south");
    world.plugin.change("north", "a", |widget| widget.in_use = true);
    world.edit("a", json!({"metadata": {"annotations": {ABANDON_ANNOTATION: "true"}}}));
    world.tick();
    assert_eq!(world.status("a"), "Failed CleanupBlocked: waiting: widget \"a\" is in use");
    assert_eq!(world.applied("a").as_deref(), Some(BOTH));
}

#[test]
fn doubt_holds_a_move_back_too() {
    let mut world = moved("south");
    world.store("bad", json!({"at": 3}), json!({}));
    world.tick();
    assert_eq!(world.status("a"), "Failed CleanupBlocked: waiting: n/bad cannot be read");
    assert_eq!(world.plugin.names("north"), ["a", "stays"]);
}

#[test]
fn a_cr_that_is_deleted_in_the_midst_of_a_move_is_cleaned_in_both_clouds() {
    let mut world = moved("south");
    world.plugin.on("connect north", not_ready);
    world.tick();
    world.delete("a");
    assert!(!world.tick().is_success());
    assert!(world.is_held("a"), "one of its clouds is not clean");
    assert_eq!(world.plugin.names("south"), ["(theirs)"]);
    world.plugin.heal();
    assert!(world.tick().is_success(), "{:?}", world.logs());
    assert!(!world.exists("a"));
    assert_eq!(world.plugin.names("north"), ["stays"]);
}

#[test]
fn a_missing_record_is_written_by_a_full_run_only() {
    let mut world = World::new();
    world.settled(&["a"]);
    without_record(&world, "a");
    assert_eq!(world.tick().current, 1, "it is no reason to be due");
    world.cr("a", json!({"size": 2}));
    world.tick();
    assert_eq!(world.applied("a"), None);
    world.full();
    assert_eq!(world.applied("a").as_deref(), Some(NORTH));
    world.assert_settled();
}

#[test]
fn without_finalizers_there_are_no_records() {
    let mut world = World::new();
    world.set("PRUNE", "false");
    world.settled(&["a"]);
    assert_eq!(world.applied("a"), None);
    world.cr("a", json!({"at": "south"}));
    world.full();
    assert_eq!(world.applied("a"), None);
    assert_eq!(world.plugin.names("north"), ["a"], "and no move is cleaned");
}

#[test]
fn a_record_that_changed_during_the_run_is_not_overwritten() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.delete("a");
    let cloud = Rc::clone(&world.cloud);
    world.plugin.on_times("prune north", 1, move || {
        let both = json!({"metadata": {"annotations": {APPLIED_ANNOTATION: BOTH}}});
        crate::world::edit(&cloud, "a", both);
        Ok(())
    });
    assert!(!world.tick().is_success(), "south was not cleaned");
    assert!(world.is_held("a"));
    assert!(world.tick().is_success());
    assert!(!world.exists("a"));
}

#[test]
fn a_record_that_cannot_be_shortened_is_shortened_by_the_next_run() {
    let mut world = moved("south");
    let fault = Fault::new(Service::Kubernetes, "*/widgets/a", Action::answer(500, Value::Null));
    // The first patch is the longer record.
    world.cloud.inject(fault.method("PATCH").skip(1).times(1));
    world.tick();
    assert_eq!(world.applied("a").as_deref(), Some(BOTH));
    assert!(world.tick().is_success());
    assert_eq!(world.applied("a").as_deref(), Some(SOUTH));
}
