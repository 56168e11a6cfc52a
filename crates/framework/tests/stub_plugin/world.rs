//! A world for one test: a Kubernetes API server with the Widget CRD, the stub plugin's clouds, a site's
//! configuration, and a clock that only moves when told to.

use std::collections::BTreeMap;
use std::rc::Rc;

use devcloud::{DevCloud, Options, Service, shell_operator};
use framework::document::{CATCH_UP, PERIODIC_SYNC};
use framework::{
    APPLIED_ANNOTATION, Contexts, Env, FINALIZER, HookConfig, LazyKube, RunReport, Timestamp, plan, run_sync,
};
use serde_json::{Value, json};

use crate::logs;
use crate::widgets::Widgets;

/// The namespace of every CR of these tests.
pub(crate) const NS: &str = "n";
const BINDING: &str = "widgets";
const KIND: &str = "Widget";

/// See the module.
pub(crate) struct World {
    pub(crate) cloud: Rc<DevCloud>,
    pub(crate) plugin: Widgets,
    kube: LazyKube,
    env: BTreeMap<String, String>,
    now: Timestamp,
}

impl World {
    /// Statuses on, `PRUNE=true`, no waiting between readiness attempts.
    pub(crate) fn new() -> Self {
        logs::start();
        let cloud = Rc::new(DevCloud::start(Options::default()).expect("loopback sockets"));
        cloud.kube().define(crd(true));
        let kube = LazyKube::with_client(client(&cloud));
        let mut world =
            Self { cloud, plugin: Widgets::new(), kube, env: BTreeMap::new(), now: Timestamp::now() };
        for (name, value) in [
            ("CRD_API_VERSION", "example.com/v1"),
            ("CRD_KIND", KIND),
            ("CRD_RESOURCE", "widgets.example.com"),
            ("STATUS_ENABLED", "true"),
            ("PRUNE", "true"),
            ("READY_DELAY", "0"),
        ] {
            world.set(name, value);
        }
        world
    }

    /// Sets a variable of the hook; `name` without its prefix.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.env.insert(format!("P_{name}"), value.to_owned());
    }

    /// Another client for the API server.
    pub(crate) fn client(&self) -> kube::Client {
        client(&self.cloud)
    }

    /// Moves the clock.
    pub(crate) fn later(&mut self, seconds: i64) {
        self.now = Timestamp::from_unix(self.now.unix() + seconds);
    }

    // ---- CRs ----

    /// Creates a CR, or changes its spec. Without `more` it asks for a widget of size 1 at `north` that is
    /// called as the CR is.
    pub(crate) fn cr(&self, name: &str, more: Value) {
        let mut spec = json!({"at": "north", "name": name, "size": 1});
        for (key, value) in more.as_object().into_iter().flatten() {
            spec[key] = value.clone();
        }
        self.cloud.kube().apply(object(name, spec));
    }

    /// Stores a CR that the CRD would refuse, or with metadata of the test's choice.
    pub(crate) fn store(&self, name: &str, spec: Value, metadata: Value) {
        let mut object = object(name, spec);
        for (key, value) in metadata.as_object().into_iter().flatten() {
            object["metadata"][key] = value.clone();
        }
        self.cloud.kube().store_unchecked(object);
    }

    /// Patches a CR as somebody else would; null if it is gone.
    pub(crate) fn edit(&self, name: &str, patch: Value) -> Value {
        edit(&self.cloud, name, patch)
    }

    /// `kubectl delete --wait=false`; returns what a Deleted event would carry if it goes at once.
    pub(crate) fn delete(&self, name: &str) -> Value {
        self.cloud.kube().delete(KIND, NS, name)
    }

    /// The CR, or null.
    pub(crate) fn get(&self, name: &str) -> Value {
        self.cloud.kube().get(KIND, NS, name).unwrap_or_default()
    }

    /// Whether the CR exists.
    pub(crate) fn exists(&self, name: &str) -> bool {
        !self.get(name).is_null()
    }

    /// `Synced`, `Failed <reason>: <message>`, or `none`.
    pub(crate) fn status(&self, name: &str) -> String {
        let status = &self.get(name)["status"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match status["syncStatus"].as_str() {
            None => "none".to_owned(),
            Some("Synced") => "Synced".to_owned(),
            Some(word) => {
                format!("{word} {}: {}", text(&status["conditions"][0]["reason"]), text(&status["message"]))
            }
        }
    }

    /// The CR's finalizers.
    pub(crate) fn finalizers(&self, name: &str) -> Vec<String> {
        serde_json::from_value(self.get(name)["metadata"]["finalizers"].clone()).unwrap_or_default()
    }

    /// Whether the CR carries our finalizer.
    pub(crate) fn is_held(&self, name: &str) -> bool {
        self.finalizers(name).iter().any(|finalizer| finalizer == FINALIZER)
    }

    /// The record of credentials on the CR.
    pub(crate) fn applied(&self, name: &str) -> Option<String> {
        self.get(name)["metadata"]["annotations"][APPLIED_ANNOTATION].as_str().map(str::to_owned)
    }

    // ---- runs ----

    /// The configuration of the site.
    pub(crate) fn config(&self) -> HookConfig {
        let pairs = self.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        HookConfig::from_env("P", BINDING, &Env::from_pairs(pairs)).expect("a usable configuration")
    }

    /// One run of the hook.
    pub(crate) fn run(&mut self, contexts: Contexts) -> RunReport {
        self.run_with(contexts, false)
    }

    /// One run, with `--full` or without.
    pub(crate) fn run_with(&mut self, contexts: Contexts, full: bool) -> RunReport {
        let config = self.config();
        let plan = plan(&self.plugin, &config, "file", contexts, full, self.now).expect("a usable context");
        let report = run_sync(&self.plugin, &config, &self.kube, plan, self.now);
        log::info!("{report}");
        report
    }

    /// A run on the site's crontab.
    pub(crate) fn full(&mut self) -> RunReport {
        let element = self.schedule(PERIODIC_SYNC);
        self.run(Contexts::Bindings(vec![element]))
    }

    /// A catch-up run.
    pub(crate) fn tick(&mut self) -> RunReport {
        let element = self.schedule(CATCH_UP);
        self.run(Contexts::Bindings(vec![element]))
    }

    /// A run on one event.
    pub(crate) fn event(&mut self, word: &str, object: Value) -> RunReport {
        let element = self.event_element(word, object);
        self.run(Contexts::Bindings(vec![element]))
    }

    /// The element of a schedule.
    pub(crate) fn schedule(&self, name: &str) -> Value {
        shell_operator::schedule(self.cloud.kube(), KIND, BINDING, name)
    }

    /// The element of the first list.
    pub(crate) fn synchronization(&self) -> Value {
        shell_operator::synchronization(self.cloud.kube(), KIND, BINDING)
    }

    /// The element of a group.
    pub(crate) fn group(&self) -> Value {
        shell_operator::group(self.cloud.kube(), KIND, BINDING, "g")
    }

    /// The element of an event, with the list that a hook's `main` adds to it.
    pub(crate) fn event_element(&self, word: &str, object: Value) -> Value {
        let mut element = shell_operator::event(BINDING, word, object);
        element["snapshots"] = self.group()["snapshots"].clone();
        element
    }

    /// A new start of everything that one CR needs: created, reconciled, and nothing of it remembered.
    pub(crate) fn settled(&mut self, names: &[&str]) {
        for name in names {
            self.cr(name, json!({}));
        }
        let report = self.full();
        assert!(report.is_success(), "{report}");
        self.forget();
    }

    /// Forgets calls, requests and log lines.
    pub(crate) fn forget(&self) {
        self.calls();
        self.requests();
        self.logs();
    }

    // ---- what happened since the last time one asked ----

    /// The plugin's calls.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.plugin.calls()
    }

    /// The requests to Kubernetes (the report's count is that of the whole process): `PATCH a`, `GET a`, `PATCH a/status`.
    pub(crate) fn requests(&self) -> Vec<String> {
        let journal = self.cloud.journal();
        self.cloud.clear_journal();
        journal
            .iter()
            .filter(|entry| entry.service == Service::Kubernetes)
            .map(|entry| {
                let path = entry.path.rsplit_once("/widgets/").map_or(entry.path.as_str(), |(_, name)| name);
                format!("{} {path}", entry.method)
            })
            .collect()
    }

    /// The log lines of this test.
    pub(crate) fn logs(&self) -> Vec<String> {
        logs::take()
    }

    /// How many log lines contain `text`.
    pub(crate) fn log_count(&self, text: &str) -> usize {
        self.logs().iter().filter(|line| line.contains(text)).count()
    }

    /// Asserts that one more full run and one more tick write nothing anywhere.
    pub(crate) fn assert_settled(&mut self) {
        self.forget();
        for report in [self.full(), self.tick()] {
            assert_eq!(report.writes, 0, "{report}: {:?}", self.logs());
        }
        self.forget();
    }
}

/// A test that fails shows what the hook had to say.
impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.logs().iter().for_each(|line| eprintln!("{line}"));
        }
    }
}

/// Patches a CR from within a call of the plugin.
pub(crate) fn edit(cloud: &DevCloud, name: &str, patch: Value) -> Value {
    let path = format!("/apis/example.com/v1/namespaces/{NS}/widgets/{name}");
    let (status, object) = cloud.kube().call("PATCH", &path, Some(&patch));
    assert!(status < 300, "{object}");
    object
}

fn object(name: &str, spec: Value) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": KIND, "metadata": {"namespace": NS, "name": name}, "spec": spec})
}

fn client(cloud: &DevCloud) -> kube::Client {
    let config = kube::Config {
        server: cloud.kube_url(),
        namespace: NS.to_owned(),
        auth: kube::Auth::Token(rest::Secret::new(cloud.kube().token())),
        options: rest::Options {
            roots: rest::Roots::Only(cloud.ca_pem().as_bytes().to_vec()),
            proxy: rest::Proxy::None,
            ..rest::Options::default()
        },
    };
    // Without the client's own patience a fault is seen at once.
    kube::Client::new(config).expect("a usable configuration").with_retry(rest::Retry::never())
}

/// The Widget CRD; with or without the plugin's extra status key.
pub(crate) fn crd(with_widget_id: bool) -> Value {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    let mut status = json!({
        "syncStatus": text, "lastSyncTime": text, "message": text, "observedGeneration": number,
        "conditions": {"type": "array", "items": {"type": "object", "properties": {
            "type": text, "status": text, "reason": text, "message": text, "observedGeneration": number,
            "lastTransitionTime": text,
        }}},
    });
    if with_widget_id {
        status["widgetId"] = number.clone();
    }
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": KIND},
            "versions": [{
                "name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                    "spec": {
                        "type": "object",
                        "properties": {"at": text, "name": text, "size": number, "color": text},
                        "required": ["at", "name", "size"],
                    },
                    "status": {"type": "object", "properties": status},
                }}},
            }],
        },
    })
}
