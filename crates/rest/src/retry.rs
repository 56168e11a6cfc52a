//! When a request is sent again, and after how long.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::{Error, Response, date};

/// The time within which a request is repeated: 20 s.
pub const RETRY_BUDGET: Duration = Duration::from_secs(20);
/// The first pause, doubled with every attempt.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// No pause of our own is longer.
const LONGEST_PAUSE: Duration = Duration::from_secs(4);
/// What a server asks for with `Retry-After` is honoured up to this.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(10);

/// Time, for tests to replace.
pub trait Clock: Send + Sync {
    /// Now, for measuring.
    fn now(&self) -> Instant;
    /// Now, for comparing with a date that a server sent.
    fn date(&self) -> SystemTime;
    /// Waits.
    fn sleep(&self, pause: Duration);
    /// A number from 0 to 1 that spreads the pauses of many clients.
    fn jitter(&self) -> f64;
}

struct System;

impl Clock for System {
    fn now(&self) -> Instant {
        Instant::now()
    }
    fn date(&self) -> SystemTime {
        SystemTime::now()
    }
    fn sleep(&self, pause: Duration) {
        std::thread::sleep(pause);
    }
    fn jitter(&self) -> f64 {
        // Every RandomState has other keys: random enough for a pause, without a crate for it.
        let bits = RandomState::new().hash_one(0_u8) >> 32;
        bits as f64 / f64::from(u32::MAX)
    }
}

/// A retry policy for one request. Pauses grow from 0.5 s to 4 s, half of each is jitter; a `Retry-After`
/// (seconds or a date) of up to 10 s makes a pause longer. No attempt starts after the budget is used up, and
/// a pause that would use it up is not begun.
#[derive(Clone)]
pub struct Retry {
    budget: Duration,
    statuses: &'static [u16],
    /// Whether to repeat what the server may have acted on.
    repeatable: bool,
    clock: Arc<dyn Clock>,
}

impl Retry {
    /// One attempt, whatever comes of it.
    pub fn never() -> Retry {
        Retry { budget: Duration::ZERO, statuses: &[], repeatable: false, clock: Arc::new(System) }
    }

    /// For a request that may be repeated (GET, PUT, DELETE, an idempotent PATCH): again after these statuses,
    /// a connection that could not be made or was cut, and a connect timeout. A timeout of the whole request is
    /// final (it is longer than the budget), and so is a certificate that is not trusted.
    pub fn new(budget: Duration, statuses: &'static [u16]) -> Retry {
        Retry { budget, statuses, repeatable: true, ..Retry::never() }
    }

    /// For a request that must not be done twice (POST): again only if it surely was not processed, because
    /// there was no connection.
    pub fn unsent(budget: Duration) -> Retry {
        Retry { budget, ..Retry::never() }
    }

    /// The same policy with another clock.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Retry {
        Retry { clock, ..self }
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// How long to wait before the next attempt; `None` if there is none. `attempt` counts from 0, `elapsed`
    /// is the time since the first one began.
    pub(crate) fn pause(
        &self,
        attempt: u32,
        elapsed: Duration,
        outcome: &Result<Response, Error>,
    ) -> Option<Duration> {
        let asked = match outcome {
            Ok(response) if self.statuses.contains(&response.status) => {
                date::retry_after(response.header("retry-after"), self.clock.date())
            }
            Err(error) if self.covers(error) => Duration::ZERO,
            _ => return None,
        };
        let pause = backoff(attempt, self.clock.jitter()).max(asked.min(LONGEST_RETRY_AFTER));
        (elapsed + pause < self.budget).then_some(pause)
    }

    fn covers(&self, error: &Error) -> bool {
        match error {
            Error::Tls { .. } => false,
            Error::Broken { .. } => self.repeatable,
            error => error.is_connect(),
        }
    }
}

impl fmt::Debug for Retry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retry")
            .field("budget", &self.budget)
            .field("statuses", &self.statuses)
            .field("repeatable", &self.repeatable)
            .finish_non_exhaustive()
    }
}

fn backoff(attempt: u32, jitter: f64) -> Duration {
    let full = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(attempt)).min(LONGEST_PAUSE);
    full.mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0)
}

#[cfg(test)]
#[path = "retry_tests.rs"]
mod tests;
