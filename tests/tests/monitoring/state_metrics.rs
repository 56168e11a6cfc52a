//! kube-state-metrics in small (v2.18, `pkg/customresourcestate`): what its configuration makes of a CR. Whatever of
//! the format is not written down here is refused.

use std::collections::{BTreeMap, BTreeSet};

use openstack_sync_tests::{NAMESPACE, Site, crds, flavor_cr};
use serde_json::{Value, json};

use crate::file;

type Labels = BTreeMap<String, String>;

/// The full names of all metrics.
pub(crate) fn names() -> Vec<String> {
    let config = file("kube-state-metrics.yaml");
    let resources = config["spec"]["resources"].as_array().unwrap();
    let names = resources.iter().flat_map(|resource| {
        let metrics = resource["metrics"].as_array().unwrap();
        metrics.iter().map(|metric| full_name(resource, metric)).collect::<Vec<_>>()
    });
    names.collect()
}

/// The label names of all metrics, those that kube-state-metrics adds included.
pub(crate) fn label_names() -> BTreeSet<String> {
    let site = site();
    let crs = ["good", "bad"].map(|name| site.cr(name).unwrap());
    let labels = crs.iter().flat_map(metrics).flat_map(|(_, labels, _)| labels.into_keys());
    labels.collect()
}

fn full_name(resource: &Value, metric: &Value) -> String {
    format!("{}_{}", resource["metricNamePrefix"].as_str().unwrap(), metric["name"].as_str().unwrap())
}

/// Fails if the object has other keys than these.
fn only(at: &str, value: &Value, keys: &[&str]) {
    for key in value.as_object().unwrap_or_else(|| panic!("{at} is an object")).keys() {
        assert!(keys.contains(&key.as_str()), "{at}: kube-state-metrics knows no {key}");
    }
}

/// What a path of the configuration finds: keys, and `[key=value]` for an item of a list.
fn find<'a>(object: &'a Value, path: &Value) -> Option<&'a Value> {
    path.as_array().into_iter().flatten().map(|step| step.as_str().expect("a step")).try_fold(
        object,
        |value, step| match step.strip_prefix('[').and_then(|step| step.strip_suffix(']')) {
            Some(lookup) => {
                let (key, wanted) = lookup.split_once('=').expect("[key=value]");
                value.as_array()?.iter().find(|item| item[key] == wanted)
            }
            None => value.get(step),
        },
    )
}

fn add_labels(labels: &mut Labels, object: &Value, paths: &Value) {
    for (name, path) in paths.as_object().into_iter().flatten() {
        let value = find(object, path).and_then(Value::as_str);
        labels.extend(value.map(|value| (name.clone(), value.to_owned())));
    }
}

/// Booleans in words, times and numbers.
fn number(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("True") => Some(1.0),
        Some("False" | "Unknown") => Some(0.0),
        Some(time) => {
            let time = framework::Timestamp::parse(time).unwrap_or_else(|| panic!("{time:?} is no number"));
            #[allow(clippy::cast_precision_loss, reason = "seconds")]
            Some(time.unix() as f64)
        }
        None => value.as_f64(),
    }
}

/// The metrics of a CR, in the order of the configuration.
fn metrics(cr: &Value) -> Vec<(String, Labels, f64)> {
    let config = file("kube-state-metrics.yaml");
    only("the file", &config, &["kind", "spec"]);
    only("spec", &config["spec"], &["resources"]);
    let mut found = Vec::new();
    for resource in config["spec"]["resources"].as_array().unwrap() {
        only(
            "resource",
            resource,
            &["groupVersionKind", "metricNamePrefix", "labelsFromPath", "errorLogV", "metrics"],
        );
        let kind = &resource["groupVersionKind"];
        if cr["kind"] != kind["kind"] {
            continue;
        }
        let mut common = Labels::new();
        for (key, value) in kind.as_object().unwrap() {
            common.insert(format!("customresource_{key}"), value.as_str().unwrap().to_owned());
        }
        add_labels(&mut common, cr, &resource["labelsFromPath"]);
        for metric in resource["metrics"].as_array().unwrap() {
            let name = full_name(resource, metric);
            only(&name, metric, &["name", "help", "labelsFromPath", "each"]);
            assert!(
                metric["help"].as_str().is_some_and(|help| help.ends_with('.')),
                "{name} has a help text"
            );
            let mut labels = common.clone();
            add_labels(&mut labels, cr, &metric["labelsFromPath"]);
            found.extend(
                values(&name, &metric["each"], cr, &labels)
                    .into_iter()
                    .map(|(labels, value)| (name.clone(), labels, value)),
            );
        }
    }
    found
}

fn values(name: &str, each: &Value, cr: &Value, common: &Labels) -> Vec<(Labels, f64)> {
    let (part, known): (&str, &[&str]) = match each["type"].as_str() {
        Some("Gauge") => ("gauge", &["path", "valueFrom", "labelsFromPath"]),
        Some("Info") => ("info", &["path", "labelsFromPath"]),
        Some("StateSet") => ("stateSet", &["path", "valueFrom", "labelName", "list"]),
        other => panic!("{name}: no type {other:?}"),
    };
    only(name, each, &["type", part]);
    let target = &each[part];
    only(name, target, known);
    let Some(object) = find(cr, &target["path"]) else { return Vec::new() };
    let mut labels = common.clone();
    add_labels(&mut labels, object, &target["labelsFromPath"]);
    let value = find(object, target.get("valueFrom").unwrap_or(&json!([])));
    match part {
        "info" => vec![(labels, 1.0)],
        "gauge" => value.and_then(number).map(|value| (labels, value)).into_iter().collect(),
        _ => {
            let Some(value) = value else { return Vec::new() };
            let with = |word: &Value| {
                let mut labels = labels.clone();
                labels.insert(
                    target["labelName"].as_str().unwrap().to_owned(),
                    word.as_str().unwrap().to_owned(),
                );
                (labels, f64::from(u8::from(word == value)))
            };
            target["list"].as_array().unwrap().iter().map(with).collect()
        }
    }
}

/// A site with a CR in place, one that fails and is being deleted, and one that no run has seen.
fn site() -> Site {
    let site = Site::new();
    site.apply(flavor_cr("good", "devcloud", json!({})));
    site.apply(flavor_cr("bad", "no-such-cloud", json!({"metadata": {"finalizers": ["example.com/stay"]}})));
    site.full();
    site.delete("bad");
    site.apply(flavor_cr("new", "devcloud", json!({})));
    site
}

/// As a page of metrics, without the prefix and the labels that all have.
fn page(cr: &Value) -> Vec<String> {
    let name = &cr["metadata"]["name"];
    let lines = metrics(cr).into_iter().map(|(metric, mut labels, value)| {
        assert_eq!(labels.remove("name").as_deref(), name.as_str());
        assert_eq!(labels.remove("namespace").as_deref(), Some(NAMESPACE));
        labels.retain(|key, _| !key.starts_with("customresource_"));
        let labels: Vec<String> = labels.iter().map(|(key, value)| format!("{key}={value:?}")).collect();
        format!("{}{{{}}} {value}", metric.strip_prefix("openstack_sync_cr_").unwrap(), labels.join(","))
    });
    lines.collect()
}

#[test]
fn a_cr_has_the_metrics_of_its_state() {
    let site = site();
    let (good, bad, new) = (site.cr("good").unwrap(), site.cr("bad").unwrap(), site.cr("new").unwrap());
    let time = |value: &Value| framework::Timestamp::parse(value.as_str().unwrap()).unwrap().unix();
    let since = |cr: &Value| time(&cr["status"]["conditions"][0]["lastTransitionTime"]);
    assert_eq!(
        page(&good),
        [
            r#"info{cloud="devcloud",flavor="good",secret="infrasetup"} 1"#.to_owned(),
            r#"ready{reason="Reconciled"} 1"#.to_owned(),
            format!("ready_transition_timestamp_seconds{{}} {}", since(&good)),
            r#"sync_status{status="Synced"} 1"#.to_owned(),
            r#"sync_status{status="Failed"} 0"#.to_owned(),
            r#"sync_status{status="Unknown"} 0"#.to_owned(),
            "generation{} 1".to_owned(),
            "observed_generation{} 1".to_owned(),
        ]
    );
    assert_eq!(
        page(&bad),
        [
            r#"info{cloud="no-such-cloud",flavor="bad",secret="infrasetup"} 1"#.to_owned(),
            r#"ready{reason="ReconcileError"} 0"#.to_owned(),
            format!("ready_transition_timestamp_seconds{{}} {}", since(&bad)),
            r#"sync_status{status="Synced"} 0"#.to_owned(),
            r#"sync_status{status="Failed"} 1"#.to_owned(),
            r#"sync_status{status="Unknown"} 0"#.to_owned(),
            "generation{} 2".to_owned(),
            "observed_generation{} 1".to_owned(),
            format!("deletion_timestamp_seconds{{}} {}", time(&bad["metadata"]["deletionTimestamp"])),
        ]
    );
    let info = r#"info{cloud="devcloud",flavor="new",secret="infrasetup"} 1"#;
    assert_eq!(page(&new), [info, "generation{} 1"]);
}

#[test]
fn a_template_workload_tells_what_it_names() {
    let cr = |spec: Value| {
        json!({
            "kind": "TemplateWorkload", "spec": spec,
            "metadata": {"name": "hello", "namespace": NAMESPACE, "generation": 3},
        })
    };
    let all = json!({"templateRef": {"name": "t", "namespace": "openshift"}, "targetNamespace": "jobs"});
    let info = r#"info{target_namespace="jobs",template="t",template_namespace="openshift"} 1"#;
    assert_eq!(page(&cr(all)), [info, "generation{} 3"]);
    let bare = json!({"templateRef": {"name": "t"}});
    assert_eq!(page(&cr(bare)), [r#"info{template="t"} 1"#, "generation{} 3"]);
}

/// So that the rules cover every kind. A kind that a hook has a CR of has an entry.
#[test]
fn kinds_share_all_but_the_info() {
    let config = file("kube-state-metrics.yaml");
    let resources = config["spec"]["resources"].as_array().unwrap();
    let metrics = |resource: &Value| resource["metrics"].as_array().unwrap().clone();
    let first = metrics(&resources[0]);
    for resource in resources {
        let own = metrics(resource);
        assert_eq!(own[0]["name"], "info");
        assert_eq!(own[1..], first[1..], "{}", resource["groupVersionKind"]);
        for key in ["metricNamePrefix", "labelsFromPath", "errorLogV"] {
            assert_eq!(resource[key], resources[0][key], "{}", resource["groupVersionKind"]);
        }
    }
    let kinds: Vec<&Value> = resources.iter().map(|resource| &resource["groupVersionKind"]["kind"]).collect();
    for crd in crds() {
        let kind = &crd["spec"]["names"]["kind"];
        // No hook writes its status.
        assert!(kind == "OpenstackPlaceholder" || kinds.contains(&kind), "no entry for {kind}");
    }
}
