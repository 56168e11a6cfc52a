//! Waiting for a state, and never for a time.

use std::time::{Duration, Instant};

/// How long a state may take to come. Far more than it takes, so that a slow machine fails nothing.
pub const LIMIT: Duration = Duration::from_secs(90);

/// Asks again and again until `look` answers `Ok`, for at most [`LIMIT`].
///
/// # Panics
/// If it never does; the message is the last `Err`.
#[track_caller]
pub fn eventually<T>(look: impl FnMut() -> Result<T, String>) -> T {
    eventually_within(LIMIT, look)
}

/// The same with another limit.
///
/// # Panics
/// As [`eventually`].
#[track_caller]
pub fn eventually_within<T>(limit: Duration, mut look: impl FnMut() -> Result<T, String>) -> T {
    let begin = Instant::now();
    loop {
        match look() {
            Ok(seen) => return seen,
            Err(last) if begin.elapsed() > limit => panic!("not within {} s: {last}", limit.as_secs()),
            Err(_) => std::thread::sleep(Duration::from_millis(100)),
        }
    }
}
