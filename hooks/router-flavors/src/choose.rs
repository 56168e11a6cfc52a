//! Which flavor and which service profiles a spec means, and how they differ from it. Pure.

use framework::PluginError;
use openstack::network::{Flavor, FlavorUpdate, ServiceProfileUpdate};

use crate::cache::{Profile, is_bound, is_ours, named};
use crate::config::{Spec, WantedProfile};
use crate::markers::{mark, unmark};

/// What to do about the flavor.
#[derive(Debug, PartialEq)]
pub enum FlavorChoice<'a> {
    /// It is there: ours, or to be adopted. Whatever [`flavor_update`] says makes it equal to the spec.
    Take(&'a Flavor),
    /// There is none of this name.
    Create,
}

/// The flavor that the name means: the managed one, else the only one. Flavors of another service type are
/// not looked at: names are not unique.
///
/// # Errors
/// [`PluginError::cr`] if two could be meant. Nothing may be written then.
pub fn flavor<'a>(flavors: &'a [Flavor], name: &str) -> Result<FlavorChoice<'a>, PluginError> {
    let (managed, foreign): (Vec<_>, Vec<_>) = named(flavors, name).partition(|flavor| is_ours(flavor));
    match (&managed[..], &foreign[..]) {
        ([ours], _) => Ok(FlavorChoice::Take(ours)),
        ([], [adopted]) => Ok(FlavorChoice::Take(adopted)),
        ([], []) => Ok(FlavorChoice::Create),
        ([], several) => Err(ambiguous(several, name, "rename or delete all but one of them")),
        (several, _) => {
            Err(ambiguous(several, name, "all carry the ownership marker: take it off all but one of them"))
        }
    }
}

fn ambiguous(flavors: &[&Flavor], name: &str, remedy: &str) -> PluginError {
    let mut ids: Vec<_> = flavors.iter().map(|flavor| flavor.id.as_str()).collect();
    ids.sort_unstable();
    PluginError::cr(format!("{} flavors are named {name:?} ({}): {remedy}", ids.len(), ids.join(", ")))
}

/// What must change in the flavor; empty if nothing. A flavor without the marker gets it.
pub fn flavor_update(flavor: &Flavor, spec: &Spec) -> FlavorUpdate {
    let current = flavor.description.as_deref().unwrap_or_default();
    let described = is_ours(flavor) && unmark(current).trim() == spec.description;
    FlavorUpdate {
        name: None,
        description: (!described).then(|| mark(&spec.description)),
        enabled: (flavor.enabled != spec.is_enabled).then_some(spec.is_enabled),
    }
}

/// What to do about one wanted service profile.
#[derive(Debug, PartialEq)]
pub enum ProfileChoice<'a> {
    /// Managed already.
    Managed(&'a Profile),
    /// Somebody bound his own profile to the flavor: it serves, and stays as it is.
    Foreign(&'a Profile),
    /// Nobody's and unused: it gets the marks.
    Adopt(&'a Profile),
    /// None that we may use.
    Create,
}

/// The profile that serves `wanted`. Only profiles with the same driver and meta_info match; of those, in
/// this order:
///
/// 1. managed and bound to this flavor;
/// 2. managed, lowest id: flavors share it;
/// 3. foreign and bound to this flavor;
/// 4. foreign and bound to no flavor at all, if there is exactly one: it is adopted. Of several, one may be
///    somebody's who is about to bind it. To take one would be a guess about what is not ours, while a
///    profile of our own disturbs nobody and is found by rule 2 ever after;
/// 5. else a new one. What is foreign and bound elsewhere is in use, and never touched.
///
/// `flavor` is `None` if the flavor does not exist yet.
pub fn profile<'a>(
    profiles: &'a [Profile],
    flavors: &[Flavor],
    flavor: Option<&Flavor>,
    wanted: &WantedProfile,
) -> ProfileChoice<'a> {
    let bound_here = |profile: &&Profile| {
        flavor.is_some_and(|flavor| flavor.service_profiles.iter().any(|id| id == profile.id()))
    };
    let matching = profiles
        .iter()
        .filter(|profile| profile.stored.driver == wanted.driver && profile.meta.content == wanted.content);
    let (managed, foreign): (Vec<_>, Vec<_>) = matching.partition(|profile| profile.meta.managed);
    if let Some(profile) =
        lowest(managed.iter().copied().filter(bound_here)).or_else(|| lowest(managed.into_iter()))
    {
        return ProfileChoice::Managed(profile);
    }
    if let Some(profile) = lowest(foreign.iter().copied().filter(bound_here)) {
        return ProfileChoice::Foreign(profile);
    }
    let unused: Vec<_> = foreign.into_iter().filter(|profile| !is_bound(flavors, profile.id())).collect();
    match unused[..] {
        [profile] => ProfileChoice::Adopt(profile),
        _ => ProfileChoice::Create,
    }
}

fn lowest<'a>(profiles: impl Iterator<Item = &'a Profile>) -> Option<&'a Profile> {
    profiles.min_by(|a, b| a.id().cmp(b.id()))
}

/// What must change in the profile; empty if nothing. A profile without the marks gets them.
pub fn profile_update(profile: &Profile, wanted: &WantedProfile) -> ServiceProfileUpdate {
    let described = profile.stored.description.as_deref().unwrap_or_default().trim() == wanted.description;
    ServiceProfileUpdate {
        description: (!described).then(|| wanted.description.clone()),
        enabled: (profile.stored.enabled != wanted.is_enabled).then_some(wanted.is_enabled),
        metainfo: (!profile.meta.managed).then(|| wanted.metainfo.clone()),
    }
}

#[cfg(test)]
mod tests;
