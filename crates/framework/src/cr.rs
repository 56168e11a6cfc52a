//! A custom resource as plugins see it.

use serde_json::Value;

/// One custom resource.
#[derive(Debug, Clone)]
pub struct Cr<S> {
    /// `metadata.namespace`.
    pub namespace: String,
    /// `metadata.name`.
    pub name: String,
    /// `metadata.uid`, empty if the object has none (given by hand).
    pub uid: String,
    /// `metadata.generation`.
    pub generation: Option<i64>,
    /// `metadata.creationTimestamp` as text (RFC 3339, UTC, so that text order is time order).
    pub created: String,
    /// The spec; `Value` where it must be usable although it does not parse.
    pub spec: S,
    /// The whole status as seen in the snapshot, `Null` if there is none.
    pub status: Value,
}

impl<S> Cr<S> {
    /// `namespace/name`, as logs and statuses name it.
    pub fn display_name(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }

    /// The same CR with another spec.
    pub fn with_spec<T>(&self, spec: T) -> Cr<T> {
        Cr {
            namespace: self.namespace.clone(),
            name: self.name.clone(),
            uid: self.uid.clone(),
            generation: self.generation,
            created: self.created.clone(),
            spec,
            status: self.status.clone(),
        }
    }
}
