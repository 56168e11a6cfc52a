//! With any doubt, nothing is deleted in any group. What is doubt, and what is none.

use devcloud::{Action, Fault, Service};
use framework::ABANDON_ANNOTATION;
use framework::{Contexts, FINALIZER, PluginError};
use serde_json::{Value, json};

use crate::widgets::{broken, not_ready};
use crate::world::World;

/// A world where CR `going` was deleted and would be cleaned up, and one cloud has leftovers.
fn scene() -> World {
    let mut world = World::new();
    world.settled(&["going", "good"]);
    world.delete("going");
    world.plugin.add_scraps("north", 1);
    world.plugin.add("north", "stray", true);
    world
}

/// Runs, and asserts that nothing was deleted and that `going` says what holds it.
fn assert_held(world: &mut World, full: bool, waiting: &str) {
    let report = if full { world.full() } else { world.tick() };
    assert!(!report.is_success());
    assert_eq!(world.plugin.names("north"), ["going", "good", "stray"]);
    assert_eq!(world.plugin.scraps("north"), 1);
    assert!(world.is_held("going"));
    assert_eq!(world.status("going"), format!("Failed CleanupBlocked: waiting: {waiting}"));
    assert!(!world.calls().iter().any(|call| call.starts_with("prune")), "no group is pruned");
}

/// Runs, and asserts that `going` was cleaned up.
fn assert_cleaned(world: &mut World, full: bool) {
    if full {
        world.full();
    } else {
        world.tick();
    }
    assert!(!world.plugin.names("north").contains(&"going".to_owned()), "{:?}", world.logs());
    assert!(!world.exists("going"));
}

#[test]
fn without_doubt_all_of_it_goes() {
    let mut world = scene();
    assert_cleaned(&mut world, true);
    assert_eq!(world.plugin.names("north"), ["good"]);
    assert_eq!(world.plugin.scraps("north"), 0);
}

#[test]
fn a_cr_whose_credentials_or_claim_cannot_be_read_is_doubt_in_every_run() {
    let specs = [
        Value::Null,
        json!("x"),
        json!({"at": 3, "name": "b"}),
        json!({"name": "b"}),
        json!({"at": "south"}),
        json!({"at": "south", "name": 3}),
    ];
    for spec in specs {
        for full in [true, false] {
            let mut world = scene();
            world.store("b", spec.clone(), json!({}));
            assert_held(&mut world, full, "n/b cannot be read");
            assert!(world.status("b").starts_with("Failed InvalidSpec: "), "{spec}");
            world.edit("b", json!({"spec": {"at": "south", "name": "b", "size": 1}}));
            assert_cleaned(&mut world, full);
        }
    }
}

#[test]
fn a_record_of_credentials_that_cannot_be_read_is_doubt() {
    let mut world = scene();
    world.edit("good", json!({"metadata": {"annotations": {framework::APPLIED_ANNOTATION: "nonsense"}}}));
    assert_held(&mut world, false, "n/good cannot be read");
    assert!(world.status("good").contains("correct or remove it"), "{}", world.status("good"));
}

#[test]
fn items_and_elements_that_make_no_sense_are_doubt() {
    let item = |world: &World, item: Value| {
        let mut tick = world.schedule("catch-up");
        tick["snapshots"]["widgets"].as_array_mut().unwrap().push(item);
        vec![tick]
    };
    let element = |world: &World| vec![json!(7), world.schedule("catch-up")];
    for (which, waiting) in [
        (0, "an item of the snapshot is null, not an object"),
        (1, "an item of the snapshot in namespace \"default\" has no metadata.name"),
        (2, "element 0 is a number, not an object"),
    ] {
        let mut world = scene();
        let batch = match which {
            0 => item(&world, Value::Null),
            1 => item(&world, json!({"object": {"metadata": {}}})),
            _ => element(&world),
        };
        assert!(!world.run(Contexts::Bindings(batch)).is_success());
        assert_eq!(world.status("going"), format!("Failed CleanupBlocked: waiting: {waiting}"));
        assert_eq!(world.plugin.names("north"), ["going", "good", "stray"]);
    }
}

#[test]
fn a_spec_that_does_not_parse_is_doubt_in_the_run_that_finds_it() {
    let mut world = scene();
    world.store("b", json!({"at": "south", "name": "b"}), json!({}));
    assert_held(&mut world, true, "n/b failed");
    assert_cleaned(&mut world, false);
}

#[test]
fn a_failed_finalizer_write_is_doubt() {
    let mut world = scene();
    world.cr("b", json!({"at": "south"}));
    let fault = Fault::new(Service::Kubernetes, "/widgets/b", Action::answer(500, Value::Null));
    world.cloud.inject(fault.method("PATCH").times(1));
    assert_held(&mut world, false, "n/b failed");
    assert!(
        world.status("b").contains("Unable to add finalizer before reconciling: "),
        "{}",
        world.status("b")
    );
    assert!(world.plugin.names("south").is_empty());
    assert_cleaned(&mut world, false);
}

#[test]
fn a_failed_connection_readiness_or_reconcile_of_a_live_cr_is_doubt() {
    for call in ["connect south", "ready south", "reconcile b"] {
        for look in [broken, not_ready] {
            let mut world = scene();
            world.cr("b", json!({"at": "south"}));
            world.plugin.on(call, look);
            assert_held(&mut world, true, "n/b failed");
            world.plugin.heal();
            assert_cleaned(&mut world, true);
        }
    }
}

#[test]
fn an_unreadable_deleting_cr_is_doubt_only_while_it_has_our_finalizer() {
    let deleting = "2026-01-01T00:00:00Z";
    let metadata = |finalizer: &str| json!({"deletionTimestamp": deleting, "finalizers": [finalizer]});
    let mut world = scene();
    world.store("b", json!({"at": 3}), metadata(FINALIZER));
    assert_held(&mut world, true, "n/b cannot be read");
    assert!(world.status("b").starts_with("Failed InvalidSpec: "));

    let mut world = scene();
    world.store("b", json!({"at": 3}), metadata("x.org/y"));
    assert_cleaned(&mut world, true);
    assert_eq!(world.status("b"), "none", "it gets no write");

    let mut world = scene();
    let mut abandoned = metadata(FINALIZER);
    abandoned["annotations"] = json!({ABANDON_ANNOTATION: "true"});
    world.store("b", json!({"at": 3}), abandoned);
    assert_cleaned(&mut world, true);
    assert!(!world.exists("b"));
}

#[test]
fn a_cr_that_failed_earlier_and_is_not_due_is_no_doubt() {
    let mut world = World::new();
    world.settled(&["going", "good"]);
    world.cr("waits", json!({"at": "south"}));
    world.cr("invalid", json!({"at": "south"}));
    world.plugin.on("reconcile waits", broken);
    world.plugin.on("reconcile invalid", || Err(PluginError::invalid_spec("no such size")));
    world.tick();
    world.later(3600);
    world.delete("going");
    world.forget();
    for _ in 0..10 {
        world.later(60);
        world.tick();
    }
    // One turn in ten minutes for each group, and not in the same one.
    assert_eq!(world.calls().iter().filter(|call| *call == "reconcile waits").count(), 1);
    assert!(!world.exists("going"));
    assert_eq!(world.plugin.names("north"), ["good"]);
}

#[test]
fn one_cr_that_fails_for_days_does_not_hold_back_deletions_of_due_runs() {
    let mut world = World::new();
    world.settled(&["going", "good"]);
    world.cr("broken", json!({}));
    world.plugin.on("reconcile broken", broken);
    world.tick();
    world.later(86_400);
    world.delete("going");
    world.plugin.change("north", "going", |widget| widget.in_use = true);
    world.tick();
    // By now both have their turn in the same tick, since they are of one group.
    world.later(86_400);
    world.plugin.change("north", "going", |widget| widget.in_use = false);
    world.forget();
    for _ in 0..10 {
        world.later(60);
        world.tick();
    }
    assert_eq!(world.calls().iter().filter(|call| *call == "reconcile broken").count(), 1);
    assert!(!world.exists("going"), "{}", world.status("going"));
    assert_eq!(world.plugin.names("north"), ["good"]);
}

#[test]
fn in_a_full_run_it_does() {
    let mut world = World::new();
    world.settled(&["going", "good"]);
    world.cr("broken", json!({}));
    world.plugin.on("reconcile broken", broken);
    world.tick();
    world.later(86_400);
    world.delete("going");
    assert!(!world.full().is_success());
    assert_eq!(world.status("going"), "Failed CleanupBlocked: waiting: n/broken failed");
}

#[test]
fn a_name_conflict_is_no_doubt() {
    let mut world = scene();
    let later = json!({"creationTimestamp": "2099-01-01T00:00:00Z"});
    world.store("b", json!({"at": "north", "name": "good", "size": 1}), later);
    assert_cleaned(&mut world, true);
    assert!(world.status("b").starts_with("Failed NameConflict"));
}

#[test]
fn a_group_with_only_deleting_crs_that_cannot_be_reached_holds_back_nobody_else() {
    let mut world = World::new();
    world.settled(&["going"]);
    world.cr("b", json!({"at": "south"}));
    world.full();
    world.delete("going");
    world.delete("b");
    world.plugin.on("connect south", not_ready);
    let report = world.full();
    assert!(!report.is_success());
    assert_eq!((report.released, report.failed), (1, 1));
    assert!(!world.exists("going"));
    assert!(world.is_held("b"));
    assert_eq!(world.status("b"), "Failed CleanupBlocked: waiting: Cloud connection failed: 503 starting");
}

#[test]
fn a_cleanup_that_fails_keeps_its_own_finalizers_and_holds_back_nobody_else() {
    let mut world = World::new();
    world.settled(&["going"]);
    world.cr("b", json!({"at": "south"}));
    world.full();
    world.delete("going");
    world.delete("b");
    world.plugin.on("delete south/b", broken);
    assert!(!world.full().is_success());
    assert!(!world.exists("going"));
    assert_eq!(world.status("b"), "Failed CleanupBlocked: waiting: 409 not now");
    assert_eq!(world.plugin.names("south"), ["b"]);
    world.plugin.heal();
    assert!(world.full().is_success());
    assert!(!world.exists("b"));
}

#[test]
fn an_unreadable_event_object_fails_the_run_but_is_no_doubt() {
    let mut world = scene();
    let object = json!({"metadata": {"namespace": "n", "name": "x", "uid": "u"}, "spec": {"at": 3}});
    assert!(!world.event("Added", object).is_success());
    assert!(!world.exists("going"));
}
