//! Runs by hand: lists, single CRs, and dry runs.

use framework::{Contexts, FINALIZER, RunReport};
use serde_json::{Value, json};

use crate::widgets::broken;
use crate::world::World;

fn list(world: &mut World, names: &[&str]) -> RunReport {
    let items: Vec<Value> = names.iter().map(|name| world.get(name)).collect();
    let text = json!({"kind": "List", "items": items}).to_string();
    world.run(Contexts::parse_by_hand("file", &text).expect("a list"))
}

/// Everything that a run could change: CRs and clouds.
fn all(world: &World) -> (Vec<Value>, Vec<crate::widgets::Widget>, Vec<crate::widgets::Widget>) {
    let (north, south) = (world.plugin.widgets("north"), world.plugin.widgets("south"));
    (world.cloud.kube().list("Widget"), north, south)
}

fn planned(report: &RunReport) -> Vec<String> {
    report.planned.iter().map(ToString::to_string).collect()
}

#[test]
fn a_list_is_reconciled_as_a_whole_drift_included() {
    let mut world = World::new();
    world.settled(&["a", "b"]);
    world.plugin.change("north", "a", |widget| widget.size = 9);
    let report = list(&mut world, &["a"]);
    assert!(report.is_success());
    assert_eq!((report.synced, report.full), (1, false), "it is no full sync for the metric");
    assert!(world.plugin.widgets("north").iter().all(|widget| widget.size == 1));
}

#[test]
fn a_list_prunes_and_sweeps_nothing() {
    let mut world = World::new();
    world.settled(&["a", "b"]);
    world.plugin.add("north", "stray", true);
    world.plugin.add_scraps("north", 1);
    assert!(list(&mut world, &["a"]).is_success());
    assert_eq!(world.plugin.names("north"), ["a", "b", "stray"]);
    assert_eq!(world.plugin.scraps("north"), 1);
}

#[test]
fn a_list_cleans_up_after_nobody_and_says_so_in_the_log_alone() {
    let mut world = World::new();
    world.settled(&["a", "b"]);
    world.delete("a");
    assert!(!list(&mut world, &["a"]).is_success());
    assert!(world.is_held("a"));
    assert_eq!(world.plugin.names("north"), ["a", "b"]);
    assert_eq!(world.status("a"), "Synced", "the status is left to real runs");
}

#[test]
fn a_cr_out_of_a_file_keeps_the_finalizers_that_the_file_does_not_know() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.edit("a", json!({"metadata": {"finalizers": ["x.org/y"]}}));
    let yaml = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {namespace: n, name: a}\n\
                spec: {at: north, name: a, size: 1}\n";
    let report = world.run(Contexts::parse_by_hand("file", yaml).expect("a CR"));
    assert!(report.is_success(), "{:?}", world.logs());
    assert_eq!(world.finalizers("a"), ["x.org/y", FINALIZER]);
    assert_eq!(world.plugin.names("north"), ["a"]);
    assert_eq!(world.requests(), ["GET a", "PATCH a", "PATCH a/status"]);
}

#[test]
fn a_cr_out_of_a_file_does_not_overwrite_the_record_that_the_file_does_not_know() {
    let mut world = World::new();
    world.settled(&["a"]);
    let yaml = "kind: Widget\nmetadata: {namespace: n, name: a}\nspec: {at: south, name: a, size: 1}\n";
    assert!(!world.run(Contexts::parse_by_hand("file", yaml).expect("a CR")).is_success());
    assert_eq!(world.applied("a").as_deref(), Some("[\"north\"]"));
    assert_eq!(world.log_count("which the file given by hand lacks"), 1);
}

#[test]
fn a_list_does_not_abandon_either() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.edit("a", json!({"metadata": {"annotations": {framework::ABANDON_ANNOTATION: "true"}}}));
    world.delete("a");
    list(&mut world, &["a"]);
    assert!(world.is_held("a"));
    assert_eq!(world.plugin.names("north"), ["a"]);
}

#[test]
fn a_cr_out_of_a_file_that_is_not_in_the_cluster_makes_nothing() {
    let mut world = World::new();
    let yaml = "kind: Widget\nmetadata: {namespace: n, name: a}\nspec: {at: north, name: a, size: 1}\n";
    world.run(Contexts::parse_by_hand("file", yaml).expect("a CR"));
    assert!(world.plugin.names("north").is_empty());
}

#[test]
fn a_dry_run_writes_to_neither_side_and_lists_each_action_once() {
    let mut world = World::new();
    world.plugin.add("south", "theirs", false);
    world.plugin.add("south", "new", false);
    world.settled(&["drifted", "going", "mover"]);
    world.plugin.change("north", "drifted", |widget| widget.size = 9);
    world.plugin.add("north", "stray", true);
    world.plugin.add_scraps("north", 1);
    world.delete("going");
    world.cr("mover", json!({"at": "south"}));
    world.cr("new", json!({"at": "south"}));
    world.set("DRY_RUN", "true");
    let before = all(&world);
    let report = world.full();
    assert!(report.is_success(), "{:?}", world.logs());
    assert_eq!(all(&world), before);
    assert_eq!(report.writes, 0);
    assert!(world.requests().is_empty());
    let calls = world.calls();
    assert!(!calls.iter().any(|call| call.contains('/')), "{calls:?}");
    let mut actions = planned(&report);
    actions.sort();
    assert_eq!(
        actions,
        [
            "adopt widget new",
            "create widget mover",
            "delete widget going",
            "delete widget mover",
            "delete widget stray",
            "patch metadata n/going: remove finalizer, remove applied",
            "patch metadata n/mover: applied [\"north\",\"south\"]",
            "patch metadata n/mover: applied [\"south\"]",
            "patch metadata n/new: add finalizer, applied [\"south\"]",
            "patch status n/mover: Synced (Reconciled)",
            "patch status n/new: Synced (Reconciled)",
            "sweep widget scraps",
            "update widget drifted",
        ]
    );
    assert_eq!(world.log_count("would "), actions.len(), "one log record for each");

    world.set("DRY_RUN", "false");
    let report = world.full();
    assert!(report.is_success(), "{:?}", world.logs());
    assert_eq!(report.writes, actions.len(), "and the real run does just that");
}

#[test]
fn a_dry_run_of_a_settled_world_plans_nothing() {
    let mut world = World::new();
    world.settled(&["a", "b"]);
    world.set("DRY_RUN", "true");
    assert!(planned(&world.full()).is_empty());
}

#[test]
fn a_dry_run_tells_what_fails_without_writing_it() {
    let mut world = World::new();
    world.cr("a", json!({}));
    world.plugin.on("reconcile a", broken);
    world.store("bad", json!({"at": 3}), json!({}));
    world.set("DRY_RUN", "true");
    let report = world.full();
    assert!(!report.is_success());
    assert_eq!((world.status("a").as_str(), world.status("bad").as_str()), ("none", "none"));
    assert!(planned(&report).contains(&"patch status n/bad: Failed (InvalidSpec)".to_owned()));
}
