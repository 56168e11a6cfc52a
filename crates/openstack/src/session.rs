//! A logged-in connection to one cloud.

use crate::answer::{Answer, Asked};
use crate::error::NoAnswer;
use crate::identity::{Token, login_body};
use crate::{Cloud, Error, cloud};
use rest::{Client, Method, Request, Response, Retry, Secret};
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

/// What is tried again (for a POST nothing but a connection that was refused): too many
/// requests, and the three statuses by which proxies and services say "not now".
const RETRIED: &[u16] = &[429, 502, 503, 504];

/// A connection to one cloud. The token is got with the first request that needs it, is kept in
/// memory only, and is got anew once when a service no longer accepts it. Not for several threads.
pub struct Session {
    cloud: Cloud,
    client: Client,
    token: RefCell<Option<Token>>,
    clock: Option<Arc<dyn rest::Clock>>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("cloud", &self.cloud)
            .field("token", &self.token)
            .finish_non_exhaustive()
    }
}

impl Session {
    /// Prepares a connection; no request is made.
    ///
    /// # Errors
    /// [`Error::Client`] if the CA bundle, the client certificate or the proxy cannot be used.
    pub fn new(cloud: Cloud) -> Result<Self, Error> {
        if cloud.options().insecure {
            log::warn!("cloud {:?}: the servers' certificates are not verified", cloud.name());
        }
        let client = Client::new(cloud.options().clone())
            .map_err(|cause| Error::Client { cloud: cloud.name().to_owned(), cause })?;
        Ok(Self { cloud, client, token: RefCell::new(None), clock: None })
    }

    /// The same session with another clock for the pauses between attempts, for tests.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn rest::Clock>) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// Gets a token if there is none yet.
    ///
    /// # Errors
    /// [`Error::is_login_refused`] if Keystone says no, [`Error::is_unavailable`] if it cannot be asked.
    pub fn authenticate(&self) -> Result<(), Error> {
        if self.token.borrow().is_none() {
            let token = self.login()?;
            *self.token.borrow_mut() = Some(token);
        }
        Ok(())
    }

    /// Asks Keystone whether our token is good (`GET /v3/auth/tokens`), logging in first if need be.
    ///
    /// # Errors
    /// Any answer but 200; there is no second login.
    pub fn check_token(&self) -> Result<(), Error> {
        let url = format!("{}/auth/tokens", self.cloud.auth().url);
        let token = self.token()?;
        let request = Request::get(&url).secret_header("X-Subject-Token", token.clone());
        let response = self.send(with_token(request, &token), Repeat::Always)?;
        if response.status == 200 {
            return Ok(());
        }
        let secrets = [&token, self.cloud.auth().secret()];
        let answer = Answer::read(name(Method::Get, &url), Asked::Token, &response, &secrets);
        Err(Error::Answer(Box::new(answer)))
    }

    /// The URL of a service, by its official type or an alias, without a slash at the end. For
    /// `network` it ends in `/v2.0`. Logs in if the URL has to come from the catalogue.
    ///
    /// # Errors
    /// Those of the login, and one for each thing the catalogue can lack: service, region, interface.
    pub fn endpoint(&self, service_type: &str) -> Result<String, Error> {
        let service = self.cloud.service(service_type);
        let given = service.endpoint_override.is_some();
        let url = match &service.endpoint_override {
            Some(url) if !cloud::needs_token(url) => url.trim_end_matches('/').to_owned(),
            Some(url) => self.with_catalog(|token| {
                let filled = cloud::fill_in(url, token.project_id.as_deref(), token.user_id.as_deref());
                filled.map(|url| url.trim_end_matches('/').to_owned()).map_err(|placeholder| {
                    Error::Placeholder { service: service_type.to_owned(), placeholder }
                })
            })?,
            None => self.with_catalog(|token| token.catalog.url(&service))?,
        };
        Ok(if service_type == "network" { network_url(url, given) } else { url })
    }

    /// One call of a service, with a token.
    ///
    /// GET, PUT and DELETE are tried again while the service is not there; a POST only if there
    /// was no connection, and an answer that leaves its outcome open is
    /// [`Error::OutcomeUnknown`]. A 401 costs one new login and one replay.
    pub(crate) fn call(&self, request: &Request) -> Result<Response, Error> {
        let name = name(request.method, &request.url);
        let mut token = self.token()?;
        let mut response = self.try_call(request, &token)?;
        if response.status == 401 && self.cloud.auth().can_renew() {
            self.token.replace(None);
            token = self.token()?;
            response = self.try_call(request, &token)?;
        }
        if response.is_success() {
            return Ok(response);
        }
        let answer = Box::new(Answer::read(name.clone(), Asked::Service, &response, &[&token]));
        Err(match answer.status() {
            401 if !self.cloud.auth().can_renew() => Error::TokenExpired(answer),
            // A gateway does not know what became of the request it passed on.
            502..=504 if request.method == Method::Post && !answer.is_of_the_service() => {
                Error::OutcomeUnknown { request: name, cause: Box::new(Error::Answer(answer)) }
            }
            _ => Error::Answer(answer),
        })
    }

    fn try_call(&self, request: &Request, token: &Secret) -> Result<Response, Error> {
        let repeat = match request.method {
            Method::Post | Method::Patch => Repeat::Unsent,
            _ => Repeat::Always,
        };
        let sent = self.send(with_token(request.clone(), token), repeat);
        sent.map_err(|error| match &error {
            Error::NoAnswer(failure)
                if request.method == Method::Post && may_have_arrived(&failure.cause) =>
            {
                Error::OutcomeUnknown { request: failure.request.clone(), cause: Box::new(error) }
            }
            _ => error,
        })
    }

    fn send(&self, request: Request, repeat: Repeat) -> Result<Response, Error> {
        let request = request.header("Accept", "application/json");
        let retry = match repeat {
            Repeat::Always => Retry::new(rest::RETRY_BUDGET, RETRIED),
            Repeat::Unsent => Retry::unsent(rest::RETRY_BUDGET),
        };
        let retry = match &self.clock {
            Some(clock) => retry.with_clock(clock.clone()),
            None => retry,
        };
        let sent = self.client.send(&request, &retry);
        sent.map_err(|cause| Error::NoAnswer(NoAnswer { request: name(request.method, &request.url), cause }))
    }

    fn token(&self) -> Result<Secret, Error> {
        self.with_catalog(|token| Ok(token.value.clone()))
    }

    fn with_catalog<T>(&self, read: impl FnOnce(&Token) -> Result<T, Error>) -> Result<T, Error> {
        self.authenticate()?;
        let token = self.token.borrow();
        // authenticate() has just put it there.
        read(token.as_ref().ok_or(Error::NoCatalog)?)
    }

    /// A token is nothing that exists twice: unlike other POSTs, this one may be repeated.
    fn login(&self) -> Result<Token, Error> {
        let auth = self.cloud.auth();
        let url = format!("{}/auth/tokens", auth.url);
        let name = name(Method::Post, &url);
        log::debug!("logging in to cloud {:?}", self.cloud.name());
        let response = self.send(Request::post(&url).json(&login_body(auth)), Repeat::Always)?;
        if response.status == 401 && response.header("openstack-auth-receipt").is_some() {
            return Err(Error::MultiFactor);
        }
        if !response.is_success() {
            let answer = Answer::read(name, Asked::Login, &response, &[auth.secret()]);
            return Err(Error::Answer(Box::new(answer)));
        }
        Token::read(&response).map_err(|problem| Error::Unexpected { request: name, problem })
    }
}

fn with_token(request: Request, token: &Secret) -> Request {
    request.secret_header("X-Auth-Token", token.clone())
}

/// When a request is sent again.
#[derive(Clone, Copy)]
enum Repeat {
    /// While the service is not there or the connection breaks.
    Always,
    /// Only if there was no connection.
    Unsent,
}

/// False only if the request surely never left.
fn may_have_arrived(error: &rest::Error) -> bool {
    !error.is_connect()
        && !matches!(
            error,
            rest::Error::Options { .. } | rest::Error::Url { .. } | rest::Error::Header { .. }
        )
}

/// `GET /v2.0/flavors`: method and path, without the query, which may differ from run to run.
pub(crate) fn name(method: Method, url: &str) -> String {
    let path = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = path.find('/').map_or("/", |start| &path[start..]);
    let path = path.split(['?', '#']).next().unwrap_or(path);
    format!("{} {path}", method.as_str())
}

/// Neutron has one version and, unlike others, does not say it in the catalogue. An override is
/// taken as it is, as openstacksdk does, unless it is a bare host.
fn network_url(url: String, given: bool) -> String {
    let versioned = url.rsplit('/').next() == Some("v2.0");
    let bare = url.split_once("://").is_some_and(|(_, rest)| !rest.contains('/'));
    if versioned || (given && !bare) { url } else { format!("{url}/v2.0") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_url_gets_its_version_once() {
        for (url, given, expected) in [
            ("http://h:9696", false, "http://h:9696/v2.0"),
            ("http://h/network", false, "http://h/network/v2.0"),
            ("http://h/v2.0", false, "http://h/v2.0"),
            ("http://h:9696", true, "http://h:9696/v2.0"),
            ("http://h/v2.0", true, "http://h/v2.0"),
            ("http://h/mapped", true, "http://h/mapped"),
        ] {
            assert_eq!(network_url(url.to_owned(), given), expected, "{url} {given}");
        }
    }

    #[test]
    fn a_request_is_named_by_method_and_path() {
        assert_eq!(name(Method::Get, "http://h:1/v2.0/flavors?marker=x"), "GET /v2.0/flavors");
        assert_eq!(name(Method::Delete, "https://me:pw@h/a/b"), "DELETE /a/b");
        assert_eq!(name(Method::Get, "http://h"), "GET /");
    }
}
