//! A site: one Kubernetes API, one or more clouds, and the router-flavors hook between them.

use std::path::PathBuf;

use devcloud::{DevCloud, Entry, Options, Service, shell_operator};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Hook, Neutron, Outcome, crds};

/// The kind that the site is about.
pub const KIND: &str = "NeutronRouterFlavor";
/// Its hook's binding.
pub const BINDING: &str = "neutron-router-flavors";
/// Its hook's environment prefix.
pub const PREFIX: &str = "NEUTRON_ROUTER_FLAVOR";
/// The namespace of the CRs.
pub const NAMESPACE: &str = "openstack";
/// The Secret with the `clouds.yaml`.
pub const SECRET: &str = "infrasetup";

/// A driver that every Neutron with plugin `router` takes.
const DRIVER: &str = "neutron.services.l3_router.service_providers.single_node.SingleNodeDriver";

/// A site. The Kubernetes API is always devcloud's; the clouds are devcloud's own or those of a `clouds.yaml`.
pub struct Site {
    /// The Kubernetes API, and a cloud named `devcloud`.
    pub dev: DevCloud,
    /// The hook, with the environment that the chart would give it.
    pub hook: Hook,
    clouds_yaml: String,
    folder: TempDir,
}

impl Site {
    /// A site whose cloud is devcloud's.
    pub fn new() -> Self {
        Self::with(Options::default())
    }

    /// The same, with options.
    ///
    /// # Panics
    /// If devcloud cannot be started.
    pub fn with(options: Options) -> Self {
        let dev = DevCloud::start(options).expect("devcloud starts");
        let clouds_yaml = dev.clouds_yaml();
        Self::over(dev, clouds_yaml)
    }

    /// A site over the clouds of this `clouds.yaml`, with devcloud's Kubernetes.
    ///
    /// # Panics
    /// If devcloud cannot be started.
    pub fn real(clouds_yaml: &str) -> Self {
        let dev = DevCloud::start(Options::default()).expect("devcloud starts");
        Self::over(dev, clouds_yaml.to_owned())
    }

    fn over(dev: DevCloud, clouds_yaml: String) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        crds().into_iter().for_each(|crd| dev.kube().define(crd));
        let kubeconfig = folder.path().join("kubeconfig");
        dev.write_kubeconfig(&kubeconfig).expect("a kubeconfig");
        let mut hook = Hook::new("router-flavors");
        for (name, value) in [
            ("ENABLED", "true"),
            ("CRD_API_VERSION", "neutron.understack.rackspace.net/v1alpha1"),
            ("CRD_KIND", KIND),
            ("CRD_RESOURCE", "neutronrouterflavors.neutron.understack.rackspace.net"),
            ("STATUS_ENABLED", "true"),
            ("PRUNE", "true"),
            ("SYNC_CRONTAB", "0 * * * *"),
            ("READY_RETRIES", "3"),
            ("READY_DELAY", "0"),
        ] {
            hook.set(&format!("{PREFIX}_{name}"), value);
        }
        hook.set("POD_NAMESPACE", NAMESPACE);
        hook.set("KUBECONFIG", &kubeconfig.display().to_string());
        hook.forbid(dev.kube().token());
        let mut site = Self { dev, hook, clouds_yaml: String::new(), folder };
        site.use_clouds(&clouds_yaml);
        site
    }

    /// Puts another `clouds.yaml` into the Secret. None of its secrets, old or new, may be in any output.
    ///
    /// # Panics
    /// If it is not YAML.
    pub fn use_clouds(&mut self, clouds_yaml: &str) {
        clouds_yaml.clone_into(&mut self.clouds_yaml);
        self.apply(DevCloud::clouds_secret(NAMESPACE, SECRET, clouds_yaml));
        let clouds = rest::yaml::parse(clouds_yaml).expect("clouds.yaml is YAML");
        for cloud in clouds["clouds"].as_object().into_iter().flat_map(|clouds| clouds.values()) {
            for key in ["password", "application_credential_secret", "token"] {
                self.hook.forbid(cloud["auth"][key].as_str().unwrap_or_default());
            }
        }
        let secret = self.dev.kube().get("Secret", NAMESPACE, SECRET).unwrap_or_default();
        // Its beginning gives the whole away, wherever a text may be cut.
        self.hook.forbid(
            secret["data"]["clouds.yaml"].as_str().and_then(|text| text.get(..40)).unwrap_or_default(),
        );
    }

    /// The `clouds.yaml` in force.
    pub fn clouds_yaml(&self) -> &str {
        &self.clouds_yaml
    }

    /// The view from outside of one of the clouds.
    pub fn neutron(&self, cloud: &str) -> Neutron {
        Neutron::login(&self.clouds_yaml, cloud)
    }

    /// Applies an object, as `kubectl apply` would.
    pub fn apply(&self, object: Value) -> Value {
        self.dev.kube().apply(object)
    }

    /// Puts an object into the store as it is, past all validation: stored before a schema changed.
    pub fn store(&self, object: Value) -> Value {
        self.dev.kube().store_unchecked(object)
    }

    /// Deletes a CR, as `kubectl delete --wait=false` would; answers it as it was last.
    pub fn delete(&self, name: &str) -> Value {
        self.dev.kube().delete(KIND, NAMESPACE, name)
    }

    /// A CR, if it is there.
    pub fn cr(&self, name: &str) -> Option<Value> {
        self.dev.kube().get(KIND, NAMESPACE, name)
    }

    /// The status of a CR.
    ///
    /// # Panics
    /// If there is no such CR.
    #[track_caller]
    pub fn status(&self, name: &str) -> Value {
        self.cr(name).unwrap_or_else(|| panic!("no CR {name}"))["status"].clone()
    }

    /// `syncStatus`, the reason of `Ready`, and the message of a CR, as `Synced (Reconciled): ...`.
    #[track_caller]
    pub fn verdict(&self, name: &str) -> String {
        let status = self.status(name);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (word, reason) = (text(&status["syncStatus"]), text(&status["conditions"][0]["reason"]));
        format!("{word} ({reason}): {}", text(&status["message"]))
    }

    /// What shell-operator would hand over when the periodic schedule fires.
    pub fn periodic(&self) -> Value {
        shell_operator::schedule(self.dev.kube(), KIND, BINDING, "periodic sync")
    }

    /// What it would hand over when the catch-up fires.
    pub fn catch_up(&self) -> Value {
        shell_operator::schedule(self.dev.kube(), KIND, BINDING, "catch-up")
    }

    /// What it would hand over for an event of this object.
    pub fn event(&self, word: &str, object: Value) -> Value {
        shell_operator::event(BINDING, word, object)
    }

    /// A full run.
    pub fn full(&self) -> Outcome {
        self.run(&[self.periodic()])
    }

    /// A catch-up run.
    pub fn tick(&self) -> Outcome {
        self.run(&[self.catch_up()])
    }

    /// A run as shell-operator starts it, with these elements as its context.
    pub fn run(&self, elements: &[Value]) -> Outcome {
        self.run_text(&shell_operator::file(elements))
    }

    /// A run with this text as its context file.
    pub fn run_text(&self, text: &str) -> Outcome {
        let path = self.file("context.json", text);
        self.hook.clone().set("BINDING_CONTEXT_PATH", &path.display().to_string()).run(&[])
    }

    /// A run by hand: `arguments` follow `--binding-context FILE`, whose text this is.
    pub fn by_hand(&self, text: &str, arguments: &[&str]) -> Outcome {
        let path = self.file("by-hand", text).display().to_string();
        let all: Vec<&str> =
            ["--binding-context", &path].into_iter().chain(arguments.iter().copied()).collect();
        self.hook.run(&all)
    }

    /// Writes a file into the site's folder.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }

    /// What a hook asked of devcloud since [`DevCloud::clear_journal`]: `METHOD path` of each request.
    pub fn requests(&self) -> Vec<String> {
        self.dev.journal().iter().map(|entry| format!("{} {}", entry.method, entry.path)).collect()
    }

    /// The writes among them; a login is none.
    pub fn writes(&self) -> Vec<Entry> {
        self.dev.journal().into_iter().filter(|entry| entry.is_write() && !entry.is_login()).collect()
    }

    /// The writes to Neutron among them.
    pub fn neutron_writes(&self) -> Vec<Entry> {
        self.writes().into_iter().filter(|entry| entry.service == Service::Neutron).collect()
    }
}

impl Default for Site {
    fn default() -> Self {
        Self::new()
    }
}

/// A CR for the flavor `name` at the cloud `cloud`, with `more` merged over it.
pub fn flavor_cr(name: &str, cloud: &str, more: Value) -> Value {
    let mut cr = json!({
        "apiVersion": "neutron.understack.rackspace.net/v1alpha1",
        "kind": KIND,
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {
            "cloudCredentialsRef": {"secretName": SECRET, "cloudName": cloud},
            "name": name,
            "service_profiles": [{"driver": DRIVER, "meta_info": {"vni_alloc": "auto"}}],
        },
    });
    merge(&mut cr, more);
    cr
}

/// Merges JSON objects, deeply; null replaces.
pub fn merge(into: &mut Value, more: Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => {
            for (key, value) in more {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, more) => *into = more,
    }
}
