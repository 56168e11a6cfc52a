//! Rules of `metadata`, the same for every kind.

use serde_json::{Map, Value};

use crate::kube::status::{Cause, Status};

const KNOWN: [&str; 14] = [
    "annotations",
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generateName",
    "generation",
    "labels",
    "managedFields",
    "name",
    "namespace",
    "ownerReferences",
    "resourceVersion",
    "uid",
];

/// What the server alone sets.
pub(crate) const SYSTEM: [&str; 7] = [
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "uid",
];

/// A text in `metadata`; empty if absent.
pub(crate) fn text<'v>(object: &'v Value, key: &str) -> &'v str {
    object["metadata"][key].as_str().unwrap_or_default()
}

/// The finalizers in their order.
pub(crate) fn finalizers(object: &Value) -> Vec<&str> {
    object["metadata"]["finalizers"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Drops unknown keys (returned as paths) and empty lists and maps, as the typed `ObjectMeta` does.
pub(crate) fn normalise(object: &mut Value, kind: &str, version: &str) -> Result<Vec<String>, Status> {
    let mut removed = Vec::new();
    let Some(object) = object.as_object_mut() else { return Ok(removed) };
    let metadata = object.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
    if metadata.is_null() {
        *metadata = Value::Object(Map::new());
    }
    let wrong = |field: &str, what: &str| {
        Status::bad_request(format!(
            "{kind} in version {version:?} cannot be handled as a {kind}: json: cannot unmarshal {what} into Go \
             struct field ObjectMeta.metadata{field}"
        ))
    };
    let Some(map) = metadata.as_object_mut() else { return Err(wrong("", "string")) };
    for key in ["labels", "annotations"] {
        if let Some(other) = map.get(key).filter(|value| !value.is_object() && !value.is_null()) {
            return Err(wrong(&format!(".{key} of type map[string]string"), json_type(other)));
        }
        for value in map.get(key).and_then(Value::as_object).into_iter().flat_map(Map::values) {
            if !value.is_string() && !value.is_null() {
                return Err(wrong(&format!(".{key} of type string"), json_type(value)));
            }
        }
    }
    map.retain(|key, value| {
        if !KNOWN.contains(&key.as_str()) {
            removed.push(format!("metadata.{key}"));
            return false;
        }
        match value {
            Value::Null => false,
            Value::Array(items) => !items.is_empty(),
            Value::Object(inner) => !inner.is_empty(),
            Value::String(text) => !text.is_empty(),
            _ => true,
        }
    });
    Ok(removed)
}

/// How Go's JSON decoder names a value's type.
pub(crate) fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A name must be a DNS subdomain (RFC 1123).
pub(crate) fn check_name(name: &str) -> Option<Cause> {
    let label = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && !part.starts_with('-')
            && !part.ends_with('-')
    };
    let message = if name.len() > 253 {
        "must be no more than 253 bytes".to_owned()
    } else if name.split('.').all(label) {
        return None;
    } else {
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must \
         start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
         '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
            .to_owned()
    };
    Some(Cause::new("FieldValueInvalid", "metadata.name", format!("Invalid value: {name:?}: {message}")))
}

/// The name in an object must be that of the URL.
pub(crate) fn check_renaming(asked: &str, object: &Value) -> Result<(), Status> {
    let name = text(object, "name");
    if name == asked {
        return Ok(());
    }
    Err(Status::bad_request(format!(
        "the name of the object ({name}) does not match the name on the URL ({asked})"
    )))
}

/// What is wrong with the finalizers of `new`; `old` is the stored object, if there is one.
pub(crate) fn check_finalizers(new: &Value, old: Option<&Value>) -> Vec<Cause> {
    let mut causes = Vec::new();
    for finalizer in finalizers(new) {
        let name = finalizer.rsplit_once('/').map_or(finalizer, |(_, name)| name);
        let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let ends = |text: &str| {
            text.starts_with(|c: char| c.is_ascii_alphanumeric())
                && text.ends_with(|c: char| c.is_ascii_alphanumeric())
        };
        if !(ends(name) && name.bytes().all(inner)) {
            let message = format!(
                "Invalid value: {finalizer:?}: name part must consist of alphanumeric characters, '-', '_' or '.', \
                 and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or \
                 '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
            );
            causes.push(Cause::new("FieldValueInvalid", "metadata.finalizers", message));
        }
    }
    if let Some(old) = old.filter(|old| !text(old, "deletionTimestamp").is_empty()) {
        let had = finalizers(old);
        let added: Vec<String> = finalizers(new)
            .iter()
            .filter(|name| !had.contains(name))
            .map(|name| format!("{name:?}"))
            .collect();
        if !added.is_empty() {
            let message = format!(
                "Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers \
                 []string{{{}}}",
                added.join(", ")
            );
            // It comes twice (measured).
            for _ in 0..2 {
                causes.push(Cause::new("FieldValueForbidden", "metadata.finalizers", message.clone()));
            }
        }
    }
    causes
}

/// The warnings about finalizers without a domain.
pub(crate) fn finalizer_warnings(object: &Value) -> Vec<String> {
    finalizers(object)
        .iter()
        .filter(|name| !name.contains('/'))
        .map(|name| {
            format!(
                "metadata.finalizers: {name:?}: prefer a domain-qualified finalizer name to avoid accidental \
                 conflicts with other finalizer writers"
            )
        })
        .collect()
}
