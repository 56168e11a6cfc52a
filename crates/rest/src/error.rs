//! What can go wrong short of an HTTP answer.

use std::error::Error as StdError;

/// A boxed cause.
pub(crate) type Cause = Box<dyn StdError + Send + Sync>;

/// No usable answer. The text is stable: the same fault gives the same text in the next run, without
/// ephemeral ports or times, so that it can stand in a status. `peer` is scheme, host and port.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A client cannot be built from these [`Options`](crate::Options).
    #[error("cannot use the {what}: {problem}")]
    Options {
        /// Which option: "CA bundle", "client certificate", "proxy".
        what: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// The URL is not an absolute http or https URL.
    #[error("cannot use the URL {url:?}: {problem}")]
    Url {
        /// The URL, without user and password.
        url: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A header has characters that HTTP cannot carry, such as a line break.
    #[error("cannot send the header {name:?}: name or value has characters that a header cannot carry")]
    Header {
        /// Its name; the value may be a secret.
        name: String,
    },
    /// There is no connection (name unknown, refused, closed during the handshake, proxy): nothing was sent.
    #[error("cannot connect to {peer}: {problem}")]
    Connect {
        /// Whom.
        peer: String,
        /// Why.
        problem: String,
        /// The cause.
        source: Cause,
    },
    /// The two sides cannot agree on TLS: a certificate that is not trusted, has expired, has another name.
    /// Trying again will not help.
    #[error("no TLS connection to {peer}: {problem}")]
    Tls {
        /// Whom.
        peer: String,
        /// Why, and what would mend it.
        problem: String,
        /// Whether the request may have been on its way (the server refused the client certificate).
        sent: bool,
        /// The cause.
        source: Cause,
    },
    /// The time is up, for connecting or for the whole request.
    #[error("{peer} did not {} within {limit} s", if *.sent { "answer" } else { "accept a connection" })]
    Timeout {
        /// Whom.
        peer: String,
        /// The limit in seconds, rounded up.
        limit: u64,
        /// Whether the request may have reached the server.
        sent: bool,
    },
    /// The connection was cut after the request may have been sent: the server may have acted on it.
    #[error("the connection to {peer} broke: {problem}")]
    Broken {
        /// Whom.
        peer: String,
        /// How.
        problem: String,
        /// The cause.
        source: Cause,
    },
    /// The answer is larger than [`Options::max_body`](crate::Options::max_body).
    #[error("the answer of {peer} has more than {limit} bytes")]
    TooLarge {
        /// Who answered.
        peer: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// An answer is not JSON.
    #[error("the answer is not JSON: {problem} (line {line}, column {column})")]
    Json {
        /// What is wrong, without the content.
        problem: &'static str,
        /// Line, from 1.
        line: usize,
        /// Column, from 1; 0 before the first character.
        column: usize,
    },
    /// A text is not the YAML that can be read.
    #[error("not valid YAML: {problem}{}", place(*.line, *.column))]
    Yaml {
        /// What is wrong, without the content.
        problem: String,
        /// Line, from 1; 0 if not known.
        line: usize,
        /// Column, from 1; 0 if not known.
        column: usize,
    },
}

fn place(line: usize, column: usize) -> String {
    if line == 0 { String::new() } else { format!(" (line {line}, column {column})") }
}

impl Error {
    /// A time limit was reached.
    pub fn is_timeout(&self) -> bool {
        matches!(self, Error::Timeout { .. })
    }

    /// There was no connection: the request surely did not reach the server.
    pub fn is_connect(&self) -> bool {
        match self {
            Error::Connect { .. } => true,
            Error::Tls { sent, .. } | Error::Timeout { sent, .. } => !sent,
            _ => false,
        }
    }

    /// No HTTP answer came back: no connection, a timeout, a cut.
    pub fn is_transport(&self) -> bool {
        matches!(
            self,
            Error::Connect { .. } | Error::Tls { .. } | Error::Timeout { .. } | Error::Broken { .. }
        )
    }
}
