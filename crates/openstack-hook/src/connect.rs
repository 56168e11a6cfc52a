//! From the name of a Secret to a session that is logged in.

use framework::{PluginError, REASON_RECONCILE_ERROR, Secrets};
use openstack::{Cloud, Session};

use crate::{CloudRef, plugin_error};

/// The Secret key that holds the `clouds.yaml`.
pub const CLOUDS_KEY: &str = "clouds.yaml";
/// The optional Secret key that holds the CA bundle, PEM.
pub const CA_KEY: &str = "cacert";

/// Reads the Secret of `at`, takes its cloud and logs in: two requests.
///
/// # Errors
/// [`PluginError::not_ready`] if the API server or Keystone gave no usable answer; else
/// [`PluginError::group`]: the Secret, its key or the cloud is not there or cannot be used (the text names
/// Secret, namespace and key, never their content), or the login was refused
/// ([`framework::REASON_LOGIN_REFUSED`]).
pub fn connect(secrets: &Secrets<'_>, at: &CloudRef) -> Result<Session, PluginError> {
    let data = secrets.get(&at.secret_name)?;
    let origin = Origin { secret: &at.secret_name, namespace: secrets.namespace() };
    let text = |key| data.text(key).map_err(|error| origin.unusable(key, &error.to_string()));
    let clouds = text(CLOUDS_KEY)?;
    let ca_bundle = text(CA_KEY)?;
    let clouds = clouds.as_ref().map(|text| text.expose());
    let cloud = cloud(clouds, ca_bundle.as_ref().map(|text| text.expose()), &at.cloud_name, origin)?;
    let session = Session::new(cloud).map_err(|error| origin.unusable(CLOUDS_KEY, &error.to_string()))?;
    session.authenticate().map_err(plugin_error)?;
    Ok(session)
}

/// The cloud `name` out of the texts of the two keys.
fn cloud(
    clouds: Option<&str>,
    ca_bundle: Option<&str>,
    name: &str,
    origin: Origin<'_>,
) -> Result<Cloud, PluginError> {
    let clouds = clouds.ok_or_else(|| origin.unusable(CLOUDS_KEY, "the key is missing"))?;
    Cloud::from_yaml(clouds, name, ca_bundle).map_err(|error| origin.unusable(CLOUDS_KEY, &error.to_string()))
}

/// Where a text comes from, for the errors about it.
#[derive(Clone, Copy)]
struct Origin<'a> {
    secret: &'a str,
    namespace: &'a str,
}

impl Origin<'_> {
    fn unusable(self, key: &str, problem: &str) -> PluginError {
        let Self { secret, namespace } = self;
        PluginError::group(
            REASON_RECONCILE_ERROR,
            format!("secret {secret:?} in namespace {namespace:?}, key {key:?}: {problem}"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOUDS: &str = "clouds: {prod: {auth: {auth_url: 'https://keystone.example/v3', username: u, \
                          password: pa55, project_name: p, user_domain_name: d, project_domain_name: d}}}";

    fn failure(clouds: Option<&str>, name: &str) -> PluginError {
        let origin = Origin { secret: "creds", namespace: "openstack" };
        cloud(clouds, None, name, origin).map(drop).unwrap_err()
    }

    #[test]
    fn each_problem_names_secret_namespace_and_key() {
        let table = [
            (None, "prod", "the key is missing"),
            (Some("clouds: [unclosed"), "prod", "yaml"),
            (Some("just a text"), "prod", "clouds"),
            (Some(CLOUDS), "test", "\"test\" was not found"),
        ];
        for (clouds, name, problem) in table {
            let error = failure(clouds, name);
            let text = error.to_string();
            let start = "secret \"creds\" in namespace \"openstack\", key \"clouds.yaml\": ";
            assert!(text.starts_with(start) && text.contains(problem), "{text}");
            assert!(error.is_group(), "{text}");
            assert!(!error.log_text().contains("pa55"), "{text}");
        }
    }

    #[test]
    fn the_cloud_that_is_there_is_taken() {
        let origin = Origin { secret: "creds", namespace: "openstack" };
        assert!(cloud(Some(CLOUDS), None, "prod", origin).is_ok());
    }
}
