//! JSON merge patch (RFC 7396) and JSON patch (RFC 6902).

use serde_json::{Map, Value};

/// Applies a merge patch: null removes, objects merge, everything else replaces.
pub(crate) fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(target) = target else { return };
    for (key, value) in patch {
        if value.is_null() {
            target.remove(key);
        } else {
            merge(target.entry(key.clone()).or_insert(Value::Null), value);
        }
    }
}

/// Applies a JSON patch; `None` if an operation is unknown, its path is missing or a test fails.
pub(crate) fn json_patch(target: &Value, patch: &Value) -> Option<Value> {
    let mut out = target.clone();
    for operation in patch.as_array()? {
        let path = operation["path"].as_str()?;
        match operation["op"].as_str()? {
            "test" => {
                if out.pointer(path) != operation.get("value") {
                    return None;
                }
            }
            "add" => add(&mut out, path, operation.get("value")?.clone())?,
            "remove" => {
                remove(&mut out, path)?;
            }
            "replace" => *out.pointer_mut(path)? = operation.get("value")?.clone(),
            "copy" => {
                let value = out.pointer(operation["from"].as_str()?)?.clone();
                add(&mut out, path, value)?;
            }
            "move" => {
                let value = remove(&mut out, operation["from"].as_str()?)?;
                add(&mut out, path, value)?;
            }
            _ => return None,
        }
    }
    Some(out)
}

fn parent<'v, 'p>(value: &'v mut Value, path: &'p str) -> Option<(&'v mut Value, String)> {
    let (parent, key): (&'p str, &'p str) = path.rsplit_once('/')?;
    Some((value.pointer_mut(parent)?, key.replace("~1", "/").replace("~0", "~")))
}

fn add(value: &mut Value, path: &str, new: Value) -> Option<()> {
    if path.is_empty() {
        *value = new;
        return Some(());
    }
    match parent(value, path)? {
        (Value::Object(map), key) => {
            map.insert(key, new);
        }
        (Value::Array(items), key) => {
            let index = if key == "-" { items.len() } else { key.parse().ok()? };
            if index > items.len() {
                return None;
            }
            items.insert(index, new);
        }
        _ => return None,
    }
    Some(())
}

fn remove(value: &mut Value, path: &str) -> Option<Value> {
    match parent(value, path)? {
        (Value::Object(map), key) => map.remove(&key),
        (Value::Array(items), key) => {
            let index: usize = key.parse().ok()?;
            (index < items.len()).then(|| items.remove(index))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn merge_patch_follows_the_examples_of_its_rfc() {
        let cases = [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "b", "b": "c"}), json!({"a": null}), json!({"b": "c"})),
            (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": {"b": "c"}}), json!({"a": {"b": "d", "c": null}}), json!({"a": {"b": "d"}})),
            (json!({"a": [{"b": "c"}]}), json!({"a": [1]}), json!({"a": [1]})),
            (json!({}), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
            (json!([1, 2]), json!({"a": "b", "c": null}), json!({"a": "b"})),
        ];
        for (mut target, patch, wanted) in cases {
            merge(&mut target, &patch);
            assert_eq!(target, wanted, "{patch}");
        }
    }

    #[test]
    fn json_patch_applies_all_or_nothing() {
        let object = json!({"a": [1, 2], "b/c": {"x": 1}});
        let patch = json!([
            {"op": "test", "path": "/b~1c/x", "value": 1},
            {"op": "add", "path": "/a/-", "value": 3},
            {"op": "remove", "path": "/a/0"},
            {"op": "move", "from": "/b~1c", "path": "/d"},
            {"op": "replace", "path": "/d/x", "value": 2},
        ]);
        assert_eq!(json_patch(&object, &patch), Some(json!({"a": [2, 3], "d": {"x": 2}})));
        for bad in [
            json!([{"op": "test", "path": "/a", "value": 1}]),
            json!([{"op": "remove", "path": "/nope"}]),
            json!([{"op": "replace", "path": "/nope", "value": 1}]),
            json!([{"op": "add", "path": "/a/9", "value": 1}]),
            json!([{"op": "fold", "path": "/a"}]),
            json!({"op": "remove"}),
        ] {
            assert_eq!(json_patch(&object, &bad), None, "{bad}");
        }
    }
}
