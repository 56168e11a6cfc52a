//! Refusals as the API server words them (measured on v1.36).

use serde_json::{Map, Value, json};

use crate::http::Response;
use crate::kube::kind::Kind;

/// A refused request.
#[derive(Debug, Clone)]
pub(crate) enum Refusal {
    /// A `Status` object.
    Status(Status),
    /// `404 page not found` in plain text: the group is unknown.
    NoPage,
}

/// A `Status` of a failure.
#[derive(Debug, Clone)]
pub(crate) struct Status {
    pub(crate) code: u16,
    /// Some refusals (500 of a create with a resourceVersion) have none.
    reason: Option<&'static str>,
    pub(crate) message: String,
    details: Option<Value>,
    metadata: Value,
    retry_after: Option<u32>,
}

/// One cause of a 422.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cause {
    pub(crate) reason: &'static str,
    pub(crate) message: String,
    pub(crate) field: String,
}

impl Cause {
    pub(crate) fn new(reason: &'static str, field: &str, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), field: field.to_owned() }
    }
}

impl From<Status> for Refusal {
    fn from(status: Status) -> Self {
        Self::Status(status)
    }
}

impl Refusal {
    pub(crate) fn response(&self) -> Response {
        let status = match self {
            Self::NoPage => {
                return Response::text(404, "text/plain; charset=utf-8", "404 page not found\n");
            }
            Self::Status(status) => status,
        };
        let response = Response::go_json(status.code, &status.body());
        match status.retry_after {
            Some(seconds) => response.with_header("Retry-After", &seconds.to_string()),
            None => response,
        }
    }
}

impl Status {
    fn new(code: u16, reason: &'static str, message: String, details: Option<Value>) -> Self {
        let metadata = json!({});
        Self { code, reason: Some(reason), message, details, metadata, retry_after: None }
    }

    pub(crate) fn body(&self) -> Value {
        let mut body = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": self.metadata, "status": "Failure",
            "message": self.message, "code": self.code,
        });
        if let Some(reason) = self.reason {
            body["reason"] = reason.into();
        }
        if let Some(details) = &self.details {
            body["details"] = details.clone();
        }
        body
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(400, "BadRequest", message.into(), None)
    }

    pub(crate) fn other_namespace() -> Self {
        Self::bad_request(
            "the namespace of the provided object does not match the namespace sent on the request",
        )
    }

    pub(crate) fn unauthorized() -> Self {
        Self::new(401, "Unauthorized", "Unauthorized".into(), None)
    }

    /// What `system:anonymous` gets; `subject` is "namespaces is forbidden" and the like.
    pub(crate) fn forbidden(message: String, details: Value) -> Self {
        Self::new(403, "Forbidden", message, Some(details))
    }

    /// A known group without that resource or version.
    pub(crate) fn no_resource() -> Self {
        Self::new(404, "NotFound", "the server could not find the requested resource".into(), Some(json!({})))
    }

    pub(crate) fn not_found(kind: &Kind, name: &str) -> Self {
        let message = format!("{} {name:?} not found", kind.resource());
        Self::new(404, "NotFound", message, Some(plural_details(kind, name)))
    }

    pub(crate) fn no_namespace(name: &str) -> Self {
        let details = json!({"name": name, "kind": "namespaces"});
        Self::new(404, "NotFound", format!("namespaces {name:?} not found"), Some(details))
    }

    pub(crate) fn method_not_allowed() -> Self {
        let message = "the server does not allow this method on the requested resource".into();
        Self::new(405, "MethodNotAllowed", message, Some(json!({})))
    }

    pub(crate) fn already_exists(kind: &Kind, name: &str) -> Self {
        let message = format!("{} {name:?} already exists", kind.resource());
        Self::new(409, "AlreadyExists", message, Some(plural_details(kind, name)))
    }

    /// A stale resourceVersion in an update.
    pub(crate) fn conflict(kind: &Kind, name: &str) -> Self {
        let why =
            "the object has been modified; please apply your changes to the latest version and try again";
        Self::conflict_because(kind, name, why)
    }

    pub(crate) fn conflict_because(kind: &Kind, name: &str, why: &str) -> Self {
        let message = format!("Operation cannot be fulfilled on {} {name:?}: {why}", kind.resource());
        Self::new(409, "Conflict", message, Some(plural_details(kind, name)))
    }

    /// A precondition of a delete failed: this one names the Kind, not the plural.
    pub(crate) fn precondition(kind: &Kind, name: &str, why: &str) -> Self {
        let message = format!("Operation cannot be fulfilled on {} {name:?}: {why}", kind.qualified_kind());
        Self::new(409, "Conflict", message, Some(kind_details(kind, name)))
    }

    /// Fields of an apply that others own: the causes' messages and fields.
    pub(crate) fn apply_conflict(message: &str, causes: &[(String, String)]) -> Self {
        let causes: Vec<Value> = causes
            .iter()
            .map(|(message, field)| json!({"reason": "FieldManagerConflict", "message": message, "field": field}))
            .collect();
        Self::new(409, "Conflict", message.to_owned(), Some(json!({"causes": causes})))
    }

    /// A new object in a namespace that is going.
    pub(crate) fn terminating(kind: &Kind, name: &str, namespace: &str) -> Self {
        let message = format!(
            "{} {name:?} is forbidden: unable to create new content in namespace {namespace} because it is being \
             terminated",
            kind.resource()
        );
        let mut details = plural_details(kind, name);
        let why = format!("namespace {namespace} is being terminated");
        details["causes"] =
            json!([{"reason": "NamespaceTerminating", "message": why, "field": "metadata.namespace"}]);
        Self::forbidden(message, details)
    }

    /// A body over the limit.
    pub(crate) fn too_large(limit: usize) -> Self {
        let message = format!("Request entity too large: limit is {limit}");
        Self::new(413, "RequestEntityTooLarge", message, None)
    }

    pub(crate) fn gone(message: &str) -> Self {
        Self::new(410, "Expired", message.to_owned(), None)
    }

    /// An outdated `continue`, with a token that goes on inconsistently.
    pub(crate) fn expired_continue(fresh: &str) -> Self {
        let message = "The provided continue parameter is too old to display a consistent list result. You can \
            start a new list without the continue parameter, or use the continue token in this response to \
            retrieve the remainder of the results. Continuing with the provided token results in an inconsistent \
            list - objects that were created, modified, or deleted between the time the first chunk was returned \
            and now may show up in the list.";
        let mut status = Self::gone(message);
        status.metadata = json!({"continue": fresh});
        status
    }

    pub(crate) fn unsupported_media(accepted: &str) -> Self {
        let message = format!(
            "the body of the request was in an unknown format - accepted media types include: {accepted}"
        );
        Self::new(415, "UnsupportedMediaType", message, None)
    }

    /// A validation failure; it names the Kind, not the plural.
    pub(crate) fn invalid(kind: &Kind, name: &str, causes: &[Cause]) -> Self {
        let subject = format!("{} {name:?}", kind.qualified_kind());
        Self::invalid_of(&subject, kind_details(kind, name), causes)
    }

    /// A PUT of a custom object without a resourceVersion: a 422 that names the plural.
    pub(crate) fn invalid_plural(kind: &Kind, name: &str, causes: &[Cause]) -> Self {
        Self::invalid_of(&format!("{} {name:?}", kind.resource()), plural_details(kind, name), causes)
    }

    /// Bad options of a request, such as a propagationPolicy.
    pub(crate) fn invalid_options(options: &str, causes: &[Cause]) -> Self {
        let details = json!({"group": "meta.k8s.io", "kind": options});
        Self::invalid_of(&format!("{options}.meta.k8s.io \"\""), details, causes)
    }

    fn invalid_of(subject: &str, mut details: Value, causes: &[Cause]) -> Self {
        let mut texts: Vec<String> = Vec::new();
        for cause in causes {
            let text = format!("{}: {}", cause.field, cause.message);
            // Measured: a cause that comes twice is said once.
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        let text = if texts.len() == 1 { texts.remove(0) } else { format!("[{}]", texts.join(", ")) };
        details["causes"] = causes
            .iter()
            .map(|cause| json!({"reason": cause.reason, "message": cause.message, "field": cause.field}))
            .collect();
        Self::new(422, "Invalid", format!("{subject} is invalid: {text}"), Some(details))
    }

    /// A patch that cannot be applied.
    pub(crate) fn unprocessable_patch() -> Self {
        let message = "the server rejected our request due to an error in our request".into();
        Self::new(422, "Invalid", message, Some(json!({})))
    }

    /// A kind whose CRD was just created.
    pub(crate) fn initializing() -> Self {
        let details = json!({"retryAfterSeconds": 1});
        let mut status =
            Self::new(429, "TooManyRequests", "storage is (re)initializing".into(), Some(details));
        status.retry_after = Some(1);
        status
    }

    /// A 500 that has no reason.
    pub(crate) fn internal(message: &str) -> Self {
        let mut status = Self::new(500, "InternalError", message.to_owned(), None);
        status.reason = None;
        status
    }

    pub(crate) fn too_large_version(asked: u64, current: u64) -> Self {
        let details = json!({
            "causes": [{"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}],
            "retryAfterSeconds": 1,
        });
        let message = format!("Timeout: Too large resource version: {asked}, current: {current}");
        let mut status = Self::new(504, "Timeout", message, Some(details));
        status.retry_after = Some(1);
        status
    }
}

fn plural_details(kind: &Kind, name: &str) -> Value {
    details(&kind.plural, &kind.group, name)
}

fn kind_details(kind: &Kind, name: &str) -> Value {
    details(&kind.kind, &kind.group, name)
}

fn details(kind: &str, group: &str, name: &str) -> Value {
    let mut details = Map::new();
    for (key, value) in [("name", name), ("group", group), ("kind", kind)] {
        if !value.is_empty() {
            details.insert(key.to_owned(), value.into());
        }
    }
    Value::Object(details)
}
