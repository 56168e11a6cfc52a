//! Strategic merge patches, as kubectl sends them for built-in kinds.
//!
//! Objects merge as in a JSON merge patch. Lists that have keys for server-side apply merge by those keys, sets are
//! joined, all other lists are replaced; `$patch: delete` and `$patch: replace` are followed, hints about orders
//! (`$setElementOrder/…`) and unions (`$retainKeys`) are not.

use serde_json::{Map, Value};

use crate::kube::apply::{List, Node};

/// Applies a patch.
pub(crate) fn strategic_merge(target: &mut Value, patch: &Value, node: Node<'_>) {
    match patch {
        Value::Object(patch) => {
            if !target.is_object() || patch.get("$patch").is_some_and(|directive| directive == "replace") {
                *target = Value::Object(Map::new());
            }
            if let Value::Object(target) = target {
                merge_maps(target, patch, node);
            }
        }
        Value::Array(items) if node.list() != List::Atomic && target.is_array() => {
            if let Value::Array(target) = target {
                merge_lists(target, items, node);
            }
        }
        plain => *target = plain.clone(),
    }
}

fn merge_maps(target: &mut Map<String, Value>, patch: &Map<String, Value>, node: Node<'_>) {
    for (key, value) in patch {
        if let Some(list) = key.strip_prefix("$deleteFromPrimitiveList/") {
            let gone = value.as_array().cloned().unwrap_or_default();
            if let Some(Value::Array(items)) = target.get_mut(list) {
                items.retain(|item| !gone.contains(item));
            }
        } else if key.starts_with('$') {
        } else if value.is_null() {
            target.remove(key);
        } else {
            let node = node.field(key).unwrap_or(Node::new(None));
            strategic_merge(target.entry(key.clone()).or_insert(Value::Null), value, node);
        }
    }
}

fn merge_lists(target: &mut Vec<Value>, patch: &[Value], node: Node<'_>) {
    let same = |a: &Value, b: &Value| node.step(a).is_ok_and(|step| node.step(b) == Ok(step));
    for item in patch {
        if item["$patch"] == "delete" {
            target.retain(|known| !same(known, item));
            continue;
        }
        match target.iter_mut().find(|known| same(known, item)) {
            Some(known) => strategic_merge(known, item, node.items()),
            None => {
                let mut new = Value::Null;
                strategic_merge(&mut new, item, node.items());
                target.push(new);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn items_merge_by_their_keys() {
        let schema = json!({"type": "object", "properties": {
            "containers": {
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            },
            "finalizers": {"type": "array", "x-kubernetes-list-type": "set"},
            "args": {"type": "array"},
        }});
        let mut object = json!({
            "containers": [{"name": "a", "image": "a:1"}, {"name": "b"}], "finalizers": ["x"], "args": [1, 2],
            "gone": 1,
        });
        let patch = json!({
            "$setElementOrder/containers": [{"name": "a"}],
            "containers": [{"name": "a", "image": "a:2"}, {"name": "b", "$patch": "delete"}, {"name": "c"}],
            "finalizers": ["y", "x"], "args": [3], "gone": null,
        });
        strategic_merge(&mut object, &patch, Node::new(Some(&schema)));
        let wanted = json!({
            "containers": [{"name": "a", "image": "a:2"}, {"name": "c"}], "finalizers": ["x", "y"], "args": [3],
        });
        assert_eq!(object, wanted);
        let patch = json!({"$deleteFromPrimitiveList/finalizers": ["x"]});
        strategic_merge(&mut object, &patch, Node::new(Some(&schema)));
        assert_eq!(object["finalizers"], json!(["y"]));
    }
}
