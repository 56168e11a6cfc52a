//! The status of a CR: reading what is there, and the patch that says what is new.
//!
//! The shape is that of the previous implementation: `syncStatus`, `lastSyncTime`, `message`,
//! `observedGeneration` and one condition `Ready`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::error::{REASON_INVALID_SPEC, REASON_LOGIN_REFUSED, REASON_RECONCILED};
use rest::Timestamp;

/// Longest message that the CRDs take, in characters.
const MESSAGE_LIMIT: usize = 2048;

/// The keys of a status that the framework writes; all others are a plugin's.
const COMMON_KEYS: [&str; 5] = ["syncStatus", "lastSyncTime", "message", "observedGeneration", "conditions"];

/// What a plugin has remembered in a status.
pub(crate) fn memory(status: &Value) -> BTreeMap<&str, &Value> {
    let entries = status.as_object().into_iter().flatten();
    let own = entries.filter(|(key, value)| !COMMON_KEYS.contains(&key.as_str()) && !value.is_null());
    own.map(|(key, value)| (key.as_str(), value)).collect()
}

/// What a run found out about a CR.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Verdict {
    pub(crate) synced: bool,
    pub(crate) reason: String,
    pub(crate) message: String,
    /// Extra status keys; none for a failure, whose old keys stay.
    pub(crate) extra: Map<String, Value>,
}

impl Verdict {
    /// Synced, with what could not be corrected.
    pub(crate) fn synced(noun: &str, notes: &[String], extra: Map<String, Value>) -> Self {
        let mut message = format!("Successfully reconciled {noun}");
        if !notes.is_empty() {
            message = format!("{message}; needs manual action: {}", notes.join("; "));
        }
        Self { synced: true, reason: REASON_RECONCILED.to_owned(), message, extra }
    }

    /// Failed.
    pub(crate) fn failed(reason: &str, message: impl Into<String>) -> Self {
        Self { synced: false, reason: reason.to_owned(), message: message.into(), extra: Map::new() }
    }

    fn message(&self) -> String {
        if self.message.chars().count() <= MESSAGE_LIMIT {
            return self.message.clone();
        }
        self.message.chars().take(MESSAGE_LIMIT - 3).chain("...".chars()).collect()
    }
}

/// The condition `Ready` of a status.
fn ready(status: &Value) -> Option<&Value> {
    status.get("conditions")?.as_array()?.iter().find(|condition| condition["type"] == "Ready")
}

fn observed(value: &Value, generation: Option<i64>) -> bool {
    generation.is_some() && value["observedGeneration"].as_i64() == generation
}

/// Whether the status says that this generation is in place.
pub(crate) fn is_synced_at(status: &Value, generation: Option<i64>) -> bool {
    status["syncStatus"] == "Synced"
        && observed(status, generation)
        && ready(status).is_some_and(|ready| ready["status"] == "True" && observed(ready, generation))
}

/// Whether the CR was in place when its status was last written.
pub(crate) fn was_synced(status: &Value) -> bool {
    status["syncStatus"] == "Synced"
}

/// What an earlier run said about a failure of this generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) reason: String,
    /// When `Ready` became false.
    pub(crate) since: Option<Timestamp>,
}

impl Failure {
    /// The failure that the status records for this generation, if it records one.
    pub(crate) fn at(status: &Value, generation: Option<i64>) -> Option<Self> {
        let ready = ready(status)?;
        if status["syncStatus"] != "Failed" || !observed(status, generation) || ready["status"] != "False" {
            return None;
        }
        Some(Self {
            reason: ready["reason"].as_str().unwrap_or_default().to_owned(),
            since: ready["lastTransitionTime"].as_str().and_then(Timestamp::parse),
        })
    }

    pub(crate) fn is_invalid_spec(&self) -> bool {
        self.reason == REASON_INVALID_SPEC
    }

    pub(crate) fn is_login_refused(&self) -> bool {
        self.reason == REASON_LOGIN_REFUSED
    }
}

/// The merge patch that brings `current` to `verdict`, or `None` if only times would change.
///
/// `lastTransitionTime` stays while `Ready` does not flip; `skip` are extra keys that the stored CRD does not
/// keep.
pub(crate) fn patch(
    current: &Value,
    generation: Option<i64>,
    verdict: &Verdict,
    skip: &[String],
    now: Timestamp,
) -> Option<Value> {
    let word = if verdict.synced { "Synced" } else { "Failed" };
    let truth = if verdict.synced { "True" } else { "False" };
    let message = verdict.message();
    let extra = || verdict.extra.iter().filter(|(key, _)| !skip.contains(key));
    let old = ready(current);
    let same = current["syncStatus"] == word
        && current["message"] == message.as_str()
        && (generation.is_none() || observed(current, generation))
        && old.is_some_and(|old| {
            old["status"] == truth
                && old["reason"] == verdict.reason.as_str()
                && old["message"] == message.as_str()
                && (generation.is_none() || observed(old, generation))
        })
        && extra().all(|(key, value)| current.get(key) == Some(value));
    if same {
        return None;
    }
    let kept = old.filter(|old| old["status"] == truth).and_then(|old| old["lastTransitionTime"].as_str());
    let mut condition = json!({
        "type": "Ready",
        "status": truth,
        "reason": verdict.reason,
        "message": message,
        "lastTransitionTime": kept.filter(|time| !time.is_empty()).map_or_else(|| now.to_string(), str::to_owned),
    });
    let mut status = json!({"syncStatus": word, "lastSyncTime": now.to_string(), "message": message});
    if let Some(generation) = generation {
        condition["observedGeneration"] = json!(generation);
        status["observedGeneration"] = json!(generation);
    }
    status["conditions"] = json!([condition]);
    for (key, value) in extra() {
        status[key] = value.clone();
    }
    Some(json!({"status": status}))
}

#[cfg(test)]
mod tests;
