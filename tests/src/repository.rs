//! Files of this repository that tests read.

use std::collections::BTreeMap;
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

/// The names in a folder of this repository, sorted; not those that begin with a dot.
///
/// # Panics
/// If it cannot be read.
pub(crate) fn names(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(repository(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap_or_else(|error| panic!("{folder}: {error}")).file_name())
        .map(|name| name.into_string().unwrap_or_else(|name| panic!("{folder}: {name:?} is not UTF-8")))
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort();
    names
}

/// Calls `each` with every file below a folder.
///
/// # Panics
/// If a folder cannot be read.
pub fn walk(folder: &Path, each: &mut impl FnMut(&Path)) {
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    for entry in entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() { walk(&path, each) } else { each(&path) }
    }
}

/// Where the CRDs are that the chart installs.
pub const CRDS: &str = "components/openstack-sync-operator/crds";

/// Every CRD that the chart installs, by its file's name.
///
/// # Panics
/// If one cannot be read or is not YAML.
pub fn crd_files() -> BTreeMap<String, Value> {
    let with_content = |name: String| {
        let content = yaml(&format!("{CRDS}/{name}"));
        (name, content)
    };
    names(CRDS).into_iter().map(with_content).collect()
}

/// The CRDs that the chart installs, in order of their file names.
///
/// # Panics
/// If one cannot be read or is not YAML.
pub fn crds() -> Vec<Value> {
    crd_files().into_values().collect()
}
