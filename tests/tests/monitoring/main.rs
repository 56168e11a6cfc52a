//! The monitoring files speak of metrics, labels, reasons and kinds that exist.

mod rules;
mod state_metrics;

use std::collections::BTreeSet;
use std::process::Command;

use openstack_sync_tests::{crds, repository, rights, yaml};
use serde_json::{Value, json};

const FOLDER: &str = "components/openstack-sync-monitoring";

fn file(name: &str) -> Value {
    yaml(&format!("{FOLDER}/{name}"))
}

fn text(name: &str) -> String {
    std::fs::read_to_string(repository(&format!("{FOLDER}/{name}"))).unwrap()
}

/// All documents of a file with several.
fn documents(name: &str) -> Vec<Value> {
    text(name).split("\n---\n").map(|text| rest::yaml::parse(text).unwrap()).collect()
}

#[test]
fn kube_state_metrics_may_read_what_it_is_told_to_and_no_more() {
    let config = file("kube-state-metrics.yaml");
    let mut wanted = BTreeSet::new();
    let mut want = |group: &str, resource: &str| {
        wanted.extend(["list", "watch"].map(|verb| (group.to_owned(), resource.to_owned(), verb.to_owned())));
    };
    want("apiextensions.k8s.io", "customresourcedefinitions");
    for resource in config["spec"]["resources"].as_array().unwrap() {
        let kind = &resource["groupVersionKind"];
        let crds = crds();
        let crd = crds
            .iter()
            .find(|crd| crd["spec"]["group"] == kind["group"] && crd["spec"]["names"]["kind"] == kind["kind"])
            .unwrap_or_else(|| panic!("no CRD defines {kind}"));
        let versions = crd["spec"]["versions"].as_array().unwrap();
        assert!(versions.iter().any(|version| version["name"] == kind["version"]), "{kind}");
        let plural = crd["spec"]["names"]["plural"].as_str().unwrap();
        want(kind["group"].as_str().unwrap(), plural);
    }
    let documents = documents("rbac.yaml");
    let [role, binding] = &documents[..] else { panic!("a role and a binding") };
    assert_eq!(rights(role), wanted);
    assert_eq!(binding["roleRef"]["name"], role["metadata"]["name"]);
}

#[test]
fn the_operator_is_scraped_where_the_chart_puts_it() {
    let chart = "components/openstack-sync-operator";
    let pod = std::fs::read_to_string(repository(&format!("{chart}/templates/deployment.yaml"))).unwrap();
    assert!(pod.contains("- name: http\n              containerPort: 9115\n"), "the pod has a port `http`");
    let label =
        format!("app.kubernetes.io/name={}", yaml(&format!("{chart}/Chart.yaml"))["name"].as_str().unwrap());
    let jobs = file("scrape.yaml")["scrape_configs"].clone();
    let monitor = file("podmonitor.yaml")["spec"].clone();
    let (key, value) = label.split_once('=').unwrap();
    assert_eq!(monitor["selector"]["matchLabels"], json!({key: value}));
    for (index, page) in ["/metrics", "/metrics/hooks"].into_iter().enumerate() {
        let (job, endpoint) = (&jobs[index], &monitor["podMetricsEndpoints"][index]);
        assert_eq!(job.get("metrics_path").and_then(Value::as_str).unwrap_or("/metrics"), page);
        assert_eq!(job["kubernetes_sd_configs"][0]["selectors"][0]["label"], label.as_str());
        assert_eq!(job["relabel_configs"][0]["regex"], "http");
        assert_eq!((&endpoint["port"], &endpoint["path"]), (&json!("http"), &json!(page)));
        assert_eq!(endpoint["relabelings"][0]["replacement"], job["job_name"], "one name for both ways");
    }
}

#[test]
fn the_table_of_metrics_is_complete() {
    let readme = text("README.md");
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let documented: BTreeSet<String> = rows.map(str::to_owned).collect();
    let mut real: BTreeSet<String> = state_metrics::names().into_iter().collect();
    real.insert(rules::full_sync_metric());
    assert_eq!(documented, real);
}

#[test]
fn the_command_for_values_makes_values() {
    let readme = text("README.md");
    let script = readme.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let output = Command::new("bash")
        .args(["-euc", script])
        .current_dir(repository("."))
        .env("TMPDIR", scratch.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let values = std::fs::read_to_string(scratch.path().join("openstack-sync-monitoring.yaml")).unwrap();
    let values = rest::yaml::parse(&values).unwrap();
    let states = &values["kube-state-metrics"]["customResourceState"];
    assert_eq!((&states["enabled"], &states["config"]), (&json!(true), &file("kube-state-metrics.yaml")));
    assert_eq!(values["additionalPrometheusRulesMap"]["openstack-sync"], file("alerts.yaml"));
}
