//! The spec of a `TemplateWorkload`, checked while it is read.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A spec that can be served, as far as it alone can tell. No error quotes the value of a parameter.
///
/// Unknown keys are tolerated.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Raw")]
pub struct Spec {
    /// The stored Template.
    pub template: TemplateRef,
    /// Where the objects go; `None` is the CR's own namespace.
    pub target_namespace: Option<String>,
    /// Values of parameters. What they may be is checked when the Template is known.
    pub parameters: Parameters,
    /// Values of further parameters, out of Secrets in the CR's namespace.
    pub parameters_from: Vec<ParameterFrom>,
    /// What becomes of objects that are no longer described.
    pub deletion_policy: DeletionPolicy,
    /// Whether objects that have no owner are taken over.
    pub adopt: bool,
}

/// Values of parameters by name. `Debug` shows the names alone.
#[derive(Clone, PartialEq, Default)]
pub struct Parameters(pub BTreeMap<String, Value>);

impl std::fmt::Debug for Parameters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// Names a stored Template.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TemplateRef {
    /// Its name.
    pub name: String,
    /// Its namespace; `None` is the CR's own.
    #[serde(default)]
    pub namespace: Option<String>,
}

/// A parameter whose value is in a Secret.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ParameterFrom {
    /// The Template's parameter.
    pub parameter: String,
    /// The Secret, in the CR's namespace.
    pub secret_name: String,
    /// The key of the Secret; `None` stands for the name of the parameter.
    #[serde(default)]
    pub key: Option<String>,
}

impl ParameterFrom {
    /// The key of the Secret.
    pub fn key(&self) -> &str {
        self.key.as_deref().unwrap_or(&self.parameter)
    }
}

/// What becomes of an object that left the Template, and of all when the CR is deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub enum DeletionPolicy {
    /// It is deleted, if the site allows deletions.
    #[default]
    Delete,
    /// It stays, without our marks.
    Orphan,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Raw {
    template_ref: TemplateRef,
    #[serde(default)]
    target_namespace: Option<String>,
    #[serde(default, deserialize_with = "parameters")]
    parameters: BTreeMap<String, Value>,
    #[serde(default, deserialize_with = "parameters_from")]
    parameters_from: Vec<ParameterFrom>,
    #[serde(default)]
    deletion_policy: DeletionPolicy,
    #[serde(default)]
    adopt: bool,
}

fn parameters<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, Value>, D::Error> {
    quietly(from, "parameters is not a map")
}

fn parameters_from<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<ParameterFrom>, D::Error> {
    quietly(
        from,
        "parametersFrom is not a list of parameters, each with parameter, secretName and perhaps key",
    )
}

/// Reads without serde's own words, which quote what they cannot use: somebody may have put a secret there.
fn quietly<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D, problem: &str) -> Result<T, D::Error> {
    T::deserialize(from).map_err(|_| D::Error::custom(problem))
}

impl TryFrom<Raw> for Spec {
    type Error = String;

    fn try_from(raw: Raw) -> Result<Self, String> {
        let mut texts = vec![
            ("templateRef.name".to_owned(), Some(&raw.template_ref.name)),
            ("templateRef.namespace".to_owned(), raw.template_ref.namespace.as_ref()),
            ("targetNamespace".to_owned(), raw.target_namespace.as_ref()),
        ];
        for (index, from) in raw.parameters_from.iter().enumerate() {
            let field = |name: &str| format!("parametersFrom[{index}].{name}");
            texts.push((field("parameter"), Some(&from.parameter)));
            texts.push((field("secretName"), Some(&from.secret_name)));
            texts.push((field("key"), from.key.as_ref()));
        }
        if let Some((field, _)) = texts.iter().find(|(_, text)| text.is_some_and(String::is_empty)) {
            return Err(format!("{field} is empty"));
        }
        let mut named: BTreeSet<&str> = raw.parameters.keys().map(String::as_str).collect();
        if let Some(twice) = raw.parameters_from.iter().find(|from| !named.insert(&from.parameter)) {
            return Err(format!(
                "parameter {:?} is given twice, in parameters or parametersFrom",
                twice.parameter
            ));
        }
        Ok(Self {
            template: raw.template_ref,
            target_namespace: raw.target_namespace,
            parameters: Parameters(raw.parameters),
            parameters_from: raw.parameters_from,
            deletion_policy: raw.deletion_policy,
            adopt: raw.adopt,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(spec: Value) -> Result<Spec, String> {
        serde_json::from_value(spec).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_left_out_has_a_default() {
        let spec = read(json!({"templateRef": {"name": "web"}, "later": 1})).unwrap();
        assert_eq!((spec.template.namespace, spec.target_namespace), (None, None));
        assert_eq!(spec.parameters, Parameters::default());
        assert_eq!((spec.deletion_policy, spec.adopt), (DeletionPolicy::Delete, false));
        assert!(spec.parameters_from.is_empty());
    }

    #[test]
    fn a_key_is_called_as_its_parameter_unless_said_otherwise() {
        let from = json!([{"parameter": "PW", "secretName": "s"}, {"parameter": "B", "secretName": "s", "key": "b"}]);
        let spec = read(json!({"templateRef": {"name": "web"}, "parametersFrom": from})).unwrap();
        assert_eq!(spec.parameters_from.iter().map(ParameterFrom::key).collect::<Vec<_>>(), ["PW", "b"]);
    }

    #[test]
    fn what_cannot_be_served_is_named_and_no_value_is_quoted() {
        let name = json!({"name": "web"});
        for (spec, said) in [
            (json!({}), "missing field `templateRef`"),
            (json!({"templateRef": {}}), "missing field `name`"),
            (json!({"templateRef": {"name": ""}}), "templateRef.name is empty"),
            (json!({"templateRef": {"name": "web", "namespace": ""}}), "templateRef.namespace is empty"),
            (json!({"templateRef": name, "targetNamespace": ""}), "targetNamespace is empty"),
            (json!({"templateRef": name, "deletionPolicy": "Keep"}), "unknown variant `Keep`"),
            (json!({"templateRef": name, "parameters": "hunter2"}), "parameters is not a map"),
            (json!({"templateRef": name, "parametersFrom": "hunter2"}), "parametersFrom is not a list"),
            (
                json!({"templateRef": name, "parametersFrom": ["hunter2"]}),
                "parametersFrom is not a list of parameters",
            ),
            (
                json!({"templateRef": name, "parametersFrom": [{"parameter": "A", "value": "hunter2"}]}),
                "parametersFrom is not a list of parameters, each with parameter, secretName",
            ),
            (
                json!({"templateRef": name, "parametersFrom": [{"parameter": "A", "secretName": ""}]}),
                "parametersFrom[0].secretName is empty",
            ),
            (
                json!({"templateRef": name, "parameters": {"A": "hunter2"},
                    "parametersFrom": [{"parameter": "A", "secretName": "s"}]}),
                "parameter \"A\" is given twice",
            ),
        ] {
            let error = read(spec).unwrap_err();
            assert!(error.contains(said) && !error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn debug_shows_no_value() {
        let spec = read(json!({"templateRef": {"name": "web"}, "parameters": {"PW": "hunter2"}})).unwrap();
        let text = format!("{spec:?}");
        assert!(text.contains("PW") && !text.contains("hunter2"), "{text}");
    }
}
