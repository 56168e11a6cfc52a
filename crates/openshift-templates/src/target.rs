//! Which objects may be worked on. All of this is decided before the first write.

use std::collections::{BTreeMap, BTreeSet};

use kube::{Kind, Resource};
use serde_json::Value;

use crate::{Error, Reference, names};

/// An object that was found safe to work on: it has a name, and its kind is served, lives in namespaces, and
/// means the target namespace.
///
/// ```no_run
/// # use openshift_templates::{ConnectOptions, Reference, connect};
/// # let (client, saved) = (connect(&ConnectOptions::default())?, Vec::<Reference>::new());
/// for target in client.locate("jobs", &saved)? {
///     println!("{} is one of the {}", target.reference, target.resource);
/// }
/// # Ok::<(), openshift_templates::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its identity, always with the namespace. The uid is that of the reference it was made from; an object
    /// out of a Template has none.
    pub reference: Reference,
    /// Where the API server keeps such objects.
    pub resource: Resource,
}

/// Who the object at `index` (from 0) of a processed Template is, for this target namespace.
///
/// # Errors
/// [`Error::Target`], which does not quote what was rendered: it may be the value of a parameter.
pub(crate) fn identify(index: usize, object: &Value, namespace: &str) -> Result<Reference, Error> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (api_version, kind) = (text(&object["apiVersion"]), text(&object["kind"]));
    let valid_kind = names::kind(&kind);
    let label = if valid_kind.is_ok() { format!(" ({kind})") } else { String::new() };
    let refused =
        |problem: String| Err(Error::target(format!("object {} of the template{label}", index + 1), problem));
    if !object.is_object() {
        return refused("it is not an object".to_owned());
    }
    if let Err(problem) = valid_kind {
        return refused(problem.to_owned());
    }
    if let Err(problem) = names::api_version(&api_version) {
        return refused(problem.to_owned());
    }
    if api_version == "v1" && kind == "List" {
        return refused("a List is not one object: put its items among the template's objects".to_owned());
    }
    let metadata = &object["metadata"];
    // The server would give it another name each time, so that it could not be found again.
    if !matches!(&metadata["generateName"], Value::Null) && metadata["generateName"] != "" {
        return refused("metadata.generateName is set: give it a metadata.name alone".to_owned());
    }
    let name = match &metadata["name"] {
        Value::String(name) => name.clone(),
        Value::Null => String::new(),
        _ => return refused("metadata.name is not a string".to_owned()),
    };
    if let Err(problem) = names::path_segment(&name) {
        return refused(format!("metadata.name cannot be used: {problem}"));
    }
    // The server would refuse it, but not before the objects ahead of it are there.
    if name.contains("${") {
        return refused("metadata.name refers to a parameter that the template does not have".to_owned());
    }
    match &metadata["namespace"] {
        Value::Null => {}
        Value::String(own) if own.is_empty() || own == namespace => {}
        Value::String(own) => {
            let hint = if own.contains("${") {
                ": it refers to a parameter that the template does not have"
            } else {
                ""
            };
            return refused(format!("metadata.namespace is not the target namespace {namespace:?}{hint}"));
        }
        _ => return refused("metadata.namespace is not a string".to_owned()),
    }
    // Whoever adds a label or an annotation to a plan can rely on it.
    for field in ["labels", "annotations"] {
        if !matches!(metadata[field], Value::Null | Value::Object(_)) {
            return refused(format!("metadata.{field} is not a map"));
        }
    }
    Ok(Reference { api_version, kind, namespace: namespace.to_owned(), name, uid: None })
}

/// The kinds that were looked up, by `apiVersion`.
pub(crate) type Kinds = BTreeMap<String, Vec<Kind>>;

/// Where the API server keeps the object.
pub(crate) fn resolve(reference: &Reference, kinds: &Kinds) -> Result<Target, Error> {
    let served = kinds.get(&reference.api_version).into_iter().flatten();
    let mut matching = served.filter(|kind| kind.kind == reference.kind);
    let Some(kind) = matching.next() else { return Err(Error::NotServed { reference: reference.clone() }) };
    let refused = |problem: String| Err(Error::target(reference.to_string(), problem));
    if let Some(other) = matching.next() {
        return refused(format!("the kind is served twice, as {} and as {}", kind.resource, other.resource));
    }
    if !kind.namespaced {
        return refused(
            "the kind is cluster-scoped: only objects in the target namespace are touched".to_owned(),
        );
    }
    Ok(Target { reference: reference.clone(), resource: kind.resource.clone() })
}

/// Refuses two objects with one identity: the second apply would undo the first.
pub(crate) fn distinct(targets: &[Target]) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    for target in targets {
        let Target { reference, resource } = target;
        if !seen.insert((&resource.group, &resource.plural, &reference.name)) {
            let problem = "the template has it twice".to_owned();
            return Err(Error::target(target.reference.to_string(), problem));
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "target_tests.rs"]
mod tests;
