//! From binding contexts to a plan: which CR gets what in this run. A pure function; nothing is read or
//! written, so a run that finds everything current ends without a request.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Deserialize;
use serde_json::Value;

use crate::config::{Bindings, HookConfig};
use crate::context::{Contexts, Digest, Mode, digest, kind_of};
use crate::cr::Cr;
use crate::due::{self, Due};
use crate::error::Error;
use crate::finalizer::parse_applied;
use crate::plugin::SyncPlugin;
use crate::prune::CleanupPolicy;
use crate::record::Record;
use crate::status::Failure;
use rest::Timestamp;

/// CRs that share a namespace and credentials share a connection.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GroupKey<C> {
    pub(crate) namespace: String,
    pub(crate) at: C,
}

impl<C: fmt::Display> fmt::Display for GroupKey<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.at)
    }
}

/// What a readable CR says about itself.
#[derive(Debug, Clone)]
pub(crate) struct Reading<C> {
    pub(crate) at: C,
    pub(crate) claim: Option<String>,
    /// The recorded credentials that hold its resources, if there is a record.
    pub(crate) applied: Option<BTreeSet<C>>,
}

impl<C: Ord + Clone> Reading<C> {
    /// The credentials that hold resources of this CR: those of its record, which is written before anything
    /// else is; so present ones that were never reached, such as a typo, are not among them. Without a
    /// record, the present ones.
    pub(crate) fn holding(&self) -> BTreeSet<C> {
        match &self.applied {
            Some(applied) if !applied.is_empty() => applied.clone(),
            _ => BTreeSet::from([self.at.clone()]),
        }
    }

    /// What the record must say before anything is written with the present credentials.
    pub(crate) fn holding_from_now_on(&self) -> BTreeSet<C> {
        self.applied.iter().flatten().chain([&self.at]).cloned().collect()
    }

    /// Those that it has moved away from.
    pub(crate) fn elsewhere(&self) -> BTreeSet<C> {
        self.applied.iter().flatten().filter(|old| **old != self.at).cloned().collect()
    }
}

/// What this run does with one CR.
#[derive(Debug)]
pub(crate) enum Task<S> {
    /// In place: nothing.
    Current,
    /// Failed before and its time has not come, or is not covered by this run.
    Wait,
    /// Its spec cannot be served and has not changed.
    WaitInvalid,
    /// Its credentials, its claim or its record cannot be read: doubt.
    Unreadable,
    /// Its spec does not parse; the text says why.
    Invalid(String),
    /// An older CR of the group has the same claim.
    Conflict(String),
    /// To be reconciled.
    Reconcile(Box<Cr<S>>),
    /// Being deleted without our finalizer: its claim counts until it is gone.
    Ignore,
    /// Being deleted and nothing is to be cleaned: only our finalizer goes.
    Release,
    /// Being deleted and given up by its owner: our marker goes, then our finalizer.
    Abandon,
    /// Being deleted: its resources go, then our finalizer.
    Delete,
    /// Being deleted, but its time has not come.
    WaitDelete,
    /// Gone already, as its event says: its resources go.
    Gone,
}

/// One CR and what happens to it.
pub(crate) struct Planned<P: SyncPlugin> {
    pub(crate) record: Record,
    pub(crate) reading: Result<Reading<P::Credentials>, String>,
    pub(crate) task: Task<P::Spec>,
}

impl<P: SyncPlugin> Planned<P> {
    /// The group of a readable CR.
    pub(crate) fn group(&self) -> Option<GroupKey<P::Credentials>> {
        let reading = self.reading.as_ref().ok()?;
        Some(GroupKey { namespace: self.record.cr.namespace.clone(), at: reading.at.clone() })
    }

    /// Whether its `Failed` status of this very generation is written already.
    pub(crate) fn has_told_failure(&self) -> bool {
        Failure::at(&self.record.cr.status, self.record.cr.generation).is_some()
    }

    /// Whether it holds its claim: live CRs do, and deleting ones that are not ours to clean.
    pub(crate) fn holds_claim(&self) -> bool {
        match self.task {
            Task::Ignore => true,
            Task::Gone => false,
            _ => !self.record.is_deleting(),
        }
    }
}

/// What a run will do.
pub struct SyncPlan<P: SyncPlugin> {
    pub(crate) mode: Mode,
    /// Whether the snapshot is the whole desired set.
    pub(crate) complete: bool,
    pub(crate) catch_up_only: bool,
    pub(crate) policy: CleanupPolicy,
    pub(crate) crs: Vec<Planned<P>>,
    /// What could not even be addressed: doubt.
    pub(crate) problems: Vec<String>,
    /// Event objects that are not in the snapshot and cannot be read: the run fails, but they are no doubt.
    pub(crate) unreadable_events: Vec<String>,
}

/// Makes the plan.
///
/// `origin` names the context in messages; `full` forces a full run; `now` decides which failures are due
/// again.
///
/// # Errors
/// [`Error::Context`] if there is no snapshot of this hook's binding, or it is not a list.
pub fn plan<P: SyncPlugin>(
    plugin: &P,
    config: &HookConfig,
    origin: &str,
    contexts: Contexts,
    full: bool,
    now: Timestamp,
) -> Result<SyncPlan<P>, Error> {
    let digest = digest(origin, contexts, &config.bindings.binding)?;
    let mode = if full { Mode::Full } else { digest.mode };
    let policy = plugin.cleanup_policy(config.prune);
    let namespace = config.pod_namespace.as_deref().unwrap_or("default");
    let Digest { complete, catch_up_only, snapshot, events, mut problems, .. } = digest;

    let mut records: Vec<Record> = Vec::new();
    let mut seen = BTreeSet::new();
    for object in &snapshot {
        if let Some(problem) = another_kind(object, &config.bindings) {
            problems.push(problem);
            continue;
        }
        match Record::read(object, namespace) {
            Ok(record) => {
                if seen.insert(record.identity()) {
                    records.push(record);
                }
            }
            Err(problem) => problems.push(problem),
        }
    }

    let mut gone: BTreeMap<String, (Record, Reading<P::Credentials>)> = BTreeMap::new();
    let mut named = BTreeSet::new();
    let mut unreadable_events = BTreeSet::new();
    for event in events {
        let record = match Record::read(&event.object, namespace) {
            Ok(record) => record,
            Err(problem) => {
                unreadable_events.insert(format!("event: {problem}"));
                continue;
            }
        };
        let identity = record.identity();
        named.insert(identity.clone());
        if seen.contains(&identity) {
            continue;
        }
        match read(plugin, &record) {
            Ok(reading) if event.deleted && !record.abandoned => {
                gone.insert(identity, (record, reading));
            }
            Ok(_) => {}
            Err(problem) => {
                unreadable_events.insert(format!("event of {}: {problem}", record.display_name()));
            }
        }
    }

    let readings: Vec<_> = records.iter().map(|record| read(plugin, record)).collect();
    let winners = winners(&records, &readings);
    let due = Due { config, policy, mode, named: &named, now };
    let mut crs: Vec<Planned<P>> = records
        .into_iter()
        .zip(readings)
        .map(|(record, reading)| {
            let task = task::<P>(&due, &record, &reading, &winners);
            Planned { record, reading, task }
        })
        .collect();
    crs.extend(gone.into_values().map(|(record, reading)| Planned {
        record,
        reading: Ok(reading),
        task: Task::Gone,
    }));
    let by_claim = |planned: &Planned<P>| {
        let claim = planned.reading.as_ref().ok().and_then(|reading| reading.claim.clone());
        (claim, planned.record.display_name())
    };
    crs.sort_by_cached_key(by_claim);
    let unreadable_events = unreadable_events.into_iter().collect();
    Ok(SyncPlan { mode, complete, catch_up_only, policy, crs, problems, unreadable_events })
}

/// What an object is, if it says that it is something else than this hook's kind: in a list made by hand, or
/// if the hook's variables are wrong. Nothing of it may be read as a CR, and no status be written to a CR of
/// its name.
fn another_kind(object: &Value, bindings: &Bindings) -> Option<String> {
    let (kind, version) = (object["kind"].as_str(), object["apiVersion"].as_str());
    let group = |version: &str| version.rsplit_once('/').map_or("", |(group, _)| group).to_owned();
    let differs = kind.is_some_and(|kind| kind != bindings.kind)
        || version.is_some_and(|version| group(version) != group(&bindings.api_version));
    differs.then(|| {
        let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        format!(
            "{}/{} is a {} {}, not a {} {}",
            text("/metadata/namespace"),
            text("/metadata/name"),
            version.unwrap_or_default(),
            kind.unwrap_or_default(),
            bindings.api_version,
            bindings.kind
        )
    })
}

fn read<P: SyncPlugin>(plugin: &P, record: &Record) -> Result<Reading<P::Credentials>, String> {
    let spec = &record.cr.spec;
    if !spec.is_object() {
        return Err(match spec {
            Value::Null => "spec is missing".to_owned(),
            other => format!("spec is {}, not an object", kind_of(other)),
        });
    }
    let at = plugin.credentials(spec).map_err(|error| error.to_string())?;
    let claim = plugin.claim(spec).map_err(|error| error.to_string())?;
    let applied = record.applied.as_deref().map(parse_applied).transpose()?;
    Ok(Reading { at, claim, applied })
}

type Claim<C> = (GroupKey<C>, String);

/// The oldest live CR of each claim in each group, by creation time, then name.
fn winners<C: Ord + Clone>(
    records: &[Record],
    readings: &[Result<Reading<C>, String>],
) -> BTreeMap<Claim<C>, String> {
    let mut winners: BTreeMap<Claim<C>, (&str, String)> = BTreeMap::new();
    for (record, reading) in records.iter().zip(readings) {
        let Ok(Reading { at, claim: Some(claim), .. }) = reading else { continue };
        if record.is_deleting() {
            continue;
        }
        let key = GroupKey { namespace: record.cr.namespace.clone(), at: at.clone() };
        let candidate = (record.cr.created.as_str(), record.display_name());
        let winner = winners.entry((key, claim.clone())).or_insert_with(|| candidate.clone());
        if candidate < *winner {
            *winner = candidate;
        }
    }
    winners.into_iter().map(|(claim, (_, name))| (claim, name)).collect()
}

fn task<P: SyncPlugin>(
    due: &Due<'_>,
    record: &Record,
    reading: &Result<Reading<P::Credentials>, String>,
    winners: &BTreeMap<Claim<P::Credentials>, String>,
) -> Task<P::Spec> {
    if record.is_deleting() {
        return match reading {
            _ if !record.has_our_finalizer() => Task::Ignore,
            _ if !due.policy.uses_finalizer() => Task::Release,
            Ok(_) if record.abandoned => Task::Abandon,
            Err(_) if record.abandoned => Task::Release,
            Err(_) => Task::Unreadable,
            Ok(reading)
                if due.deletion_is_due(record, &due::group_text(&record.cr.namespace, &reading.at)) =>
            {
                Task::Delete
            }
            Ok(_) => Task::WaitDelete,
        };
    }
    let Ok(reading) = reading else { return Task::Unreadable };
    let name = record.display_name();
    if let Some(claim) = &reading.claim {
        let key = GroupKey { namespace: record.cr.namespace.clone(), at: reading.at.clone() };
        match winners.get(&(key, claim.clone())) {
            Some(winner) if *winner != name => return Task::Conflict(winner.clone()),
            _ => {}
        }
    }
    let in_place = match &reading.applied {
        Some(applied) => applied.len() == 1 && applied.contains(&reading.at),
        None => true,
    };
    match due.live(record, in_place, &due::group_text(&record.cr.namespace, &reading.at)) {
        due::Live::Current => Task::Current,
        due::Live::Wait => Task::Wait,
        due::Live::WaitInvalid => Task::WaitInvalid,
        due::Live::Due => match P::Spec::deserialize(&record.cr.spec) {
            Ok(spec) => Task::Reconcile(Box::new(record.cr.with_spec(spec))),
            Err(error) => Task::Invalid(format!("spec: {error}")),
        },
    }
}

#[cfg(test)]
mod tests;
