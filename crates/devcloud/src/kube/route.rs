//! From a request to what it asks of the state.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::http::{Request, Response};
use crate::kube::kind::{Kind, Version};
use crate::kube::merge::{json_patch, merge};
use crate::kube::meta;
use crate::kube::status::{Cause, Refusal, Status};
use crate::kube::store::{Key, State};
use crate::kube::write::{Options, Part, Written};
use crate::kube::{Kube, discovery};

/// After a CRD was posted: until then its path is unknown (measured: tens of milliseconds).
const UNKNOWN_FOR: Duration = Duration::from_millis(40);
/// After a CRD was posted: until then its storage is being set up (measured).
const INITIALIZING_FOR: Duration = Duration::from_millis(100);

/// The parts of a path to a resource.
#[derive(Debug, Default)]
struct Target {
    group: String,
    version: String,
    namespace: String,
    plural: String,
    name: String,
    subresource: String,
}

/// Answers an authenticated or anonymous request.
pub(super) fn answer(kube: &Kube, request: &Request) -> Response {
    route(kube, request).unwrap_or_else(|refusal| refusal.response())
}

fn route(kube: &Kube, request: &Request) -> Result<Response, Refusal> {
    let segments = request.segments();
    let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
    let get = request.method == "GET";
    match parts[..] {
        ["version"] if get => return Ok(Response::json(200, &discovery::version())),
        ["readyz" | "livez" | "healthz"] if get => {
            return Ok(Response::text(200, "text/plain; charset=utf-8", "ok"));
        }
        _ => {}
    }
    let target = target(&parts);
    authorize(kube, request, target.as_ref())?;
    let mut state = kube.state();
    match parts[..] {
        ["api"] if get => Ok(Response::json(200, &discovery::core(request.host()))),
        ["apis"] if get => Ok(Response::json(200, &state.groups())),
        ["openapi", "v3"] if get => Ok(Response::json(200, &discovery::openapi_index(&state))),
        ["openapi", "v3", "api", version] if get => {
            Ok(Response::json(200, &discovery::openapi(&state, "", version)))
        }
        ["openapi", "v3", "apis", group, version] if get => {
            Ok(Response::json(200, &discovery::openapi(&state, group, version)))
        }
        ["api", version] if get => Ok(Response::json(200, &state.resources("", version)?)),
        ["apis", group] if get => Ok(Response::json(200, &state.group(group)?)),
        ["apis", group, version] if get => Ok(Response::json(200, &state.resources(group, version)?)),
        _ => perform(kube, &mut state, request, &target.ok_or(Refusal::NoPage)?),
    }
}

fn target(parts: &[&str]) -> Option<Target> {
    let (group, version, rest) = match parts {
        ["api", version, rest @ ..] => ("", *version, rest),
        ["apis", group, version, rest @ ..] => (*group, *version, rest),
        _ => return None,
    };
    let (namespace, rest) = match rest {
        ["namespaces", name, sub @ ("status" | "finalize")] => ("", &["namespaces", *name, *sub][..]),
        ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (*namespace, rest),
        _ => ("", rest),
    };
    let owned = |index: usize| rest.get(index).map_or_else(String::new, |&text| text.to_owned());
    if rest.is_empty() || rest.len() > 3 {
        return None;
    }
    Some(Target {
        group: group.to_owned(),
        version: version.to_owned(),
        namespace: namespace.to_owned(),
        plural: owned(0),
        name: owned(1),
        subresource: owned(2),
    })
}

fn authorize(kube: &Kube, request: &Request, target: Option<&Target>) -> Result<(), Refusal> {
    let header = request.header("authorization").unwrap_or_default();
    match header.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
            if kube.accepts(token.trim()) {
                Ok(())
            } else {
                Err(Status::unauthorized().into())
            }
        }
        _ => Err(anonymous(request, target).into()),
    }
}

/// Without credentials one is `system:anonymous`: 403, not 401 (measured).
fn anonymous(request: &Request, target: Option<&Target>) -> Status {
    let user = "User \"system:anonymous\"";
    let verb = request.method.to_lowercase();
    let Some(target) = target else {
        return Status::forbidden(
            format!("forbidden: {user} cannot {verb} path {:?}", request.path()),
            json!({}),
        );
    };
    let named = !target.name.is_empty();
    let verb = match (request.method.as_str(), named) {
        ("GET", false) => "list",
        ("POST", _) => "create",
        ("PUT", _) => "update",
        ("DELETE", false) => "deletecollection",
        _ => &verb,
    };
    let dot = |plural: &str| match target.group.as_str() {
        "" => plural.to_owned(),
        group => format!("{plural}.{group}"),
    };
    let subject =
        if named { format!("{} {:?}", dot(&target.plural), target.name) } else { dot(&target.plural) };
    let resource = match target.subresource.as_str() {
        "" => target.plural.clone(),
        sub => format!("{}/{sub}", target.plural),
    };
    let place = match target.namespace.as_str() {
        "" => "at the cluster scope".to_owned(),
        namespace => format!("in the namespace {namespace:?}"),
    };
    let mut details = json!({"kind": target.plural});
    for (key, value) in [("name", &target.name), ("group", &target.group)] {
        if !value.is_empty() {
            details[key] = value.clone().into();
        }
    }
    let group = &target.group;
    let message = format!(
        "{subject} is forbidden: {user} cannot {verb} resource {resource:?} in API group {group:?} {place}"
    );
    Status::forbidden(message, details)
}

fn perform(kube: &Kube, state: &mut State, request: &Request, target: &Target) -> Result<Response, Refusal> {
    if !state.kinds.iter().any(|kind| kind.group == target.group) {
        return Err(Refusal::NoPage);
    }
    let kind = state.kind(&target.group, &target.plural).ok_or_else(Status::no_resource)?;
    let version = kind.version(&target.version).ok_or_else(Status::no_resource)?.clone();
    if let Some(age) = kind.created.map(|created| created.elapsed()) {
        if age < UNKNOWN_FOR {
            return Err(Refusal::NoPage);
        }
        if age < INITIALIZING_FOR {
            return Err(Status::initializing().into());
        }
    }
    let part = match target.subresource.as_str() {
        "" => Part::Main,
        "status" if version.status => Part::Status,
        _ => return Err(Status::no_resource().into()),
    };
    let options = Options {
        dry_run: request.parameter("dryRun").as_deref() == Some("All"),
        strict: request.parameter("fieldValidation").as_deref() == Some("Strict"),
        at_once: false,
    };
    let key = Key::new(&kind, &target.namespace, &target.name);
    match (request.method.as_str(), target.name.is_empty()) {
        ("GET", true) if watches(request) => Err(Status::method_not_allowed().into()),
        ("GET", true) => Ok(Response::json(200, &state.list(&kind, &version, &target.namespace, request)?)),
        ("GET", false) => {
            let object = state.objects.get(&key).ok_or_else(|| Status::not_found(&kind, &target.name))?;
            Ok(Response::json(200, &State::shown(object, &kind, &version)))
        }
        ("POST", true) => {
            let object = decode(&kind, &version, request)?;
            let written = state.create(kube.ids(), &kind, &version, &target.namespace, object, options)?;
            Ok(written_response(201, &written))
        }
        ("PUT", false) => {
            let object = decode(&kind, &version, request)?;
            check_put(state, &kind, &key, &object)?;
            Ok(written_response(200, &state.update(&kind, &version, &key, object, part, options)?))
        }
        ("PATCH", false) => {
            let object = patched(state, &kind, &version, &key, request)?;
            Ok(written_response(200, &state.update(&kind, &version, &key, object, part, options)?))
        }
        ("DELETE", false) => {
            let body = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
            let propagation = request.parameter("propagationPolicy");
            let answer = state.delete(&kind, &version, &key, &body, propagation.as_deref(), options)?;
            Ok(Response::json(200, &answer))
        }
        _ => Err(Status::method_not_allowed().into()),
    }
}

/// Watches are not simulated: the hooks' side never watches, shell-operator does.
fn watches(request: &Request) -> bool {
    request.parameter("watch").is_some_and(|value| value == "true" || value == "1")
}

fn written_response(status: u16, written: &Written) -> Response {
    let mut response = Response::json(status, &written.object);
    for warning in &written.warnings {
        let text = warning.replace('\\', "\\\\").replace('"', "\\\"");
        response = response.with_header("Warning", &format!("299 - \"{text}\""));
    }
    response
}

fn decode(kind: &Kind, version: &Version, request: &Request) -> Result<Value, Status> {
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
        let message = format!("Invalid value: {given:?}: must be {}", kind.kind);
        let wrong = Kind { kind: given.to_owned(), ..kind.clone() };
        let cause = Cause::new("FieldValueInvalid", "kind", message);
        return Err(Status::invalid(&wrong, meta::text(&object, "name"), &[cause]));
    }
    Ok(object)
}

fn check_put(state: &State, kind: &Kind, key: &Key, object: &Value) -> Result<(), Status> {
    check_renaming(key, object)?;
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

fn check_renaming(key: &Key, object: &Value) -> Result<(), Status> {
    let name = meta::text(object, "name");
    if name == key.name {
        return Ok(());
    }
    Err(Status::bad_request(format!(
        "the name of the object ({name}) does not match the name on the URL ({})",
        key.name
    )))
}

fn patched(
    state: &State,
    kind: &Arc<Kind>,
    version: &Version,
    key: &Key,
    request: &Request,
) -> Result<Value, Status> {
    let merges = match request.media_type() {
        "application/merge-patch+json" => true,
        // For maps of texts, as in Secrets and ConfigMaps, a strategic merge is a merge.
        "application/strategic-merge-patch+json" if kind.builtin => true,
        "application/json-patch+json" => false,
        _ => {
            return Err(Status::unsupported_media(
                "application/json-patch+json, application/merge-patch+json",
            ));
        }
    };
    let patch: Value = serde_json::from_slice(&request.body).map_err(|error| {
        let text = if error.is_eof() { "unexpected end of JSON input".to_owned() } else { error.to_string() };
        Status::bad_request(format!("error decoding patch: {text}"))
    })?;
    let object = state.objects.get(key).ok_or_else(|| Status::not_found(kind, &key.name))?;
    let mut object = State::shown(object, kind, version);
    if merges {
        merge(&mut object, &patch);
    } else {
        object = json_patch(&object, &patch).ok_or_else(Status::unprocessable_patch)?;
    }
    check_renaming(key, &object)?;
    Ok(object)
}
