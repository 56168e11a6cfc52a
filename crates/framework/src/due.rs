//! When a CR's time has come: what is current, and how failures back off.

use std::collections::BTreeSet;
use std::fmt::Display;

use crate::config::HookConfig;
use crate::context::Mode;
use crate::error::REASON_NAME_CONFLICT;
use crate::prune::CleanupPolicy;
use crate::record::Record;
use crate::status::{Failure, is_synced_at};
use rest::Timestamp;

/// A failure is tried on every tick for this long, in seconds, after it began.
const EAGER: i64 = 300;
/// After that, on every tick whose minute falls on the group's own tenth.
const TENTH: i64 = 10;

/// What the decision depends on besides the CR itself.
#[derive(Debug)]
pub(crate) struct Due<'a> {
    pub(crate) config: &'a HookConfig,
    pub(crate) policy: CleanupPolicy,
    pub(crate) mode: Mode,
    /// Identities that the events of this run name.
    pub(crate) named: &'a BTreeSet<String>,
    pub(crate) now: Timestamp,
}

/// The decision for a live CR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Live {
    Current,
    Due,
    Wait,
    WaitInvalid,
}

impl Due<'_> {
    /// Decides for a live CR; `in_place` says that no other credentials hold resources of it, `group` is
    /// what its back-off tick is derived from.
    pub(crate) fn live(&self, record: &Record, in_place: bool, group: &str) -> Live {
        if self.mode == Mode::Full {
            return Live::Due;
        }
        let bindings = &self.config.bindings;
        let (status, generation) = (&record.cr.status, record.cr.generation);
        let current = bindings.status_enabled
            && is_synced_at(status, generation)
            && record.has_our_finalizer() == self.policy.uses_finalizer()
            && in_place;
        if current {
            return Live::Current;
        }
        if !bindings.has_catch_up() {
            // shell-operator repeats this very run until it succeeds: cover what it is about.
            return if self.named.contains(&record.identity()) { Live::Due } else { Live::Wait };
        }
        match Failure::at(status, generation) {
            None => Live::Due,
            Some(failure) if failure.is_invalid_spec() => Live::WaitInvalid,
            // It no longer loses, else it would not be asked about here.
            Some(failure) if failure.reason == REASON_NAME_CONFLICT => Live::Due,
            // A refused login is never tried eagerly: repeated failures lock an account.
            Some(failure) if failure.is_login_refused() => self.wait_unless(self.is_groups_tick(group)),
            Some(failure) => self.wait_unless(self.is_fresh(failure.since) || self.is_groups_tick(group)),
        }
    }

    /// Whether a deleting CR is cleaned up in this run.
    pub(crate) fn deletion_is_due(&self, record: &Record, group: &str) -> bool {
        if self.mode == Mode::Full || !self.config.bindings.has_catch_up() {
            return true;
        }
        let refused =
            Failure::at(&record.cr.status, record.cr.generation).is_some_and(|f| f.is_login_refused());
        (!refused && self.is_fresh(record.deletion_time())) || self.is_groups_tick(group)
    }

    fn wait_unless(&self, due: bool) -> Live {
        if due { Live::Due } else { Live::Wait }
    }

    fn is_fresh(&self, since: Option<Timestamp>) -> bool {
        // Clocks differ a little. What lies far in the future, or cannot be read, would be eager for ever.
        since.is_some_and(|since| (self.now.unix() - since.unix()).abs() < EAGER)
    }

    fn is_groups_tick(&self, group: &str) -> bool {
        let every_minute = self.config.bindings.catches_up_every_minute();
        !every_minute || self.now.minute() % TENTH == i64::from(fnv1a(group) % TENTH as u32)
    }
}

/// The text that a group's tick is derived from.
pub(crate) fn group_text(namespace: &str, credentials: &impl Display) -> String {
    format!("{namespace}/{credentials}")
}

/// FNV-1a: the same on every machine and in every release, unlike the standard library's hash.
fn fnv1a(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::env::Env;
    use crate::names::FINALIZER;

    const FLIP: i64 = 1_795_959_000;

    fn config(more: &[(&str, &str)]) -> HookConfig {
        let base = [
            ("P_CRD_API_VERSION", "example.com/v1"),
            ("P_CRD_KIND", "Widget"),
            ("P_CRD_RESOURCE", "widgets.example.com"),
            ("P_STATUS_ENABLED", "true"),
        ];
        HookConfig::from_env("P", "b", &Env::from_pairs(base.iter().chain(more).copied())).unwrap()
    }

    fn record(status: &Value, finalizers: &[&str]) -> Record {
        let metadata = json!({"name": "a", "uid": "u", "generation": 3, "finalizers": finalizers});
        Record::read(&json!({"metadata": metadata, "status": status}), "n").unwrap()
    }

    fn status(word: &str, ready: &str, reason: &str, generation: i64) -> Value {
        json!({"syncStatus": word, "observedGeneration": generation, "conditions": [{
            "type": "Ready", "status": ready, "reason": reason, "observedGeneration": generation,
            "lastTransitionTime": Timestamp::from_unix(FLIP).to_string(),
        }]})
    }

    fn decide(config: &HookConfig, record: &Record, mode: Mode, policy: CleanupPolicy, after: i64) -> Live {
        let named = BTreeSet::from(["u".to_owned()]);
        let now = Timestamp::from_unix(FLIP + after);
        Due { config, policy, mode, named: &named, now }.live(record, true, "n/c")
    }

    /// The first seconds after EAGER at which it is, and is not, the turn of group `n/c`.
    fn ticks() -> (i64, i64) {
        let turn = i64::from(fnv1a("n/c") % 10);
        let minute = |want: i64| {
            (1..20)
                .map(|m| EAGER + m * 60)
                .find(|s| Timestamp::from_unix(FLIP + s).minute() % 10 == want)
                .unwrap()
        };
        (minute(turn), minute((turn + 1) % 10))
    }

    #[test]
    fn current_needs_status_and_finalizer_to_agree_with_the_policy() {
        let synced = status("Synced", "True", "Reconciled", 3);
        let (best, fin) = (CleanupPolicy::BestEffort, CleanupPolicy::Finalized);
        for (finalizers, policy, want) in [
            (&[][..], best, Live::Current),
            (&[FINALIZER][..], best, Live::Due),
            (&[FINALIZER][..], fin, Live::Current),
            (&[][..], fin, Live::Due),
        ] {
            assert_eq!(decide(&config(&[]), &record(&synced, finalizers), Mode::Due, policy, 0), want);
        }
        let old = status("Synced", "True", "Reconciled", 2);
        assert_eq!(decide(&config(&[]), &record(&old, &[]), Mode::Due, best, 0), Live::Due);
        assert_eq!(decide(&config(&[]), &record(&synced, &[]), Mode::Full, best, 0), Live::Due);
    }

    #[test]
    fn failures_are_eager_for_five_minutes_and_then_wait_for_their_tenth() {
        let failed = record(&status("Failed", "False", "ReconcileError", 3), &[]);
        let live = |after| decide(&config(&[]), &failed, Mode::Due, CleanupPolicy::BestEffort, after);
        let (turn, other) = ticks();
        assert_eq!((live(0), live(EAGER - 1)), (Live::Due, Live::Due));
        assert_eq!((live(turn), live(other)), (Live::Due, Live::Wait));
    }

    #[test]
    fn a_refused_login_is_never_eager() {
        let failed = record(&status("Failed", "False", "LoginRefused", 3), &[]);
        let live = |after| decide(&config(&[]), &failed, Mode::Due, CleanupPolicy::BestEffort, after);
        let (turn, other) = ticks();
        assert_eq!((live(other), live(turn)), (Live::Wait, Live::Due));
        let early = (0..10).map(|m| m * 60).filter(|s| live(*s) == Live::Due).count();
        assert_eq!(early, 1, "one attempt in ten minutes, from the first");
    }

    #[test]
    fn an_invalid_spec_waits_for_a_new_generation() {
        let invalid = status("Failed", "False", "InvalidSpec", 3);
        let live =
            |status, mode| decide(&config(&[]), &record(&status, &[]), mode, CleanupPolicy::BestEffort, 0);
        assert_eq!(live(invalid.clone(), Mode::Due), Live::WaitInvalid);
        assert_eq!(live(invalid, Mode::Full), Live::Due);
        assert_eq!(live(status("Failed", "False", "InvalidSpec", 2), Mode::Due), Live::Due);
    }

    #[test]
    fn a_rarer_crontab_tries_on_every_tick() {
        let failed = record(&status("Failed", "False", "LoginRefused", 3), &[]);
        let config = config(&[("P_CATCH_UP_CRONTAB", "*/5 * * * *")]);
        let (_, other) = ticks();
        assert_eq!(decide(&config, &failed, Mode::Due, CleanupPolicy::BestEffort, other), Live::Due);
    }

    #[test]
    fn without_a_catch_up_a_run_covers_what_its_events_name() {
        let config = config(&[("P_CATCH_UP_CRONTAB", "")]);
        let named = record(&Value::Null, &[]);
        let mut other = named.clone();
        other.cr.uid = "other".to_owned();
        let live = |record| decide(&config, record, Mode::Due, CleanupPolicy::BestEffort, 0);
        assert_eq!((live(&named), live(&other)), (Live::Due, Live::Wait));
    }

    #[test]
    fn deletions_back_off_from_their_timestamp() {
        let config = config(&[]);
        let mut record = record(&Value::Null, &[FINALIZER]);
        record.deletion = Some(Timestamp::from_unix(FLIP).to_string());
        let due = |after| {
            let named = BTreeSet::new();
            let now = Timestamp::from_unix(FLIP + after);
            Due { config: &config, policy: CleanupPolicy::Finalized, mode: Mode::Due, named: &named, now }
                .deletion_is_due(&record, "n/c")
        };
        let (turn, other) = ticks();
        assert_eq!((due(0), due(turn), due(other)), (true, true, false));
    }

    #[test]
    fn the_hash_is_fnv1a() {
        // Published test vectors of FNV-1a, 32 bits.
        assert_eq!((fnv1a(""), fnv1a("a"), fnv1a("foobar")), (0x811c_9dc5, 0xe40c_292c, 0xbf9c_f968));
    }
}
