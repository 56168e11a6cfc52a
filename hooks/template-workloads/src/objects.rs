//! Reads and writes of single objects. The guards are here, whatever the callers decided: nothing is deleted that was
//! not seen with our marks, and it is that very object.

use framework::{Action, PluginError, Writes};
use openshift_templates::kube::DeleteOptions;
use openshift_templates::{Client, Planned, Reference, Target};

use crate::errors::{request_error, write_error};
use crate::ownership::{Live, field_manager};

/// The object as it is now; `None` if there is none of this name. One request.
///
/// # Errors
/// Those of the request. That the kind is not served is one, too.
pub fn look(client: &Client, target: &Target) -> Result<Option<Live>, PluginError> {
    let Reference { namespace, name, .. } = &target.reference;
    match client.kube().get(&target.resource, Some(namespace), name) {
        Ok(object) => Live::read(&object).map(Some).ok_or_else(|| {
            PluginError::cr(format!("{}: the answer is no object with a uid", target.reference))
        }),
        Err(error) if error.names_object(name) => Ok(None),
        Err(error) => Err(request_error(error)),
    }
}

/// Applies an object as the CR with this uid; returns its reference, with the uid that the server gave. `seen` is
/// what there was of it.
///
/// # Errors
/// Those of the request.
pub fn apply(
    client: &Client,
    writes: &mut Writes,
    planned: &Planned,
    uid: &str,
    seen: Option<&Live>,
) -> Result<Reference, PluginError> {
    let reference = &planned.target.reference;
    let verb = if seen.is_some() { "apply" } else { "create" };
    let made = writes.run(Action::new(verb, "object", reference.to_string()), || {
        client.apply(planned, &field_manager(uid)).map_err(|error| write_error(reference, error))
    })?;
    let planned = || Reference { uid: seen.map(|seen| seen.uid.clone()), ..reference.clone() };
    Ok(made.unwrap_or_else(planned))
}

/// Deletes the object that was seen, and what it owns. One that is gone meanwhile is a success.
///
/// # Errors
/// Those of the request; a conflict if another object has its name now.
pub fn delete(client: &Client, writes: &mut Writes, target: &Target, seen: &Live) -> Result<(), PluginError> {
    let reference = &target.reference;
    let options = DeleteOptions { background: true, uid: Some(seen.uid.clone()) };
    let action = Action::new("delete", "object", reference.to_string());
    writes.run(action, || {
        match client.kube().delete(&target.resource, Some(&reference.namespace), &reference.name, &options) {
            Err(error) if error.names_object(&reference.name) => Ok(()),
            answer => answer.map_err(|error| write_error(reference, error)),
        }
    })?;
    Ok(())
}

/// Takes the marks of the CR with this uid off the object that was seen. One that is gone meanwhile is a success.
///
/// # Errors
/// Those of the request; a conflict if it was changed in between.
pub fn release(
    client: &Client,
    writes: &mut Writes,
    target: &Target,
    seen: &Live,
    uid: &str,
) -> Result<(), PluginError> {
    let reference = &target.reference;
    let action = Action::new("release", "object", reference.to_string());
    let patch = seen.release(uid);
    writes.run(action, || {
        match client.kube().merge_patch(&target.resource, Some(&reference.namespace), &reference.name, &patch)
        {
            Err(error) if error.names_object(&reference.name) => Ok(()),
            answer => answer.map(drop).map_err(|error| write_error(reference, error)),
        }
    })?;
    Ok(())
}
