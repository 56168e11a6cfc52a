//! What a run did, in one line.

use std::fmt;
use std::time::{Duration, Instant};

use crate::writes::{Action, Writes};

/// Counts of one run. `Display` is the summary line:
/// `12 CRs: 10 current, 1 synced, 1 failed; 6 requests, 2 writes, 0.3 s`.
#[derive(Debug)]
pub struct RunReport {
    /// In place, nothing done.
    pub current: usize,
    /// Reconciled.
    pub synced: usize,
    /// Failed, in this run or before and not tried again.
    pub failed: usize,
    /// Not tried: their time has not come, or they wait for something else to go.
    pub waiting: usize,
    /// Deleted CRs that could be let go.
    pub released: usize,
    /// HTTP requests sent, repeated ones included.
    pub requests: u64,
    /// Writes tried.
    pub writes: usize,
    /// What a dry run would have done, in order.
    pub planned: Vec<Action>,
    /// How long it took.
    pub elapsed: Duration,
    /// Whether this was a run over the whole desired set, drift included.
    pub full: bool,
    success: bool,
    began: Instant,
    requests_before: u64,
}

impl RunReport {
    pub(crate) fn begin() -> Self {
        Self {
            current: 0,
            synced: 0,
            failed: 0,
            waiting: 0,
            released: 0,
            requests: 0,
            writes: 0,
            planned: Vec::new(),
            elapsed: Duration::ZERO,
            full: false,
            success: true,
            began: Instant::now(),
            requests_before: rest::request_count(),
        }
    }

    pub(crate) fn fail(&mut self) {
        self.success = false;
    }

    pub(crate) fn finish(mut self, writes: &Writes, full: bool) -> Self {
        self.requests = rest::request_count() - self.requests_before;
        self.writes = writes.done();
        self.planned = writes.planned().to_vec();
        self.elapsed = self.began.elapsed();
        self.full = full;
        self
    }

    /// Whether the hook may exit with 0.
    pub fn is_success(&self) -> bool {
        self.success
    }
}

impl fmt::Display for RunReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.current, "current"),
            (self.synced, "synced"),
            (self.failed, "failed"),
            (self.waiting, "waiting"),
            (self.released, "released"),
        ];
        let total: usize = counts.iter().map(|(count, _)| count).sum();
        write!(f, "{total} {}", if total == 1 { "CR" } else { "CRs" })?;
        for (index, (count, what)) in counts.iter().filter(|(count, _)| *count > 0).enumerate() {
            write!(f, "{} {count} {what}", if index == 0 { ":" } else { "," })?;
        }
        let (writes, word) = match self.planned.len() {
            0 => (self.writes, "writes"),
            planned => (planned, "writes planned"),
        };
        write!(f, "; {} requests, {writes} {word}, {:.1} s", self.requests, self.elapsed.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_names_what_there_is() {
        let mut report = RunReport::begin();
        (report.current, report.synced, report.failed) = (10, 1, 1);
        (report.requests, report.writes, report.elapsed) = (6, 2, Duration::from_millis(321));
        assert_eq!(report.to_string(), "12 CRs: 10 current, 1 synced, 1 failed; 6 requests, 2 writes, 0.3 s");
        assert_eq!(RunReport::begin().to_string(), "0 CRs; 0 requests, 0 writes, 0.0 s");
    }
}
