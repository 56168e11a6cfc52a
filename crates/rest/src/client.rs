//! Sending.

use std::fmt;
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use reqwest::Url;
use reqwest::blocking as http;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::cause::{self, Context};
use crate::pin::Pin;
use crate::{Error, Header, Method, Options, Proxy, Request, Response, Retry, tls, url};

/// Apache closes a connection that was idle for 5 s, and a POST that meets the close cannot be repeated.
const IDLE: Duration = Duration::from_secs(4);

static REQUESTS: AtomicU64 = AtomicU64::new(0);

/// How many requests this process has put on the wire, repeats included; attempts that found no connection do
/// not count.
pub fn request_count() -> u64 {
    REQUESTS.load(Ordering::Relaxed)
}

/// A blocking HTTP/1.1 client that keeps one connection per host. Redirects are not followed, bodies are not
/// decompressed, there are no cookies. A clone shares the connections.
#[derive(Clone)]
pub struct Client {
    http: http::Client,
    pin: Option<Pin>,
    connect_timeout: Duration,
    timeout: Duration,
    max_body: usize,
}

impl Client {
    /// Builds a client; nothing is sent, and no certificate of the system is read. It has a thread of its own.
    ///
    /// # Errors
    /// [`Error::Options`] for a CA bundle, client certificate, server name, proxy or user agent that cannot be
    /// used.
    pub fn new(options: Options) -> Result<Client, Error> {
        let pin = Pin::new(&options);
        let tls = tls::config(&options)?;
        let Options { proxy, connect_timeout, timeout, user_agent, max_body, .. } = options;
        let mut builder = http::Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(connect_timeout)
            .pool_max_idle_per_host(1)
            .pool_idle_timeout(IDLE)
            .user_agent(header_value(user_agent)?);
        builder = match proxy {
            Proxy::Environment => builder,
            Proxy::None => builder.no_proxy(),
            Proxy::Url(url) => builder.proxy(http_proxy(&url)?),
        };
        if let Some(pin) = &pin {
            builder = builder.dns_resolver(pin.resolver());
        }
        let http = builder.build().map_err(|error| Error::Options {
            what: "HTTP options",
            problem: cause::describe(&error.without_url()),
        })?;
        Ok(Client { http, pin, connect_timeout, timeout, max_body })
    }

    /// The same client, over the same connections, with another limit for one attempt. The limit for connecting
    /// stays; where it is the longer one, a connection that takes too long counts as a request that may have
    /// been sent.
    #[must_use]
    pub fn with_timeout(&self, timeout: Duration) -> Client {
        Client { timeout, ..self.clone() }
    }

    /// Sends a request, again as `retry` says, and reads the answer to its end. Every HTTP status is `Ok`.
    ///
    /// # Errors
    /// Of the last attempt: one of the [transport](Error::is_transport) errors, [`Error::TooLarge`];
    /// [`Error::Url`] and [`Error::Header`] before anything is sent.
    pub fn send(&self, request: &Request, retry: &Retry) -> Result<Response, Error> {
        let clock = retry.clock();
        let start = clock.now();
        let mut attempt = 0;
        loop {
            let outcome = self.attempt(request);
            let elapsed = clock.now().saturating_duration_since(start);
            let Some(pause) = retry.pause(attempt, elapsed, &outcome) else { return outcome };
            attempt += 1;
            log::debug!(
                "{} {}: attempt {} in {:.1} s",
                request.method,
                url::without_login(&request.url),
                attempt + 1,
                pause.as_secs_f64()
            );
            clock.sleep(pause);
        }
    }

    fn attempt(&self, request: &Request) -> Result<Response, Error> {
        let start = Instant::now();
        let outcome = self.exchange(request, start);
        let (method, shown, took) = (request.method, url::without_login(&request.url), start.elapsed());
        match &outcome {
            Ok(response) => {
                log::debug!(
                    "{method} {shown}: {} ({} bytes, {took:.1?})",
                    response.status,
                    response.body.len()
                );
            }
            Err(error) => log::debug!("{method} {shown}: {error} ({took:.1?})"),
        }
        outcome
    }

    fn exchange(&self, request: &Request, start: Instant) -> Result<Response, Error> {
        let mut target = parse(&request.url)?;
        let peer = peer(&target);
        let context = Context { peer: &peer, connect_timeout: self.connect_timeout, timeout: self.timeout };
        let mut headers = headers(&request.headers)?;
        if let Some(pinned) = self.pin.as_ref().map(|pin| pin.apply(&target, &peer)).transpose()?.flatten() {
            target = pinned.url;
            if let Ok(host) = HeaderValue::try_from(pinned.host) {
                headers.insert(reqwest::header::HOST, host);
            }
        }
        let mut builder =
            self.http.request(method(request.method), target).headers(headers).timeout(self.timeout);
        if let Some(body) = &request.body {
            builder = builder.body(body.clone());
        }
        let sent = builder.send().map_err(|error| cause::classify(error, &context));
        if !sent.as_ref().is_err_and(Error::is_connect) {
            REQUESTS.fetch_add(1, Ordering::Relaxed);
        }
        let mut answer = sent?;
        let status = answer.status().as_u16();
        let headers = answer
            .headers()
            .iter()
            .filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned())))
            .collect();
        let body = self.read(&mut answer, start, &context)?;
        Ok(Response { status, headers, body })
    }

    /// Reads the body; the HTTP library's time limit is per read, ours is for the whole.
    fn read(
        &self,
        answer: &mut http::Response,
        start: Instant,
        context: &Context<'_>,
    ) -> Result<Vec<u8>, Error> {
        let too_large = || Error::TooLarge { peer: context.peer.to_owned(), limit: self.max_body };
        let announced = answer.content_length().unwrap_or(0);
        if announced > self.max_body as u64 {
            return Err(too_large());
        }
        let mut body = Vec::with_capacity(announced as usize);
        let mut chunk = [0; 16 << 10];
        loop {
            let length = answer.read(&mut chunk).map_err(|error| cause::classify_read(error, context))?;
            if length == 0 {
                return Ok(body);
            }
            if body.len() + length > self.max_body {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk[..length]);
            if start.elapsed() > self.timeout {
                return Err(context.timed_out(true));
            }
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("connect_timeout", &self.connect_timeout)
            .field("timeout", &self.timeout)
            .field("max_body", &self.max_body)
            .finish_non_exhaustive()
    }
}

fn parse(text: &str) -> Result<Url, Error> {
    let error = |problem: String| Error::Url { url: url::without_login(text), problem };
    let parsed = Url::parse(text).map_err(|problem| error(problem.to_string()))?;
    match parsed.scheme() {
        "http" | "https" => Ok(parsed),
        scheme => Err(error(format!("{scheme:?} is neither http nor https"))),
    }
}

/// Scheme, host and port.
fn peer(url: &Url) -> String {
    url.origin().ascii_serialization()
}

fn headers(list: &[(String, Header)]) -> Result<HeaderMap, Error> {
    let mut map = HeaderMap::with_capacity(list.len());
    for (name, header) in list {
        let error = || Error::Header { name: name.clone() };
        let key = HeaderName::try_from(name.as_str()).map_err(|_| error())?;
        let mut value = HeaderValue::try_from(header.expose()).map_err(|_| error())?;
        value.set_sensitive(matches!(header, Header::Secret(_)));
        map.insert(key, value);
    }
    Ok(map)
}

fn header_value(user_agent: String) -> Result<HeaderValue, Error> {
    let problem = format!("{user_agent:?} has characters that a header cannot carry");
    HeaderValue::try_from(user_agent).map_err(|_| Error::Options { what: "user agent", problem })
}

fn http_proxy(text: &str) -> Result<reqwest::Proxy, Error> {
    let error = |problem: &str| Error::Options {
        what: "proxy",
        problem: format!("{:?} {problem}", url::without_login(text)),
    };
    if !(text.starts_with("http://") || text.starts_with("https://")) {
        return Err(error("is neither an http:// nor an https:// URL"));
    }
    reqwest::Proxy::all(text).map_err(|_| error("is not a URL"))
}

fn method(method: Method) -> reqwest::Method {
    match method {
        Method::Get => reqwest::Method::GET,
        Method::Head => reqwest::Method::HEAD,
        Method::Post => reqwest::Method::POST,
        Method::Put => reqwest::Method::PUT,
        Method::Patch => reqwest::Method::PATCH,
        Method::Delete => reqwest::Method::DELETE,
    }
}
