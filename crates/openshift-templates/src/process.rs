//! The server renders the Template.

use kube::Resource;
use serde_json::{Value, json};

use crate::parameters::overridden;
use crate::{Client, Error, TemplateInputs};

/// The group and version of the API that Templates are processed by: `template.openshift.io/v1`.
///
/// ```no_run
/// # use openshift_templates::{ConnectOptions, TEMPLATE_API, connect};
/// let client = connect(&ConnectOptions::default())?;
/// println!("{} kinds", client.kube().discover(TEMPLATE_API)?.len());
/// # Ok::<(), openshift_templates::Error>(())
/// ```
pub const TEMPLATE_API: &str = "template.openshift.io/v1";

const GROUP: &str = "template.openshift.io";
const VERSION: &str = "v1";

impl Client {
    /// Fetches the stored Template, puts the parameters into a copy of it, has the server process that in the
    /// target namespace, and returns the rendered objects as the server made them, in the Template's order.
    /// Two requests; nothing is stored.
    ///
    /// The objects may hold the values of parameters, secret ones too, and are not yet checked: a Template may
    /// render anything.
    ///
    /// # Errors
    /// [`Error::Argument`] for an empty or invalid name or namespace, before any request;
    /// [`Error::Parameters`] for a parameter that the Template does not declare, a value that is null or not a
    /// scalar, and a parameter that the server would generate and that was given no value; [`Error::Kube`] if
    /// the Template is not there (404), a permission is missing (403), or the server cannot process it (422);
    /// [`Error::Process`] if it names parameters (422: a required one has no value).
    ///
    /// ```no_run
    /// use openshift_templates::{ConnectOptions, TemplateInputs, connect};
    ///
    /// let client = connect(&ConnectOptions::default())?;
    /// for object in client.process(&TemplateInputs::new("web", "jobs").parameter("NAME", "web-1"))? {
    ///     println!("{} {}", object["kind"], object["metadata"]["name"]);
    /// }
    /// # Ok::<(), openshift_templates::Error>(())
    /// ```
    pub fn process(&self, inputs: &TemplateInputs) -> Result<Vec<Value>, Error> {
        inputs.check()?;
        let stored = self.fetch(inputs)?;
        let parameters = overridden(&stored, &inputs.parameters).map_err(|problems| Error::Parameters {
            template: format!("{}/{}", inputs.stored_in(), inputs.name),
            problems,
        })?;
        let resource = Resource::new(GROUP, VERSION, "processedtemplates");
        let template = to_post(parameters, &inputs.namespace);
        let answer = self
            .kube
            .post(&resource, Some(&inputs.namespace), &template)
            .map_err(|error| refused(error, &template))?;
        let request = format!("process template {} in {}", inputs.name, inputs.namespace);
        objects(answer).ok_or_else(|| not_a_template(request))
    }

    fn fetch(&self, inputs: &TemplateInputs) -> Result<Value, Error> {
        let resource = Resource::new(GROUP, VERSION, "templates");
        let stored = self.kube.get(&resource, Some(inputs.stored_in()), &inputs.name)?;
        if stored["kind"] == "Template" {
            return Ok(stored);
        }
        Err(not_a_template(format!("get template {}/{}", inputs.stored_in(), inputs.name)))
    }
}

/// Says which parameters the server complains about, which counts them (measured: `template.parameters[2]`).
fn refused(source: kube::Error, template: &Value) -> Error {
    let index =
        |field: &str| field.strip_prefix("template.parameters[")?.strip_suffix(']')?.parse::<usize>().ok();
    let named =
        source.cause_fields().filter_map(|field| template["parameters"][index(field)?]["name"].as_str());
    let parameters: Vec<String> = named.map(str::to_owned).collect();
    if parameters.is_empty() { Error::Kube(source) } else { Error::Process { parameters, source } }
}

/// Something between us and the API server answered.
fn not_a_template(request: String) -> Error {
    kube::Error::Answer { request, expected: "a Template" }.into()
}

/// What is posted: the namespace must be the URL's, or absent (measured), and what the server wrote about the
/// stored Template is not about this one.
fn to_post(mut template: Value, namespace: &str) -> Value {
    template["apiVersion"] = TEMPLATE_API.into();
    let metadata = &template["metadata"];
    let mut kept = json!({"namespace": namespace});
    for field in ["name", "labels", "annotations"] {
        if !metadata[field].is_null() {
            kept[field] = metadata[field].clone();
        }
    }
    template["metadata"] = kept;
    template
}

/// Go writes an empty list as null (measured).
fn objects(mut answer: Value) -> Option<Vec<Value>> {
    if answer["kind"] != "Template" {
        return None;
    }
    match answer["objects"].take() {
        Value::Array(objects) => Some(objects),
        Value::Null => Some(Vec::new()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_is_at_home_in_the_target_namespace() {
        let stored = json!({
            "kind": "Template", "apiVersion": "template.openshift.io/v1",
            "metadata": {
                "name": "web", "namespace": "openshift", "uid": "u", "resourceVersion": "7",
                "creationTimestamp": "2026-11-29T13:54:02Z", "managedFields": [{}], "labels": {"a": "b"},
            },
            "objects": [], "labels": {"app": "web"},
        });
        let expected = json!({
            "kind": "Template", "apiVersion": "template.openshift.io/v1",
            "metadata": {"name": "web", "namespace": "jobs", "labels": {"a": "b"}},
            "objects": [], "labels": {"app": "web"},
        });
        assert_eq!(to_post(stored, "jobs"), expected);
    }

    #[test]
    fn objects_of_an_answer() {
        for (answer, expected) in [
            (json!({"kind": "Template", "objects": [{"a": 1}]}), Some(vec![json!({"a": 1})])),
            (json!({"kind": "Template", "objects": null}), Some(vec![])),
            (json!({"kind": "Template"}), Some(vec![])),
            (json!({"kind": "Template", "objects": "x"}), None),
            (json!({"kind": "Status", "status": "Success"}), None),
            (json!({}), None),
        ] {
            assert_eq!(objects(answer), expected);
        }
    }
}
