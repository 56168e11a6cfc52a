//! Server-side apply to the stored objects.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::kube::apply::{Applier, applied, subject};
use crate::kube::kind::{Kind, Version};
use crate::kube::status::{Cause, Status};
use crate::kube::store::{Key, State};
use crate::kube::write::{Options, Part, Written};
use crate::kube::{builtin, meta, secrets};
use crate::random::Ids;

impl State {
    /// Applies `config`; true with a created object.
    #[allow(clippy::too_many_arguments)] // The parts of a request; a struct for them would be used once.
    pub(crate) fn apply(
        &mut self,
        ids: &Ids,
        kind: &Arc<Kind>,
        version: &Version,
        key: &Key,
        config: &Value,
        applier: &Applier<'_>,
        part: Part,
        options: Options<'_>,
    ) -> Result<(Written, bool), Status> {
        let options = Options { applied: true, ..options };
        let live = self.objects.get(key).map(|object| State::shown(object, kind, version));
        let mut merged = applied(kind, version, live.as_ref(), config, applier, part)?;
        if let (true, Some(broken)) = (builtin::is_secret(kind), secrets::broken_base64(&merged)) {
            let (gvk, who) = (format!("/{}, Kind={}", version.name, kind.kind), subject(config));
            return Err(Status::internal(&format!(
                "failed to convert new object ({who}) to proper version: unable to convert unstructured object to \
                 {gvk}: error decoding from json: {broken}"
            )));
        }
        check_name(key, &merged)?;
        let namespace = meta::text(&merged, "namespace");
        if kind.namespaced && !namespace.is_empty() && namespace != key.namespace {
            return Err(Status::other_namespace());
        }
        let uid = meta::text(config, "uid");
        let Some(live) = live else {
            if part == Part::Status {
                return Err(Status::not_found(kind, &key.name));
            }
            if !uid.is_empty() {
                let why = format!(
                    "uid mismatch: the provided object specified uid {uid}, and no existing object was found"
                );
                return Err(Status::conflict_because(kind, &key.name, &why));
            }
            // Asked for or not: a resourceVersion does not keep an object from being made (measured).
            if let Some(metadata) = merged["metadata"].as_object_mut() {
                metadata.remove("resourceVersion");
            }
            let written = self.create(ids, kind, version, &key.namespace, merged, options)?;
            return Ok((written, true));
        };
        let asked = meta::text(config, "resourceVersion");
        let stale = !asked.is_empty() && asked != meta::text(&live, "resourceVersion");
        if !stale && !uid.is_empty() && uid != meta::text(&live, "uid") {
            let message = format!("Invalid value: {uid:?}: field is immutable");
            let cause = Cause::new("FieldValueInvalid", "metadata.uid", message);
            // It comes twice (measured).
            return Err(Status::invalid(kind, &key.name, &[cause.clone(), cause]));
        }
        Ok((self.update(kind, version, key, merged, part, options)?, false))
    }
}

fn check_name(key: &Key, object: &Value) -> Result<(), Status> {
    let (name, asked) = (meta::text(object, "name"), &key.name);
    if name.is_empty() {
        let message = format!(
            "the name of the object ({asked} based on URL) was undeterminable: name must be provided"
        );
        return Err(Status::bad_request(message));
    }
    meta::check_renaming(asked, object)
}

/// Reads the body of an apply.
///
/// # Errors
/// 400. Only the JSON subset of YAML is read here.
pub(crate) fn decode(body: &[u8]) -> Result<Value, Status> {
    let refused = |why: &str| {
        Status::bad_request(format!("error decoding YAML: error converting YAML to JSON: yaml: {why}"))
    };
    let text = String::from_utf8_lossy(body);
    if text.contains(
        |letter| matches!(letter, '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}'),
    ) {
        return Err(refused("control characters are not allowed"));
    }
    let read: Result<Map<String, Value>, _> = serde_json::from_str(&folded(&text));
    read.map(Value::Object).map_err(|_| refused("line 1: did not find expected node content"))
}

/// Where YAML sees the end of a line within a text and JSON does not: the blanks around it go, and U+0085 becomes a
/// blank (measured).
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if !matches!(letter, '\u{85}' | '\u{2028}' | '\u{2029}') {
            out.push(letter);
            continue;
        }
        out.truncate(out.trim_end_matches([' ', '\t']).len());
        out.push(if letter == '\u{85}' { ' ' } else { letter });
        while letters.next_if(|next| matches!(next, ' ' | '\t')).is_some() {}
    }
    out
}

/// Checks the query of an apply: it must say who applies.
pub(crate) fn check_manager(manager: Option<&str>) -> Result<&str, Status> {
    let cause = match manager.unwrap_or_default() {
        "" => ("FieldValueRequired", "Required value: is required for apply patch"),
        manager if manager.len() > 128 => ("FieldValueTooLong", "Too long: may not be more than 128 bytes"),
        manager => return Ok(manager),
    };
    Err(Status::invalid_options("PatchOptions", &[Cause::new(cause.0, "fieldManager", cause.1)]))
}
