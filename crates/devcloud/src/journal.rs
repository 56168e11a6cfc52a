//! What was asked of the simulators: for exact request budgets.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::http::Request;

const REDACTED: &str = "[redacted]";

/// One of the simulated services.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Service {
    /// The Kubernetes API server.
    Kubernetes,
    /// OpenStack Identity.
    Keystone,
    /// OpenStack Networking.
    Neutron,
}

/// One request that reached a service, in the order of arrival.
///
/// Tokens, passwords and the values of Kubernetes Secrets are replaced by `[redacted]` before an entry is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Which service was asked.
    pub service: Service,
    /// The HTTP method, upper case.
    pub method: String,
    /// Path and query, as sent.
    pub path: String,
    /// All request headers, as sent; values that authorize are redacted.
    pub headers: Vec<(String, String)>,
    /// The body if it was JSON; a text that says its size if it was something else; `None` if empty.
    pub request_body: Option<Value>,
    /// The status that was answered; `None` while the request is being handled and if the connection was cut.
    pub status: Option<u16>,
}

impl Entry {
    /// True for every method that can change something (all but GET and HEAD).
    ///
    /// A login (`POST /v3/auth/tokens`) counts as a write here; [`Entry::is_login`] tells it apart.
    pub fn is_write(&self) -> bool {
        !matches!(self.method.as_str(), "GET" | "HEAD")
    }

    /// True for a request for a new token.
    pub fn is_login(&self) -> bool {
        self.service == Service::Keystone && self.method == "POST" && self.path.starts_with("/v3/auth/tokens")
    }
}

/// All entries since the start or the last [`Journal::clear`].
#[derive(Debug, Default)]
pub(crate) struct Journal(Mutex<Entries>);

#[derive(Debug, Default)]
struct Entries {
    // Numbers go on through a clear, so that a late answer never lands in another entry.
    first: usize,
    list: Vec<Entry>,
}

impl Journal {
    /// Notes that a request has come; the answer's status follows with [`Journal::close`].
    pub(crate) fn open(&self, service: Service, request: &Request) -> usize {
        let entry = Entry {
            service,
            method: request.method.clone(),
            path: request.target.clone(),
            headers: request.headers.iter().map(redact_header).collect(),
            request_body: body(service, request),
            status: None,
        };
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.list.push(entry);
        entries.first + entries.list.len() - 1
    }

    /// Notes the answer; to be called before it is sent, so that a client never sees a journal without it.
    pub(crate) fn close(&self, number: usize, status: u16) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let index = number.checked_sub(entries.first);
        if let Some(entry) = index.and_then(|index| entries.list.get_mut(index)) {
            entry.status = Some(status);
        }
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).list.clone()
    }

    pub(crate) fn clear(&self) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.first += entries.list.len();
        entries.list.clear();
    }
}

fn redact_header((name, value): &(String, String)) -> (String, String) {
    const SECRET: [&str; 5] =
        ["authorization", "proxy-authorization", "x-auth-token", "x-subject-token", "cookie"];
    let secret = SECRET.iter().any(|known| name.eq_ignore_ascii_case(known));
    (name.clone(), if secret { REDACTED.to_owned() } else { value.clone() })
}

fn body(service: Service, request: &Request) -> Option<Value> {
    if request.body.is_empty() {
        return None;
    }
    let Ok(mut value) = serde_json::from_slice::<Value>(&request.body) else {
        return Some(Value::String(format!("[{} bytes, not JSON]", request.body.len())));
    };
    match service {
        Service::Keystone => redact_login(&mut value),
        Service::Kubernetes => redact_secret(&mut value, request.path().contains("/secrets")),
        Service::Neutron => {}
    }
    Some(value)
}

/// Passwords and secrets are strings under these keys; a token is `{"token": {"id": …}}`.
fn redact_login(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(redact_login),
        Value::Object(map) => {
            for (key, inner) in map {
                match key.as_str() {
                    "password" | "original_password" | "secret" | "passcode" if inner.is_string() => {
                        *inner = REDACTED.into();
                    }
                    "token" if inner["id"].is_string() => inner["id"] = REDACTED.into(),
                    _ => redact_login(inner),
                }
            }
        }
        _ => {}
    }
}

fn redact_secret(value: &mut Value, at_secrets: bool) {
    if let Value::Array(operations) = value {
        for operation in operations.iter_mut().filter(|_| at_secrets) {
            if let Some(inner) = operation.get_mut("value") {
                *inner = REDACTED.into();
            }
        }
        return;
    }
    if at_secrets || value["kind"] == "Secret" {
        for key in ["data", "stringData"] {
            if let Some(Value::Object(data)) = value.get_mut(key) {
                data.values_mut().for_each(|inner| *inner = REDACTED.into());
            }
        }
        // kubectl's own copy of what it applied
        let applied = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";
        if let Some(last) = value.pointer_mut(applied) {
            *last = REDACTED.into();
        }
    }
}
