//! One entry of a kubeconfig, with errors that name the field and never its value.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::read;
use crate::Error;

/// A cluster, user or context.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// For errors: `/home/me/.kube/config: user "admin"`.
    pub(super) at: String,
    /// Relative paths start here: the directory of the file the entry came from.
    pub(super) directory: PathBuf,
    /// The fields.
    pub(super) fields: Value,
}

impl Entry {
    /// No fields at all: a context that names no user.
    pub(super) fn empty() -> Entry {
        Entry { at: String::new(), directory: PathBuf::new(), fields: Value::Null }
    }

    pub(super) fn error(&self, problem: String) -> Error {
        Error::Config { at: self.at.clone(), problem }
    }

    /// A text field; `None` if it is missing or empty.
    pub(super) fn text(&self, field: &str) -> Result<Option<String>, Error> {
        match &self.fields[field] {
            Value::Null => Ok(None),
            Value::String(text) => Ok((!text.is_empty()).then(|| text.clone())),
            _ => Err(self.error(format!("{field} is not a string: put it in quotes"))),
        }
    }

    /// A boolean field; false if it is missing.
    pub(super) fn flag(&self, field: &str) -> Result<bool, Error> {
        match &self.fields[field] {
            Value::Null => Ok(false),
            Value::Bool(value) => Ok(*value),
            _ => Err(self.error(format!("{field} is neither true nor false"))),
        }
    }

    /// A list field; empty if it is missing.
    pub(super) fn list(&self, field: &str) -> Result<&[Value], Error> {
        match &self.fields[field] {
            Value::Null => Ok(&[]),
            Value::Array(items) => Ok(items),
            _ => Err(self.error(format!("{field} is not a list"))),
        }
    }

    /// Whether a field has any content.
    pub(super) fn has(&self, field: &str) -> bool {
        match &self.fields[field] {
            Value::Null => false,
            Value::String(text) => !text.is_empty(),
            Value::Array(items) => !items.is_empty(),
            Value::Object(map) => !map.is_empty(),
            _ => true,
        }
    }

    /// A file field as a path, seen from the kubeconfig's own directory.
    pub(super) fn path(&self, field: &str) -> Result<Option<PathBuf>, Error> {
        Ok(self.text(field)?.map(|path| self.directory.join(Path::new(&path))))
    }

    /// PEM text: `<field>-data` (base64), else the file that `<field>` names.
    pub(super) fn pem(&self, field: &str) -> Result<Option<String>, Error> {
        let data = format!("{field}-data");
        if let Some(encoded) = self.text(&data)? {
            let bytes = STANDARD
                .decode(encoded.split_whitespace().collect::<String>())
                .map_err(|_| self.error(format!("{data} is not base64")))?;
            return String::from_utf8(bytes)
                .map(Some)
                .map_err(|_| self.error(format!("{data} is not PEM text")));
        }
        self.path(field)?.map(|path| read(&path, &format!("{}: {field}", self.at))).transpose()
    }
}
