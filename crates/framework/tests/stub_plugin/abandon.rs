//! CRs that their owners give up.

use framework::ABANDON_ANNOTATION;
use serde_json::json;

use crate::widgets::{broken, not_ready, refused};
use crate::world::World;

/// `a` is in place, annotated and deleted.
fn abandoned() -> World {
    let mut world = World::new();
    world.settled(&["a", "stays"]);
    world.edit("a", json!({"metadata": {"annotations": {ABANDON_ANNOTATION: "true"}}}));
    world.delete("a");
    world
}

#[test]
fn if_the_cloud_answers_the_marker_goes_and_then_the_finalizer() {
    for full in [true, false] {
        let mut world = abandoned();
        let report = if full { world.full() } else { world.tick() };
        assert!(report.is_success());
        assert_eq!(report.released, 1);
        assert!(!world.exists("a"));
        assert_eq!(world.plugin.names("north"), ["(a)", "stays"]);
        world.assert_settled();
    }
}

#[test]
fn if_it_does_not_only_the_finalizer_goes_with_a_warning() {
    for look in [not_ready, refused] {
        let mut world = abandoned();
        world.plugin.on("connect north", look);
        let report = world.tick();
        assert_eq!(report.released, 1);
        assert!(!world.exists("a"));
        assert_eq!(world.plugin.names("north"), ["a", "stays"]);
        assert_eq!(world.log_count("a later prune may take it"), 1);
    }
}

#[test]
fn what_could_not_be_unmarked_is_not_deleted_in_the_same_run() {
    let mut world = abandoned();
    world.plugin.on("unmark north/a", broken);
    world.full();
    assert!(!world.exists("a"));
    assert_eq!(world.plugin.names("north"), ["a", "stays"]);
}

#[test]
fn it_goes_in_spite_of_doubt() {
    let mut world = abandoned();
    world.store("bad", json!({"at": 3}), json!({}));
    world.tick();
    assert!(!world.exists("a"));
    assert_eq!(world.plugin.names("north"), ["(a)", "stays"]);
}

#[test]
fn a_widget_that_a_live_cr_claims_keeps_its_marker() {
    let mut world = abandoned();
    world.cr("heir", json!({"name": "a"}));
    assert!(world.tick().is_success());
    assert!(!world.exists("a"));
    assert_eq!(world.plugin.names("north"), ["a", "stays"]);
}

#[test]
fn only_the_word_true_abandons() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.edit("a", json!({"metadata": {"annotations": {ABANDON_ANNOTATION: "yes"}}}));
    world.delete("a");
    assert!(world.tick().is_success());
    assert!(world.plugin.names("north").is_empty());
}

#[test]
fn a_live_cr_with_the_annotation_is_reconciled_as_ever() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.edit("a", json!({"metadata": {"annotations": {ABANDON_ANNOTATION: "true"}}}));
    assert!(world.full().is_success());
    assert_eq!(world.plugin.names("north"), ["a"]);
}

#[test]
fn a_deleted_event_of_an_abandoned_cr_cleans_nothing() {
    let mut world = abandoned();
    let last = world.get("a");
    world.edit("a", json!({"metadata": {"finalizers": []}}));
    assert!(world.event("Deleted", last).is_success());
    assert_eq!(world.plugin.names("north"), ["a", "stays"]);
}

#[test]
fn a_group_that_was_stopped_is_not_tried_again_for_it() {
    let mut world = abandoned();
    world.cr("stays", json!({"size": 2}));
    world.plugin.on("reconcile stays", refused);
    world.tick();
    assert!(!world.exists("a"));
    assert!(!world.calls().iter().any(|call| call == "abandon a"));
}
