//! What is written about the chart is true.

use std::collections::BTreeSet;

use openstack_sync_tests::{repository, yaml};
use serde_json::Value;

use crate::{CHART, list, read};

fn values() -> Value {
    yaml(&format!("{CHART}/values.yaml"))
}

fn schema() -> Value {
    serde_json::from_str(&read("values.schema.json")).expect("JSON")
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().expect("an object").keys().cloned().collect()
}

/// The first column of the table of values.
fn documented() -> BTreeSet<String> {
    let readme = read("README.md");
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    rows.map(|(key, _)| key.to_owned()).collect()
}

#[test]
fn the_readme_knows_every_value_and_no_other() {
    let documented = documented();
    let mut known: BTreeSet<String> =
        documented.iter().map(|key| key.split('.').next().unwrap().to_owned()).collect();
    known.retain(|key| !key.starts_with("make "));
    assert_eq!(known, keys(&values()));
    for (section, value) in values().as_object().unwrap() {
        if ["plugins", "rbac", "serviceAccount", "image"].contains(&section.as_str()) {
            for key in keys(value) {
                assert!(documented.contains(&format!("{section}.{key}")), "{section}.{key}");
            }
        }
    }
}

#[test]
fn the_readme_knows_every_example() {
    let readme = read("README.md");
    for name in list("examples") {
        assert!(readme.contains(&format!("(examples/{name})")), "{name}");
    }
}

#[test]
fn the_schema_knows_every_value_and_no_other() {
    let (schema, values) = (schema(), values());
    let mut known = keys(&schema["properties"]);
    assert!(known.remove("global"), "a parent chart may hand it down");
    assert_eq!(known, keys(&values));
    assert_eq!(schema["additionalProperties"], false);
    for section in ["rbac", "serviceAccount", "image"] {
        assert_eq!(keys(&schema["properties"][section]["properties"]), keys(&values[section]), "{section}");
    }
}

/// A comment stands above every key of values.yaml, or above the first of a row of them.
#[test]
fn every_value_has_a_comment() {
    let text = read("values.yaml");
    let lines: Vec<&str> = text.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let top = !line.starts_with([' ', '#', '-']) && line.contains(':');
        let row = number > 0 && !lines[number - 1].is_empty();
        assert!(!top || row, "values.yaml:{}: no comment above {line}", number + 1);
    }
}

/// The default tag of the image is the version of the hooks.
#[test]
fn the_version_is_that_of_the_hooks() {
    let chart = yaml(&format!("{CHART}/Chart.yaml"));
    let manifest = std::fs::read_to_string(repository("Cargo.toml")).unwrap();
    let version = chart["appVersion"].as_str().expect("a text");
    assert!(manifest.contains(&format!("\nversion = \"{version}\"\n")), "{version}");
}
