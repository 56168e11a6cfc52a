//! The probe itself.

use framework::{PluginError, Secrets};
use openstack_hook::{CloudRef, connect, plugin_error};

/// Logs in with the credentials `at` and has Keystone check the token: three requests.
///
/// # Errors
/// Whatever went wrong; a token that Keystone does not know is an error like any other.
pub(crate) fn probe(secrets: &Secrets<'_>, at: &CloudRef) -> Result<(), PluginError> {
    connect(secrets, at)?.check_token().map_err(plugin_error)
}
