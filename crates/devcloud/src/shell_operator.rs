//! Binding contexts as shell-operator hands them to a hook, built from the simulated cluster's state.
//!
//! Each function returns one element; the file behind `BINDING_CONTEXT_PATH` is a JSON array of them, see [`file()`].
//! Snapshots carry whole objects and, as the jqFilter of our hooks says, a `filterResult` of uid, generation,
//! deletionTimestamp and the abandon annotation.

use serde_json::{Map, Value, json};

use crate::kube::Kube;

const ABANDON: &str = "openstack-sync.understack.rackspace.net/abandon";

/// A schedule that fired: `schedule_name` is the element's binding, `binding` the key of the snapshot.
pub fn schedule(kube: &Kube, kind: &str, binding: &str, schedule_name: &str) -> Value {
    json!({"binding": schedule_name, "type": "Schedule", "snapshots": snapshots(kube, kind, binding)})
}

/// The first list of a kubernetes binding.
pub fn synchronization(kube: &Kube, kind: &str, binding: &str) -> Value {
    let objects = items(kube, kind);
    let snapshots = snapshots(kube, kind, binding);
    json!({"binding": binding, "type": "Synchronization", "objects": objects, "snapshots": snapshots})
}

/// A change of one object. `watch_event` is `Added`, `Modified` or `Deleted`; `object` is what the event froze, which
/// may be older than what there is now. No snapshot comes with it: our hooks do not ask for one.
pub fn event(binding: &str, watch_event: &str, object: Value) -> Value {
    let filtered = filter(&object);
    let mut event = json!({
        "binding": binding, "type": "Event", "watchEvent": watch_event, "filterResult": filtered,
    });
    event["object"] = object;
    event
}

/// A binding that has a `group`: no objects, only snapshots.
pub fn group(kube: &Kube, kind: &str, binding: &str, group: &str) -> Value {
    let snapshots = snapshots(kube, kind, binding);
    json!({"binding": binding, "type": "Group", "groupName": group, "snapshots": snapshots})
}

/// The element of an `onStartup` binding.
pub fn on_startup() -> Value {
    json!({"binding": "onStartup"})
}

/// The text of a binding-context file: an array and one trailing newline.
pub fn file(elements: &[Value]) -> String {
    format!("{}\n", Value::from(elements))
}

fn snapshots(kube: &Kube, kind: &str, binding: &str) -> Value {
    let mut snapshots = Map::new();
    snapshots.insert(binding.to_owned(), items(kube, kind).into());
    snapshots.into()
}

/// Sorted by namespace, then name, as the store lists them.
fn items(kube: &Kube, kind: &str) -> Vec<Value> {
    kube.list(kind)
        .into_iter()
        .map(|object| {
            let filtered = filter(&object);
            json!({"object": object, "filterResult": filtered})
        })
        .collect()
}

fn filter(object: &Value) -> Value {
    let metadata = &object["metadata"];
    json!({
        "uid": metadata["uid"], "generation": metadata["generation"],
        "deletionTimestamp": metadata["deletionTimestamp"], "abandon": metadata["annotations"][ABANDON],
    })
}
