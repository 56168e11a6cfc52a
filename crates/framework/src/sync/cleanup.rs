//! The cleanup of a run: what leaves its group, what nobody claims, and the finalizers of what has gone.
//!
//! It comes last, when all doubt of the run is known: with any doubt nothing is deleted in any group.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::Run;
use super::block::Block;
use super::fate::{Fate, Seen, fate};
use super::reconcile::Moved;
use crate::context::Mode;
use crate::finalizer::{Marks, applied_text};
use crate::plan::{GroupKey, Planned, Task};
use crate::plugin::SyncPlugin;
use crate::prune::{CleanupPolicy, Leaving, PruneRequest};
use crate::status::Verdict;

/// Why CRs' cleanups are not finished, by the CRs' indexes.
type Blocked = BTreeMap<usize, Block>;

/// A CR that holds a claim in a group.
pub(super) struct Holder<C> {
    index: usize,
    group: GroupKey<C>,
    claim: String,
}

impl<P: SyncPlugin> Run<'_, P> {
    /// Cleans up after the CRs that go or have moved, then releases them.
    pub(super) fn clean_up(&mut self, crs: &mut [Planned<P>], moved: Vec<Moved>) {
        let holders = holders(crs);
        self.abandon_all(crs, &holders);
        let mut leaving = self.leaving(crs, &moved);
        let mut blocked = Blocked::new();
        let doubt = self.doubts.first().cloned();
        if let Some(why) = doubt.clone().or_else(|| self.why_by_hand()) {
            for indexes in leaving.values_mut() {
                let (free, held): (Vec<_>, Vec<_>) =
                    indexes.iter().partition(|&&index| self.complete && is_nobody_elses(&crs[index]));
                blocked.extend(held.into_iter().map(|index| (index, Block::new(why.as_str()))));
                *indexes = free;
            }
            leaving.retain(|_, indexes| !indexes.is_empty());
        }
        let keys = match doubt {
            None if self.complete => self.groups_to_prune(crs, &leaving),
            _ => leaving.keys().cloned().collect(),
        };
        for key in keys {
            let indexes = leaving.get(&key).map(Vec::as_slice).unwrap_or_default();
            self.prune_group(&key, indexes, crs, &holders, &mut blocked);
        }
        self.finish(crs, moved, &blocked);
    }

    /// A list given by hand does not show who else claims a name.
    fn why_by_hand(&self) -> Option<String> {
        (!self.complete).then(|| "a list given by hand is never the whole desired set; a deletion needs a binding context with all CRs".to_owned())
    }

    /// Which CRs leave which groups. Only a finalized policy cleans up after single CRs.
    fn leaving(&self, crs: &[Planned<P>], moved: &[Moved]) -> BTreeMap<GroupKey<P::Credentials>, Vec<usize>> {
        let mut leaving: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        if !self.policy.uses_finalizer() {
            return leaving;
        }
        for (index, planned) in crs.iter().enumerate() {
            let Ok(reading) = &planned.reading else { continue };
            let from = match planned.task {
                Task::Delete | Task::Gone => reading.holding(),
                _ if moved.iter().any(|moved| moved.index == index) => reading.elsewhere(),
                _ => continue,
            };
            for at in from {
                let key = GroupKey { namespace: planned.record.cr.namespace.clone(), at };
                leaving.entry(key).or_default().push(index);
            }
        }
        leaving
    }

    /// Groups with something to delete, and in a full run all that have a live or known-deleted CR.
    fn groups_to_prune(
        &self,
        crs: &[Planned<P>],
        leaving: &BTreeMap<GroupKey<P::Credentials>, Vec<usize>>,
    ) -> BTreeSet<GroupKey<P::Credentials>> {
        let mut keys: BTreeSet<_> = leaving.keys().cloned().collect();
        if self.mode == Mode::Full && self.policy != CleanupPolicy::None {
            let known_deleted = |planned: &Planned<P>| match planned.task {
                Task::Gone => true,
                Task::Release => !planned.record.abandoned,
                _ => false,
            };
            let counted = crs.iter().filter(|planned| planned.holds_claim() || known_deleted(planned));
            keys.extend(counted.filter_map(Planned::group));
        }
        keys
    }

    fn prune_group(
        &mut self,
        key: &GroupKey<P::Credentials>,
        indexes: &[usize],
        crs: &[Planned<P>],
        holders: &[Holder<P::Credentials>],
        blocked: &mut Blocked,
    ) {
        if let Err(unusable) = self.groups.connect(key) {
            self.report.fail();
            blocked.extend(indexes.iter().map(|&index| (index, unusable.clone().into())));
            return;
        }
        let mut claimed: BTreeSet<String> =
            holders.iter().map(|holder| &holder.claim).chain(&self.abandoned).cloned().collect();
        let mut released = BTreeSet::new();
        let mut leaving = Vec::new();
        let mut going = Vec::new();
        for &index in indexes {
            let Ok(reading) = &crs[index].reading else { continue };
            let claim = reading.claim.clone();
            let fate =
                claim.as_ref().map_or(Fate::Released, |claim| self.fate_of(index, key, claim, holders));
            match (fate, claim) {
                (Fate::Released, claim) => {
                    if let Some(claim) = &claim {
                        claimed.remove(claim);
                        released.insert(claim.clone());
                    }
                    leaving.push(Leaving { cr: crs[index].record.cr.clone(), claim });
                    going.push(index);
                }
                (Fate::Protected, _) => {}
                (Fate::Kept(block), claim) => {
                    claimed.extend(claim);
                    blocked.insert(index, block);
                }
            }
        }
        // With doubt only those go that it is not about.
        let full = self.mode == Mode::Full && self.doubts.is_empty();
        let limit = self.config.prune_limit as usize;
        let finalized = self.policy.uses_finalizer();
        let request = PruneRequest {
            policy: self.policy,
            leaving: &leaving,
            released: &released,
            claimed: &claimed,
            unclaimed_limit: (full && finalized && limit > 0).then_some(limit),
            sweep: full,
            unclaimed_gone: &self.unclaimed_gone,
            held: RefCell::default(),
        };
        let connected = match self.groups.connect(key) {
            Ok(connected) => connected,
            Err(unusable) => {
                blocked.extend(going.iter().map(|&index| (index, unusable.clone().into())));
                return;
            }
        };
        match self.plugin.prune(&mut connected.group(&mut self.writes), &request) {
            Ok(pruned) => {
                for why in pruned.reasons() {
                    // Also what no CR of this run waits for, such as an unclaimed resource in use.
                    self.report.fail();
                    log::warn!(group = key.to_string().as_str(); "{key}: not deleted: {why}");
                }
                for (&index, leaving) in going.iter().zip(&leaving) {
                    if let Some(why) = pruned.why_kept(leaving) {
                        blocked.insert(index, Block::new(why));
                    }
                }
            }
            Err(error) => {
                log::error!(group = key.to_string().as_str(); "{key}: cleanup failed: {}", error.log_text());
                self.report.fail();
                blocked.extend(going.iter().map(|&index| (index, Block::from(&error))));
            }
        }
        self.tell_what_is_held(key, &request.held.borrow(), limit);
    }

    fn tell_what_is_held(&mut self, key: &GroupKey<P::Credentials>, held: &[String], limit: usize) {
        if held.is_empty() {
            return;
        }
        let (noun, prefix) = (P::NOUN, &self.config.prefix);
        for name in held {
            log::error!(group = key.to_string().as_str(); "{key}: {noun} {name:?} is managed, and no CR claims it");
        }
        log::error!(group = key.to_string().as_str();
            "{key}: {} unclaimed resources are more than {prefix}_PRUNE_LIMIT={limit}: none of them is deleted; \
             see whether CRs are missing, then raise the limit for one run", held.len());
        self.report.fail();
    }

    /// Gathers what [`fate`] decides by.
    pub(super) fn fate_of(
        &mut self,
        index: usize,
        key: &GroupKey<P::Credentials>,
        claim: &str,
        holders: &[Holder<P::Credentials>],
    ) -> Fate {
        if self.abandoned.contains(claim) {
            return Fate::Protected;
        }
        // A CR that moved holds its claim at both ends until the old one is clean; it does not hold it
        // against itself there.
        let held_by: Vec<_> = holders.iter().filter(|holder| holder.claim == claim).collect();
        if held_by.iter().any(|holder| holder.group == *key && holder.index != index) {
            return Fate::Protected;
        }
        let others: BTreeSet<_> =
            held_by.iter().map(|holder| &holder.group).filter(|group| *group != key).collect();
        if others.is_empty() {
            return Fate::Released;
        }
        let mut here = self.see(key, claim);
        if matches!(here, Seen::Nothing) {
            here = self.see_nothing(key);
        }
        let others: Vec<_> =
            others.into_iter().map(|group| (group.to_string(), self.see(group, claim))).collect();
        fate(&format!("{} {claim:?}", P::NOUN), here, &others)
    }

    fn see(&mut self, key: &GroupKey<P::Credentials>, claim: &str) -> Seen {
        let plugin = self.plugin;
        match self.groups.connect(key) {
            Ok(connected) => plugin.ids(&connected.cache, claim).map_or(Seen::Nothing, Seen::Ids),
            Err(unusable) => Seen::Unusable(unusable.into()),
        }
    }

    /// An empty list of the group that is left: there is nothing to delete if it can be believed. Of the other
    /// groups none is: to take an empty list for another cloud deletes what it might have shown.
    fn see_nothing(&mut self, key: &GroupKey<P::Credentials>) -> Seen {
        let plugin = self.plugin;
        let connected = match self.groups.connect(key) {
            Ok(connected) => connected,
            Err(unusable) => return Seen::Unusable(unusable.into()),
        };
        match plugin.trusts_empty_list(&mut connected.group(&mut self.writes)) {
            Ok(true) => Seen::Ids(Vec::new()),
            Ok(false) => Seen::Nothing,
            Err(error) => Seen::Unusable(Block::from(&error)),
        }
    }

    /// Statuses and finalizers after the cleanup.
    fn finish(&mut self, crs: &mut [Planned<P>], moved: Vec<Moved>, blocked: &Blocked) {
        for Moved { index, verdict } in moved {
            let planned = &mut crs[index];
            let name = planned.record.display_name();
            match blocked.get(&index) {
                Some(Block { why, may_be_given_up: true, .. }) if planned.record.abandoned => {
                    log::warn!(cr = name.as_str(); "{name}: what its former credentials hold is abandoned: {why}");
                }
                Some(block) => {
                    self.hold(planned, block);
                    continue;
                }
                None => {}
            }
            if let Err(why) = self.shorten_record(planned) {
                self.hold(planned, &Block::new(why));
                continue;
            }
            self.report.synced += 1;
            self.api.write_status(&mut self.writes, &mut planned.record, &verdict, self.now);
        }
        for (index, planned) in crs.iter_mut().enumerate() {
            match (&planned.task, blocked.get(&index)) {
                (Task::Delete, None) => self.release(planned),
                (Task::Delete, Some(block)) => self.hold(planned, block),
                (Task::Gone, Some(Block { why, .. })) => {
                    // There is no CR left to tell it to. While a CR is left in the group, a full run takes
                    // what stays behind.
                    log::error!(
                        "{} is gone, but not all that it described: {why}",
                        planned.record.display_name()
                    );
                    self.report.failed += 1;
                    self.report.fail();
                }
                (Task::Gone, None) => self.report.released += 1,
                _ => {}
            }
        }
    }

    pub(super) fn release(&mut self, planned: &mut Planned<P>) {
        let name = planned.record.display_name();
        match self.api.mark(&mut self.writes, &mut planned.record, &Marks::none()) {
            Ok(_) => self.report.released += 1,
            Err(error) => {
                log::error!(cr = name.as_str(); "{name}: Unable to remove finalizer: {}", error.log_text());
                self.report.failed += 1;
                self.report.fail();
            }
        }
    }

    fn hold(&mut self, planned: &mut Planned<P>, block: &Block) {
        let name = planned.record.display_name();
        let Block { reason, why, .. } = block;
        log::error!(cr = name.as_str(); "{name} is not cleaned up: waiting: {why}");
        self.report.failed += 1;
        self.report.fail();
        // A list given by hand says nothing about the CR: whoever gave it reads the log.
        if self.complete {
            let verdict = Verdict::failed(reason, format!("waiting: {why}"));
            self.api.write_status(&mut self.writes, &mut planned.record, &verdict, self.now);
        }
    }

    /// The old credentials hold nothing of this CR any more. As long as the record says otherwise, the move is
    /// not finished.
    fn shorten_record(&mut self, planned: &mut Planned<P>) -> Result<(), String> {
        let Ok(reading) = &planned.reading else { return Ok(()) };
        let applied = applied_text(&BTreeSet::from([reading.at.clone()]));
        let marks = Marks { finalizer: true, applied: Some(applied) };
        let marked = self.api.mark(&mut self.writes, &mut planned.record, &marks);
        marked.map(drop).map_err(|error| format!("the record of its credentials was not written: {error}"))
    }
}

/// Whether what this CR describes cannot be described by another one: it claims no name. Then no doubt about others is
/// about it.
fn is_nobody_elses<P: SyncPlugin>(planned: &Planned<P>) -> bool {
    planned.reading.as_ref().is_ok_and(|reading| reading.claim.is_none())
}

/// Every claim that is held, in every group in which it may stand for a resource: where the CR is now, and
/// where its record says that it was.
fn holders<P: SyncPlugin>(crs: &[Planned<P>]) -> Vec<Holder<P::Credentials>> {
    let mut holders = Vec::new();
    for (index, planned) in crs.iter().enumerate().filter(|(_, planned)| planned.holds_claim()) {
        let Ok(reading) = &planned.reading else { continue };
        let Some(claim) = &reading.claim else { continue };
        for at in reading.holding_from_now_on() {
            let group = GroupKey { namespace: planned.record.cr.namespace.clone(), at };
            holders.push(Holder { index, group, claim: claim.clone() });
        }
    }
    holders
}
