//! Binding contexts: from the text of a file to what a run needs to know of them.
//!
//! shell-operator hands over an array that may mix schedules, events and first lists of several bindings.
//! Every element counts; snapshots are read again before each run, events are frozen at their time.

use serde_json::Value;

use crate::document::CATCH_UP;
use crate::error::Error;

/// How much a run covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// What the snapshot shows as not current.
    Due,
    /// Every CR, drift of the other side included.
    Full,
}

/// What a hook was handed.
#[derive(Debug, Clone, PartialEq)]
pub enum Contexts {
    /// Elements of a binding context, as shell-operator writes them.
    Bindings(Vec<Value>),
    /// CRs given by hand: all of them are reconciled, and they are never the whole desired set.
    ByHand(Vec<Value>),
}

impl Contexts {
    /// Reads the text of a binding context file. Empty or blank text is an empty array.
    ///
    /// # Errors
    /// [`Error::Context`] if it is not JSON or not an array.
    pub fn parse(origin: &str, text: &str) -> Result<Self, Error> {
        if text.trim().is_empty() {
            return Ok(Self::Bindings(Vec::new()));
        }
        match serde_json::from_str(text) {
            Ok(Value::Array(elements)) => Ok(Self::Bindings(elements)),
            Ok(other) => Err(problem(origin, format!("is {}, not a list", kind_of(&other)))),
            Err(error) => Err(problem(origin, format!("is not JSON: {error}"))),
        }
    }

    /// Reads what a person gives: a binding context, a `List` as `kubectl get -o json` prints it, or one CR;
    /// JSON or YAML.
    ///
    /// # Errors
    /// [`Error::Context`] if it is none of these.
    pub fn parse_by_hand(origin: &str, text: &str) -> Result<Self, Error> {
        if text.trim().is_empty() {
            return Ok(Self::Bindings(Vec::new()));
        }
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(_) => rest::yaml::parse(text)
                .map_err(|error| problem(origin, format!("is neither JSON nor YAML: {error}")))?,
        };
        match value {
            Value::Array(elements) => Ok(Self::Bindings(elements)),
            Value::Object(mut map) => match map.remove("items") {
                Some(Value::Array(items)) => Ok(Self::ByHand(items)),
                Some(_) => Err(problem(origin, "has `items` that are not a list".to_owned())),
                None if map.contains_key("metadata") => Ok(Self::ByHand(vec![Value::Object(map)])),
                None => Err(problem(origin, "is an object without `items` or `metadata`".to_owned())),
            },
            other => Err(problem(origin, format!("is {}, not a list or an object", kind_of(&other)))),
        }
    }

    /// Whether events of `binding` are there, and nowhere a list of what there is: events come without a
    /// snapshot, see [`bindings`](crate::document::bindings).
    pub(crate) fn needs_list(&self, binding: &str) -> bool {
        let Self::Bindings(elements) = self else { return false };
        let of_binding = |element: &&Value| element["binding"] == binding;
        elements.iter().filter(of_binding).any(|element| element["type"] == "Event")
            && !elements.iter().filter(of_binding).any(|element| element.get("objects").is_some())
            && !elements.iter().any(|element| element["snapshots"].get(binding).is_some())
    }

    /// Adds a list of what there is to the first element of `binding`.
    pub(crate) fn add_snapshot(&mut self, binding: &str, items: Vec<Value>) {
        let Self::Bindings(elements) = self else { return };
        if let Some(element) = elements.iter_mut().find(|element| element["binding"] == binding) {
            element["snapshots"] = serde_json::json!({ binding: items });
        }
    }

    /// Whether there is nothing in it at all.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Bindings(elements) | Self::ByHand(elements) => elements.is_empty(),
        }
    }
}

fn problem(origin: &str, problem: String) -> Error {
    Error::Context { origin: origin.to_owned(), problem }
}

/// What a JSON value is, for messages.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// One event of the hook's own binding.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) deleted: bool,
    pub(crate) object: Value,
}

/// A binding context, digested.
#[derive(Debug)]
pub(crate) struct Digest {
    pub(crate) mode: Mode,
    /// Whether only catch-up ticks are in it.
    pub(crate) catch_up_only: bool,
    /// Whether the snapshot is all there is: true unless given by hand.
    pub(crate) complete: bool,
    /// Objects of the snapshot.
    pub(crate) snapshot: Vec<Value>,
    pub(crate) events: Vec<Event>,
    /// Elements that make no sense: each is named, is doubt, and makes the run fail.
    pub(crate) problems: Vec<String>,
}

/// Digests a context for the hook whose binding is `binding`.
pub(crate) fn digest(origin: &str, contexts: Contexts, binding: &str) -> Result<Digest, Error> {
    let elements = match contexts {
        Contexts::ByHand(items) => {
            return Ok(Digest {
                mode: Mode::Full,
                catch_up_only: false,
                complete: false,
                snapshot: items,
                events: Vec::new(),
                problems: Vec::new(),
            });
        }
        Contexts::Bindings(elements) => elements,
    };
    let mut digest = Digest {
        mode: Mode::Due,
        catch_up_only: true,
        complete: true,
        snapshot: Vec::new(),
        events: Vec::new(),
        problems: Vec::new(),
    };
    let (mut snapshot, mut first_list) = (None, None);
    for (index, element) in elements.into_iter().enumerate() {
        let Value::Object(mut element) = element else {
            digest.problems.push(format!("element {index} is {}, not an object", kind_of(&element)));
            continue;
        };
        if let Some(Value::Object(snapshots)) = element.get_mut("snapshots") {
            snapshot = snapshots.remove(binding).or(snapshot);
        }
        let name = element.get("binding").and_then(Value::as_str).unwrap_or_default().to_owned();
        let ours = name == binding;
        let is_tick = element.get("type").and_then(Value::as_str) == Some("Schedule") && name == CATCH_UP;
        digest.catch_up_only &= is_tick;
        match element.get("type").map(|kind| kind.as_str().unwrap_or_default().to_owned()).as_deref() {
            Some("Schedule") if is_tick => {}
            Some("Synchronization" | "Group" | "Schedule") => {
                digest.mode = Mode::Full;
                if ours {
                    first_list = element.remove("objects").or(first_list);
                }
            }
            Some("Event") if ours => digest.events.extend(event(index, &mut element)),
            Some("Event") => {}
            None if name == "onStartup" => {}
            Some(_) | None => {
                let kind = element.get("type").cloned().unwrap_or_default();
                digest.problems.push(format!("element {index} ({name:?}) has an unknown type {kind}"));
            }
        }
    }
    match snapshot.or(first_list) {
        Some(Value::Array(items)) => {
            digest.snapshot = items.into_iter().map(unwrap_item).collect();
            Ok(digest)
        }
        Some(other) => {
            Err(problem(origin, format!("the snapshot {binding:?} is {}, not a list", kind_of(&other))))
        }
        None => {
            let seen = digest.problems.iter().map(|seen| format!("; {seen}")).collect::<String>();
            Err(problem(origin, format!("has no snapshot {binding:?}{seen}")))
        }
    }
}

fn event(index: usize, element: &mut serde_json::Map<String, Value>) -> Option<Event> {
    let word = element.get("watchEvent").and_then(Value::as_str).unwrap_or_default();
    let (deleted, known) = (word == "Deleted", !word.is_empty());
    match element.remove("object") {
        Some(object) if !object.is_null() && known => Some(Event { deleted, object }),
        // Such events exist (a rebuilt monitor); the snapshot tells what there is.
        _ => {
            log::warn!("element {index} is an event without a word or an object; the snapshot decides");
            None
        }
    }
}

/// An item is `{"object": {...}, "filterResult": ...}`, or the bare object.
fn unwrap_item(item: Value) -> Value {
    match item {
        Value::Object(mut map) if map.contains_key("object") => map.remove("object").unwrap_or_default(),
        other => other,
    }
}

#[cfg(test)]
mod tests;
