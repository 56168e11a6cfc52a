//! The one door to a write: it logs, counts and, in a dry run, refuses.

use std::fmt;

use crate::error::PluginError;

/// One write, described before it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// What is done: `create`, `update`, `delete`, `bind`, ...
    pub verb: &'static str,
    /// The kind of thing it is done to: `flavor`, `finalizer`, ...
    pub kind: &'static str,
    /// Which one: a name, an id or `namespace/name`.
    pub name: String,
    /// What changes, in a few words; may be empty. Never a secret.
    pub detail: String,
}

impl Action {
    /// An action without detail.
    pub fn new(verb: &'static str, kind: &'static str, name: impl Into<String>) -> Self {
        Self { verb, kind, name: name.into(), detail: String::new() }
    }

    /// Adds what changes.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.verb, self.kind, self.name)?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

/// Every write of a run goes through here, of plugins and of the framework alike.
#[derive(Debug)]
pub struct Writes {
    dry_run: bool,
    planned: Vec<Action>,
    done: usize,
}

impl Writes {
    /// A door that is open, or closed in a dry run.
    pub fn new(dry_run: bool) -> Self {
        Self { dry_run, planned: Vec::new(), done: 0 }
    }

    /// Does the write and returns its answer; in a dry run records the action and returns `None`, and the
    /// caller goes on as if it had succeeded.
    ///
    /// # Errors
    /// Whatever `write` returns.
    pub fn run<T, E: Into<PluginError>>(
        &mut self,
        action: Action,
        write: impl FnOnce() -> Result<T, E>,
    ) -> Result<Option<T>, PluginError> {
        if self.dry_run {
            log::info!(action = action.verb, kind = action.kind, name = action.name.as_str(); "would {action}");
            self.planned.push(action);
            return Ok(None);
        }
        log::info!(action = action.verb, kind = action.kind, name = action.name.as_str(); "{action}");
        self.done += 1;
        write().map(Some).map_err(Into::into)
    }

    /// Whether this is a dry run.
    pub fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    /// The actions that a dry run would have done, in order.
    pub fn planned(&self) -> &[Action] {
        &self.planned
    }

    /// How many writes were tried.
    pub fn done(&self) -> usize {
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dry_run_records_and_does_nothing() {
        let mut writes = Writes::new(true);
        let answer = writes.run(Action::new("delete", "flavor", "x"), || -> Result<(), PluginError> {
            panic!("a dry run must not write")
        });
        assert!(matches!(answer, Ok(None)));
        assert_eq!(writes.planned().len(), 1);
        assert_eq!(writes.done(), 0);
    }

    #[test]
    fn a_failed_write_counts_and_comes_through() {
        let mut writes = Writes::new(false);
        let answer =
            writes.run(Action::new("delete", "flavor", "x"), || Err::<(), _>(PluginError::cr("in use")));
        assert_eq!(answer.unwrap_err().to_string(), "in use");
        assert_eq!(writes.done(), 1);
        assert!(writes.planned().is_empty());
    }

    #[test]
    fn an_action_reads_as_a_sentence() {
        let action = Action::new("update", "flavor", "gold").detail("enabled true -> false");
        assert_eq!(action.to_string(), "update flavor gold: enabled true -> false");
    }
}
