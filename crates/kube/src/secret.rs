//! The data of a Secret object.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rest::Secret;
use serde_json::Value;

use crate::Error;

/// The decoded-on-demand values of a Secret. [`Debug`](fmt::Debug) shows the keys only.
pub struct SecretData {
    /// `namespace/name`
    at: String,
    /// Still base64.
    data: BTreeMap<String, Secret>,
}

impl SecretData {
    pub(crate) fn read(at: String, object: &Value) -> SecretData {
        let entries = object["data"].as_object().into_iter().flatten();
        let data =
            entries.filter_map(|(key, value)| Some((key.clone(), Secret::new(value.as_str()?)))).collect();
        SecretData { at, data }
    }

    /// The value of a key as text; `None` if there is no such key.
    ///
    /// # Errors
    /// [`Error::SecretValue`] if it is not base64 or not UTF-8.
    pub fn text(&self, key: &str) -> Result<Option<Secret>, Error> {
        let error = |expected| Error::SecretValue { secret: self.at.clone(), key: key.to_owned(), expected };
        let Some(encoded) = self.data.get(key) else { return Ok(None) };
        let bytes = STANDARD.decode(encoded.expose()).map_err(|_| error("base64"))?;
        let text = String::from_utf8(bytes).map_err(|_| error("UTF-8 text"))?;
        Ok(Some(Secret::new(text)))
    }

    /// The keys, sorted: to say which there are when one is missing.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.data.keys().map(String::as_str)
    }
}

impl fmt::Debug for SecretData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretData")
            .field("at", &self.at)
            .field("keys", &self.data.keys())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn data(data: &Value) -> SecretData {
        SecretData::read("default/s".to_owned(), &json!({"kind": "Secret", "data": data}))
    }

    #[test]
    fn values_are_decoded() {
        let data = data(&json!({"clouds.yaml": "Y2xvdWRzOiB7fQ==", "empty": ""}));
        assert_eq!(data.text("clouds.yaml").unwrap().unwrap().expose(), "clouds: {}");
        assert_eq!(data.text("empty").unwrap().unwrap().expose(), "");
        assert_eq!(data.text("cacert").unwrap(), None);
        assert_eq!(data.keys().collect::<Vec<_>>(), ["clouds.yaml", "empty"]);
    }

    #[test]
    fn a_secret_without_data_has_no_keys() {
        assert_eq!(data(&Value::Null).keys().count(), 0);
    }

    #[test]
    fn errors_name_the_key_and_not_the_value() {
        let data = data(&json!({"a": "%%hunter2", "b": "/w=="}));
        let text = |key| data.text(key).unwrap_err().to_string();
        assert_eq!(text("a"), "Secret default/s: the value of key \"a\" is not base64");
        assert_eq!(text("b"), "Secret default/s: the value of key \"b\" is not UTF-8 text");
        assert_eq!(format!("{data:?}"), "SecretData { at: \"default/s\", keys: [\"a\", \"b\"], .. }");
    }
}
