//! Requests to an API server.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rest::{Options, RETRY_BUDGET, Request, Response, Retry, without_login};
use serde_json::Value;

use crate::credentials::{Credentials, Login};
use crate::transport::Transport;
use crate::{Config, Error, Refusal, Resource, SecretData};

/// What is repeated: overload, and an API server that goes or comes. Not 500: that is mostly about the request.
const REPEATED: &[u16] = &[429, 502, 503, 504];

/// A connection to one API server. Requests are made one after the other, over one connection. A clone shares
/// connection and credentials.
///
/// GETs and merge patches are repeated on 429, 502, 503, 504 and broken connections for up to 20 s (a merge
/// patch done twice is done once); [`post`](Client::post), [`apply`](Client::apply) and
/// [`delete`](Client::delete) are not.
///
/// A token file is read, and a credential plugin run, when a request first needs it, when what it gave has
/// expired, and again when the server answers 401, after which the request is sent once more: a 401 says that
/// nothing was done.
///
/// ```no_run
/// use std::time::Duration;
/// use kube::{Client, Config, Resource, Source};
///
/// let staging = Source { context: Some("staging".to_owned()), ..Source::default() };
/// let client = Client::new(Config::load_from(&staging)?)?.with_timeout(Duration::from_secs(5));
/// let settings = client.get(&Resource::core("configmaps"), Some("jobs"), "settings")?;
/// println!("{}", settings["data"]);
/// # Ok::<(), kube::Error>(())
/// ```
#[derive(Clone)]
pub struct Client {
    transport: Arc<Transport>,
    credentials: Arc<Credentials>,
    options: Options,
    server: String,
    namespace: String,
    retry: Retry,
}

impl Client {
    /// A client for this configuration. Nothing is sent, and no plugin is run.
    ///
    /// # Errors
    /// [`Error::Rest`] if certificates or proxy cannot be used.
    pub fn new(config: Config) -> Result<Client, Error> {
        let Config { server, namespace, auth, options } = config;
        Ok(Client {
            transport: Arc::new(Transport::new(&options)?),
            credentials: Arc::new(Credentials::new(auth, server.clone())),
            options,
            server: server.trim_end_matches('/').to_owned(),
            namespace,
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

    /// The same client with another limit for one attempt of a request, from its start to the last byte of the
    /// answer. It shares connections and credentials. The limit for connecting stays; where it is the longer
    /// one, a connection that takes too long counts as a request that may have been sent.
    #[must_use]
    pub fn with_timeout(&self, timeout: Duration) -> Client {
        let options = Options { timeout, ..self.options.clone() };
        Client { options, ..self.clone() }
    }

    /// The same client with another limit for connecting (TCP and TLS together). It shares the credentials, and
    /// has connections of its own.
    ///
    /// # Errors
    /// As [`new`](Client::new).
    pub fn with_connect_timeout(&self, connect_timeout: Duration) -> Result<Client, Error> {
        let options = Options { connect_timeout, ..self.options.clone() };
        Ok(Client { transport: Arc::new(Transport::new(&options)?), options, ..self.clone() })
    }

    /// The same client with another retry policy for GETs and merge patches: [`Retry::never`] for a program
    /// that wants to know at once, or one without pauses for tests.
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

    /// Sends a request whose answer must be a JSON object, and repeats it.
    pub(crate) fn object(&self, what: String, request: Request) -> Result<Value, Error> {
        self.answer(what, request, &self.retry)
    }

    /// Sends a request whose answer must be a JSON object, and does not repeat it.
    pub(crate) fn once(&self, what: String, request: Request) -> Result<Value, Error> {
        self.answer(what, request, &Retry::never())
    }

    fn answer(&self, what: String, request: Request, retry: &Retry) -> Result<Value, Error> {
        let request = request.header("Accept", "application/json");
        let login = self.credentials.current(&self.options)?;
        let mut response = self.send(&request, &login, retry)?;
        if response.status == 401
            && let Some(other) = self.credentials.renew(&login, &self.options)?
        {
            log::debug!("{what}: 401, trying again with new credentials");
            response = self.send(&request, &other, retry)?;
        }
        if !response.is_success() {
            return Err(Error::refused(Refusal::read(what, &response)));
        }
        match response.json() {
            Ok(object @ Value::Object(_)) => Ok(object),
            _ => Err(Error::Answer { request: what, expected: "a JSON object" }),
        }
    }

    fn send(&self, request: &Request, login: &Login, retry: &Retry) -> Result<Response, Error> {
        let mut request = request.clone();
        if let Some(value) = &login.authorization {
            request = request.secret_header("Authorization", value.clone());
        }
        let http = self.transport.client(&self.options, login.identity.as_ref())?;
        Ok(http.send(&request, retry)?)
    }
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
            .field("server", &without_login(&self.server))
            .field("namespace", &self.namespace)
            .finish_non_exhaustive()
    }
}
