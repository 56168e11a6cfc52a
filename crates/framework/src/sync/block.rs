//! Why a CR's cleanup is not finished.

use super::groups::Unusable;
use crate::error::{PluginError, REASON_CLEANUP_BLOCKED, REASON_LOGIN_REFUSED};

/// Why a CR's cleanup is not finished.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block {
    pub(super) reason: &'static str,
    /// Reads well after "waiting: ".
    pub(super) why: String,
    /// Whether the former credentials cannot be used, or cannot be believed: then waiting may be for ever, and
    /// an owner may give up what they hold.
    pub(super) may_be_given_up: bool,
}

impl Block {
    /// Something holds the cleanup that will pass, or that somebody can mend.
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self { reason: REASON_CLEANUP_BLOCKED, why: why.into(), may_be_given_up: false }
    }

    /// It cannot be told whether the resource may go.
    pub(super) fn unsure(why: impl Into<String>) -> Self {
        Self { may_be_given_up: true, ..Self::new(why) }
    }

    /// An error with this reason. A refused login keeps it: it must not be tried again on every tick.
    pub(super) fn because(reason: &str, why: String) -> Self {
        let refused = reason == REASON_LOGIN_REFUSED;
        Self { reason: if refused { REASON_LOGIN_REFUSED } else { REASON_CLEANUP_BLOCKED }, ..Self::new(why) }
    }

    /// The same block, seen from further away.
    pub(super) fn within(&self, context: &str) -> Self {
        Self { why: format!("{context}: {}", self.why), ..self.clone() }
    }
}

impl From<Unusable> for Block {
    fn from(unusable: Unusable) -> Self {
        Self { may_be_given_up: true, ..Self::because(&unusable.reason, unusable.message) }
    }
}

impl From<&PluginError> for Block {
    fn from(error: &PluginError) -> Self {
        Self::because(error.reason(), error.to_string())
    }
}
