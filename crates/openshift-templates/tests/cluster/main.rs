//! The five functions against the simulated cluster: what is there before and after, for whoever looks.

mod lifecycle;
mod processing;
mod random;
mod refusals;

use std::collections::BTreeMap;
use std::path::PathBuf;

use devcloud::{DevCloud, Options};
use openshift_templates::{Client, ConnectOptions, TemplateInputs, connect};
use serde_json::{Value, json};

/// A cluster with the namespaces `jobs`, the target, and `templates`, where the Template `job` is stored.
struct Lab {
    cloud: DevCloud,
    folder: tempfile::TempDir,
}

impl Lab {
    /// `job` has these objects and parameters; the cluster knows KubeVirt's virtual machines.
    fn new(objects: Value, parameters: Value) -> Lab {
        let cloud = DevCloud::start(Options::default()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        cloud.kube().define_open("kubevirt.io/v1", "VirtualMachine", "virtualmachines", true);
        for name in ["jobs", "templates"] {
            let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}});
            cloud.kube().create(namespace);
        }
        let lab = Lab { cloud, folder };
        lab.store(json!({"objects": objects, "parameters": parameters}));
        lab
    }

    /// Replaces the Template `job`.
    fn store(&self, mut template: Value) {
        template["apiVersion"] = "template.openshift.io/v1".into();
        template["kind"] = "Template".into();
        template["metadata"] = json!({"name": "job", "namespace": "templates"});
        self.cloud.kube().apply(template);
    }

    fn kubeconfig(&self) -> PathBuf {
        let path = self.folder.path().join("kubeconfig");
        self.cloud.write_kubeconfig(&path).unwrap();
        path
    }

    /// A fresh client; it repeats nothing, so that no test waits.
    fn client(&self) -> Client {
        let options = ConnectOptions { kubeconfig: Some(self.kubeconfig()), ..ConnectOptions::default() };
        let client = connect(&options).unwrap();
        Client::from_kube(client.kube().clone().with_retry(rest::Retry::never()))
    }

    fn get(&self, kind: &str, name: &str) -> Option<Value> {
        self.cloud.kube().get(kind, "jobs", name)
    }

    /// Everything in every namespace, by kind.
    fn everything(&self) -> BTreeMap<&'static str, Vec<Value>> {
        let kinds = ["ConfigMap", "Secret", "Service", "Deployment", "VirtualMachine", "Template"];
        kinds.map(|kind| (kind, self.cloud.kube().list(kind))).into()
    }

    /// Method and path of each request since the last call.
    fn requests(&self) -> Vec<String> {
        let lines = self.cloud.journal().into_iter().map(|entry| format!("{} {}", entry.method, entry.path));
        let lines = lines.collect();
        self.cloud.clear_journal();
        lines
    }
}

/// The Template `job` for the namespace `jobs`.
fn job() -> TemplateInputs {
    TemplateInputs::new("job", "jobs").template_namespace("templates")
}

fn config_map(metadata: Value, value: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": value}})
}
