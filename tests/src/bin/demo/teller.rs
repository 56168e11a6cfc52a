//! How a demo tells what happens.

use std::cell::Cell;
use std::time::Instant;

use openstack_sync_tests::Outcome;

/// An outcome that a step did not expect.
pub(crate) struct Unexpected(pub(crate) String);

/// What a step answers.
pub(crate) type Step = Result<(), Unexpected>;

/// Numbers the steps.
pub(crate) struct Teller {
    began: Instant,
    steps: Cell<usize>,
}

impl Teller {
    pub(crate) fn begin() -> Self {
        Self { began: Instant::now(), steps: Cell::new(0) }
    }

    pub(crate) fn end(&self) {
        let seconds = self.began.elapsed().as_secs_f64();
        println!("\nAll {} steps went as expected, in {seconds:.1} s.", self.steps.get());
    }

    /// Begins a step.
    pub(crate) fn step(&self, title: &str) {
        self.steps.set(self.steps.get() + 1);
        let heading = format!("{}. {title}", self.steps.get());
        println!("\n{heading}\n{}", "-".repeat(heading.chars().count()));
    }

    /// Says what is done.
    pub(crate) fn say(&self, text: &str) {
        println!("{text}");
    }

    /// Shows a run of a program, and checks its exit code.
    pub(crate) fn ran(&self, command: &str, outcome: &Outcome, code: i32) -> Step {
        println!("$ {command}");
        for line in outcome.stdout.lines().chain(outcome.stderr.lines()) {
            println!("  {line}");
        }
        println!("  exit code {}", outcome.code);
        self.check(outcome.code == code, &format!("exit code {code} was expected"))
    }

    /// Ends the demo unless `holds`.
    pub(crate) fn check(&self, holds: bool, what: &str) -> Step {
        if holds { Ok(()) } else { Err(Unexpected(format!("step {}: {what}", self.steps.get()))) }
    }
}
