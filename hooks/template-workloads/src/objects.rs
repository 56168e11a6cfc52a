//! Reads and writes of single objects. Whose they are the callers decide, by what they saw; here is what keeps that true:
//! whatever is removed is that very object, in that very version.

use framework::{Action, PluginError, Writes};
use openshift_templates::kube::{self, DeleteOptions};
use openshift_templates::{Client, Planned, Reference, Target};

use crate::errors::{object_error, write_error};
use crate::ownership::{Live, Owner, field_manager};

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
        Err(error) => Err(object_error(error)),
    }
}

/// Applies an object for its owner; returns its reference, with the uid that the server gave. `seen` is what there was
/// of it.
///
/// # Errors
/// Those of the request.
pub fn apply(
    client: &Client,
    writes: &mut Writes,
    planned: &Planned,
    owner: &Owner<'_>,
    seen: Option<&Live>,
) -> Result<Reference, PluginError> {
    let reference = &planned.target.reference;
    let verb = if seen.is_some() { "apply" } else { "create" };
    let made = writes.run(action(verb, reference, owner), || {
        client.apply(planned, &field_manager(owner.uid)).map_err(|error| write_error(reference, error))
    })?;
    let planned = || Reference { uid: seen.map(|seen| seen.uid.clone()), ..reference.clone() };
    Ok(made.unwrap_or_else(planned))
}

fn action(verb: &'static str, reference: &Reference, owner: &Owner<'_>) -> Action {
    Action::new(verb, "object", reference.to_string()).detail(format!("of {}", owner.name))
}

/// What became of a removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removed {
    /// It is done, or was done already: the object is gone.
    Done,
    /// Nothing was done: the object is not the one that was seen any more. Whose it is now must be seen first.
    Changed,
}

/// Deletes the object that was seen, as it was seen, and what it owns.
///
/// # Errors
/// Those of the request.
pub fn delete(
    client: &Client,
    writes: &mut Writes,
    target: &Target,
    seen: &Live,
    owner: &Owner<'_>,
) -> Result<Removed, PluginError> {
    let options = DeleteOptions {
        background: true,
        uid: Some(seen.uid.clone()),
        resource_version: Some(seen.resource_version.clone()),
    };
    remove(writes, "delete", target, owner, |namespace, name| {
        client.kube().delete(&target.resource, namespace, name, &options)
    })
}

/// Takes the marks of a CR off the object that was seen, as it was seen.
///
/// # Errors
/// Those of the request.
pub fn release(
    client: &Client,
    writes: &mut Writes,
    target: &Target,
    seen: &Live,
    owner: &Owner<'_>,
) -> Result<Removed, PluginError> {
    let patch = seen.release(owner.uid, &target.reference.api_version, owner.name);
    remove(writes, "release", target, owner, |namespace, name| {
        client.kube().merge_patch(&target.resource, namespace, name, &patch).map(drop)
    })
}

/// Sends the `request` that removes the object, and reads its answer.
fn remove(
    writes: &mut Writes,
    verb: &'static str,
    target: &Target,
    owner: &Owner<'_>,
    request: impl FnOnce(Option<&str>, &str) -> Result<(), kube::Error>,
) -> Result<Removed, PluginError> {
    let Reference { namespace, name, .. } = &target.reference;
    let answer =
        writes.run(action(verb, &target.reference, owner), || match request(Some(namespace), name) {
            Ok(()) => Ok(Removed::Done),
            Err(error) if error.names_object(name) => Ok(Removed::Done),
            Err(error) if error.is_conflict() => Ok(Removed::Changed),
            Err(error) => Err(write_error(&target.reference, error)),
        })?;
    Ok(answer.unwrap_or(Removed::Done))
}
