//! PUT, patches, and applies to what is there.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::kube::kind::{Kind, Version};
use crate::kube::status::Status;
use crate::kube::store::{Key, State};
use crate::kube::write::{Options, Part, Written, check, copy, prune};
use crate::kube::{apply, builtin, meta, secrets};

impl State {
    /// Replaces the object under `key` by `new`, which is the whole object after a PUT, a patch or an apply.
    pub(crate) fn update(
        &mut self,
        kind: &Arc<Kind>,
        version: &Version,
        key: &Key,
        mut new: Value,
        part: Part,
        options: Options<'_>,
    ) -> Result<Written, Status> {
        let name = key.name.as_str();
        let Some(old) = self.objects.get(key).map(|old| State::shown(old, kind, version)) else {
            return Err(Status::not_found(kind, name));
        };
        let asked = meta::text(&new, "resourceVersion");
        if !asked.is_empty() && asked != meta::text(&old, "resourceVersion") {
            return Err(Status::conflict(kind, name));
        }
        let managed = new["metadata"].get("managedFields").cloned();
        let mut warnings = prune(kind, version, &mut new, options)?;
        if part == Part::Main {
            check_uid(kind, key, &old, &new)?;
            for field in ["kind", "apiVersion"] {
                copy(&old, &mut new, field);
            }
            for system in meta::SYSTEM.into_iter().chain(["name", "namespace"]) {
                copy(&old["metadata"], &mut new["metadata"], system);
            }
            if version.status {
                copy(&old, &mut new, "status");
            }
        } else {
            let mut only = old.clone();
            copy(&new, &mut only, "status");
            new = only;
        }
        if kind.builtin {
            builtin::keep(kind, &old, &mut new);
        }
        if builtin::is_secret(kind) {
            secrets::normalise(kind, &mut new, Some(&old))?;
        }
        check(kind, version, name, &new, Some(&old))?;
        warnings.extend(meta::finalizer_warnings(&new));
        if options.applied {
            set_or_remove(&mut new["metadata"], "managedFields", managed);
        } else {
            let asked =
                managed.filter(|managed| part == Part::Main && *managed != old["metadata"]["managedFields"]);
            if new != old || asked.is_some() {
                apply::updated(kind, version, Some(&old), &mut new, options.manager(), part, asked.as_ref());
            }
        }
        // What changes only the times of managers is no change (measured).
        if apply::same_but_for_times(&new, &old) {
            return Ok(Written { object: old, warnings });
        }
        if new["metadata"].get("generation").is_some() && content(&new, version) != content(&old, version) {
            new["metadata"]["generation"] = json!(old["metadata"]["generation"].as_i64().unwrap_or(0) + 1);
        }
        let defined = self.before_store(kind, name, &mut new, options)?;
        if options.dry_run {
            return Ok(Written { object: new, warnings });
        }
        if let Some(defined) = defined {
            self.serve(defined);
        }
        if State::terminating(&new) && meta::finalizers(&new).is_empty() && kind.kind != "Namespace" {
            new["metadata"]["resourceVersion"] = self.next_version().into();
            self.forget(key);
        } else {
            new = self.put(key.clone(), new);
        }
        Ok(Written { object: new, warnings })
    }
}

fn set_or_remove(object: &mut Value, key: &str, value: Option<Value>) {
    let Some(map) = object.as_object_mut() else { return };
    match value {
        Some(value) => map.insert(key.to_owned(), value),
        None => map.remove(key),
    };
}

/// A uid in the body that is not the object's.
fn check_uid(kind: &Kind, key: &Key, old: &Value, new: &Value) -> Result<(), Status> {
    let (asked, uid) = (meta::text(new, "uid"), meta::text(old, "uid"));
    if asked.is_empty() || asked == uid {
        return Ok(());
    }
    let group = if kind.group.is_empty() { "" } else { &format!("{}/", kind.group) };
    let why = format!(
        "StorageError: invalid object, Code: 4, Key: /registry/{group}{}/{}/{}, ResourceVersion: 0, \
         AdditionalErrorMsg: Precondition failed: UID in precondition: {asked}, UID in object meta: {uid}",
        kind.plural, key.namespace, key.name
    );
    Err(Status::conflict_because(kind, &key.name, &why))
}

/// What the generation counts: everything but metadata and, with the subresource, status.
fn content(object: &Value, version: &Version) -> Value {
    let mut object = object.clone();
    if let Some(map) = object.as_object_mut() {
        map.remove("metadata");
        if version.status {
            map.remove("status");
        }
    }
    object
}
