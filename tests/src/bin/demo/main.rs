//! `make demo`: the main job in one minute, on loopback: router flavors appear, change and go as custom
//! resources do. Exits with 1 at the first step whose outcome is not the expected one.

mod steps;
mod story;

use std::process::ExitCode;

use story::{Story, Unexpected};

fn main() -> ExitCode {
    let story = Story::begin();
    match steps::all(&story) {
        Ok(()) => {
            story.end();
            ExitCode::SUCCESS
        }
        Err(Unexpected(what)) => {
            eprintln!("\nthe demo did not go as expected: {what}");
            ExitCode::FAILURE
        }
    }
}
