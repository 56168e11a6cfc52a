//! Neutron's errors: status, type and text (measured on 29.0.0).

use serde_json::json;

use crate::http::Response;

/// `{"NeutronError": {"type", "message", "detail": ""}}`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Error {
    status: u16,
    kind: &'static str,
    message: String,
}

impl Error {
    pub(crate) fn new(status: u16, kind: &'static str, message: impl Into<String>) -> Self {
        Self { status, kind, message: message.into() }
    }

    pub(crate) fn response(&self) -> Response {
        let body = json!({"NeutronError": {"type": self.kind, "message": self.message, "detail": ""}});
        Response::ascii_json(self.status, &body)
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(400, "HTTPBadRequest", message)
    }

    pub(crate) fn invalid_input(message: &str) -> Self {
        Self::new(400, "InvalidInput", format!("Invalid input for operation: {message}."))
    }

    pub(crate) fn invalid(attribute: &str, reason: &str) -> Self {
        Self::bad_request(format!("Invalid input for {attribute}. Reason: {reason}"))
    }

    /// An unknown collection, and what one may not see.
    pub(crate) fn hidden() -> Self {
        Self::new(404, "HTTPNotFound", "The resource could not be found.")
    }

    pub(crate) fn method_not_allowed() -> Self {
        let message = "The server could not comply with the request since it is either malformed or otherwise incorrect.";
        Self::new(405, "HTTPMethodNotAllowed", message)
    }

    /// An unhandled fault in the server.
    pub(crate) fn internal() -> Self {
        let message = "Request Failed: internal server error while processing your request.";
        Self::new(500, "HTTPInternalServerError", message)
    }

    pub(crate) fn policy(rule: &str) -> Self {
        Self::new(403, "PolicyNotAuthorized", format!("{rule} is disallowed by policy"))
    }

    pub(crate) fn scope(rule: &str) -> Self {
        let message = format!("{rule} requires a scope of ['project'], request was made with system scope.");
        Self::new(403, "InvalidScope", message)
    }

    pub(crate) fn no_flavor(id: &str) -> Self {
        Self::new(404, "FlavorNotFound", format!("Flavor {id} could not be found."))
    }

    pub(crate) fn no_profile(id: &str) -> Self {
        Self::new(404, "ServiceProfileNotFound", format!("Service Profile {id} could not be found."))
    }

    pub(crate) fn no_driver(driver: &str) -> Self {
        let message = format!("Service Profile driver {driver} could not be found.");
        Self::new(404, "ServiceProfileDriverNotFound", message)
    }

    pub(crate) fn not_bound(flavor: &str, profile: &str) -> Self {
        let message = format!("Service Profile {profile} is not associated with flavor {flavor}.");
        Self::new(404, "FlavorServiceProfileBindingNotFound", message)
    }

    pub(crate) fn no_router(id: &str) -> Self {
        Self::new(404, "RouterNotFound", format!("Router {id} could not be found"))
    }
}
