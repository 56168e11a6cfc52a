//! A refusal: the status and what can be read out of an error body.

use crate::message::{self, Described};
use rest::{Response, Secret};
use std::fmt;

/// Who was asked, which decides what a 401 or 404 means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// A service, about its resources.
    Service,
    /// Keystone, for a token.
    Login,
    /// Keystone, about our own token.
    Token,
}

/// An HTTP answer with a status other than 2xx.
///
/// `Display`: `PUT /v2.0/flavors/<id>: 409 FlavorInUse: Flavor <id> is used by some service instance.`
#[derive(Debug)]
pub struct Answer {
    request: String,
    asked: Asked,
    status: u16,
    request_id: Option<String>,
    described: Described,
}

impl Answer {
    /// Reads a refusal. A message that quotes one of `secrets` is not kept.
    pub(crate) fn read(request: String, asked: Asked, response: &Response, secrets: &[&Secret]) -> Self {
        let mut described = message::describe(&response.body);
        if let (300..=399, Some(location)) = (response.status, response.header("location")) {
            let location = location.split(['?', '#']).next().unwrap_or_default();
            described.message =
                format!("the server redirects to {location}, which is not followed: correct the URL");
        }
        let quotes = |text: &str| {
            let mut secrets = secrets.iter().map(|secret| secret.expose());
            secrets.any(|secret| !secret.is_empty() && text.contains(secret))
        };
        // In the body too, where the secret may go on beyond the cut.
        if quotes(&response.text()) || quotes(&described.message) {
            described.message = "(the message quotes a secret and is not shown)".to_owned();
            described.error_type = described.error_type.filter(|name| !quotes(name));
        }
        let request_id =
            response.header("x-openstack-request-id").or(response.header("x-compute-request-id"));
        Self { request, asked, status: response.status, request_id: request_id.map(str::to_owned), described }
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The service's own name for the error.
    pub fn error_type(&self) -> Option<&str> {
        self.described.error_type.as_deref()
    }

    /// The server's id of the request.
    pub fn request_id(&self) -> Option<&str> {
        self.request_id.as_deref()
    }

    pub(crate) fn asked(&self) -> Asked {
        self.asked
    }

    /// True if the body is an error document of an OpenStack service, not a proxy's page.
    pub(crate) fn is_of_the_service(&self) -> bool {
        self.described.of_the_service
    }

    /// The text without the request: `409 FlavorInUse: Flavor …`.
    pub(crate) fn reason(&self) -> String {
        let mut text = self.status.to_string();
        if let Some(name) = self.error_type() {
            text.push(' ');
            text.push_str(name);
        }
        if !self.described.message.is_empty() {
            text.push_str(": ");
            text.push_str(&self.described.message);
        }
        text
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.asked == Asked::Login {
            f.write_str("login failed: ")?;
        }
        write!(f, "{}: {}", self.request, self.reason())
    }
}

impl std::error::Error for Answer {}
