//! The shell-operator calling convention and the sync driver.
//!
//! A hook is one short-lived process. shell-operator calls it with `--config` to learn its bindings, then
//! with a binding context file whenever a custom resource changed or a schedule fired. This crate is all of
//! that except the resource itself, which a hook supplies by implementing [`SyncPlugin`]; its whole `main` is
//! then [`run_sync_hook`].
//!
//! How a run goes, and where to read on:
//!
//! | step | module |
//! |---|---|
//! | arguments, the context file, exit codes | `hook`, `cli`, `sync_hook` |
//! | environment variables to [`HookConfig`] | `env`, `config`, `crontab` |
//! | the answer to `--config` | `document` |
//! | binding contexts to a snapshot and a mode | `context`, `record` |
//! | snapshot to a plan: what each CR gets (pure) | `plan`, `due` |
//! | the plan carried out, the cleanup last | `sync` |
//! | statuses, finalizers, what may be deleted (pure) | `status`, `finalizer`, `prune` |
//!
//! The crate knows no OpenStack: what hooks for it share is in `openstack-hook`. A whole plugin in small, and
//! every rule above as a test that reads as a sentence, is in `tests/stub_plugin`.

mod check;
mod cli;
pub mod config;
mod context;
mod cr;
mod crontab;
pub mod document;
mod due;
mod env;
mod error;
mod finalizer;
mod hook;
mod listing;
mod logging;
mod names;
mod plan;
mod plugin;
mod prune;
mod record;
mod secrets;
mod status;
mod sync;
mod sync_hook;
mod text;
mod writes;

pub use cli::{HookInfo, Options, Variable, common_variables, sync_variables};
pub use config::HookConfig;
pub use context::{Contexts, Mode};
pub use cr::Cr;
pub use env::Env;
pub use error::{
    Error, PluginError, REASON_CLEANUP_BLOCKED, REASON_INVALID_SPEC, REASON_LOGIN_REFUSED,
    REASON_NAME_CONFLICT, REASON_RECONCILE_ERROR, REASON_RECONCILED, REASONS,
};
pub use hook::{Ended, Invocation, run_hook};
pub use names::{ABANDON_ANNOTATION, APPLIED_ANNOTATION, FINALIZER};
pub use plan::{SyncPlan, plan};
pub use plugin::{Group, Outcome, SyncPlugin};
pub use prune::{CleanupPolicy, Leaving, PruneRequest, Pruned, Selection};
pub use rest::Timestamp;
pub use secrets::{LazyKube, Secrets};
pub use sync::{RunReport, run_sync};
pub use sync_hook::{SyncHook, run_sync_hook};
pub use text::table;
pub use writes::{Action, Writes};
