//! Binding contexts that are not what shell-operator writes.

use devcloud::shell_operator;
use openstack_sync_tests::{BINDING, Hook, Site, flavor_cr};
use serde_json::{Value, json};

use crate::world::{GOOD, world};

#[test]
fn nothing_to_do_is_exit_0_without_a_word() {
    let site = Site::new();
    site.apply(flavor_cr(GOOD, "devcloud", json!({})));
    let mut hook = site.hook.clone();
    let quiet = |hook: &Hook| {
        let outcome = hook.run(&[]).expect(0);
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("", ""));
    };
    quiet(&hook);
    quiet(hook.set("BINDING_CONTEXT_PATH", ""));
    for text in ["", " \n\t", "[]", " [ ] \n"] {
        quiet(hook.set("BINDING_CONTEXT_PATH", &site.file("context.json", text).display().to_string()));
    }
    assert_eq!(site.requests(), <[String; 0]>::default());
}

#[test]
fn a_file_that_cannot_be_read_or_is_malformed_is_one_line() {
    let world = world();
    world.fails(false, &["binding context", "/nonexistent/context", "cannot be read"], |site| {
        site.hook.clone().set("BINDING_CONTEXT_PATH", "/nonexistent/context").run(&[])
    });
    world.fails(false, &["binding context", "cannot be read"], |site| {
        site.hook.clone().set("BINDING_CONTEXT_PATH", "/").run(&[])
    });
    let whole = shell_operator::file(&[world.site.periodic()]);
    for (text, said) in [
        ("{", "is not JSON"),
        ("[{]", "is not JSON"),
        (&whole[..whole.len() / 2], "is not JSON"),
        ("binding: x", "is not JSON"),
        ("{\"binding\": \"x\"}", "is an object, not a list"),
        ("null", "is null, not a list"),
        ("7", "is a number, not a list"),
    ] {
        world.fails(false, &["binding context", "context.json", said], |site| site.run_text(text));
    }
}

#[test]
fn without_a_snapshot_of_the_hooks_own_binding_nothing_is_done() {
    let world = world();
    for element in [
        json!({"binding": "other", "type": "Event", "watchEvent": "Added", "object": world.site.cr(GOOD)}),
        json!({"binding": "periodic sync", "type": "Schedule"}),
        json!({"binding": "periodic sync", "type": "Schedule", "snapshots": {}}),
        json!({"binding": "other", "type": "Synchronization", "objects": []}),
        json!({"binding": "other", "type": "Schedule", "snapshots": {"other": []}}),
        shell_operator::on_startup(),
    ] {
        world.fails(false, &["binding context", "no snapshot", BINDING], |site| {
            site.run(std::slice::from_ref(&element))
        });
    }
    let not_a_list =
        json!({"binding": "periodic sync", "type": "Schedule", "snapshots": {BINDING: {"a": 1}}});
    world.fails(false, &["snapshot", BINDING, "is an object, not a list"], |site| {
        site.run(std::slice::from_ref(&not_a_list))
    });
}

/// One element or item that makes no sense is doubt, and no reason to leave the rest alone.
#[test]
fn what_makes_no_sense_is_named_and_the_rest_goes_on() {
    let odd_elements = [
        (json!(7), &["element 0", "a number"][..]),
        (json!(null), &["element 0", "null"]),
        (json!("Schedule"), &["element 0", "a string"]),
        (json!({"binding": "x", "type": "Miracle"}), &["element 0", "unknown type", "Miracle"]),
        (json!({"binding": "x"}), &["element 0", "unknown type"]),
        (json!({"binding": "x", "type": ["Event"]}), &["element 0", "unknown type"]),
    ];
    for (element, words) in odd_elements {
        world().fails(true, words, |site| site.run(&[element.clone(), site.periodic()]));
    }
    let odd_items = [
        (json!(null), &["item of the snapshot", "null"][..]),
        (json!("x"), &["item of the snapshot", "a string"]),
        (json!({"object": null, "filterResult": ""}), &["item of the snapshot", "null"]),
        (json!({"object": {"metadata": null}}), &["metadata", "null"]),
        (json!({"object": {"spec": {}}}), &["metadata", "missing"]),
        (json!({"object": {"metadata": {"namespace": "openstack"}}}), &["openstack", "no metadata.name"]),
        (
            json!({"object": {"metadata": {"namespace": "openstack", "name": 7}}}),
            &["openstack", "no metadata.name"],
        ),
    ];
    for (item, words) in odd_items {
        world().fails(true, words, |site| site.run(&[with_item(site.periodic(), &item)]));
    }
}

fn with_item(mut element: Value, item: &Value) -> Value {
    element["snapshots"][BINDING].as_array_mut().expect("a snapshot").push(item.clone());
    element
}

/// An event about something that is neither in the snapshot nor readable: named, and no reason to stop the
/// others. It is no doubt either, since the snapshot is what is deleted by.
#[test]
fn an_event_object_that_cannot_be_read_fails_the_run() {
    let spec = json!({"metadata": {"namespace": "openstack", "name": "gone"}, "spec": "x"});
    for (object, words) in [
        (spec, &["event of openstack/gone", "spec is a string"][..]),
        (json!({"metadata": 7}), &["event", "metadata that is a number"]),
        (json!("x"), &["event", "a string"]),
    ] {
        let site = world().site;
        for _ in 0..2 {
            let outcome = site.run(&[site.event("Deleted", object.clone()), site.periodic()]).expect(1);
            assert!(outcome.says(words), "{words:?}: {}", outcome.stderr);
            assert!(site.verdict(GOOD).starts_with("Synced"), "{}", outcome.stderr);
        }
        assert_eq!(site.neutron("devcloud").named("by-hand").len(), 1);
    }
}

#[test]
fn a_disabled_hook_does_nothing_but_refuse_a_bad_context() {
    let mut world = world();
    for value in [Some("false"), None] {
        match value {
            Some(value) => world.site.hook.set("NEUTRON_ROUTER_FLAVOR_ENABLED", value),
            None => world.site.hook.unset("NEUTRON_ROUTER_FLAVOR_ENABLED"),
        };
        // Not even what it would need is looked at.
        world.site.hook.unset("NEUTRON_ROUTER_FLAVOR_CRD_KIND").set("NEUTRON_ROUTER_FLAVOR_PRUNE", "perhaps");
        let outcome = world.site.full().expect(0);
        assert!(outcome.says(&["NEUTRON_ROUTER_FLAVOR_ENABLED", "nothing is done"]), "{}", outcome.stderr);
        assert_eq!(world.site.requests(), <[String; 0]>::default());
        world.fails(false, &["is not JSON"], |site| site.run_text("{"));
        world.fails(false, &["not a list"], |site| site.run_text("{}"));
    }
    world.nothing_was_deleted();
}
