//! Deletes the managed flavors that may go and the managed profiles that nobody uses, and nothing else.

use framework::{PluginError, PruneRequest, Pruned};
use openstack::network::{Flavor, FlavorUpdate};

use crate::cache::{is_ours, named};
use crate::markers::unmark;
use crate::shell::{Deleted, Shell};

/// Flavors first, since a bound profile cannot be deleted, then orphaned profiles.
///
/// Without finalizers (the site's PRUNE is off) no flavor is deleted, and a profile that is in use again is
/// only logged. With them, what could not go keeps the finalizers.
///
/// # Errors
/// A request for a profile failed, or one for a flavor in a way that concerns the whole group; or the
/// credentials may see too little to know whether a released flavor is gone.
pub fn prune(shell: &mut Shell<'_>, request: &PruneRequest<'_>) -> Result<Pruned, PluginError> {
    let mut pruned = Pruned::default();
    let mut sweep = request.sweep;
    if request.policy.uses_finalizer() {
        if !request.released.is_empty() {
            shell.check_sight()?;
        }
        sweep |= delete_flavors(shell, request, &mut pruned)?;
    }
    if sweep {
        for profile in shell.cache.orphans() {
            if shell.delete_profile(&profile)? == Deleted::InUse {
                let why = format!("service profile {} is in use", profile.id());
                if request.policy.uses_finalizer() {
                    pruned.keep_all(why);
                } else {
                    log::warn!("{why} and stays");
                }
            }
        }
    }
    Ok(pruned)
}

/// Returns whether orphans may have been left: a flavor went, now or in a run that was cut off before it
/// came to the profiles.
fn delete_flavors(
    shell: &mut Shell<'_>,
    request: &PruneRequest<'_>,
    pruned: &mut Pruned,
) -> Result<bool, PluginError> {
    let mut left_orphans = false;
    for (name, flavor) in request.select(managed(shell.cache.flavors()), |flavor| flavor.id.clone()).go {
        match shell.delete_flavor(&flavor) {
            Ok(Deleted::Gone) => left_orphans = true,
            Ok(Deleted::InUse) => {
                let why = format!("flavor {name:?} is in use by routers");
                pruned.keep_claim(name, why);
            }
            Err(error) if error.is_group() || error.is_not_ready() => return Err(error),
            Err(error) => {
                log::warn!("flavor {name:?} cannot be deleted: {}", error.log_text());
                pruned.keep_claim(name, error.to_string());
            }
        }
    }
    let flavors = shell.cache.flavors();
    Ok(left_orphans || request.released.iter().any(|claim| !named(flavors, claim).any(is_ours)))
}

/// The managed router flavors by name.
fn managed(flavors: &[Flavor]) -> Vec<(String, Flavor)> {
    let mut managed: Vec<_> = flavors
        .iter()
        .filter(|flavor| is_ours(flavor) && !flavor.name.is_empty())
        .map(|flavor| (flavor.name.clone(), flavor.clone()))
        .collect();
    managed.sort_by(|(_, a), (_, b)| (&a.name, &a.id).cmp(&(&b.name, &b.id)));
    managed
}

/// Takes the marker off the managed flavors of this name: from then on they are somebody else's. Their
/// profiles cannot be changed while they are bound, and are not deleted either.
///
/// # Errors
/// Those of the requests.
pub fn abandon(shell: &mut Shell<'_>, claim: &str) -> Result<(), PluginError> {
    let ours: Vec<Flavor> =
        named(shell.cache.flavors(), claim).filter(|flavor| is_ours(flavor)).cloned().collect();
    for flavor in ours {
        let description = unmark(flavor.description.as_deref().unwrap_or_default()).to_owned();
        shell.update_flavor(
            &flavor,
            &FlavorUpdate { description: Some(description), ..FlavorUpdate::default() },
        )?;
    }
    Ok(())
}
