//! Holds a CRD against the hook that reads its objects, both ways.

use std::fmt::Debug;

use framework::SyncPlugin;
use regex::Regex;
use serde_json::{Value, json};

use crate::schema::{crd, nodes, properties, requires, root};
use crate::shape::Shape;

/// A kind and its hook.
pub(crate) struct Kind<P> {
    /// The kind, as the CRD names it.
    pub(crate) name: &'static str,
    /// The plugin that reads it.
    pub(crate) plugin: P,
    /// The property of the spec that `SyncPlugin::credentials` reads, if it is one object that `Spec` does not have.
    pub(crate) credentials: Option<&'static str>,
    /// A good spec in which every field of the schema has a value other than its default. List fields have one
    /// item, maps with keys of the user's choice one key.
    pub(crate) full_spec: Value,
    /// The limits that the CRD alone holds: `<pointer into the spec> <keyword>`. The hook takes what they refuse.
    pub(crate) crd_alone: &'static [&'static str],
    /// The limits at which the hook refuses what the CRD takes.
    pub(crate) hook_alone: &'static [&'static str],
}

impl<P: SyncPlugin<Spec: Debug>> Kind<P> {
    /// Fails unless schema and hook agree.
    pub(crate) fn check(&self) {
        let crd = crd(self.name);
        let schema = &properties(root(&crd))["spec"];
        self.read(&self.full_spec).unwrap_or_else(|error| panic!("full_spec is good: {error}"));
        self.check_fields(schema);
        self.check_full_spec(schema);
        self.check_absence(schema);
        self.check_limits(schema);
    }

    /// What the hook makes of a spec, as a text: equal texts mean equal work.
    fn read(&self, spec: &Value) -> Result<String, String> {
        let credentials = self.plugin.credentials(spec).map_err(|error| error.to_string())?;
        let claim = self.plugin.claim(spec).map_err(|error| error.to_string())?;
        let parsed: P::Spec = serde_json::from_value(spec.clone()).map_err(|error| error.to_string())?;
        Ok(format!("{credentials} {claim:?} {parsed:?}"))
    }

    /// The same names and types on both sides.
    fn check_fields(&self, schema: &Value) {
        let Shape::Object(mut fields) = Shape::of::<P::Spec>() else { panic!("the spec is an object") };
        if let Some(property) = self.credentials {
            fields.entry(property.to_owned()).or_insert_with(Shape::of::<P::Credentials>);
        }
        compare(&format!("{} spec", self.name), schema, &Shape::Object(fields));
    }

    /// The nodes of the schema, by where the sample has their values.
    fn nodes<'a>(&self, schema: &'a Value) -> Vec<(String, &'a Value)> {
        let key = |at: &str| match self.full_spec.pointer(at).and_then(Value::as_object) {
            Some(map) if map.len() == 1 => map.keys().next().cloned().unwrap_or_default(),
            _ => panic!("{}: full_spec has no map of one key at {at}", self.name),
        };
        let place = |at: String| match at.split_once("/*") {
            Some((map, rest)) => format!("{map}/{}{rest}", key(map)),
            None => at,
        };
        nodes(schema).into_iter().map(|(at, node)| (place(at), node)).collect()
    }

    /// The sample leaves nothing out and repeats no default, or the checks below would show nothing.
    fn check_full_spec(&self, schema: &Value) {
        for (at, node) in self.nodes(schema) {
            let value = self.full_spec.pointer(&at);
            let value = value.unwrap_or_else(|| panic!("{}: full_spec has no value at {at}", self.name));
            let words = node["enum"].as_array().map_or(2, Vec::len);
            assert!(words == 1 || node.get("default") != Some(value), "{} {at}: only the default", self.name);
        }
    }

    /// Required is what the hook cannot do without; a default is what it takes in its place; and what has
    /// no default means something of its own when it is left out.
    fn check_absence(&self, schema: &Value) {
        for (at, object) in self.nodes(schema) {
            for (key, node) in properties(object) {
                let place = format!("{} spec{at}/{key}", self.name);
                let without = self.read(&self.edited(&at, |object| object.remove(key)));
                if requires(object, key) {
                    assert!(without.is_err(), "{place} is required, and the hook does without");
                    continue;
                }
                let without = without.unwrap_or_else(|error| panic!("{place} is optional: {error}"));
                let with = |value: &Value| {
                    self.read(&self.edited(&at, |object| object.insert(key.clone(), value.clone())))
                };
                if let Some(default) = node.get("default") {
                    assert_eq!(with(default), Ok(without), "{place} has the default {default}");
                    continue;
                }
                let values = match node["type"].as_str() {
                    Some("boolean") => vec![json!(true), json!(false)],
                    _ => node["enum"].as_array().cloned().unwrap_or_default(),
                };
                for value in values {
                    assert_ne!(
                        with(&value),
                        Ok(without.clone()),
                        "{place} has no default, and the hook takes {value}"
                    );
                }
            }
        }
    }

    /// Each side refuses what the other refuses, but for the exceptions that are named.
    fn check_limits(&self, schema: &Value) {
        let (mut crd_alone, mut hook_alone) = (Vec::new(), Vec::new());
        for (at, node) in self.nodes(schema).into_iter().skip(1) {
            let sample = &self.full_spec.pointer(&at).expect("full_spec is full");
            for (keyword, beyond) in beyond(node, sample) {
                if self.read(&self.with(&at, beyond)).is_ok() {
                    crd_alone.push(format!("{at} {keyword}"));
                }
            }
            for (keyword, within) in within(node, sample) {
                if self.read(&self.with(&at, within)).is_err() {
                    hook_alone.push(format!("{at} {keyword}"));
                }
            }
        }
        assert_eq!(crd_alone, self.crd_alone, "{}: limits that only the CRD holds", self.name);
        assert_eq!(hook_alone, self.hook_alone, "{}: limits at which only the hook refuses", self.name);
    }

    /// The full spec with another value at `at`.
    fn with(&self, at: &str, value: Value) -> Value {
        let mut spec = self.full_spec.clone();
        *spec.pointer_mut(at).expect("full_spec is full") = value;
        spec
    }

    /// The full spec after a change of the object at `at`.
    fn edited<T>(&self, at: &str, edit: impl FnOnce(&mut serde_json::Map<String, Value>) -> T) -> Value {
        let mut spec = self.full_spec.clone();
        edit(spec.pointer_mut(at).and_then(Value::as_object_mut).expect("an object"));
        spec
    }
}

/// Fails unless the schema has the names and types of the shape.
fn compare(at: &str, schema: &Value, shape: &Shape) {
    let kind = match shape {
        Shape::Anything => return,
        Shape::Text | Shape::OneOf(_) => "string",
        Shape::Boolean => "boolean",
        Shape::Integer => "integer",
        Shape::Number => "number",
        Shape::List(_) => "array",
        Shape::Map(_) | Shape::Object(_) => "object",
    };
    assert_eq!(schema["type"], kind, "{at}: the hook reads {shape:?}");
    match shape {
        Shape::OneOf(words) => assert_eq!(schema["enum"], json!(words), "{at}"),
        Shape::List(item) => compare(&format!("{at}[]"), &schema["items"], item),
        // The hook passes on whatever the CRD keeps.
        Shape::Map(value) => {
            properties(schema).iter().for_each(|(key, inner)| compare(&format!("{at}.{key}"), inner, value));
            if let Some(inner) = schema.get("additionalProperties") {
                compare(&format!("{at}.*"), inner, value);
            }
        }
        Shape::Object(fields) => {
            let known: Vec<&String> = properties(schema).keys().collect();
            assert_eq!(known, fields.keys().collect::<Vec<_>>(), "{at}: fields of the CRD, and of the hook");
            fields
                .iter()
                .for_each(|(key, field)| compare(&format!("{at}.{key}"), &schema["properties"][key], field));
        }
        _ => {}
    }
}

/// For each limit of a node a value just beyond it, and one of a wrong type.
fn beyond(node: &Value, sample: &Value) -> Vec<(&'static str, Value)> {
    let mut found = Vec::new();
    if node.get("type").is_some() {
        found.push(("type", if sample.is_string() { json!(7) } else { json!("seven") }));
    }
    if node.get("enum").is_some() {
        found.push(("enum", json!("no-such-word")));
    }
    if let Some(max) = node["maxLength"].as_u64() {
        found.push(("maxLength", stretched(sample, max + 1)));
    }
    if node["minLength"] == 1 {
        found.push(("minLength", json!("")));
    }
    if let Some(pattern) = node["pattern"].as_str() {
        let odd = "\u{17e} !";
        assert!(!Regex::new(pattern).unwrap().is_match(odd), "{pattern} takes {odd:?}");
        found.push(("pattern", json!(odd)));
    }
    if node["minItems"] == 1 {
        found.push(("minItems", json!([])));
    }
    for (limit, step) in [("minimum", -1), ("maximum", 1)] {
        found.extend(node[limit].as_i64().map(|bound| (limit, json!(bound + step))));
    }
    found
}

/// For each limit of a node the last values within it; where there is no limit, a value that one would refuse. For a
/// node of any type one value of each.
fn within(node: &Value, sample: &Value) -> Vec<(&'static str, Value)> {
    if let Some(words) = node["enum"].as_array() {
        return words.iter().map(|word| ("enum", word.clone())).collect();
    }
    match node["type"].as_str() {
        Some("string") => {
            let pattern = Regex::new(node["pattern"].as_str().unwrap_or_default()).unwrap();
            let limits = [("minLength", 0), ("maxLength", 5000)];
            let texts =
                limits.map(|(limit, none)| (limit, stretched(sample, node[limit].as_u64().unwrap_or(none))));
            texts.into_iter().filter(|(_, text)| pattern.is_match(text.as_str().unwrap())).collect()
        }
        Some("array") if node["minItems"].as_u64().unwrap_or(0) == 0 => vec![("minItems", json!([]))],
        Some("integer" | "number") => {
            let limits = [("minimum", i64::MIN), ("maximum", i64::MAX)];
            limits.map(|(limit, none)| (limit, json!(node[limit].as_i64().unwrap_or(none)))).into()
        }
        None => vec![
            ("string", json!("")),
            ("boolean", json!(true)),
            ("integer", json!(i64::MIN)),
            ("number", json!(0.5)),
            ("array", json!(["x"])),
            ("object", json!({"x": "y"})),
        ],
        _ => Vec::new(),
    }
}

/// The sample, cut or stretched to `length` characters by its last one.
fn stretched(sample: &Value, length: u64) -> Value {
    let text = sample.as_str().expect("a text has a length");
    let last = text.chars().next_back().expect("a text that is not empty");
    text.chars()
        .chain(std::iter::repeat(last))
        .take(usize::try_from(length).unwrap())
        .collect::<String>()
        .into()
}
