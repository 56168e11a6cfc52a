//! Fault sweep: every request of a scenario, with every fault that its service can have.
//!
//! Each case begins with the same world, runs the scenario with one fault at one request, then runs without
//! faults. In the end all must be as if there had been no fault: nothing is missing, nothing exists twice,
//! nothing managed is left behind, and what was made by hand is what it was, to the byte.
//! A run that ends with exit code 0 must have done its work in spite of the fault; see [`sweep`].

mod kinds;
mod scenarios;
mod state;
mod sweep;
mod world;

use scenarios::*;
use sweep::sweep;

#[test]
fn create() {
    sweep(&CREATE);
}

#[test]
fn adopt() {
    sweep(&ADOPT);
}

#[test]
fn change_of_a_profile() {
    sweep(&CHANGE);
}

#[test]
fn delete() {
    sweep(&DELETE);
}

#[test]
fn delete_after_it_was_in_use() {
    sweep(&DELETE_AFTER_USE);
}

#[test]
fn best_effort_sweep() {
    sweep(&BEST_EFFORT);
}

#[test]
fn moved_to_another_cloud() {
    sweep(&MOVE);
}
