//! A client that says exactly what it is told to.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use devcloud::{DevCloud, Options};
use rustls::client::WantsClientCert;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, ConfigBuilder, RootCertStore, StreamOwned};
use serde_json::{Value, json};

pub(crate) const SINGLE: &str = "neutron.services.l3_router.service_providers.single_node.SingleNodeDriver";
pub(crate) const NOBODY: &str = "00000000-0000-4000-a000-000000000000";

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head
            .lines()
            .filter_map(|line| line.split_once(": "))
            .find(|(key, _)| *key == name)
            .map(|(_, v)| v)
    }
}

/// One request on a connection of its own; `None` if the connection was closed without an answer.
pub(crate) fn try_send(
    cloud: &DevCloud,
    base: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Option<Answer> {
    let (scheme, address) = base.split_once("://").unwrap();
    let bytes = request(address, method, path, headers, body);
    if scheme == "https" {
        send_tls(address, trusting(cloud.ca_pem()).with_no_client_auth(), &bytes)
    } else {
        answer(&exchange(TcpStream::connect(address).unwrap(), &bytes))
    }
}

/// The bytes of a request.
pub(crate) fn request(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// A client that trusts this authority (PEM), and may show a certificate.
pub(crate) fn trusting(authority: &str) -> ConfigBuilder<ClientConfig, WantsClientCert> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(authority.as_bytes()).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    config.with_root_certificates(roots)
}

/// These bytes over TLS; `None` as for [`try_send`].
pub(crate) fn send_tls(address: &str, config: ClientConfig, bytes: &[u8]) -> Option<Answer> {
    let stream = TcpStream::connect(address).unwrap();
    let name = ServerName::try_from("127.0.0.1").unwrap();
    answer(&exchange(StreamOwned::new(ClientConnection::new(Arc::new(config), name).unwrap(), stream), bytes))
}

fn answer(bytes: &[u8]) -> Option<Answer> {
    if bytes.is_empty() {
        return None;
    }
    let answer = String::from_utf8(bytes.to_vec()).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Some(Answer { status, head: head.to_owned(), body: body.to_owned() })
}

fn exchange<S: Read + Write>(mut stream: S, bytes: &[u8]) -> Vec<u8> {
    // A server that refuses the client's certificate does so while this is written, or after.
    let _ = stream.write_all(bytes).and_then(|()| stream.flush());
    let mut answer = Vec::new();
    // A server that cuts a TLS connection sends no close_notify; what came so far counts.
    let _ = stream.read_to_end(&mut answer);
    answer
}

/// As [`try_send`], with an answer.
pub(crate) fn send(
    cloud: &DevCloud,
    base: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Answer {
    try_send(cloud, base, method, path, headers, body).expect("an answer")
}

/// A cloud and the tokens of its users.
pub(crate) struct Lab {
    pub(crate) cloud: DevCloud,
}

impl Lab {
    pub(crate) fn new() -> Self {
        Self::with(Options::default())
    }

    pub(crate) fn with(options: Options) -> Self {
        Self { cloud: DevCloud::start(options).unwrap() }
    }

    pub(crate) fn keystone(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        send(&self.cloud, &self.cloud.keystone_url(), method, path, headers, body.as_bytes())
    }

    pub(crate) fn kube(&self, method: &str, path: &str, body: &str) -> Answer {
        let media = if method == "PATCH" { "application/merge-patch+json" } else { "application/json" };
        self.kube_as(method, path, media, body)
    }

    pub(crate) fn kube_as(&self, method: &str, path: &str, media: &str, body: &str) -> Answer {
        let bearer = format!("Bearer {}", self.cloud.kube().token());
        let headers = [("Authorization", bearer.as_str()), ("Content-Type", media)];
        send(&self.cloud, &self.cloud.kube_url(), method, path, &headers, body.as_bytes())
    }

    pub(crate) fn login(&self, user: &str) -> Answer {
        let project = if user == "admin" { "admin" } else { "demo" };
        self.keystone("POST", "/v3/auth/tokens", &[], &password(user, Some(project)).to_string())
    }

    pub(crate) fn token(&self, user: &str) -> String {
        let answer = self.login(user);
        assert_eq!(answer.status, 201, "{}", answer.body);
        answer.header("X-Subject-Token").unwrap().to_owned()
    }

    /// A session with Neutron as this user.
    pub(crate) fn neutron(&self, user: &str) -> Session<'_> {
        Session { lab: self, token: self.token(user) }
    }
}

/// A password login with or without a project scope.
pub(crate) fn password(user: &str, project: Option<&str>) -> Value {
    let mut auth = json!({"identity": {"methods": ["password"], "password": {"user": {
        "name": user, "domain": {"id": "default"}, "password": format!("{user}-secret"),
    }}}});
    if let Some(project) = project {
        auth["scope"] = json!({"project": {"name": project, "domain": {"id": "default"}}});
    }
    json!({"auth": auth})
}

pub(crate) struct Session<'l> {
    lab: &'l Lab,
    pub(crate) token: String,
}

impl Session<'_> {
    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> Answer {
        self.ask_with(method, path, &[], body)
    }

    pub(crate) fn ask_with(&self, method: &str, path: &str, more: &[(&str, &str)], body: &str) -> Answer {
        let mut headers = vec![("X-Auth-Token", self.token.as_str())];
        headers.extend_from_slice(more);
        send(&self.lab.cloud, &self.lab.cloud.neutron_url(), method, path, &headers, body.as_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, &body.to_string())
    }

    pub(crate) fn put(&self, path: &str, body: &Value) -> Answer {
        self.ask("PUT", path, &body.to_string())
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.ask("DELETE", path, "")
    }
}

/// Asserts a `NeutronError` with all it says.
#[track_caller]
pub(crate) fn refused(answer: &Answer, status: u16, kind: &str, message: &str) {
    let wanted = json!({"NeutronError": {"type": kind, "message": message, "detail": ""}});
    assert_eq!((answer.status, answer.json()), (status, wanted));
}

#[track_caller]
pub(crate) fn bad_request(answer: &Answer, message: &str) {
    refused(answer, 400, "HTTPBadRequest", message);
}

#[track_caller]
pub(crate) fn internal(answer: &Answer) {
    let message = "Request Failed: internal server error while processing your request.";
    refused(answer, 500, "HTTPInternalServerError", message);
}

/// What one may not see.
#[track_caller]
pub(crate) fn hidden(answer: &Answer) {
    refused(answer, 404, "HTTPNotFound", "The resource could not be found.");
}

pub(crate) fn id(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}
