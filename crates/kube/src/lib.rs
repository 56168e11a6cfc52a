//! A small blocking Kubernetes client: configuration as kubectl and pods find it, get, list, merge patches,
//! server-side apply, delete, discovery, Secrets, and errors that say what the API server meant.
//!
//! Objects are [`serde_json::Value`]s. There are no watches and no caches: the operator around us has them.
//!
//! ```no_run
//! use kube::{Client, Resource};
//!
//! let client = Client::connect()?;
//! let flavors = Resource::new("neutron.understack.rackspace.net", "v1alpha1", "neutronrouterflavors");
//! for flavor in client.list(&flavors, Some(client.default_namespace()))? {
//!     println!("{}", flavor["metadata"]["name"]);
//! }
//! # Ok::<(), kube::Error>(())
//! ```

mod client;
mod config;
mod credentials;
mod discovery;
mod error;
mod exec;
mod list;
mod resource;
mod secret;
mod status;
mod transport;
mod write;

pub use client::Client;
pub use config::{Auth, Config, Source};
pub use discovery::Kind;
pub use error::Error;
pub use exec::Exec;
pub use resource::{Resource, is_namespace};
pub use secret::SecretData;
pub use status::{Cause, Refusal};
pub use write::DeleteOptions;
