//! Fixed namespaces are taken out of objects before the substitution.

use serde_json::Value;

use crate::kube::templates::substitute::refers;

/// Removes a fixed `metadata.namespace`; one with a `${NAME}` in it stays. Lists are left alone.
pub(super) fn strip(object: &mut Value) {
    if is_list(object) {
        return;
    }
    if let Some(metadata) = object.get_mut("metadata") {
        let Some(metadata) = metadata.as_object_mut() else { return };
        match metadata.get("namespace") {
            Some(Value::String(text)) if refers(text) => {}
            Some(Value::String(text)) if !text.is_empty() => {
                metadata.remove("namespace");
            }
            Some(_) => {
                metadata.insert("namespace".into(), "".into());
            }
            None => {}
        }
        return;
    }
    // Without metadata, a field of that name at the top (measured).
    if let Some(namespace) = object.get_mut("namespace")
        && !namespace.as_str().is_some_and(refers)
    {
        *namespace = "".into();
    }
}

/// Anything with `items` at the top counts as a list (measured).
pub(super) fn is_list(object: &Value) -> bool {
    object.get("items").is_some()
}
