//! One message out of the many shapes of OpenStack's error bodies.
//!
//! Neutron: `{"NeutronError": {"type", "message", "detail"}}`. Keystone: `{"error": {"code",
//! "title", "message"}}`. Ironic: `{"error_message": "<JSON as text>"}` with `faultstring`. The
//! API working group: `{"errors": [{"title", "detail"}]}`. Proxies: HTML or plain text.

use serde_json::{Map, Value};

/// How much of a message is kept, in characters.
const LIMIT: usize = 200;
/// Error documents inside the text of error documents: Ironic has one. A bound for the hostile.
const DEPTH: usize = 4;

/// What an error body says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Described {
    /// The service's name for the error; one word, or a few in Keystone's `title`.
    pub(crate) error_type: Option<String>,
    /// One line of at most 200 characters; may be empty.
    pub(crate) message: String,
    /// The body had one of the shapes above.
    pub(crate) of_the_service: bool,
}

/// Reads an error body of any kind.
pub(crate) fn describe(body: &[u8]) -> Described {
    if let Ok(Value::Object(root)) = serde_json::from_slice(body)
        && let Some((error_type, message)) = find(&root, DEPTH)
    {
        let error_type = error_type.map(|text| line(&text)).filter(|text| !text.is_empty());
        return Described { error_type, message: line(&message), of_the_service: true };
    }
    let text = String::from_utf8_lossy(body);
    Described { message: line(&rest::summary(&text, LIMIT)), ..Described::default() }
}

/// Type and message: in one of the values, else in the document itself.
fn find(root: &Map<String, Value>, depth: usize) -> Option<(Option<String>, String)> {
    if depth == 0 {
        return None;
    }
    root.values().find_map(|value| nested(value, depth)).or_else(|| own(root)).or_else(|| {
        // `{"error_message": "plain text"}`, `{"NeutronError": "plain text"}`
        let (_, text) =
            root.iter().find(|(key, value)| key.to_lowercase().contains("error") && value.is_string())?;
        Some((None, text.as_str()?.to_owned()))
    })
}

fn nested(value: &Value, depth: usize) -> Option<(Option<String>, String)> {
    match value {
        Value::Object(map) => own(map).or_else(|| find(map, depth - 1)),
        Value::Array(values) => values.iter().filter_map(Value::as_object).find_map(own),
        Value::String(text) if text.trim_start().starts_with('{') => {
            let inner: Map<String, Value> = serde_json::from_str(text).ok()?;
            own(&inner).or_else(|| find(&inner, depth - 1))
        }
        _ => None,
    }
}

/// The message that stands in the document itself.
fn own(map: &Map<String, Value>) -> Option<(Option<String>, String)> {
    let text = |key: &str| map.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let message = ["message", "faultstring", "detail", "title"].into_iter().find_map(text)?;
    // A fault code of SOAP (`Client`, `Server`) names nothing.
    let name = ["type", "title"].into_iter().find_map(text).filter(|name| *name != message);
    Some((name.map(str::to_owned), message.to_owned()))
}

/// White space folded, ids of requests taken out, cut to the limit.
fn line(text: &str) -> String {
    let mut folded = String::new();
    for word in text.split_whitespace() {
        if folded.chars().count() > LIMIT {
            break;
        }
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(without_request_id(word).chars().filter(|c| !c.is_control()).take(LIMIT + 1));
    }
    if folded.chars().count() > LIMIT {
        folded = folded.chars().take(LIMIT - 1).collect();
        folded.push('…');
    }
    folded
}

/// `req-<uuid>` would make the text another one in every run.
fn without_request_id(word: &str) -> String {
    const UUID: usize = 36;
    let Some(start) = word.find("req-") else { return word.to_owned() };
    let id = &word[start + 4..];
    let is_id =
        id.len() >= UUID && id.bytes().take(UUID).all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    if is_id { format!("{}req-…{}", &word[..start], &id[UUID..]) } else { word.to_owned() }
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;
