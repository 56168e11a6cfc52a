//! Group by group: connect, mark, reconcile, and the statuses of it.

use std::collections::{BTreeMap, BTreeSet};

use super::Run;
use super::api::Marked;
use super::remember::StatusMemory;
use crate::context::Mode;
use crate::error::{PluginError, REASON_RECONCILE_ERROR};
use crate::finalizer::{Marks, applied_text};
use crate::plan::{GroupKey, Planned, Reading, Task};
use crate::plugin::{Outcome, SyncPlugin, extra_status};
use crate::status::{Verdict, was_synced};

/// A live CR that is in place with its present credentials while old ones still hold resources of it; its
/// status waits for their cleanup.
pub(super) struct Moved {
    pub(super) index: usize,
    pub(super) verdict: Verdict,
}

/// Whether a CR's group is connected when its marks are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Unconnected,
    Connected,
}

impl<P: SyncPlugin> Run<'_, P> {
    /// Reconciles whatever is due; returns the CRs that have moved.
    pub(super) fn reconcile_all(&mut self, crs: &mut [Planned<P>]) -> Vec<Moved> {
        let mut by_group: BTreeMap<GroupKey<P::Credentials>, Vec<usize>> = BTreeMap::new();
        for (index, planned) in crs.iter().enumerate() {
            if let (Task::Reconcile(_), Some(group)) = (&planned.task, planned.group()) {
                by_group.entry(group).or_default().push(index);
            }
        }
        let mut moved = Vec::new();
        for (key, indexes) in by_group {
            self.reconcile_group(&key, &indexes, crs, &mut moved);
        }
        moved
    }

    fn reconcile_group(
        &mut self,
        key: &GroupKey<P::Credentials>,
        indexes: &[usize],
        crs: &mut [Planned<P>],
        moved: &mut Vec<Moved>,
    ) {
        // A CR that was ever in place has resources: it gets its finalizer even if the cloud does not answer.
        for &index in indexes {
            if was_synced(&crs[index].record.cr.status) {
                self.ensure_marks(&mut crs[index], Stage::Unconnected);
            }
        }
        if !indexes.iter().any(|&index| matches!(crs[index].task, Task::Reconcile(_))) {
            return;
        }
        if let Err(unusable) = self.groups.connect(key) {
            self.stop_group(indexes, crs, &unusable.reason, &unusable.message);
            return;
        }
        let mut not_ready = 0;
        for &index in indexes {
            self.ensure_marks(&mut crs[index], Stage::Connected);
            let planned = &mut crs[index];
            let Task::Reconcile(cr) = &planned.task else { continue };
            let name = cr.display_name();
            log::debug!(cr = name.as_str(); "reconciling {name}");
            let connected = match self.groups.connect(key) {
                Ok(connected) => connected,
                Err(unusable) => {
                    self.stop_group(indexes, crs, &unusable.reason, &unusable.message);
                    return;
                }
            };
            let mut memory = StatusMemory::new(&self.api, &mut planned.record);
            let mut group = connected.group(&mut self.writes);
            group.memory = Some(&mut memory);
            match self.plugin.reconcile(&mut group, cr) {
                Ok(outcome) => {
                    not_ready = 0;
                    self.succeed(index, planned, &outcome, moved);
                }
                Err(error) => {
                    let (reason, message) = (error.reason().to_owned(), error.to_string());
                    not_ready = if error.is_not_ready() { not_ready + 1 } else { 0 };
                    let stop = error.is_group() || not_ready == 2;
                    self.fail(planned, &reason, &message, &error);
                    if stop {
                        self.groups.give_up(key, &reason, &message);
                        self.stop_group(indexes, crs, &reason, &message);
                        return;
                    }
                }
            }
        }
    }

    /// Fails every CR of the group that is still to be reconciled.
    fn stop_group(&mut self, indexes: &[usize], crs: &mut [Planned<P>], reason: &str, message: &str) {
        for &index in indexes {
            if matches!(crs[index].task, Task::Reconcile(_)) {
                self.fail(&mut crs[index], reason, message, &PluginError::cr(message));
            }
        }
    }

    fn succeed(
        &mut self,
        index: usize,
        planned: &mut Planned<P>,
        outcome: &Outcome<P::Status>,
        moved: &mut Vec<Moved>,
    ) {
        let name = planned.record.display_name();
        for note in &outcome.notes {
            log::warn!(cr = name.as_str(); "{name} needs manual action: {note}");
        }
        let verdict = Verdict::synced(P::NOUN, &outcome.notes, extra_status(&outcome.status));
        // Not to be failed any more by a group that stops later.
        planned.task = Task::Current;
        let has_moved = self.policy.uses_finalizer()
            && planned.reading.as_ref().is_ok_and(|reading| !reading.elsewhere().is_empty());
        if has_moved {
            moved.push(Moved { index, verdict });
        } else {
            self.report.synced += 1;
            self.api.write_status(&mut self.writes, &mut planned.record, &verdict, self.now);
        }
    }

    /// Before the first write for a CR: the finalizer, and the record that these credentials may hold
    /// resources of it from now on.
    fn ensure_marks(&mut self, planned: &mut Planned<P>, stage: Stage) {
        if !self.policy.uses_finalizer() || !matches!(planned.task, Task::Reconcile(_)) {
            return;
        }
        let Ok(reading) = &planned.reading else { return };
        let applied = self.record_before_writing(reading, planned.record.has_our_finalizer(), stage);
        let marks = Marks { finalizer: true, applied: applied.or_else(|| planned.record.applied.clone()) };
        match self.api.mark(&mut self.writes, &mut planned.record, &marks) {
            Ok(Marked::Done) => {}
            Ok(marked @ (Marked::Gone | Marked::Deleting)) => {
                // Its deletion is the next event: nothing was made for it, and nothing will be.
                let why = match marked {
                    Marked::Gone => "is not in the cluster; nothing is done for it",
                    _ => "is being deleted; left to the next run",
                };
                log::info!("{} {why}", planned.record.display_name());
                planned.task = Task::Wait;
                self.report.waiting += 1;
            }
            Err(error) => {
                let message = format!("Unable to add finalizer before reconciling: {error}");
                self.fail(planned, REASON_RECONCILE_ERROR, &message, &error);
            }
        }
    }

    /// The record to write, or `None` to leave it. A CR from before there were records gets one in a full
    /// run only: thousands of CRs are not rewritten because of an upgrade's first event.
    fn record_before_writing(
        &self,
        reading: &Reading<P::Credentials>,
        marked: bool,
        stage: Stage,
    ) -> Option<String> {
        let wanted: BTreeSet<P::Credentials> = reading.holding_from_now_on();
        match &reading.applied {
            Some(applied) if *applied == wanted => None,
            // Not yet: credentials that cannot be reached would be recorded as holding something.
            Some(_) if stage == Stage::Unconnected => None,
            Some(_) => Some(applied_text(&wanted)),
            None if self.mode == Mode::Full || !marked => Some(applied_text(&wanted)),
            None => None,
        }
    }
}
