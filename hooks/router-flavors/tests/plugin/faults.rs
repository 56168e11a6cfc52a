//! Requests that are refused, lost, or answered into nowhere.

use devcloud::{Action, Fault, Service};
use serde_json::{Value, json};

use crate::bench::{Bench, OTHER, bench, by_hand_elsewhere, spec};

#[test]
fn a_refused_binding_fails_the_cr_deletes_nothing_and_is_repeated_alone() {
    let refusals = [
        (403, "PolicyNotAuthorized"),
        (404, "HTTPNotFound"),
        (409, "SomethingElse"),
        (500, "HTTPInternalServerError"),
    ];
    for (status, kind) in refusals {
        let mut bench = bench();
        bench.run(&spec("gold", &["auto"])).unwrap();
        let body = json!({"NeutronError": {"type": kind, "message": "no", "detail": ""}});
        let fault =
            Fault::new(Service::Neutron, "*/flavors/*/service_profiles", Action::answer(status, body));
        bench.cloud.inject(fault.method("POST"));
        let error = bench.run(&spec("gold", &["off"])).unwrap_err();
        assert!(error.to_string().contains(kind), "{error}");
        assert_eq!(error.is_group(), status == 403, "{error}");
        assert!(!error.is_not_ready(), "{error}");
        assert_eq!(bench.written(), ["POST service_profiles", "POST flavors/<id>/service_profiles"]);
        let text = error.to_string();
        let again = bench.run(&spec("gold", &["off"])).unwrap_err().to_string();
        assert_eq!(again, text, "a status text that changes is a status write in every run");
        assert_eq!(bench.written(), ["POST flavors/<id>/service_profiles"]);
        assert_eq!(bench.state().profiles.len(), 2);
    }
}

#[test]
fn a_profile_that_another_cr_of_the_run_wants_is_not_deleted() {
    let mut bench = bench();
    bench.run(&spec("gold", &["auto"])).unwrap();
    let body = json!({"NeutronError": {"type": "Injected", "message": "no", "detail": ""}});
    let refused = Fault::new(Service::Neutron, "*/flavors/*/service_profiles", Action::answer(400, body));
    bench.cloud.inject(refused.method("POST").times(1));
    bench.run(&spec("silver", &["auto"])).unwrap_err();
    bench.reconcile(&spec("gold", &["off"])).unwrap();
    assert_eq!(bench.written().last().unwrap(), "DELETE flavors/<id>/service_profiles/<id>");
    assert_eq!(bench.state().profiles.len(), 2);
}

#[test]
fn a_driver_that_no_provider_has_fails_the_cr_alone() {
    let mut bench = bench();
    let unknown = json!({"name": "gold", "service_profiles": [{"driver": "acme.Unknown"}]});
    let error = bench.run(&unknown).unwrap_err();
    assert!(error.to_string().contains("ServiceProfileDriverNotFound"), "{error}");
    assert!(!error.is_group() && !error.is_not_ready());
    assert!(bench.state().flavors.is_empty(), "a flavor never stands without a profile");
}

#[test]
fn a_lost_answer_is_looked_up_and_nothing_exists_twice() {
    for (path, look_up) in [("service_profiles", "GET service_profiles"), ("/flavors", "GET flavors")] {
        let mut bench = bench();
        let fault = Fault::new(Service::Neutron, path, Action::CutAfter).method("POST").times(1);
        bench.cloud.inject(fault);
        bench.run(&spec("gold", &["auto"])).unwrap();
        // Listed, confirmed, looked up.
        assert_eq!(bench.requests().iter().filter(|request| *request == look_up).count(), 3);
        assert_eq!((bench.state().flavors.len(), bench.state().profiles.len()), (1, 1));
    }
}

#[test]
fn a_lost_request_is_not_repeated_in_the_same_run() {
    for path in ["service_profiles", "/flavors"] {
        let mut bench = bench();
        bench.cloud.inject(Fault::new(Service::Neutron, path, Action::CutBefore).method("POST").times(1));
        let error = bench.run(&spec("gold", &["auto"])).unwrap_err();
        assert!(error.is_not_ready() && error.to_string().contains("outcome unknown"), "{error}");
        bench.run(&spec("gold", &["auto"])).unwrap();
        assert_eq!((bench.state().flavors.len(), bench.state().profiles.len()), (1, 1));
    }
}

#[test]
fn after_a_binding_of_unknown_outcome_the_lists_are_read_again() {
    let mut bench = bench();
    let fault = Fault::new(Service::Neutron, "*/flavors/*/service_profiles", Action::CutAfter).method("POST");
    bench.cloud.inject(fault.times(1));
    assert!(bench.run(&spec("gold", &["auto"])).unwrap_err().is_not_ready());
    bench.cloud.clear_journal();
    bench.reconcile(&spec("gold", &["auto"])).unwrap();
    assert_eq!(bench.requests(), ["GET flavors", "GET service_profiles"]);
}

/// A CR with two drivers and a changed profile, over what an earlier run and somebody else left.
fn scenario(bench: &mut Bench) -> Value {
    bench.run(&spec("gold", &["auto"])).unwrap();
    by_hand_elsewhere(bench);
    let mut changed = spec("gold", &["off"]);
    changed["is_enabled"] = json!(false);
    changed["service_profiles"].as_array_mut().unwrap().push(json!({"driver": OTHER}));
    changed
}

#[test]
fn whatever_request_fails_the_next_run_ends_where_it_would_have() {
    let mut clean = bench();
    let changed = scenario(&mut clean);
    clean.run(&changed).unwrap();
    let (requests, goal) = (clean.requests(), clean.state());
    assert_eq!(requests.len(), 11, "{requests:?}");
    let refused = |status| {
        let body = json!({"NeutronError": {"type": "Injected", "message": "injected", "detail": ""}});
        Action::answer(status, body)
    };
    let faults = [Action::CutBefore, Action::CutAfter, refused(404), refused(409), refused(500)];
    for (skip, request) in requests.iter().enumerate() {
        for action in &faults {
            let mut bench = bench();
            let changed = scenario(&mut bench);
            bench.cloud.inject(Fault::new(Service::Neutron, "", action.clone()).skip(skip).times(1));
            let first = bench.run(&changed).map_err(|error| error.to_string());
            bench.cloud.clear_faults();
            bench.run(&changed).unwrap();
            // A profile whose deletion failed is the sweep's.
            let mut state = bench.state();
            if request == "DELETE service_profiles/<id>" {
                state.profiles.retain(|profile| goal.profiles.contains(profile));
            }
            assert_eq!(state, goal, "{request} met {action:?}, which gave {first:?}");
            bench.run(&changed).unwrap();
            assert!(bench.written().is_empty(), "{request} met {action:?}");
        }
    }
}
