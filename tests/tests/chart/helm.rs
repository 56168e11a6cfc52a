//! Runs Helm on the chart.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};

use openstack_sync_tests::repository;
use serde_json::Value;

use crate::CHART;

/// The release's name and namespace in these tests.
pub(crate) const RELEASE: &str = "openstack-sync-operator";
pub(crate) const NAMESPACE: &str = "openstack";

/// Helm from the variable `HELM`, else from the path. It sees no cluster, whatever the caller has.
fn helm(arguments: &[&OsStr]) -> Output {
    let program = std::env::var_os("HELM").unwrap_or_else(|| "helm".into());
    let home = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(&program);
    command.args(arguments).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", home.path());
    command.output().unwrap_or_else(|error| panic!("{}: {error}; set HELM", program.display()))
}

/// `helm lint --strict` with more arguments.
pub(crate) fn lint(more: &[&str]) {
    let chart = repository(CHART);
    let mut arguments: Vec<&OsStr> = vec!["lint".as_ref(), "--strict".as_ref(), chart.as_ref()];
    arguments.extend(more.iter().map(OsStr::new));
    let output = helm(&arguments);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "helm lint {more:?}:\n{said}");
}

/// `helm template` with more arguments, which may be `-f <path>` or `--set <key>=<value>`: what is rendered, or what
/// Helm says is wrong.
pub(crate) fn try_render(chart: &Path, more: &[&str]) -> Result<String, String> {
    let mut arguments: Vec<&OsStr> = vec!["template".as_ref(), RELEASE.as_ref(), chart.as_ref()];
    arguments.extend(["--namespace", NAMESPACE].map(OsStr::new));
    arguments.extend(more.iter().map(OsStr::new));
    let output = helm(&arguments);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

/// What `helm template` renders, as text.
#[track_caller]
pub(crate) fn text(more: &[&str]) -> String {
    try_render(&repository(CHART), more).unwrap_or_else(|said| panic!("helm template {more:?}:\n{said}"))
}

/// What `helm template` renders, as objects.
#[track_caller]
pub(crate) fn render(more: &[&str]) -> Rendered {
    Rendered::of(&text(more))
}

/// The path of one of the chart's examples.
pub(crate) fn example(name: &str) -> String {
    let path = repository(CHART).join("examples").join(name);
    path.to_str().expect("UTF-8").to_owned()
}

/// The objects that a chart renders.
#[derive(Debug)]
pub(crate) struct Rendered(pub(crate) Vec<Value>);

impl Rendered {
    #[track_caller]
    fn of(text: &str) -> Self {
        let documents = text.split("\n---\n").map(|text| text.trim_start_matches("---\n"));
        let parsed = documents.map(|text| rest::yaml::parse(text).unwrap_or_else(|e| panic!("{e}:\n{text}")));
        Self(parsed.filter(|document| !document.is_null()).collect())
    }

    /// The objects of a kind, in order.
    pub(crate) fn of_kind(&self, kind: &str) -> Vec<&Value> {
        self.0.iter().filter(|object| object["kind"] == kind).collect()
    }

    /// The one object of a kind.
    #[track_caller]
    pub(crate) fn one(&self, kind: &str) -> &Value {
        let found = self.of_kind(kind);
        assert_eq!(found.len(), 1, "{kind}: {found:?}");
        found[0]
    }

    /// The specification of the pod.
    pub(crate) fn pod(&self) -> &Value {
        &self.one("Deployment")["spec"]["template"]["spec"]
    }

    /// The checksum over the hooks.
    pub(crate) fn checksum(&self) -> &str {
        let annotations = &self.one("Deployment")["spec"]["template"]["metadata"]["annotations"];
        annotations["checksum/openstack-sync-operator-hooks"].as_str().expect("a checksum")
    }

    /// The variables of shell-operator's container, as Kubernetes would set them. No name stands twice.
    pub(crate) fn env(&self) -> BTreeMap<String, String> {
        let mut env = BTreeMap::new();
        for entry in self.pod()["containers"][0]["env"].as_array().expect("a list") {
            let value = match (entry["value"].as_str(), &entry["valueFrom"]["fieldRef"]["fieldPath"]) {
                (Some(value), Value::Null) => value,
                (None, path) if path == "metadata.namespace" => NAMESPACE,
                _ => panic!("neither a text nor the namespace: {entry}"),
            };
            let name = entry["name"].as_str().expect("a name").to_owned();
            assert!(env.insert(name, value.to_owned()).is_none(), "twice: {entry}");
        }
        env
    }
}
