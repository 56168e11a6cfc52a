//! The kinds that the simulator serves: a few built-in ones and those of the defined CRDs.

use std::time::{Duration, Instant};

use serde_json::Value;

/// After a CRD was posted: until then its path is unknown (measured: tens of milliseconds).
const UNKNOWN_FOR: Duration = Duration::from_millis(40);
/// After a CRD was posted: until then its storage is being set up (measured).
const INITIALIZING_FOR: Duration = Duration::from_millis(100);

/// One served kind.
#[derive(Debug, Clone)]
pub(crate) struct Kind {
    /// Empty for the core group.
    pub(crate) group: String,
    pub(crate) kind: String,
    pub(crate) list_kind: String,
    pub(crate) plural: String,
    pub(crate) singular: String,
    pub(crate) short_names: Vec<String>,
    /// Names for several kinds at once, such as `all`.
    pub(crate) categories: Vec<String>,
    pub(crate) namespaced: bool,
    /// False for kinds that come from a CRD.
    pub(crate) builtin: bool,
    /// Whether `metadata.generation` counts the changes of its objects.
    pub(crate) generation: bool,
    /// Served versions, the one that is stored first.
    pub(crate) versions: Vec<Version>,
    /// Set for a CRD that came over HTTP: its storage is there only after a moment (measured).
    pub(crate) created: Option<Instant>,
}

/// One served version of a kind.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    pub(crate) name: String,
    /// The structural schema. That of a built-in kind says what is known, defaulted and merged, not what is valid.
    pub(crate) schema: Option<Value>,
    /// Whether `status` is a subresource.
    pub(crate) status: bool,
}

impl Kind {
    /// `widgets.example.com`, or `secrets` in the core group.
    pub(crate) fn resource(&self) -> String {
        qualified(&self.plural, &self.group)
    }

    /// `Widget.example.com`, or `Secret` in the core group.
    pub(crate) fn qualified_kind(&self) -> String {
        qualified(&self.kind, &self.group)
    }

    pub(crate) fn version(&self, name: &str) -> Option<&Version> {
        self.versions.iter().find(|version| version.name == name)
    }

    /// `example.com/v1`, or `v1` in the core group.
    pub(crate) fn api_version(&self, version: &str) -> String {
        if self.group.is_empty() { version.to_owned() } else { format!("{}/{version}", self.group) }
    }

    /// True for the first moment after its CRD was posted: neither its path nor its discovery is there.
    pub(crate) fn is_unknown(&self) -> bool {
        self.created.is_some_and(|created| created.elapsed() < UNKNOWN_FOR)
    }

    /// True for the next moment: there is no storage yet.
    pub(crate) fn is_initializing(&self) -> bool {
        self.created.is_some_and(|created| created.elapsed() < INITIALIZING_FOR)
    }

    /// True if `name` is this kind's Kind or plural.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.kind == name || self.plural == name || self.resource() == name
    }
}

fn qualified(name: &str, group: &str) -> String {
    if group.is_empty() { name.to_owned() } else { format!("{name}.{group}") }
}
