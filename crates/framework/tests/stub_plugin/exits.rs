//! When a run exits with 1.

use framework::{Contexts, PluginError};
use serde_json::{Value, json};

use crate::widgets::broken;
use crate::world::World;

/// A world with one good CR, and one that each run must complain about.
fn with_bad(bad: impl FnOnce(&World)) -> World {
    let mut world = World::new();
    world.settled(&["good"]);
    bad(&world);
    world
}

fn assert_told_once_then_quiet(mut world: World) {
    assert!(!world.tick().is_success(), "the first tick tells");
    assert!(world.status("bad").starts_with("Failed"), "{}", world.status("bad"));
    let report = world.tick();
    assert!(report.is_success(), "a tick that repeats what the statuses say: {:?}", world.logs());
    assert_eq!((report.failed, report.writes), (1, 0));
    let event = world.get("good");
    assert!(!world.event("Modified", event).is_success(), "an event run");
    let (tick, event) = (world.schedule("catch-up"), world.event_element("Modified", world.get("good")));
    assert!(world.run(Contexts::Bindings(vec![tick.clone(), tick.clone()])).is_success());
    assert!(!world.run(Contexts::Bindings(vec![tick, event])).is_success(), "a mixed batch");
    assert!(!world.full().is_success(), "a full run");
}

#[test]
fn an_unreadable_cr_fails_every_run_but_a_tick_that_has_nothing_new_to_say() {
    assert_told_once_then_quiet(with_bad(|world| world.store("bad", json!({"at": 3}), json!({}))));
}

#[test]
fn so_does_a_spec_that_does_not_parse() {
    assert_told_once_then_quiet(with_bad(|world| {
        world.store("bad", json!({"at": "north", "name": "bad", "size": -1}), json!({}));
    }));
}

#[test]
fn so_does_a_spec_that_cannot_be_served() {
    assert_told_once_then_quiet(with_bad(|world| {
        world.cr("bad", json!({}));
        world.plugin.on("reconcile bad", || Err(PluginError::invalid_spec("no such size")));
    }));
}

#[test]
fn so_does_a_name_conflict() {
    assert_told_once_then_quiet(with_bad(|world| {
        let later = json!({"creationTimestamp": "2099-01-01T00:00:00Z"});
        world.store("bad", json!({"at": "north", "name": "good", "size": 1}), later);
    }));
}

#[test]
fn a_told_failure_of_another_generation_is_news() {
    let mut world = with_bad(|world| world.store("bad", json!({"at": 3}), json!({})));
    world.tick();
    world.store("bad", json!({"at": 4}), json!({"generation": 2}));
    assert!(!world.tick().is_success());
}

#[test]
fn an_item_that_cannot_be_addressed_fails_every_run() {
    let mut world = with_bad(|_| {});
    for _ in 0..2 {
        let mut tick = world.schedule("catch-up");
        tick["snapshots"]["widgets"].as_array_mut().unwrap().push(Value::Null);
        let report = world.run(Contexts::Bindings(vec![tick]));
        assert!(!report.is_success());
        assert_eq!(report.current, 1, "the others go on");
    }
}

#[test]
fn a_failure_fails_the_run_that_met_it_and_not_those_that_wait() {
    let mut world = with_bad(|world| world.cr("bad", json!({})));
    world.plugin.on("reconcile bad", broken);
    let report = world.tick();
    assert!(!report.is_success());
    assert_eq!((report.failed, report.current), (1, 1));
    world.later(400);
    let mut waited = 0;
    for _ in 0..10 {
        world.later(60);
        let report = world.tick();
        assert_eq!(report.is_success(), report.waiting == 1, "{report}");
        waited += report.waiting;
    }
    assert_eq!(waited, 9);
}

#[test]
fn a_refused_status_write_is_not_fatal() {
    use devcloud::{Action, Fault, Service};
    let mut world = with_bad(|world| world.cr("bad", json!({})));
    world.cloud.inject(Fault::new(Service::Kubernetes, "/bad/status", Action::answer(500, Value::Null)));
    assert!(world.tick().is_success());
    assert_eq!(world.status("bad"), "none");
    assert_eq!(world.log_count("status of n/bad not written"), 1);
    world.cloud.clear_faults();
    assert_eq!(world.tick().synced, 1, "without its status it is due again");
    assert_eq!(world.status("bad"), "Synced");
}

#[test]
fn a_cleanup_that_is_held_back_fails_every_run_that_tries_it() {
    let mut world = with_bad(|_| {});
    world.cr("used", json!({}));
    world.full();
    world.plugin.change("north", "used", |widget| widget.in_use = true);
    world.delete("used");
    for _ in 0..2 {
        let report = world.tick();
        assert!(!report.is_success());
        assert_eq!((report.failed, report.current, report.released), (1, 1, 0));
    }
    world.plugin.change("north", "used", |widget| widget.in_use = false);
    let report = world.tick();
    assert!(report.is_success());
    assert_eq!(report.released, 1);
}
