//! Our marks on a CR: the finalizer, and the record of the credentials that hold its resources.
//!
//! Both are written together, as one merge patch with the resourceVersion that was read: a merge patch
//! replaces the whole list of finalizers, so a stale one must be refused (409) rather than lose another
//! writer's entry.

use std::collections::BTreeSet;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::names::{APPLIED_ANNOTATION, FINALIZER};
use crate::record::Record;

/// The marks that a CR should carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) finalizer: bool,
    pub(crate) applied: Option<String>,
}

impl Marks {
    /// The marks that a record carries.
    pub(crate) fn of(record: &Record) -> Self {
        Self { finalizer: record.has_our_finalizer(), applied: record.applied.clone() }
    }

    /// No marks: what a released CR carries.
    pub(crate) fn none() -> Self {
        Self { finalizer: false, applied: None }
    }

    /// The merge patch that brings `record` to these marks, or `None` if it carries them.
    pub(crate) fn patch(&self, record: &Record) -> Option<Value> {
        let now = Self::of(record);
        if *self == now {
            return None;
        }
        let mut metadata = Map::new();
        if let Some(version) = &record.resource_version {
            metadata.insert("resourceVersion".to_owned(), json!(version));
        }
        if self.finalizer != now.finalizer {
            let others = record.finalizers.iter().map(String::as_str).filter(|name| *name != FINALIZER);
            let ours = self.finalizer.then_some(FINALIZER);
            metadata.insert("finalizers".to_owned(), others.chain(ours).collect());
        }
        if self.applied != now.applied {
            // Null removes the key: RFC 7386.
            metadata.insert("annotations".to_owned(), json!({APPLIED_ANNOTATION: self.applied}));
        }
        Some(json!({"metadata": metadata}))
    }

    /// Carries the marks over to the record in memory.
    pub(crate) fn set(&self, record: &mut Record) {
        record.finalizers.retain(|name| name != FINALIZER);
        record.finalizers.extend(self.finalizer.then(|| FINALIZER.to_owned()));
        record.applied.clone_from(&self.applied);
    }

    /// What a patch to these marks does, for the log.
    pub(crate) fn describe(&self, record: &Record) -> String {
        let now = Self::of(record);
        let mut parts = Vec::new();
        match (now.finalizer, self.finalizer) {
            (false, true) => parts.push("add finalizer".to_owned()),
            (true, false) => parts.push("remove finalizer".to_owned()),
            _ => {}
        }
        if now.applied != self.applied {
            parts.push(match &self.applied {
                Some(applied) => format!("applied {applied}"),
                None => "remove applied".to_owned(),
            });
        }
        parts.join(", ")
    }
}

/// Writes the record of credentials: sorted, so that it is the same text for the same set.
pub(crate) fn applied_text<C: Serialize>(credentials: &BTreeSet<C>) -> String {
    // Serialising names to a string cannot fail; an empty text would be read as unreadable, never as nothing.
    serde_json::to_string(credentials).unwrap_or_default()
}

/// Reads the record of credentials.
///
/// # Errors
/// A text that names the annotation, if it is not a list of credentials.
pub(crate) fn parse_applied<C: DeserializeOwned + Ord>(text: &str) -> Result<BTreeSet<C>, String> {
    serde_json::from_str::<Vec<C>>(text).map(|list| list.into_iter().collect()).map_err(|error| {
        format!(
            "annotation {APPLIED_ANNOTATION} is not a list of credentials ({error}); correct or remove it"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(finalizers: &[&str], applied: Option<&str>) -> Record {
        let mut annotations = Map::new();
        if let Some(applied) = applied {
            annotations.insert(APPLIED_ANNOTATION.to_owned(), json!(applied));
        }
        let metadata = json!({"name": "a", "resourceVersion": "7", "finalizers": finalizers, "annotations": annotations});
        Record::read(&json!({"metadata": metadata}), "n").unwrap()
    }

    #[test]
    fn a_patch_keeps_other_finalizers_and_names_the_version() {
        let marks = Marks { finalizer: true, applied: Some("[]".to_owned()) };
        assert_eq!(
            marks.patch(&record(&["x"], None)),
            Some(json!({"metadata": {
                "resourceVersion": "7",
                "finalizers": ["x", FINALIZER],
                "annotations": {APPLIED_ANNOTATION: "[]"},
            }}))
        );
        assert_eq!(marks.patch(&record(&[FINALIZER], Some("[]"))), None);
    }

    #[test]
    fn a_release_takes_ours_alone() {
        let patch = Marks::none().patch(&record(&["x", FINALIZER, "y"], Some("[]"))).unwrap();
        assert_eq!(patch["metadata"]["finalizers"], json!(["x", "y"]));
        assert_eq!(patch["metadata"]["annotations"], json!({APPLIED_ANNOTATION: null}));
    }

    #[test]
    fn only_what_differs_is_sent() {
        let marks = Marks { finalizer: true, applied: Some("[1]".to_owned()) };
        let patch = marks.patch(&record(&[FINALIZER], Some("[]"))).unwrap();
        assert_eq!(patch["metadata"].get("finalizers"), None);
        assert_eq!(marks.describe(&record(&[FINALIZER], None)), "applied [1]");
        assert_eq!(Marks::none().describe(&record(&[FINALIZER], None)), "remove finalizer");
    }

    #[test]
    fn the_record_is_sorted_and_reads_back() {
        let set: BTreeSet<String> = ["b", "a"].into_iter().map(str::to_owned).collect();
        assert_eq!(applied_text(&set), r#"["a","b"]"#);
        assert_eq!(parse_applied::<String>(r#"["b","a","a"]"#).unwrap(), set);
        let error = parse_applied::<String>("{}").unwrap_err();
        assert!(error.contains(APPLIED_ANNOTATION), "{error}");
    }
}
