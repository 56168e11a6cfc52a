//! Create, update and delete, with the API server's rules.

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use serde_json::{Value, json};

use crate::kube::kind::{Kind, Version};
use crate::kube::meta;
use crate::kube::schema;
use crate::kube::status::{Cause, Status};
use crate::kube::store::{Key, State};
use crate::kube::{crd, secrets, validate};
use crate::random::Ids;
use crate::time;

/// Query parameters of a write.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Options {
    /// `dryRun=All`
    pub(crate) dry_run: bool,
    /// `fieldValidation=Strict`
    pub(crate) strict: bool,
    /// A CRD's storage is there at once, not only after a moment.
    pub(crate) at_once: bool,
}

/// Which part of an object an update is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Main,
    Status,
}

/// A performed write.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) object: Value,
    /// Texts for `Warning` headers.
    pub(crate) warnings: Vec<String>,
}

impl State {
    pub(crate) fn create(
        &mut self,
        ids: &Ids,
        kind: &Arc<Kind>,
        version: &Version,
        namespace: &str,
        mut object: Value,
        options: Options,
    ) -> Result<Written, Status> {
        let metadata = &object["metadata"];
        match metadata["namespace"].as_str() {
            Some(other) if kind.namespaced && !other.is_empty() && other != namespace => {
                let text =
                    "the namespace of the provided object does not match the namespace sent on the request";
                return Err(Status::bad_request(text));
            }
            _ => {}
        }
        if kind.namespaced && !self.has_namespace(namespace) {
            return Err(Status::no_namespace(namespace));
        }
        if metadata["resourceVersion"].as_str().is_some_and(|text| !text.is_empty()) {
            return Err(Status::internal("resourceVersion should not be set on objects to be created"));
        }
        let mut warnings = prune(kind, version, &mut object, options)?;
        for key in meta::SYSTEM {
            if let Some(metadata) = object["metadata"].as_object_mut() {
                metadata.remove(key);
            }
        }
        if let (true, Some(map)) = (version.status, object.as_object_mut()) {
            map.remove("status");
        }
        let prefix = meta::text(&object, "generateName");
        if !prefix.is_empty() && meta::text(&object, "name").is_empty() {
            object["metadata"]["name"] = format!("{prefix}{}", ids.suffix()).into();
        }
        if kind.plural == "secrets" && kind.group.is_empty() {
            secrets::normalise(kind, &mut object, None)?;
        }
        let name = meta::text(&object, "name").to_owned();
        check(kind, version, &name, &object, None)?;
        let key = Key::new(kind, namespace, &name);
        if self.objects.contains_key(&key) {
            return Err(Status::already_exists(kind, &name));
        }
        warnings.extend(meta::finalizer_warnings(&object));
        object["apiVersion"] = kind.api_version(&version.name).into();
        object["kind"] = kind.kind.clone().into();
        object["metadata"]["uid"] = ids.uuid().into();
        object["metadata"]["creationTimestamp"] = time::seconds(SystemTime::now()).into();
        if kind.namespaced {
            object["metadata"]["namespace"] = namespace.into();
        }
        if !kind.builtin || kind.plural == "customresourcedefinitions" {
            object["metadata"]["generation"] = 1.into();
        }
        let defined = self.before_store(kind, &name, &mut object, options)?;
        if !options.dry_run {
            if let Some(defined) = defined {
                self.serve(defined);
            }
            object = self.put(key, object);
        }
        Ok(Written { object, warnings })
    }

    /// Replaces the object under `key` by `new`, which is the whole object after a PUT or a patch.
    pub(crate) fn update(
        &mut self,
        kind: &Arc<Kind>,
        version: &Version,
        key: &Key,
        mut new: Value,
        part: Part,
        options: Options,
    ) -> Result<Written, Status> {
        let name = key.name.as_str();
        let Some(old) = self.objects.get(key).map(|old| State::shown(old, kind, version)) else {
            return Err(Status::not_found(kind, name));
        };
        let asked = meta::text(&new, "resourceVersion");
        if !asked.is_empty() && asked != meta::text(&old, "resourceVersion") {
            return Err(Status::conflict(kind, name));
        }
        let mut warnings = prune(kind, version, &mut new, options)?;
        if part == Part::Main {
            let (asked, uid) = (meta::text(&new, "uid"), meta::text(&old, "uid"));
            if !asked.is_empty() && asked != uid {
                let group = if kind.group.is_empty() { "" } else { &format!("{}/", kind.group) };
                let why = format!(
                    "StorageError: invalid object, Code: 4, Key: /registry/{group}{}/{}/{name}, ResourceVersion: 0, \
                     AdditionalErrorMsg: Precondition failed: UID in precondition: {asked}, UID in object meta: {uid}",
                    kind.plural, key.namespace
                );
                return Err(Status::conflict_because(kind, name, &why));
            }
        }
        match part {
            Part::Main => {
                copy(&old, &mut new, "kind");
                copy(&old, &mut new, "apiVersion");
                for system in meta::SYSTEM.into_iter().chain(["name", "namespace"]) {
                    copy(&old["metadata"], &mut new["metadata"], system);
                }
                if version.status {
                    copy(&old, &mut new, "status");
                }
            }
            Part::Status => {
                let mut only = old.clone();
                copy(&new, &mut only, "status");
                new = only;
            }
        }
        if kind.plural == "secrets" && kind.group.is_empty() {
            secrets::normalise(kind, &mut new, Some(&old))?;
        }
        check(kind, version, name, &new, Some(&old))?;
        warnings.extend(meta::finalizer_warnings(&new));
        if new == old {
            return Ok(Written { object: new, warnings });
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
        if State::terminating(&new) && meta::finalizers(&new).is_empty() {
            new["metadata"]["resourceVersion"] = self.next_version().into();
            self.forget(key);
        } else {
            new = self.put(key.clone(), new);
        }
        Ok(Written { object: new, warnings })
    }

    /// Deletes, or marks as deleted while finalizers are there; the answer's body.
    pub(crate) fn delete(
        &mut self,
        kind: &Arc<Kind>,
        version: &Version,
        key: &Key,
        body: &Value,
        propagation: Option<&str>,
        options: Options,
    ) -> Result<Value, Status> {
        let name = key.name.as_str();
        let policy = propagation.or_else(|| body["propagationPolicy"].as_str()).unwrap_or("Background");
        if !["Foreground", "Background", "Orphan"].contains(&policy) {
            let message = format!(
                "Unsupported value: {policy:?}: supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\""
            );
            let cause = Cause::new("FieldValueNotSupported", "propagationPolicy", message);
            return Err(Status::invalid_options("DeleteOptions", &[cause]));
        }
        let Some(old) = self.objects.get(key).map(|old| State::shown(old, kind, version)) else {
            return Err(Status::not_found(kind, name));
        };
        for (field, label, hint) in
            [("uid", "UID", "deleted and then recreated"), ("resourceVersion", "ResourceVersion", "modified")]
        {
            let (wanted, actual) = (&body["preconditions"][field], meta::text(&old, field));
            if let Some(wanted) = wanted.as_str().filter(|wanted| *wanted != actual) {
                let why = format!(
                    "the {label} in the precondition ({wanted}) does not match the {label} in record ({actual}). \
                     The object might have been {hint}"
                );
                return Err(Status::precondition(kind, name, &why));
            }
        }
        let mut details = json!({"name": name, "kind": kind.plural, "uid": meta::text(&old, "uid")});
        if !kind.group.is_empty() {
            details["group"] = kind.group.clone().into();
        }
        let success = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details,
        });
        // The garbage collector's own finalizer: it is at work at once, and nothing here has dependents.
        let collector = match policy {
            "Foreground" => Some("foregroundDeletion"),
            "Orphan" => Some("orphan"),
            _ => None,
        };
        let held = !meta::finalizers(&old).is_empty();
        if State::terminating(&old) || (options.dry_run && held) {
            return Ok(old);
        }
        if options.dry_run {
            return Ok(success);
        }
        if !held && collector.is_none() {
            self.next_version();
            self.forget(key);
            return Ok(success);
        }
        let mut marked = old;
        marked["metadata"]["deletionTimestamp"] = time::seconds(SystemTime::now()).into();
        marked["metadata"]["deletionGracePeriodSeconds"] = 0.into();
        if let Some(generation) = marked["metadata"]["generation"].as_i64() {
            marked["metadata"]["generation"] = (generation + 1).into();
        }
        if held {
            return Ok(self.put(key.clone(), marked));
        }
        marked["metadata"]["finalizers"] = json!([collector]);
        marked["metadata"]["resourceVersion"] = self.next_version().into();
        self.forget(key);
        Ok(marked)
    }

    fn forget(&mut self, key: &Key) {
        if let Some(object) = self.objects.remove(key) {
            if object["kind"] == "CustomResourceDefinition" {
                self.withdraw(&object);
            }
            if object["kind"] == "Namespace" {
                self.objects.retain(|inner, _| inner.namespace != key.name);
            }
        }
    }

    /// What a write of a built-in kind brings with it; the kind to be served, for a CRD.
    fn before_store(
        &self,
        kind: &Kind,
        name: &str,
        object: &mut Value,
        options: Options,
    ) -> Result<Option<Kind>, Status> {
        if !kind.builtin {
            return Ok(None);
        }
        match kind.plural.as_str() {
            "namespaces" => {
                object["spec"] = json!({"finalizers": ["kubernetes"]});
                object["status"] = json!({"phase": "Active"});
                object["metadata"]["labels"]["kubernetes.io/metadata.name"] = name.into();
                Ok(None)
            }
            "customresourcedefinitions" => {
                let known = self.kinds.iter().find(|known| known.resource() == name);
                let created = match known {
                    Some(known) => known.created,
                    None if options.at_once => None,
                    None => Some(Instant::now()),
                };
                let defined =
                    crd::kind(object, created).map_err(|causes| Status::invalid(kind, name, &causes))?;
                object["status"] = crd::established(&defined);
                Ok(Some(defined))
            }
            _ => Ok(None),
        }
    }
}

/// Removes unknown fields and fills in defaults; the warnings name what was removed.
fn prune(
    kind: &Kind,
    version: &Version,
    object: &mut Value,
    options: Options,
) -> Result<Vec<String>, Status> {
    let mut removed = meta::normalise(object, &kind.kind, &version.name)?;
    if let Some(schema) = &version.schema {
        removed.extend(schema::prune(object, schema));
        schema::default(object, schema);
    }
    let texts: Vec<String> = removed.iter().map(|path| format!("unknown field {path:?}")).collect();
    if options.strict && !texts.is_empty() {
        return Err(Status::bad_request(format!(
            "{} in version {:?} cannot be handled as a {}: strict decoding error: {}",
            kind.kind,
            version.name,
            kind.kind,
            texts.join(", ")
        )));
    }
    Ok(texts)
}

/// Validates; against an update, a node that did not change is not held (validation ratcheting).
fn check(kind: &Kind, version: &Version, name: &str, new: &Value, old: Option<&Value>) -> Result<(), Status> {
    let mut causes = Vec::new();
    if name.is_empty() {
        let message = "Required value: name or generateName is required";
        causes.push(Cause::new("FieldValueRequired", "metadata.name", message));
    } else if old.is_none() {
        causes.extend(meta::check_name(name));
    }
    causes.extend(meta::check_finalizers(new, old));
    if let Some(schema) = &version.schema {
        causes.extend(
            validate::validate(new, schema)
                .into_iter()
                .filter(|found| old.is_none_or(|old| old.pointer(&found.node) != new.pointer(&found.node)))
                .map(|found| found.cause),
        );
        let blocking = causes.iter().any(|cause| {
            ["FieldValueRequired", "FieldValueNotSupported", "FieldValueTooLong", "FieldValueTooMany"]
                .contains(&cause.reason)
                || cause.reason == "FieldValueTypeInvalid"
        });
        if blocking && schema::has_rules(schema) {
            let message = "Invalid value: null: some validation rules were not checked because the object was \
                           invalid; correct the existing errors to complete validation";
            causes.push(Cause::new("FieldValueInvalid", "<nil>", message));
        }
    }
    if causes.is_empty() { Ok(()) } else { Err(Status::invalid(kind, name, &causes)) }
}

fn copy(from: &Value, to: &mut Value, key: &str) {
    let Some(map) = to.as_object_mut() else { return };
    match from.get(key) {
        Some(value) => {
            map.insert(key.to_owned(), value.clone());
        }
        None => {
            map.remove(key);
        }
    }
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
