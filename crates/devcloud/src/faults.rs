//! Faults: answers and accidents that the simulators would not produce by themselves.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use crate::http::Request;
use crate::journal::Service;

/// What happens to a request that a fault matches.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// This answer, without performing the request.
    Answer {
        /// The HTTP status.
        status: u16,
        /// The body: a string goes out as `text/html` unless `headers` has a `Content-Type`, null as no body, anything
        /// else as JSON.
        body: Value,
        /// More headers, such as `Retry-After`.
        headers: Vec<(String, String)>,
    },
    /// The connection is closed; the request is not performed.
    CutBefore,
    /// The request is performed, then the connection is closed without an answer.
    CutAfter,
    /// The request waits, then is performed and answered.
    Delay(Duration),
    /// Kubernetes refuses the request with 403, as for a user without the right to it; the request is not performed.
    Forbid {
        /// The user's name, for the message.
        user: String,
        /// The RBAC verb that the user lacks (`get`, `list`, `create`, `update`, `patch`, `delete`); `None` is any.
        /// Requests that do not need it are performed. A server-side apply needs `patch`, and `create` too if it would
        /// make an object.
        verb: Option<String>,
    },
    /// Every token issued so far becomes invalid, at Keystone and at Neutron; then the request is performed.
    ExpireTokens,
}

impl Action {
    /// An answer with a JSON body and no further headers.
    pub fn answer(status: u16, body: Value) -> Self {
        Self::Answer { status, body, headers: Vec::new() }
    }
}

/// One fault: which requests it hits, how often, and what then happens.
///
/// Among several faults that match a request, the one injected first and not used up acts; a fault whose `skip` is
/// not yet used up counts the request and lets the next fault look at it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// The service whose requests are meant.
    pub service: Service,
    /// The method, upper case; `None` is any.
    pub method: Option<String>,
    /// What path and query must contain; with a `*` in it, a pattern for all of path and query. Empty is any.
    pub path: String,
    /// How many matching requests pass before the first is hit.
    pub skip: usize,
    /// How many requests are hit; `None` is without end.
    pub times: Option<usize>,
    /// What happens to a request that is hit.
    pub action: Action,
}

impl Fault {
    /// A fault for every request to `path` of any method, without end.
    pub fn new(service: Service, path: &str, action: Action) -> Self {
        Self { service, method: None, path: path.to_owned(), skip: 0, times: None, action }
    }

    /// A service that is not up yet: 503 with an HTML page, as a load balancer in front of it answers.
    pub fn not_ready(service: Service) -> Self {
        let page = "<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n\
                    </body></html>\n";
        Self::new(service, "", Action::answer(503, page.into()))
    }

    /// The Template API's server is away, as the API server in front of it says it (measured): 503 in plain text for
    /// everything in its group, discovery included.
    pub fn no_template_api() -> Self {
        let action = Action::Answer {
            status: 503,
            body: "service unavailable\n".into(),
            headers: vec![("Content-Type".into(), "text/plain; charset=utf-8".into())],
        };
        Self::new(Service::Kubernetes, "/apis/template.openshift.io/", action)
    }

    /// A user without the right to what `path` names; see [`Action::Forbid`].
    pub fn forbidden(path: &str, user: &str, verb: Option<&str>) -> Self {
        let action = Action::Forbid { user: user.to_owned(), verb: verb.map(str::to_owned) };
        Self::new(Service::Kubernetes, path, action)
    }

    /// Only this method.
    #[must_use]
    pub fn method(mut self, method: &str) -> Self {
        self.method = Some(method.to_owned());
        self
    }

    /// Let `count` matching requests pass first.
    #[must_use]
    pub fn skip(mut self, count: usize) -> Self {
        self.skip = count;
        self
    }

    /// Hit `count` requests, then none.
    #[must_use]
    pub fn times(mut self, count: usize) -> Self {
        self.times = Some(count);
        self
    }

    fn matches(&self, service: Service, request: &Request) -> bool {
        self.service == service
            && self.method.as_ref().is_none_or(|method| *method == request.method)
            && if self.path.contains('*') {
                glob(&self.path, &request.target)
            } else {
                request.target.contains(&self.path)
            }
    }
}

/// The faults in force.
#[derive(Debug, Default)]
pub(crate) struct Faults(Mutex<Vec<Fault>>);

impl Faults {
    pub(crate) fn inject(&self, fault: Fault) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The action for this request, if any; counts it.
    pub(crate) fn take(&self, service: Service, request: &Request) -> Option<Action> {
        let mut faults = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for fault in faults.iter_mut().filter(|fault| fault.matches(service, request)) {
            if fault.skip > 0 {
                fault.skip -= 1;
                continue;
            }
            match &mut fault.times {
                Some(0) => continue,
                Some(left) => *left -= 1,
                None => {}
            }
            return Some(fault.action.clone());
        }
        None
    }
}

/// `*` stands for any text, also an empty one.
fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(target: &str) -> Request {
        Request { method: "GET".into(), target: target.into(), headers: Vec::new(), body: Vec::new() }
    }

    #[test]
    fn globs_match_the_whole_target() {
        assert!(glob("/v2.0/flavors/*", "/v2.0/flavors/x"));
        assert!(!glob("/v2.0/flavors/*", "/v2.0/flavors"));
        assert!(glob("*/status", "/apis/x/status"));
        assert!(glob("/a/*/c*", "/a/b/c?x=y"));
        assert!(!glob("/a/*/c", "/a/b/d"));
        assert!(glob("*", ""));
    }

    #[test]
    fn skip_and_times_are_counted_over_matching_requests() {
        let faults = Faults::default();
        faults.inject(
            Fault::new(Service::Neutron, "flavors", Action::CutBefore).method("GET").skip(1).times(2),
        );
        let hit = |target: &str| faults.take(Service::Neutron, &get(target)).is_some();
        assert!(!hit("/v2.0/service_profiles"));
        assert!(!hit("/v2.0/flavors"), "skipped");
        assert!(hit("/v2.0/flavors"));
        assert!(hit("/v2.0/flavors?limit=1"));
        assert!(!hit("/v2.0/flavors"), "used up");
        assert_eq!(faults.take(Service::Keystone, &get("/v2.0/flavors")), None);
    }

    #[test]
    fn a_later_fault_gets_what_an_earlier_one_lets_pass() {
        let faults = Faults::default();
        faults.inject(Fault::new(Service::Neutron, "", Action::CutBefore).skip(1));
        faults.inject(Fault::new(Service::Neutron, "", Action::CutAfter));
        assert_eq!(faults.take(Service::Neutron, &get("/")), Some(Action::CutAfter));
        assert_eq!(faults.take(Service::Neutron, &get("/")), Some(Action::CutBefore));
    }
}
