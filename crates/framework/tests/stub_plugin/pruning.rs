//! What goes besides the things of deleted CRs: what nobody claims, and leftovers; and how much of it.

use framework::Contexts;
use serde_json::{Value, json};

use crate::world::World;

/// `keep` is in place, and the cloud holds `count` managed widgets that no CR claims.
fn strays(count: usize) -> World {
    let mut world = World::new();
    world.settled(&["keep"]);
    for index in 0..count {
        world.plugin.add("north", &format!("stray-{index:02}"), true);
    }
    world
}

fn left(world: &World) -> usize {
    world.plugin.names("north").iter().filter(|name| name.starts_with("stray")).count()
}

#[test]
fn what_nobody_claims_goes_in_a_full_run_up_to_the_limit() {
    let mut world = strays(10);
    assert!(world.full().is_success());
    assert_eq!(left(&world), 0);
}

#[test]
fn above_the_limit_none_of_it_goes_and_each_is_listed() {
    let mut world = strays(11);
    let report = world.full();
    assert!(!report.is_success());
    assert_eq!(left(&world), 11);
    let logs = world.logs();
    for index in 0..11 {
        let name = format!("\"stray-{index:02}\" is managed, and no CR claims it");
        assert_eq!(logs.iter().filter(|line| line.contains(&name)).count(), 1, "{name}");
    }
    assert_eq!(logs.iter().filter(|line| line.contains("P_PRUNE_LIMIT=10")).count(), 1);
    world.set("PRUNE_LIMIT", "11");
    assert!(world.full().is_success());
    assert_eq!(left(&world), 0);
}

#[test]
fn a_limit_of_zero_means_never() {
    let mut world = strays(1);
    world.set("PRUNE_LIMIT", "0");
    assert!(world.full().is_success());
    assert_eq!(left(&world), 1);
}

#[test]
fn the_limit_is_that_of_the_run_and_not_of_each_group() {
    let mut world = strays(6);
    world.cr("far", json!({"at": "south"}));
    for index in 0..5 {
        world.plugin.add("south", &format!("lost-{index}"), true);
    }
    assert!(!world.full().is_success());
    assert_eq!(left(&world), 0, "six of ten");
    assert_eq!(world.plugin.names("south").len(), 6, "five more would be eleven");
    assert!(world.full().is_success(), "the next run has its own limit");
    assert_eq!(world.plugin.names("south"), ["far"]);
}

#[test]
fn two_groups_of_one_cloud_count_the_same_widgets_once() {
    let mut world = strays(6);
    world.cr("near", json!({"at": "north-internal"}));
    assert!(world.full().is_success(), "{:?}", world.logs());
    assert_eq!(left(&world), 0);
}

#[test]
fn a_due_run_leaves_what_nobody_claims() {
    let mut world = strays(1);
    world.cr("new", json!({}));
    assert!(world.tick().is_success());
    assert_eq!(left(&world), 1);
}

#[test]
fn a_due_run_that_deletes_takes_the_claims_of_deleted_crs_and_nothing_else() {
    let mut world = strays(1);
    world.cr("going", json!({}));
    world.full();
    world.plugin.add("north", "stray-new", true);
    world.delete("going");
    assert!(world.tick().is_success());
    assert_eq!(world.plugin.names("north"), ["keep", "stray-new"]);
}

#[test]
fn deleted_crs_are_not_counted_by_the_limit() {
    let mut world = World::new();
    let names: Vec<String> = (0..12).map(|index| format!("cr-{index}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    world.settled(&names);
    names.iter().for_each(|name| {
        world.delete(name);
    });
    let report = world.full();
    assert!(report.is_success());
    assert_eq!(report.released, 12);
    assert!(world.plugin.names("north").is_empty());
}

#[test]
fn the_old_thing_of_a_renamed_claim_goes_with_the_next_full_run() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.cr("a", json!({"name": "renamed"}));
    assert!(world.tick().is_success());
    assert_eq!(world.plugin.names("north"), ["a", "renamed"]);
    assert!(world.full().is_success());
    assert_eq!(world.plugin.names("north"), ["renamed"]);
}

#[test]
fn what_is_not_managed_never_goes() {
    let mut world = World::new();
    world.plugin.add("north", "theirs", false);
    world.settled(&["a"]);
    world.delete("a");
    assert!(world.full().is_success());
    assert_eq!(world.plugin.names("north"), ["(theirs)"]);
}

#[test]
fn an_empty_snapshot_deletes_nothing() {
    let mut world = strays(3);
    let nightly = json!({"binding": "periodic sync", "type": "Schedule", "snapshots": {"widgets": []}});
    assert!(world.run(Contexts::Bindings(vec![nightly])).is_success());
    assert_eq!(world.plugin.names("north").len(), 4);
    assert!(world.calls().is_empty(), "no CR names credentials");
}

#[test]
fn a_half_empty_snapshot_does_not_empty_a_cloud() {
    let mut world = World::new();
    let names: Vec<String> = (0..12).map(|index| format!("cr-{index:02}")).collect();
    world.settled(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let mut nightly = world.schedule("periodic sync");
    nightly["snapshots"]["widgets"].as_array_mut().unwrap().truncate(1);
    assert!(!world.run(Contexts::Bindings(vec![nightly])).is_success());
    assert_eq!(world.plugin.names("north").len(), 12);
}

#[test]
fn leftovers_are_swept_in_full_runs_under_both_policies() {
    for prune in ["true", "false"] {
        let mut world = World::new();
        world.set("PRUNE", prune);
        world.settled(&["a"]);
        world.plugin.add_scraps("north", 20);
        world.cr("a", json!({"size": 2}));
        world.tick();
        assert_eq!(world.plugin.scraps("north"), 20, "a due run that deletes nothing sweeps nothing");
        assert!(world.full().is_success());
        assert_eq!(world.plugin.scraps("north"), 0, "without limit");
    }
}

#[test]
fn a_due_run_that_deletes_sweeps_too() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.plugin.add_scraps("north", 1);
    world.delete("a");
    assert!(world.tick().is_success());
    assert_eq!(world.plugin.scraps("north"), 0);
}

#[test]
fn a_due_run_that_may_delete_but_cannot_sweeps_nothing() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.plugin.add_scraps("north", 1);
    world.plugin.change("north", "a", |widget| widget.in_use = true);
    world.delete("a");
    assert!(!world.tick().is_success());
    assert!(world.calls().contains(&"prune north".to_owned()));
    assert_eq!(world.plugin.scraps("north"), 1);
}

#[test]
fn best_effort_deletes_no_named_thing() {
    let mut world = World::new();
    world.set("PRUNE", "false");
    world.settled(&["a", "b"]);
    world.plugin.add("north", "stray", true);
    let last = world.delete("a");
    assert!(!world.exists("a"), "there is no finalizer to hold it");
    assert!(world.event("Deleted", last).is_success());
    assert!(world.full().is_success());
    assert_eq!(world.plugin.names("north"), ["a", "b", "stray"]);
}

#[test]
fn best_effort_sweeps_a_group_whose_only_cr_was_deleted() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.set("PRUNE", "false");
    world.plugin.add_scraps("north", 1);
    world.delete("a");
    assert!(world.full().is_success());
    assert!(!world.exists("a"));
    assert_eq!(world.plugin.names("north"), ["a"]);
    assert_eq!(world.plugin.scraps("north"), 0);
}

#[test]
fn a_kind_that_never_cleans_up_is_never_pruned() {
    let mut world = World::new();
    world.plugin.never_cleans.set(true);
    world.settled(&["a", "b"]);
    world.plugin.add_scraps("north", 1);
    let last: Value = world.delete("a");
    world.event("Deleted", last);
    assert!(world.full().is_success());
    assert!(!world.calls().iter().any(|call| call.starts_with("prune")));
    assert!(!world.is_held("b"));
    assert_eq!(world.plugin.names("north"), ["a", "b"]);
}

#[test]
fn what_is_in_use_stays_and_says_so() {
    let mut world = World::new();
    world.settled(&["a", "b"]);
    world.plugin.change("north", "a", |widget| widget.in_use = true);
    world.delete("a");
    world.delete("b");
    assert!(!world.full().is_success());
    assert_eq!(world.status("a"), "Failed CleanupBlocked: waiting: widget \"a\" is in use");
    assert!(!world.exists("b"), "the other one goes");
    assert_eq!(world.plugin.names("north"), ["a"]);
}
