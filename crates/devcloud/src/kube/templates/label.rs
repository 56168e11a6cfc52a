//! Labels of the template go onto every object.

use serde_json::{Map, Value, json};

use crate::kube::status::Cause;
use crate::kube::templates::namespace::is_list;
use crate::kube::templates::substitute::{Parameters, text};

/// The template's labels, substituted. Of two keys that become one, the changed one wins (measured).
pub(super) fn substituted(labels: &Value, parameters: &Parameters) -> Map<String, Value> {
    let (mut same, mut changed) = (Map::new(), Map::new());
    for (key, value) in labels.as_object().into_iter().flatten() {
        let value = text(value.as_str().unwrap_or_default(), parameters);
        let new = text(key, parameters);
        let target = if new == *key { &mut same } else { &mut changed };
        target.insert(new, value.into());
    }
    same.append(&mut changed);
    same
}

/// Puts the labels over the object's own. If one of its own is no string, all of them go without an error (measured).
///
/// # Errors
/// A cause for a list.
pub(super) fn add(object: &mut Value, labels: &Map<String, Value>, index: usize) -> Result<(), Cause> {
    if labels.is_empty() {
        return Ok(());
    }
    if is_list(object) {
        let message = format!(
            "Invalid value: {}: label could not be applied: object does not implement the Object interfaces",
            Value::Object(labels.clone())
        );
        return Err(Cause::new("FieldValueInvalid", &format!("item[{index}].labels"), message));
    }
    let Some(map) = object.as_object_mut() else { return Ok(()) };
    let metadata = map.entry("metadata").or_insert_with(|| json!({}));
    // Metadata that is no object stays what it is (measured).
    let Some(metadata) = metadata.as_object_mut() else { return Ok(()) };
    let own =
        metadata.get("labels").and_then(Value::as_object).filter(|own| own.values().all(Value::is_string));
    let mut all = own.cloned().unwrap_or_default();
    all.extend(labels.clone());
    metadata.insert("labels".into(), all.into());
    Ok(())
}
