//! YAML into JSON values. The only place that knows the YAML library.

use serde_json::{Map, Number, Value};
use serde_yaml::Value as Yaml;

use crate::Error;

/// Reads one YAML document (JSON is YAML too). Merge keys (`<<`) are applied. An empty document is `null`.
///
/// Scalars follow YAML 1.2: `yes`, `no`, `on`, `off` are strings, as are dates. Keys that are numbers or
/// booleans become their text, as kubectl does it.
///
/// # Errors
/// [`Error::Yaml`] with line and column where they are known, and never a word of the content: syntax, a
/// duplicate key, a second document, a tag such as `!!binary`, a number that JSON does not have, a key that is
/// a list, a mapping or null, too deep nesting, aliases that multiply.
pub fn parse(text: &str) -> Result<Value, Error> {
    // Editors on Windows begin a file with a byte order mark; the library takes it for a document.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut document: Yaml = serde_yaml::from_str(text).map_err(|error| yaml_error(&error))?;
    document
        .apply_merge()
        .map_err(|_| unsupported("a merge key (<<) takes a mapping or a list of mappings"))?;
    json(document)
}

fn json(value: Yaml) -> Result<Value, Error> {
    Ok(match value {
        Yaml::Null => Value::Null,
        Yaml::Bool(value) => Value::Bool(value),
        Yaml::Number(value) => Value::Number(number(&value)?),
        Yaml::String(value) => Value::String(value),
        Yaml::Sequence(items) => Value::Array(items.into_iter().map(json).collect::<Result<_, _>>()?),
        Yaml::Mapping(entries) => {
            let mut map = Map::with_capacity(entries.len());
            for (name, value) in entries {
                if map.insert(key(name)?, json(value)?).is_some() {
                    return Err(unsupported("a key occurs twice in one mapping, once as a string"));
                }
            }
            Value::Object(map)
        }
        Yaml::Tagged(_) => return Err(unsupported("tags are not supported")),
    })
}

fn number(value: &serde_yaml::Number) -> Result<Number, Error> {
    if let Some(value) = value.as_u64() {
        return Ok(value.into());
    }
    if let Some(value) = value.as_i64() {
        return Ok(value.into());
    }
    value
        .as_f64()
        .and_then(Number::from_f64)
        .ok_or_else(|| unsupported("JSON has no number for infinity or not-a-number"))
}

fn key(value: Yaml) -> Result<String, Error> {
    match value {
        Yaml::String(text) => Ok(text),
        Yaml::Bool(value) => Ok(value.to_string()),
        Yaml::Number(value) => Ok(value.to_string()),
        _ => Err(unsupported("a key is neither a string nor a number nor a boolean")),
    }
}

fn unsupported(problem: &str) -> Error {
    Error::Yaml { problem: problem.to_owned(), line: 0, column: 0 }
}

/// The library's texts can quote keys and values, so only those that are known not to are passed on.
fn yaml_error(error: &serde_yaml::Error) -> Error {
    let text = error.to_string();
    let problem = if text.contains("duplicate entry") {
        "a key occurs twice in one mapping"
    } else if text.contains("more than one document") {
        "there is more than one document"
    } else if text.contains("recursion limit") {
        "it is nested too deeply"
    } else if text.contains("repetition limit") {
        "its aliases multiply beyond reason"
    } else if text.contains("unknown anchor") {
        "an alias has no anchor"
    } else if text.contains("mapping values are not allowed") {
        "a \"key: value\" stands where none can be: is the indentation right, is a value with \": \" quoted?"
    } else if text.contains("cannot start any token") {
        "a character stands where none such can begin a value: tabs do not indent, @ and ` need quotes"
    } else {
        "its syntax is wrong"
    };
    let (line, column) = error.location().map_or((0, 0), |place| (place.line(), place.column()));
    Error::Yaml { problem: problem.to_owned(), line, column }
}

#[cfg(test)]
#[path = "yaml_tests.rs"]
mod tests;
