//! What will be done, before anything is.

use std::fmt;

use serde_json::Value;

use crate::secrets::merge_string_data;
use crate::target::{Kinds, distinct, identify, resolve};
use crate::{Client, Error, Reference, Selection, Target, TemplateInputs, names};

/// What the server writes into metadata. An object that was exported from a cluster carries it, and an apply
/// with it is refused, or means another object (measured).
const SERVER_OWNED: [&str; 8] = [
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "selfLink",
    "managedFields",
];

/// An object of a Template that is ready to be applied. `Debug` leaves its content out.
///
/// ```no_run
/// # use openshift_templates::{ConnectOptions, TemplateInputs, connect};
/// # let (client, inputs) = (connect(&ConnectOptions::default())?, TemplateInputs::new("web", "jobs"));
/// for planned in client.plan(&inputs)? {
///     println!("{}", planned.target.reference);
/// }
/// # Ok::<(), openshift_templates::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Planned {
    /// Which object.
    pub target: Target,
    /// Its content: with the target namespace, without what only the server writes, and, if it is a Secret,
    /// with `stringData` merged into `data`.
    pub object: Value,
}

impl fmt::Debug for Planned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Planned").field("target", &self.target).finish_non_exhaustive()
    }
}

impl Client {
    /// The first half of [`create`](Client::create): [processes](Client::process) the Template and checks each
    /// object, without writing. What it returns can be looked at, changed (labels, say), and handed to
    /// [`apply`](Client::apply).
    ///
    /// # Errors
    /// As [`process`](Client::process); [`Error::Target`] for an object that is not safe to work on;
    /// [`Error::NotServed`] for an unknown kind; [`Error::Kube`] if discovery fails.
    ///
    /// ```no_run
    /// # use openshift_templates::{ConnectOptions, TemplateInputs, connect};
    /// # let (client, inputs) = (connect(&ConnectOptions::default())?, TemplateInputs::new("web", "jobs"));
    /// for mut planned in client.plan(&inputs)? {
    ///     planned.object["metadata"]["labels"]["owner"] = "me".into();
    ///     client.apply(&planned, "mini-scheduler")?;
    /// }
    /// # Ok::<(), openshift_templates::Error>(())
    /// ```
    pub fn plan(&self, inputs: &TemplateInputs) -> Result<Vec<Planned>, Error> {
        let objects = self.process(inputs)?;
        let targets = self.targets(&objects, &inputs.namespace)?;
        targets.into_iter().zip(objects).map(|(target, object)| prepare(target, object)).collect()
    }

    /// Checks references and finds out where the API server keeps the objects that they name: one request for
    /// each group and version among them, none if there are no references. Whether the objects exist is not
    /// asked.
    ///
    /// # Errors
    /// [`Error::Argument`] for an invalid namespace; [`Error::Target`] for a reference that is incomplete, is
    /// of a cluster-scoped kind or names another namespace; [`Error::NotServed`]; [`Error::Kube`] if discovery
    /// fails.
    ///
    /// ```no_run
    /// # use openshift_templates::{ConnectOptions, Reference, connect};
    /// # let (client, saved) = (connect(&ConnectOptions::default())?, Vec::<Reference>::new());
    /// let targets = client.locate("jobs", &saved)?;
    /// assert_eq!(targets.len(), saved.len());
    /// # Ok::<(), openshift_templates::Error>(())
    /// ```
    pub fn locate(&self, namespace: &str, references: &[Reference]) -> Result<Vec<Target>, Error> {
        names::namespace("namespace", namespace)?;
        let references: Vec<_> = references
            .iter()
            .map(|reference| names::reference(reference, namespace))
            .collect::<Result<_, _>>()?;
        self.resolve(&references)
    }

    /// The targets of a selection, in the order of creation.
    pub(crate) fn select(&self, selection: Selection<'_>) -> Result<Vec<Target>, Error> {
        match selection {
            Selection::Template(inputs) => self.targets(&self.process(inputs)?, &inputs.namespace),
            Selection::References { namespace, references } => self.locate(namespace, references),
        }
    }

    fn targets(&self, objects: &[Value], namespace: &str) -> Result<Vec<Target>, Error> {
        let identified = objects.iter().enumerate().map(|(index, object)| identify(index, object, namespace));
        let targets = self.resolve(&identified.collect::<Result<Vec<_>, _>>()?)?;
        distinct(&targets)?;
        Ok(targets)
    }

    /// Asks for the kinds of each `apiVersion` once, in the order of the references. They are not kept: what
    /// was not served a moment ago may be served now.
    fn resolve(&self, references: &[Reference]) -> Result<Vec<Target>, Error> {
        let mut kinds = Kinds::new();
        for Reference { api_version, .. } in references {
            if !kinds.contains_key(api_version) {
                let served = match self.kube.discover(api_version) {
                    Err(error) if error.is_not_found() => Vec::new(),
                    outcome => outcome?,
                };
                kinds.insert(api_version.clone(), served);
            }
        }
        references.iter().map(|reference| resolve(reference, &kinds)).collect()
    }
}

/// Makes of a rendered object what is applied.
fn prepare(target: Target, mut object: Value) -> Result<Planned, Error> {
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.retain(|field, _| field != "generateName" && !SERVER_OWNED.contains(&field.as_str()));
        metadata.insert("namespace".to_owned(), target.reference.namespace.clone().into());
    }
    merge_string_data(&mut object).map_err(|problem| Error::target(target.reference.to_string(), problem))?;
    Ok(Planned { target, object })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube::Resource;
    use serde_json::json;

    fn target(kind: &str, plural: &str) -> Target {
        Target {
            reference: Reference {
                api_version: "v1".into(),
                kind: kind.into(),
                namespace: "jobs".into(),
                name: "x".into(),
                uid: None,
            },
            resource: Resource::core(plural),
        }
    }

    #[test]
    fn what_the_server_owns_is_not_applied() {
        let object = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "data": {"uid": "mine"},
            "metadata": {
                "name": "x", "namespace": "", "generateName": "", "labels": {"a": "b"}, "uid": "u",
                "resourceVersion": "7", "generation": 2, "creationTimestamp": null, "managedFields": [],
                "deletionTimestamp": null, "deletionGracePeriodSeconds": 0, "selfLink": "/", "finalizers": ["example.com/f"],
            },
        });
        let planned = prepare(target("ConfigMap", "configmaps"), object).unwrap();
        let expected = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "data": {"uid": "mine"},
            "metadata": {
                "name": "x", "namespace": "jobs", "labels": {"a": "b"}, "finalizers": ["example.com/f"],
            },
        });
        assert_eq!(planned.object, expected);
    }

    #[test]
    fn secrets_are_merged_and_not_shown() {
        let secret = |data: Value| {
            let metadata = json!({"name": "x"});
            json!({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": data})
        };
        let planned = prepare(target("Secret", "secrets"), secret(json!({"pw": "hunter2"}))).unwrap();
        assert_eq!(planned.object["data"], json!({"pw": "aHVudGVyMg=="}));
        assert_eq!(planned.object.get("stringData"), None);
        let text = format!("{planned:?}");
        assert!(!text.contains("hunter2") && !text.contains("aHVudGVyMg"), "{text}");
        let error =
            prepare(target("Secret", "secrets"), secret(json!({"pin": 4711}))).unwrap_err().to_string();
        assert!(error.starts_with("v1 Secret jobs/x: stringData[\"pin\"] is not a string"), "{error}");
    }
}
