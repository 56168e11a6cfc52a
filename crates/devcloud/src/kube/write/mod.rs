//! Create, update, apply and delete, with the API server's rules.

mod apply;
mod create;
mod delete;
mod update;

pub(crate) use apply::{check_manager, decode as decode_apply};
use serde_json::Value;

use crate::kube::builtin;
use crate::kube::kind::{Kind, Version};
use crate::kube::status::{Cause, Status};
use crate::kube::{meta, schema, validate};

/// No stored object is larger (etcd's own limit).
const STORED_LIMIT: usize = 3 * 512 * 1024;

/// Query parameters of a write, and who writes.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Options<'a> {
    /// `dryRun=All`
    pub(crate) dry_run: bool,
    /// `fieldValidation=Strict`
    pub(crate) strict: bool,
    /// A CRD's storage is there at once, not only after a moment.
    pub(crate) at_once: bool,
    /// Who owns the fields that an update changes; empty is `unknown`.
    pub(crate) manager: &'a str,
    /// The object comes from an apply: its `managedFields` are right already.
    pub(crate) applied: bool,
}

impl Options<'_> {
    fn manager(&self) -> &str {
        if self.manager.is_empty() { "unknown" } else { self.manager }
    }
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

/// Removes unknown fields and fills in defaults; the warnings name what was removed. Nulls go silently, but those that
/// come by an apply (measured).
pub(crate) fn prune(
    kind: &Kind,
    version: &Version,
    object: &mut Value,
    options: Options<'_>,
) -> Result<Vec<String>, Status> {
    let refused = |why: &str| {
        let (kind, version) = (&kind.kind, &version.name);
        Status::bad_request(format!("{kind} in version {version:?} cannot be handled as a {kind}: {why}"))
    };
    let mut removed = meta::normalise(object, &kind.kind, &version.name)?;
    if let Some(schema) = &version.schema {
        // Secrets have decoding rules of their own.
        if kind.builtin
            && !builtin::is_secret(kind)
            && let Some(fault) = builtin::decode_fault(kind, object, schema)
        {
            return Err(refused(&fault));
        }
        removed.extend(schema::prune(object, schema));
        schema::default(object, schema);
        if !kind.builtin && !options.applied {
            schema::drop_nulls(object, schema);
        }
    }
    if kind.builtin {
        builtin::fill(kind, object);
    }
    let texts: Vec<String> = removed.iter().map(|path| format!("unknown field {path:?}")).collect();
    if options.strict && !texts.is_empty() {
        return Err(refused(&format!("strict decoding error: {}", texts.join(", "))));
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
    if kind.builtin {
        causes.extend(builtin::check(kind, new, old));
    } else if let Some(schema) = &version.schema {
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
    if !causes.is_empty() {
        return Err(Status::invalid(kind, name, &causes));
    }
    if new.to_string().len() > STORED_LIMIT {
        return Err(Status::internal("etcdserver: request is too large"));
    }
    Ok(())
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
