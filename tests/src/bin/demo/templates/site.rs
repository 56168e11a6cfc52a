//! A cluster with a Template in it, the two programs, and what there is to see.

use std::collections::BTreeMap;

use devcloud::{DevCloud, Options, shell_operator};
use framework::table;
use openstack_sync_tests::{Hook, Outcome, binaries, crds, yaml};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const NAMESPACE: &str = "workloads";
const KIND: &str = "TemplateWorkload";
const BINDING: &str = "template-workloads";
const PREFIX: &str = "TEMPLATE_WORKLOAD";
const LABEL: &str = "openstack-sync.understack.rackspace.net/owner";
const BY_HAND: &str = "hand-made";

/// The cluster, the hook and the example program of the library.
pub(crate) struct Site {
    pub(crate) dev: DevCloud,
    pub(crate) program: Hook,
    hook: Hook,
    folder: TempDir,
}

/// A sample: the Template, the Secret with a parameter, or the custom resource.
pub(crate) fn sample(name: &str) -> Value {
    yaml(&format!("components/openstack-sync-samples/template-workloads/{name}.yaml"))
}

impl Site {
    pub(crate) fn begin() -> Self {
        let dev = DevCloud::start(Options::default()).expect("devcloud starts");
        crds().into_iter().for_each(|crd| dev.kube().define(crd));
        let folder = tempfile::tempdir().expect("a folder");
        let kubeconfig = folder.path().join("kubeconfig");
        dev.write_kubeconfig(&kubeconfig).expect("a kubeconfig");
        let mut hook = Hook::new("template-workloads");
        for (name, value) in [
            ("ENABLED", "true"),
            ("CRD_API_VERSION", "openshift.understack.rackspace.net/v1alpha1"),
            ("CRD_KIND", KIND),
            ("CRD_RESOURCE", "templateworkloads.openshift.understack.rackspace.net"),
            ("STATUS_ENABLED", "true"),
            ("PRUNE", "true"),
        ] {
            hook.set(&format!("{PREFIX}_{name}"), value);
        }
        hook.set("POD_NAMESPACE", NAMESPACE);
        let mut program = Hook::at(binaries::example("openshift-templates", "job"));
        let secret = dev.kube().apply(sample("secret-hello-parameters"));
        for one in [&mut hook, &mut program] {
            one.set("KUBECONFIG", &kubeconfig.display().to_string());
            one.forbid(dev.kube().token()).forbid(&password());
            one.forbid(secret["data"]["password"].as_str().unwrap_or_default());
        }
        println!("A development cluster is up on loopback, with OpenShift's Template API:");
        println!("  Kubernetes  {}", dev.kube_url());
        println!(
            "The programs below are real binaries; the hook runs as shell-operator would run it (PRUNE is on)."
        );
        Self { dev, program, hook, folder }
    }

    /// Somebody's object, made before us; answers it as it must still be at the end.
    pub(crate) fn make_by_hand(&self) -> Option<Value> {
        self.dev.kube().create(json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": BY_HAND, "namespace": NAMESPACE},
            "data": {"ask": "Jana"},
        }));
        self.by_hand()
    }

    pub(crate) fn by_hand(&self) -> Option<Value> {
        self.get("ConfigMap", BY_HAND)
    }

    pub(crate) fn get(&self, kind: &str, name: &str) -> Option<Value> {
        self.dev.kube().get(kind, NAMESPACE, name)
    }

    /// Runs the hook over this element of a binding context.
    pub(crate) fn run(&self, element: Value, arguments: &[&str]) -> Outcome {
        let path = self.folder.path().join("context.json");
        std::fs::write(&path, shell_operator::file(&[element])).expect("a file");
        let path = path.display().to_string();
        let all: Vec<&str> =
            ["--binding-context", &path].into_iter().chain(arguments.iter().copied()).collect();
        self.hook.run(&all)
    }

    /// What shell-operator hands over when this schedule fires: all custom resources.
    pub(crate) fn schedule(&self, name: &str) -> Value {
        shell_operator::schedule(self.dev.kube(), KIND, BINDING, name)
    }

    /// What it hands over when this custom resource was added or modified.
    pub(crate) fn event(&self, word: &str, cr: Value) -> Value {
        shell_operator::event(BINDING, word, cr)
    }

    /// A custom resource.
    pub(crate) fn cr(&self, name: &str) -> Option<Value> {
        self.get(KIND, name)
    }

    /// `syncStatus`, the reason of `Ready`, and the message of a custom resource, as `Synced (Reconciled): ...`.
    pub(crate) fn verdict(&self, name: &str) -> String {
        let status = self.cr(name).map(|cr| cr["status"].clone()).unwrap_or_default();
        let (word, reason) = (text(&status["syncStatus"]), text(&status["conditions"][0]["reason"]));
        format!("{word} ({reason}): {}", text(&status["message"]))
    }

    /// Deletes a custom resource, as `kubectl delete --wait=false` does.
    pub(crate) fn delete_cr(&self, name: &str) {
        self.dev.kube().delete(KIND, NAMESPACE, name);
    }

    /// The names of the objects that a Template made, by kind.
    pub(crate) fn made(&self) -> Vec<(String, String)> {
        let ours =
            self.objects().into_iter().filter(|object| object["metadata"]["labels"].get("app").is_some());
        ours.map(|object| (text(&object["kind"]), text(&object["metadata"]["name"]))).collect()
    }

    /// The resourceVersion of each object and custom resource, by kind and name.
    pub(crate) fn versions(&self) -> BTreeMap<(String, String), String> {
        let all = self.objects().into_iter().chain(self.dev.kube().list(KIND));
        all.map(|object| {
            let metadata = &object["metadata"];
            ((text(&object["kind"]), text(&metadata["name"])), text(&metadata["resourceVersion"]))
        })
        .collect()
    }

    fn objects(&self) -> Vec<Value> {
        ["ConfigMap", "Secret", "Deployment"].iter().flat_map(|kind| self.dev.kube().list(kind)).collect()
    }

    /// Shows the objects.
    pub(crate) fn show(&self) {
        let rows: Vec<[String; 5]> = self
            .objects()
            .iter()
            .map(|object| {
                let metadata = &object["metadata"];
                let managers = metadata["managedFields"].as_array().cloned().unwrap_or_default();
                let managers: Vec<String> = managers.iter().map(|one| short(&one["manager"])).collect();
                let content = match object["kind"].as_str() {
                    Some("ConfigMap") => object["data"].to_string(),
                    Some("Deployment") => format!("replicas: {}", object["spec"]["replicas"]),
                    _ => "not shown".to_owned(),
                };
                let owner = short(&metadata["labels"][LABEL]);
                [text(&object["kind"]), text(&metadata["name"]), owner, managers.join(", "), content]
            })
            .collect();
        println!("\n{}", table(["KIND", "NAME", "OWNER", "MANAGERS", "CONTENT"], &rows));
    }

    /// Shows the objects and the custom resources.
    pub(crate) fn show_all(&self) {
        self.show();
        let rows: Vec<[String; 6]> = self
            .dev
            .kube()
            .list(KIND)
            .iter()
            .map(|cr| {
                let (metadata, status) = (&cr["metadata"], &cr["status"]);
                let objects = status["objects"].as_array().map_or(0, Vec::len);
                [
                    text(&metadata["name"]),
                    short(&metadata["uid"]),
                    text(&status["syncStatus"]),
                    text(&status["conditions"][0]["reason"]),
                    objects.to_string(),
                    text(&status["message"]),
                ]
            })
            .collect();
        println!("{}", table(["CUSTOM RESOURCE", "UID", "STATUS", "REASON", "OBJECTS", "MESSAGE"], &rows));
    }
}

/// The password in the sample of a Secret.
pub(crate) fn password() -> String {
    text(&sample("secret-hello-parameters")["stringData"]["password"])
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A uid, also one at the end of a manager's name, by its first eight characters.
fn short(value: &Value) -> String {
    let text = text(value);
    let (start, last) = text.rsplit_once('/').map_or(("", text.as_str()), |(start, last)| (start, last));
    let is_uid = last.len() == 36 && last.matches('-').count() == 4;
    match (is_uid, start) {
        (false, _) => text,
        (true, "") => last[..8].to_owned(),
        (true, start) => format!("{start}/{}", &last[..8]),
    }
}
