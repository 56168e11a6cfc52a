//! From the HTTP library's errors to ours: which kind, and a text that is the same from run to run.

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use rustls::{AlertDescription, CertificateError, Error as Tls, InvalidMessage};

use crate::Error;

type Dyn<'a> = &'a (dyn StdError + 'static);

/// Whom a request went to, and the limits that may have been reached.
pub(crate) struct Context<'a> {
    pub(crate) peer: &'a str,
    pub(crate) connect_timeout: Duration,
    pub(crate) timeout: Duration,
}

impl Context<'_> {
    /// A limit was reached. It is told in whole seconds: a part of one counts as one.
    pub(crate) fn timed_out(&self, sent: bool) -> Error {
        let limit = if sent { self.timeout } else { self.connect_timeout };
        let seconds = limit.as_secs() + u64::from(limit.subsec_nanos() > 0);
        Error::Timeout { peer: self.peer.to_owned(), limit: seconds, sent }
    }
}

/// Sorts an error of sending a request.
pub(crate) fn classify(error: reqwest::Error, context: &Context<'_>) -> Error {
    let error = error.without_url();
    let peer = context.peer.to_owned();
    if error.is_builder() {
        return Error::Url { url: peer, problem: innermost(&error).to_string() };
    }
    let sent = !error.is_connect();
    if error.is_timeout() || chain(&error).any(is_timed_out) {
        return context.timed_out(sent);
    }
    let tls = chain(&error).find_map(|error| error.downcast_ref::<Tls>()).map(tls_problem);
    if let Some(problem) = tls {
        return Error::Tls { peer, problem, sent, source: error.into() };
    }
    let problem = describe(&error);
    if sent {
        Error::Broken { peer, problem, source: error.into() }
    } else {
        Error::Connect { peer, problem, source: error.into() }
    }
}

/// Sorts an error of reading the body of an answer.
pub(crate) fn classify_read(error: io::Error, context: &Context<'_>) -> Error {
    let timed_out = |error: Dyn<'_>| {
        is_timed_out(error) || error.downcast_ref::<reqwest::Error>().is_some_and(reqwest::Error::is_timeout)
    };
    if chain(&error).any(timed_out) {
        return context.timed_out(true);
    }
    Error::Broken { peer: context.peer.to_owned(), problem: describe(&error), source: error.into() }
}

fn is_timed_out(error: Dyn<'_>) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::TimedOut)
}

/// The error and its causes. An `io::Error` hides what it wraps from `source()`.
fn chain(error: Dyn<'_>) -> impl Iterator<Item = Dyn<'_>> {
    std::iter::successors(Some(error), |error| cause(*error))
}

fn cause(error: Dyn<'_>) -> Option<Dyn<'_>> {
    match error.downcast_ref::<io::Error>() {
        Some(io) => io.get_ref().map(|inner| inner as Dyn<'_>),
        None => error.source(),
    }
}

fn innermost(error: Dyn<'_>) -> Dyn<'_> {
    chain(error).last().unwrap_or(error)
}

/// The innermost cause says it best. Of operating system errors the kind is enough.
pub(crate) fn describe(error: Dyn<'_>) -> String {
    let inner = innermost(error);
    match inner.downcast_ref::<io::Error>() {
        Some(io) if io.raw_os_error().is_some() => io.kind().to_string(),
        _ => inner.to_string(),
    }
}

/// rustls' own texts name times and print structures.
fn tls_problem(error: &Tls) -> String {
    match error {
        Tls::InvalidCertificate(certificate) => certificate_problem(certificate),
        Tls::InvalidMessage(InvalidMessage::InvalidContentType) => {
            "the server does not speak TLS: is its URL http instead of https?".to_owned()
        }
        Tls::AlertReceived(
            AlertDescription::CertificateRequired
            | AlertDescription::BadCertificate
            | AlertDescription::UnknownCA
            | AlertDescription::CertificateUnknown
            | AlertDescription::AccessDenied,
        ) => "the server wants a client certificate that it trusts".to_owned(),
        Tls::General(text) => text.clone(),
        other => other.to_string(),
    }
}

fn certificate_problem(error: &CertificateError) -> String {
    let text = match error {
        CertificateError::UnknownIssuer => {
            "the server's certificate is signed by an authority that is not trusted: configure its CA bundle"
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "the server's certificate has expired"
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "the server's certificate is not valid yet: is the clock right?"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "the server's certificate is for another name"
        }
        CertificateError::BadSignature => {
            "the server's certificate is signed by another authority of the same name: is its CA bundle out of date?"
        }
        CertificateError::Revoked => "the server's certificate is revoked",
        other => return format!("the server's certificate cannot be used: {other:?}"),
    };
    text.to_owned()
}
