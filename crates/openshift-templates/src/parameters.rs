//! The caller's parameters, put into a copy of a Template.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use crate::nearest::nearest;

/// What is wrong with one parameter. It names the parameter and never its value.
///
/// ```
/// use openshift_templates::{ParameterFault, ParameterProblem};
///
/// let problem = ParameterProblem {
///     name: "REPLICA".to_owned(),
///     fault: ParameterFault::Unknown,
///     suggestion: Some("REPLICAS".to_owned()),
/// };
/// assert_eq!(
///     problem.to_string(),
///     "\"REPLICA\" is not a parameter of the template; did you mean \"REPLICAS\"?"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterProblem {
    /// The name as the caller, or for [`ParameterFault::Generated`] the Template, has it.
    pub name: String,
    /// What is wrong.
    pub fault: ParameterFault,
    /// The Template's parameter that is nearest to a name it does not have.
    pub suggestion: Option<String>,
}

/// The ways in which a parameter can be wrong.
///
/// ```
/// use openshift_templates::ParameterFault;
///
/// assert_ne!(ParameterFault::Null, ParameterFault::List);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterFault {
    /// The Template declares no such parameter.
    Unknown,
    /// The value is null (a float that is not finite becomes one).
    Null,
    /// The value is a list.
    List,
    /// The value is an object.
    Object,
    /// The Template would have the server generate the value, another one each time: what was created under
    /// it could not be found again, and a second `create` would change it.
    Generated,
}

impl fmt::Display for ParameterProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.fault {
            ParameterFault::Unknown => "is not a parameter of the template",
            ParameterFault::Null => "is null or not finite; leave it out to keep the template's default",
            ParameterFault::List => "is a list; give a string, a boolean, an integer or a finite float",
            ParameterFault::Object => "is an object; give a string, a boolean, an integer or a finite float",
            ParameterFault::Generated => "would be generated anew each time; give it a value",
        };
        write!(f, "{:?} {text}", self.name)?;
        match &self.suggestion {
            Some(name) => write!(f, "; did you mean {name:?}?"),
            None => Ok(()),
        }
    }
}

/// How many names are looked for among the Template's; who has more wrong has another Template in mind.
const MOST_SUGGESTIONS: usize = 10;

/// A copy of `template` in which the `parameters` have these values and are not generated any more. Where a
/// Template declares a name twice the last one counts (measured), so all are set.
///
/// # Errors
/// All that is wrong, the caller's names first.
pub(crate) fn overridden(
    template: &Value,
    parameters: &BTreeMap<String, Value>,
) -> Result<Value, Vec<ParameterProblem>> {
    let mut copy = template.clone();
    let mut none = Vec::new();
    let declared = copy.get_mut("parameters").and_then(Value::as_array_mut).unwrap_or(&mut none);
    let places = places(declared);
    let mut problems: Vec<ParameterProblem> = Vec::new();
    for (name, value) in parameters {
        let known = places.get(name);
        match (text(value), known) {
            (Ok(text), Some(places)) => {
                for &place in places {
                    set(&mut declared[place], text.clone());
                }
            }
            (outcome, _) => {
                let names = declared.iter().filter_map(|parameter| parameter["name"].as_str());
                let meant = (known.is_none() && problems.len() < MOST_SUGGESTIONS)
                    .then(|| nearest(name, names))
                    .flatten();
                problems.push(ParameterProblem {
                    name: name.clone(),
                    fault: outcome.err().unwrap_or(ParameterFault::Unknown),
                    suggestion: meant.map(str::to_owned),
                });
            }
        }
    }
    let generated =
        declared.iter().filter(|parameter| is_unresolved(parameter) && !is_given(parameter, parameters));
    problems.extend(generated.map(|parameter| ParameterProblem {
        name: parameter["name"].as_str().unwrap_or_default().to_owned(),
        fault: ParameterFault::Generated,
        suggestion: None,
    }));
    if problems.is_empty() { Ok(copy) } else { Err(problems) }
}

/// Where each name is declared.
fn places(declared: &[Value]) -> BTreeMap<String, Vec<usize>> {
    let mut places = BTreeMap::<_, Vec<_>>::new();
    for (place, parameter) in declared.iter().enumerate() {
        if let Some(name) = parameter["name"].as_str() {
            places.entry(name.to_owned()).or_default().push(place);
        }
    }
    places
}

fn set(parameter: &mut Value, text: String) {
    if let Some(parameter) = parameter.as_object_mut() {
        parameter.remove("generate");
        parameter.remove("from");
        parameter.insert("value".to_owned(), Value::String(text));
    }
}

/// The caller named it, if only with a value that cannot be used: that is said once.
fn is_given(parameter: &Value, parameters: &BTreeMap<String, Value>) -> bool {
    parameter["name"].as_str().is_some_and(|name| parameters.contains_key(name))
}

/// A value that is not empty always wins over `generate` (measured).
fn is_unresolved(parameter: &Value) -> bool {
    let is_set = |field: &str| parameter[field].as_str().is_some_and(|text| !text.is_empty());
    is_set("generate") && !is_set("value")
}

fn text(value: &Value) -> Result<String, ParameterFault> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Bool(flag) => Ok(flag.to_string()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Null => Err(ParameterFault::Null),
        Value::Array(_) => Err(ParameterFault::List),
        Value::Object(_) => Err(ParameterFault::Object),
    }
}

#[cfg(test)]
#[path = "parameters_tests.rs"]
mod tests;
