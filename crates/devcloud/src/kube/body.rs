//! Bodies of writes: objects, patches, and what is answered.

use serde_json::Value;

use crate::http::{Request, Response};
use crate::kube::apply::{Node, root};
use crate::kube::kind::{Kind, Version};
use crate::kube::merge::{json_patch, merge};
use crate::kube::meta;
use crate::kube::status::{Cause, Status};
use crate::kube::store::{Key, State};
use crate::kube::strategic::strategic_merge;
use crate::kube::write::Written;

/// No body is larger (measured).
pub(super) const LIMIT: usize = 3 * 1024 * 1024;

/// The answer to a write: the object, with warnings in headers.
pub(super) fn written(status: u16, written: &Written) -> Response {
    let response = Response::go_json(status, &written.object);
    written.warnings.iter().fold(response, |response, warning| {
        let text = warning.replace('\\', "\\\\").replace('"', "\\\"");
        response.with_header("Warning", &format!("299 - \"{text}\""))
    })
}

/// Reads the object of a POST or PUT.
pub(super) fn decode(kind: &Kind, version: &Version, request: &Request) -> Result<Value, Status> {
    if !matches!(request.media_type(), "" | "application/json" | "*/*") {
        return Err(Status::unsupported_media(
            "application/json, application/yaml, application/vnd.kubernetes.protobuf",
        ));
    }
    let unrecognized = |why: String| {
        let body = String::from_utf8_lossy(&request.body);
        let name = &kind.kind;
        Status::bad_request(format!(
            "the object provided is unrecognized (must be of type {name}): {why} ({body})"
        ))
    };
    let object: Value = serde_json::from_slice(&request.body).map_err(|error| {
        let text = if error.is_eof() { "unexpected end of JSON input".to_owned() } else { error.to_string() };
        unrecognized(format!("couldn't get version/kind; json parse error: {text}"))
    })?;
    let given = object["kind"].as_str().unwrap_or_default();
    if given.is_empty() {
        let body = String::from_utf8_lossy(&request.body);
        return Err(unrecognized(format!("Object 'Kind' is missing in '{body}'")));
    }
    let (asked, expected) =
        (object["apiVersion"].as_str().unwrap_or_default(), kind.api_version(&version.name));
    if asked != expected {
        return Err(Status::bad_request(format!(
            "the API version in the data ({asked}) does not match the expected API version ({expected})"
        )));
    }
    if given != kind.kind {
        return Err(wrong_kind(kind, version, given, &object));
    }
    Ok(object)
}

fn wrong_kind(kind: &Kind, version: &Version, given: &str, object: &Value) -> Status {
    if kind.group == "template.openshift.io" {
        let (expected, version, scheme) = (&kind.kind, &version.name, "pkg/runtime/scheme.go:110");
        return Status::bad_request(format!(
            "{given} in version {version:?} cannot be handled as a {expected}: no kind {given:?} is registered for \
             version \"{}/{version}\" in scheme {scheme:?}",
            kind.group
        ));
    }
    let message = format!("Invalid value: {given:?}: must be {}", kind.kind);
    let wrong = Kind { kind: given.to_owned(), ..kind.clone() };
    let cause = Cause::new("FieldValueInvalid", "kind", message);
    Status::invalid(&wrong, meta::text(object, "name"), &[cause])
}

/// Checks what only a PUT must have.
pub(super) fn check_put(state: &State, kind: &Kind, key: &Key, object: &Value) -> Result<(), Status> {
    meta::check_renaming(&key.name, object)?;
    if !state.objects.contains_key(key) {
        return Err(Status::not_found(kind, &key.name));
    }
    // Built-in kinds take an update without a resourceVersion as unconditional.
    if !kind.builtin && meta::text(object, "resourceVersion").is_empty() {
        let message = "Invalid value: 0: must be specified for an update";
        let cause = Cause::new("FieldValueInvalid", "metadata.resourceVersion", message);
        return Err(Status::invalid_plural(kind, &key.name, &[cause]));
    }
    Ok(())
}

/// The whole object that a patch other than an apply makes of the stored one.
pub(super) fn patched(
    state: &State,
    kind: &Kind,
    version: &Version,
    key: &Key,
    request: &Request,
) -> Result<Value, Status> {
    let accepted = match request.media_type() {
        "application/merge-patch+json" | "application/json-patch+json" => true,
        "application/strategic-merge-patch+json" => kind.builtin,
        _ => false,
    };
    if !accepted {
        return Err(Status::unsupported_media(
            "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
        ));
    }
    let patch: Value = serde_json::from_slice(&request.body).map_err(|error| {
        let text = if error.is_eof() { "unexpected end of JSON input".to_owned() } else { error.to_string() };
        Status::bad_request(format!("error decoding patch: {text}"))
    })?;
    let object = state.objects.get(key).ok_or_else(|| Status::not_found(kind, &key.name))?;
    let mut object = State::shown(object, kind, version);
    match request.media_type() {
        "application/json-patch+json" => {
            object = json_patch(&object, &patch).ok_or_else(Status::unprocessable_patch)?;
        }
        "application/strategic-merge-patch+json" => {
            strategic_merge(&mut object, &patch, Node::new(Some(&root(version.schema.as_ref()))));
        }
        _ => merge(&mut object, &patch),
    }
    meta::check_renaming(&key.name, &object)?;
    Ok(object)
}
