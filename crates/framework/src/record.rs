//! One object of a snapshot, read as far as every kind of CR is alike.

use serde_json::Value;

use crate::context::kind_of;
use crate::cr::Cr;
use crate::names::{ABANDON_ANNOTATION, APPLIED_ANNOTATION, FINALIZER};
use crate::status::memory;
use rest::Timestamp;

/// A CR that can be addressed: it has a name. Its spec may still be anything.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) cr: Cr<Value>,
    /// `metadata.deletionTimestamp`.
    pub(crate) deletion: Option<String>,
    pub(crate) finalizers: Vec<String>,
    /// The text of the `applied` annotation.
    pub(crate) applied: Option<String>,
    /// Whether the `abandon` annotation is exactly `true`.
    pub(crate) abandoned: bool,
    /// The version of the object that `finalizers` and `applied` were read from.
    pub(crate) resource_version: Option<String>,
    /// The version of an object in whose status a plugin remembers the same as in the one in `cr`.
    pub(crate) status_version: Option<String>,
}

impl Record {
    /// Reads an object; `namespace` is the one of objects that name none.
    ///
    /// # Errors
    /// What is wrong, naming the thing as well as it can be named.
    pub(crate) fn read(object: &Value, namespace: &str) -> Result<Self, String> {
        let Some(map) = object.as_object() else {
            return Err(format!("an item of the snapshot is {}, not an object", kind_of(object)));
        };
        let metadata = match map.get("metadata") {
            Some(Value::Object(metadata)) => metadata,
            other => {
                let what = other.map_or("missing", kind_of);
                return Err(format!("an item of the snapshot has metadata that is {what}, not an object"));
            }
        };
        let text = |key: &str| metadata.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let namespace = text("namespace").unwrap_or(namespace);
        let Some(name) = text("name") else {
            return Err(format!("an item of the snapshot in namespace {namespace:?} has no metadata.name"));
        };
        let annotation =
            |key: &str| metadata.get("annotations").and_then(|all| all.get(key)).and_then(Value::as_str);
        let finalizers =
            metadata.get("finalizers").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        Ok(Self {
            cr: Cr {
                namespace: namespace.to_owned(),
                name: name.to_owned(),
                uid: text("uid").unwrap_or_default().to_owned(),
                generation: metadata.get("generation").and_then(Value::as_i64),
                created: text("creationTimestamp").unwrap_or_default().to_owned(),
                spec: map.get("spec").cloned().unwrap_or_default(),
                status: map.get("status").cloned().unwrap_or_default(),
            },
            deletion: text("deletionTimestamp").map(str::to_owned),
            finalizers: finalizers.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            applied: annotation(APPLIED_ANNOTATION).map(str::to_owned),
            abandoned: annotation(ABANDON_ANNOTATION) == Some("true"),
            resource_version: text("resourceVersion").map(str::to_owned),
            status_version: text("resourceVersion").map(str::to_owned),
        })
    }

    /// Takes over what a write or a read of the marks brought to light, for the next patch.
    pub(crate) fn took_marks(&mut self, object: &Value) {
        let Ok(live) = Self::read(object, &self.cr.namespace) else { return };
        if memory(&live.cr.status) == memory(&self.cr.status) {
            self.status_version.clone_from(&live.resource_version);
        }
        self.finalizers = live.finalizers;
        self.applied = live.applied;
        self.resource_version = live.resource_version;
    }

    /// The same of a write of the status.
    pub(crate) fn took_status(&mut self, object: &Value) {
        let Ok(live) = Self::read(object, &self.cr.namespace) else { return };
        // Only if nothing but our own write lies in between is the snapshot's list of finalizers still true.
        if live.finalizers == self.finalizers && live.applied == self.applied {
            self.resource_version.clone_from(&live.resource_version);
        }
        self.cr.status = live.cr.status;
        self.status_version = live.resource_version;
    }

    /// `namespace/name`.
    pub(crate) fn display_name(&self) -> String {
        self.cr.display_name()
    }

    /// What tells this CR from a later one of the same name: the uid, else `namespace/name`.
    pub(crate) fn identity(&self) -> String {
        if self.cr.uid.is_empty() { self.display_name() } else { self.cr.uid.clone() }
    }

    pub(crate) fn is_deleting(&self) -> bool {
        self.deletion.is_some()
    }

    pub(crate) fn has_our_finalizer(&self) -> bool {
        self.finalizers.iter().any(|finalizer| finalizer == FINALIZER)
    }

    /// When the deletion was asked for.
    pub(crate) fn deletion_time(&self) -> Option<Timestamp> {
        self.deletion.as_deref().and_then(Timestamp::parse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_object_without_a_name_is_named_as_well_as_it_can_be() {
        for (object, said) in [
            (json!(null), "an item of the snapshot is null, not an object"),
            (json!("x"), "an item of the snapshot is a string, not an object"),
            (json!({}), "an item of the snapshot has metadata that is missing, not an object"),
            (json!({"metadata": null}), "an item of the snapshot has metadata that is null, not an object"),
            (
                json!({"metadata": {"namespace": "n"}}),
                "an item of the snapshot in namespace \"n\" has no metadata.name",
            ),
        ] {
            assert_eq!(Record::read(&object, "pod").unwrap_err(), said);
        }
    }

    #[test]
    fn a_record_knows_its_identity_and_its_marks() {
        let record = Record::read(
            &json!({"metadata": {
                "name": "a", "uid": "u", "generation": 2, "resourceVersion": "7",
                "deletionTimestamp": "2026-11-29T13:30:07Z", "finalizers": ["x", FINALIZER, 3],
                "annotations": {ABANDON_ANNOTATION: "true", APPLIED_ANNOTATION: "[]"},
            }}),
            "pod",
        )
        .unwrap();
        assert_eq!((record.display_name().as_str(), record.identity().as_str()), ("pod/a", "u"));
        assert!(record.is_deleting() && record.has_our_finalizer() && record.abandoned);
        assert_eq!(record.finalizers, ["x", FINALIZER]);
        assert_eq!(record.deletion_time(), Timestamp::parse("2026-11-29T13:30:07Z"));
        let bare = Record::read(&json!({"metadata": {"name": "a", "namespace": "n"}}), "pod").unwrap();
        assert_eq!(bare.identity(), "n/a");
        assert!(!bare.abandoned && !bare.is_deleting());
    }
}
