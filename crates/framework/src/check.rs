//! `--check`: can every group of credentials be used?

use std::collections::BTreeMap;

use crate::config::HookConfig;
use crate::context::Mode;
use crate::plan::{GroupKey, SyncPlan};
use crate::plugin::SyncPlugin;
use crate::secrets::LazyKube;
use crate::sync::Groups;
use crate::text::table;

/// Logs in with each group of the plan and probes its service; nothing is written. Returns a table and
/// whether all of it went well.
pub(crate) fn check<P: SyncPlugin>(
    plugin: &P,
    config: &HookConfig,
    kube: &LazyKube,
    plan: &SyncPlan<P>,
) -> (String, bool) {
    let mut counts: BTreeMap<GroupKey<P::Credentials>, usize> = BTreeMap::new();
    let mut rows = Vec::new();
    let mut well = plan.problems.is_empty();
    for problem in &plan.problems {
        rows.push(["-".to_owned(), "-".to_owned(), problem.clone()]);
    }
    for planned in &plan.crs {
        match (planned.group(), &planned.reading) {
            (Some(group), _) => *counts.entry(group).or_default() += 1,
            (None, Err(why)) => {
                well = false;
                rows.push([planned.record.display_name(), "1".to_owned(), why.clone()]);
            }
            (None, Ok(_)) => {}
        }
    }
    // One attempt each: who checks by hand wants to see the failure, not to wait.
    let mut groups = Groups::new(plugin, kube, config, Mode::Due);
    for (key, count) in counts {
        let asked = match groups.connect(&key) {
            Ok(connected) => plugin
                .check(connected.conn())
                .map_err(|error| format!("{} check failed: {error}", P::SERVICE)),
            Err(unusable) => Err(unusable.message),
        };
        well &= asked.is_ok();
        let result = asked.err().unwrap_or_else(|| "ok".to_owned());
        rows.push([key.to_string(), count.to_string(), result]);
    }
    (table(["GROUP", "CRS", "RESULT"], &rows), well)
}
