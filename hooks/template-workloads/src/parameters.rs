//! The parameters of a CR, with those that are in Secrets.

use std::collections::BTreeMap;

use framework::PluginError;
use openshift_templates::kube::SecretData;
use serde_json::Value;

use crate::Conn;
use crate::errors::request_error;
use crate::spec::Spec;

/// The values of all parameters that the spec names. One request for each Secret.
///
/// # Errors
/// [`PluginError::cr`] if a Secret, or its key, is not there or is no text; those of the requests.
pub fn resolve(conn: &Conn, spec: &Spec) -> Result<BTreeMap<String, Value>, PluginError> {
    let mut values = spec.parameters.0.clone();
    let mut secrets: BTreeMap<&str, SecretData> = BTreeMap::new();
    for from in &spec.parameters_from {
        let name = from.secret_name.as_str();
        if !secrets.contains_key(name) {
            secrets.insert(name, read(conn, name)?);
        }
        let text = secrets[name].text(from.key()).map_err(|error| PluginError::cr(error.to_string()))?;
        let Some(text) = text else {
            return Err(PluginError::cr(format!(
                "secret {name:?} in namespace {:?} has no key {:?}",
                conn.namespace,
                from.key()
            )));
        };
        values.insert(from.parameter.clone(), text.expose().into());
    }
    Ok(values)
}

fn read(conn: &Conn, name: &str) -> Result<SecretData, PluginError> {
    let namespace = conn.namespace.as_str();
    conn.client.kube().secret(namespace, name).map_err(|error| {
        if error.names_object(name) {
            return PluginError::cr(format!("secret {name:?} does not exist in namespace {namespace:?}"));
        }
        request_error(error)
    })
}
