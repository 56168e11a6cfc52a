//! A connection to one host under the name of another, for `tls_server_name`.
//!
//! The HTTP library takes the name for SNI from the URL. So the URL gets the other name, this resolver answers
//! with the addresses of the real host, and the `Host` header says what it would have said.

use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex, PoisonError};

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use rustls::pki_types::ServerName;

use crate::{Error, Options, Proxy};

#[derive(Clone)]
pub(crate) struct Pin {
    name: String,
    addresses: Arc<Mutex<Vec<SocketAddr>>>,
}

/// A URL under the other name, and the `Host` header that belongs to it.
pub(crate) struct Pinned {
    pub(crate) url: Url,
    pub(crate) host: String,
}

impl Pin {
    /// For options with another server name; not through a proxy, which would be asked for that name, and not
    /// if it is an address, which SNI cannot carry.
    pub(crate) fn new(options: &Options) -> Option<Pin> {
        let name = options.tls_server_name.clone()?;
        let is_name = matches!(ServerName::try_from(name.as_str()), Ok(ServerName::DnsName(_)));
        let direct = match options.proxy {
            Proxy::None => true,
            Proxy::Environment => !environment_has_proxy(),
            Proxy::Url(_) => false,
        };
        (is_name && direct).then(|| Pin { name, addresses: Arc::default() })
    }

    /// What answers for the other name.
    pub(crate) fn resolver(&self) -> Arc<impl Resolve + 'static> {
        Arc::new(Resolver(self.addresses.clone()))
    }

    /// Looks the host of `url` up and puts the other name in its place; `None` for what is not https.
    pub(crate) fn apply(&self, url: &Url, peer: &str) -> Result<Option<Pinned>, Error> {
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else { return Ok(None) };
        if url.scheme() != "https" {
            return Ok(None);
        }
        let found = (host.trim_matches(['[', ']']), port).to_socket_addrs();
        *self.addresses.lock().unwrap_or_else(PoisonError::into_inner) = found
            .map_err(|error| Error::Connect {
                peer: peer.to_owned(),
                problem: error.to_string(),
                source: error.into(),
            })?
            .collect();
        let authority = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        let mut renamed = url.clone();
        renamed.set_host(Some(&self.name)).map_err(|error| Error::Options {
            what: "TLS server name",
            problem: format!("{:?}: {error}", self.name),
        })?;
        Ok(Some(Pinned { url: renamed, host: authority }))
    }
}

fn environment_has_proxy() -> bool {
    ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

struct Resolver(Arc<Mutex<Vec<SocketAddr>>>);

impl Resolve for Resolver {
    fn resolve(&self, _: Name) -> Resolving {
        let addresses = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Box::pin(std::future::ready(Ok(Box::new(addresses.into_iter()) as Addrs)))
    }
}
