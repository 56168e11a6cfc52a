//! Files of this repository that tests read.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// A path in this repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// A YAML file of this repository.
///
/// # Panics
/// If it cannot be read or is not YAML.
pub fn yaml(path: &str) -> Value {
    let text = std::fs::read_to_string(repository(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    rest::yaml::parse(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The CRDs that the chart installs, in order of their file names.
///
/// # Panics
/// If they cannot be read.
pub fn crds() -> Vec<Value> {
    let folder = "components/openstack-sync-operator/crds";
    let mut names: Vec<String> = std::fs::read_dir(repository(folder))
        .unwrap_or_else(|error| panic!("{folder}: {error}"))
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".yaml"))
        .collect();
    names.sort();
    names.iter().map(|name| yaml(&format!("{folder}/{name}"))).collect()
}
