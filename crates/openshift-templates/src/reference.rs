//! Which object, as data that can be kept.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The identity of one object in a namespace. It is what [`Client::create`](crate::Client::create) returns,
/// and what [`get`](crate::Client::get) and [`delete`](crate::Client::delete) take in place of the inputs of a
/// template. It holds nothing of the object's content, so it may be stored and shown.
///
/// As JSON it has the names that Kubernetes uses:
///
/// ```
/// use openshift_templates::Reference;
///
/// let saved = r#"{"apiVersion":"apps/v1","kind":"Deployment","namespace":"jobs","name":"web","uid":"7e3b0978"}"#;
/// let reference: Reference = serde_json::from_str(saved)?;
/// assert_eq!(reference.to_string(), "apps/v1 Deployment jobs/web");
/// assert_eq!(serde_json::to_string(&reference)?, saved);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reference {
    /// Group and version: `apps/v1`; the version alone for the core group: `v1`.
    pub api_version: String,
    /// The kind: `Deployment`.
    pub kind: String,
    /// The namespace. Empty (or absent from the JSON) stands for the target namespace of the operation it is
    /// given to.
    #[serde(default)]
    pub namespace: String,
    /// The name.
    pub name: String,
    /// The uid that the API server gave to this very object. With it, `delete` removes this object only, not
    /// another one that was created under the same name since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
}

/// `v1 ConfigMap jobs/settings`: without the uid, so that the text is the same from run to run.
impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reference { api_version, kind, namespace, name, .. } = self;
        write!(f, "{api_version} {kind} {namespace}/{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespace_and_uid_may_be_absent() {
        let reference: Reference =
            serde_json::from_str(r#"{"apiVersion":"v1","kind":"Secret","name":"s"}"#).unwrap();
        assert_eq!((reference.namespace.as_str(), reference.uid.as_deref()), ("", None));
        let text = serde_json::to_string(&reference).unwrap();
        assert_eq!(text, r#"{"apiVersion":"v1","kind":"Secret","namespace":"","name":"s"}"#);
    }

    #[test]
    fn a_reference_without_a_name_is_none() {
        assert!(serde_json::from_str::<Reference>(r#"{"apiVersion":"v1","kind":"Secret"}"#).is_err());
    }
}
