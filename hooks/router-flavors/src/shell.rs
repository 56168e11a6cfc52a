//! The writes, each through the one door, each followed by the same change in the cache.
//!
//! In a dry run the door answers nothing; the cache then takes in a stand-in, so that what would follow is
//! planned and shown too. Nothing without our mark is unbound or deleted: the guards are here, whatever the
//! callers decided.

use framework::{Action, Group, PluginError, Writes};
use openstack::Error;
use openstack::network::{
    Flavor, FlavorUpdate, Network, NewFlavor, NewServiceProfile, ServiceProfile, ServiceProfileUpdate,
};
use openstack_hook::{REASON_POLICY_REFUSED, plugin_error, write_error};

use crate::RouterFlavors;
use crate::cache::{Cache, Profile, is_ours};
use crate::choose::{self, FlavorChoice, ProfileChoice};
use crate::config::{SERVICE_TYPE, Spec, WantedProfile};
use crate::markers::mark;

/// Begins the ids of the stand-ins of a dry run; no server gives such an id.
pub const PLANNED: &str = "(new ";

/// What became of a deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    /// It is gone, or was gone already.
    Gone,
    /// The server refused since routers use the flavor, or a flavor the profile.
    InUse,
}

/// One group at work.
pub struct Shell<'a> {
    network: Network<'a>,
    /// The lists.
    pub cache: &'a mut Cache,
    writes: &'a mut Writes,
}

impl<'a> Shell<'a> {
    /// With the flavors and profiles listed.
    ///
    /// # Errors
    /// Those of the catalogue and the lists.
    pub fn new(group: &'a mut Group<'_, RouterFlavors>) -> Result<Self, PluginError> {
        let network = group.conn.network().map_err(plugin_error)?;
        group.cache.fill(&network)?;
        Ok(Self { network, cache: group.cache, writes: group.writes })
    }

    /// Checks that an empty list of flavors is no blindness: some roles see an empty list instead of an
    /// error (measured), and what they do not see is not gone. One request, only if the list is empty.
    ///
    /// # Errors
    /// [`PluginError::group`] if the credentials see too little, and those of the request.
    pub fn check_sight(&self) -> Result<(), PluginError> {
        if !self.cache.flavors().is_empty() || self.network.sees_service_providers().map_err(plugin_error)? {
            return Ok(());
        }
        Err(PluginError::group(
            REASON_POLICY_REFUSED,
            "the lists of flavors and of service providers are both empty: the credentials see too little, \
             they need a role that the policy rule get_flavor allows",
        ))
    }

    /// Reads the lists again, once for a group, before something is created because it is missing in them. A
    /// Neutron that is just starting answers with empty or partial lists for a moment, to an administrator too
    /// (measured: its policy is not loaded yet), and names are not unique: what is there would be made twice.
    /// Two requests, three if there are no flavors.
    ///
    /// # Errors
    /// Those of [`Shell::check_sight`] and of the lists.
    pub fn confirm(&mut self) -> Result<(), PluginError> {
        if !self.cache.confirmed {
            // First: whoever sees the providers is answered by a policy that is loaded.
            self.check_sight()?;
            self.cache.list_flavors(&self.network)?;
            self.cache.list_profiles(&self.network)?;
            self.cache.confirmed = true;
        }
        Ok(())
    }

    /// Creates the spec's flavor, with the marker, and returns its id. If the answer is lost, the flavors
    /// are listed again: the request is not repeated, since names are not unique.
    ///
    /// # Errors
    /// Those of the request, also if its answer was lost and the flavor is not there (yet).
    pub fn create_flavor(&mut self, spec: &Spec) -> Result<String, PluginError> {
        let description = mark(&spec.description);
        let new = NewFlavor {
            name: &spec.name,
            service_type: SERVICE_TYPE,
            description: &description,
            enabled: spec.is_enabled,
        };
        let action =
            Action::new("create", "flavor", &spec.name).detail(format!("enabled {}", spec.is_enabled));
        let flavor = match self.writes.run(action, || known(self.network.create_flavor(&new)))? {
            Some(Ok(flavor)) => flavor,
            Some(Err(lost)) => {
                self.cache.list_flavors(&self.network)?;
                return match choose::flavor(self.cache.flavors(), &spec.name)? {
                    FlavorChoice::Take(flavor) if is_ours(flavor) => Ok(flavor.id.clone()),
                    _ => Err(plugin_error(lost)),
                };
            }
            None => Flavor {
                id: format!("{PLANNED}flavor {})", spec.name),
                name: spec.name.clone(),
                description: Some(description),
                service_type: SERVICE_TYPE.to_owned(),
                enabled: spec.is_enabled,
                service_profiles: Vec::new(),
            },
        };
        let id = flavor.id.clone();
        self.cache.put_flavor(flavor);
        Ok(id)
    }

    /// Creates a service profile with the marks and returns its id. A lost answer is looked up as for
    /// flavors.
    ///
    /// # Errors
    /// As [`Shell::create_flavor`].
    pub fn create_profile(&mut self, wanted: &WantedProfile) -> Result<String, PluginError> {
        let new = NewServiceProfile {
            driver: &wanted.driver,
            description: &wanted.description,
            metainfo: &wanted.metainfo,
            enabled: wanted.is_enabled,
        };
        let action = Action::new("create", "service profile", &wanted.driver)
            .detail(format!("meta_info {}", wanted.content));
        let stored = match self.writes.run(action, || known(self.network.create_service_profile(&new)))? {
            Some(Ok(stored)) => stored,
            Some(Err(lost)) => {
                self.cache.list_profiles(&self.network)?;
                return match choose::profile(self.cache.profiles(), self.cache.flavors(), None, wanted) {
                    ProfileChoice::Managed(profile) => Ok(profile.id().to_owned()),
                    _ => Err(plugin_error(lost)),
                };
            }
            None => ServiceProfile {
                id: format!("{PLANNED}service profile {})", self.cache.profiles().len() + 1),
                driver: wanted.driver.clone(),
                description: Some(wanted.description.clone()),
                enabled: wanted.is_enabled,
                metainfo: Some(wanted.metainfo.clone()),
            },
        };
        let id = stored.id.clone();
        self.cache.put_profile(Profile::new(stored));
        Ok(id)
    }

    /// Changes a flavor.
    ///
    /// # Errors
    /// Those of the request.
    pub fn update_flavor(&mut self, flavor: &Flavor, update: &FlavorUpdate) -> Result<(), PluginError> {
        let detail = changes(&[
            update.description.as_ref().map(|text| format!("description {text:?}")),
            update.enabled.map(|enabled| format!("enabled {enabled}")),
        ]);
        let action = Action::new("update", "flavor", &flavor.name).detail(detail);
        let write = || self.network.update_flavor(&flavor.id, update).map_err(write_error);
        let changed = self.writes.run(action, write)?.unwrap_or_else(|| Flavor {
            description: update.description.clone().or_else(|| flavor.description.clone()),
            enabled: update.enabled.unwrap_or(flavor.enabled),
            ..flavor.clone()
        });
        self.cache.put_flavor(changed);
        Ok(())
    }

    /// Changes a profile that no flavor has.
    ///
    /// # Errors
    /// Those of the request; 409 `ServiceProfileInUse` if a flavor has it meanwhile.
    pub fn update_profile(
        &mut self,
        profile: &Profile,
        update: &ServiceProfileUpdate,
    ) -> Result<(), PluginError> {
        let detail = changes(&[
            update.description.as_ref().map(|text| format!("description {text:?}")),
            update.enabled.map(|enabled| format!("enabled {enabled}")),
            update.metainfo.as_ref().map(|_| "ownership marks".to_owned()),
        ]);
        let action = Action::new("update", "service profile", profile.id()).detail(detail);
        let write = || self.network.update_service_profile(profile.id(), update).map_err(write_error);
        let old = &profile.stored;
        let changed = self.writes.run(action, write)?.unwrap_or_else(|| ServiceProfile {
            description: update.description.clone().or_else(|| old.description.clone()),
            enabled: update.enabled.unwrap_or(old.enabled),
            metainfo: update.metainfo.clone().or_else(|| old.metainfo.clone()),
            ..old.clone()
        });
        self.cache.put_profile(Profile::new(changed));
        Ok(())
    }

    /// Binds a profile to a flavor; being bound already is success.
    ///
    /// # Errors
    /// Everything else: a flavor without its profile makes no router.
    pub fn bind(&mut self, flavor_id: &str, name: &str, profile_id: &str) -> Result<(), PluginError> {
        let action = Action::new("bind", "service profile", profile_id).detail(format!("to flavor {name:?}"));
        self.writes.run(action, || match self.network.bind(flavor_id, profile_id) {
            Err(error) if error.error_type() == Some("FlavorServiceProfileBindingExists") => Ok(()),
            answer => answer.map_err(write_error),
        })?;
        self.cache.set_bound(flavor_id, profile_id, true);
        Ok(())
    }

    /// Takes a managed profile from a flavor; not being bound is success.
    ///
    /// # Errors
    /// Everything else, and a profile that is not managed.
    pub fn unbind(&mut self, flavor_id: &str, name: &str, profile: &Profile) -> Result<(), PluginError> {
        guard(profile.meta.managed, "service profile", profile.id())?;
        let action =
            Action::new("unbind", "service profile", profile.id()).detail(format!("from flavor {name:?}"));
        self.writes.run(action, || match self.network.unbind(flavor_id, profile.id()) {
            Err(error) if error.is_not_found() => Ok(()),
            answer => answer.map_err(write_error),
        })?;
        self.cache.set_bound(flavor_id, profile.id(), false);
        Ok(())
    }

    /// Deletes a managed flavor; its bindings go with it.
    ///
    /// # Errors
    /// Every answer but 404 (gone) and 409 `FlavorInUse`, and a flavor that is not managed.
    pub fn delete_flavor(&mut self, flavor: &Flavor) -> Result<Deleted, PluginError> {
        guard(is_ours(flavor), "flavor", &flavor.id)?;
        let action = Action::new("delete", "flavor", &flavor.name).detail(format!("id {}", flavor.id));
        let deleted =
            self.writes.run(action, || gone(self.network.delete_flavor(&flavor.id), "FlavorInUse"))?;
        if deleted != Some(Deleted::InUse) {
            self.cache.drop_flavor(&flavor.id);
        }
        Ok(deleted.unwrap_or(Deleted::Gone))
    }

    /// Deletes a managed profile.
    ///
    /// # Errors
    /// Every answer but 404 (gone) and 409 `ServiceProfileInUse`, and a profile that is not managed.
    pub fn delete_profile(&mut self, profile: &Profile) -> Result<Deleted, PluginError> {
        guard(profile.meta.managed, "service profile", profile.id())?;
        let action =
            Action::new("delete", "service profile", profile.id()).detail(profile.stored.driver.clone());
        let write = || gone(self.network.delete_service_profile(profile.id()), "ServiceProfileInUse");
        let deleted = self.writes.run(action, write)?;
        if deleted != Some(Deleted::InUse) {
            self.cache.drop_profile(profile.id());
        }
        Ok(deleted.unwrap_or(Deleted::Gone))
    }
}

/// Sets the answer apart that leaves open whether the thing exists now.
fn known<T>(answer: Result<T, Error>) -> Result<Result<T, Error>, PluginError> {
    match answer {
        Err(error) if error.is_outcome_unknown() => Ok(Err(error)),
        answer => answer.map(Ok).map_err(write_error),
    }
}

/// `in_use` is the server's name for the one conflict that waiting mends by itself; any other says in its own
/// words what is in the way.
fn gone(answer: Result<(), Error>, in_use: &str) -> Result<Deleted, PluginError> {
    match answer {
        Ok(()) => Ok(Deleted::Gone),
        Err(error) if error.is_not_found() => Ok(Deleted::Gone),
        Err(error) if error.is_conflict() && error.error_type() == Some(in_use) => {
            log::debug!("{error}");
            Ok(Deleted::InUse)
        }
        Err(error) => Err(write_error(error)),
    }
}

fn guard(managed: bool, kind: &str, id: &str) -> Result<(), PluginError> {
    if managed {
        return Ok(());
    }
    Err(PluginError::cr(format!("{kind} {id} does not carry our mark and is left alone: this is a defect")))
}

fn changes(parts: &[Option<String>]) -> String {
    parts.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ")
}
