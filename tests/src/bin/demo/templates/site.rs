//! A cluster with a Template in it, the two programs, and what there is to see.

use std::collections::BTreeMap;
use std::ops::Deref;

use devcloud::{DevCloud, Options, shell_operator};
use framework::table;
pub(crate) use openstack_sync_tests::workloads::NAMESPACE;
use openstack_sync_tests::workloads::{KIND, SERVED};
use openstack_sync_tests::{Hook, HookSite, Outcome, binaries, yaml};
use serde_json::{Value, json};
use template_workloads::ownership::OWNER_LABEL;

const HAND_MADE: &str = "hand-made";

/// The cluster with the hook, and the example program of the library.
pub(crate) struct Site {
    base: HookSite,
    pub(crate) program: Hook,
}

impl Deref for Site {
    type Target = HookSite;

    fn deref(&self) -> &HookSite {
        &self.base
    }
}

/// A sample: the Template, the Secret with a parameter, or the custom resource.
pub(crate) fn sample(name: &str) -> Value {
    yaml(&format!("components/openstack-sync-samples/template-workloads/{name}.yaml"))
}

impl Site {
    pub(crate) fn begin() -> Self {
        let mut base = HookSite::over(DevCloud::start(Options::default()).expect("devcloud starts"), &SERVED);
        let mut program = Hook::at(binaries::example("openshift-templates", "job"));
        program.set("KUBECONFIG", &base.kubeconfig().display().to_string()).forbid(base.dev.kube().token());
        let secret = by_kubectl(&base.dev, sample("secret-hello-parameters"));
        for one in [&mut base.hook, &mut program] {
            one.forbid(&password()).forbid(secret["data"]["password"].as_str().unwrap_or_default());
        }
        println!("A development cluster is up on loopback, with OpenShift's Template API:");
        println!("  Kubernetes  {}", base.dev.kube_url());
        println!(
            "The programs below are real binaries; the hook runs as shell-operator would run it (PRUNE is on)."
        );
        Self { base, program }
    }

    /// Somebody's object, made before us; answers it as it must still be at the end.
    pub(crate) fn make_by_hand(&self) -> Option<Value> {
        let metadata = json!({"name": HAND_MADE, "namespace": NAMESPACE});
        let object =
            json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"ask": "Jana"}});
        by_kubectl(&self.dev, object);
        self.hand_made()
    }

    pub(crate) fn hand_made(&self) -> Option<Value> {
        self.get("ConfigMap", HAND_MADE)
    }

    pub(crate) fn get(&self, kind: &str, name: &str) -> Option<Value> {
        self.dev.kube().get(kind, NAMESPACE, name)
    }

    /// Runs the hook over this element of a binding context.
    pub(crate) fn run_over(&self, element: Value, arguments: &[&str]) -> Outcome {
        self.by_hand(&shell_operator::file(&[element]), arguments)
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
                let owner = short(&metadata["labels"][OWNER_LABEL]);
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

/// Makes an object as `kubectl apply --server-side` does; answers it as stored.
fn by_kubectl(dev: &DevCloud, object: Value) -> Value {
    dev.kube().apply_as("kubectl", object, false).expect("a new object is not refused")
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
