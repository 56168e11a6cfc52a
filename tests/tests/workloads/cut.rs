//! The connection breaks at each request in turn, before it is performed or after. Then come runs without faults.
//!
//! After the broken run already: nothing of others is touched, and no object of ours is in the cluster that the
//! inventory does not name. In the end all is as if nothing had broken.

use std::collections::BTreeMap;

use devcloud::{Action, Fault, Service};
use openstack_sync_tests::Outcome;
use openstack_sync_tests::workloads::{KIND, WorkloadSite, owner};
use serde_json::{Value, json};

use crate::web::{by_hand, config_map, in_place, objects, parameters, site, spec, spec_with};

/// A state, and the run that is cut.
struct Case {
    name: &'static str,
    prepare: fn() -> WorkloadSite,
    run: fn(&WorkloadSite) -> Outcome,
}

fn event(site: &WorkloadSite) -> Outcome {
    site.run(&[site.event("Modified", site.cr("shop").expect("the CR"))])
}

/// Objects of others, with the names that come nearest.
fn bystanders(site: &WorkloadSite) {
    by_hand(site, "bystander", json!({}));
    by_hand(site, "of-another", json!({template_workloads::ownership::OWNER_LABEL: "another"}));
}

const CREATE: Case = Case {
    name: "create",
    prepare: || {
        let mut site = site();
        bystanders(&site);
        site.workload("shop", spec());
        site
    },
    run: event,
};

const ADOPT: Case = Case {
    name: "adopt",
    prepare: || {
        let mut site = site();
        bystanders(&site);
        by_hand(&site, "shop", json!({}));
        site.workload("shop", spec_with(json!({"adopt": true})));
        site
    },
    run: event,
};

/// An object changes, one comes, one leaves.
fn changed(policy: &str) -> WorkloadSite {
    let site = in_place(json!({"deletionPolicy": policy}));
    bystanders(&site);
    let mut objects = objects();
    objects[0]["stringData"]["user"] = "somebody-else".into();
    objects[1] = config_map("${NAME}-new");
    site.template("web", objects, parameters());
    site
}

const CHANGE: Case = Case { name: "change", prepare: || changed("Delete"), run: |site| site.full() };
const LET_GO: Case = Case { name: "let go", prepare: || changed("Orphan"), run: |site| site.full() };

fn deleted(policy: &str) -> WorkloadSite {
    let site = in_place(json!({"deletionPolicy": policy}));
    bystanders(&site);
    site.delete("shop");
    site
}

const DELETE: Case = Case { name: "delete", prepare: || deleted("Delete"), run: event };
const ORPHAN: Case = Case { name: "orphan", prepare: || deleted("Orphan"), run: event };

/// What must be the same in the end: objects without ids, versions and times, and the CR.
fn state(site: &WorkloadSite) -> Value {
    let uid = site.cr("shop").map(|cr| cr["metadata"]["uid"].clone());
    let plain = |object: &Value| {
        let mut object = object.clone();
        let metadata = object["metadata"].as_object_mut().expect("metadata");
        metadata.retain(|key, _| {
            ["name", "namespace", "labels", "finalizers", "annotations"].contains(&key.as_str())
        });
        object
    };
    let mut objects: BTreeMap<String, Value> =
        site.objects().iter().map(|(name, object)| (name.clone(), plain(object))).collect();
    for object in objects.values_mut() {
        if let Some(uid) = &uid
            && object["metadata"]["labels"][template_workloads::ownership::OWNER_LABEL] == *uid
        {
            object["metadata"]["labels"] = "ours".into();
        }
    }
    let crs = site.dev.kube().list(KIND).into_iter().map(|cr| {
        let status = &cr["status"];
        let inventory = site.inventory(cr["metadata"]["name"].as_str().expect("a name"));
        json!([cr["spec"], cr["metadata"]["finalizers"], status["syncStatus"], status["message"], inventory])
    });
    json!([objects, crs.collect::<Vec<_>>()])
}

/// What is there and is not ours.
fn of_others(site: &WorkloadSite) -> BTreeMap<String, Value> {
    let mut all = site.objects();
    all.retain(|name, object| {
        owner(object).is_some_and(|owner| owner == "another") || name.contains("bystander")
    });
    all
}

/// Objects with the label of `uid` that the inventory of `shop` does not name.
fn unnamed(site: &WorkloadSite, uid: &str) -> Vec<String> {
    let named = if site.cr("shop").is_some() { site.inventory("shop") } else { Vec::new() };
    let is_named = |name: &String| named.iter().any(|entry| entry.ends_with(name.as_str()));
    site.owned(uid).into_keys().filter(|name| !is_named(name)).collect()
}

/// Every entry that has a uid has that of the object, if that is there with our label.
fn wrong_uids(site: &WorkloadSite, uid: &str) -> Vec<Value> {
    let Some(cr) = site.cr("shop") else { return Vec::new() };
    let owned = site.owned(uid);
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let entries = cr["status"]["objects"].as_array().cloned().unwrap_or_default();
    let is_wrong = |entry: &Value| {
        let name = format!("{} {}/{}", text(entry, "kind"), text(entry, "namespace"), text(entry, "name"));
        let live = owned.get(&name);
        entry["uid"].is_string() && live.is_some_and(|live| live["metadata"]["uid"] != entry["uid"])
    };
    entries.into_iter().filter(is_wrong).collect()
}

fn sweep(case: &Case) {
    let good = (case.prepare)();
    good.dev.clear_journal();
    good.checked((case.run)(&good), 0);
    let requests = good.requests();
    if good.cr("shop").is_some() {
        good.settled();
    }
    let wanted = state(&good);
    assert!(requests.len() > 5, "{}: {requests:?}", case.name);
    for (at, request) in requests.iter().enumerate() {
        for action in [Action::CutBefore, Action::CutAfter] {
            one(case, at, &format!("{}: {action:?} at {at}, {request}", case.name), action, &wanted);
        }
    }
}

fn one(case: &Case, at: usize, said: &str, action: Action, wanted: &Value) {
    let site = (case.prepare)();
    let (uid, others) = (site.uid("shop"), of_others(&site));
    assert_eq!(others.len(), 2, "{said}");
    site.dev.inject(Fault::new(Service::Kubernetes, "", action).skip(at).times(1));
    let outcome = (case.run)(&site);
    site.dev.clear_faults();
    let code = outcome.code;
    let outcome = site.checked(outcome, code);
    let look = |when: &str| {
        let said = format!("{said}, {when}:\n{}", outcome.stderr);
        assert_eq!(of_others(&site), others, "{said}");
        assert_eq!((unnamed(&site, &uid), wrong_uids(&site, &uid)), (Vec::new(), Vec::new()), "{said}");
    };
    look("after the cut");
    if code == 0 {
        // A lost answer to a read is repeated; one to the last status is written by the next run.
        assert!(!outcome.stderr.contains("ERROR"), "{said}: {}", outcome.stderr);
    }
    // As shell-operator goes on: ticks, and some day a full run.
    for _ in 0..2 {
        site.tick();
        look("after a tick");
    }
    site.full_run(0);
    look("after a full run");
    assert_eq!(state(&site), *wanted, "{said}:\n{}", outcome.stderr);
    if site.cr("shop").is_some() {
        site.settled();
    }
}

#[test]
fn cut_while_objects_are_made() {
    sweep(&CREATE);
}

#[test]
fn cut_while_an_object_is_adopted() {
    sweep(&ADOPT);
}

#[test]
fn cut_while_objects_change_and_one_is_dropped() {
    sweep(&CHANGE);
}

#[test]
fn cut_while_one_is_dropped_and_let_go() {
    sweep(&LET_GO);
}

#[test]
fn cut_while_all_are_deleted() {
    sweep(&DELETE);
}

#[test]
fn cut_while_all_are_let_go() {
    sweep(&ORPHAN);
}
