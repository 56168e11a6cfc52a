//! From a request to what it asks of the state.

use serde_json::Value;

use crate::http::{Request, Response};
use crate::kube::access::{authorize, forbidden, verb};
use crate::kube::apply::Applier;
use crate::kube::kind::Kind;
use crate::kube::status::{Refusal, Status};
use crate::kube::store::{Key, State};
use crate::kube::target::{Target, manager, target};
use crate::kube::write::{Options, Part, check_manager, decode_apply};
use crate::kube::{Kube, body, discovery, templates};

/// Answers an authenticated or anonymous request.
pub(super) fn answer(kube: &Kube, request: &Request) -> Response {
    route(kube, request).unwrap_or_else(|refusal| refusal.response())
}

/// The refusal of a request by a user without the right to `denied` (`None`: to anything); `None` if the request does
/// not need that right. A server-side apply that would make an object needs `create` beside `patch`.
pub(super) fn refusal(kube: &Kube, request: &Request, user: &str, denied: Option<&str>) -> Option<Response> {
    let segments = request.segments();
    let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
    let target = target(&parts);
    let mut needed = vec![verb(request, target.as_ref())];
    if let Some(target) = target.as_ref().filter(|_| applies(request)) {
        let state = kube.state();
        let kind = state.kind(&target.group, &target.plural);
        let key = kind.map(|kind| Key::new(&kind, &target.namespace, &target.name));
        if key.is_some_and(|key| !state.objects.contains_key(&key)) {
            needed.push("create");
        }
    }
    let verb = needed.into_iter().find(|verb| denied.is_none_or(|denied| denied == *verb))?;
    Some(Refusal::from(forbidden(user, verb, request, target.as_ref())).response())
}

fn route(kube: &Kube, request: &Request) -> Result<Response, Refusal> {
    let segments = request.segments();
    let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
    let get = request.method == "GET";
    match parts[..] {
        ["version"] if get => return Ok(Response::go_json(200, &discovery::version())),
        ["readyz" | "livez" | "healthz"] if get => {
            return Ok(Response::text(200, "text/plain; charset=utf-8", "ok"));
        }
        _ => {}
    }
    let target = target(&parts);
    authorize(kube, request, target.as_ref())?;
    if request.body.len() > body::LIMIT {
        return Err(Status::too_large(body::LIMIT).into());
    }
    let mut state = kube.state();
    if let (true, Some(document)) = (get, discovery::aggregated(&state, request, &parts)) {
        return Ok(document);
    }
    match parts[..] {
        ["api"] if get => Ok(Response::go_json(200, &discovery::core(request.host()))),
        ["apis"] if get => Ok(Response::go_json(200, &state.groups())),
        ["openapi", "v3"] if get => Ok(Response::go_json(200, &discovery::openapi_index(&state))),
        ["openapi", "v3", "api", version] if get => {
            Ok(Response::go_json(200, &discovery::openapi(&state, "", version)))
        }
        ["openapi", "v3", "apis", group, version] if get => {
            Ok(Response::go_json(200, &discovery::openapi(&state, group, version)))
        }
        ["api", version] if get => Ok(Response::go_json(200, &state.resources("", version)?)),
        ["apis", group] if get => Ok(Response::go_json(200, &state.group(group)?)),
        ["apis", group, version] if get => Ok(Response::go_json(200, &state.resources(group, version)?)),
        _ => perform(kube, &mut state, request, &target.ok_or(Refusal::NoPage)?),
    }
}

fn perform(kube: &Kube, state: &mut State, request: &Request, target: &Target) -> Result<Response, Refusal> {
    if !state.kinds.iter().any(|kind| kind.group == target.group) {
        return Err(Refusal::NoPage);
    }
    if target.group == templates::GROUP && target.plural == templates::PLURAL {
        return templates::answer(kube, state, request, target);
    }
    let kind = state.kind(&target.group, &target.plural).ok_or_else(Status::no_resource)?;
    let version = kind.version(&target.version).ok_or_else(Status::no_resource)?.clone();
    if kind.is_unknown() {
        return Err(Refusal::NoPage);
    }
    if kind.is_initializing() {
        return Err(Status::initializing().into());
    }
    let part = match target.subresource.as_str() {
        "" => Part::Main,
        "status" if version.status => Part::Status,
        _ => return Err(Status::no_resource().into()),
    };
    check_scope(&kind, target)?;
    let manager = manager(request);
    let options = Options {
        dry_run: request.parameter("dryRun").as_deref() == Some("All"),
        strict: request.parameter("fieldValidation").as_deref() == Some("Strict"),
        manager: &manager,
        ..Options::default()
    };
    let key = Key::new(&kind, &target.namespace, &target.name);
    match (request.method.as_str(), target.name.is_empty()) {
        ("GET", true) if watches(request) => Err(Status::method_not_allowed().into()),
        ("GET", true) => {
            Ok(Response::go_json(200, &state.list(&kind, &version, &target.namespace, request)?))
        }
        ("GET", false) => {
            let object = state.objects.get(&key).ok_or_else(|| Status::not_found(&kind, &target.name))?;
            Ok(Response::go_json(200, &State::shown(object, &kind, &version)))
        }
        ("POST", true) if !(kind.namespaced && target.namespace.is_empty()) => {
            let object = body::decode(&kind, &version, request)?;
            let written = state.create(kube.ids(), &kind, &version, &target.namespace, object, options)?;
            Ok(body::written(201, &written))
        }
        ("PUT", false) => {
            let object = body::decode(&kind, &version, request)?;
            body::check_put(state, &kind, &key, &object)?;
            Ok(body::written(200, &state.update(&kind, &version, &key, object, part, options)?))
        }
        ("PATCH", false) if applies(request) => {
            let asked = request.parameter("fieldManager");
            let manager = check_manager(asked.as_deref())?;
            let force = request.parameter("force").as_deref() == Some("true");
            let config = decode_apply(&request.body)?;
            let applier = Applier { manager, force };
            let (written, created) =
                state.apply(kube.ids(), &kind, &version, &key, &config, &applier, part, options)?;
            Ok(body::written(if created { 201 } else { 200 }, &written))
        }
        ("PATCH", false) => {
            let object = body::patched(state, &kind, &version, &key, request)?;
            Ok(body::written(200, &state.update(&kind, &version, &key, object, part, options)?))
        }
        ("DELETE", false) => {
            let options_body = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
            let propagation = request.parameter("propagationPolicy");
            let deleted =
                state.delete(&kind, &version, &key, &options_body, propagation.as_deref(), options)?;
            Ok(body::written(200, &deleted))
        }
        ("DELETE", true) if !(kind.namespaced && target.namespace.is_empty()) => {
            let list = state.list(&kind, &version, &target.namespace, request)?;
            state.delete_listed(&kind, &version, &list, options)?;
            Ok(Response::go_json(200, &list))
        }
        _ => Err(Status::method_not_allowed().into()),
    }
}

/// A namespaced kind has no path outside of namespaces, but for lists of all of them; nor the other way round.
fn check_scope(kind: &Kind, target: &Target) -> Result<(), Status> {
    match (kind.namespaced, target.namespace.is_empty(), target.name.is_empty()) {
        (true, true, false) | (false, false, _) => Err(Status::no_resource()),
        _ => Ok(()),
    }
}

/// Watches are not simulated: the hooks' side never watches, shell-operator does.
fn watches(request: &Request) -> bool {
    request.parameter("watch").is_some_and(|value| value == "true" || value == "1")
}

fn applies(request: &Request) -> bool {
    request.method == "PATCH" && request.media_type() == "application/apply-patch+yaml"
}
