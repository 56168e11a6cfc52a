//! `main` of a CR hook.

use std::process::ExitCode;

use serde_json::json;

use crate::check::check;
use crate::cli::{HookInfo, sync_variables};
use crate::config::{Bindings, HookConfig};
use crate::document;
use crate::error::Error;
use crate::hook::{Ended, Invocation, print, run_hook};
use crate::listing::list;
use crate::plan::plan;
use crate::plugin::SyncPlugin;
use crate::secrets::LazyKube;
use crate::sync::{RunReport, run_sync};
use crate::text::table;
use rest::Timestamp;

/// What tells one CR hook from another, besides its plugin.
#[derive(Debug, Clone, Copy)]
pub struct SyncHook {
    /// The binary's name: `router-flavors`.
    pub name: &'static str,
    /// One line for `--help`.
    pub about: &'static str,
    /// The environment prefix: `NEUTRON_ROUTER_FLAVOR`.
    pub prefix: &'static str,
    /// The kubernetes binding's name: `neutron-router-flavors`.
    pub binding: &'static str,
}

/// The whole `main` of a CR hook: see [`run_hook`] for the arguments and exit codes.
pub fn run_sync_hook<P: SyncPlugin>(hook: &SyncHook, plugin: P) -> ExitCode {
    let mut variables = sync_variables(hook.prefix);
    variables.splice(0..0, plugin.variables());
    let info = HookInfo { name: hook.name, about: hook.about, prefix: hook.prefix, variables };
    run_hook(
        &info,
        |env| Ok(document::bindings(&Bindings::from_env(hook.prefix, hook.binding, env)?)),
        |invocation| run(hook, plugin, invocation),
    )
}

fn run<P: SyncPlugin>(hook: &SyncHook, mut plugin: P, invocation: Invocation<'_>) -> Result<Ended, Error> {
    let Invocation { env, options, origin, mut contexts } = invocation;
    let mut config = HookConfig::from_env(hook.prefix, hook.binding, env)?;
    config.dry_run |= options.dry_run;
    plugin.configure(&config, env)?;
    let plugin = &plugin;
    let now = Timestamp::now();
    let kube = LazyKube::new();
    let before = rest::request_count();
    if contexts.needs_list(hook.binding) {
        contexts.add_snapshot(hook.binding, list(&kube, &config.bindings)?);
    }
    let listed = rest::request_count() - before;
    let plan = plan(plugin, &config, &origin, contexts, options.full, now)?;
    if options.check {
        let (text, well) = check(plugin, &config, &kube, &plan);
        print(&text)?;
        return Ok(if well { Ended::Well } else { Ended::Badly("not all groups can be used".to_owned()) });
    }
    let mut report = run_sync(plugin, &config, &kube, plan, now);
    report.requests += listed;
    if options.dry_run {
        print(&planned_table(&report))?;
    }
    log::info!("{report}");
    if !report.is_success() {
        return Ok(Ended::Badly(report.to_string()));
    }
    if report.full && !config.dry_run {
        write_metrics(env.text("METRICS_PATH"), now)?;
    }
    Ok(Ended::Well)
}

fn planned_table(report: &RunReport) -> String {
    if report.planned.is_empty() {
        return "nothing to do\n".to_owned();
    }
    let rows: Vec<[String; 4]> = report
        .planned
        .iter()
        .map(|action| {
            [action.verb.to_owned(), action.kind.to_owned(), action.name.clone(), action.detail.clone()]
        })
        .collect();
    table(["ACTION", "KIND", "NAME", "DETAIL"], &rows)
}

/// shell-operator reads metrics only after exit 0, and expires what a run that writes any does not repeat:
/// so one gauge, of which the age is what matters.
fn write_metrics(path: Option<&str>, now: Timestamp) -> Result<(), Error> {
    let Some(path) = path else { return Ok(()) };
    let line = json!({
        "name": "last_full_sync_success_timestamp_seconds",
        "action": "set",
        "value": now.unix(),
        "labels": {},
    });
    std::fs::write(path, format!("{line}\n"))
        .map_err(|source| Error::Output { path: path.to_owned(), source })
}
