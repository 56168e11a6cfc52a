//! Status keys that a plugin wants to stand before it goes on.

use serde_json::{Map, Value, json};

use super::api::{Api, failure, is_gone};
use crate::error::PluginError;
use crate::plugin::Memory;
use crate::record::Record;
use crate::writes::{Action, Writes};

/// The status of one CR as a memory.
pub(super) struct StatusMemory<'a> {
    api: &'a Api<'a>,
    record: &'a mut Record,
}

impl<'a> StatusMemory<'a> {
    pub(super) fn new(api: &'a Api<'a>, record: &'a mut Record) -> Self {
        Self { api, record }
    }
}

impl Memory for StatusMemory<'_> {
    /// The patch carries the version that the status was read at: a snapshot may be older than what the run
    /// before it has written, and what that one remembered must not be lost. A CR that was made again has another
    /// version, too.
    fn remember(&mut self, writes: &mut Writes, keys: &Map<String, Value>) -> Result<(), PluginError> {
        let record = &mut *self.record;
        let names = keys.keys().map(|key| format!("status.{key}")).collect::<Vec<_>>().join(", ");
        if !self.api.status_enabled() {
            return Err(PluginError::cr(format!("{names} cannot be written: statuses are switched off")));
        }
        let action = Action::new("patch", "status", record.display_name()).detail(names.as_str());
        let Some(object) = writes.run(action, || self.api.send_keys(record, keys, &names))? else {
            return Ok(());
        };
        let dropped = keys.iter().find(|(key, value)| object["status"].get(key) != Some(value));
        record.took_status(&object);
        match dropped {
            Some((key, _)) => Err(PluginError::cr(format!(
                "the stored CRD does not keep status.{key} as it was written: update the CRD"
            ))),
            None => Ok(()),
        }
    }
}

impl Api<'_> {
    fn send_keys(
        &self,
        record: &Record,
        keys: &Map<String, Value>,
        names: &str,
    ) -> Result<Value, PluginError> {
        let Some(version) = &record.status_version else {
            return Err(PluginError::cr(format!(
                "{names} cannot be written to an object without a resourceVersion: give it as \
                 `kubectl get -o json` prints it"
            )));
        };
        let patch = json!({"metadata": {"resourceVersion": version}, "status": keys});
        let (namespace, name) = (record.cr.namespace.as_str(), record.cr.name.as_str());
        let answer = self.client()?.merge_patch_status(self.resource(), Some(namespace), name, &patch);
        answer.map_err(|error| {
            if is_gone(&error, name) {
                return PluginError::cr("it is gone already");
            }
            if error.is_conflict() {
                return PluginError::cr("it was changed during the run; the next run goes by what it is now")
                    .with_source(error);
            }
            failure(error)
        })
    }
}
