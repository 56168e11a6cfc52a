//! The kinds that the simulator serves: a few built-in ones and those of the defined CRDs.

use std::time::Instant;

use serde_json::Value;

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
    pub(crate) namespaced: bool,
    /// False for kinds that come from a CRD.
    pub(crate) builtin: bool,
    /// Served versions, the one that is stored first.
    pub(crate) versions: Vec<Version>,
    /// Set for a CRD that came over HTTP: its storage is there only after a moment (measured).
    pub(crate) created: Option<Instant>,
}

/// One served version of a kind.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    pub(crate) name: String,
    /// The structural schema; none for built-in kinds.
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

    /// True if `name` is this kind's Kind or plural.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.kind == name || self.plural == name || self.resource() == name
    }
}

fn qualified(name: &str, group: &str) -> String {
    if group.is_empty() { name.to_owned() } else { format!("{name}.{group}") }
}

/// The kinds that are there from the start.
pub(crate) fn builtin() -> Vec<Kind> {
    let core = |kind: &str, plural: &str, short: &[&str], namespaced: bool| Kind {
        group: String::new(),
        kind: kind.to_owned(),
        list_kind: format!("{kind}List"),
        plural: plural.to_owned(),
        singular: kind.to_lowercase(),
        short_names: short.iter().map(|&name| name.to_owned()).collect(),
        namespaced,
        builtin: true,
        versions: vec![Version { name: "v1".into(), schema: None, status: false }],
        created: None,
    };
    let crds = Kind {
        group: "apiextensions.k8s.io".into(),
        ..core("CustomResourceDefinition", "customresourcedefinitions", &["crd", "crds"], false)
    };
    vec![
        core("Namespace", "namespaces", &["ns"], false),
        core("Secret", "secrets", &[], true),
        core("ConfigMap", "configmaps", &["cm"], true),
        crds,
    ]
}
