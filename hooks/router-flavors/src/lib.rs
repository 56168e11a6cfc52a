//! Keeps Neutron router flavors equal to `NeutronRouterFlavor` resources.
//!
//! # The resource
//!
//! A **flavor** (service type `L3_ROUTER_NAT`) is what a user names when he creates a router. It has a name,
//! which need not be unique, a description and a switch. What kind of router comes out of it is said by a
//! **service profile**: the class path of a driver, and `metainfo`, a text in which the driver finds its
//! settings (the CR's `meta_info`, as JSON). A profile has no name. A **binding** gives a profile to a
//! flavor; several flavors may have the same profile, and of several profiles of one flavor the server
//! uses the one with the lowest id. While it is bound, a profile can be neither changed nor deleted.
//!
//! A **marker** says what is ours: the end of a flavor's description, three keys in a profile's `metainfo`.
//! A CR claims the flavor of its `spec.name`: one that is not there is created, one that is there without
//! the marker is adopted. What has no marker is never deleted or unbound.
//!
//! # The code
//!
//! [`config`] reads and checks the spec, [`markers`] knows the marks, [`choose`] and [`notes`] decide what a
//! spec means in the lists that [`cache`] holds; all of that is pure. [`shell`] writes, [`reconcile`] and
//! [`prune`] say in which order. One group costs two lists, however many CRs it has.

pub mod cache;
pub mod choose;
pub mod config;
pub mod markers;
pub mod notes;
pub mod prune;
pub mod reconcile;
#[cfg(test)]
mod samples;
pub mod shell;

use framework::{
    CleanupPolicy, Cr, Group, Outcome, PluginError, PruneRequest, Pruned, Secrets, SyncHook, SyncPlugin,
};
use openstack::Session;
use openstack_hook::{CloudRef, plugin_error};
use serde_json::Value;

use crate::cache::Cache;
use crate::config::Spec;
use crate::shell::Shell;

/// What the framework must know of this hook besides the plugin.
pub const HOOK: SyncHook = SyncHook {
    name: "router-flavors",
    about: "keeps Neutron router flavors equal to NeutronRouterFlavor resources",
    prefix: "NEUTRON_ROUTER_FLAVOR",
    binding: "neutron-router-flavors",
};

/// The plugin.
#[derive(Debug, Clone, Copy, Default)]
pub struct RouterFlavors;

impl SyncPlugin for RouterFlavors {
    const NOUN: &'static str = "router flavor";
    const SERVICE: &'static str = "OpenStack";
    type Spec = Spec;
    type Credentials = CloudRef;
    type Conn = Session;
    type Cache = Cache;
    type Status = ();

    fn credentials(&self, spec: &Value) -> Result<CloudRef, PluginError> {
        CloudRef::from_spec(spec)
    }

    /// The flavor's name, as it is.
    fn claim(&self, spec: &Value) -> Result<Option<String>, PluginError> {
        match spec.get("name") {
            Some(Value::String(name)) if !name.is_empty() => Ok(Some(name.clone())),
            Some(Value::String(_)) => Err(PluginError::invalid_spec("spec.name is empty")),
            None | Some(Value::Null) => Err(PluginError::invalid_spec("spec.name is missing")),
            Some(_) => Err(PluginError::invalid_spec("spec.name is not a string")),
        }
    }

    fn cleanup_policy(&self, prune: bool) -> CleanupPolicy {
        if prune { CleanupPolicy::Finalized } else { CleanupPolicy::BestEffort }
    }

    fn connect(&self, secrets: &Secrets<'_>, at: &CloudRef) -> Result<Session, PluginError> {
        openstack_hook::connect(secrets, at)
    }

    /// Lists the flavors.
    fn wait_for_api(&self, session: &Session, cache: &mut Cache) -> Result<(), PluginError> {
        cache.list_flavors(&session.network().map_err(plugin_error)?)
    }

    fn ids(&self, cache: &Cache, claim: &str) -> Option<Vec<String>> {
        cache.ids(claim)
    }

    /// Asks for the service providers: who sees no flavors for lack of rights sees none of these either.
    fn trusts_empty_list(&self, group: &mut Group<'_, Self>) -> Result<bool, PluginError> {
        let network = group.conn.network().map_err(plugin_error)?;
        network.sees_service_providers().map_err(plugin_error)
    }

    fn reconcile(&self, group: &mut Group<'_, Self>, cr: &Cr<Spec>) -> Result<Outcome<()>, PluginError> {
        fresh_after_doubt(group, |shell| reconcile::reconcile(shell, &cr.spec)).map(Outcome::with_notes)
    }

    fn prune(&self, group: &mut Group<'_, Self>, request: &PruneRequest<'_>) -> Result<Pruned, PluginError> {
        fresh_after_doubt(group, |shell| prune::prune(shell, request))
    }

    fn abandon(&self, group: &mut Group<'_, Self>, claim: &str) -> Result<(), PluginError> {
        fresh_after_doubt(group, |shell| prune::abandon(shell, claim))
    }
}

/// Does `work`; after an error that leaves open whether a write was done, the lists are read again before
/// they are next used.
fn fresh_after_doubt<T>(
    group: &mut Group<'_, RouterFlavors>,
    work: impl FnOnce(&mut Shell<'_>) -> Result<T, PluginError>,
) -> Result<T, PluginError> {
    let result = Shell::new(group).and_then(|mut shell| work(&mut shell));
    if result.as_ref().is_err_and(PluginError::is_not_ready) {
        group.cache.distrust();
    }
    result
}
