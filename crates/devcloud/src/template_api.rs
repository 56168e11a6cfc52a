//! The Template API alone, behind a real kube-apiserver.

use std::io;
use std::sync::Arc;

use crate::http::Request;
use crate::kube::Kube;
use crate::random::Ids;
use crate::server::{Outcome, Serve, Server};
use crate::tls::Identity;

/// A server for an APIService: `template.openshift.io/v1` on loopback, and nothing else. Dropping it stops it.
///
/// As for every aggregated server, kube-apiserver says who asks (`X-Remote-User`), and is believed because it shows
/// its front-proxy certificate: no connection without one is served. Who may do what it has decided before; a real
/// openshift-apiserver asks it once more.
///
/// Which namespaces there are this server does not know: each that a request names is there, where a real
/// openshift-apiserver answers 404 for one that is not. It serves no OpenAPI documents.
pub struct TemplateApi {
    server: Server,
    ca_pem: String,
}

impl TemplateApi {
    /// Listens on a free port of 127.0.0.1. `front_proxy_ca` (PEM) signed the certificate that kube-apiserver shows:
    /// `requestheader-client-ca-file` in the ConfigMap `kube-system/extension-apiserver-authentication`. `names` are
    /// what it calls this server by: for an APIService `<service>.<namespace>.svc`.
    ///
    /// # Errors
    /// If `front_proxy_ca` is no certificate, or a socket, a thread or a certificate cannot be made.
    pub fn start(front_proxy_ca: &str, names: &[String]) -> io::Result<Self> {
        let identity = Identity::generate(names, Some(front_proxy_ca))?;
        let kube = Kube::new(Ids::new(None));
        let serve: Arc<Serve> =
            Arc::new(move |request: &Request| Outcome::Answer(kube.handle_proxied(request)));
        Ok(Self { server: Server::start(Some(identity.server), serve)?, ca_pem: identity.ca_pem })
    }

    /// The port, for the APIService.
    pub fn port(&self) -> u16 {
        self.server.address().port()
    }

    /// The certificate (PEM) of the authority behind the server's own, for `caBundle`.
    pub fn ca_pem(&self) -> &str {
        &self.ca_pem
    }
}
