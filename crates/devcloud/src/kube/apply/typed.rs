//! Values against a schema: their fields, how two of them differ, and how one merges into another.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::kube::apply::node::{List, Node, Want};
use crate::kube::apply::paths::{Path, Paths, Step, shown};

/// What is wrong with an applied object: unknown fields and wrong types, each with its path.
pub(crate) fn faults(value: &Value, node: Node<'_>) -> Vec<String> {
    let mut found = Vec::new();
    look(value, node, &mut Vec::new(), &mut found);
    found
}

fn look(value: &Value, node: Node<'_>, path: &mut Path, found: &mut Vec<String>) {
    let mut say = |path: &Path, what: String| found.push(format!("{}: {what}", shown(path)));
    match (node.want(), value) {
        (_, Value::Null)
        | (Want::Number, Value::Number(_))
        | (Want::Text, Value::String(_))
        | (Want::Boolean, Value::Bool(_)) => {}
        (Want::Number, other) => {
            say(path, format!("expected numeric (int or float), got {}", go_type(other)));
        }
        (want @ (Want::Text | Want::Boolean), other) => {
            let want = if want == Want::Text { "string" } else { "boolean" };
            say(path, format!("expected {want}, got &value.valueUnstructured{{Value:{}}}", go_value(other)));
        }
        (Want::Object | Want::Anything, Value::Object(map)) => {
            for (key, value) in map {
                path.push(Step::Field(key.clone()));
                match node.field(key) {
                    Some(node) => look(value, node, path, found),
                    None => found.push(format!("{}: field not declared in schema", shown(path))),
                }
                path.pop();
            }
        }
        (Want::List | Want::Anything, Value::Array(items)) => look_at_list(items, node, path, found),
        (want @ (Want::Object | Want::List), other) => {
            let want = if want == Want::Object { "map" } else { "list" };
            say(path, format!("expected {want}, got &{{{}}}", go_value(other).trim_matches('"')));
        }
        (Want::Anything, _) => {}
    }
}

fn look_at_list(items: &[Value], node: Node<'_>, path: &mut Path, found: &mut Vec<String>) {
    if node.list() == List::Atomic {
        // A list of this kind has no path for its items: they are told by their number.
        for (index, item) in items.iter().enumerate() {
            let mut inner = Vec::new();
            look(item, node.items(), &mut Vec::new(), &mut inner);
            found.extend(inner.iter().map(|fault| format!("{}[{index}]{fault}", shown(path))));
        }
        return;
    }
    let mut seen = BTreeSet::new();
    for (index, item) in items.iter().enumerate() {
        match node.step(item) {
            Err(key) => found.push(format!(
                "{}: element {index}: associative list with keys has an element that omits key field {key:?}",
                shown(path)
            )),
            Ok(step) if !seen.insert(step.clone()) => {
                let what = shown(std::slice::from_ref(&step));
                found.push(format!("{}: duplicate entries for key {what}", shown(path)));
            }
            Ok(step) => {
                path.push(step);
                look(item, node.items(), path, found);
                path.pop();
            }
        }
    }
}

fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

fn go_value(value: &Value) -> String {
    let of = |inner: Vec<String>| format!("{}{{{}}}", go_type(value), inner.join(", "));
    match value {
        Value::Array(items) => of(items.iter().map(go_value).collect()),
        Value::Object(map) => {
            of(map.iter().map(|(key, value)| format!("{key:?}:{}", go_value(value))).collect())
        }
        plain => plain.to_string(),
    }
}

/// The fields that an applied object speaks of: its leaves, and each item of a list by its key.
pub(crate) fn fields(value: &Value, node: Node<'_>) -> Paths {
    fn walk(value: &Value, node: Node<'_>, path: &mut Path, out: &mut Paths) {
        let inner = parts(value, node);
        if inner.is_empty() || matches!(path.last(), Some(Step::Key(_))) {
            out.insert(path);
        }
        for (step, value) in inner {
            let node = node.at(&step);
            path.push(step);
            walk(value, node, path, out);
            path.pop();
        }
    }
    let mut out = Paths::default();
    walk(value, node, &mut Vec::new(), &mut out);
    out
}

/// The parts that merge on their own; none of a whole.
fn parts<'v>(value: &'v Value, node: Node<'_>) -> Vec<(Step, &'v Value)> {
    if !node.granular(value) {
        return Vec::new();
    }
    match value {
        Value::Object(map) => map.iter().map(|(key, value)| (Step::Field(key.clone()), value)).collect(),
        Value::Array(items) => items.iter().filter_map(|item| Some((node.step(item).ok()?, item))).collect(),
        _ => Vec::new(),
    }
}

/// How two objects differ.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) added: Paths,
    pub(crate) modified: Paths,
    pub(crate) removed: Paths,
}

/// Compares; what is added or removed is named with all its parts.
pub(crate) fn compare(old: &Value, new: &Value, node: Node<'_>) -> Changes {
    let mut changes = Changes::default();
    walk_both(old, new, node, &mut Vec::new(), &mut changes);
    changes
}

fn walk_both(old: &Value, new: &Value, node: Node<'_>, path: &mut Path, changes: &mut Changes) {
    if old == new {
        return;
    }
    let both = (old.is_object() && new.is_object()) || (old.is_array() && new.is_array());
    if !(both && node.granular(new)) {
        changes.modified.insert(path);
        return;
    }
    // A null is as good as nothing: nobody owns it (measured on a template's `objects`).
    let there = |value| parts(value, node).into_iter().filter(|(_, value)| !value.is_null());
    let before: BTreeMap<Step, &Value> = there(old).collect();
    let after: BTreeMap<Step, &Value> = there(new).collect();
    let steps: BTreeSet<&Step> = before.keys().chain(after.keys()).collect();
    for step in steps {
        path.push(step.clone());
        match (before.get(step), after.get(step)) {
            (Some(old), Some(new)) => walk_both(old, new, node.at(step), path, changes),
            (Some(old), None) => all(old, node.at(step), path, &mut changes.removed),
            (None, Some(new)) => all(new, node.at(step), path, &mut changes.added),
            (None, None) => {}
        }
        path.pop();
    }
}

fn all(value: &Value, node: Node<'_>, path: &mut Path, out: &mut Paths) {
    out.insert(path);
    for (step, value) in parts(value, node) {
        let node = node.at(&step);
        path.push(step);
        all(value, node, path, out);
        path.pop();
    }
}

/// Merges an applied object into the live one.
pub(crate) fn merge(live: &mut Value, config: &Value, node: Node<'_>) {
    if !node.granular(config) {
        *live = config.clone();
        return;
    }
    match (live, config) {
        (Value::Object(live), Value::Object(config)) => {
            for (key, value) in config {
                let node = node.field(key).unwrap_or(Node::new(None));
                merge(live.entry(key.clone()).or_insert(Value::Null), value, node);
            }
        }
        (Value::Array(live), Value::Array(config)) => *live = merge_lists(live, config, node),
        (live, Value::Object(config)) => {
            *live = Value::Object(Map::new());
            merge(live, &Value::Object(config.clone()), node);
        }
        (live, config) => *live = config.clone(),
    }
}

/// The applied items in their order; an item that is only in the live list comes where it is met on the way.
fn merge_lists(live: &[Value], config: &[Value], node: Node<'_>) -> Vec<Value> {
    let steps = |items: &[Value]| items.iter().map(|item| node.step(item).ok()).collect::<Vec<_>>();
    let (live_steps, config_steps) = (steps(live), steps(config));
    let mut out = Vec::new();
    let (mut at, mut next) = (0, 0);
    while at < live.len() || next < config.len() {
        if at < live.len() {
            let step = &live_steps[at];
            if !config_steps.contains(step) {
                out.push(live[at].clone());
                at += 1;
                continue;
            }
            // The next applied item that is in the live list too: another common one is passed over.
            let shared = config_steps[next..].iter().find(|step| live_steps.contains(step));
            if shared != Some(step) {
                at += 1;
                continue;
            }
        }
        if next < config.len() {
            let place = live_steps.iter().position(|step| *step == config_steps[next]);
            let mut merged = place.map_or(Value::Null, |place| live[place].clone());
            merge(&mut merged, &config[next], node.items());
            out.push(merged);
            if place.is_some() && place == Some(at) {
                at += 1;
            }
            next += 1;
        }
    }
    out
}

/// The value at a path.
pub(crate) fn find<'v>(value: &'v Value, path: &[Step], node: Node<'_>) -> Option<&'v Value> {
    let Some((step, rest)) = path.split_first() else { return Some(value) };
    let inner = match (step, value) {
        (Step::Field(name), Value::Object(map)) => map.get(name),
        (_, Value::Array(items)) => items.iter().find(|item| node.step(item).ok().as_ref() == Some(step)),
        _ => None,
    }?;
    find(inner, rest, node.at(step))
}

/// Takes a path and all below it out of the value.
pub(crate) fn remove(value: &mut Value, path: &[Step], node: Node<'_>) {
    let Some((step, rest)) = path.split_first() else { return };
    let is_it = |item: &Value| node.step(item).ok().as_ref() == Some(step);
    match (step, value, rest.is_empty()) {
        (Step::Field(name), Value::Object(map), true) => {
            map.remove(name);
        }
        (Step::Field(name), Value::Object(map), false) => {
            if let Some(inner) = map.get_mut(name) {
                remove(inner, rest, node.at(step));
            }
        }
        (_, Value::Array(items), true) => items.retain(|item| !is_it(item)),
        (_, Value::Array(items), false) => {
            if let Some(inner) = items.iter_mut().find(|item| is_it(item)) {
                remove(inner, rest, node.at(step));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn named() -> Value {
        json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]})
    }

    #[test]
    fn items_are_merged_by_their_key_and_keep_their_places() {
        let schema = named();
        let node = Node::new(Some(&schema));
        let items =
            |names: &[&str]| json!(names.iter().map(|name| json!({"name": name})).collect::<Vec<_>>());
        for (live, applied, wanted) in [
            (&["a", "b"][..], &["b", "c"][..], &["a", "b", "c"][..]),
            (&["a", "b", "c"], &["c", "a"], &["b", "c", "a"]),
            (&["x", "a", "y"], &["a"], &["x", "a", "y"]),
            (&[], &["a"], &["a"]),
        ] {
            let mut merged = items(live);
            merge(&mut merged, &items(applied), node);
            assert_eq!(merged, items(wanted), "{live:?} and {applied:?}");
        }
        let mut merged = json!([{"name": "a", "x": 1}]);
        merge(&mut merged, &json!([{"name": "a", "y": 2}]), node);
        assert_eq!(merged, json!([{"name": "a", "x": 1, "y": 2}]));
    }

    #[test]
    fn wholes_are_replaced() {
        let schema = json!({"type": "object", "properties": {
            "list": {"type": "array"},
            "selector": {
                "type": "object", "x-kubernetes-map-type": "atomic", "x-kubernetes-preserve-unknown-fields": true,
            },
        }});
        let node = Node::new(Some(&schema));
        let mut merged = json!({"list": [1, 2], "selector": {"a": 1}});
        let config = json!({"list": [3], "selector": {"b": 2}});
        merge(&mut merged, &config, node);
        assert_eq!(merged, config);
        let wanted = json!({"f:list": {}, "f:selector": {}});
        assert_eq!(fields(&config, node).to_fields(), wanted);
    }

    #[test]
    fn an_item_without_its_key_is_a_fault() {
        let schema = named();
        let found = faults(&json!([{"x": 1}]), Node::new(Some(&schema)));
        assert_eq!(
            found,
            [": element 0: associative list with keys has an element that omits key field \"name\""]
        );
    }
}
