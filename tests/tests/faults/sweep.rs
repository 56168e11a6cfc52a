//! One scenario, every request, every fault.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use devcloud::{Entry, Fault, Service};
use serde_json::Value;

use crate::kinds::{Kind, faults};
use crate::scenarios::Scenario;
use crate::state::{orphans, state, state_without_statuses};
use crate::world::{Place, World};

/// Cases of one scenario that run at the same time.
const WORKERS: usize = 2;
/// In how many runs without faults all must be mended.
const MENDING_RUNS: usize = 3;

/// One request of the good run.
struct Target {
    place: Place,
    /// How many requests to the same service at the same place come before it.
    before: usize,
    entry: Entry,
}

/// Runs all cases of a scenario.
///
/// # Panics
/// With the list of all cases that break a rule.
pub(crate) fn sweep(scenario: &Scenario) {
    let begin = Instant::now();
    let mut prepared = World::new();
    (scenario.prepare)(&mut prepared);
    let good = prepared.copy();
    let targets = good_run(scenario, &good);
    let wanted = (state(&good), state_without_statuses(&good));
    assert_eq!(orphans(&good), Vec::<Value>::new());

    let cases: Vec<(&Target, Kind)> = targets
        .iter()
        .flat_map(|target| faults(&target.entry).into_iter().map(move |kind| (target, kind)))
        .collect();
    let (next, absorbed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let broken: Mutex<Vec<String>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some((target, kind)) = cases.get(next.fetch_add(1, Ordering::SeqCst)) {
                    match case(scenario, &prepared, target, kind, &wanted) {
                        Ok(code) => drop(absorbed.fetch_add(usize::from(code == 0), Ordering::SeqCst)),
                        Err(problem) => broken.lock().expect("no worker panics").push(problem),
                    }
                }
            });
        }
    });
    let (requests, count, absorbed) = (targets.len(), cases.len(), absorbed.into_inner());
    let seconds = begin.elapsed().as_secs_f64();
    println!("{}: {requests} requests, {count} cases, {absorbed} absorbed, {seconds:.1} s", scenario.name);
    let broken = broken.into_inner().expect("no worker panics");
    assert!(broken.is_empty(), "{} of {count} cases:\n\n{}", broken.len(), broken.join("\n\n"));
}

/// The scenario without a fault: exit code 0, and a full run afterwards finds nothing to do.
fn good_run(scenario: &Scenario, world: &World) -> Vec<Target> {
    world.clear_journals();
    (scenario.run)(&world.site).expect(0);
    let mut targets: Vec<Target> = Vec::new();
    for (place, entry) in world.journals() {
        let same = |known: &&Target| known.place == place && known.entry.service == entry.service;
        let before = targets.iter().filter(same).count();
        targets.push(Target { place, before, entry });
    }
    let before = state(world);
    world.site.full().expect(0);
    assert_eq!(state(world), before, "{}: one run does it", scenario.name);
    assert_eq!(world.touched(), Vec::<Value>::new());
    targets
}

/// One case; the exit code of the run with the fault, or what is wrong.
fn case(
    scenario: &Scenario,
    prepared: &World,
    target: &Target,
    kind: &Kind,
    (wanted, wanted_without_statuses): &(Value, Value),
) -> Result<i32, String> {
    let world = prepared.copy();
    let fault = Fault::new(target.entry.service, "", kind.action.clone()).skip(target.before).times(1);
    world.inject(target.place, fault);
    let outcome = (scenario.run)(&world.site);
    world.clear_faults();
    let is_status = target.entry.service == Service::Kubernetes && target.entry.path.ends_with("/status");
    let said = format!("exit code {}:\n{}", outcome.code, outcome.stderr);
    let problem = |what: String| {
        let Entry { method, path, .. } = &target.entry;
        Err(format!("{}: {} at {method} {path}: {what}\n{said}", scenario.name, kind.name))
    };

    let touched = world.touched();
    if !touched.is_empty() {
        return problem(format!("what was made by hand was touched: {touched:?}"));
    }
    match outcome.code {
        // A status that could not be written changes nothing else: the next run writes it.
        0 if is_status || kind.untrue => {
            let now = state_without_statuses(&world);
            if is_status && !kind.untrue && now != *wanted_without_statuses {
                return problem(difference(
                    "it ended well, but not all was done",
                    &now,
                    wanted_without_statuses,
                ));
            }
        }
        0 => {
            let now = state(&world);
            if now != *wanted {
                return problem(difference("it ended well, but not all was done", &now, wanted));
            }
        }
        1 => {}
        other => return problem(format!("exit code {other}")),
    }

    let mut last = String::new();
    for _ in 0..MENDING_RUNS {
        let mending = world.site.full();
        let touched = world.touched();
        if !touched.is_empty() {
            return problem(format!("what was made by hand was touched afterwards: {touched:?}"));
        }
        let now = state(&world);
        if mending.code == 0 && now == *wanted {
            return if orphans(&world).is_empty() { Ok(outcome.code) } else { problem("orphans".to_owned()) };
        }
        last = format!(
            "{}\nlast run, exit code {}:\n{}",
            difference("", &now, wanted),
            mending.code,
            mending.stderr
        );
    }
    problem(format!("{MENDING_RUNS} runs without faults do not mend it: {last}"))
}

/// The lines of both that the other does not have.
fn difference(what: &str, now: &Value, wanted: &Value) -> String {
    let (now, wanted) = (format!("{now:#}"), format!("{wanted:#}"));
    let only = |sign: char, ours: &str, theirs: &str| -> String {
        ours.lines()
            .filter(|line| !theirs.lines().any(|other| other == *line))
            .map(|line| format!("\n  {sign} {}", line.trim()))
            .collect()
    };
    let (more, less) = (only('+', &now, &wanted), only('-', &wanted, &now));
    let counts = format!(" ({} lines, {} wanted)", now.lines().count(), wanted.lines().count());
    format!("{what}{counts}{more}{less}")
}
