//! The sync driver: carries out a [`SyncPlan`].
//!
//! The order is that of the trait's contract: statuses of what cannot be worked on, stale finalizers, then
//! group by group connect and reconcile, and at the end, when all doubt is known, the cleanup.

mod abandon;
mod api;
mod block;
mod cleanup;
mod fate;
pub(crate) mod groups;
mod reconcile;
mod remember;
mod report;

use std::cell::RefCell;
use std::collections::BTreeSet;

pub use report::RunReport;

use crate::config::HookConfig;
use crate::context::Mode;
use crate::error::{PluginError, REASON_INVALID_SPEC, REASON_NAME_CONFLICT, REASON_RECONCILE_ERROR};
use crate::finalizer::Marks;
use crate::plan::{Planned, SyncPlan, Task};
use crate::plugin::SyncPlugin;
use crate::prune::CleanupPolicy;
use crate::secrets::LazyKube;
use crate::status::Verdict;
use crate::writes::Writes;
use api::{Api, Marked};
pub(crate) use groups::Groups;
use rest::Timestamp;

/// Carries out `plan`: the only place that writes.
///
/// Never fails as such: what went wrong is in the log, in the statuses and in the report, whose
/// [`RunReport::is_success`] is the exit code.
pub fn run_sync<P: SyncPlugin>(
    plugin: &P,
    config: &HookConfig,
    kube: &LazyKube,
    plan: SyncPlan<P>,
    now: Timestamp,
) -> RunReport {
    let mut run = Run {
        plugin,
        config,
        policy: plan.policy,
        mode: plan.mode,
        complete: plan.complete,
        now,
        api: Api::new(kube, &config.bindings),
        // Who runs it by hand wants to see the failure, not to wait.
        groups: Groups::new(plugin, kube, config, if plan.complete { plan.mode } else { Mode::Due }),
        writes: Writes::new(config.dry_run),
        doubts: BTreeSet::new(),
        abandoned: BTreeSet::new(),
        unclaimed_gone: RefCell::default(),
        report: RunReport::begin(),
    };
    let mut crs = plan.crs;
    run.account(&crs, plan.catch_up_only, &plan.problems, &plan.unreadable_events);
    run.tell_what_cannot_be_worked_on(&mut crs);
    run.remove_stale_marks(&mut crs);
    let moved = run.reconcile_all(&mut crs);
    run.clean_up(&mut crs, moved);
    run.report.finish(&run.writes, plan.mode == Mode::Full && plan.complete)
}

/// The state of one run.
struct Run<'a, P: SyncPlugin> {
    plugin: &'a P,
    config: &'a HookConfig,
    policy: CleanupPolicy,
    mode: Mode,
    complete: bool,
    now: Timestamp,
    api: Api<'a>,
    groups: Groups<'a, P>,
    writes: Writes,
    /// Why nothing may be deleted, if anything says so. Each reads well after "waiting: ".
    doubts: BTreeSet<String>,
    /// Claims that were given up in this run: what carries them stays, marked or not.
    abandoned: BTreeSet<String>,
    /// Ids of the unclaimed that were deleted in this run, which the limit counts.
    unclaimed_gone: RefCell<BTreeSet<String>>,
    report: RunReport,
}

impl<P: SyncPlugin> Run<'_, P> {
    /// Counts what the plan found, and decides what of it makes the run fail whatever it does.
    fn account(&mut self, crs: &[Planned<P>], catch_up_only: bool, problems: &[String], events: &[String]) {
        for problem in problems {
            log::error!("{problem}; nothing is deleted in this run");
            self.doubts.insert(problem.clone());
            self.report.fail();
        }
        for event in events {
            log::error!("{event}");
            self.report.fail();
        }
        for planned in crs {
            let broken = match &planned.task {
                Task::Current => {
                    self.report.current += 1;
                    false
                }
                Task::Wait | Task::WaitDelete | Task::Ignore => {
                    self.report.waiting += 1;
                    false
                }
                Task::WaitInvalid | Task::Unreadable | Task::Invalid(_) | Task::Conflict(_) => {
                    self.report.failed += 1;
                    true
                }
                Task::Reconcile(_) | Task::Release | Task::Abandon | Task::Delete | Task::Gone => false,
            };
            // A tick that only repeats what every status already says must not fail each minute.
            if broken && !(catch_up_only && planned.has_told_failure()) {
                self.report.fail();
                if let Task::WaitInvalid = planned.task {
                    // Whoever reads why this run failed has not read the log of the run that found it.
                    let name = planned.record.display_name();
                    let why = planned.record.cr.status["message"].as_str().unwrap_or_default();
                    log::error!(cr = name.as_str(); "{name}: {why} (it waits for another spec)");
                }
            }
        }
    }

    /// Statuses of CRs that need no connection to fail.
    fn tell_what_cannot_be_worked_on(&mut self, crs: &mut [Planned<P>]) {
        for planned in crs {
            let name = planned.record.display_name();
            let verdict = match (&planned.task, &planned.reading) {
                (Task::Unreadable, Err(why)) => {
                    log::error!(cr = name.as_str(); "{name} cannot be read: {why}");
                    self.doubts.insert(format!("{name} cannot be read"));
                    Verdict::failed(REASON_INVALID_SPEC, why.as_str())
                }
                (Task::Invalid(why), _) => {
                    log::error!(cr = name.as_str(); "{name}: {why}");
                    self.doubts.insert(format!("{name} failed"));
                    Verdict::failed(REASON_INVALID_SPEC, why.as_str())
                }
                (Task::Conflict(winner), Ok(reading)) => {
                    let claim = reading.claim.as_deref().unwrap_or_default();
                    let noun = P::NOUN;
                    let message = format!("{noun} {claim:?} is already described by the older {winner}");
                    log::error!(cr = name.as_str(); "{name}: {message}");
                    Verdict::failed(REASON_NAME_CONFLICT, message)
                }
                _ => continue,
            };
            self.api.write_status(&mut self.writes, &mut planned.record, &verdict, self.now);
        }
    }

    /// Takes our marks off where the policy wants none: off live CRs, so that they can go at any time, and
    /// off deleting ones, so that they go now.
    fn remove_stale_marks(&mut self, crs: &mut [Planned<P>]) {
        for planned in crs {
            let stale = match &planned.task {
                Task::Release => true,
                Task::Gone | Task::Ignore => false,
                _ => !self.policy.uses_finalizer() && Marks::of(&planned.record) != Marks::none(),
            };
            if !stale {
                continue;
            }
            let name = planned.record.display_name();
            let releasing = planned.record.is_deleting();
            match self.api.mark(&mut self.writes, &mut planned.record, &Marks::none()) {
                Ok(Marked::Done) if releasing => self.report.released += 1,
                Ok(Marked::Gone) if releasing => self.report.released += 1,
                Ok(Marked::Done) => {}
                Ok(Marked::Gone | Marked::Deleting) => {
                    log::info!(cr = name.as_str(); "{name} is gone already");
                    if matches!(planned.task, Task::Reconcile(_)) {
                        planned.task = Task::Wait;
                        self.report.waiting += 1;
                    }
                }
                Err(error) if !matches!(planned.task, Task::Reconcile(_)) => {
                    log::error!(cr = name.as_str(); "{name}: Unable to remove finalizer: {}", error.log_text());
                    self.doubts.extend((!releasing).then(|| format!("{name} failed")));
                    self.report.failed += usize::from(releasing);
                    self.report.fail();
                }
                Err(error) => {
                    let message = format!("Unable to remove disabled finalizer before reconciling: {error}");
                    self.fail(planned, REASON_RECONCILE_ERROR, &message, &error);
                }
            }
        }
    }

    /// Marks a live CR as failed: log, status, doubt, exit code. It is not worked on any more in this run.
    ///
    /// A failure that a due run only repeats is no new doubt: between its attempts the CR would not be either,
    /// its claim protects what it describes, and one CR that fails for days must not hold back every deletion.
    fn fail(&mut self, planned: &mut Planned<P>, reason: &str, message: &str, error: &PluginError) {
        let name = planned.record.display_name();
        log::error!(cr = name.as_str(), reason = reason, request_id = error.request_id().unwrap_or_default();
            "{name}: {message}{}", more(message, error));
        if self.mode == Mode::Full || !planned.has_told_failure() {
            self.doubts.insert(format!("{name} failed"));
        }
        self.report.failed += 1;
        self.report.fail();
        planned.task = Task::Wait;
        if !self.complete && planned.record.cr.uid.is_empty() {
            // Written by hand: what is wrong with it is not what is wrong with the one in the cluster, and whoever gave
            // it reads the log.
            return;
        }
        self.api.write_status(
            &mut self.writes,
            &mut planned.record,
            &Verdict::failed(reason, message),
            self.now,
        );
    }
}

/// The causes behind an error whose stable text is in the message already.
fn more(message: &str, error: &PluginError) -> String {
    let text = error.log_text();
    match text.strip_prefix(&error.to_string()) {
        Some(rest) => rest.to_owned(),
        None if message.contains(&text) => String::new(),
        None => format!(" ({text})"),
    }
}
