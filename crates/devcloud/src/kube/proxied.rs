//! Requests to the Template API that a real kube-apiserver passes on.

use crate::http::{Handler, Request, Response};
use crate::kube::Kube;
use crate::kube::status::Refusal;
use crate::kube::target::target;
use crate::kube::templates::GROUP;

impl Kube {
    /// Answers a request to the Template API that a front proxy has authenticated and authorized. A namespace is there
    /// when a request names it.
    pub(crate) fn handle_proxied(&self, request: &Request) -> Response {
        let segments = request.segments();
        let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
        if !matches!(parts[..], ["apis", group, ..] if group == GROUP) {
            return Refusal::NoPage.response();
        }
        if let Some(target) = target(&parts).filter(|target| !target.namespace.is_empty()) {
            self.state().ensure_namespace(self.ids(), &target.namespace);
        }
        let mut request = request.clone();
        request.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("authorization"));
        // Whoever it is may do it; without a name it is nobody, as without a token.
        if request.header("x-remote-user").is_some_and(|user| !user.is_empty()) {
            request.headers.push(("Authorization".into(), format!("Bearer {}", self.token())));
        }
        self.handle(&request)
    }
}
