//! What every site has: one Kubernetes API, one hook with a kind of its own, and the ways to run it.

use std::path::PathBuf;

use devcloud::{DevCloud, Entry, shell_operator};
use serde_json::Value;
use tempfile::TempDir;

use crate::{Hook, Outcome, crds};

/// What the chart says of a hook.
#[derive(Debug, Clone, Copy)]
pub struct Served {
    /// The binary's name.
    pub hook: &'static str,
    /// Its environment prefix.
    pub prefix: &'static str,
    /// Its binding.
    pub binding: &'static str,
    /// Group and version of its kind.
    pub api_version: &'static str,
    /// Its kind.
    pub kind: &'static str,
    /// The plural of that.
    pub plural: &'static str,
    /// The namespace of the CRs, and of the pod.
    pub namespace: &'static str,
}

impl Served {
    /// Switches the hook on, as the chart does: its CRD, its statuses, its namespace, an hourly full run.
    pub fn set_up(&self, hook: &mut Hook) {
        let group = self.api_version.split('/').next().unwrap_or_default();
        for (name, value) in [
            ("ENABLED", "true"),
            ("CRD_API_VERSION", self.api_version),
            ("CRD_KIND", self.kind),
            ("CRD_RESOURCE", &format!("{}.{group}", self.plural)),
            ("STATUS_ENABLED", "true"),
            ("SYNC_CRONTAB", "0 * * * *"),
        ] {
            hook.set(&format!("{}_{name}", self.prefix), value);
        }
        hook.set("POD_NAMESPACE", self.namespace);
    }
}

/// A Kubernetes API, which is always devcloud's, and the hook.
pub struct HookSite {
    /// The Kubernetes API, with all CRDs of the chart.
    pub dev: DevCloud,
    /// The hook, with the environment that the chart would give it. `PRUNE` is on, and nothing is waited for.
    pub hook: Hook,
    served: Served,
    folder: TempDir,
}

impl HookSite {
    /// A site over this Kubernetes.
    ///
    /// # Panics
    /// If the hook cannot be built, or files cannot be written.
    pub fn over(dev: DevCloud, served: &Served) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        crds().into_iter().for_each(|crd| dev.kube().define(crd));
        let kubeconfig = folder.path().join("kubeconfig");
        dev.write_kubeconfig(&kubeconfig).expect("a kubeconfig");
        let mut hook = Hook::new(served.hook);
        served.set_up(&mut hook);
        for (name, value) in [("PRUNE", "true"), ("READY_RETRIES", "3"), ("READY_DELAY", "0")] {
            hook.set(&format!("{}_{name}", served.prefix), value);
        }
        hook.set("KUBECONFIG", &kubeconfig.display().to_string());
        hook.forbid(dev.kube().token());
        Self { dev, hook, served: *served, folder }
    }

    /// The kubeconfig that the hook reads.
    pub fn kubeconfig(&self) -> PathBuf {
        self.folder.path().join("kubeconfig")
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
        self.dev.kube().delete(self.served.kind, self.served.namespace, name)
    }

    /// A CR, if it is there.
    pub fn cr(&self, name: &str) -> Option<Value> {
        self.dev.kube().get(self.served.kind, self.served.namespace, name)
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
        shell_operator::schedule(self.dev.kube(), self.served.kind, self.served.binding, "periodic sync")
    }

    /// What it would hand over when the catch-up fires.
    pub fn catch_up(&self) -> Value {
        shell_operator::schedule(self.dev.kube(), self.served.kind, self.served.binding, "catch-up")
    }

    /// What it would hand over for an event of this object.
    pub fn event(&self, word: &str, object: Value) -> Value {
        shell_operator::event(self.served.binding, word, object)
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
}
