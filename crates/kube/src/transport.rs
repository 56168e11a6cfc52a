//! The HTTP client under a [`Client`](crate::Client), shared by its clones.

use std::sync::{Mutex, PoisonError};

use rest::{Options, Secret};

use crate::Error;

/// A client and the certificate that it was built with: another certificate needs other connections.
pub(crate) struct Transport(Mutex<(Option<Secret>, rest::Client)>);

impl Transport {
    pub(crate) fn new(options: &Options) -> Result<Transport, Error> {
        Ok(Transport(Mutex::new((options.identity.clone(), rest::Client::new(options.clone())?))))
    }

    /// The HTTP client that shows the certificate `identity`, or that of `options` if there is none; with the
    /// time limit of `options` for one attempt.
    pub(crate) fn client(&self, options: &Options, identity: Option<&Secret>) -> Result<rest::Client, Error> {
        let identity = identity.or(options.identity.as_ref());
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if current.0.as_ref() != identity {
            let options = Options { identity: identity.cloned(), ..options.clone() };
            *current = (options.identity.clone(), rest::Client::new(options)?);
        }
        Ok(current.1.with_timeout(options.timeout))
    }
}
