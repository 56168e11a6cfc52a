//! Log lines, kept per thread: every test runs in a thread of its own.

use std::cell::RefCell;
use std::sync::Once;

use log::{LevelFilter, Log, Metadata, Record};

thread_local! {
    static LINES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

struct Keeper;

impl Log for Keeper {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        if record.target().starts_with("framework") {
            LINES.with_borrow_mut(|lines| lines.push(format!("{}: {}", record.level(), record.args())));
        }
    }

    fn flush(&self) {}
}

/// Starts keeping lines, and forgets those of an earlier test on the same thread.
pub(crate) fn start() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Keeper).expect("no other logger in this program");
        log::set_max_level(LevelFilter::Info);
    });
    take();
}

/// The lines since the last time.
pub(crate) fn take() -> Vec<String> {
    LINES.take()
}
