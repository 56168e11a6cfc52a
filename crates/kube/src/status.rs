//! What an API server says when it refuses.

use std::fmt;

use rest::{Response, summary};
use serde_json::Value;

/// The longest message that is passed on, in characters.
const MESSAGE_LIMIT: usize = 400;
/// The reasons this crate acts on (apimachinery, `metav1.StatusReason`). With one of them the code is not asked.
const KNOWN: [&str; 17] = [
    "AlreadyExists",
    "BadRequest",
    "Conflict",
    "Expired",
    "Forbidden",
    "Gone",
    "InternalError",
    "Invalid",
    "MethodNotAllowed",
    "NotAcceptable",
    "NotFound",
    "RequestEntityTooLarge",
    "ServerTimeout",
    "ServiceUnavailable",
    "Timeout",
    "TooManyRequests",
    "Unauthorized",
];

/// One entry of `details.causes`, without its message: that one can quote the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The field: `spec.size`, `metadata.finalizers`; empty if the server names none.
    pub field: String,
    /// The reason: `FieldValueInvalid`; empty if the server names none.
    pub reason: String,
}

/// An answer that is not a success: a `Status` object, or what a proxy or the server's outer layers send
/// instead (text/plain, HTML).
#[derive(Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What was asked for: `get secrets default/x`.
    pub request: String,
    /// The HTTP status.
    pub code: u16,
    /// `reason` of the Status: `NotFound`. Absent from answers that are no Status, and from some that are.
    pub reason: Option<String>,
    /// `details.name` of the Status.
    pub name: Option<String>,
    /// `details.causes` of the Status, each once.
    pub causes: Vec<Cause>,
    /// The message; not readable from outside, since that of a 422 quotes values.
    message: String,
}

impl Refusal {
    /// Reads an answer; whatever it holds, something comes out.
    pub(crate) fn read(request: String, response: &Response) -> Refusal {
        let body = response.json().ok().filter(|body| body["kind"] == "Status").unwrap_or_default();
        let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        let message = text(&body["message"]).unwrap_or_else(|| match &body {
            Value::Null => response.text().into_owned(),
            _ => String::new(),
        });
        let mut causes = Vec::new();
        for cause in body["details"]["causes"].as_array().into_iter().flatten() {
            let cause = Cause {
                // Go's nil path: a cause about the whole object (measured).
                field: text(&cause["field"]).filter(|field| field != "<nil>").unwrap_or_default(),
                reason: text(&cause["reason"]).unwrap_or_default(),
            };
            // Forbidden finalizers come twice (measured).
            if !causes.contains(&cause) {
                causes.push(cause);
            }
        }
        Refusal {
            request,
            code: response.status,
            reason: text(&body["reason"]),
            name: text(&body["details"]["name"]),
            causes,
            message: summary(&message, MESSAGE_LIMIT),
        }
    }

    /// Whether this is a refusal of one of the `reasons`, or, if the server gave no reason that is known, of
    /// the HTTP status `code`.
    pub(crate) fn is(&self, reasons: &[&str], code: u16) -> bool {
        match self.reason.as_deref() {
            Some(reason) if KNOWN.contains(&reason) => reasons.contains(&reason),
            _ => self.code == code,
        }
    }
}

/// `get secrets default/x: 403 Forbidden: secrets "x" is forbidden: …`. Of a 422 only fields and reasons.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.request, self.code)?;
        if let Some(reason) = &self.reason {
            write!(f, " {reason}")?;
        }
        if self.code != 422 && !self.is(&["Invalid"], 422) {
            return if self.message.is_empty() { Ok(()) } else { write!(f, ": {}", self.message) };
        }
        for (index, Cause { field, reason }) in self.causes.iter().enumerate() {
            let separator = if index == 0 { ": " } else { ", " };
            let field = if field.is_empty() { "(no field)" } else { field };
            write!(f, "{separator}{field}")?;
            if !reason.is_empty() {
                write!(f, " ({reason})")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

/// Without the message.
impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refusal")
            .field("request", &self.request)
            .field("code", &self.code)
            .field("reason", &self.reason)
            .field("name", &self.name)
            .field("causes", &self.causes)
            .finish_non_exhaustive()
    }
}
