//! One cloud out of a `clouds.yaml` that is complete in itself.
//!
//! The rules are openstacksdk's (its configuration guide, and its loader where the guide is
//! silent), less everything that reaches outside the text: no files, no `OS_*` variables, no
//! vendor profiles, nothing executable.

mod auth;
mod boolean;
mod entry;
mod service;
mod template;
mod transport;

pub(crate) use auth::{Auth, Domain, InDomain, Method, Named, Scope};
pub(crate) use service::{Service, interface};
pub(crate) use template::{needs_token, token as fill_in};

use crate::Error;
use entry::Entry;
use rest::Options;
use service::Services;
use std::fmt;

/// How to reach and log in to one cloud. `Debug` shows no secret, and no URL, which may carry one.
pub struct Cloud {
    name: String,
    auth: Auth,
    services: Services,
    options: Options,
}

impl fmt::Debug for Cloud {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cloud")
            .field("name", &self.name)
            .field("auth", &self.auth)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Cloud {
    /// Reads the cloud `name` from the text of a `clouds.yaml`.
    ///
    /// `ca_bundle` is a PEM bundle to trust in place of the system's; it wins over `cacert`.
    ///
    /// Differences from openstacksdk: `region_name` chooses among `regions` (there it is ignored
    /// if both are given), and a `cacert`, `cert` or `key` must be PEM text.
    ///
    /// # Errors
    /// The text is not YAML, the cloud is not in it (the error lists those that are), or a key is
    /// missing or cannot be used (the error names it, and does not quote what it holds).
    pub fn from_yaml(clouds_yaml: &str, name: &str, ca_bundle: Option<&str>) -> Result<Self, Error> {
        let document = rest::yaml::parse(clouds_yaml).map_err(Error::Yaml)?;
        let entry = Entry::find(&document, name)?;
        Ok(Self {
            name: entry.name.clone(),
            auth: Auth::read(&entry)?,
            services: Services::read(&entry)?,
            options: transport::options(&entry, ca_bundle)?,
        })
    }

    /// The name in `clouds.yaml`.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn auth(&self) -> &Auth {
        &self.auth
    }

    pub(crate) fn service(&self, service_type: &str) -> Service {
        self.services.get(service_type)
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }
}

#[cfg(test)]
mod tests;
