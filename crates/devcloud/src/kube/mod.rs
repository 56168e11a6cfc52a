//! The Kubernetes API server.

mod access;
mod apply;
mod body;
mod builtin;
mod crd;
mod discovery;
mod kind;
mod list;
mod merge;
mod meta;
mod proxied;
mod route;
mod schema;
mod secrets;
mod status;
mod store;
mod strategic;
mod target;
mod templates;
mod validate;
mod write;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::http::{Handler, Request, Response};
use crate::kube::apply::Applier;
use crate::kube::kind::{Kind, Version};
use crate::kube::store::{Key, State};
use crate::kube::write::{Options, Part};
use crate::random::Ids;

/// The simulated API server's state, in process: the same rules as over HTTP, without journal entries.
///
/// There are the kinds that templates are usually made of (core, apps, batch, networking, RBAC, OpenShift's routes,
/// builds, images and templates), CRDs, and the custom objects that CRDs define.
///
/// Simulated: bearer tokens, create/get/list/PUT/patches of every type/server-side apply/delete, managedFields, the
/// status subresource, generation and resourceVersion, finalizers, namespaces that go, pruning, defaulting, validation,
/// discovery in both forms (OpenAPI without schemas, so that `kubectl apply` works), `processedtemplates`.
///
/// Of built-in kinds the server knows common fields, with their types, defaults and lists that merge by keys; what is
/// below an object that it does not know in whole (a pod's spec, say) may be anything. Where nothing is known, objects
/// merge field by field and lists are one value.
///
/// Not simulated: RBAC (see [`Action::Forbid`](crate::Action::Forbid)), watches (405, where a real server streams),
/// CEL rules (a CRD may have `x-kubernetes-validations`, and they refuse nothing), controllers and garbage collection,
/// quotas and admission webhooks, YAML bodies, conversion of field owners between versions, the forgetting of the
/// oldest of many managers.
#[derive(Debug)]
pub struct Kube {
    state: Mutex<State>,
    ids: Ids,
    token: String,
}

/// Writes of a test's own.
const IN_PROCESS: Options<'_> =
    Options { dry_run: false, strict: false, at_once: true, manager: "devcloud", applied: false };

impl Kube {
    pub(crate) fn new(ids: Ids) -> Self {
        let token = ids.text(48);
        Self { state: Mutex::new(State::new(&ids)), ids, token }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ids(&self) -> &Ids {
        &self.ids
    }

    fn accepts(&self, token: &str) -> bool {
        token == self.token
    }

    /// The bearer token of the only user, who may do everything.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Registers a CustomResourceDefinition (`apiextensions.k8s.io/v1`), or replaces it; stored objects stay.
    ///
    /// Its kind is served at once, unlike that of a CRD that comes over HTTP.
    ///
    /// # Panics
    /// If the API server would refuse the CRD.
    pub fn define(&self, crd: Value) {
        let (status, answer) = self.define_or_refuse(crd);
        assert!(status < 300, "the CRD is refused: {}", answer["message"]);
    }

    /// As [`Kube::define`]; answers the status and the CRD as stored, or the `Status` object of the refusal.
    pub fn define_or_refuse(&self, crd: Value) -> (u16, Value) {
        let mut state = self.state();
        let Some(kind) = state.kind("apiextensions.k8s.io", "customresourcedefinitions") else {
            return (404, Value::Null);
        };
        let (version, options) = (&kind.versions[0], IN_PROCESS);
        let key = Key::new(&kind, "", meta::text(&crd, "name"));
        let written = if state.objects.contains_key(&key) {
            state.update(&kind, version, &key, crd, Part::Main, options)
        } else {
            state.create(&self.ids, &kind, version, "", crd, options)
        };
        match written {
            Ok(written) => (200, written.object),
            Err(status) => (status.code, status.body()),
        }
    }

    /// Defines a kind without a schema: any field may be in its objects. As a CRD it has the status subresource.
    ///
    /// `api_version` is `kubevirt.io/v1` or the like, `kind` `VirtualMachine`, `plural` `virtualmachines`.
    ///
    /// # Panics
    /// If the API server would refuse such a CRD, or `api_version` has no group.
    pub fn define_open(&self, api_version: &str, kind: &str, plural: &str, namespaced: bool) {
        let (group, version) = api_version.split_once('/').expect("an apiVersion with a group");
        self.define(crd::open(group, version, kind, plural, namespaced));
    }

    /// Server-side apply as `manager`; makes the object's namespace if there is none. Returns it as stored.
    ///
    /// A missing `metadata.namespace` means `default`.
    ///
    /// # Errors
    /// The `Status` object that the API server would answer, one of a conflict for example.
    ///
    /// # Panics
    /// If the kind is unknown.
    pub fn apply_as(&self, manager: &str, object: Value, force: bool) -> Result<Value, Value> {
        let mut state = self.state();
        let (kind, version) = known(&state, &object);
        let namespace = namespace_of(&object);
        if kind.namespaced {
            state.ensure_namespace(&self.ids, &namespace);
        }
        let key = Key::new(&kind, &namespace, meta::text(&object, "name"));
        let (applier, options) = (Applier { manager, force }, Options::default());
        state
            .apply(&self.ids, &kind, &version, &key, &object, &applier, Part::Main, options)
            .map(|(written, _)| written.object)
            .map_err(|status| status.body())
    }

    /// Creates an object, and its namespace if there is none; returns it as stored.
    ///
    /// A missing `metadata.namespace` means `default`. A `status` is taken over too, although the API server drops
    /// it from a create: it is written as a second step.
    ///
    /// # Panics
    /// If the kind is unknown or the API server would refuse the object.
    pub fn create(&self, object: Value) -> Value {
        match self.try_create(object) {
            Ok(object) => object,
            Err(status) => {
                panic!("the object is refused: {}", status["message"].as_str().unwrap_or_default())
            }
        }
    }

    /// As [`Kube::create`].
    ///
    /// # Errors
    /// The `Status` object that the API server would answer.
    ///
    /// # Panics
    /// If the kind is unknown.
    pub fn try_create(&self, object: Value) -> Result<Value, Value> {
        let mut state = self.state();
        let (kind, version) = known(&state, &object);
        let namespace = namespace_of(&object);
        if kind.namespaced {
            state.ensure_namespace(&self.ids, &namespace);
        }
        let status = object.get("status").cloned().filter(|_| version.status);
        let options = IN_PROCESS;
        let written = state
            .create(&self.ids, &kind, &version, &namespace, object, options)
            .map_err(|status| status.body())?;
        let Some(status) = status else { return Ok(written.object) };
        let mut with_status = written.object;
        with_status["status"] = status;
        let key = Key::new(&kind, &namespace, meta::text(&with_status, "name"));
        state
            .update(&kind, &version, &key, with_status, Part::Status, options)
            .map(|written| written.object)
            .map_err(|status| status.body())
    }

    /// Stores an object without pruning, defaulting or validation: as one that was stored under an older CRD.
    ///
    /// Replaces an object of the same name. uid, creationTimestamp, generation and resourceVersion are filled in
    /// where they are missing.
    ///
    /// # Panics
    /// If the kind is unknown.
    pub fn store_unchecked(&self, mut object: Value) -> Value {
        let mut state = self.state();
        let (kind, _) = known(&state, &object);
        let namespace = namespace_of(&object);
        let now = crate::time::seconds(std::time::SystemTime::now());
        if kind.namespaced {
            state.ensure_namespace(&self.ids, &namespace);
            object["metadata"]["namespace"] = namespace.clone().into();
        }
        for (key, value) in
            [("uid", self.ids.uuid().into()), ("creationTimestamp", now.into()), ("generation", 1.into())]
        {
            if object["metadata"].get(key).is_none() {
                object["metadata"][key] = value;
            }
        }
        let key = Key::new(&kind, &namespace, meta::text(&object, "name"));
        state.put(key, object)
    }

    /// Creates the object, or replaces everything but the status and the metadata that it does not mention.
    ///
    /// Labels, annotations and finalizers are replaced where `object` has them and kept where it does not.
    ///
    /// # Panics
    /// If the kind is unknown or the API server would refuse the object.
    pub fn apply(&self, object: Value) -> Value {
        let (kind, _) = known(&self.state(), &object);
        let namespace = namespace_of(&object);
        let name = meta::text(&object, "name").to_owned();
        let Some(stored) = self.get(&kind.kind, &namespace, &name) else { return self.create(object) };
        let mut new = object;
        let mut metadata = stored["metadata"].clone();
        for (key, value) in new["metadata"].as_object().into_iter().flatten() {
            if !meta::SYSTEM.contains(&key.as_str()) {
                metadata[key] = value.clone();
            }
        }
        new["metadata"] = metadata;
        let key = Key::new(&kind, &namespace, &name);
        let mut state = self.state();
        match state.update(&kind, &kind.versions[0], &key, new, Part::Main, IN_PROCESS) {
            Ok(written) => written.object,
            Err(status) => panic!("the object is refused: {}", status.message),
        }
    }

    /// One object; `kind` is a Kind, a plural, or a plural with its group. For cluster-scoped kinds the namespace
    /// does not count.
    pub fn get(&self, kind: &str, namespace: &str, name: &str) -> Option<Value> {
        let state = self.state();
        let kind = state.kind_called(kind)?;
        let object = state.objects.get(&Key::new(&kind, namespace, name))?;
        Some(State::shown(object, &kind, kind.versions.first()?))
    }

    /// All objects of a kind, sorted by namespace and name; empty for an unknown kind.
    pub fn list(&self, kind: &str) -> Vec<Value> {
        let state = self.state();
        let Some(kind) = state.kind_called(kind) else { return Vec::new() };
        let Some(version) = kind.versions.first() else { return Vec::new() };
        state.of_kind(&kind).map(|(_, object)| State::shown(object, &kind, version)).collect()
    }

    /// Deletes an object as `kubectl delete --wait=false` does: one with finalizers stays, marked.
    ///
    /// Returns the object as it is then, or as it was last.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn delete(&self, kind: &str, namespace: &str, name: &str) -> Value {
        let last = self.get(kind, namespace, name).unwrap_or_else(|| panic!("no {kind} {namespace}/{name}"));
        let mut state = self.state();
        let Some(kind) = state.kind_called(kind) else { return last };
        let key = Key::new(&kind, namespace, name);
        let deleted = state.delete(&kind, &kind.versions[0], &key, &Value::Null, None, Options::default());
        drop(state);
        if let Err(status) = deleted {
            panic!("the delete is refused: {}", status.message);
        }
        self.get(&kind.kind, namespace, name).unwrap_or(last)
    }

    /// One API request in process: status and body. PATCH is a JSON merge patch; `path` may have a query.
    pub fn call(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let media = if method == "PATCH" { "application/merge-patch+json" } else { "application/json" };
        let response = self.handle(&Request {
            method: method.to_owned(),
            target: path.to_owned(),
            headers: vec![
                ("Authorization".into(), format!("Bearer {}", self.token)),
                ("Content-Type".into(), media.into()),
            ],
            body: body.map(Value::to_string).unwrap_or_default().into_bytes(),
        });
        (response.status, response.value())
    }

    /// Makes every `continue` token that is out so far expire (410).
    pub fn compact(&self) {
        let mut state = self.state();
        state.compacted = state.version;
        state.next_version();
    }
}

impl Handler for Kube {
    fn handle(&self, request: &Request) -> Response {
        route::answer(self, request)
            .with_header("Audit-Id", &self.ids.uuid())
            .with_header("Cache-Control", "no-cache, private")
    }

    fn refuse(&self, request: &Request, user: &str, verb: Option<&str>) -> Option<Response> {
        route::refusal(self, request, user, verb)
    }
}

/// The kind of an object, and the version that it is in.
fn known(state: &State, object: &Value) -> (Arc<Kind>, Version) {
    let found = state.kind_of(object).and_then(|(kind, version)| {
        let version = kind.version(&version)?.clone();
        Some((kind, version))
    });
    found.unwrap_or_else(|| panic!("no kind {} in {} is defined", object["kind"], object["apiVersion"]))
}

fn namespace_of(object: &Value) -> String {
    match meta::text(object, "namespace") {
        "" => "default".to_owned(),
        namespace => namespace.to_owned(),
    }
}
