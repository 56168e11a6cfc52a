//! Answers recorded on a real kube-apiserver and openshift-apiserver, asked again here: status, body and warnings.
//!
//! A row of `recorded/*.json` is one request and its answer; rows without a `status` only prepare the next. What differs
//! from run to run (uids, versions, times, addresses) is levelled out on both sides. A `view` says which parts of the
//! answer were recorded: JSON pointers, in the shape of the recording. The `name`s are those of the recording.

use devcloud::Fault;
use regex::Regex;
use serde_json::{Map, Value, json};

use crate::client::{Answer, Lab, send};
use crate::kube_objects::crd;

/// A cloud as the recordings were made on: the CRD, and some namespaces.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.cloud.kube().define(crd());
    for name in ["m1", "t1"] {
        let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}});
        assert_eq!(lab.kube("POST", "/api/v1/namespaces", &namespace.to_string()).status, 201);
    }
    lab
}

/// Puts levels where every run has its own values.
struct Levels(Vec<(Regex, &'static str)>);

impl Levels {
    fn new() -> Self {
        let level = |pattern: &str, to| (Regex::new(pattern).unwrap(), to);
        Self(vec![
            level(r"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b", "<uid>"),
            level(r"\b20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z", "<time>"),
            level(r"in record \([0-9]+\)", "in record (<version>)"),
            level(r"\b10\.96\.[0-9]+\.[0-9]+\b", "<address>"),
        ])
    }

    fn level(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => {
                let levelled = self
                    .0
                    .iter()
                    .fold(text.clone(), |text, (pattern, to)| pattern.replace_all(&text, *to).into_owned());
                levelled.into()
            }
            Value::Array(items) => items.iter().map(|item| self.level(item)).collect(),
            Value::Object(map) => {
                let level = |(key, value): (&String, &Value)| match key.as_str() {
                    "resourceVersion" if value.is_string() => (key.clone(), "<version>".into()),
                    _ => (key.clone(), self.level(value)),
                };
                // Hashes of something that is not told are not told here.
                let told = map.iter().filter(|(key, _)| *key != "storageVersionHash");
                let mut map: Map<String, Value> = told.map(level).collect();
                // They are sorted by time: here, all of a test falls into one second.
                if let Some(Value::Array(managers)) = map.get_mut("managedFields") {
                    managers.sort_by_key(|entry| {
                        format!("{}{}{}", entry["operation"], entry["manager"], entry["subresource"])
                    });
                }
                Value::Object(map)
            }
            Value::Number(number) => json!(number.as_f64()),
            other => other.clone(),
        }
    }
}

/// The parts of an answer that a view names.
fn viewed(view: &Value, answer: &Value) -> Value {
    match view {
        Value::String(pointer) => answer.pointer(pointer).cloned().unwrap_or(Value::Null),
        Value::Array(parts) => parts.iter().map(|part| viewed(part, answer)).collect(),
        Value::Object(parts) => parts.iter().map(|(key, part)| (key.clone(), viewed(part, answer))).collect(),
        _ => answer.clone(),
    }
}

fn ask(lab: &Lab, row: &Value, seen: &Value) -> Answer {
    let text = |key: &str| row[key].as_str().unwrap_or_default();
    let method = text("method");
    let media = if text("media").is_empty() { "application/json" } else { text("media") };
    let body = match (row.get("raw"), &row["sent"]) {
        (Some(raw), _) => raw.as_str().unwrap().to_owned(),
        (None, Value::Null) => String::new(),
        (None, sent) => sent.to_string(),
    };
    let of = |key: &str| seen["metadata"][key].as_str().unwrap_or_default().to_owned();
    let body = body.replace("{{uid}}", &of("uid")).replace("{{resourceVersion}}", &of("resourceVersion"));
    let bearer = format!("Bearer {}", lab.cloud.kube().token());
    let accept = if text("accept").is_empty() { "*/*" } else { text("accept") };
    let headers = [("Authorization", bearer.as_str()), ("Content-Type", media), ("Accept", accept)];
    if let Some(user) = row["user"].as_str() {
        lab.cloud.inject(Fault::forbidden("", user, row["verb"].as_str()).times(1));
    }
    send(&lab.cloud, &lab.cloud.kube_url(), method, text("path"), &headers, body.as_bytes())
}

/// Asks all rows in their order, then tells all differences.
#[track_caller]
fn answers_as(rows: &str) {
    let rows: Value = serde_json::from_str(rows).unwrap();
    let (lab, levels) = (lab(), Levels::new());
    let mut seen = Value::Null;
    let mut wrong = Vec::new();
    for row in rows.as_array().unwrap() {
        let answer = ask(&lab, row, &seen);
        let body: Value = serde_json::from_str(&answer.body).unwrap_or(Value::Null);
        if body["metadata"]["uid"].is_string() {
            seen = body.clone();
        }
        let Some(status) = row["status"].as_u64() else {
            assert!(answer.status < 300, "{row}: {}", answer.body);
            continue;
        };
        let name = &row["name"];
        if u64::from(answer.status) != status {
            wrong.push(format!("{name}: {} instead of {status}: {}", answer.status, answer.body));
            continue;
        }
        if let Some(wanted) = row.get("answer") {
            let (got, wanted) = (levels.level(&viewed(&row["view"], &body)), levels.level(wanted));
            if got != wanted {
                wrong.push(format!("{name}:\n     got {got}\n  wanted {wanted}"));
            }
        }
        if let Some(wanted) = row["text"].as_str().filter(|wanted| answer.body.trim() != *wanted) {
            wrong.push(format!("{name}: {:?} instead of {wanted:?}", answer.body));
        }
        let warnings: Vec<Value> =
            answer.head.lines().filter_map(|line| line.strip_prefix("Warning: ")).map(Value::from).collect();
        let wanted = row["warnings"].as_array().cloned().unwrap_or_default();
        if warnings != wanted {
            wrong.push(format!("{name}: warnings {warnings:?} instead of {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} rows differ\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn server_side_apply() {
    answers_as(include_str!("recorded/apply.json"));
}

#[test]
fn apply_with_nothing_in_the_way() {
    answers_as(include_str!("recorded/apply_again.json"));
}

#[test]
fn secrets() {
    answers_as(include_str!("recorded/secrets.json"));
}

#[test]
fn status() {
    answers_as(include_str!("recorded/status.json"));
}

#[test]
fn deletes() {
    answers_as(include_str!("recorded/deletes.json"));
}

#[test]
fn ordinary_objects() {
    answers_as(include_str!("recorded/ordinary.json"));
}

#[test]
fn discovery() {
    answers_as(include_str!("recorded/discovery.json"));
}

#[test]
fn stored_templates() {
    answers_as(include_str!("recorded/templates.json"));
}

#[test]
fn processed_templates() {
    answers_as(include_str!("recorded/processed.json"));
}

#[test]
fn parameters_and_references() {
    answers_as(include_str!("recorded/parameters.json"));
}

#[test]
fn labels_namespaces_and_corners() {
    answers_as(include_str!("recorded/labels.json"));
}
