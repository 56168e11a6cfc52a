//! DELETE: preconditions, finalizers, and namespaces with all that is in them.

use std::sync::Arc;
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::kube::kind::{Kind, Version};
use crate::kube::meta;
use crate::kube::status::{Cause, Status};
use crate::kube::store::{Key, State};
use crate::kube::write::{Options, Written};
use crate::time;

/// Held by the cluster's own controllers, which let go at once here.
const CONTROLLERS: [&str; 1] = ["kubernetes.io/pvc-protection"];

impl State {
    /// Deletes, or marks as deleted while finalizers are there; the answer's body.
    pub(crate) fn delete(
        &mut self,
        kind: &Arc<Kind>,
        version: &Version,
        key: &Key,
        body: &Value,
        propagation: Option<&str>,
        options: Options<'_>,
    ) -> Result<Written, Status> {
        let name = key.name.as_str();
        let asked = propagation.or_else(|| body["propagationPolicy"].as_str());
        let is_job = kind.group == "batch" && kind.kind == "Job";
        let policy = asked.unwrap_or(if is_job { "Orphan" } else { "Background" });
        check_policy(policy)?;
        let Some(old) = self.objects.get(key).map(|old| State::shown(old, kind, version)) else {
            return Err(Status::not_found(kind, name));
        };
        check_preconditions(kind, name, &body["preconditions"], &old)?;
        let mut warnings = Vec::new();
        if is_job && asked.is_none() {
            warnings.push(
                "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to \
                 remove them or set propagationPolicy=Orphan to suppress this warning"
                    .to_owned(),
            );
        }
        let written = |object: Value| Ok(Written { object, warnings });
        let held = meta::finalizers(&old).iter().any(|name| !CONTROLLERS.contains(name));
        if State::terminating(&old) || (options.dry_run && held) {
            return written(old);
        }
        if kind.group.is_empty() && kind.kind == "Namespace" {
            return written(if options.dry_run { going(old) } else { self.end_namespace(key, old) });
        }
        if options.dry_run {
            return written(success(kind, &old));
        }
        // The garbage collector's own finalizer: it is at work at once, and nothing here has dependents.
        let collector = match policy {
            "Foreground" => Some("foregroundDeletion"),
            "Orphan" => Some("orphan"),
            _ => None,
        };
        if meta::finalizers(&old).is_empty() && collector.is_none() {
            self.next_version();
            self.forget(key);
            return written(success(kind, &old));
        }
        let mut marked = marked(old);
        if held {
            return written(self.put(key.clone(), marked));
        }
        if let Some(collector) = collector {
            marked["metadata"]["finalizers"] = json!([collector]);
        }
        marked["metadata"]["resourceVersion"] = self.next_version().into();
        self.forget(key);
        written(marked)
    }

    /// Deletes every object of a list, each on its own; the answer to that is the list.
    pub(crate) fn delete_listed(
        &mut self,
        kind: &Arc<Kind>,
        version: &Version,
        list: &Value,
        options: Options<'_>,
    ) -> Result<(), Status> {
        for object in list["items"].as_array().into_iter().flatten() {
            let key = Key::new(kind, meta::text(object, "namespace"), meta::text(object, "name"));
            self.delete(kind, version, &key, &Value::Null, None, options)?;
        }
        Ok(())
    }

    /// Marks a namespace and deletes what is in it; it goes when nothing is left. Returns it as marked.
    fn end_namespace(&mut self, key: &Key, namespace: Value) -> Value {
        let marked_namespace = self.put(key.clone(), going(namespace));
        let inside: Vec<Key> =
            self.objects.keys().filter(|inner| inner.namespace == key.name).cloned().collect();
        for inner in inside {
            let Some(object) = self.objects.get(&inner).cloned() else { continue };
            let held = meta::finalizers(&object).iter().any(|name| !CONTROLLERS.contains(name));
            if !held {
                self.objects.remove(&inner);
            } else if !State::terminating(&object) {
                self.put(inner, marked(object));
            }
        }
        self.settle(&key.name);
        marked_namespace
    }

    /// Takes an object out of the store, with what depends on it.
    pub(super) fn forget(&mut self, key: &Key) {
        let Some(object) = self.objects.remove(key) else { return };
        if object["kind"] == "CustomResourceDefinition" {
            self.withdraw(&object);
        }
        self.settle(&key.namespace);
    }

    /// Lets a namespace go that is going and empty.
    fn settle(&mut self, namespace: &str) {
        let left = self.objects.keys().any(|key| key.namespace == namespace);
        if self.is_terminating(namespace) && !left {
            self.objects.remove(&Key::of_namespace(namespace));
            self.next_version();
        }
    }
}

fn check_policy(policy: &str) -> Result<(), Status> {
    if ["Foreground", "Background", "Orphan"].contains(&policy) {
        return Ok(());
    }
    let message = format!(
        "Unsupported value: {policy:?}: supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\""
    );
    let cause = Cause::new("FieldValueNotSupported", "propagationPolicy", message);
    Err(Status::invalid_options("DeleteOptions", &[cause]))
}

fn check_preconditions(kind: &Kind, name: &str, wanted: &Value, old: &Value) -> Result<(), Status> {
    for (field, label, hint) in
        [("uid", "UID", "deleted and then recreated"), ("resourceVersion", "ResourceVersion", "modified")]
    {
        let actual = meta::text(old, field);
        if let Some(wanted) = wanted[field].as_str().filter(|wanted| *wanted != actual) {
            let why = format!(
                "the {label} in the precondition ({wanted}) does not match the {label} in record ({actual}). The \
                 object might have been {hint}"
            );
            return Err(Status::precondition(kind, name, &why));
        }
    }
    Ok(())
}

fn success(kind: &Kind, old: &Value) -> Value {
    let mut details =
        json!({"name": meta::text(old, "name"), "kind": kind.plural, "uid": meta::text(old, "uid")});
    if !kind.group.is_empty() {
        details["group"] = kind.group.clone().into();
    }
    json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details})
}

fn marked(mut object: Value) -> Value {
    object["metadata"]["deletionTimestamp"] = time::seconds(SystemTime::now()).into();
    object["metadata"]["deletionGracePeriodSeconds"] = 0.into();
    if let Some(generation) = object["metadata"]["generation"].as_i64() {
        object["metadata"]["generation"] = (generation + 1).into();
    }
    object
}

fn going(mut namespace: Value) -> Value {
    namespace["metadata"]["deletionTimestamp"] = time::seconds(SystemTime::now()).into();
    namespace["status"]["phase"] = "Terminating".into();
    namespace
}
