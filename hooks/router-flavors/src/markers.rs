//! The marks of ownership: what makes a flavor or a service profile ours, and the JSON of `metainfo`.
//!
//! The marks are those of the previous implementation, so that what it made is ours at once.

use std::io;

use serde_json::ser::{CompactFormatter, Formatter};
use serde_json::{Map, Serializer, Value};

/// Ends the description of a managed flavor.
pub const FLAVOR_MARKER: &str = "[understack-router-flavor-operator]";
/// The key in a profile's meta_info that makes it managed, if its value is [`MANAGED`].
pub const OWNER_KEY: &str = "_understack_router_flavor_operator";
/// The value of [`OWNER_KEY`] in a managed profile.
pub const MANAGED: &str = "managed";
/// Written beside [`OWNER_KEY`], never checked.
const VERSION: (&str, &str) = ("_understack_router_flavor_marker_version", "v1");
/// Written beside [`OWNER_KEY`], never checked.
const SOURCE: (&str, &str) = ("_understack_router_flavor_source", "NeutronRouterFlavor");

/// The description of a managed flavor: the text, a space and the marker, or the marker alone.
pub fn mark(description: &str) -> String {
    if description.is_empty() { FLAVOR_MARKER.to_owned() } else { format!("{description} {FLAVOR_MARKER}") }
}

/// A description without the marker at its end; one that has none is returned as it is.
pub fn unmark(description: &str) -> &str {
    if description == FLAVOR_MARKER {
        return "";
    }
    match description.strip_suffix(FLAVOR_MARKER).and_then(|text| text.strip_suffix(' ')) {
        // Somebody may have appended a second marker: what is left must not be managed.
        Some(text) => unmark(text),
        None => description,
    }
}

/// Whether a flavor with this description is managed: it *ends* with the marker. A description that quotes
/// the marker elsewhere, or has it attached to another word, is not ours.
pub fn is_managed_flavor(description: Option<&str>) -> bool {
    description.is_some_and(|text| unmark(text).len() < text.len())
}

/// The `metainfo` of a managed profile: the spec's own keys and the marks, which win over keys of the same
/// name, as canonical JSON.
pub fn metainfo(meta_info: &Map<String, Value>) -> String {
    let mut all = meta_info.clone();
    for (key, value) in [(OWNER_KEY, MANAGED), VERSION, SOURCE] {
        all.insert(key.to_owned(), value.into());
    }
    canonical(&Value::Object(all))
}

/// What a stored `metainfo` says, read once per listed profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meta {
    /// Whether it has the mark.
    pub managed: bool,
    /// Canonical JSON of what it says besides the marks: equal text = same meta_info.
    pub content: String,
}

impl Meta {
    /// Reads a stored `metainfo`: nothing or blank is `{}`, text that is not JSON is itself.
    pub fn read(stored: Option<&str>) -> Self {
        let stored = stored.unwrap_or_default();
        if stored.trim().is_empty() {
            return Self::of_keys(&Map::new());
        }
        match serde_json::from_str(stored) {
            Ok(Value::Object(keys)) => Self {
                managed: keys.get(OWNER_KEY).and_then(Value::as_str) == Some(MANAGED),
                ..Self::of_keys(&keys)
            },
            Ok(other) => Self { managed: false, content: canonical(&other) },
            Err(_) => Self { managed: false, content: canonical(&stored.into()) },
        }
    }

    /// The content of an object, without our keys.
    fn of_keys(meta_info: &Map<String, Value>) -> Self {
        let mut keys = meta_info.clone();
        keys.retain(|key, _| ![OWNER_KEY, VERSION.0, SOURCE.0].contains(&key.as_str()));
        Self { managed: false, content: canonical(&Value::Object(keys)) }
    }
}

/// Canonical JSON: keys sorted, no spaces, ASCII only.
pub fn canonical(value: &Value) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Ascii(CompactFormatter));
    // serde_json's own maps are sorted; the formatter writes ASCII to memory, so neither step can fail.
    serde::Serialize::serialize(value, &mut serializer).expect("a Value is written to memory");
    String::from_utf8(bytes).expect("the formatter writes ASCII")
}

/// Compact JSON in which everything outside of printable ASCII is escaped, as Python's `json` does.
struct Ascii(CompactFormatter);

impl Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, text: &str) -> io::Result<()> {
        let mut units = [0; 2];
        for character in text.chars() {
            if matches!(character, ' '..='~') {
                write!(writer, "{character}")?;
            } else {
                for unit in character.encode_utf16(&mut units) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        let Value::Object(keys) = value else { panic!("an object") };
        keys
    }

    #[test]
    fn a_description_is_managed_only_if_it_ends_with_the_marker() {
        let table = [
            ("[understack-router-flavor-operator]", true, ""),
            ("gold [understack-router-flavor-operator]", true, "gold"),
            ("  [understack-router-flavor-operator]", true, " "),
            ("a [understack-router-flavor-operator] [understack-router-flavor-operator]", true, "a"),
            ("[understack-router-flavor-operator] [understack-router-flavor-operator]", true, ""),
            (
                "was [understack-router-flavor-operator] once",
                false,
                "was [understack-router-flavor-operator] once",
            ),
            ("x[understack-router-flavor-operator]", false, "x[understack-router-flavor-operator]"),
            ("[understack-router-flavor-operator]\n", false, "[understack-router-flavor-operator]\n"),
            ("[UNDERSTACK-router-flavor-operator]", false, "[UNDERSTACK-router-flavor-operator]"),
            ("", false, ""),
        ];
        for (description, managed, rest) in table {
            assert_eq!(is_managed_flavor(Some(description)), managed, "{description:?}");
            assert_eq!(unmark(description), rest, "{description:?}");
        }
        assert!(!is_managed_flavor(None));
    }

    #[test]
    fn marking_is_undone_by_unmarking() {
        for text in ["", "gold", "gold and silver", "ends with a dot."] {
            assert!(is_managed_flavor(Some(&mark(text))));
            assert_eq!(unmark(&mark(text)), text);
        }
        assert_eq!(mark(&"x".repeat(988)).chars().count(), 1024);
    }

    #[test]
    fn the_written_form_is_that_of_the_previous_implementation() {
        assert_eq!(
            metainfo(&object(json!({"vni_alloc": "auto"}))),
            r#"{"_understack_router_flavor_marker_version":"v1","_understack_router_flavor_operator":"managed","_understack_router_flavor_source":"NeutronRouterFlavor","vni_alloc":"auto"}"#
        );
    }

    #[test]
    fn marks_win_over_keys_of_the_spec() {
        let written = metainfo(&object(json!({OWNER_KEY: "mine", "a": 1})));
        let read = Meta::read(Some(&written));
        assert_eq!(read, Meta { managed: true, content: r#"{"a":1}"#.into() });
    }

    #[test]
    fn canonical_json_is_sorted_compact_and_ascii() {
        let table = [
            (
                json!({"b": [1, {"d": null, "c": true}], "a": "x y"}),
                r#"{"a":"x y","b":[1,{"c":true,"d":null}]}"#,
            ),
            (json!("žluť"), r#""\u017elu\u0165""#),
            (json!("\u{1f600}"), r#""\ud83d\ude00""#),
            (json!("\u{7f}\u{1f}"), r#""\u007f\u001f""#),
            (json!("\n\t\"\\/"), r#""\n\t\"\\/""#),
            (json!({"ž": 1}), r#"{"\u017e":1}"#),
            (json!(1.5), "1.5"),
            (json!({}), "{}"),
        ];
        for (value, text) in table {
            assert_eq!(canonical(&value), text);
            assert_eq!(serde_json::from_str::<Value>(text).unwrap(), value);
        }
    }

    #[test]
    fn stored_metainfo_is_compared_by_what_it_says() {
        let marked = r#" {"vni_alloc": "auto", "_understack_router_flavor_operator": "managed"} "#;
        let auto = Meta::of_keys(&object(json!({"vni_alloc": "auto"}))).content;
        let empty = Meta::of_keys(&Map::new()).content;
        let table = [
            (None, false, &empty),
            (Some(" "), false, &empty),
            (Some("{}"), false, &empty),
            (Some(r#"{"_understack_router_flavor_operator":"managed"}"#), true, &empty),
            (Some(r#"{"_understack_router_flavor_operator":"foreign"}"#), false, &empty),
            (Some(r#"{"_understack_router_flavor_operator":true}"#), false, &empty),
            (Some(marked), true, &auto),
            (Some(r#"{ "vni_alloc":"auto" }"#), false, &auto),
        ];
        for (stored, managed, content) in table {
            assert_eq!(Meta::read(stored), Meta { managed, content: content.clone() }, "{stored:?}");
        }
        // Text that is no object is no meta_info of any spec, whatever it says.
        for stored in ["vni_alloc=auto", "[]", "null", "\"{}\"", "managed"] {
            let meta = Meta::read(Some(stored));
            assert!(!meta.managed && meta.content != empty && meta.content != auto, "{stored}");
        }
    }
}
