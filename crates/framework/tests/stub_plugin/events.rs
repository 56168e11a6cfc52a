//! Events: frozen objects, deletions, and batches.

use framework::Contexts;
use serde_json::json;

use crate::world::World;

#[test]
fn an_event_object_is_never_reconciled() {
    let mut world = World::new();
    world.cr("a", json!({"size": 1}));
    let mut frozen = world.get("a");
    frozen["spec"]["size"] = json!(7);
    assert!(world.event("Added", frozen).is_success());
    assert_eq!(world.plugin.widgets("north")[0].size, 1);
    let mut unknown = world.get("a");
    unknown["metadata"]["uid"] = json!("another");
    unknown["metadata"]["name"] = json!("b");
    unknown["spec"]["name"] = json!("b");
    assert!(world.event("Added", unknown).is_success());
    assert_eq!(world.plugin.names("north"), ["a"]);
}

#[test]
fn a_deleted_event_releases_the_claim_of_a_cr_that_is_not_in_the_snapshot() {
    let mut world = World::new();
    world.settled(&["a", "b"]);
    let last = world.get("a");
    world.edit("a", json!({"metadata": {"finalizers": []}}));
    world.delete("a");
    let report = world.event("Deleted", last);
    assert!(report.is_success());
    assert_eq!(report.released, 1);
    assert_eq!(world.plugin.names("north"), ["b"]);
}

#[test]
fn after_our_own_release_a_deleted_event_costs_one_login_and_finds_nothing() {
    let mut world = World::new();
    world.settled(&["a"]);
    world.delete("a");
    let last = world.get("a");
    world.tick();
    world.forget();
    let report = world.event("Deleted", last);
    assert!(report.is_success());
    assert_eq!(report.writes, 0);
    assert_eq!(world.calls(), ["connect north", "ready north", "prune north"]);
}

#[test]
fn a_deleted_event_of_a_cr_that_is_in_the_snapshot_is_stale() {
    let mut world = World::new();
    world.settled(&["a"]);
    let stale = world.get("a");
    let report = world.event("Deleted", stale);
    assert_eq!(report.current, 1);
    assert!(world.requests().is_empty());
    assert_eq!(world.plugin.names("north"), ["a"]);
}

#[test]
fn a_cr_that_was_made_again_keeps_what_its_predecessor_described() {
    let mut world = World::new();
    world.settled(&["a"]);
    let last = world.get("a");
    world.edit("a", json!({"metadata": {"finalizers": []}}));
    world.delete("a");
    world.cr("a", json!({"size": 4}));
    let report = world.event("Deleted", last);
    assert!(report.is_success());
    assert_eq!(world.plugin.names("north"), ["a"]);
    assert_eq!(world.plugin.widgets("north")[0].size, 4);
    assert!(!world.calls().iter().any(|call| call.starts_with("delete")));
}

#[test]
fn a_cr_that_was_made_again_with_another_claim_gives_the_old_one_up() {
    let mut world = World::new();
    world.settled(&["a"]);
    let last = world.get("a");
    world.edit("a", json!({"metadata": {"finalizers": []}}));
    world.delete("a");
    world.cr("a", json!({"name": "new"}));
    assert!(world.event("Deleted", last).is_success());
    assert_eq!(world.plugin.names("north"), ["new"]);
}

#[test]
fn a_deletion_that_cannot_be_cleaned_up_is_named_in_the_log() {
    let mut world = World::new();
    world.settled(&["a"]);
    let last = world.get("a");
    world.edit("a", json!({"metadata": {"finalizers": []}}));
    world.delete("a");
    world.plugin.change("north", "a", |widget| widget.in_use = true);
    assert!(!world.event("Deleted", last).is_success());
    assert_eq!(world.log_count("n/a is gone, but not all that it described: widget \"a\" is in use"), 1);
}

#[test]
fn an_event_of_an_unreadable_cr_that_is_in_the_snapshot_is_counted_once() {
    let mut world = World::new();
    world.store("bad", json!({"at": 3}), json!({}));
    let object = world.get("bad");
    let report = world.event("Added", object);
    assert_eq!(report.failed, 1);
    assert!(!report.is_success());
}

#[test]
fn a_batch_may_mix_everything_and_the_last_snapshot_counts() {
    let mut world = World::new();
    world.settled(&["a", "b"]);
    let old = world.synchronization();
    let last = world.get("b");
    world.edit("b", json!({"metadata": {"finalizers": []}}));
    world.delete("b");
    world.cr("c", json!({}));
    let foreign = json!({"binding": "others", "type": "Event", "watchEvent": "Deleted",
        "object": world.get("a"), "snapshots": {"others": []}});
    let startup = json!({"binding": "onStartup"});
    let deleted = world.event_element("Deleted", last);
    let tick = world.schedule("catch-up");
    let report = world.run(Contexts::Bindings(vec![old, foreign, startup, deleted, tick]));
    assert!(report.is_success() && report.full);
    assert_eq!(world.plugin.names("north"), ["a", "c"]);
}

#[test]
fn events_without_word_or_object_are_passed_over() {
    let mut world = World::new();
    world.settled(&["a"]);
    let tick = world.schedule("catch-up");
    let events = [
        json!({"binding": "widgets", "type": "Event", "object": {"metadata": {}}}),
        json!({"binding": "widgets", "type": "Event", "watchEvent": "Deleted"}),
        json!({"binding": "widgets", "type": "Event", "watchEvent": "Deleted", "object": null}),
    ];
    let batch = events.into_iter().chain([tick]).collect();
    let report = world.run(Contexts::Bindings(batch));
    assert!(report.is_success());
    assert_eq!(report.current, 1);
    assert!(world.requests().is_empty());
}
