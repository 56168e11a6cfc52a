//! `${NAME}` and `${{NAME}}` in the strings of an object, keys of maps included.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use crate::kube::templates::Failure;

static TEXT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\$\{([a-zA-Z0-9_]+?)\}").ok());
static WHOLE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\$\{\{([a-zA-Z0-9_]+)\}\}$").ok());

/// Values by parameter name; of two of one name the last counts.
pub(super) type Parameters = BTreeMap<String, String>;

/// True if the text holds a `${NAME}`, of whatever name. `${{NAME}}` is none.
pub(super) fn refers(text: &str) -> bool {
    TEXT.as_ref().is_some_and(|regex| regex.is_match(text))
}

/// What becomes of a string, and whether it stays one.
fn evaluated(text: &str, parameters: &Parameters) -> (String, bool) {
    let whole = WHOLE.as_ref().and_then(|regex| regex.captures(text));
    if let Some(value) = whole.and_then(|found| parameters.get(&found[1])) {
        return (value.clone(), false);
    }
    let mut out = text.to_owned();
    // Each reference of the input is replaced once, wherever its text is found by then: not one pass (measured).
    for found in TEXT.iter().flat_map(|regex| regex.captures_iter(text)) {
        if let Some(value) = parameters.get(&found[1]) {
            out = out.replacen(&found[0], value, 1);
        }
    }
    (out, true)
}

/// A string that stays a string: the message, and labels of the template.
pub(super) fn text(text: &str, parameters: &Parameters) -> String {
    evaluated(text, parameters).0
}

/// Replaces in all strings below `value`.
///
/// # Errors
/// Where the real server panics: a key that becomes something else than a string, a null in a list.
pub(super) fn substitute(value: &mut Value, parameters: &Parameters) -> Result<(), Failure> {
    match value {
        Value::Array(items) => {
            for item in items {
                *item = visited(item, parameters)?.ok_or(Failure::Panic)?;
            }
        }
        Value::Object(map) => *map = visited_map(map, parameters)?,
        _ => {}
    }
    Ok(())
}

/// A key that changes wins over one that was there (measured).
fn visited_map(map: &Map<String, Value>, parameters: &Parameters) -> Result<Map<String, Value>, Failure> {
    let (mut same, mut changed) = (Map::new(), Map::new());
    for (key, value) in map {
        let new = match evaluated(key, parameters) {
            (new, true) => new,
            (raw, false) => match decoded(&raw) {
                Value::String(new) => new,
                _ => return Err(Failure::Panic),
            },
        };
        let target = if new == *key { &mut same } else { &mut changed };
        if let Some(value) = visited(value, parameters)? {
            target.insert(new, value);
        }
    }
    same.append(&mut changed);
    Ok(same)
}

/// `None` for a reference whose value is `null`: in a map, its key goes.
fn visited(value: &Value, parameters: &Parameters) -> Result<Option<Value>, Failure> {
    let Value::String(text) = value else {
        let mut value = value.clone();
        substitute(&mut value, parameters)?;
        return Ok(Some(value));
    };
    Ok(match evaluated(text, parameters) {
        (text, true) => Some(text.into()),
        (raw, false) => Some(decoded(&raw)).filter(|value| !value.is_null()),
    })
}

/// A value as JSON; what is none is a string.
fn decoded(raw: &str) -> Value {
    let mut value = serde_json::from_str(raw).unwrap_or_else(|_| raw.into());
    floats(&mut value);
    value
}

/// Every number goes through a 64-bit float (measured).
fn floats(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(float) = number.as_f64().and_then(serde_json::Number::from_f64) {
                *number = float;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(floats),
        Value::Object(map) => map.values_mut().for_each(floats),
        _ => {}
    }
}
