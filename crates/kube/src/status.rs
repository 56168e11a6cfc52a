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

/// The reason of the causes of a server-side apply that meets another owner.
const FIELD_CONFLICT: &str = "FieldManagerConflict";

/// How the message of an apply that does not fit its schema begins (measured).
const TYPED: &str = "failed to create typed patch object (";

/// One entry of `details.causes`. [`Debug`](fmt::Debug) leaves the message out.
///
/// ```
/// /// The fields that other managers own, with these managers.
/// fn owners(error: &kube::Error) -> Vec<(&str, &str)> {
///     let conflicts = error.causes().iter();
///     conflicts.filter_map(|cause| Some((cause.field.as_str(), cause.manager()?))).collect()
/// }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Cause {
    /// The field: `spec.size`, `metadata.finalizers`; empty if the server names none.
    pub field: String,
    /// The reason: `FieldValueInvalid`; empty if the server names none that is one word.
    pub reason: String,
    message: String,
}

impl Cause {
    /// What the server says about it, up to 400 characters; empty if it says nothing. It may quote values of
    /// the object, secret ones too: not for logs.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether a server-side apply met a field that another manager has set otherwise.
    pub fn is_field_conflict(&self) -> bool {
        self.reason == FIELD_CONFLICT
    }

    /// The other manager of a field conflict: `kubectl-edit` of `conflict with "kubectl-edit" using
    /// example.com/v1` (measured).
    pub fn manager(&self) -> Option<&str> {
        let quoted = self.message.split_once('"').filter(|_| self.is_field_conflict())?.1;
        quoted.rsplit_once('"').map(|(manager, _)| manager)
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cause")
            .field("field", &self.field)
            .field("reason", &self.reason)
            .finish_non_exhaustive()
    }
}

/// An answer that is not a success: a `Status` object, or what a proxy or the server's outer layers send
/// instead (text/plain, HTML).
///
/// ```
/// fn log(error: &kube::Error) {
///     let Some(refusal) = error.refusal() else { return };
///     println!("{}: {} {:?}", refusal.request, refusal.code, refusal.reason);
///     // refusal.message() may hold values of the object.
/// }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What was asked for: `get secrets default/x`.
    pub request: String,
    /// The HTTP status.
    pub code: u16,
    /// `reason` of the Status, if it is one word: `NotFound`. Absent from answers that are no Status, and from
    /// some that are. Admission webhooks put sentences there, which may quote the object.
    pub reason: Option<String>,
    /// `details.name` of the Status.
    pub name: Option<String>,
    /// `details.causes` of the Status, each once; of an apply whose object has a field of another type than its
    /// schema, or one that the schema does not have, that field (the server names it in the message alone).
    pub causes: Vec<Cause>,
    message: String,
    /// Whether the request carried an object that the message may quote.
    pub(crate) discreet: bool,
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
                reason: text(&cause["reason"]).filter(|reason| is_word(reason)).unwrap_or_default(),
                message: summary(cause["message"].as_str().unwrap_or_default(), MESSAGE_LIMIT),
            };
            // Forbidden finalizers come twice (measured).
            if !causes.contains(&cause) {
                causes.push(cause);
            }
        }
        if causes.is_empty()
            && let Some(field) = typed_field(&message)
        {
            let message = summary(&message, MESSAGE_LIMIT);
            causes.push(Cause { field, reason: String::new(), message });
        }
        Refusal {
            request,
            code: response.status,
            reason: text(&body["reason"]).filter(|reason| is_word(reason)),
            name: text(&body["details"]["name"]),
            causes,
            message: summary(&message, MESSAGE_LIMIT),
            discreet: false,
        }
    }

    /// What the server says, up to 400 characters. It may quote values of the object, secret ones too: not for
    /// logs.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The message, if it cannot quote values of an object.
    fn harmless(&self) -> Option<&str> {
        let harmless = if self.is(&["Invalid"], 422) || self.code == 422 {
            false
        } else if !self.discreet {
            true
        } else if self.message.contains("admission webhook") {
            // A webhook may say anything, with any code.
            false
        } else if self.is(&["Forbidden"], 403) {
            // Who may not do what, and not what an admission plugin thinks of the object.
            self.message.contains(" is forbidden: User \"")
        } else {
            matches!(self.code, 401 | 404 | 405 | 409 | 413 | 429 | 502..=504)
        };
        (harmless && !self.message.is_empty()).then_some(&self.message)
    }

    /// Whether a server-side apply was refused for what is in the object, by the layers that answer 500 without a
    /// reason (measured): a wrong type, an unknown field, bad base64 in a Secret, more than etcd takes.
    pub(crate) fn is_bad_object(&self) -> bool {
        let begin = [TYPED, "failed to convert new object (", "etcdserver: request is too large"];
        self.code == 500 && self.reason.is_none() && begin.iter().any(|text| self.message.starts_with(text))
    }

    /// Whether a 500 is about this request, so that the next one may fare better (measured): the server panicked
    /// on it (a Template does that to openshift-apiserver with `objects: [null]`), or a webhook refused the object
    /// with this code.
    pub(crate) fn is_about_this_request(&self) -> bool {
        let panicked = self.message.starts_with("This request caused apiserver to panic");
        let denied =
            self.message.starts_with("admission webhook") && self.message.contains(" denied the request");
        self.code == 500 && (panicked || denied || self.is_bad_object())
    }

    /// Whether the storage behind the server gave up waiting, so that a write may be done yet: a 500 without a
    /// reason, whose message is etcd's (`etcdserver: request timed out`).
    pub(crate) fn is_storage_timeout(&self) -> bool {
        let gave_up =
            ["etcdserver: request timed out", "etcdserver: leader changed", "context deadline exceeded"];
        self.code == 500 && gave_up.iter().any(|text| self.message.starts_with(text))
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

/// The field of `failed to create typed patch object (m1/d; apps/v1, Kind=Deployment): .spec.replicas: expected
/// numeric (int or float), got string`. Keys of list items are left out, for they are values of the object:
/// `.spec.containers[].image`.
fn typed_field(message: &str) -> Option<String> {
    let (_, rest) = message.strip_prefix(TYPED)?.split_once("): ")?;
    // Of several, the first.
    let rest = rest.strip_prefix("errors:").unwrap_or(rest).trim_start();
    let (mut field, mut quoted, mut depth) = (String::new(), false, 0_usize);
    let mut letters = rest.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if quoted => drop(letters.next()),
            '"' => quoted = !quoted,
            _ if quoted => {}
            ':' if depth == 0 && letters.peek() == Some(&' ') => {
                return field.starts_with('.').then_some(field);
            }
            '[' => {
                depth += 1;
                field.push('[');
            }
            ']' => {
                depth = depth.checked_sub(1)?;
                field.push(']');
            }
            _ if depth > 0 => {}
            _ => field.push(letter),
        }
    }
    None
}

/// Whether this is a reason as Kubernetes has them, letters only.
fn is_word(reason: &str) -> bool {
    reason.len() <= 64 && reason.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// `get secrets default/x: 403 Forbidden: secrets "x" is forbidden: …`. Where the message may quote the object,
/// fields and reasons stand in its place.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.request, self.code)?;
        if let Some(reason) = &self.reason {
            write!(f, " {reason}")?;
        }
        if let Some(message) = self.harmless() {
            return write!(f, ": {message}");
        }
        let mut shown: Vec<(&str, &str)> = Vec::new();
        for Cause { field, reason, .. } in &self.causes {
            if shown.contains(&(field, reason)) {
                continue;
            }
            let separator = if shown.is_empty() { ": " } else { ", " };
            let name = if field.is_empty() { "(no field)" } else { field };
            write!(f, "{separator}{name}")?;
            if !reason.is_empty() {
                write!(f, " ({reason})")?;
            }
            shown.push((field, reason));
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
