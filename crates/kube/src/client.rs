//! Requests to an API server.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rest::{RETRY_BUDGET, Request, Retry, Secret};
use serde_json::Value;

use crate::config::{self, Auth};
use crate::{Config, Error, Refusal, Resource, SecretData};

/// What is repeated: overload, and an API server that goes or comes. Not 500: that is mostly about the request.
const REPEATED: &[u16] = &[429, 502, 503, 504];

/// A connection to one API server. Requests are made one after the other, over one connection.
///
/// GETs and merge patches are repeated on 429, 502, 503, 504 and broken connections for up to 20 s (a merge
/// patch done twice is done once). A token that comes from a file is read when it is first needed and again
/// when the server answers 401, after which the request is sent once more.
pub struct Client {
    http: rest::Client,
    server: String,
    namespace: String,
    auth: Auth,
    /// The token last read from [`Auth::TokenFile`].
    token: Mutex<Option<Secret>>,
    retry: Retry,
}

impl Client {
    /// A client for this configuration. Nothing is sent.
    ///
    /// # Errors
    /// [`Error::Rest`] if certificates or proxy cannot be used.
    pub fn new(config: Config) -> Result<Client, Error> {
        let Config { server, namespace, auth, options } = config;
        Ok(Client {
            http: rest::Client::new(options)?,
            server: server.trim_end_matches('/').to_owned(),
            namespace,
            auth,
            token: Mutex::default(),
            retry: Retry::new(RETRY_BUDGET, REPEATED),
        })
    }

    /// A client for the configuration that [`Config::load`] finds.
    ///
    /// # Errors
    /// As [`Config::load`] and [`Client::new`].
    pub fn connect() -> Result<Client, Error> {
        Client::new(Config::load()?)
    }

    /// The same client with another retry policy, for tests.
    #[must_use]
    pub fn with_retry(self, retry: Retry) -> Client {
        Client { retry, ..self }
    }

    /// The namespace of the configuration: the pod's own, or the kubeconfig context's.
    pub fn default_namespace(&self) -> &str {
        &self.namespace
    }

    /// Reads one object. `namespace` is `None` for cluster-scoped resources.
    ///
    /// # Errors
    /// [`Error::Refused`], of it [`is_not_found`](Error::is_not_found); [`Error::Rest`]; [`Error::Name`] for an
    /// empty name or namespace; [`Error::Answer`].
    pub fn get(&self, resource: &Resource, namespace: Option<&str>, name: &str) -> Result<Value, Error> {
        let what = describe("get", resource, namespace, Some(name));
        self.object(what, Request::get(self.url(&resource.object(namespace, name)?)))
    }

    /// Changes one object by a JSON merge patch (RFC 7386), and returns it as it is afterwards. With
    /// `metadata.resourceVersion` in the patch, an object changed in between is a
    /// [conflict](Error::is_conflict).
    ///
    /// # Errors
    /// As [`get`](Client::get).
    pub fn merge_patch(
        &self,
        resource: &Resource,
        namespace: Option<&str>,
        name: &str,
        patch: &Value,
    ) -> Result<Value, Error> {
        let what = describe("patch", resource, namespace, Some(name));
        self.patch(what, &resource.object(namespace, name)?, patch)
    }

    /// [`merge_patch`](Client::merge_patch) on the `status` subresource: all but `status` (and
    /// `metadata.resourceVersion`) is ignored by the server.
    ///
    /// # Errors
    /// As [`get`](Client::get).
    pub fn merge_patch_status(
        &self,
        resource: &Resource,
        namespace: Option<&str>,
        name: &str,
        patch: &Value,
    ) -> Result<Value, Error> {
        let what = describe("patch status of", resource, namespace, Some(name));
        self.patch(what, &format!("{}/status", resource.object(namespace, name)?), patch)
    }

    /// Reads a Secret.
    ///
    /// # Errors
    /// As [`get`](Client::get).
    pub fn secret(&self, namespace: &str, name: &str) -> Result<SecretData, Error> {
        let object = self.get(&Resource::core("secrets"), Some(namespace), name)?;
        Ok(SecretData::read(format!("{namespace}/{name}"), &object))
    }

    fn patch(&self, what: String, path: &str, patch: &Value) -> Result<Value, Error> {
        self.object(what, Request::patch(self.url(path)).json_as("application/merge-patch+json", patch))
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.server)
    }

    /// Sends a request whose answer must be a JSON object.
    pub(crate) fn object(&self, what: String, request: Request) -> Result<Value, Error> {
        let request = request.header("Accept", "application/json");
        let mut response = self.http.send(&self.signed(&request, false)?, &self.retry)?;
        if response.status == 401 && matches!(self.auth, Auth::TokenFile(_)) {
            log::debug!("{what}: 401, reading the token file again");
            response = self.http.send(&self.signed(&request, true)?, &self.retry)?;
        }
        if !response.is_success() {
            return Err(Error::refused(Refusal::read(what, &response)));
        }
        match response.json() {
            Ok(object @ Value::Object(_)) => Ok(object),
            _ => Err(Error::Answer { request: what, expected: "a JSON object" }),
        }
    }

    /// The request with credentials; `renew` reads a token file again.
    fn signed(&self, request: &Request, renew: bool) -> Result<Request, Error> {
        let authorization = match &self.auth {
            Auth::None => return Ok(request.clone()),
            Auth::Token(token) => bearer(token),
            Auth::TokenFile(path) => {
                let mut known = self.token.lock().unwrap_or_else(PoisonError::into_inner);
                let token = match known.take().filter(|_| !renew) {
                    Some(token) => token,
                    None => config::read_token(path)?,
                };
                bearer(known.insert(token))
            }
            Auth::Basic { username, password } => {
                format!("Basic {}", STANDARD.encode(format!("{username}:{}", password.expose())))
            }
        };
        Ok(request.clone().secret_header("Authorization", authorization))
    }
}

fn bearer(token: &Secret) -> String {
    format!("Bearer {}", token.expose())
}

/// `get secrets default/x`, `list widgets.example.com in m1`.
pub(crate) fn describe(
    verb: &str,
    resource: &Resource,
    namespace: Option<&str>,
    name: Option<&str>,
) -> String {
    match (namespace, name) {
        (Some(namespace), Some(name)) => format!("{verb} {resource} {namespace}/{name}"),
        (None, Some(name)) => format!("{verb} {resource} {name}"),
        (Some(namespace), None) => format!("{verb} {resource} in {namespace}"),
        (None, None) => format!("{verb} {resource}"),
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("server", &self.server)
            .field("namespace", &self.namespace)
            .finish_non_exhaustive()
    }
}
