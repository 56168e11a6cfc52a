//! Full and due runs: what they cover.

use framework::{Contexts, FINALIZER};
use serde_json::json;

use crate::world::World;

/// A world with one CR in place, whose widget somebody changed by hand.
fn drifted() -> World {
    let mut world = World::new();
    world.settled(&["a", "b"]);
    world.plugin.change("north", "a", |widget| widget.size = 9);
    world
}

#[test]
fn a_full_run_covers_every_cr_and_mends_drift() {
    let mut world = drifted();
    let report = world.full();
    assert!(report.is_success() && report.full);
    assert_eq!((report.synced, report.current), (2, 0));
    assert_eq!(
        world.calls(),
        ["connect north", "ready north", "reconcile a", "update north/a", "reconcile b", "prune north"]
    );
}

#[test]
fn a_due_run_that_finds_all_current_makes_no_request_at_all() {
    let mut world = drifted();
    let report = world.tick();
    assert!(report.is_success() && !report.full);
    assert_eq!(report.current, 2);
    assert!(world.requests().is_empty() && world.calls().is_empty());
    let event = world.get("a");
    assert_eq!(world.event("Modified", event).current, 2, "an event of a current CR is no news");
    assert!(world.requests().is_empty() && world.calls().is_empty());
}

#[test]
fn a_due_run_covers_what_is_not_current_and_nothing_else() {
    let mut world = drifted();
    world.cr("b", json!({"size": 2}));
    let report = world.tick();
    assert_eq!((report.synced, report.current), (1, 1));
    assert_eq!(world.calls(), ["connect north", "ready north", "reconcile b", "update north/b"]);
    assert_eq!(world.plugin.widgets("north")[0].size, 9, "drift is left to the full run");
}

#[test]
fn an_event_run_covers_all_that_is_due_and_not_only_what_it_names() {
    let mut world = drifted();
    world.cr("b", json!({"size": 2}));
    world.cr("c", json!({}));
    let event = world.get("c");
    assert_eq!(world.event("Added", event).synced, 2);
}

#[test]
fn a_cr_is_current_only_if_its_status_its_finalizer_and_its_record_say_so() {
    let condition = |status: &str, generation: i64| json!({"status": {"conditions": [{"type": "Ready", "status": status, "observedGeneration": generation}]}});
    let applied = |list: &str| json!({"metadata": {"annotations": {framework::APPLIED_ANNOTATION: list}}});
    for (is_status, patch, due) in [
        (true, json!({"status": {"message": "edited"}}), false),
        (true, json!({"status": {"syncStatus": "Unknown"}}), true),
        (true, json!({"status": {"observedGeneration": 7}}), true),
        (true, condition("False", 1), true),
        (true, condition("True", 7), true),
        (false, json!({"metadata": {"finalizers": []}}), true),
        (false, json!({"metadata": {"finalizers": ["x.org/y", FINALIZER]}}), false),
        (false, applied(r#"["south"]"#), true),
        (false, applied(r#"["north","south"]"#), true),
        (false, applied(r#"["north"]"#), false),
    ] {
        let mut world = World::new();
        world.settled(&["a"]);
        let path = format!("a{}", if is_status { "/status" } else { "" });
        world.edit(&path, patch.clone());
        let report = world.tick();
        assert_eq!(report.current, usize::from(!due), "{patch}");
        assert!(report.is_success(), "{patch}: {:?}", world.logs());
        assert_eq!(world.status("a"), "Synced");
    }
}

#[test]
fn first_lists_groups_and_schedules_other_than_the_catch_up_are_full_runs() {
    let mut world = drifted();
    for element in [world.synchronization(), world.group(), world.schedule("nightly")] {
        let report = world.run(Contexts::Bindings(vec![element.clone()]));
        assert!(report.full, "{element}");
        assert_eq!(report.synced, 2);
    }
}

#[test]
fn one_full_element_makes_the_whole_batch_full() {
    let mut world = drifted();
    let event = world.event_element("Modified", world.get("a"));
    let (tick, nightly) = (world.schedule("catch-up"), world.schedule("nightly"));
    let report = world.run(Contexts::Bindings(vec![event.clone(), tick.clone()]));
    assert_eq!((report.full, report.synced), (false, 0));
    for batch in [[nightly.clone(), event, tick.clone()], [tick.clone(), nightly, tick]] {
        assert_eq!(world.run(Contexts::Bindings(batch.to_vec())).synced, 2);
    }
}

#[test]
fn a_run_can_be_made_full_by_hand() {
    let mut world = drifted();
    let tick = world.schedule("catch-up");
    let report = world.run_with(Contexts::Bindings(vec![tick]), true);
    assert_eq!((report.full, report.synced), (true, 2));
}

#[test]
fn without_a_catch_up_an_event_run_covers_the_crs_that_its_events_name() {
    for (name, value, current) in [("CATCH_UP_CRONTAB", "", 1), ("STATUS_ENABLED", "false", 0)] {
        let mut world = World::new();
        world.settled(&["a"]);
        world.set(name, value);
        world.cr("b", json!({}));
        world.cr("c", json!({}));
        let event = world.get("b");
        let report = world.event("Added", event);
        assert_eq!((report.synced, report.current), (1, current), "{name}");
        assert_eq!(world.plugin.names("north"), ["a", "b"], "{name}");
        let report = world.full();
        assert_eq!(report.synced, 3, "{name}: a full run covers all as ever");
    }
}

#[test]
fn without_a_catch_up_an_event_run_also_cleans_up() {
    let mut world = World::new();
    world.set("CATCH_UP_CRONTAB", "");
    world.settled(&["a", "b"]);
    let event = world.delete("a");
    assert!(world.event("Modified", event).is_success());
    assert!(!world.exists("a"));
    assert_eq!(world.plugin.names("north"), ["b"]);
}
