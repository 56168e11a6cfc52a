//! The statuses that a hook writes and the schema keeps; the columns that show them.

use std::collections::BTreeSet;

use openstack_sync_tests::{KIND, Site, crd_files, flavor_cr, reasons};
use regex::Regex;
use serde_json::{Value, json};

use crate::schema::{crd, nodes, properties, root};

/// The leaves of an object, as JSON pointers; items of a list are at 0.
fn leaves(value: &Value) -> BTreeSet<String> {
    let below = |inner: &Value, step: String| {
        leaves(inner).into_iter().map(move |rest| format!("{step}{rest}")).collect::<Vec<_>>()
    };
    match value {
        Value::Object(map) => map.iter().flat_map(|(key, inner)| below(inner, format!("/{key}"))).collect(),
        Value::Array(items) => items.iter().flat_map(|item| below(item, "/0".to_owned())).collect(),
        _ => BTreeSet::from([String::new()]),
    }
}

/// A site with one CR that is in place and one that cannot be served, for a reason that takes long to tell.
fn site() -> Site {
    let site = Site::new();
    site.apply(flavor_cr("good", "devcloud", json!({})));
    let mut bad = flavor_cr("bad", "devcloud", json!({}));
    bad["spec"]["service_type"] = "Q".repeat(3000).into();
    site.store(bad);
    site.dev.clear_journal();
    site.full();
    site
}

#[test]
fn the_schema_has_what_is_written_and_nothing_else() {
    let site = site();
    let patches: Vec<Value> = site
        .writes()
        .iter()
        .filter(|entry| entry.path.ends_with("/status"))
        .map(|entry| entry.request_body.as_ref().expect("a body")["status"].clone())
        .collect();
    assert_eq!(patches.len(), 2, "one Synced, one Failed");
    let crd = crd(KIND);
    let schema = &properties(root(&crd))["status"];
    let known: BTreeSet<String> = nodes(schema)
        .into_iter()
        .filter(|(_, node)| !["object", "array"].contains(&node["type"].as_str().unwrap_or_default()))
        .map(|(at, _)| at)
        .collect();
    for patch in patches {
        assert_eq!(leaves(&patch), known);
    }
}

#[test]
fn a_status_is_kept_as_it_is_written() {
    let site = site();
    for entry in site.writes().iter().filter(|entry| entry.path.ends_with("/status")) {
        assert_eq!(entry.status, Some(200), "{entry:?}");
        let name = entry.path.rsplit('/').nth(1).unwrap();
        assert_eq!(site.status(name), entry.request_body.as_ref().unwrap()["status"], "{name}");
    }
    let message = site.status("bad")["message"].as_str().unwrap().to_owned();
    let crd = crd(KIND);
    let limit = &properties(&properties(root(&crd))["status"])["message"]["maxLength"];
    assert_eq!(limit.as_u64(), Some(message.chars().count() as u64));
    assert!(message.ends_with("..."), "{message}");
}

#[test]
fn reasons_are_words_that_the_schema_takes() {
    let crd = crd(KIND);
    let conditions = &properties(&properties(root(&crd))["status"])["conditions"]["items"];
    let reason = &properties(conditions)["reason"];
    let pattern = Regex::new(reason["pattern"].as_str().unwrap()).unwrap();
    for word in reasons() {
        assert!(pattern.is_match(word), "{word}");
    }
}

/// The steps of a column's path: keys, and the type of a condition as `[Ready]`.
fn steps(path: &str) -> Vec<String> {
    path.replace("[?(@.type==\"", ".[")
        .replace("\")]", "]")
        .split('.')
        .filter(|step| !step.is_empty())
        .map(str::to_owned)
        .collect()
}

fn resolve<'a>(object: &'a Value, path: &str) -> Option<&'a Value> {
    steps(path).iter().try_fold(object, |value, step| match step.strip_prefix('[') {
        Some(kind) => value.as_array()?.iter().find(|item| item["type"] == kind.trim_end_matches(']')),
        None => value.get(step),
    })
}

fn columns(crd: &Value) -> Vec<Value> {
    crd["spec"]["versions"][0]["additionalPrinterColumns"].as_array().unwrap().clone()
}

#[test]
fn columns_show_what_a_synced_object_has() {
    let cr = site().cr("good").unwrap();
    let mut shown = Vec::new();
    for column in columns(&crd(KIND)) {
        let path = column["jsonPath"].as_str().unwrap();
        let value = resolve(&cr, path).unwrap_or_else(|| panic!("{path} shows nothing of {cr}"));
        assert_eq!(value.is_boolean(), column["type"] == "boolean", "{path}");
        shown.push(value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    }
    let created = cr["metadata"]["creationTimestamp"].as_str().unwrap();
    let message = "Successfully reconciled router flavor";
    assert_eq!(shown, ["good", "L3_ROUTER_NAT", "true", "True", "Reconciled", "Synced", message, created]);
}

#[test]
fn columns_are_fields_of_their_schema() {
    for (file, crd) in crd_files() {
        let root = root(&crd);
        let names: Vec<Value> = columns(&crd).iter().map(|column| column["name"].clone()).collect();
        for needed in ["Ready", "SyncStatus", "Message"] {
            assert!(names.contains(&json!(needed)), "{file}: no column {needed}");
        }
        assert_eq!(names.last(), Some(&json!("Age")), "{file}");
        for column in columns(&crd) {
            let path = column["jsonPath"].as_str().unwrap();
            if path == ".metadata.creationTimestamp" {
                assert_eq!(column["type"], "date", "{file}");
                continue;
            }
            let node = steps(path).iter().fold(root, |node, step| {
                if step.starts_with('[') { &node["items"] } else { &node["properties"][step] }
            });
            assert_eq!(node["type"], column["type"], "{file}: {path}");
        }
    }
}
