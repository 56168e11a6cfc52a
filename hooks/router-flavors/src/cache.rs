//! What one group of CRs sees in Neutron: two lists, each read at most once, kept true by our own writes.

use std::collections::BTreeSet;

use framework::PluginError;
use openstack::network::{Flavor, Network, ServiceProfile};
use openstack_hook::{REASON_POLICY_REFUSED, plugin_error};

use crate::config::SERVICE_TYPE;
use crate::markers::{Meta, is_managed_flavor};

/// A service profile as the server has it, with its `metainfo` read.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The server's object.
    pub stored: ServiceProfile,
    /// What its `metainfo` says.
    pub meta: Meta,
}

impl Profile {
    /// Reads the `metainfo` of a listed profile.
    pub fn new(stored: ServiceProfile) -> Self {
        let meta = Meta::read(stored.metainfo.as_deref());
        Self { stored, meta }
    }

    /// The id.
    pub fn id(&self) -> &str {
        &self.stored.id
    }
}

/// Whether a flavor is one of ours: a router flavor whose description ends with the marker.
pub fn is_ours(flavor: &Flavor) -> bool {
    flavor.service_type == SERVICE_TYPE && is_managed_flavor(flavor.description.as_deref())
}

/// The router flavors with exactly this name. The server would also give us `GOLD` and `góld` for `gold`
/// (MariaDB's collation, measured), so the comparison is ours.
pub fn named<'a>(flavors: &'a [Flavor], name: &str) -> impl Iterator<Item = &'a Flavor> {
    flavors.iter().filter(move |flavor| flavor.service_type == SERVICE_TYPE && flavor.name == name)
}

/// Whether any flavor, of any service type, has the profile.
pub fn is_bound(flavors: &[Flavor], profile_id: &str) -> bool {
    flavors.iter().any(|flavor| flavor.service_profiles.iter().any(|id| id == profile_id))
}

/// The lists of one group.
#[derive(Debug, Default)]
pub struct Cache {
    flavors: Option<Vec<Flavor>>,
    profiles: Option<Vec<Profile>>,
    stale: bool,
    /// Whether the lists were read again before the first creation.
    pub confirmed: bool,
    chosen: BTreeSet<String>,
}

impl Cache {
    /// The flavors of all service types; none if they were not listed.
    pub fn flavors(&self) -> &[Flavor] {
        self.flavors.as_deref().unwrap_or_default()
    }

    /// The service profiles; none if they were not listed.
    pub fn profiles(&self) -> &[Profile] {
        self.profiles.as_deref().unwrap_or_default()
    }

    /// Lists the flavors anew; one request, more if the server pages.
    ///
    /// # Errors
    /// Those of the list.
    pub fn list_flavors(&mut self, network: &Network<'_>) -> Result<(), PluginError> {
        self.flavors = Some(network.flavors().map_err(plugin_error)?);
        Ok(())
    }

    /// Lists the service profiles anew. If a listed flavor has a profile that is not in it, the flavors are
    /// listed again before that is believed: the profile may have been unbound and deleted between the two
    /// lists.
    ///
    /// # Errors
    /// Those of the lists, and [`PluginError::group`] if a flavor has a profile that is not listed: most roles
    /// see an empty list instead of an error (measured), and what was built on that would come twice.
    pub fn list_profiles(&mut self, network: &Network<'_>) -> Result<(), PluginError> {
        let listed: Vec<_> =
            network.service_profiles().map_err(plugin_error)?.into_iter().map(Profile::new).collect();
        if check_all_seen(self.flavors(), &listed).is_err() {
            self.list_flavors(network)?;
            check_all_seen(self.flavors(), &listed)?;
        }
        self.profiles = Some(listed);
        Ok(())
    }

    /// Lists what has not been listed yet, or all after a [`Cache::distrust`].
    ///
    /// # Errors
    /// Those of the lists.
    pub fn fill(&mut self, network: &Network<'_>) -> Result<(), PluginError> {
        if self.stale || self.flavors.is_none() {
            self.list_flavors(network)?;
        }
        if self.stale || self.profiles.is_none() {
            self.list_profiles(network)?;
        }
        self.stale = false;
        Ok(())
    }

    /// Has the lists read again before they are next used, after a write of which nobody knows whether it
    /// was done. Until then [`Cache::ids`] goes by the old ones: two clouds do not become one by it.
    pub fn distrust(&mut self) {
        self.stale = true;
    }

    /// The ids of the router flavors of this name, whether managed or not: both groups that are compared see
    /// the same ones if they see the same cloud. `None` if the list is empty or was not read.
    pub fn ids(&self, name: &str) -> Option<Vec<String>> {
        let flavors = self.flavors.as_deref().filter(|flavors| !flavors.is_empty())?;
        Some(named(flavors, name).map(|flavor| flavor.id.clone()).collect())
    }

    /// Remembers that a CR of this run uses the profile: it is not swept in this run, whatever happened to
    /// its binding.
    pub fn choose(&mut self, profile_id: &str) {
        self.chosen.insert(profile_id.to_owned());
    }

    /// Managed profiles that no flavor has and no CR of this run uses, by id.
    pub fn orphans(&self) -> Vec<Profile> {
        let mut orphans: Vec<_> =
            self.profiles().iter().filter(|profile| self.is_orphan(profile)).cloned().collect();
        orphans.sort_by(|a, b| a.id().cmp(b.id()));
        orphans
    }

    /// Whether the profile is managed, and neither bound nor used in this run.
    pub fn is_orphan(&self, profile: &Profile) -> bool {
        profile.meta.managed && !self.chosen.contains(profile.id()) && !is_bound(self.flavors(), profile.id())
    }

    /// The profile with this id.
    pub fn profile(&self, id: &str) -> Option<&Profile> {
        self.profiles().iter().find(|profile| profile.id() == id)
    }

    /// The profiles that the flavor with this id has.
    pub fn bound_to(&self, flavor_id: &str) -> &[String] {
        let flavor = self.flavors().iter().find(|flavor| flavor.id == flavor_id);
        flavor.map(|flavor| flavor.service_profiles.as_slice()).unwrap_or_default()
    }

    /// Takes in a created or changed flavor.
    pub fn put_flavor(&mut self, flavor: Flavor) {
        let flavors = self.flavors.get_or_insert_default();
        flavors.retain(|known| known.id != flavor.id);
        flavors.push(flavor);
    }

    /// Takes in a created or changed profile.
    pub fn put_profile(&mut self, profile: Profile) {
        let profiles = self.profiles.get_or_insert_default();
        profiles.retain(|known| known.id() != profile.id());
        profiles.push(profile);
    }

    /// Takes out a deleted flavor, and with it its bindings.
    pub fn drop_flavor(&mut self, id: &str) {
        self.flavors.get_or_insert_default().retain(|flavor| flavor.id != id);
    }

    /// Takes out a deleted profile.
    pub fn drop_profile(&mut self, id: &str) {
        self.profiles.get_or_insert_default().retain(|profile| profile.id() != id);
    }

    /// Sets whether the flavor has the profile.
    pub fn set_bound(&mut self, flavor_id: &str, profile_id: &str, bound: bool) {
        let flavors = self.flavors.get_or_insert_default();
        if let Some(flavor) = flavors.iter_mut().find(|flavor| flavor.id == flavor_id) {
            flavor.service_profiles.retain(|id| id != profile_id);
            if bound {
                flavor.service_profiles.push(profile_id.to_owned());
            }
        }
    }
}

/// Compares what the flavors say with the list of profiles. Of several that are missing, the first by
/// flavor and id is named, so that the text stays the same.
fn check_all_seen(flavors: &[Flavor], profiles: &[Profile]) -> Result<(), PluginError> {
    let seen: BTreeSet<_> = profiles.iter().map(Profile::id).collect();
    let bound = flavors.iter().flat_map(|flavor| flavor.service_profiles.iter().map(|id| (&flavor.name, id)));
    let Some((flavor, id)) = bound.filter(|(_, id)| !seen.contains(id.as_str())).min() else {
        return Ok(());
    };
    Err(PluginError::group(
        REASON_POLICY_REFUSED,
        format!(
            "flavor {flavor:?} has service profile {id}, but the list of service profiles does not: the \
             credentials see too little, they need a role that the policy rule get_service_profile allows"
        ),
    ))
}

#[cfg(test)]
mod tests;
