//! Writes to the CRs themselves: marks and statuses.

use std::cell::Cell;

use serde_json::{Map, Value, json};

use crate::config::Bindings;
use crate::error::PluginError;
use crate::finalizer::Marks;
use crate::names::APPLIED_ANNOTATION;
use crate::record::Record;
use crate::secrets::LazyKube;
use crate::status::{self, Verdict, memory};
use crate::writes::{Action, Writes};
use rest::Timestamp;

/// How often a write of marks is tried against a CR that others write too.
const ATTEMPTS: usize = 3;

/// What became of a write of marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marked {
    /// The CR carries them.
    Done,
    /// The CR does not exist any more.
    Gone,
    /// The CR is being deleted: a finalizer can no longer be added.
    Deleting,
}

/// The CRs' side of the Kubernetes API.
pub(super) struct Api<'a> {
    kube: &'a LazyKube,
    resource: kube::Resource,
    status_enabled: bool,
    /// Status keys that the stored CRD does not keep.
    dropped_keys: Vec<String>,
    /// Writes in a row that got no answer. After two no status is tried any more in this run: each would wait
    /// for a timeout, and the next run finds them not current.
    unanswered: Cell<u32>,
}

impl<'a> Api<'a> {
    pub(super) fn new(kube: &'a LazyKube, bindings: &Bindings) -> Self {
        Self {
            kube,
            resource: bindings.kube_resource(),
            status_enabled: bindings.status_enabled,
            dropped_keys: Vec::new(),
            unanswered: Cell::new(0),
        }
    }

    pub(super) fn status_enabled(&self) -> bool {
        self.status_enabled
    }

    pub(super) fn resource(&self) -> &kube::Resource {
        &self.resource
    }

    pub(super) fn client(&self) -> Result<&kube::Client, PluginError> {
        self.kube.get()
    }

    /// Brings a CR to these marks. A conflict (409) means that somebody wrote in between: the CR is read
    /// again and the patch made anew, three times. `record` follows what was written.
    pub(super) fn mark(
        &self,
        writes: &mut Writes,
        record: &mut Record,
        marks: &Marks,
    ) -> Result<Marked, PluginError> {
        if marks.patch(record).is_none() {
            return Ok(Marked::Done);
        }
        let action = Action::new("patch", "metadata", record.display_name()).detail(marks.describe(record));
        let marked = writes.run(action, || self.try_mark(record, marks))?;
        Ok(marked.unwrap_or_else(|| {
            // A dry run goes on as if it were written, so that nothing is planned twice.
            marks.set(record);
            Marked::Done
        }))
    }

    fn try_mark(&self, record: &mut Record, marks: &Marks) -> Result<Marked, PluginError> {
        let client = self.kube.get()?;
        let (namespace, name) = (record.cr.namespace.clone(), record.cr.name.clone());
        if record.resource_version.is_none() {
            // Given by hand: without a version the patch would replace finalizers that were never seen.
            if let Some(marked) = self.look_again(record, marks)? {
                return Ok(marked);
            }
        }
        for _ in 0..ATTEMPTS {
            let Some(patch) = marks.patch(record) else { return Ok(Marked::Done) };
            let error = match client.merge_patch(&self.resource, Some(&namespace), &name, &patch) {
                Ok(object) => {
                    record.took_marks(&object);
                    return Ok(Marked::Done);
                }
                Err(error) if is_gone(&error, &name) => return Ok(Marked::Gone),
                Err(error) => error,
            };
            let refused_as_deleting = error.is_invalid() && marks.finalizer;
            if !error.is_conflict() && !refused_as_deleting {
                return Err(failure(error));
            }
            if let Some(marked) = self.look_again(record, marks)? {
                return Ok(marked);
            }
            if refused_as_deleting {
                return Err(failure(error));
            }
        }
        Err(PluginError::cr(
            "others kept changing the object while its finalizer was written; the next run tries again",
        ))
    }

    /// Reads the CR as it is now into `record`; answers if that settles what becomes of the marks.
    fn look_again(&self, record: &mut Record, marks: &Marks) -> Result<Option<Marked>, PluginError> {
        let (namespace, name) = (record.cr.namespace.as_str(), record.cr.name.as_str());
        let object = match self.kube.get()?.get(&self.resource, Some(namespace), name) {
            Ok(object) => object,
            Err(error) if is_gone(&error, name) => return Ok(Some(Marked::Gone)),
            Err(error) => return Err(failure(error)),
        };
        let live = Record::read(&object, namespace).map_err(PluginError::cr)?;
        if is_another(record, &object) {
            return Ok(Some(Marked::Gone));
        }
        if marks.finalizer && live.is_deleting() && !live.has_our_finalizer() {
            return Ok(Some(Marked::Deleting));
        }
        if live.applied != record.applied && live.applied != marks.applied {
            return Err(PluginError::cr(match record.resource_version {
                Some(_) => format!(
                    "annotation {APPLIED_ANNOTATION} changed during the run; the next run goes by the new one"
                ),
                None => format!(
                    "the object in the cluster has the annotation {APPLIED_ANNOTATION}, which the file given by \
                     hand lacks: give the object as `kubectl get -o json` prints it"
                ),
            }));
        }
        if memory(&live.cr.status) != memory(&record.cr.status) {
            // A cleanup went by what stood there, and the rest would be left behind.
            return Err(PluginError::cr(match record.resource_version {
                Some(_) => {
                    "what its status remembers changed during the run; the next run goes by the new one"
                }
                None => {
                    "the object in the cluster remembers in its status what the file given by hand lacks: give the \
                     object as `kubectl get -o json` prints it"
                }
            }));
        }
        record.took_marks(&object);
        Ok(None)
    }

    /// Writes a verdict if it says anything new. A failure is logged and changes nothing else: the next run
    /// finds the status not current.
    pub(super) fn write_status(
        &mut self,
        writes: &mut Writes,
        record: &mut Record,
        verdict: &Verdict,
        now: Timestamp,
    ) {
        if !self.status_enabled {
            return;
        }
        let (current, generation) = (&record.cr.status, record.cr.generation);
        let Some(mut patch) = status::patch(current, generation, verdict, &self.dropped_keys, now) else {
            return;
        };
        keep_memory(&mut patch, verdict, record.status_version.as_deref());
        let name = record.display_name();
        if self.unanswered.get() >= 2 {
            log::warn!(cr = name.as_str(); "status of {name} not written: the Kubernetes API does not answer");
            return;
        }
        let word = if verdict.synced { "Synced" } else { "Failed" };
        let action =
            Action::new("patch", "status", name.as_str()).detail(format!("{word} ({})", verdict.reason));
        let answer = writes.run(action, || {
            let client = self.kube.get().inspect_err(|_| self.unanswered.set(2))?;
            let (namespace, name) = (record.cr.namespace.as_str(), record.cr.name.as_str());
            let answer = client.merge_patch_status(&self.resource, Some(namespace), name, &patch);
            let lost = answer.as_ref().is_err_and(kube::Error::is_transport);
            self.unanswered.set(if lost { self.unanswered.get() + 1 } else { 0 });
            answer.map_err(|error| {
                if is_gone(&error, name) { PluginError::cr("it is gone already") } else { failure(error) }
            })
        });
        match answer {
            Ok(Some(object)) if is_another(record, &object) => {
                self.take_back(writes, record, patch["status"].as_object().into_iter().flat_map(Map::keys));
            }
            Ok(Some(object)) => {
                self.notice_dropped_keys(&object, &patch, verdict);
                record.took_status(&object);
            }
            Ok(None) => {}
            Err(error) => {
                log::warn!(cr = name.as_str(); "status of {name} not written: {}", error.log_text());
            }
        }
    }

    /// The CR was deleted and made again during the run: the new one must not pass for reconciled. Only the keys that
    /// were written go: what a plugin remembers there may be the new one's own.
    fn take_back<'k>(&self, writes: &mut Writes, record: &Record, written: impl Iterator<Item = &'k String>) {
        let name = record.display_name();
        let action =
            Action::new("patch", "status", name.as_str()).detail("taken back: the CR was made again");
        let nothing: Map<String, Value> = written.map(|key| (key.clone(), Value::Null)).collect();
        let nothing = json!({"status": nothing});
        let answer = writes.run(action, || {
            let (namespace, name) = (record.cr.namespace.as_str(), record.cr.name.as_str());
            let client = self.kube.get()?;
            client.merge_patch_status(&self.resource, Some(namespace), name, &nothing).map_err(failure)
        });
        if let Err(error) = answer {
            log::warn!(cr = name.as_str();
                "{name} was made again and carries the status of its predecessor: {}", error.log_text());
        }
    }

    /// A stored CRD that does not know a key prunes it without an error; writing it again each run would
    /// never end.
    fn notice_dropped_keys(&mut self, object: &Value, sent: &Value, verdict: &Verdict) {
        for key in verdict.extra.keys().filter(|key| sent["status"].get(key).is_some()) {
            if object["status"].get(key).is_none() && !self.dropped_keys.contains(key) {
                log::warn!("the CRD {} does not keep status.{key}; update the CRD", self.resource);
                self.dropped_keys.push(key.clone());
            }
        }
    }
}

/// What a plugin keeps in a status must not be overwritten with what is older: its keys go with the `version` that the
/// status was read at, or, if that is not known, not at all.
fn keep_memory(patch: &mut Value, verdict: &Verdict, version: Option<&str>) {
    match version {
        Some(version) if !verdict.extra.is_empty() => patch["metadata"] = json!({"resourceVersion": version}),
        Some(_) => {}
        None => {
            if let Some(status) = patch["status"].as_object_mut() {
                status.retain(|key, _| !verdict.extra.contains_key(key));
            }
        }
    }
}

/// Whether `object` is a later CR of the same name.
fn is_another(record: &Record, object: &Value) -> bool {
    !record.cr.uid.is_empty() && object["metadata"]["uid"] != record.cr.uid.as_str()
}

/// A 404 that names the CR. One that does not means that the CRD is gone: a failure, not a release.
pub(super) fn is_gone(error: &kube::Error, name: &str) -> bool {
    error.names_object(name)
}

pub(super) fn failure(error: kube::Error) -> PluginError {
    PluginError::cr(error.to_string()).with_source(error)
}
