//! Objects go: those that left a Template, and all of a CR that is deleted. By the inventory alone.

use std::collections::BTreeSet;

use framework::{Cr, Group, PluginError, Writes};
use openshift_templates::{Client, Error, Reference, Target};
use serde::Deserialize;
use serde_json::Value;

use crate::TemplateWorkloads;
use crate::boundary::Boundary;
use crate::errors::plan_error;
use crate::inventory::Inventory;
use crate::objects::{self, Removed};
use crate::ownership::{Live, Owner};
use crate::spec::DeletionPolicy;

/// How often an object is looked at and removed that others change meanwhile.
const ATTEMPTS: usize = 3;

/// What is done with an object that is no longer described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// It is deleted.
    Delete,
    /// It stays, without our marks.
    Release,
    /// It stays as it is: the site allows no deletion.
    Keep,
}

impl Removal {
    /// What the CR wants, as far as the site allows it.
    pub fn of(policy: DeletionPolicy, prune: bool) -> Self {
        match (policy, prune) {
            (DeletionPolicy::Orphan, _) => Self::Release,
            (DeletionPolicy::Delete, true) => Self::Delete,
            (DeletionPolicy::Delete, false) => Self::Keep,
        }
    }
}

/// What became of an object that is no longer described.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It is gone, or not ours any more: nothing of it is to be remembered.
    Gone,
    /// It stays, and is still to be remembered; why, to stand behind a colon.
    Stays(String),
}

/// Removes everything that a deleted CR has made, the last first. Its spec may be one that no longer parses.
///
/// # Errors
/// What is in the way, to stand behind "waiting: ". Every object has been tried.
pub fn remove_all(
    boundary: &Boundary,
    group: &mut Group<'_, TemplateWorkloads>,
    cr: &Cr<Value>,
) -> Result<(), String> {
    let inventory = Inventory::read(&cr.status)?;
    if inventory.objects.is_empty() {
        return Ok(());
    }
    let named = match &cr.spec["targetNamespace"] {
        Value::Null => None,
        Value::String(name) => Some(name.as_str()),
        _ => return Err("spec.targetNamespace is not a string".to_owned()),
    };
    let target =
        boundary.check("spec.targetNamespace", named, &cr.namespace).map_err(|error| error.to_string())?;
    if let Some(object) = inventory.outside(&target) {
        return Err(format!(
            "status.objects has {object}, which is not in the target namespace {target:?}, and nothing outside of it \
             is touched"
        ));
    }
    let policy = match &cr.spec["deletionPolicy"] {
        Value::Null => DeletionPolicy::default(),
        policy => {
            DeletionPolicy::deserialize(policy).map_err(|error| format!("spec.deletionPolicy: {error}"))?
        }
    };
    // Where the site allows no deletion there is no finalizer, and nobody asks for this.
    let how = Removal::of(policy, true);
    let name = cr.display_name();
    let owner = Owner { uid: &cr.uid, name: &name };
    let mut problems = Vec::new();
    for (reference, outcome) in remove(group, &owner, &inventory.objects, how, &BTreeSet::new()) {
        match outcome {
            Ok(Fate::Gone) => {}
            Ok(Fate::Stays(why)) => problems.push(format!("{reference} is not removed: {why}")),
            Err(error) => {
                log::debug!("{reference}: {}", error.log_text());
                problems.push(format!("{reference} is not removed: {error}"));
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
}

/// Removes objects that their `owner` has made and no longer describes, the last first, and says of each what became of
/// it. Each is tried. One whose uid is among the `applied` is still described, under another name of its kind.
pub fn remove(
    group: &mut Group<'_, TemplateWorkloads>,
    owner: &Owner<'_>,
    references: &[Reference],
    how: Removal,
    applied: &BTreeSet<String>,
) -> Vec<(Reference, Result<Fate, PluginError>)> {
    let client = &group.conn.client;
    let targets = locate(client, references);
    let one = Removing { client, owner, how, applied };
    let backwards = references.iter().zip(targets).rev();
    backwards
        .map(|(reference, target)| {
            let outcome = target.and_then(|target| match target {
                Some(target) => one.remove(group.writes, &target, reference),
                None => Ok(Fate::Stays("the cluster does not serve its kind (any more)".to_owned())),
            });
            (reference.clone(), outcome)
        })
        .collect()
}

/// A removal, as it is the same for all objects.
struct Removing<'a> {
    client: &'a Client,
    owner: &'a Owner<'a>,
    how: Removal,
    applied: &'a BTreeSet<String>,
}

impl Removing<'_> {
    /// Looks at the object and removes it as it was seen; if others change it in between, it is looked at again.
    fn remove(
        &self,
        writes: &mut Writes,
        target: &Target,
        reference: &Reference,
    ) -> Result<Fate, PluginError> {
        for _ in 0..ATTEMPTS {
            let Some(live) = objects::look(self.client, target)? else { return Ok(Fate::Gone) };
            if !self.is_to_go(&live, reference) {
                return Ok(Fate::Gone);
            }
            let removed = match self.how {
                Removal::Delete => objects::delete(self.client, writes, target, &live, self.owner)?,
                Removal::Release => objects::release(self.client, writes, target, &live, self.owner)?,
                Removal::Keep => return Ok(Fate::Stays(format!("{}_PRUNE is false", crate::HOOK.prefix))),
            };
            if removed == Removed::Done {
                return Ok(Fate::Gone);
            }
        }
        Err(PluginError::cr("others kept changing it while it was removed; the next run tries again"))
    }

    fn is_to_go(&self, live: &Live, reference: &Reference) -> bool {
        if self.applied.contains(&live.uid) || live.is_deleting {
            return false;
        }
        if self.how == Removal::Release && live.owner.as_deref() != Some(self.owner.uid) {
            log::debug!("{reference} is let go already");
            return false;
        }
        if let Err(why) = live.is_what_was_made(self.owner.uid, reference) {
            log::warn!("{reference} {why}, and is left alone");
            return false;
        }
        true
    }
}

/// Where the objects are; `None` if their kind is not served. One request for each group and version; if one of them is
/// not served or unusable, one for each object, so that the others can go.
fn locate(client: &Client, references: &[Reference]) -> Vec<Result<Option<Target>, PluginError>> {
    let Some(first) = references.first() else { return Vec::new() };
    match client.locate(&first.namespace, references) {
        Ok(targets) => targets.into_iter().map(|target| Ok(Some(target))).collect(),
        Err(Error::Kube(error)) if error.is_transport() => {
            // Each of them would wait for the same answer.
            let text = error.to_string();
            references.iter().map(|_| Err(PluginError::not_ready(text.as_str()))).collect()
        }
        Err(_) => references.iter().map(|reference| locate_one(client, reference)).collect(),
    }
}

fn locate_one(client: &Client, reference: &Reference) -> Result<Option<Target>, PluginError> {
    match client.locate(&reference.namespace, std::slice::from_ref(reference)) {
        Ok(targets) => Ok(targets.into_iter().next()),
        Err(Error::NotServed { .. }) => Ok(None),
        Err(error) => Err(plan_error(error)),
    }
}
