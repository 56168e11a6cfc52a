//! Who holds a name, inside a group and across clouds.

use framework::PluginError;
use serde_json::{Value, json};

use crate::widgets::not_ready;
use crate::world::World;

fn at(cloud: &str) -> Value {
    json!({"at": cloud, "name": "w", "size": 1})
}

/// `one` at `first` and `two` at `second` both claim the widget `w`, and are in place.
fn shared(first: &str, second: &str) -> World {
    let mut world = World::new();
    world.cr("one", at(first));
    world.cr("two", at(second));
    assert!(world.full().is_success());
    world.forget();
    world
}

fn older(world: &World, name: &str) {
    world.store(name, at("north"), json!({"creationTimestamp": "2020-01-01T00:00:00Z"}));
}

fn younger(world: &World, name: &str) {
    world.store(name, at("north"), json!({"creationTimestamp": "2099-01-01T00:00:00Z"}));
}

#[test]
fn of_two_crs_with_one_claim_the_older_wins_and_the_loser_names_it() {
    let mut world = World::new();
    younger(&world, "a");
    older(&world, "b");
    let report = world.full();
    assert!(!report.is_success());
    assert_eq!((report.synced, report.failed), (1, 1));
    assert_eq!(world.status("b"), "Synced");
    assert_eq!(world.status("a"), "Failed NameConflict: widget \"w\" is already described by the older n/b");
}

#[test]
fn of_two_crs_of_the_same_age_the_first_by_name_wins() {
    let mut world = World::new();
    older(&world, "b");
    older(&world, "a");
    world.full();
    assert_eq!((world.status("a").as_str(), world.is_held("b")), ("Synced", false));
}

#[test]
fn a_loser_is_decided_without_a_connection_and_gets_no_finalizer() {
    let mut world = World::new();
    older(&world, "winner");
    world.full();
    younger(&world, "loser");
    world.forget();
    world.tick();
    assert!(world.calls().is_empty());
    assert_eq!(world.requests(), ["PATCH loser/status"]);
    assert!(!world.is_held("loser"));
    world.tick();
    assert!(world.requests().is_empty(), "and it is told once");
}

#[test]
fn a_loser_becomes_due_as_soon_as_the_winner_goes() {
    let mut world = World::new();
    older(&world, "winner");
    younger(&world, "loser");
    world.full();
    world.delete("winner");
    world.later(3600);
    assert_eq!(world.tick().synced, 1, "however long ago it lost");
    assert_eq!(world.status("loser"), "Synced");
    assert!(world.full().is_success());
    assert!(!world.exists("winner"));
    assert_eq!(world.plugin.names("north"), ["w"], "the loser claims it, so it stays");
}

#[test]
fn a_loser_becomes_due_as_soon_as_its_claim_changes() {
    let mut world = World::new();
    older(&world, "winner");
    younger(&world, "loser");
    world.full();
    world.edit("loser", json!({"spec": {"name": "own"}}));
    assert_eq!(world.tick().synced, 1);
    assert_eq!(world.plugin.names("north"), ["own", "w"]);
}

#[test]
fn a_loser_that_is_deleted_takes_nothing_with_it() {
    let mut world = World::new();
    older(&world, "winner");
    younger(&world, "loser");
    world.full();
    let last = world.delete("loser");
    assert!(world.event("Deleted", last).is_success());
    assert_eq!(world.plugin.names("north"), ["w"]);
}

#[test]
fn one_claim_in_two_groups_is_no_conflict() {
    let world = shared("north", "south");
    assert_eq!((world.status("one").as_str(), world.status("two").as_str()), ("Synced", "Synced"));
}

#[test]
fn if_the_other_group_lists_the_same_id_it_is_the_same_cloud_and_the_widget_stays() {
    let mut world = shared("north", "north-internal");
    world.delete("one");
    let report = world.tick();
    assert!(report.is_success());
    assert!(!world.exists("one"));
    assert_eq!(world.plugin.names("north"), ["w"]);
    assert!(world.calls().contains(&"connect north-internal".to_owned()), "the ids are compared");
    world.delete("two");
    assert!(world.tick().is_success());
    assert!(world.plugin.names("north").is_empty(), "the last one takes it along");
}

#[test]
fn if_the_id_is_absent_from_a_list_that_is_not_empty_it_is_another_cloud_and_the_widget_goes() {
    let mut world = shared("north", "south");
    world.delete("one");
    assert!(world.tick().is_success());
    assert!(!world.exists("one"));
    assert!(world.plugin.names("north").is_empty());
    assert_eq!(world.plugin.names("south"), ["w"]);
}

#[test]
fn if_the_other_list_is_empty_the_widget_and_the_finalizer_stay() {
    let mut world = shared("north", "south");
    world.plugin.remove("south", "w");
    world.delete("one");
    assert!(!world.tick().is_success());
    assert_eq!(world.plugin.names("north"), ["w"]);
    assert_eq!(
        world.status("one"),
        "Failed CleanupBlocked: waiting: widget \"w\" is also claimed by n/south, which lists nothing to compare with"
    );
    world.plugin.add("south", "other", false);
    world.tick();
    assert!(!world.exists("one"));
    assert!(world.plugin.names("north").is_empty());
}

#[test]
fn if_the_other_group_cannot_be_reached_the_widget_and_the_finalizer_stay() {
    for call in ["connect south", "ready south"] {
        let mut world = shared("north", "south");
        world.plugin.on(call, not_ready);
        world.delete("one");
        assert!(!world.tick().is_success());
        assert_eq!(world.plugin.names("north"), ["w"]);
        let status = world.status("one");
        assert!(
            status.starts_with(
                "Failed CleanupBlocked: waiting: widget \"w\" is also claimed by n/south, which cannot be compared: Cloud "
            ),
            "{status}"
        );
        world.plugin.heal();
        world.tick();
        assert!(!world.exists("one"));
    }
}

#[test]
fn an_empty_list_that_cannot_be_believed_keeps_the_finalizer() {
    let mut world = shared("north", "north-internal");
    world.plugin.remove("north", "w");
    world.delete("one");
    world.plugin.on("trust north", || Err(PluginError::cr("the role may not look")));
    assert!(!world.tick().is_success());
    assert_eq!(world.status("one"), "Failed CleanupBlocked: waiting: the role may not look");
    world.plugin.heal();
    assert!(world.tick().is_success(), "{:?}", world.logs());
    assert!(!world.exists("one"));
}

#[test]
fn if_there_is_nothing_here_by_that_name_the_finalizer_goes_and_nothing_is_deleted() {
    for rest in [&[][..], &["other"]] {
        let mut world = shared("north", "north-internal");
        world.plugin.remove("north", "w");
        rest.iter().for_each(|name| world.plugin.add("north", name, false));
        world.delete("one");
        // As a token that sees too little would see it, and then sees all again.
        world.plugin.on("ready north", || Ok(()));
        assert!(world.tick().is_success(), "{:?}", world.logs());
        assert!(!world.exists("one"));
        assert!(!world.calls().iter().any(|call| call.starts_with("delete")));
    }
}

#[test]
fn a_claim_is_protected_though_its_cr_fails_or_is_not_due() {
    let mut world = shared("north", "north-internal");
    world.edit("two", json!({"spec": {"size": 5}}));
    world.plugin.on("reconcile w", || Err(PluginError::invalid_spec("no such size")));
    world.tick();
    assert!(world.status("two").starts_with("Failed InvalidSpec"));
    world.delete("one");
    assert!(world.tick().is_success());
    assert!(!world.exists("one"));
    assert_eq!(world.plugin.names("north"), ["w"]);
}

#[test]
fn a_claim_is_protected_though_its_spec_does_not_parse() {
    let mut world = World::new();
    world.cr("one", at("north"));
    world.store("two", json!({"at": "north-internal", "name": "w", "size": "big"}), json!({}));
    world.tick();
    world.delete("one");
    world.tick();
    assert!(!world.exists("one"));
    assert_eq!(world.plugin.names("north"), ["w"]);
}

#[test]
fn a_deleting_cr_without_our_finalizer_holds_its_claim_until_it_is_gone() {
    let mut world = shared("north", "north-internal");
    world.edit("two", json!({"metadata": {"finalizers": ["x.org/y"]}}));
    world.delete("two");
    world.delete("one");
    assert!(world.tick().is_success());
    assert_eq!(world.plugin.names("north"), ["w"]);
    let last = world.get("two");
    world.edit("two", json!({"metadata": {"finalizers": []}}));
    assert!(world.event("Deleted", last).is_success());
    assert!(world.plugin.names("north").is_empty());
}

#[test]
fn a_claim_in_another_namespace_counts_too() {
    let mut world = World::new();
    world.cr("one", at("north"));
    world.cloud.kube().create(json!({
        "apiVersion": "example.com/v1", "kind": "Widget",
        "metadata": {"namespace": "other", "name": "two"}, "spec": at("north"),
    }));
    assert!(world.full().is_success(), "two namespaces are two groups");
    world.delete("one");
    assert!(world.tick().is_success());
    assert_eq!(world.plugin.names("north"), ["w"]);
}

#[test]
fn a_cr_whose_move_is_stuck_still_protects_what_it_has_in_the_old_cloud() {
    let mut world = shared("north", "north-internal");
    world.plugin.add("south", "theirs", false);
    world.plugin.on("reconcile w", || Err(PluginError::cr("south is full")));
    world.cr("two", at("south"));
    world.tick();
    world.delete("one");
    world.tick();
    assert_eq!(world.plugin.names("north"), ["w"], "the record of `two` names north-internal");
    assert!(!world.exists("one"));
    world.plugin.heal();
    world.later(86_400);
    world.full();
    assert_eq!((world.plugin.names("north").len(), world.plugin.names("south").len()), (0, 2));
}
