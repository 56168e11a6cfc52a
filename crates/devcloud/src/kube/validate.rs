//! Validation of an object against its structural schema.
//!
//! Checked: type, nullable, required, enum, string lengths, pattern, date-time, number bounds, item and property
//! counts, `x-kubernetes-int-or-string`, keys of list maps, and `allOf`/`anyOf`/`oneOf`/`not`. CEL rules are not run.

use regex::Regex;
use serde_json::{Map, Value};

use crate::kube::status::Cause;
use crate::time;

/// One violation and where its schema node starts: unchanged nodes are not held against an update.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Violation {
    pub(crate) cause: Cause,
    /// JSON pointer of the value that was checked (for a missing field: of its parent).
    pub(crate) node: String,
}

/// All violations, by the order of fields.
pub(crate) fn validate(value: &Value, schema: &Value) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut late = Vec::new();
    check(value, schema, &Place::default(), &mut found, &mut late);
    found.append(&mut late);
    found
}

#[derive(Default, Clone)]
struct Place {
    field: String,
    pointer: String,
}

impl Place {
    fn key(&self, key: &str) -> Self {
        let field = if self.field.is_empty() { key.to_owned() } else { format!("{}.{key}", self.field) };
        Self { field, pointer: format!("{}/{}", self.pointer, key.replace('~', "~0").replace('/', "~1")) }
    }

    fn index(&self, index: usize) -> Self {
        Self { field: format!("{}[{index}]", self.field), pointer: format!("{}/{index}", self.pointer) }
    }

    /// Inside a message the path of a status field goes without `status.` (measured).
    fn said(&self) -> &str {
        self.field.strip_prefix("status.").unwrap_or(&self.field)
    }

    fn violation(&self, reason: &'static str, message: String) -> Violation {
        Violation { cause: Cause::new(reason, &self.field, message), node: self.pointer.clone() }
    }

    fn invalid(&self, value: &str, rule: &str) -> Violation {
        let message = format!("Invalid value: {value}: {} in body {rule}", self.said());
        self.violation("FieldValueInvalid", message)
    }
}

fn check(value: &Value, schema: &Value, at: &Place, found: &mut Vec<Violation>, late: &mut Vec<Violation>) {
    if value.is_null() && schema["nullable"] == true {
        return;
    }
    if let Some(violation) = wrong_type(value, schema, at) {
        found.push(violation);
        return;
    }
    if let Some(allowed) = schema["enum"].as_array().filter(|allowed| !allowed.contains(value)) {
        let list = allowed.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
        let message = format!("Unsupported value: {value}: supported values: {list}");
        found.push(at.violation("FieldValueNotSupported", message));
    }
    match value {
        Value::String(text) => found.extend(string(text, schema, at)),
        Value::Number(_) => found.extend(number(value, schema, at)),
        Value::Array(items) => array(items, schema, at, found, late),
        Value::Object(map) => object(map, schema, at, found, late),
        _ => {}
    }
    combinations(value, schema, at, found);
}

fn wrong_type(value: &Value, schema: &Value, at: &Place) -> Option<Violation> {
    if schema["x-kubernetes-int-or-string"] == true {
        return (!is_integer(value) && !value.is_string())
            .then(|| type_violation(value, "integer,string", at));
    }
    let wanted = schema["type"].as_str()?;
    let fits = match wanted {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => is_integer(value),
        "number" => value.is_number(),
        _ => true,
    };
    (!fits).then(|| type_violation(value, wanted, at))
}

fn type_violation(value: &Value, wanted: &str, at: &Place) -> Violation {
    let actual = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) if is_integer(value) => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let said = at.said();
    let message =
        format!("Invalid value: \"{actual}\": {said} in body must be of type {wanted}: \"{actual}\"");
    at.violation("FieldValueTypeInvalid", message)
}

fn is_integer(value: &Value) -> bool {
    value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// The first rule that a string breaks; measured: one cause per string.
fn string(text: &str, schema: &Value, at: &Place) -> Option<Violation> {
    let length = text.chars().count() as u64;
    let shown = format!("{text:?}");
    if let Some(max) = schema["maxLength"].as_u64().filter(|&max| length > max) {
        let message = format!("Too long: may not be more than {max} bytes");
        return Some(at.violation("FieldValueTooLong", message));
    }
    if let Some(min) = schema["minLength"].as_u64().filter(|&min| length < min) {
        return Some(at.invalid(&shown, &format!("should be at least {min} chars long")));
    }
    if let Some(pattern) = schema["pattern"].as_str() {
        // A pattern that this engine cannot read is not held against the object.
        if Regex::new(pattern).is_ok_and(|regex| !regex.is_match(text)) {
            return Some(at.invalid(&shown, &format!("should match '{pattern}'")));
        }
    }
    if schema["format"] == "date-time" && !time::is_date_time(text) {
        let said = at.said();
        let message = format!("Invalid value: {shown}: {said} in body must be of type date-time: {shown}");
        return Some(at.violation("FieldValueTypeInvalid", message));
    }
    None
}

fn number(value: &Value, schema: &Value, at: &Place) -> Option<Violation> {
    let number = value.as_f64()?;
    let shown = value.to_string();
    if let Some(max) = schema["maximum"].as_f64() {
        let exclusive = schema["exclusiveMaximum"] == true;
        if number > max || (exclusive && number >= max) {
            let equal = if exclusive { "" } else { " or equal to" };
            return Some(at.invalid(&shown, &format!("should be less than{equal} {}", schema["maximum"])));
        }
    }
    let min = schema["minimum"].as_f64()?;
    let exclusive = schema["exclusiveMinimum"] == true;
    let equal = if exclusive { "" } else { " or equal to" };
    (number < min || (exclusive && number <= min))
        .then(|| at.invalid(&shown, &format!("should be greater than{equal} {}", schema["minimum"])))
}

fn array(items: &[Value], schema: &Value, at: &Place, found: &mut Vec<Violation>, late: &mut Vec<Violation>) {
    let count = items.len() as u64;
    if let Some(max) = schema["maxItems"].as_u64().filter(|&max| count > max) {
        let message = format!("Too many: {count}: must have at most {max} items");
        found.push(at.violation("FieldValueTooMany", message));
    }
    if let Some(min) = schema["minItems"].as_u64().filter(|&min| count < min) {
        found.push(at.invalid(&count.to_string(), &format!("should have at least {min} items")));
    }
    if let Some(schema) = schema.get("items") {
        for (index, item) in items.iter().enumerate() {
            check(item, schema, &at.index(index), found, late);
        }
    }
    // Said after the schema's own violations (measured).
    let keys: Vec<&str> = match schema["x-kubernetes-list-type"].as_str() {
        Some("map") => schema["x-kubernetes-list-map-keys"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect(),
        _ => Vec::new(),
    };
    let is_set = schema["x-kubernetes-list-type"] == "set" || schema["uniqueItems"] == true;
    let identity = |item: &Value| -> Value {
        if is_set {
            return item.clone();
        }
        keys.iter()
            .filter_map(|&key| Some((key.to_owned(), item.get(key)?.clone())))
            .collect::<Map<_, _>>()
            .into()
    };
    if is_set || !keys.is_empty() {
        for (index, item) in items.iter().enumerate() {
            if items[..index].iter().any(|earlier| identity(earlier) == identity(item)) {
                let message = format!("Duplicate value: {}", identity(item));
                late.push(at.index(index).violation("FieldValueDuplicate", message));
            }
        }
    }
}

fn object(
    map: &Map<String, Value>,
    schema: &Value,
    at: &Place,
    found: &mut Vec<Violation>,
    late: &mut Vec<Violation>,
) {
    for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !map.contains_key(key) {
            let mut violation = at.key(key).violation("FieldValueRequired", "Required value".to_owned());
            violation.node.clone_from(&at.pointer);
            found.push(violation);
        }
    }
    let count = map.len() as u64;
    if let Some(max) = schema["maxProperties"].as_u64().filter(|&max| count > max) {
        let message = format!("Too many: {count}: must have at most {max} items");
        found.push(at.violation("FieldValueTooMany", message));
    }
    if let Some(min) = schema["minProperties"].as_u64().filter(|&min| count < min) {
        found.push(at.invalid(&count.to_string(), &format!("should have at least {min} properties")));
    }
    let known = schema["properties"].as_object();
    for (key, value) in map {
        // The root's own metadata is typed, and checked elsewhere.
        if at.pointer.is_empty() && matches!(key.as_str(), "apiVersion" | "kind" | "metadata") {
            continue;
        }
        let inner = known.and_then(|known| known.get(key)).or_else(|| schema.get("additionalProperties"));
        if let Some(inner) = inner.filter(|inner| inner.is_object()) {
            check(value, inner, &at.key(key), found, late);
        }
    }
}

fn combinations(value: &Value, schema: &Value, at: &Place, found: &mut Vec<Violation>) {
    let passes = |schema: &Value| {
        let (mut inner, mut late) = (Vec::new(), Vec::new());
        check(value, schema, at, &mut inner, &mut late);
        inner.is_empty()
    };
    let passing = |key: &str| {
        schema[key]
            .as_array()
            .map(|schemas| (schemas.iter().filter(|schema| passes(schema)).count(), schemas.len()))
    };
    let shown = if value.is_object() { "null".to_owned() } else { value.to_string() };
    if passing("allOf").is_some_and(|(passed, all)| passed < all) {
        found.push(at.invalid(&shown, "must validate all the schemas (allOf)"));
    }
    if passing("anyOf").is_some_and(|(passed, _)| passed == 0) {
        found.push(at.invalid(&shown, "must validate at least one schema (anyOf)"));
    }
    if passing("oneOf").is_some_and(|(passed, _)| passed != 1) {
        found.push(at.invalid(&shown, "must validate one and only one schema (oneOf)"));
    }
    if schema.get("not").is_some_and(passes) {
        found.push(at.invalid(&shown, "must not validate the schema (not)"));
    }
}
