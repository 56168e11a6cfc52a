//! What can happen to a request, in the shape in which the service says it.

use devcloud::{Action, Entry, Service};
use serde_json::{Value, json};

/// One fault for one request.
#[derive(Clone)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) action: Action,
    /// Whether the answer is untrue of the world: a run that believes it may end well with its work undone, as
    /// long as a later run mends it.
    pub(crate) untrue: bool,
}

/// All faults for a request of this kind.
pub(crate) fn faults(entry: &Entry) -> Vec<Kind> {
    let mut kinds = match entry.service {
        Service::Kubernetes => kubernetes(entry),
        Service::Keystone => keystone(),
        Service::Neutron => neutron(entry),
    };
    kinds.push(kind("cut before", Action::CutBefore));
    kinds.push(kind("cut after", Action::CutAfter));
    kinds
}

fn kind(name: &'static str, action: Action) -> Kind {
    Kind { name, action, untrue: false }
}

/// The page of a load balancer without a backend.
fn page_503() -> Action {
    Action::answer(503, "<html><body><h1>503 Service Unavailable</h1>\nNo server.\n</body></html>\n".into())
}

fn kubernetes(entry: &Entry) -> Vec<Kind> {
    let path = entry.path.trim_end_matches("/status");
    let (head, name) = path.rsplit_once('/').unwrap_or_default();
    let plural = head.rsplit('/').next().unwrap_or_default();
    let status = |code: u16, reason: &str, message: &str, details: Value| {
        Action::answer(
            code,
            json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message,
                "reason": reason, "details": details, "code": code}),
        )
    };
    let details = json!({"name": name, "group": "neutron.understack.rackspace.net", "kind": plural});
    let cause = json!({"reason": "FieldValueInvalid", "message": "Invalid value", "field": "spec.x"});
    let mut invalid = details.clone();
    invalid["causes"] = json!([cause]);
    vec![
        kind("403", status(403, "Forbidden", "is forbidden: no RBAC policy matched", details.clone())),
        Kind {
            untrue: true,
            ..kind("404 of the object", status(404, "NotFound", "not found", details.clone()))
        },
        kind(
            "404 of the kind",
            status(404, "NotFound", "the server could not find the requested resource", json!({})),
        ),
        kind("409", status(409, "Conflict", "the object has been modified", details)),
        kind("422", status(422, "Invalid", "is invalid: spec.x: Invalid value", invalid)),
        kind("500", status(500, "InternalError", "Internal error occurred", json!({}))),
        kind("503", page_503()),
    ]
}

fn keystone() -> Vec<Kind> {
    let answer = |code: u16, title: &str| {
        Action::answer(code, json!({"error": {"code": code, "title": title, "message": "No."}}))
    };
    vec![
        kind("401", answer(401, "Unauthorized")),
        kind("403", answer(403, "Forbidden")),
        kind("404", answer(404, "Not Found")),
        kind("409", answer(409, "Conflict")),
        kind("500", answer(500, "Internal Server Error")),
        kind("503", page_503()),
    ]
}

fn neutron(entry: &Entry) -> Vec<Kind> {
    let answer = |code: u16, kind: &str, message: &str| {
        Action::answer(code, json!({"NeutronError": {"type": kind, "message": message, "detail": ""}}))
    };
    let (not_found, conflict) = types(entry);
    // A thing that is said to be gone, bound or in use, and is not.
    let untrue_404 = entry.method == "DELETE";
    let untrue_409 =
        conflict == "FlavorServiceProfileBindingExists" || (untrue_404 && conflict == "ServiceProfileInUse");
    vec![
        kind("403", answer(403, "PolicyNotAuthorized", "rule:x is disallowed by policy")),
        Kind { untrue: untrue_404, ..kind("404", answer(404, not_found, "could not be found.")) },
        Kind { untrue: untrue_409, ..kind("409", answer(409, conflict, "is in the way.")) },
        kind("500", answer(500, "HTTPInternalServerError", "Request Failed: internal server error.")),
        kind("503", page_503()),
        kind("tokens expired", Action::ExpireTokens),
    ]
}

/// Neutron's names for 404 and 409 of this request.
fn types(entry: &Entry) -> (&'static str, &'static str) {
    let path = entry.path.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').skip(2).collect();
    match (entry.method.as_str(), &parts[..]) {
        ("POST", ["flavors", _, "service_profiles"]) => {
            ("FlavorNotFound", "FlavorServiceProfileBindingExists")
        }
        ("DELETE", ["flavors", _, "service_profiles", _]) => {
            ("FlavorServiceProfileBindingNotFound", "HTTPConflict")
        }
        ("DELETE", ["flavors", _]) => ("FlavorNotFound", "FlavorInUse"),
        ("PUT", ["flavors", _]) => ("FlavorNotFound", "FlavorInUse"),
        (_, ["service_profiles", _]) => ("ServiceProfileNotFound", "ServiceProfileInUse"),
        ("POST", ["service_profiles"]) => ("ServiceProfileDriverNotFound", "HTTPConflict"),
        _ => ("HTTPNotFound", "HTTPConflict"),
    }
}
