//! The alert rules, their tests, and what they speak of.

use std::collections::BTreeSet;
use std::process::Command;

use framework::ABANDON_ANNOTATION;
use openstack_sync_tests::{Site, finds_nothing, flavor_cr, reasons, repository};
use regex::Regex;
use serde_json::{Value, json};

use crate::{FOLDER, file, state_metrics, text};

/// The metrics of shell-operator 1.20 that the rules use (`pkg/metrics`, with its default prefix). The run under a
/// real shell-operator is what shows that it still has them.
const SHELL_OPERATOR: [&str; 2] =
    ["shell_operator_hook_enable_kubernetes_bindings_success", "shell_operator_tasks_queue_length"];

/// Labels that shell-operator or the scrape configuration put on.
const OF_TARGETS: [&str; 5] = ["job", "namespace", "pod", "hook", "queue"];

fn rules() -> Vec<Value> {
    file("alerts.yaml")["groups"][0]["rules"].as_array().unwrap().clone()
}

/// The name of the metric that a full run writes.
pub(crate) fn full_sync_metric() -> String {
    let mut site = Site::new();
    site.apply(flavor_cr("gold", "devcloud", json!({})));
    let path = site.file("metrics.json", "");
    site.hook.set("METRICS_PATH", &path.display().to_string());
    site.full().expect(0);
    let metric: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(metric["labels"], json!({}), "the rules know `hook` alone, which shell-operator adds");
    metric["name"].as_str().unwrap().to_owned()
}

fn all<'a>(pattern: &str, text: &'a str) -> BTreeSet<&'a str> {
    let pattern = Regex::new(pattern).unwrap();
    pattern.captures_iter(text).map(|found| found.get(1).unwrap().as_str()).collect()
}

#[test]
fn rules_use_metrics_that_exist() {
    let mut known: BTreeSet<String> = state_metrics::names().into_iter().collect();
    known.insert(full_sync_metric());
    known.extend(["up"].into_iter().chain(SHELL_OPERATOR).map(str::to_owned));
    // Without labels, what is left is metrics and words of the language.
    let labels = Regex::new(r#"\{[^}]*\}|\b(by|on|group_left)\s*\([^)]*\)|\[[^\]]*\]"#).unwrap();
    for rule in rules() {
        let expression = rule["expr"].as_str().unwrap();
        let bare = labels.replace_all(expression, " ");
        let words = all(r"\b([a-z_]{2,})\b", &bare);
        let language = ["absent", "and", "count", "max", "min_over_time", "or", "time", "unless"];
        let metrics: Vec<_> = words.into_iter().filter(|word| !language.contains(word)).collect();
        assert!(!metrics.is_empty(), "{expression}");
        for metric in metrics {
            assert!(known.contains(metric), "{}: no metric {metric}", rule["alert"]);
        }
    }
}

#[test]
fn rules_use_labels_that_exist() {
    let mut known = state_metrics::label_names();
    known.extend(OF_TARGETS.map(str::to_owned));
    for rule in rules() {
        let name = rule["alert"].as_str().unwrap();
        let annotations = rule["annotations"].to_string();
        let expression = rule["expr"].as_str().unwrap();
        let lists = all(r"(?:by|on|group_left)\s*\(([^)]*)\)", expression);
        let mut labels: BTreeSet<&str> =
            lists.iter().flat_map(|list| list.split(',')).map(str::trim).collect();
        labels.extend(all(r"([a-z_]+)(?:=~|!~|!=|=)\x22", expression));
        labels.extend(all(r"\$labels\.([a-z_]+)", &annotations));
        for label in labels {
            assert!(known.contains(label), "{name}: no label {label}");
        }
        // A label that the expression aggregates away is empty in the text.
        if let Some(kept) = all(r"^\s*(?:time\(\) - )?(?:max|count) by \(([^)]*)\)", expression).first() {
            let kept: Vec<&str> = kept.split(',').map(str::trim).collect();
            for label in all(r"\$labels\.([a-z_]+)", &annotations) {
                assert!(kept.contains(&label), "{name}: {label} is lost in the sum");
            }
        }
    }
}

#[test]
fn rules_name_reasons_that_exist() {
    let known = reasons();
    let (rules, tests) = (text("alerts.yaml"), text("alerts.test.yaml"));
    let mut named = all(r"([A-Z][a-z]+[A-Z][A-Za-z]+): ", &rules);
    named.extend(all(r#"reason=~?"([^"]+)""#, &rules).into_iter().flat_map(|words| words.split('|')));
    named.extend(all(r#"reason="([^"]+)""#, &tests));
    assert!(named.len() >= 5, "{named:?}");
    for reason in named {
        assert!(known.contains(&reason), "no reason {reason}");
    }
    assert!(rules.contains(ABANDON_ANNOTATION));
}

#[test]
fn every_alert_is_complete_and_tested() {
    let tests = text("alerts.test.yaml");
    for rule in rules() {
        let name = rule["alert"].as_str().unwrap();
        assert!(["warning", "critical"].contains(&rule["labels"]["severity"].as_str().unwrap()), "{name}");
        for key in ["summary", "description"] {
            assert!(
                rule["annotations"][key].as_str().is_some_and(|text| text.len() > 20),
                "{name} has a {key}"
            );
        }
        assert!(tests.contains(&format!("alertname=\"{name}\"")), "{name} has a test in which it fires");
    }
}

/// The rules' tests speak of series as they would be.
#[test]
fn tests_of_rules_use_series_that_exist() {
    let mut known: BTreeSet<String> = state_metrics::names().into_iter().collect();
    known.insert(full_sync_metric());
    known.extend(["up"].into_iter().chain(SHELL_OPERATOR).map(str::to_owned));
    let tests = text("alerts.test.yaml");
    let series = all(r"series: ([a-z_]+)\{", &tests);
    assert!(series.len() >= 8, "{series:?}");
    for name in series {
        assert!(known.contains(name), "no metric {name}");
    }
}

/// The rules are Prometheus' own language, and fire when their tests say so and not otherwise.
#[test]
fn promtool_finds_nothing() {
    for (verb, name) in [("check", "alerts.yaml"), ("test", "alerts.test.yaml")] {
        let path = format!("{FOLDER}/{name}");
        finds_nothing(Command::new("promtool").args([verb, "rules"]).arg(repository(&path)), &path);
    }
}
