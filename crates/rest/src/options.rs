//! How a client connects.

use std::fmt;
use std::time::Duration;

use crate::{Secret, url};

/// Which certificate authorities are trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Roots {
    /// Those of the system (`SSL_CERT_FILE` and `SSL_CERT_DIR` are honoured). They are read when the first
    /// https connection is made, once per process: a client that is built and not used costs nothing, and one
    /// that speaks only http works in an image without them.
    #[default]
    System,
    /// The certificates of this PEM bundle, and no others.
    Only(Vec<u8>),
}

/// Which proxy requests go through.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Proxy {
    /// As `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` say, in either case.
    #[default]
    Environment,
    /// None, whatever the environment says.
    None,
    /// This one (`http://` or `https://`) for every request; it may carry `user:password@`.
    Url(String),
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proxy::Environment => f.write_str("Environment"),
            Proxy::None => f.write_str("None"),
            Proxy::Url(text) => write!(f, "Url({:?})", url::without_login(text)),
        }
    }
}

/// What a [`Client`](crate::Client) is built from.
#[derive(Clone, Debug)]
pub struct Options {
    /// Trusted authorities. Default: the system's.
    pub roots: Roots,
    /// Client certificate: a PEM text with the private key (unencrypted) and the certificate chain, in any order.
    pub identity: Option<Secret>,
    /// Accept any server certificate. Default: no.
    pub insecure: bool,
    /// The name that the server's certificate must carry, and that is asked for with SNI, when it is not the
    /// URL's host (an address behind a tunnel). Through a proxy only the check is done, SNI stays the URL's.
    pub tls_server_name: Option<String>,
    /// Default: from the environment.
    pub proxy: Proxy,
    /// For TCP and TLS together. Default: 5 s.
    pub connect_timeout: Duration,
    /// For one attempt, from its start to the last byte of the answer. Default: 30 s.
    pub timeout: Duration,
    /// The `User-Agent` header. Default: `openstack-sync/<version>`.
    pub user_agent: String,
    /// The largest answer that is read, in bytes. Default: 64 MiB.
    pub max_body: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            roots: Roots::System,
            identity: None,
            insecure: false,
            tls_server_name: None,
            proxy: Proxy::Environment,
            connect_timeout: Duration::from_secs(5),
            timeout: Duration::from_secs(30),
            user_agent: concat!("openstack-sync/", env!("CARGO_PKG_VERSION")).to_owned(),
            max_body: 64 << 20,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_neither_key_nor_proxy_password() {
        let options = Options {
            identity: Some(Secret::new("-----BEGIN PRIVATE KEY-----")),
            proxy: Proxy::Url("http://me:hunter2@proxy:3128".to_owned()),
            ..Options::default()
        };
        let text = format!("{options:?}");
        assert!(!text.contains("hunter2") && !text.contains("BEGIN"), "{text}");
        assert!(text.contains("proxy:3128"), "{text}");
    }
}
