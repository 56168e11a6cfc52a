//! `spec.cloudCredentialsRef`.

use std::fmt;

use framework::PluginError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Which cloud a CR is about: a Secret in its namespace and an entry of the `clouds.yaml` in it. Names only.
///
/// `Display` is `secret/cloud`; the order is by Secret, then cloud, the order in which groups are served.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CloudRef {
    /// Name of the Secret.
    pub secret_name: String,
    /// Key below `clouds` in its `clouds.yaml`.
    pub cloud_name: String,
}

impl CloudRef {
    /// Reads `cloudCredentialsRef` out of a CR's raw spec, whatever else is in it.
    ///
    /// # Errors
    /// [`PluginError::invalid_spec`] if it is missing or not an object, or if `secretName` or `cloudName`
    /// in it is missing, not a string or blank.
    pub fn from_spec(spec: &Value) -> Result<Self, PluginError> {
        let invalid =
            |problem: &str| PluginError::invalid_spec(format!("spec.cloudCredentialsRef {problem}"));
        match spec.get("cloudCredentialsRef") {
            None | Some(Value::Null) => Err(invalid("is missing: name the secretName and cloudName to use")),
            Some(Value::Object(fields)) => {
                Ok(Self { secret_name: name(fields, "secretName")?, cloud_name: name(fields, "cloudName")? })
            }
            Some(_) => Err(invalid("is not an object with secretName and cloudName")),
        }
    }
}

fn name(fields: &Map<String, Value>, key: &str) -> Result<String, PluginError> {
    let problem = match fields.get(key) {
        Some(Value::String(name)) if !name.trim().is_empty() => return Ok(name.clone()),
        Some(Value::String(_)) => "is blank",
        None | Some(Value::Null) => "is missing",
        Some(_) => "is not a string",
    };
    Err(PluginError::invalid_spec(format!("spec.cloudCredentialsRef.{key} {problem}")))
}

impl fmt::Display for CloudRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.secret_name, self.cloud_name)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reference_is_read_from_a_spec_that_has_more() {
        let spec = json!({"name": 7, "cloudCredentialsRef": {"secretName": "s", "cloudName": "c", "x": 1}});
        let cloud = CloudRef::from_spec(&spec).unwrap();
        assert_eq!(cloud.to_string(), "s/c");
        assert_eq!(serde_json::to_value(&cloud).unwrap(), json!({"secretName": "s", "cloudName": "c"}));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let table = [
            (json!({}), "spec.cloudCredentialsRef is missing: name the secretName and cloudName to use"),
            (json!(null), "spec.cloudCredentialsRef is missing: name the secretName and cloudName to use"),
            (
                json!({"cloudCredentialsRef": "s/c"}),
                "spec.cloudCredentialsRef is not an object with secretName and cloudName",
            ),
            (
                json!({"cloudCredentialsRef": {"cloudName": "c"}}),
                "spec.cloudCredentialsRef.secretName is missing",
            ),
            (
                json!({"cloudCredentialsRef": {"secretName": "s", "cloudName": " "}}),
                "spec.cloudCredentialsRef.cloudName is blank",
            ),
            (
                json!({"cloudCredentialsRef": {"secretName": ["s"], "cloudName": "c"}}),
                "spec.cloudCredentialsRef.secretName is not a string",
            ),
        ];
        for (spec, text) in table {
            let error = CloudRef::from_spec(&spec).unwrap_err();
            assert_eq!(error.to_string(), text);
            assert!(error.is_invalid_spec(), "{text}");
        }
    }

    #[test]
    fn groups_are_ordered_by_secret_then_cloud() {
        let at =
            |secret: &str, cloud: &str| CloudRef { secret_name: secret.into(), cloud_name: cloud.into() };
        assert!(at("a", "z") < at("b", "a") && at("b", "a") < at("b", "b"));
    }
}
