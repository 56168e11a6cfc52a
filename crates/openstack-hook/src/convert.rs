//! What an OpenStack error means for a CR and its group.

use framework::{PluginError, REASON_LOGIN_REFUSED, REASON_RECONCILE_ERROR};
use openstack::Error;

/// Condition reason when the cloud's policy forbids what must be done: no retry helps before somebody
/// changes the role or the policy.
pub const REASON_POLICY_REFUSED: &str = "PolicyRefused";
/// All condition reasons of this crate, beside those of [`framework::REASONS`].
pub const REASONS: &[&str] = &[REASON_POLICY_REFUSED];

/// How far an error of a request, or of what comes before it, reaches.
///
/// * a refused login or token: the group, with [`REASON_LOGIN_REFUSED`];
/// * a right that is missing (403 `PolicyNotAuthorized` or `InvalidScope`, whose text names the rule): the
///   group, with [`REASON_POLICY_REFUSED`];
/// * no answer, 429 or 5xx: not ready;
/// * what no request to this cloud could mend (`clouds.yaml`, catalogue, region, endpoint): the group;
/// * anything else: this CR.
///
/// A function, and not `From`, since both types are of other crates.
pub fn plugin_error(error: Error) -> PluginError {
    let message = error.to_string();
    let made = if error.is_login_refused() || error.is_unauthorized() {
        PluginError::group(REASON_LOGIN_REFUSED, message)
    } else if error.is_policy() {
        PluginError::group(REASON_POLICY_REFUSED, message)
    } else if error.is_unavailable() {
        PluginError::not_ready(message)
    } else if is_about_one_request(&error) {
        PluginError::cr(message)
    } else {
        PluginError::group(REASON_RECONCILE_ERROR, message)
    };
    let request_id = error.request_id().map(str::to_owned);
    made.with_request_id(request_id.as_deref()).with_source(error)
}

/// The same for an answer to a write, where a 500 is about this one write and waiting does not help: Neutron
/// answers it to what its database cannot hold and to a binding of what is gone (measured). It fails the
/// CR, and the other CRs of the group have their turn.
pub fn write_error(error: Error) -> PluginError {
    if error.status() != Some(500) || error.is_outcome_unknown() {
        return plugin_error(error);
    }
    let request_id = error.request_id().map(str::to_owned);
    PluginError::cr(error.to_string()).with_request_id(request_id.as_deref()).with_source(error)
}

fn is_about_one_request(error: &Error) -> bool {
    error.status().is_some()
        || matches!(
            error,
            Error::Id { .. }
                | Error::NoAnswer(_)
                | Error::OutcomeUnknown { .. }
                | Error::Unexpected { .. }
                | Error::Pages { .. }
        )
}
