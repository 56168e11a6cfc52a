//! The contract between the framework and a hook: [`SyncPlugin`].

use std::fmt::Display;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::cli::Variable;
use crate::config::HookConfig;
use crate::cr::Cr;
use crate::env::Env;
use crate::error::{Error, PluginError};
use crate::prune::{CleanupPolicy, PruneRequest, Pruned};
use crate::secrets::Secrets;
use crate::writes::Writes;

/// One kind of custom resource and how it becomes real. A hook is one implementation of this trait.
///
/// The framework reads the binding context, groups the CRs by namespace and credentials, and calls the
/// methods below; the plugin never sees a binding context, a finalizer or a status patch.
///
/// # The rules
///
/// * **The order** of calls for one group is `connect`, `wait_for_api` (both again while they answer
///   [`PluginError::not_ready`] and the budget lasts), `reconcile` for each CR, then, if anything may go,
///   `prune` or `abandon`. A group is connected at most once in a run, and only if there is work for it.
/// * **Writes** to the service MUST go through [`Writes::run`]. In a dry run it returns `None`: the plugin
///   MUST go on as if the write had succeeded, without the answer.
/// * **Ownership.** `reconcile` MUST put the plugin's marker on what it creates or adopts. Nothing without
///   the marker may ever be deleted, unbound or, except to adopt it, changed.
/// * **Idempotence.** Any call may be cut off at any instruction. The next run MUST converge from what was
///   left, and a second `reconcile` over an unchanged world MUST write nothing.
/// * **Memory.** What a later run must know, because the other side cannot tell it, is written down with
///   [`Group::remember`] before it becomes true.
/// * **Pure methods** (`credentials`, `claim`, `ids`) MUST NOT do I/O and MUST give the same answer for the
///   same input.
/// * **Errors** say how far they reach: see [`PluginError`]. Their text is a status text: stable, without
///   secrets.
pub trait SyncPlugin: Sized {
    /// What one resource is called in logs and statuses: `router flavor`.
    const NOUN: &'static str;
    /// What the other side is called: `OpenStack`, in `OpenStack connection failed: ...`.
    const SERVICE: &'static str;
    /// The parsed spec. Fields that the CRD requires have no default here, so that a stored CR that lacks
    /// one is `InvalidSpec`; fields that the CRD leaves optional have one.
    type Spec: DeserializeOwned;
    /// Names, never secrets, of the credentials that a CR uses. With the namespace it is the group's key; it
    /// is also what the `applied` annotation records.
    type Credentials: Ord + Clone + Display + Serialize + DeserializeOwned;
    /// A connection to the other side.
    type Conn;
    /// What was listed from the other side: one per group, filled by `wait_for_api` or when needed, and kept
    /// true by the plugin after its own writes.
    type Cache: Default;
    /// Extra status keys, merged into the status of a synced CR; `()` for none.
    type Status: Serialize + Default;

    /// The hook's own variables, beside those that every hook has, for `--help`. None by default.
    fn variables(&self) -> Vec<Variable> {
        Vec::new()
    }

    /// Takes over the hook's own variables. Called once, before anything else of a run; never for `--config`.
    ///
    /// # Errors
    /// [`Error::Variable`] for a value that cannot be used: the run ends, and nothing was done.
    fn configure(&mut self, config: &HookConfig, env: &Env) -> Result<(), Error> {
        let _ = (config, env);
        Ok(())
    }

    /// Which credentials this spec names. An error makes the CR unreadable: it is doubt, and nothing is
    /// deleted in any group.
    ///
    /// # Errors
    /// [`PluginError::invalid_spec`] if they are missing or of the wrong type.
    fn credentials(&self, spec: &Value) -> Result<Self::Credentials, PluginError>;

    /// The name on the other side that this spec claims, read from the raw spec so that it is known, and
    /// protected, even if [`SyncPlugin::Spec`] does not parse. `None`: this kind has no names to claim, and nothing
    /// that a CR describes can be described by another one; then it may go whatever is wrong with others.
    ///
    /// # Errors
    /// [`PluginError::invalid_spec`] if it is missing; the CR is then unreadable.
    fn claim(&self, spec: &Value) -> Result<Option<String>, PluginError> {
        let _ = spec;
        Ok(None)
    }

    /// What happens when a CR goes. `prune` is the site's `<PREFIX>_PRUNE`.
    fn cleanup_policy(&self, prune: bool) -> CleanupPolicy {
        let _ = prune;
        CleanupPolicy::None
    }

    /// Logs in with the credentials `at`, whose Secrets are in the group's namespace.
    ///
    /// # Errors
    /// [`PluginError::not_ready`] if waiting may help, else any other: all CRs of the group fail with its
    /// text and the group is not tried again in this run.
    fn connect(&self, secrets: &Secrets<'_>, at: &Self::Credentials) -> Result<Self::Conn, PluginError>;

    /// One cheap attempt to see that the service answers: best the first list that `reconcile` needs anyway,
    /// kept in `cache`. The framework loops while the answer is [`PluginError::not_ready`].
    ///
    /// # Errors
    /// As for [`SyncPlugin::connect`].
    fn wait_for_api(&self, conn: &Self::Conn, cache: &mut Self::Cache) -> Result<(), PluginError>;

    /// What `--check` asks the service beyond [`SyncPlugin::connect`] and [`SyncPlugin::wait_for_api`]: something cheap,
    /// for plugins whose [`SyncPlugin::wait_for_api`] asks nothing. By default nothing more.
    ///
    /// # Errors
    /// Any; its text stands in the table.
    fn check(&self, conn: &Self::Conn) -> Result<(), PluginError> {
        let _ = conn;
        Ok(())
    }

    /// Ids of everything that carries the name `claim` in this group's list, used to tell whether two groups
    /// see the same cloud. `None`: the list is empty or was not read, so nothing can be told; then nothing of
    /// a name that another group claims is deleted.
    fn ids(&self, cache: &Self::Cache, claim: &str) -> Option<Vec<String>> {
        let _ = (cache, claim);
        None
    }

    /// Whether an empty list of this group means that there is nothing, and not that the credentials see too
    /// little (some services answer `[]` to roles that may not look). Asked only when [`SyncPlugin::ids`] is
    /// `None`, a CR leaves the group, and another group holds its claim. May ask the service.
    ///
    /// # Errors
    /// Any; as `false`, it keeps the resource and the CR.
    fn trusts_empty_list(&self, group: &mut Group<'_, Self>) -> Result<bool, PluginError> {
        let _ = group;
        Ok(false)
    }

    /// Makes the world equal to the spec. Called once per due CR and run.
    ///
    /// # Errors
    /// Any [`PluginError`]; the CR becomes `Failed` with its text and reason.
    fn reconcile(
        &self,
        group: &mut Group<'_, Self>,
        cr: &Cr<Self::Spec>,
    ) -> Result<Outcome<Self::Status>, PluginError>;

    /// Deletes what `request` allows, and nothing else. Something already gone is success. What could not
    /// go is said in [`Pruned`]; it keeps the finalizers.
    ///
    /// # Errors
    /// Any; the finalizers of all leaving CRs of the group stay.
    fn prune(&self, group: &mut Group<'_, Self>, request: &PruneRequest<'_>) -> Result<Pruned, PluginError> {
        let _ = (group, request);
        Ok(Pruned::default())
    }

    /// Takes the plugin's marker off what `claim` names, so that no later prune takes it. Called when a CR
    /// that is annotated as abandoned goes.
    ///
    /// # Errors
    /// Any; the CR is released all the same, with a warning.
    fn abandon(&self, group: &mut Group<'_, Self>, claim: &str) -> Result<(), PluginError> {
        let _ = (group, claim);
        Ok(())
    }
}

/// What a plugin has at hand while it works on one group.
pub struct Group<'a, P: SyncPlugin> {
    /// The connection.
    pub conn: &'a P::Conn,
    /// What was listed, true as of the last own write.
    pub cache: &'a mut P::Cache,
    /// The door to every write.
    pub writes: &'a mut Writes,
    /// The status of the CR that is being reconciled; none elsewhere.
    pub(crate) memory: Option<&'a mut dyn Memory>,
}

/// What keeps status keys.
pub(crate) trait Memory {
    /// See [`Group::remember`].
    fn remember(&mut self, writes: &mut Writes, keys: &Map<String, Value>) -> Result<(), PluginError>;
}

impl<'a, P: SyncPlugin> Group<'a, P> {
    /// A group without a CR, as `prune` sees it: for tests of plugins.
    pub fn new(conn: &'a P::Conn, cache: &'a mut P::Cache, writes: &'a mut Writes) -> Self {
        Self { conn, cache, writes, memory: None }
    }

    /// Writes these extra status keys to the CR that is being reconciled, now: what a later run, or `prune`,
    /// must know even if this run is cut off at the next instruction. Afterwards [`Cr::status`](Cr) of this run is
    /// out of date. In a dry run it is planned like any other write.
    ///
    /// It is sent even if the keys stand there already, as far as this run knows: with it the server confirms that
    /// the CR is still there, and is what it was when this run read it. (What changes nothing gets no new version.) So
    /// a plugin calls it before it makes what is to be remembered, and not if there is nothing to be made.
    ///
    /// # Errors
    /// [`PluginError::cr`] if they do not stand there: statuses are off, the stored CRD does not keep a key,
    /// the CR was changed since it was read, is gone or was made again, or the request failed. Then nothing may be
    /// done that relies on them.
    pub fn remember(&mut self, status: &P::Status) -> Result<(), PluginError> {
        match &mut self.memory {
            Some(memory) => memory.remember(self.writes, &extra_status(status)),
            None => {
                Err(PluginError::cr("there is no status to write to while cleaning up: this is a defect"))
            }
        }
    }
}

/// Extra status keys as an object; `()` and null are none.
pub(crate) fn extra_status(status: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(status) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

/// A successful reconcile.
#[derive(Debug)]
pub struct Outcome<S> {
    /// Divergence that the API forbids to correct. The CR stays `Synced`; the notes are in its status and in
    /// the log.
    pub notes: Vec<String>,
    /// Extra status keys.
    pub status: S,
}

impl<S: Default> Default for Outcome<S> {
    fn default() -> Self {
        Self { notes: Vec::new(), status: S::default() }
    }
}

impl<S: Default> Outcome<S> {
    /// Success with notes and no extra status.
    pub fn with_notes(notes: Vec<String>) -> Self {
        Self { notes, status: S::default() }
    }
}
