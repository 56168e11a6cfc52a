//! Makes one flavor, its service profiles and its bindings equal to the spec.

use std::collections::BTreeSet;

use framework::PluginError;

use crate::cache::{Profile, is_bound};
use crate::choose::{self, FlavorChoice, ProfileChoice};
use crate::config::{Spec, WantedProfile};
use crate::notes;
use crate::shell::{Deleted, PLANNED, Shell};

/// Profiles, flavor, bindings, in this order: a flavor never stands without a profile. Returns the notes.
///
/// Which flavor is meant is decided before anything is written.
///
/// # Errors
/// Two flavors could be meant, or a request failed; what is left then is where the next run goes on.
pub fn reconcile(shell: &mut Shell<'_>, spec: &Spec) -> Result<Vec<String>, PluginError> {
    if lacks_something(shell, spec)? {
        shell.confirm()?;
    }
    let flavor_id = match choose::flavor(shell.cache.flavors(), &spec.name)? {
        FlavorChoice::Take(flavor) => Some(flavor.id.clone()),
        FlavorChoice::Create => None,
    };
    let mut notes = spec.notes.clone();
    let mut wanted = BTreeSet::new();
    for profile in &spec.service_profiles {
        let id = settle_profile(shell, flavor_id.as_deref(), profile, &mut notes)?;
        shell.cache.choose(&id);
        wanted.insert(id);
    }
    let flavor_id = settle_flavor(shell, spec)?;
    settle_bindings(shell, &flavor_id, &spec.name, &wanted)?;
    notes.extend(effective_note(shell, &flavor_id, &spec.name));
    Ok(notes)
}

/// Whether, by the lists, something would have to be created.
fn lacks_something(shell: &Shell<'_>, spec: &Spec) -> Result<bool, PluginError> {
    let (flavors, profiles) = (shell.cache.flavors(), shell.cache.profiles());
    let flavor = match choose::flavor(flavors, &spec.name)? {
        FlavorChoice::Create => return Ok(true),
        FlavorChoice::Take(flavor) => flavor,
    };
    Ok(spec
        .service_profiles
        .iter()
        .any(|wanted| choose::profile(profiles, flavors, Some(flavor), wanted) == ProfileChoice::Create))
}

/// Finds, adopts or creates the profile for `wanted` and returns its id.
fn settle_profile(
    shell: &mut Shell<'_>,
    flavor_id: Option<&str>,
    wanted: &WantedProfile,
    notes: &mut Vec<String>,
) -> Result<String, PluginError> {
    let flavors = shell.cache.flavors();
    let flavor = flavor_id.and_then(|id| flavors.iter().find(|flavor| flavor.id == id));
    let profile = match choose::profile(shell.cache.profiles(), flavors, flavor, wanted) {
        ProfileChoice::Create => return shell.create_profile(wanted),
        ProfileChoice::Foreign(profile) => {
            notes.push(notes::foreign(profile));
            notes.extend(notes::drift(profile, wanted));
            return Ok(profile.id().to_owned());
        }
        ProfileChoice::Managed(profile) if is_bound(flavors, profile.id()) => {
            notes.extend(notes::drift(profile, wanted));
            return Ok(profile.id().to_owned());
        }
        ProfileChoice::Managed(profile) | ProfileChoice::Adopt(profile) => profile.clone(),
    };
    let update = choose::profile_update(&profile, wanted);
    if !update.is_empty() {
        shell.update_profile(&profile, &update)?;
    }
    Ok(profile.id().to_owned())
}

/// Creates, adopts or corrects the flavor and returns its id.
fn settle_flavor(shell: &mut Shell<'_>, spec: &Spec) -> Result<String, PluginError> {
    let flavor = match choose::flavor(shell.cache.flavors(), &spec.name)? {
        FlavorChoice::Create => return shell.create_flavor(spec),
        FlavorChoice::Take(flavor) => flavor.clone(),
    };
    let update = choose::flavor_update(&flavor, spec);
    if !update.is_empty() {
        shell.update_flavor(&flavor, &update)?;
    }
    Ok(flavor.id)
}

/// Binds what is missing, then unbinds managed profiles that the spec no longer wants, then deletes those
/// of them that nobody uses any more. Profiles of others stay bound.
fn settle_bindings(
    shell: &mut Shell<'_>,
    flavor_id: &str,
    name: &str,
    wanted: &BTreeSet<String>,
) -> Result<(), PluginError> {
    let bound: BTreeSet<String> = shell.cache.bound_to(flavor_id).iter().cloned().collect();
    for id in wanted.difference(&bound) {
        shell.bind(flavor_id, name, id)?;
    }
    let extra: Vec<Profile> = bound
        .difference(wanted)
        .filter_map(|id| shell.cache.profile(id))
        .filter(|profile| profile.meta.managed)
        .cloned()
        .collect();
    for profile in &extra {
        shell.unbind(flavor_id, name, profile)?;
    }
    for profile in &extra {
        if shell.cache.is_orphan(profile) && shell.delete_profile(profile)? == Deleted::InUse {
            log::warn!("service profile {} is in use again and stays", profile.id());
        }
    }
    Ok(())
}

fn effective_note(shell: &Shell<'_>, flavor_id: &str, name: &str) -> Option<String> {
    let ids = shell.cache.bound_to(flavor_id);
    // The id that a planned profile will have decides which one is the lowest.
    if ids.iter().any(|id| id.starts_with(PLANNED)) {
        return None;
    }
    let bound: Vec<_> = ids.iter().filter_map(|id| shell.cache.profile(id)).collect();
    notes::effective(name, &bound)
}
