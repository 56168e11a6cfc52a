//! What the API server keeps: kinds and objects.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::kube::builtin;
use crate::kube::crd;
use crate::kube::kind::{Kind, Version};
use crate::kube::meta;
use crate::random::Ids;
use crate::time;

/// Where an object is kept; the order is the order of lists.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) group: String,
    pub(crate) plural: String,
    /// Empty for cluster-scoped kinds.
    pub(crate) namespace: String,
    pub(crate) name: String,
}

impl Key {
    pub(crate) fn new(kind: &Kind, namespace: &str, name: &str) -> Self {
        Self {
            group: kind.group.clone(),
            plural: kind.plural.clone(),
            namespace: if kind.namespaced { namespace.to_owned() } else { String::new() },
            name: name.to_owned(),
        }
    }

    pub(crate) fn of_namespace(name: &str) -> Self {
        Self {
            group: String::new(),
            plural: "namespaces".into(),
            namespace: String::new(),
            name: name.to_owned(),
        }
    }

    pub(crate) fn is_of(&self, kind: &Kind) -> bool {
        self.group == kind.group && self.plural == kind.plural
    }
}

/// All state of the simulated API server.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) kinds: Vec<Arc<Kind>>,
    pub(crate) objects: BTreeMap<Key, Value>,
    /// The cluster's resourceVersion: one counter for everything.
    pub(crate) version: u64,
    /// `continue` tokens of this version and older are expired.
    pub(crate) compacted: u64,
}

impl State {
    /// The built-in kinds and the namespaces that a fresh cluster has.
    pub(crate) fn new(ids: &Ids) -> Self {
        let kinds = builtin::kinds().into_iter().map(Arc::new).collect();
        let mut state = Self { kinds, objects: BTreeMap::new(), version: 1000, compacted: 0 };
        for name in ["default", "kube-system"] {
            state.ensure_namespace(ids, name);
        }
        state
    }

    /// The kind of this group and plural.
    pub(crate) fn kind(&self, group: &str, plural: &str) -> Option<Arc<Kind>> {
        self.kinds.iter().find(|kind| kind.group == group && kind.plural == plural).cloned()
    }

    /// The kind that is called so: a Kind, a plural, or a plural with its group.
    pub(crate) fn kind_called(&self, name: &str) -> Option<Arc<Kind>> {
        self.kinds.iter().find(|kind| kind.is_called(name)).cloned()
    }

    /// The kind of an object, by its apiVersion and kind.
    pub(crate) fn kind_of(&self, object: &Value) -> Option<(Arc<Kind>, String)> {
        let api_version = object["apiVersion"].as_str()?;
        let (group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
        let name = object["kind"].as_str()?;
        let kind = self.kinds.iter().find(|kind| kind.group == group && kind.kind == name)?;
        kind.version(version)?;
        Some((Arc::clone(kind), version.to_owned()))
    }

    pub(crate) fn next_version(&mut self) -> String {
        self.version += 1;
        self.version.to_string()
    }

    pub(crate) fn has_namespace(&self, name: &str) -> bool {
        self.objects.contains_key(&Key::of_namespace(name))
    }

    /// True for a namespace that was deleted and still has something in it.
    pub(crate) fn is_terminating(&self, namespace: &str) -> bool {
        self.objects.get(&Key::of_namespace(namespace)).is_some_and(Self::terminating)
    }

    pub(crate) fn ensure_namespace(&mut self, ids: &Ids, name: &str) {
        if self.has_namespace(name) {
            return;
        }
        let version = self.next_version();
        let namespace = json!({
            "apiVersion": "v1", "kind": "Namespace",
            "metadata": {
                "name": name, "uid": ids.uuid(), "resourceVersion": version,
                "creationTimestamp": time::seconds(SystemTime::now()),
                "labels": {"kubernetes.io/metadata.name": name},
            },
            "spec": {"finalizers": ["kubernetes"]},
            "status": {"phase": "Active"},
        });
        self.objects.insert(Key::of_namespace(name), namespace);
    }

    /// Serves a CRD's kind; one that is known already is replaced, its objects stay.
    pub(crate) fn serve(&mut self, kind: Kind) {
        self.kinds.retain(|known| known.resource() != kind.resource());
        self.kinds.push(Arc::new(kind));
    }

    /// Stops to serve the kind of a deleted CRD, and drops its objects.
    pub(crate) fn withdraw(&mut self, crd: &Value) {
        if let Ok(gone) = crd::kind(crd, None) {
            self.kinds.retain(|kind| kind.resource() != gone.resource());
            self.objects.retain(|key, _| !key.is_of(&gone));
        }
    }

    /// An object as a version of its kind shows it.
    pub(crate) fn shown(object: &Value, kind: &Kind, version: &Version) -> Value {
        let mut object = object.clone();
        object["apiVersion"] = kind.api_version(&version.name).into();
        object
    }

    /// The objects of a kind, sorted by namespace and name.
    pub(crate) fn of_kind<'s>(&'s self, kind: &'s Kind) -> impl Iterator<Item = (&'s Key, &'s Value)> {
        self.objects.iter().filter(move |(key, _)| key.is_of(kind))
    }

    /// Stores an object under a new resourceVersion.
    pub(crate) fn put(&mut self, key: Key, mut object: Value) -> Value {
        object["metadata"]["resourceVersion"] = self.next_version().into();
        self.objects.insert(key, object.clone());
        object
    }

    /// True if the object waits for its finalizers to go.
    pub(crate) fn terminating(object: &Value) -> bool {
        !meta::text(object, "deletionTimestamp").is_empty()
    }
}
