//! `make demo` and `make demo-templates`: a main job in one minute, on loopback. Exits with 1 at the first step whose
//! outcome is not the expected one.
//!
//! * [`flavors`]: router flavors appear, change and go as custom resources do;
//! * [`templates`]: objects of OpenShift Templates do, first by the library, then by the hook.

mod flavors;
mod teller;
mod templates;

use std::process::ExitCode;

use teller::Unexpected;

fn main() -> ExitCode {
    let played = match std::env::args().nth(1).as_deref() {
        None => flavors::play(),
        Some("templates") => templates::play(),
        Some(other) => {
            eprintln!("there is no demo {other:?}: say templates, or nothing");
            return ExitCode::from(2);
        }
    };
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(Unexpected(what)) => {
            eprintln!("\nthe demo did not go as expected: {what}");
            ExitCode::FAILURE
        }
    }
}
