#![expect(clippy::needless_pass_by_value, reason = "json!(..) as an argument reads best without a borrow")]

use serde_json::json;

use super::*;

fn digested(elements: Value) -> Digest {
    let Value::Array(elements) = elements else { panic!("a list") };
    digest("file", Contexts::Bindings(elements), "b").unwrap()
}

fn refused(elements: Value) -> String {
    let Value::Array(elements) = elements else { panic!("a list") };
    digest("file", Contexts::Bindings(elements), "b").unwrap_err().to_string()
}

fn tick(name: &str, snapshot: Value) -> Value {
    json!({"binding": name, "type": "Schedule", "snapshots": {"b": snapshot}})
}

#[test]
fn texts_that_are_no_context_are_refused_in_one_line() {
    for (text, said) in [
        ("{", "binding context f: is not JSON: "),
        ("{}", "binding context f: is an object, not a list"),
        ("null", "binding context f: is null, not a list"),
        ("\"x\"", "binding context f: is a string, not a list"),
    ] {
        let error = Contexts::parse("f", text).unwrap_err().to_string();
        assert!(error.starts_with(said) && !error.contains('\n'), "{error}");
    }
    assert!(Contexts::parse("f", " \n").unwrap().is_empty());
    assert!(Contexts::parse("f", "[]").unwrap().is_empty());
}

#[test]
fn by_hand_a_list_and_a_single_cr_are_taken_as_json_or_yaml() {
    let one = Contexts::parse_by_hand("f", "kind: X\nmetadata:\n  name: a\n").unwrap();
    assert_eq!(one, Contexts::ByHand(vec![json!({"kind": "X", "metadata": {"name": "a"}})]));
    let list = Contexts::parse_by_hand("f", r#"{"kind": "List", "items": [{"metadata": {}}]}"#).unwrap();
    assert_eq!(list, Contexts::ByHand(vec![json!({"metadata": {}})]));
    let contexts = Contexts::parse_by_hand("f", r#"[{"binding": "b"}]"#).unwrap();
    assert_eq!(contexts, Contexts::Bindings(vec![json!({"binding": "b"})]));
    for bad in ["kind: X", "items: 3", "just text"] {
        assert!(Contexts::parse_by_hand("f", bad).is_err(), "{bad}");
    }
}

#[test]
fn the_mode_is_the_greatest_of_the_elements() {
    let event = json!({"binding": "b", "type": "Event", "watchEvent": "Added", "object": {}});
    let catch_up = tick("catch-up", json!([]));
    for (elements, mode, quiet) in [
        (json!([catch_up]), Mode::Due, true),
        (json!([event, catch_up]), Mode::Due, false),
        (json!([tick("periodic sync", json!([]))]), Mode::Full, false),
        (json!([catch_up, tick("any other", json!([]))]), Mode::Full, false),
        (json!([{"binding": "b", "type": "Synchronization", "objects": []}]), Mode::Full, false),
        (json!([catch_up, {"binding": "b", "type": "Group", "groupName": "g"}]), Mode::Full, false),
    ] {
        let digest = digested(elements.clone());
        assert_eq!((digest.mode, digest.catch_up_only), (mode, quiet), "{elements}");
    }
}

#[test]
fn the_last_snapshot_counts_and_else_the_last_first_list() {
    let item = |name: &str| json!({"object": {"n": name}, "filterResult": 1});
    let list = |name: &str| json!({"binding": "b", "type": "Synchronization", "objects": [item(name)]});
    let digest =
        digested(json!([tick("x", json!([item("old")])), tick("y", json!([item("new")])), list("z")]));
    assert_eq!(digest.snapshot, [json!({"n": "new"})]);
    assert_eq!(digested(json!([list("one"), list("two")])).snapshot, [json!({"n": "two"})]);
    assert_eq!(digested(json!([tick("x", json!([{"n": "bare"}]))])).snapshot, [json!({"n": "bare"})]);
}

#[test]
fn no_snapshot_is_an_error_that_names_the_binding() {
    assert_eq!(refused(json!([{"binding": "onStartup"}])), "binding context file: has no snapshot \"b\"");
    let other = json!([{"binding": "c", "type": "Event", "watchEvent": "Added", "object": {}, "snapshots": {"c": []}}]);
    assert_eq!(refused(other), "binding context file: has no snapshot \"b\"");
    assert_eq!(
        refused(json!([tick("x", json!("y"))])),
        "binding context file: the snapshot \"b\" is a string, not a list"
    );
}

#[test]
fn events_of_other_bindings_do_not_count() {
    let event = |binding: &str| json!({"binding": binding, "type": "Event", "watchEvent": "Deleted", "object": {"n": 1}});
    let digest = digested(json!([event("b"), event("c"), tick("catch-up", json!([]))]));
    assert_eq!(digest.events.len(), 1);
    assert!(digest.events[0].deleted);
}

#[test]
fn an_event_without_an_object_is_passed_over() {
    let digest = digested(json!([
        {"binding": "b", "type": "Event", "watchEvent": "Added", "object": null, "filterResult": ""},
        {"binding": "b", "type": "Event", "object": {}},
        tick("catch-up", json!([])),
    ]));
    assert!(digest.events.is_empty() && digest.problems.is_empty());
}

#[test]
fn elements_that_make_no_sense_are_named_and_the_others_go_on() {
    let digest =
        digested(json!([3, {"binding": "x", "type": "Foo"}, {"binding": "y"}, tick("z", json!([null]))]));
    assert_eq!(
        digest.problems,
        [
            "element 0 is a number, not an object",
            "element 1 (\"x\") has an unknown type \"Foo\"",
            "element 2 (\"y\") has an unknown type null",
        ]
    );
    assert_eq!(digest.snapshot, [Value::Null]);
}

#[test]
fn events_without_any_list_are_answered_by_one_that_is_asked_for() {
    let event = json!({"binding": "b", "type": "Event", "watchEvent": "Added", "object": {}});
    let contexts =
        |elements: &[&Value]| Contexts::Bindings(elements.iter().map(|&one| one.clone()).collect());
    let sync = json!({"binding": "b", "type": "Synchronization", "objects": []});
    let of_another = json!({"binding": "c", "type": "Event", "watchEvent": "Added", "object": {}});
    let full_tick = tick("periodic sync", json!([]));
    let bare_tick = json!({"binding": "periodic sync", "type": "Schedule"});
    for (elements, needed) in [
        (vec![&event], true),
        (vec![&event, &event], true),
        (vec![&bare_tick, &event], true),
        (vec![&event, &full_tick], false),
        (vec![&sync, &event], false),
        (vec![&of_another], false),
        (vec![&bare_tick], false),
        (vec![], false),
    ] {
        assert_eq!(contexts(&elements).needs_list("b"), needed, "{elements:?}");
    }
    assert!(!Contexts::ByHand(vec![event.clone()]).needs_list("b"));

    let mut listed = contexts(&[&of_another, &event]);
    listed.add_snapshot("b", vec![json!({"metadata": {"name": "a"}})]);
    assert!(!listed.needs_list("b"));
    let Contexts::Bindings(elements) = listed else { panic!("bindings") };
    assert_eq!(elements[1]["snapshots"], json!({"b": [{"metadata": {"name": "a"}}]}));
    assert_eq!(elements[0], of_another);
}
