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

/// The paths of all values that are no objects, or empty ones.
fn leaves(value: &Value) -> Vec<Vec<String>> {
    match value.as_object().filter(|map| !map.is_empty()) {
        None => vec![Vec::new()],
        Some(map) => {
            let below = |(key, inner)| {
                leaves(inner).into_iter().map(move |rest| [vec![String::clone(key)], rest].concat())
            };
            map.iter().flat_map(below).collect()
        }
    }
}

/// Whether a row of the table, such as `a.<name>.b`, is about the value at this path, or about one that holds it.
fn covers(row: &str, path: &[String]) -> bool {
    let steps: Vec<&str> = row.split('.').collect();
    steps.len() <= path.len() && steps.iter().zip(path).all(|(step, key)| *step == "<name>" || step == key)
}

/// The first column of the table of values has every value, by itself or with all that is beside it, and nothing
/// else.
#[test]
fn the_readme_knows_every_value_and_no_other() {
    let readme = read("README.md");
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    let rows: Vec<&str> = rows.map(|(key, _)| key).collect();
    let leaves = leaves(&values());
    for path in &leaves {
        assert!(rows.iter().any(|row| covers(row, path)), "{} is not in the table", path.join("."));
    }
    for row in rows {
        assert!(leaves.iter().any(|path| covers(row, path)), "{row} is not in values.yaml");
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

/// A comment stands above it, or above the first of a row of keys without an empty line.
#[test]
fn every_top_level_value_has_a_comment() {
    let text = read("values.yaml");
    let (mut commented, mut count) = (false, 0);
    for (number, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            commented = !line.is_empty();
        } else if !line.starts_with(' ') {
            assert!(commented, "values.yaml:{}: no comment above {line}", number + 1);
            count += 1;
        }
    }
    assert_eq!(count, keys(&values()).len());
}

/// The default tag of the image is the version of the hooks.
#[test]
fn the_version_is_that_of_the_hooks() {
    let chart = yaml(&format!("{CHART}/Chart.yaml"));
    let manifest = std::fs::read_to_string(repository("Cargo.toml")).unwrap();
    let version = chart["appVersion"].as_str().expect("a text");
    assert!(manifest.contains(&format!("\nversion = \"{version}\"\n")), "{version}");
}
