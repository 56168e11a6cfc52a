//! What the OpenStack hooks share: how a CR names its cloud, how the named Secret becomes a session, and
//! what an OpenStack error means for the CR and its group.
//!
//! A CR of an OpenStack hook has `spec.cloudCredentialsRef` with `secretName` and `cloudName` ([`CloudRef`]).
//! The Secret is in the CR's namespace; its key `clouds.yaml` has the cloud, and its optional key `cacert`
//! the CA bundle (PEM) that signs the cloud's certificates. Nothing else is read: no file, no `OS_*`
//! variable. [`connect()`] logs in, so that what is wrong with the credentials shows before anything is done.

mod cloud_ref;
mod connect;
mod convert;

pub use cloud_ref::CloudRef;
pub use connect::{CA_KEY, CLOUDS_KEY, connect};
pub use convert::{REASON_POLICY_REFUSED, REASONS, plugin_error, write_error};
