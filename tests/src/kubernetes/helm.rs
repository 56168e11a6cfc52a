//! The chart, installed by the real Helm.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

use super::{ControlPlane, Kind, given};
use crate::repository;

/// Names the folder with `helm` and `shell-operator`.
const TOOLS: &str = "OPENSTACK_SYNC_E2E_TOOLS";
/// The release's name, and so that of the Deployment.
const NAME: &str = "openstack-sync-operator";

/// One of the programs that were built for these runs.
pub(super) fn tool(name: &str) -> PathBuf {
    given(TOOLS).join(name)
}

/// A release in a namespace of its own. It is uninstalled when dropped.
pub struct Release {
    plane: &'static ControlPlane,
    /// The namespace.
    pub namespace: String,
    folder: tempfile::TempDir,
}

impl Release {
    /// Nothing is installed yet, but the namespace is there.
    ///
    /// # Panics
    /// If it cannot be made.
    pub fn new(plane: &'static ControlPlane, namespace: &str) -> Self {
        let object = serde_json::json!({
            "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace},
        });
        plane.kubectl_with_input(&["apply", "--filename", "-"], &object.to_string());
        let folder = tempfile::tempdir().expect("a folder");
        Self { plane, namespace: namespace.to_owned(), folder }
    }

    /// `helm upgrade --install` of our chart with these values over its own.
    ///
    /// # Panics
    /// If Helm refuses.
    #[track_caller]
    pub fn install(&self, values: &Value) {
        self.install_chart(&repository("components/openstack-sync-operator"), values);
    }

    /// The same with the chart of this folder.
    ///
    /// # Panics
    /// If Helm refuses.
    #[track_caller]
    pub fn install_chart(&self, chart: &std::path::Path, values: &Value) {
        let file = self.folder.path().join("values.json");
        std::fs::write(&file, values.to_string()).expect("a file");
        let (chart, file) = (chart.display().to_string(), file.display().to_string());
        let output = self.helm(&["upgrade", "--install", NAME, &chart, "--values", &file]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "helm refuses {values}: {text}");
    }

    /// The installed Deployment, as the API server has it.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    pub fn deployment(&self) -> Value {
        let found = self.plane.get(Kind::DEPLOYMENT, &self.namespace, NAME);
        found.unwrap_or_else(|| panic!("no Deployment {NAME} in {}", self.namespace))
    }

    /// Helm in this namespace.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn helm(&self, arguments: &[&str]) -> Output {
        Command::new(tool("helm"))
            .args(arguments)
            .args(["--namespace", &self.namespace])
            .arg("--kubeconfig")
            .arg(self.plane.kubeconfig())
            // Its caches; nothing of the caller's is read or left behind.
            .env("HOME", self.folder.path())
            .env_remove("HELM_NAMESPACE")
            .env_remove("KUBECONFIG")
            .output()
            .expect("helm can be started")
    }
}

impl Drop for Release {
    fn drop(&mut self) {
        // What holds for the whole cluster would be in the way of the next release.
        self.helm(&["uninstall", NAME, "--ignore-not-found"]);
    }
}
