//! Programs that not every machine has.

use std::io::ErrorKind;
use std::process::Command;

/// Runs a program that finds mistakes in `what`, which must find none.
///
/// Where it is missing this says so and checks nothing; with `REQUIRE_<PROGRAM>=1` that is a failure.
///
/// # Panics
/// If it finds something, or is there and cannot be started.
#[track_caller]
pub fn finds_nothing(command: &mut Command, what: &str) {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(output) => {
            let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
            let said = text(&output.stdout) + &text(&output.stderr);
            assert!(output.status.success(), "{name} on {what}:\n{said}");
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let required = std::env::var_os(format!("REQUIRE_{}", name.to_uppercase()));
            assert!(required.is_none(), "{name} is not here, and {what} must be checked by it");
            eprintln!("NOT RUN: {what} is to be checked by {name}, which is not here");
        }
        Err(error) => panic!("{name}: {error}"),
    }
}
