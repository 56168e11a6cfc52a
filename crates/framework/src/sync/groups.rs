//! Groups and their connections: each is made at most once in a run, whether it succeeds or fails.

use std::collections::BTreeMap;

use crate::config::HookConfig;
use crate::context::Mode;
use crate::error::PluginError;
use crate::plan::GroupKey;
use crate::plugin::{Group, SyncPlugin};
use crate::secrets::{LazyKube, Secrets};
use crate::writes::Writes;

/// Why a group cannot be worked on, in the words of its CRs' statuses.
#[derive(Debug, Clone)]
pub(crate) struct Unusable {
    pub(crate) reason: String,
    pub(crate) message: String,
}

/// A connected group.
pub(crate) struct Connected<P: SyncPlugin> {
    conn: P::Conn,
    pub(super) cache: P::Cache,
}

impl<P: SyncPlugin> Connected<P> {
    /// The connection alone.
    pub(crate) fn conn(&self) -> &P::Conn {
        &self.conn
    }

    /// What a plugin gets to work with.
    pub(super) fn group<'a>(&'a mut self, writes: &'a mut Writes) -> Group<'a, P> {
        Group::new(&self.conn, &mut self.cache, writes)
    }
}

/// All groups that were needed so far.
pub(crate) struct Groups<'a, P: SyncPlugin> {
    plugin: &'a P,
    kube: &'a LazyKube,
    config: &'a HookConfig,
    /// Repeated attempts left in this run, over all groups: a run must end.
    retries_left: u32,
    known: BTreeMap<GroupKey<P::Credentials>, Result<Connected<P>, Unusable>>,
}

impl<'a, P: SyncPlugin> Groups<'a, P> {
    pub(crate) fn new(plugin: &'a P, kube: &'a LazyKube, config: &'a HookConfig, mode: Mode) -> Self {
        // A due run tries once: the next tick is its retry.
        let retries_left = if mode == Mode::Full { config.ready_retries.saturating_sub(1) } else { 0 };
        Self { plugin, kube, config, retries_left, known: BTreeMap::new() }
    }

    /// The connection of a group, made now if it was not needed before.
    pub(crate) fn connect(&mut self, key: &GroupKey<P::Credentials>) -> Result<&mut Connected<P>, Unusable> {
        if !self.known.contains_key(key) {
            let made = self.try_connect(key);
            self.known.insert(key.clone(), made);
        }
        match self.known.get_mut(key) {
            Some(Ok(connected)) => Ok(connected),
            Some(Err(unusable)) => Err(unusable.clone()),
            None => unreachable!("inserted above"),
        }
    }

    /// Nothing more is tried with this group in this run.
    pub(super) fn give_up(&mut self, key: &GroupKey<P::Credentials>, reason: &str, message: &str) {
        let unusable = Unusable { reason: reason.to_owned(), message: message.to_owned() };
        self.known.insert(key.clone(), Err(unusable));
    }

    fn try_connect(&mut self, key: &GroupKey<P::Credentials>) -> Result<Connected<P>, Unusable> {
        let secrets = Secrets::new(self.kube, &key.namespace);
        let unusable = |what: &str, error: PluginError| {
            let message = format!("{} {what}: {error}", P::SERVICE);
            log::error!(group = key.to_string().as_str(), request_id = error.request_id().unwrap_or_default();
                "{key}: {} {what}: {}", P::SERVICE, error.log_text());
            Unusable { reason: error.reason().to_owned(), message }
        };
        let plugin = self.plugin;
        let conn = self
            .wait(key, || plugin.connect(&secrets, &key.at))
            .map_err(|error| unusable("connection failed", error))?;
        let mut cache = P::Cache::default();
        self.wait(key, || plugin.wait_for_api(&conn, &mut cache))
            .map_err(|error| unusable("API unavailable", error))?;
        Ok(Connected { conn, cache })
    }

    /// Repeats `attempt` while it is not ready and attempts are left.
    fn wait<T>(
        &mut self,
        key: &GroupKey<P::Credentials>,
        mut attempt: impl FnMut() -> Result<T, PluginError>,
    ) -> Result<T, PluginError> {
        loop {
            match attempt() {
                Err(error) if error.is_not_ready() && self.retries_left > 0 => {
                    self.retries_left -= 1;
                    let (left, delay) = (self.retries_left, self.config.ready_delay);
                    log::warn!(group = key.to_string().as_str();
                        "{key}: not ready: {}; next attempt in {} s, {left} left", error.log_text(), delay.as_secs_f64());
                    std::thread::sleep(delay);
                }
                answer => return answer,
            }
        }
    }
}
