//! Who may do what: bearer tokens, and refusals for want of rights.

use serde_json::json;

use crate::http::Request;
use crate::kube::Kube;
use crate::kube::status::{Refusal, Status};
use crate::kube::target::Target;

/// Lets the token's holder in; everybody else is `system:anonymous`, or unknown.
pub(super) fn authorize(kube: &Kube, request: &Request, target: Option<&Target>) -> Result<(), Refusal> {
    let header = request.header("authorization").unwrap_or_default();
    match header.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
            if kube.accepts(token.trim()) {
                Ok(())
            } else {
                Err(Status::unauthorized().into())
            }
        }
        // Without credentials one is `system:anonymous`: 403, not 401 (measured).
        _ => Err(forbidden("system:anonymous", verb(request, target), request, target).into()),
    }
}

/// The verb that a request needs, as roles name it.
pub(super) fn verb(request: &Request, target: Option<&Target>) -> &'static str {
    let Some(target) = target else {
        // Paths that are no resources: the method itself.
        return match request.method.as_str() {
            "POST" => "post",
            "PUT" => "put",
            "PATCH" => "patch",
            "DELETE" => "delete",
            _ => "get",
        };
    };
    match (request.method.as_str(), !target.name.is_empty()) {
        ("GET", true) => "get",
        ("GET", false) => "list",
        ("POST", _) => "create",
        ("PUT", _) => "update",
        ("PATCH", _) => "patch",
        ("DELETE", true) => "delete",
        ("DELETE", false) => "deletecollection",
        _ => "options",
    }
}

/// The answer to a user who may not do `verb` there.
pub(super) fn forbidden(user: &str, verb: &str, request: &Request, target: Option<&Target>) -> Status {
    let user = format!("User {user:?}");
    let Some(target) = target else {
        return Status::forbidden(
            format!("forbidden: {user} cannot {verb} path {:?}", request.path()),
            json!({}),
        );
    };
    let qualified = match target.group.as_str() {
        "" => target.plural.clone(),
        group => format!("{}.{group}", target.plural),
    };
    let subject = if target.name.is_empty() { qualified } else { format!("{qualified} {:?}", target.name) };
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
