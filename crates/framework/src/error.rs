//! The two error types of the crate: [`Error`] for the hook as a whole, [`PluginError`] for what a plugin
//! meets while it works on a group or a custom resource.

use std::error::Error as StdError;
use std::fmt;

/// Condition reason of a CR whose resources are as its spec wants them, as the previous implementation wrote it.
pub const REASON_RECONCILED: &str = "Reconciled";
/// Condition reason of a CR that waits for a new generation: its spec cannot be served as it is.
pub const REASON_INVALID_SPEC: &str = "InvalidSpec";
/// Condition reason of a CR whose login was refused; retried on every tenth catch-up tick only, since
/// repeated failed logins lock an account.
pub const REASON_LOGIN_REFUSED: &str = "LoginRefused";
/// Condition reason of a CR whose claim an older CR of its group holds.
pub const REASON_NAME_CONFLICT: &str = "NameConflict";
/// Condition reason of a CR whose resources could not be cleaned up yet; the message says what it waits for.
pub const REASON_CLEANUP_BLOCKED: &str = "CleanupBlocked";
/// Condition reason of every other failure, as the previous implementation wrote it.
pub const REASON_RECONCILE_ERROR: &str = "ReconcileError";
/// All condition reasons of this crate. Hooks have more of their own.
pub const REASONS: &[&str] = &[
    REASON_RECONCILED,
    REASON_INVALID_SPEC,
    REASON_LOGIN_REFUSED,
    REASON_NAME_CONFLICT,
    REASON_CLEANUP_BLOCKED,
    REASON_RECONCILE_ERROR,
];

/// What makes a hook run fail as a whole. Each variant's text is one clear line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An environment variable is missing or holds a value that cannot be used.
    #[error("{name}: {problem}")]
    Variable {
        /// Full name of the variable.
        name: String,
        /// What is wrong with it, with the value quoted.
        problem: String,
    },
    /// The binding context could not be read or is not what shell-operator writes.
    #[error("binding context {origin}: {problem}")]
    Context {
        /// The file, or `standard input`.
        origin: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Something was asked for on the command line, and no context was given to do it on.
    #[error("no binding context is given: use --binding-context FILE, or set BINDING_CONTEXT_PATH")]
    NoContext,
    /// A file that the hook must write could not be written.
    #[error("cannot write {path}")]
    Output {
        /// The file.
        path: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The CRs could not be listed. (An event comes without them.)
    #[error("cannot list the custom resources")]
    List(#[source] Box<dyn StdError + Send + Sync>),
    /// Anything a hook's own run function wants to say.
    #[error("{0}")]
    Hook(String),
}

impl Error {
    pub(crate) fn variable(name: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Variable { name: name.into(), problem: problem.into() }
    }
}

/// How far an error of a plugin reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    InvalidSpec,
    NotReady,
    Group,
    Cr,
}

/// What went wrong in a plugin, and what it means for the CR and its group.
///
/// `Display` is the text that goes into the CR's status. It must be the same from run to run while the
/// cause stays the same: no ids that change, no headers, no times; else every run would write a status and
/// every status would be news. What varies belongs in [`PluginError::with_request_id`] and
/// [`PluginError::with_source`], which only the log shows.
#[derive(Debug)]
pub struct PluginError {
    scope: Scope,
    reason: String,
    message: String,
    request_id: Option<String>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl PluginError {
    fn new(scope: Scope, reason: impl Into<String>, message: impl Into<String>) -> Self {
        Self { scope, reason: reason.into(), message: message.into(), request_id: None, source: None }
    }

    /// The spec cannot be served as it is: the CR waits for a new generation or a full run.
    pub fn invalid_spec(message: impl Into<String>) -> Self {
        Self::new(Scope::InvalidSpec, REASON_INVALID_SPEC, message)
    }

    /// The service cannot serve now (no answer, 429, 5xx). The only error that the readiness wait
    /// retries; two in a row while reconciling end the group, so that a service that is down does not cost a
    /// timeout for each CR.
    pub fn not_ready(message: impl Into<String>) -> Self {
        Self::new(Scope::NotReady, REASON_RECONCILE_ERROR, message)
    }

    /// Nothing more can be done with these credentials in this run (login or right refused, no such
    /// service): the group stops at once. `reason` becomes the condition's reason.
    pub fn group(reason: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Scope::Group, reason, message)
    }

    /// This CR failed, this time.
    pub fn cr(message: impl Into<String>) -> Self {
        Self::new(Scope::Cr, REASON_RECONCILE_ERROR, message)
    }

    /// Replaces the condition's reason (CamelCase, as the CRD's pattern wants it).
    #[must_use]
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = reason.into();
        self
    }

    /// Adds the server's request id, for the log line.
    #[must_use]
    pub fn with_request_id(mut self, id: Option<&str>) -> Self {
        self.request_id = id.map(str::to_owned);
        self
    }

    /// Adds the cause, for the log line.
    #[must_use]
    pub fn with_source(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.source = Some(Box::new(source));
        self
    }

    /// The condition's reason.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The server's request id, if an answer came with one.
    pub fn request_id(&self) -> Option<&str> {
        self.request_id.as_deref()
    }

    /// Whether only a changed spec can help.
    pub fn is_invalid_spec(&self) -> bool {
        self.scope == Scope::InvalidSpec
    }

    /// Whether waiting may help.
    pub fn is_not_ready(&self) -> bool {
        self.scope == Scope::NotReady
    }

    /// Whether the whole group stops.
    pub fn is_group(&self) -> bool {
        self.scope == Scope::Group
    }

    /// The message with its causes and request id, on one line, for the log.
    pub fn log_text(&self) -> String {
        let mut text = self.message.clone();
        let mut cause = self.source();
        while let Some(next) = cause {
            let next_text = next.to_string();
            // A cause whose text is already in the message would only be read twice.
            if !text.contains(&next_text) {
                text = format!("{text}: {next_text}");
            }
            cause = next.source();
        }
        match &self.request_id {
            Some(id) => format!("{text} (request {id})"),
            None => text,
        }
    }
}

impl fmt::Display for PluginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for PluginError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_text_carries_what_the_status_text_must_not() {
        let error = PluginError::cr("PUT flavor: 409 FlavorInUse")
            .with_request_id(Some("req-1"))
            .with_source(std::io::Error::other("connection reset"));
        assert_eq!(error.to_string(), "PUT flavor: 409 FlavorInUse");
        assert_eq!(error.log_text(), "PUT flavor: 409 FlavorInUse: connection reset (request req-1)");
    }

    #[test]
    fn scopes_are_told_apart() {
        assert!(PluginError::invalid_spec("x").is_invalid_spec());
        assert!(PluginError::not_ready("x").is_not_ready());
        assert!(PluginError::group("LoginRefused", "x").is_group());
        let cr = PluginError::cr("x");
        assert!(!cr.is_group() && !cr.is_not_ready() && !cr.is_invalid_spec());
    }
}
