//! `stringData` of Secrets, merged into `data`.
//!
//! Server-side apply records the ownership of `stringData`, not of the `data` that the server makes of it
//! (measured): a key that leaves `stringData` would stay in the Secret for ever, and another manager could
//! overwrite `data` without a conflict. So it is `data` that is applied.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

/// Merges `stringData` into `data` if this is a Secret of the core group; `stringData` wins.
///
/// # Errors
/// What is wrong with it, naming the key and not the value. The server would quote the value (measured).
pub(crate) fn merge_string_data(object: &mut Value) -> Result<(), String> {
    if object["apiVersion"] != "v1" || object["kind"] != "Secret" {
        return Ok(());
    }
    let Some(secret) = object.as_object_mut() else { return Ok(()) };
    let text = match secret.remove("stringData") {
        None | Some(Value::Null) => return Ok(()),
        Some(Value::Object(text)) => text,
        Some(_) => return Err("stringData is not a map".to_owned()),
    };
    if text.is_empty() {
        return Ok(());
    }
    let data = secret.entry("data").or_insert(Value::Null);
    if data.is_null() {
        *data = Value::Object(Map::new());
    }
    let Some(data) = data.as_object_mut() else { return Err("data is not a map".to_owned()) };
    for (key, value) in text {
        let Value::String(value) = value else {
            return Err(format!(
                "stringData[{key:?}] is not a string: in the template, refer to a parameter as \"${{NAME}}\", \
                 not \"${{{{NAME}}}}\""
            ));
        };
        data.insert(key, Value::String(STANDARD.encode(value)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn merged(object: &Value) -> Result<Value, String> {
        let mut copy = object.clone();
        merge_string_data(&mut copy).map(|()| copy)
    }

    #[test]
    fn string_data_becomes_data_and_wins() {
        for (before, after) in [
            (
                json!({"stringData": {"user": "bob", "pw": "hunter2"}}),
                json!({"data": {"pw": "aHVudGVyMg==", "user": "Ym9i"}}),
            ),
            (
                json!({"stringData": {"user": "carol"}, "data": {"user": "Ym9i", "keep": "eA=="}}),
                json!({"data": {"user": "Y2Fyb2w=", "keep": "eA=="}}),
            ),
            (json!({"stringData": {"empty": ""}, "data": null}), json!({"data": {"empty": ""}})),
            (json!({"stringData": {}, "data": {"a": "eA=="}}), json!({"data": {"a": "eA=="}})),
            (json!({"stringData": null, "type": "Opaque"}), json!({"type": "Opaque"})),
            (json!({"data": {"a": "eA=="}}), json!({"data": {"a": "eA=="}})),
            (json!({}), json!({})),
        ] {
            let secret = |mut object: Value| {
                object["apiVersion"] = "v1".into();
                object["kind"] = "Secret".into();
                object
            };
            assert_eq!(merged(&secret(before)).unwrap(), secret(after));
        }
    }

    #[test]
    fn other_kinds_are_left_alone() {
        for object in [
            json!({"apiVersion": "v1", "kind": "ConfigMap", "stringData": {"a": "b"}}),
            json!({"apiVersion": "example.com/v1", "kind": "Secret", "stringData": {"a": "b"}}),
            json!("text"),
            json!(null),
        ] {
            assert_eq!(merged(&object).unwrap(), object);
        }
    }

    #[test]
    fn what_is_no_text_is_refused_without_quoting_it() {
        for (part, problem) in [
            (json!({"stringData": {"pin": 4711}}), "stringData[\"pin\"] is not a string: in the template, "),
            (json!({"stringData": {"pin": null}}), "stringData[\"pin\"] is not a string"),
            (json!({"stringData": ["hunter2"]}), "stringData is not a map"),
            (json!({"stringData": {"a": "b"}, "data": "hunter2"}), "data is not a map"),
        ] {
            let mut object = part;
            object["apiVersion"] = "v1".into();
            object["kind"] = "Secret".into();
            let error = merged(&object).unwrap_err();
            assert!(error.starts_with(problem), "{error}");
            assert!(!error.contains("4711") && !error.contains("hunter2"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn every_text_comes_back_and_a_second_merge_changes_nothing(
            text in prop::collection::btree_map("[a-z]{1,4}", ".{0,12}", 0..4),
            data in prop::collection::btree_map("[a-z]{1,4}", ".{0,12}", 0..4),
        ) {
            let encoded: Map<_, _> =
                data.iter().map(|(key, value)| (key.clone(), STANDARD.encode(value).into())).collect();
            let secret = json!({"apiVersion": "v1", "kind": "Secret", "stringData": text, "data": encoded});
            let once = merged(&secret).unwrap();
            let mut expected = data.clone();
            expected.extend(text.clone());
            prop_assert!(once.get("stringData").is_none());
            let decoded = once["data"].as_object().unwrap().iter().map(|(key, value)| {
                let bytes = STANDARD.decode(value.as_str().unwrap()).unwrap();
                (key.clone(), String::from_utf8(bytes).unwrap())
            });
            prop_assert_eq!(decoded.collect::<std::collections::BTreeMap<_, _>>(), expected);
            prop_assert_eq!(merged(&once).unwrap(), once);
        }
    }
}
