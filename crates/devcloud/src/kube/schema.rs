//! Structural schemas: which fields are known, their defaults, and nulls.

use serde_json::{Map, Value};

const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

/// Removes what the schema does not know and returns the removed paths (`spec.nosuch`), sorted.
///
/// `apiVersion`, `kind` and `metadata` of the root always stay.
pub(crate) fn prune(object: &mut Value, schema: &Value) -> Vec<String> {
    let mut removed = Vec::new();
    prune_value(object, schema, "", &mut removed);
    removed.sort();
    removed
}

fn prune_value(value: &mut Value, schema: &Value, path: &str, removed: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                for (index, item) in items.iter_mut().enumerate() {
                    prune_value(item, schema, &format!("{path}[{index}]"), removed);
                }
            }
        }
        Value::Object(map) => prune_map(map, schema, path, removed),
        _ => {}
    }
}

fn prune_map(map: &mut Map<String, Value>, schema: &Value, path: &str, removed: &mut Vec<String>) {
    let known = schema.get("properties").and_then(Value::as_object);
    let additional = schema.get("additionalProperties");
    let embedded = path.is_empty() || schema["x-kubernetes-embedded-resource"] == true;
    map.retain(|key, value| {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        if embedded && matches!(key.as_str(), "apiVersion" | "kind" | "metadata") {
            return true;
        }
        if let Some(schema) = known.and_then(|known| known.get(key)) {
            prune_value(value, schema, &path, removed);
            return true;
        }
        match additional {
            Some(Value::Bool(true)) => true,
            Some(schema @ Value::Object(_)) => {
                prune_value(value, schema, &path, removed);
                true
            }
            _ if schema[PRESERVE] == true => true,
            _ => {
                removed.push(path);
                false
            }
        }
    });
}

/// Fills in the schema's defaults, also for nulls that the schema does not allow.
pub(crate) fn default(value: &mut Value, schema: &Value) {
    match value {
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| default(item, schema));
            }
        }
        Value::Object(map) => {
            for (key, schema) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                let wanted = schema.get("default").filter(|default| !default.is_null());
                let absent = map.get(key).is_none_or(|value| value.is_null() && schema["nullable"] != true);
                if let (Some(wanted), true) = (wanted, absent) {
                    map.insert(key.clone(), wanted.clone());
                }
                if let Some(value) = map.get_mut(key) {
                    default(value, schema);
                }
            }
            if let Some(schema @ Value::Object(_)) = schema.get("additionalProperties") {
                map.values_mut().for_each(|value| default(value, schema));
            }
        }
        _ => {}
    }
}

/// Removes the nulls of fields that are known and may not be null; items of lists stay, and what has no schema
/// (measured). To be called after [`default`], which puts defaults in their place.
pub(crate) fn drop_nulls(value: &mut Value, schema: &Value) {
    match value {
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| drop_nulls(item, schema));
            }
        }
        Value::Object(map) => {
            let additional = schema.get("additionalProperties").filter(|schema| schema.is_object());
            map.retain(|key, value| {
                let Some(schema) = schema["properties"].get(key).or(additional) else { return true };
                drop_nulls(value, schema);
                !value.is_null() || schema["nullable"] == true
            });
        }
        _ => {}
    }
}

/// True if the schema has validation rules (CEL) anywhere.
pub(crate) fn has_rules(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.contains_key("x-kubernetes-validations") || map.values().any(has_rules),
        Value::Array(items) => items.iter().any(has_rules),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Value {
        json!({"type": "object", "properties": {
            "spec": {"type": "object", "properties": {
                "color": {"type": "string", "default": "red"},
                "note": {"type": "string", "nullable": true, "default": "n"},
                "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
                "tags": {"type": "object", "additionalProperties": {"type": "string"}},
                "list": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "integer"}}}},
            }},
        }})
    }

    #[test]
    fn unknown_fields_go_and_are_named() {
        let mut object = json!({
            "apiVersion": "g/v1", "kind": "K", "metadata": {"anything": 1}, "extra": 1,
            "spec": {"nosuch": 1, "free": {"x": 1}, "tags": {"x": "y"}, "list": [{"a": 1}, {"b": 2}]},
        });
        assert_eq!(prune(&mut object, &schema()), ["extra", "spec.list[1].b", "spec.nosuch"]);
        assert_eq!(
            object,
            json!({
                "apiVersion": "g/v1", "kind": "K", "metadata": {"anything": 1},
                "spec": {"free": {"x": 1}, "tags": {"x": "y"}, "list": [{"a": 1}, {}]},
            })
        );
    }

    #[test]
    fn defaults_fill_gaps_and_forbidden_nulls() {
        let mut object = json!({"spec": {"color": null, "note": null}});
        default(&mut object, &schema());
        assert_eq!(object, json!({"spec": {"color": "red", "note": null}}));
        let mut without = json!({});
        default(&mut without, &schema());
        assert_eq!(without, json!({}), "a missing parent is not made");
    }

    #[test]
    fn nulls_go_where_a_schema_says_something_else() {
        let mut object = json!({"metadata": {"x": null}, "spec": {
            "color": null, "note": null, "free": {"x": null}, "tags": {"x": null, "y": "z"}, "list": [null, {"a": null}],
        }});
        drop_nulls(&mut object, &schema());
        assert_eq!(
            object,
            json!({"metadata": {"x": null}, "spec": {
                "note": null, "free": {"x": null}, "tags": {"y": "z"}, "list": [null, {}],
            }})
        );
        let mut any = json!({"x": null, "y": {"z": null}});
        drop_nulls(
            &mut any,
            &json!({"additionalProperties": {"x-kubernetes-preserve-unknown-fields": true}}),
        );
        assert_eq!(any, json!({"y": {"z": null}}));
        drop_nulls(&mut any, &json!({"additionalProperties": true}));
        assert_eq!(any, json!({"y": {"z": null}}));
    }
}
