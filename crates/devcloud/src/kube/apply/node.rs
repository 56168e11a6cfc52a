//! A place in a schema, as server-side apply sees it: what may be there and how it merges.
//!
//! The table of what merges how: objects field by field, unless `x-kubernetes-map-type: atomic`; lists as a whole,
//! unless `x-kubernetes-list-type` is `map` (item by item, known by their keys) or `set`. Where the schema says
//! nothing (`x-kubernetes-preserve-unknown-fields`, or no schema at all) anything may be, objects merge and lists are
//! whole.

use serde_json::{Map, Value, json};

use crate::kube::apply::paths::Step;

/// A place in a schema; `None` where anything may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<'s>(Option<&'s Value>);

/// How a list merges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    Atomic,
    Map,
    Set,
}

/// What the schema wants of a plain value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    Number,
    Text,
    Boolean,
    Object,
    List,
    Anything,
}

impl<'s> Node<'s> {
    pub(crate) fn new(schema: Option<&'s Value>) -> Self {
        Self(schema.filter(|schema| schema.is_object()))
    }

    fn keyword(self, key: &str) -> Option<&'s Value> {
        self.0.and_then(|schema| schema.get(key))
    }

    fn says(self, key: &str, text: &str) -> bool {
        self.keyword(key).is_some_and(|value| value == text)
    }

    pub(crate) fn want(self) -> Want {
        if self.keyword("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) {
            return Want::Anything;
        }
        match self.keyword("type").and_then(Value::as_str) {
            Some("integer" | "number") => Want::Number,
            Some("string") => Want::Text,
            Some("boolean") => Want::Boolean,
            Some("object") => Want::Object,
            Some("array") => Want::List,
            _ => Want::Anything,
        }
    }

    /// The schema of a field; `None` if there may be no such field.
    pub(crate) fn field(self, name: &str) -> Option<Self> {
        let Some(schema) = self.0 else { return Some(self) };
        if let Some(field) = schema["properties"].get(name) {
            return Some(Self::new(Some(field)));
        }
        match schema.get("additionalProperties") {
            Some(Value::Bool(true)) => return Some(Self(None)),
            Some(inner @ Value::Object(_)) => return Some(Self(Some(inner))),
            _ => {}
        }
        let open = schema["x-kubernetes-preserve-unknown-fields"] == true || schema.get("type").is_none();
        open.then_some(Self(None))
    }

    /// True if the schema declares this very field: it is no key of a map.
    pub(crate) fn declares(self, name: &str) -> bool {
        self.0.is_some_and(|schema| schema["properties"].get(name).is_some())
    }

    pub(crate) fn items(self) -> Self {
        Self::new(self.keyword("items"))
    }

    /// True if an object here is one value.
    pub(crate) fn whole(self) -> bool {
        self.says("x-kubernetes-map-type", "atomic")
    }

    pub(crate) fn list(self) -> List {
        match self.keyword("x-kubernetes-list-type").and_then(Value::as_str) {
            Some("map") => List::Map,
            Some("set") => List::Set,
            _ => List::Atomic,
        }
    }

    /// How an item of this list is known; `Err` names the key that it lacks. Atomic lists have no steps.
    pub(crate) fn step(self, item: &Value) -> Result<Step, String> {
        if self.list() == List::Set {
            return Ok(Step::Item(item.to_string()));
        }
        let mut keys = Map::new();
        let names = self.keyword("x-kubernetes-list-map-keys").and_then(Value::as_array);
        for name in names.into_iter().flatten().filter_map(Value::as_str) {
            let default = self.items().keyword("properties").and_then(|known| known[name].get("default"));
            let value = item.get(name).or(default).ok_or_else(|| name.to_owned())?;
            keys.insert(name.to_owned(), value.clone());
        }
        Ok(Step::Key(Value::Object(keys).to_string()))
    }

    /// The node that a step leads to.
    pub(crate) fn at(self, step: &Step) -> Self {
        match step {
            Step::Field(name) => self.field(name).unwrap_or(Self(None)),
            Step::Key(_) | Step::Item(_) => self.items(),
        }
    }

    /// True if `value` merges part by part here.
    pub(crate) fn granular(self, value: &Value) -> bool {
        match value {
            Value::Object(_) => !self.whole(),
            Value::Array(_) => self.list() != List::Atomic,
            _ => false,
        }
    }
}

/// The schema of a whole object: the kind's own, with what every object has.
pub(crate) fn root(schema: Option<&Value>) -> Value {
    let text = json!({"type": "string"});
    let texts = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let owner = json!({
        "type": "object", "x-kubernetes-map-type": "atomic", "x-kubernetes-preserve-unknown-fields": true,
    });
    let mut root = schema
        .cloned()
        .unwrap_or_else(|| json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}));
    root["properties"]["apiVersion"] = text.clone();
    root["properties"]["kind"] = text.clone();
    root["properties"]["metadata"] = json!({"type": "object", "properties": {
        "name": text, "generateName": text, "namespace": text, "uid": text, "resourceVersion": text,
        "selfLink": text, "creationTimestamp": text, "deletionTimestamp": text,
        "generation": {"type": "integer"}, "deletionGracePeriodSeconds": {"type": "integer"},
        "labels": texts, "annotations": texts,
        "finalizers": {"type": "array", "x-kubernetes-list-type": "set", "items": text},
        "ownerReferences": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["uid"], "items": owner,
        },
        "managedFields": {"type": "array", "items": {"x-kubernetes-preserve-unknown-fields": true}},
    }});
    root
}
