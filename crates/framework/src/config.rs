//! A hook's configuration, read from the environment in two steps: [`Bindings`] shapes the answer to
//! `--config`, [`HookConfig`] is everything a run needs.

use std::time::Duration;

use crate::crontab;
use crate::env::Env;
use crate::error::Error;

/// The catch-up crontab if none is set: every minute.
pub const DEFAULT_CATCH_UP_CRONTAB: &str = "* * * * *";
/// How many unclaimed resources one run may delete if no limit is set.
pub const DEFAULT_PRUNE_LIMIT: u32 = 10;
/// Readiness attempts of one run if none are set.
pub const DEFAULT_READY_RETRIES: u32 = 30;
/// Seconds between readiness attempts if none are set.
pub const DEFAULT_READY_DELAY: f64 = 10.0;

/// The namespaces that a hook watches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Watch {
    /// Every namespace.
    All,
    /// These.
    Names(Vec<String>),
}

/// What shapes the answer to `--config`. Only these variables are read there, so that a typo in any other
/// cannot crash-loop the operator, which would stop every hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bindings {
    /// The kubernetes binding's name, queue and snapshot key: `neutron-router-flavors`.
    pub binding: String,
    /// `<PREFIX>_CRD_API_VERSION`: `<group>/<version>`.
    pub api_version: String,
    /// `<PREFIX>_CRD_KIND`.
    pub kind: String,
    /// `<PREFIX>_CRD_RESOURCE`: `<plural>.<group>`.
    pub resource: String,
    /// `<PREFIX>_STATUS_ENABLED`, default false.
    pub status_enabled: bool,
    /// `WATCH_NAMESPACES` (comma or blank separated, or `*`), default `POD_NAMESPACE`, default all.
    pub watch: Watch,
    /// `<PREFIX>_SYNC_CRONTAB`; blank means none.
    pub sync_crontab: Option<String>,
    /// `<PREFIX>_CATCH_UP_CRONTAB`, default every minute; blank means none.
    pub catch_up_crontab: Option<String>,
}

impl Bindings {
    /// Reads the variables that `--config` needs; `prefix` is the hook's, such as `NEUTRON_ROUTER_FLAVOR`.
    ///
    /// # Errors
    /// [`Error::Variable`] for the first one that is missing or cannot be used.
    pub fn from_env(prefix: &str, binding: &str, env: &Env) -> Result<Self, Error> {
        let name = |suffix: &str| format!("{prefix}_{suffix}");
        let api_version = env.required(&name("CRD_API_VERSION"))?.to_owned();
        if !matches!(api_version.split_once('/'), Some((group, version)) if !group.is_empty() && !version.is_empty() && !version.contains('/'))
        {
            let problem = format!("must be <group>/<version>, not {api_version:?}");
            return Err(Error::variable(name("CRD_API_VERSION"), problem));
        }
        let kind = env.required(&name("CRD_KIND"))?.to_owned();
        let resource = env.required(&name("CRD_RESOURCE"))?.to_owned();
        if resource.split('.').next().is_none_or(str::is_empty) {
            return Err(Error::variable(
                name("CRD_RESOURCE"),
                format!("must be <plural>.<group>, not {resource:?}"),
            ));
        }
        Ok(Self {
            binding: binding.to_owned(),
            api_version,
            kind,
            resource,
            status_enabled: env.flag(&name("STATUS_ENABLED"), false)?,
            watch: watch(env)?,
            sync_crontab: crontab_from(env, &name("SYNC_CRONTAB"), None)?,
            catch_up_crontab: crontab_from(env, &name("CATCH_UP_CRONTAB"), Some(DEFAULT_CATCH_UP_CRONTAB))?,
        })
    }

    /// The kind of the CRs, as the API server knows it.
    pub(crate) fn kube_resource(&self) -> kube::Resource {
        let (group, version) = self.api_version.split_once('/').unwrap_or_default();
        let plural = self.resource.split('.').next().unwrap_or_default();
        kube::Resource::new(group, version, plural)
    }

    /// Whether failed work is repeated by the catch-up schedule. If not, shell-operator's own retry is the
    /// only one: without statuses a run cannot know what is left to do.
    pub fn has_catch_up(&self) -> bool {
        self.status_enabled && self.catch_up_crontab.is_some()
    }

    /// Whether the catch-up schedule fires every minute or more often, so that back-off by minutes is
    /// possible, and needed.
    pub(crate) fn catches_up_every_minute(&self) -> bool {
        self.catch_up_crontab.as_deref().is_some_and(crontab::fires_every_minute)
    }
}

/// Reads a crontab variable; unset is `default`, blank is none.
///
/// # Errors
/// [`Error::Variable`] if shell-operator would not take it, or would hang on it.
pub fn crontab_from(env: &Env, name: &str, default: Option<&str>) -> Result<Option<String>, Error> {
    let text = match env.get(name) {
        None => default.unwrap_or_default(),
        Some(set) => set.trim(),
    };
    if text.is_empty() {
        return Ok(None);
    }
    crontab::check(text).map_err(|problem| Error::variable(name, problem))?;
    Ok(Some(text.to_owned()))
}

fn watch(env: &Env) -> Result<Watch, Error> {
    let remedy = "use names, or * alone for all";
    match (env.text("WATCH_NAMESPACES"), env.text("POD_NAMESPACE")) {
        (Some("*"), _) | (None, None) => Ok(Watch::All),
        (Some(_), _) => match env.namespaces("WATCH_NAMESPACES") {
            Ok(names) if names.is_empty() => {
                Err(Error::variable("WATCH_NAMESPACES", format!("names no namespace; {remedy}")))
            }
            Err(Error::Variable { name, problem }) => {
                Err(Error::variable(name, format!("{problem}; {remedy}")))
            }
            names => names.map(Watch::Names),
        },
        (None, Some(own)) if kube::is_namespace(own) => Ok(Watch::Names(vec![own.to_owned()])),
        (None, Some(own)) => {
            Err(Error::variable("POD_NAMESPACE", format!("{own:?} is not the name of a namespace")))
        }
    }
}

/// Everything a run of a CR hook needs to know.
#[derive(Debug, Clone, PartialEq)]
pub struct HookConfig {
    /// The hook's prefix, for messages: `NEUTRON_ROUTER_FLAVOR`.
    pub prefix: String,
    /// What `--config` is made of.
    pub bindings: Bindings,
    /// `POD_NAMESPACE`: the namespace of a CR that names none.
    pub pod_namespace: Option<String>,
    /// `<PREFIX>_PRUNE`, default false.
    pub prune: bool,
    /// `<PREFIX>_PRUNE_LIMIT`, default 10; 0 = unclaimed resources are never deleted.
    pub prune_limit: u32,
    /// `<PREFIX>_READY_RETRIES`, default 30: readiness attempts of one run, over all groups.
    pub ready_retries: u32,
    /// `<PREFIX>_READY_DELAY` in seconds, default 10.
    pub ready_delay: Duration,
    /// `<PREFIX>_DRY_RUN`, default false, or `--dry-run`.
    pub dry_run: bool,
}

impl HookConfig {
    /// Reads all variables of the hook `prefix`.
    ///
    /// # Errors
    /// [`Error::Variable`] for the first one that is missing or cannot be used.
    pub fn from_env(prefix: &str, binding: &str, env: &Env) -> Result<Self, Error> {
        let name = |suffix: &str| format!("{prefix}_{suffix}");
        Ok(Self {
            prefix: prefix.to_owned(),
            bindings: Bindings::from_env(prefix, binding, env)?,
            pod_namespace: env.text("POD_NAMESPACE").map(str::to_owned),
            prune: env.flag(&name("PRUNE"), false)?,
            prune_limit: env.integer(&name("PRUNE_LIMIT"), DEFAULT_PRUNE_LIMIT, 0)?,
            ready_retries: env.integer(&name("READY_RETRIES"), DEFAULT_READY_RETRIES, 1)?,
            ready_delay: env.seconds(&name("READY_DELAY"), DEFAULT_READY_DELAY)?,
            dry_run: env.flag(&name("DRY_RUN"), false)?,
        })
    }
}

/// Whether the hook does any work: `<PREFIX>_ENABLED`, exactly `true` or `false`, default false.
///
/// # Errors
/// [`Error::Variable`] for anything else.
pub fn is_enabled(prefix: &str, env: &Env) -> Result<bool, Error> {
    env.flag(&format!("{prefix}_ENABLED"), false)
}

#[cfg(test)]
mod tests;
