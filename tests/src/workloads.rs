//! The site of template-workloads: devcloud's Kubernetes with its Template API, and the hook.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use devcloud::{DevCloud, Options};
use serde_json::{Value, json};
use template_workloads::ownership::OWNER_LABEL;

use crate::hook_site::{HookSite, Served};
use crate::{Outcome, merge};

/// The kind that the site is about.
pub const KIND: &str = "TemplateWorkload";
/// Its hook's environment prefix.
pub const PREFIX: &str = "TEMPLATE_WORKLOAD";
/// The namespace of the CRs and the pod.
pub const NAMESPACE: &str = "workloads";

/// What the chart says of the hook.
pub const SERVED: Served = Served {
    hook: "template-workloads",
    prefix: PREFIX,
    binding: "template-workloads",
    api_version: "openshift.understack.rackspace.net/v1alpha1",
    kind: KIND,
    plural: "templateworkloads",
    namespace: NAMESPACE,
};

/// Kinds of which there may be objects, those of CRs and Templates aside.
const KINDS: [&str; 9] = [
    "ConfigMap",
    "Secret",
    "Service",
    "ServiceAccount",
    "Deployment",
    "Role",
    "VirtualMachine",
    "Namespace",
    "ClusterRole",
];

/// A [`HookSite`] of template-workloads.
///
/// The log is at its finest, and after each run neither the output nor what was written to CRs may hold the value of a
/// parameter, or of a Secret of [`WorkloadSite::secret`].
pub struct WorkloadSite {
    base: HookSite,
}

impl Deref for WorkloadSite {
    type Target = HookSite;

    fn deref(&self) -> &HookSite {
        &self.base
    }
}

impl DerefMut for WorkloadSite {
    fn deref_mut(&mut self) -> &mut HookSite {
        &mut self.base
    }
}

impl Default for WorkloadSite {
    fn default() -> Self {
        Self::new()
    }
}

impl WorkloadSite {
    /// A site without CRs and Templates. The cluster knows KubeVirt's virtual machines.
    ///
    /// # Panics
    /// If devcloud cannot be started.
    pub fn new() -> Self {
        let dev = DevCloud::start(Options::default()).expect("devcloud starts");
        let mut base = HookSite::over(dev, &SERVED);
        base.dev.kube().define_open("kubevirt.io/v1", "VirtualMachine", "virtualmachines", true);
        base.hook.set("LOG_LEVEL", "trace");
        let site = Self { base };
        site.namespace(NAMESPACE);
        site
    }

    /// Makes a namespace.
    pub fn namespace(&self, name: &str) {
        self.apply(json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}));
    }

    /// Sets a variable of the hook, named without its prefix.
    pub fn set(&mut self, name: &str, value: &str) {
        self.hook.set(&format!("{PREFIX}_{name}"), value);
    }

    /// Makes or changes a Secret in the namespace of the CRs. No output may hold one of its values.
    pub fn secret(&mut self, name: &str, values: Value) {
        let (metadata, texts) = (json!({"name": name, "namespace": NAMESPACE}), values.as_object());
        let stored = self
            .apply(json!({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": values}));
        for (key, text) in texts.into_iter().flatten() {
            self.hook.forbid(text.as_str().unwrap_or_default());
            self.hook.forbid(stored["data"][key].as_str().unwrap_or_default());
        }
    }

    /// Stores the Template `name` in the namespace of the CRs.
    pub fn template(&self, name: &str, objects: Value, parameters: Value) {
        self.template_in(NAMESPACE, name, objects, parameters);
    }

    /// The same in another namespace.
    pub fn template_in(&self, namespace: &str, name: &str, objects: Value, parameters: Value) {
        let metadata = json!({"name": name, "namespace": namespace});
        self.apply(
            json!({"apiVersion": "template.openshift.io/v1", "kind": "Template", "metadata": metadata,
            "objects": objects, "parameters": parameters}),
        );
    }

    /// Makes or changes the CR `name`, for the Template `web` unless `spec` says otherwise. No output may hold the
    /// value of one of its parameters, but that of `NAME`, after which objects are named.
    pub fn workload(&mut self, name: &str, spec: Value) -> Value {
        for (parameter, value) in spec["parameters"].as_object().into_iter().flatten() {
            if let (true, Some(text)) = (parameter != "NAME", value.as_str()) {
                self.hook.forbid(text);
            }
        }
        self.apply(workload_cr(name, spec))
    }

    /// The uid of a CR.
    #[track_caller]
    pub fn uid(&self, name: &str) -> String {
        let cr = self.cr(name).unwrap_or_else(|| panic!("no CR {name}"));
        cr["metadata"]["uid"].as_str().expect("a uid").to_owned()
    }

    /// A full run that must end with `code`.
    #[track_caller]
    pub fn full_run(&self, code: i32) -> Outcome {
        self.checked(self.full(), code)
    }

    /// A catch-up run that must end with `code`.
    #[track_caller]
    pub fn tick_run(&self, code: i32) -> Outcome {
        self.checked(self.tick(), code)
    }

    /// A run for an event of this CR as it is now.
    #[track_caller]
    pub fn event_run(&self, name: &str, code: i32) -> Outcome {
        let cr = self.cr(name).unwrap_or_else(|| panic!("no CR {name}"));
        self.checked(self.run(&[self.event("Modified", cr)]), code)
    }

    /// Checks that nothing that was written to a CR, and no event, tells a secret; then the code.
    #[track_caller]
    pub fn checked(&self, outcome: Outcome, code: i32) -> Outcome {
        for cr in self.dev.kube().list(KIND) {
            let told = json!([cr["status"], cr["metadata"]]).to_string();
            for secret in self.hook.secrets() {
                assert!(!told.contains(secret), "a secret is told in a CR: {told}");
            }
        }
        for entry in self.dev.journal() {
            assert!(!entry.path.contains("/events"), "an event: {entry:?}");
            if entry.path.contains("/templateworkloads") {
                let told = entry.request_body.unwrap_or_default().to_string();
                assert!(
                    !self.hook.secrets().any(|secret| told.contains(secret)),
                    "a secret is written: {told}"
                );
            }
        }
        outcome.expect(code)
    }

    /// An object in the namespace of the CRs.
    pub fn object(&self, kind: &str, name: &str) -> Option<Value> {
        self.dev.kube().get(kind, NAMESPACE, name)
    }

    /// All objects of all namespaces, CRs and Templates aside, by `Kind namespace/name`.
    pub fn objects(&self) -> BTreeMap<String, Value> {
        let all = KINDS
            .iter()
            .flat_map(|kind| self.dev.kube().list(kind).into_iter().map(move |object| (kind, object)));
        all.map(|(kind, object)| {
            let text = |key: &str| object["metadata"][key].as_str().unwrap_or_default().to_owned();
            (format!("{kind} {}/{}", text("namespace"), text("name")), object)
        })
        .collect()
    }

    /// Those that carry the label of this owner.
    pub fn owned(&self, uid: &str) -> BTreeMap<String, Value> {
        self.objects().into_iter().filter(|(_, object)| owner(object) == Some(uid)).collect()
    }

    /// What `status.objects` of a CR says, each as `apiVersion Kind namespace/name`.
    #[track_caller]
    pub fn inventory(&self, name: &str) -> Vec<String> {
        let objects = self.status(name)["objects"].clone();
        let text = |object: &Value, key: &str| object[key].as_str().unwrap_or_default().to_owned();
        let named = objects.as_array().into_iter().flatten().map(|object| {
            let text = |key| text(object, key);
            format!("{} {} {}/{}", text("apiVersion"), text("kind"), text("namespace"), text("name"))
        });
        named.collect()
    }

    /// Checks that everything is as it should be: a full run changes nothing, neither an object nor a CR, and a tick
    /// asks nothing.
    #[track_caller]
    pub fn settled(&self) {
        let world = || (self.objects(), self.dev.kube().list(KIND));
        let before = world();
        self.full_run(0);
        assert_eq!(world(), before, "a full run changed something");
        self.dev.clear_journal();
        self.tick_run(0);
        assert_eq!(self.requests(), Vec::<String>::new(), "a tick asks");
    }
}

/// Whose an object is, as its label says.
pub fn owner(object: &Value) -> Option<&str> {
    object["metadata"]["labels"][OWNER_LABEL].as_str()
}

/// The field managers of an object, each with what it did: `template-workloads/x Apply`.
pub fn managers(object: &Value) -> Vec<String> {
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let entries = object["metadata"]["managedFields"].as_array().into_iter().flatten();
    entries.map(|entry| format!("{} {}", text(entry, "manager"), text(entry, "operation"))).collect()
}

/// A CR for the Template `web`, with `spec` merged over its spec.
pub fn workload_cr(name: &str, spec: Value) -> Value {
    let mut cr = json!({
        "apiVersion": SERVED.api_version,
        "kind": KIND,
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {"templateRef": {"name": "web"}},
    });
    merge(&mut cr["spec"], spec);
    cr
}
