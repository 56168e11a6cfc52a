//! The rules of the API server for a CRD, as far as ours use the format (`apiextensions.k8s.io/v1`, "structural
//! schema"): what is not listed here is refused, as it would be there or since we do not mean to use it.

use openstack_sync_tests::{CRDS, crd_files, repository, walk};
use regex::Regex;
use serde_json::Value;

use crate::schema::{nodes, properties, requires, root};

const KEYWORDS: &[&str] = &[
    "type",
    "description",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "default",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "x-kubernetes-list-type",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
    "oneOf",
];

const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

/// The keywords that say something about one type only.
const OF_TYPE: &[(&str, &[&str])] = &[
    ("string", &["format", "pattern", "minLength", "maxLength"]),
    ("object", &["properties", "required", "additionalProperties", "x-kubernetes-preserve-unknown-fields"]),
    ("array", &["items", "minItems", "maxItems", "x-kubernetes-list-type", "x-kubernetes-list-map-keys"]),
    ("integer", &["format", "minimum", "maximum"]),
    ("number", &["format", "minimum", "maximum"]),
    ("boolean", &[]),
];

#[test]
fn files_are_named_after_what_they_define() {
    for (file, crd) in crd_files() {
        let (group, plural) = (text(&crd["spec"]["group"]), text(&crd["spec"]["names"]["plural"]));
        assert_eq!(file, format!("{group}_{plural}.yaml"));
        assert_eq!(crd["metadata"]["name"], format!("{plural}.{group}"), "{file}");
    }
}

#[test]
fn kinds_can_be_addressed_shortly() {
    let mut short_names = Vec::new();
    for (file, crd) in crd_files() {
        let names = &crd["spec"]["names"];
        let kind = text(&names["kind"]);
        assert_eq!(names["singular"], kind.to_lowercase(), "{file}");
        assert_eq!(names["listKind"], format!("{kind}List"), "{file}");
        short_names.extend(strings(&names["shortNames"]));
        assert!(strings(&names["categories"]).contains(&"openstack-sync".to_owned()), "{file}");
        assert_eq!(crd["spec"]["scope"], "Namespaced", "{file}");
    }
    let given = short_names.len();
    short_names.sort();
    short_names.dedup();
    assert_eq!(
        (short_names.len(), given),
        (crd_files().len(), crd_files().len()),
        "one short name each: {short_names:?}"
    );
}

#[test]
fn schemas_are_structural() {
    for (file, crd) in crd_files() {
        assert_eq!(crd["spec"]["versions"][0]["subresources"]["status"], serde_json::json!({}), "{file}");
        let root = root(&crd);
        assert!(requires(root, "spec"), "{file}");
        assert_eq!(properties(root)["metadata"], serde_json::json!({"type": "object"}), "{file}");
        for (at, node) in nodes(root) {
            if let Err(problem) = check(node) {
                panic!("{file} {at}: {problem}");
            }
        }
    }
}

#[test]
fn every_field_is_described() {
    for (file, crd) in crd_files() {
        for (at, node) in nodes(root(&crd)) {
            let is_item = at.ends_with("/0") || at.ends_with("/*");
            if is_item || ["/apiVersion", "/kind", "/metadata"].contains(&at.as_str()) {
                continue;
            }
            let description = node["description"].as_str().unwrap_or_default();
            assert!(description.ends_with('.'), "{file} {at}: describe it in sentences, not {description:?}");
        }
    }
}

/// kubectl and Helm read YAML 1.1, in which these words are booleans unless they are quoted; our tests do not.
#[test]
fn words_that_yaml_1_1_takes_for_booleans_are_quoted() {
    let mut files = Vec::new();
    for folder in [CRDS, "components/openstack-sync-samples"] {
        walk(&repository(folder), &mut |path| files.push(path.to_owned()));
    }
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let data = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.starts_with('#') && !line.starts_with("description:"));
        for line in data {
            let mut words = line.split([' ', ',', '[', ']', '{', '}', ':']).map(str::to_lowercase);
            let odd = words.find(|word| ["on", "off", "yes", "no", "y", "n"].contains(&word.as_str()));
            assert_eq!(odd, None, "{}: {line}", path.display());
        }
    }
}

/// What the API server would say against one node.
fn check(node: &Value) -> Result<(), String> {
    let keywords: Vec<&str> =
        node.as_object().ok_or("a schema is an object")?.keys().map(String::as_str).collect();
    if let Some(unknown) = keywords.iter().find(|keyword| !KEYWORDS.contains(keyword)) {
        return Err(format!("the keyword {unknown} is not used here"));
    }
    if node.get("type").is_none() && node[PRESERVE] == true {
        // Any value, which the hook must look at by itself.
        return match keywords.iter().find(|keyword| !["description", PRESERVE].contains(keyword)) {
            Some(keyword) => Err(format!("{keyword} says something about a value of any type")),
            None => Ok(()),
        };
    }
    let kind = node["type"].as_str().ok_or("a node has a type")?;
    let (_, own) = OF_TYPE.iter().find(|(name, _)| *name == kind).ok_or(format!("no type {kind:?}"))?;
    let foreign = OF_TYPE
        .iter()
        .flat_map(|(_, all)| all.iter())
        .find(|keyword| node.get(**keyword).is_some() && !own.contains(keyword));
    if let Some(keyword) = foreign {
        return Err(format!("{keyword} says nothing about the type {kind}"));
    }
    for name in strings(&node["required"]) {
        let inner = properties(node).get(&name).ok_or(format!("{name} is required and unknown"))?;
        if inner.get("default").is_some() {
            return Err(format!("{name} is required and has a default"));
        }
    }
    if kind == "array" && node.get("items").is_none() {
        return Err("a list says what its items are".to_owned());
    }
    let is_map = node.get("additionalProperties").is_some();
    if is_map && node.get("properties").is_some() {
        return Err("properties and additionalProperties exclude each other".to_owned());
    }
    if kind == "object" && properties(node).is_empty() && !is_map && keywords.len() > 1 {
        return Err("an object without properties keeps nothing".to_owned());
    }
    for rule in node["x-kubernetes-validations"].as_array().into_iter().flatten() {
        // Whether it is CEL only a real API server can tell.
        if text(&rule["rule"]).is_empty() || text(&rule["message"]).is_empty() {
            return Err(format!("a rule says what it refuses: {rule}"));
        }
    }
    if node["x-kubernetes-list-type"] == "map" {
        for key in strings(&node["x-kubernetes-list-map-keys"]) {
            if !requires(&node["items"], &key) {
                return Err(format!("the list's key {key} is required in its items"));
            }
        }
    }
    if let Some(pattern) = node["pattern"].as_str() {
        Regex::new(pattern).map_err(|error| format!("pattern: {error}"))?;
        if !(pattern.starts_with('^') && pattern.ends_with('$')) {
            return Err(format!("the pattern {pattern} is not about the whole text"));
        }
    }
    if let Some(allowed) = node["enum"].as_array() {
        if let Some(other) = allowed.iter().find(|word| kind == "string" && !word.is_string()) {
            return Err(format!("{other} in the enum is not a string: quote it"));
        }
        if node.get("default").is_some_and(|default| !allowed.contains(default)) {
            return Err("the default is not in the enum".to_owned());
        }
    }
    match node.get("default") {
        Some(default) if kind == "boolean" && !default.is_boolean() => {
            Err("the default is no boolean".to_owned())
        }
        _ => Ok(()),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(text).collect()
}
