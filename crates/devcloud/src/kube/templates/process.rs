//! From a template to what it stands for.

use serde_json::{Map, Value};

use crate::kube::meta::json_type;
use crate::kube::status::Cause;
use crate::kube::templates::generate::generate;
use crate::kube::templates::substitute::{Parameters, substitute, text};
use crate::kube::templates::{Failure, label, legacy, namespace};
use crate::random::Ids;

/// Fills in generated values and substitutes message, labels and objects. Nothing else of the template changes.
pub(super) fn process(mut template: Value, ids: &Ids) -> Result<Value, Failure> {
    let parameters = generated(&mut template, ids)?;
    if let Some(message) = template.get("message").and_then(Value::as_str) {
        template["message"] = text(message, &parameters).into();
    }
    let labels = label::substituted(&template["labels"], &parameters);
    if !labels.is_empty() {
        template["labels"] = labels.clone().into();
    }
    let mut causes = Vec::new();
    for (index, object) in list(&mut template, "objects").flatten().enumerate() {
        decodable(object, index, &mut causes)?;
        namespace::strip(object);
        numbers(object);
        substitute(object, &parameters)?;
        legacy::regroup(object);
        causes.extend(label::add(object, &labels, index).err());
    }
    if causes.is_empty() { Ok(template) } else { Err(Failure::Invalid(causes)) }
}

/// All parameters' values, those of generators included, which are written into the template. All errors are told.
fn generated(template: &mut Value, ids: &Ids) -> Result<Parameters, Failure> {
    let mut causes = Vec::new();
    for (index, parameter) in list(template, "parameters").flatten().enumerate() {
        let said = |key: &str| parameter[key].as_str().unwrap_or_default().to_owned();
        if !said("value").is_empty() {
            continue;
        }
        let (name, generator, field) =
            (said("name"), said("generate"), format!("template.parameters[{index}]"));
        let mut invalid = |value: String, why: String| {
            causes.push(Cause::new("FieldValueInvalid", &field, format!("Invalid value: {value}: {why}")));
        };
        let value = match generator.as_str() {
            "" => String::new(),
            "expression" => match generate(&said("from"), ids) {
                Ok(value) => value,
                Err(refused) => {
                    invalid(as_go(parameter), refused.reason()?);
                    continue;
                }
            },
            unknown => {
                invalid(
                    format!("{unknown:?}"),
                    format!("Unknown generator name '{unknown}' for parameter {name}"),
                );
                continue;
            }
        };
        if !value.is_empty() {
            parameter["value"] = value.into();
        } else if parameter["required"] == true {
            let message =
                format!("Required value: {field}: parameter {name} is required and must be specified");
            causes.push(Cause::new("FieldValueRequired", &field, message));
        }
    }
    if !causes.is_empty() {
        return Err(Failure::Invalid(causes));
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = template["parameters"].as_array().into_iter().flatten();
    Ok(all.map(|parameter| (text(&parameter["name"]), text(&parameter["value"]))).collect())
}

/// The items of a list that may be missing.
fn list<'v>(template: &'v mut Value, key: &str) -> impl Iterator<Item = &'v mut Vec<Value>> {
    template.get_mut(key).and_then(Value::as_array_mut).into_iter()
}

/// A parameter as Go writes it: its fields in the order of the type.
fn as_go(parameter: &Value) -> String {
    let fields = ["name", "displayName", "description", "value", "generate", "from", "required"];
    let parts: Vec<String> =
        fields.iter().filter_map(|field| Some(format!("{field:?}:{}", parameter.get(field)?))).collect();
    format!("{{{}}}", parts.join(","))
}

/// The object must be one, and have a kind. The first that has not ends the processing.
///
/// The real message quotes the object as it was sent, with its spaces; here it is quoted without.
fn decodable(object: &Value, index: usize, causes: &mut Vec<Cause>) -> Result<(), Failure> {
    let why = match object {
        Value::Null => return Err(Failure::Panic),
        Value::Object(map) if has_kind(map) => return Ok(()),
        Value::Object(_) => format!("Object 'Kind' is missing in '{object}'"),
        other => {
            format!("json: cannot unmarshal {} into Go value of type unstructured.detector", json_type(other))
        }
    };
    let message = format!("Invalid value: {object}: unable to handle object: {why}");
    causes.push(Cause::new("FieldValueInvalid", &format!("item[{index}].objects"), message));
    Err(Failure::Invalid(std::mem::take(causes)))
}

fn has_kind(object: &Map<String, Value>) -> bool {
    object.get("kind").and_then(Value::as_str).is_some_and(|kind| !kind.is_empty())
}

/// Numbers as Go keeps them: whole ones of 64 bits with a sign, everything else a float.
fn numbers(value: &mut Value) {
    match value {
        Value::Number(number) if !number.is_i64() => {
            if let Some(float) = number.as_f64() {
                *number = match float {
                    // `-0` is whole, but is read as a float here.
                    0.0 => 0.into(),
                    float => serde_json::Number::from_f64(float).unwrap_or_else(|| 0.into()),
                };
            }
        }
        Value::Array(items) => items.iter_mut().for_each(numbers),
        Value::Object(map) => map.values_mut().for_each(numbers),
        _ => {}
    }
}
