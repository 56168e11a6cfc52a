//! Whatever happens, clean runs come to rest, and nothing that is not ours was touched.

use std::collections::BTreeSet;

use devcloud::{Action, Fault, Service};
use framework::PluginError;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::widgets::{Widget, broken, not_ready, refused};
use crate::world::World;

const CRS: [&str; 4] = ["c0", "c1", "c2", "c3"];
const NAMES: [&str; 3] = ["x", "y", "z"];
const PLACES: [&str; 4] = ["north", "north-internal", "south", "nowhere"];

/// One thing that happens.
#[derive(Debug, Clone)]
enum Step {
    /// A CR is created, or changed.
    Apply {
        cr: usize,
        place: usize,
        name: usize,
        age: u32,
    },
    /// A CR is deleted; shell-operator hands over the event if it goes at once.
    Delete {
        cr: usize,
    },
    /// The next runs meet this failure.
    Break {
        call: usize,
        error: usize,
    },
    /// The API server fails the next write of a CR: refused, not received, or done but not answered.
    Refuse {
        cr: usize,
        how: usize,
    },
    /// Somebody changes a widget of ours.
    Drift {
        name: usize,
    },
    /// All failures are over.
    Heal,
    Full,
    Tick,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..CRS.len(), 0..PLACES.len(), 0..NAMES.len(), 10..60_u32)
            .prop_map(|(cr, place, name, age)| Step::Apply { cr, place, name, age }),
        2 => (0..CRS.len()).prop_map(|cr| Step::Delete { cr }),
        2 => (0..16_usize, 0..4_usize).prop_map(|(call, error)| Step::Break { call, error }),
        2 => (0..CRS.len(), 0..3_usize).prop_map(|(cr, how)| Step::Refuse { cr, how }),
        1 => (0..NAMES.len()).prop_map(|name| Step::Drift { name }),
        1 => Just(Step::Heal),
        2 => Just(Step::Full),
        4 => Just(Step::Tick),
    ]
}

/// A call of the plugin to break.
fn call(index: usize) -> String {
    let name = NAMES[index % NAMES.len()];
    match index % 8 {
        0 => "connect north".to_owned(),
        1 => "connect south".to_owned(),
        2 => "ready north".to_owned(),
        3 => format!("reconcile {name}"),
        4 => format!("create north/{name}"),
        5 => format!("delete north/{name}"),
        6 => "prune south".to_owned(),
        _ => format!("delete south/{name}"),
    }
}

fn happen(world: &mut World, step: &Step) {
    match *step {
        Step::Apply { cr, place, name, age } => {
            // The size follows from the name: two CRs in two groups of one cloud would quarrel about it.
            let spec = json!({"at": PLACES[place], "name": NAMES[name], "size": name + 1});
            if !world.exists(CRS[cr]) {
                let created = format!("2026-01-01T00:00:{age}Z");
                world.store(CRS[cr], spec, json!({"creationTimestamp": created}));
            } else if world.get(CRS[cr])["metadata"]["deletionTimestamp"].is_null() {
                world.cr(CRS[cr], spec);
            }
        }
        Step::Delete { cr } if world.exists(CRS[cr]) => {
            let last = world.delete(CRS[cr]);
            if !world.exists(CRS[cr]) {
                world.event("Deleted", last);
            }
        }
        Step::Delete { .. } => {}
        Step::Break { call: index, error } => {
            let look = [broken, not_ready, refused, || Err(PluginError::invalid_spec("no"))];
            world.plugin.on(&call(index), look[error]);
        }
        Step::Refuse { cr, how } => {
            let action = [Action::answer(500, Value::Null), Action::CutBefore, Action::CutAfter][how].clone();
            let fault = Fault::new(Service::Kubernetes, &format!("/widgets/{}", CRS[cr]), action);
            world.cloud.inject(fault.method("PATCH").times(1));
        }
        Step::Drift { name } => world.plugin.change("north", NAMES[name], |widget| widget.size = 9),
        Step::Heal => {
            world.plugin.heal();
            world.cloud.clear_faults();
        }
        Step::Full => {
            world.full();
        }
        Step::Tick => {
            world.later(60);
            world.tick();
        }
    }
}

fn unmanaged(world: &World) -> Vec<Widget> {
    let all = ["north", "south"].map(|cloud| world.plugin.widgets(cloud)).concat();
    all.into_iter().filter(|widget| widget.name == "theirs").collect()
}

/// The names that live CRs claim, at this cloud or, with `None`, at any.
fn claimed(world: &World, cloud: Option<&str>) -> BTreeSet<String> {
    let at = |cr: &Value| cr["spec"]["at"].as_str().unwrap_or_default().replace("-internal", "");
    let crs = world.cloud.kube().list("Widget").into_iter();
    crs.filter(|cr| cloud.is_none_or(|cloud| at(cr) == cloud))
        .filter_map(|cr| cr["spec"]["name"].as_str().map(str::to_owned))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_history_comes_to_rest(steps in prop::collection::vec(step(), 1..25)) {
        let mut world = World::new();
        for cloud in ["north", "south"] {
            world.plugin.add(cloud, "theirs", false);
            // A cloud that no CR names any more would not be visited.
            world.cr(&format!("anchor-{cloud}"), json!({"at": cloud}));
        }
        let theirs = unmanaged(&world);
        for step in &steps {
            happen(&mut world, step);
            prop_assert_eq!(&unmanaged(&world), &theirs);
        }

        // The end of all trouble: no failures, and no CR at a place that is not there.
        happen(&mut world, &Step::Heal);
        for name in CRS {
            if world.get(name)["spec"]["at"] == "nowhere" && world.get(name)["metadata"]["deletionTimestamp"].is_null() {
                world.edit(name, json!({"spec": {"at": "south"}}));
            }
        }
        for _ in 0..3 {
            world.full();
        }
        world.forget();
        let report = world.full();
        prop_assert_eq!(report.writes, 0, "{}: {:?}", report, world.logs());
        prop_assert_eq!(unmanaged(&world), theirs);
        for cr in world.cloud.kube().list("Widget") {
            prop_assert_eq!(&cr["metadata"]["deletionTimestamp"], &Value::Null, "{}", cr);
            let status = world.status(cr["metadata"]["name"].as_str().unwrap_or_default());
            prop_assert!(status == "Synced" || status.starts_with("Failed NameConflict"), "{}", status);
        }
        for cloud in ["north", "south"] {
            let mut managed = world.plugin.names(cloud);
            managed.retain(|name| !name.starts_with('('));
            let distinct: BTreeSet<String> = managed.iter().cloned().collect();
            prop_assert_eq!(managed.len(), distinct.len(), "nothing exists twice: {:?}", managed);
            prop_assert!(distinct.is_superset(&claimed(&world, Some(cloud))), "all that is described is there");
            // A name that is claimed at another cloud is protected at this one too.
            prop_assert!(distinct.is_subset(&claimed(&world, None)), "what nobody claims is gone: {:?}", managed);
        }
        world.forget();
        world.tick();
        prop_assert!(world.requests().is_empty() && world.calls().is_empty());
    }
}
