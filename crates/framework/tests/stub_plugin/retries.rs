//! How failures are tried again: eagerly, then in turns.

use framework::PluginError;
use serde_json::json;

use crate::widgets::{broken, not_ready, refused};
use crate::world::World;

/// Lets `minutes` pass, with a tick in each; counts the ticks in which the group was connected.
fn attempts(world: &mut World, minutes: usize) -> usize {
    let mut attempts = 0;
    for _ in 0..minutes {
        world.later(60);
        world.forget();
        world.tick();
        attempts += usize::from(world.calls().iter().any(|call| call == "connect north"));
    }
    attempts
}

#[test]
fn a_failure_is_tried_on_every_tick_for_five_minutes_and_then_on_every_tenth() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.plugin.on("reconcile a", broken);
    world.tick();
    assert_eq!(attempts(&mut world, 4), 4);
    assert_eq!(attempts(&mut world, 10), 1);
    assert_eq!(attempts(&mut world, 10), 1);
    world.plugin.heal();
    assert_eq!(attempts(&mut world, 10), 1);
    assert_eq!(world.status("a"), "Synced");
}

#[test]
fn a_cr_that_is_changed_is_tried_at_once() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.plugin.on("reconcile a", broken);
    world.tick();
    world.later(3600);
    world.cr("a", json!({"size": 2}));
    assert_eq!(attempts(&mut world, 1), 1);
}

#[test]
fn a_refused_login_waits_for_its_turn_from_the_first_failure_on() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.plugin.on("connect north", refused);
    world.tick();
    assert_eq!(
        world.status("a"),
        "Failed LoginRefused: Cloud connection failed: 401 the credentials are not accepted"
    );
    assert_eq!(attempts(&mut world, 10), 1);
}

#[test]
fn a_full_run_tries_everything() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.plugin.on("connect north", refused);
    world.tick();
    world.plugin.heal();
    assert_eq!(world.full().synced, 1);
}

#[test]
fn a_rarer_crontab_tries_on_every_tick() {
    let mut world = World::new();
    world.set("CATCH_UP_CRONTAB", "*/5 * * * *");
    world.cr("a", json!({}));
    world.plugin.on("connect north", refused);
    world.tick();
    assert_eq!(attempts(&mut world, 10), 10);
}

#[test]
fn an_invalid_spec_waits_for_a_new_generation_or_a_full_run() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.plugin.on("reconcile a", || Err(PluginError::invalid_spec("too large")));
    world.tick();
    assert_eq!(world.status("a"), "Failed InvalidSpec: too large");
    assert_eq!(attempts(&mut world, 30), 0);
    world.full();
    assert_eq!(world.calls(), ["connect north", "ready north", "reconcile a"]);
    world.plugin.heal();
    assert_eq!(attempts(&mut world, 10), 0);
    world.cr("a", json!({"size": 2}));
    assert_eq!(attempts(&mut world, 1), 1);
    assert_eq!(world.status("a"), "Synced");
}

#[test]
fn a_spec_that_does_not_parse_waits_the_same_way_without_a_connection() {
    let mut world = World::new();
    world.store("a", json!({"at": "north", "name": "a", "size": "big"}), json!({}));
    world.tick();
    assert!(world.status("a").starts_with("Failed InvalidSpec: spec: "), "{}", world.status("a"));
    assert!(world.calls().is_empty());
    assert_eq!(attempts(&mut world, 10), 0);
}

#[test]
fn a_deletion_is_tried_on_every_tick_for_five_minutes_and_then_on_every_tenth() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.delete("a");
    world.plugin.on("connect north", not_ready);
    assert_eq!(attempts(&mut world, 4), 4);
    world.later(600);
    assert_eq!(attempts(&mut world, 10), 1);
    world.plugin.heal();
    assert_eq!(attempts(&mut world, 10), 1);
    assert!(!world.exists("a"));
}

#[test]
fn a_deletion_whose_login_is_refused_waits_for_its_turn_at_once() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.delete("a");
    world.plugin.on("connect north", refused);
    world.full();
    assert_eq!(
        world.status("a"),
        "Failed LoginRefused: waiting: Cloud connection failed: 401 the credentials are not accepted"
    );
    assert_eq!(attempts(&mut world, 10), 1);
}

#[test]
fn a_change_of_finalizer_policy_is_due_at_once() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.set("PRUNE", "false");
    assert_eq!(world.tick().synced, 1);
    assert!(!world.is_held("a"));
    world.set("PRUNE", "true");
    assert_eq!(world.tick().synced, 1);
    assert!(world.is_held("a"));
}
