//! Reconciling against a simulated Neutron, request by request.

mod common;

use common::{Bench, DRIVER, OTHER, spec};
use devcloud::{Action, DevCloud, Fault, Options, Service};
use framework::{SyncPlugin, Writes};
use router_flavors::RouterFlavors;
use router_flavors::shell::Shell;
use serde_json::{Value, json};

const MARK: &str = "[understack-router-flavor-operator]";

fn bench() -> Bench {
    Bench::new(Options::default())
}

/// A profile that somebody made by hand, as [`spec`] would want it.
fn by_hand(bench: &Bench) -> Value {
    bench.cloud.neutron().add_profile(json!({"driver": DRIVER, "metainfo": "{ \"vni_alloc\": \"auto\" }"}))
}

fn id(thing: &Value) -> &str {
    thing["id"].as_str().unwrap()
}

#[test]
fn a_new_flavor_costs_two_lists_and_three_writes_and_then_no_write() {
    let mut bench = bench();
    assert_eq!(bench.run(&spec("gold", &["auto"])).unwrap(), Vec::<String>::new());
    assert_eq!(
        bench.requests(),
        [
            "GET flavors",
            "GET service_profiles",
            "POST service_profiles",
            "POST flavors",
            "POST flavors/<id>/service_profiles"
        ]
    );
    let [flavor] = &bench.cloud.neutron().flavors()[..] else { panic!("one flavor") };
    let [profile] = &bench.cloud.neutron().profiles()[..] else { panic!("one profile") };
    assert_eq!(flavor["description"], format!("shiny {MARK}"));
    assert_eq!(flavor["service_profiles"], json!([profile["id"]]));
    assert_eq!(
        profile["metainfo"],
        r#"{"_understack_router_flavor_marker_version":"v1","_understack_router_flavor_operator":"managed","_understack_router_flavor_source":"NeutronRouterFlavor","vni_alloc":"auto"}"#
    );
    bench.run(&spec("gold", &["auto"])).unwrap();
    assert_eq!(bench.requests(), ["GET flavors", "GET service_profiles"]);
}

#[test]
fn flavors_of_one_group_share_the_lists_and_the_profile() {
    let mut bench = bench();
    bench.run(&spec("gold", &["auto"])).unwrap();
    bench.reconcile(&spec("silver", &["auto"])).unwrap();
    let lists = bench.requests().iter().filter(|request| request.starts_with("GET")).count();
    assert_eq!((lists, bench.state().flavors.len(), bench.state().profiles.len()), (2, 2, 1));
    assert!(bench.cloud.journal().iter().all(|entry| !entry.is_login()), "one token is enough");
}

#[test]
fn what_was_made_by_hand_is_adopted() {
    let mut bench = bench();
    let profile = by_hand(&bench);
    let neutron = bench.cloud.neutron();
    let flavor =
        neutron.add_flavor(json!({"name": "gold", "service_type": "L3_ROUTER_NAT", "enabled": false}));
    // Neither of another type nor of a name that a case-blind server takes for the same.
    neutron.add_flavor(json!({"name": "gold", "service_type": "QOS"}));
    neutron.add_flavor(json!({"name": "GOLD", "service_type": "L3_ROUTER_NAT"}));
    bench.run(&spec("gold", &["auto"])).unwrap();
    assert_eq!(
        bench.written(),
        ["PUT service_profiles/<id>", "PUT flavors/<id>", "POST flavors/<id>/service_profiles"]
    );
    let bodies: Vec<_> = bench.cloud.journal().into_iter().filter_map(|entry| entry.request_body).collect();
    assert_eq!(
        bodies[0]["service_profile"].as_object().unwrap().len(),
        1,
        "only what differs: {}",
        bodies[0]
    );
    assert_eq!(bodies[1], json!({"flavor": {"description": format!("shiny {MARK}"), "enabled": true}}));
    let flavors = bench.cloud.neutron().flavors();
    assert_eq!(flavors.iter().filter(|flavor| flavor["service_profiles"] != json!([])).count(), 1);
    let adopted = flavors.iter().find(|other| other["id"] == flavor["id"]).unwrap();
    assert_eq!(adopted["service_profiles"], json!([profile["id"]]));
    bench.run(&spec("gold", &["auto"])).unwrap();
    assert!(bench.written().is_empty());
}

#[test]
fn two_flavors_that_could_be_meant_stop_everything() {
    let mut bench = bench();
    for _ in 0..2 {
        bench.cloud.neutron().add_flavor(json!({"name": "gold", "service_type": "L3_ROUTER_NAT"}));
    }
    let error = bench.run(&spec("gold", &["auto"])).unwrap_err();
    assert!(error.to_string().starts_with("2 flavors are named \"gold\""), "{error}");
    assert!(!error.is_group() && !error.is_not_ready());
    assert!(bench.written().is_empty());
}

#[test]
fn a_foreign_profile_of_the_flavor_serves_as_it_is() {
    let mut bench = bench();
    let profile = by_hand(&bench);
    let flavor = bench.cloud.neutron().add_flavor(json!({"name": "gold", "service_type": "L3_ROUTER_NAT"}));
    bench.cloud.neutron().bind(id(&flavor), id(&profile));
    let notes = bench.run(&spec("gold", &["auto"])).unwrap();
    assert_eq!(
        notes,
        [format!("service profile {} is bound to the flavor but not managed: used as it is", id(&profile))]
    );
    assert_eq!(bench.written(), ["PUT flavors/<id>"]);
    // Another meta_info is another profile; the foreign one stays bound.
    let notes = bench.run(&spec("gold", &["off"])).unwrap();
    assert!(notes[0].contains("has 2 service profiles"), "{notes:?}");
    assert_eq!(bench.written(), ["POST service_profiles", "POST flavors/<id>/service_profiles"]);
}

#[test]
fn another_profile_is_bound_before_the_old_one_goes() {
    let mut bench = bench();
    bench.run(&spec("gold", &["auto"])).unwrap();
    bench.run(&spec("gold", &["off"])).unwrap();
    assert_eq!(
        bench.written(),
        [
            "POST service_profiles",
            "POST flavors/<id>/service_profiles",
            "DELETE flavors/<id>/service_profiles/<id>",
            "DELETE service_profiles/<id>"
        ]
    );
    assert_eq!(bench.state().profiles.len(), 1);
    bench.run(&spec("silver", &["off"])).unwrap();
    bench.run(&spec("gold", &["auto"])).unwrap();
    assert!(!bench.written().contains(&"DELETE service_profiles/<id>".to_owned()), "silver has it");
    assert_eq!(bench.state().profiles.len(), 2);
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
fn a_profile_that_another_flavor_type_uses_is_not_deleted() {
    let mut bench = bench();
    bench.run(&spec("gold", &["auto"])).unwrap();
    let profile = bench.cloud.neutron().profiles().remove(0);
    let qos = bench.cloud.neutron().add_flavor(json!({"name": "q", "service_type": "QOS"}));
    bench.cloud.neutron().bind(id(&qos), id(&profile));
    bench.run(&spec("gold", &["off"])).unwrap();
    assert_eq!(bench.written().last().unwrap(), "DELETE flavors/<id>/service_profiles/<id>");
    assert!(bench.cloud.neutron().profiles().contains(&profile));
}

#[test]
fn drift_is_corrected_while_unbound_and_noted_while_bound() {
    let mut bench = bench();
    bench.run(&spec("gold", &["auto"])).unwrap();
    let mut changed = spec("gold", &["auto"]);
    changed["service_profiles"][0]["is_enabled"] = json!(false);
    changed["service_profiles"][0]["description"] = json!("new");
    let notes = bench.run(&changed).unwrap();
    let profile = bench.cloud.neutron().profiles().remove(0);
    let at = id(&profile);
    assert_eq!(
        notes,
        [
            format!("service profile {at} is_enabled: have=True want=False"),
            format!("service profile {at} description: have='' want='new'")
        ]
    );
    assert!(bench.written().is_empty());
    let flavor = bench.cloud.neutron().flavors().remove(0);
    bench.cloud.neutron().unbind(id(&flavor), at);
    assert!(bench.run(&changed).unwrap().is_empty());
    assert_eq!(bench.written(), ["PUT service_profiles/<id>", "POST flavors/<id>/service_profiles"]);
}

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
fn being_bound_already_is_success() {
    let mut bench = bench();
    bench.run(&spec("gold", &["auto"])).unwrap();
    let flavor = bench.cloud.neutron().flavors().remove(0);
    let profile = bench.cloud.neutron().profiles().remove(0);
    bench.cloud.neutron().unbind(id(&flavor), id(&profile));
    bench.cache = Default::default();
    RouterFlavors.wait_for_api(&bench.session, &mut bench.cache).unwrap();
    bench.cloud.neutron().bind(id(&flavor), id(&profile));
    bench.cloud.clear_journal();
    bench.reconcile(&spec("gold", &["auto"])).unwrap();
    assert_eq!(bench.requests(), ["GET service_profiles", "POST flavors/<id>/service_profiles"]);
}

#[test]
fn a_lost_answer_is_looked_up_and_nothing_exists_twice() {
    for (path, look_up) in [("service_profiles", "GET service_profiles"), ("/flavors", "GET flavors")] {
        let mut bench = bench();
        let fault = Fault::new(Service::Neutron, path, Action::CutAfter).method("POST").times(1);
        bench.cloud.inject(fault);
        bench.run(&spec("gold", &["auto"])).unwrap();
        assert_eq!(bench.requests().iter().filter(|request| *request == look_up).count(), 2);
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

#[test]
fn credentials_that_see_too_little_write_nothing() {
    let mut admin = bench();
    admin.run(&spec("gold", &["auto"])).unwrap();
    let mut member = Bench::logged_in(admin.cloud, "devcloud-member");
    let error = member.run(&spec("silver", &["auto"])).unwrap_err();
    assert!(error.is_group() && error.reason() == "PolicyRefused", "{error:?}");
    assert!(error.to_string().contains("get_service_profile"), "{error}");
    assert!(member.written().is_empty());
}

#[test]
fn the_first_refused_right_names_the_rule_and_stops_the_group() {
    let mut reader = Bench::logged_in(DevCloud::start(Options::default()).unwrap(), "devcloud-reader");
    let error = reader.run(&spec("gold", &["auto"])).unwrap_err();
    assert!(error.is_group() && error.reason() == "PolicyRefused", "{error:?}");
    assert!(error.to_string().contains("rule:create_service_profile"), "{error}");
    assert_eq!(reader.written(), ["POST service_profiles"]);
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
fn a_dry_run_shows_every_action_and_writes_nothing() {
    let mut bench = bench();
    bench.run(&spec("gold", &["auto"])).unwrap();
    let before = bench.cloud.neutron().snapshot();
    bench.writes = Writes::new(true);
    bench.run(&spec("silver", &["off"])).unwrap();
    bench.reconcile(&spec("gold", &["off"])).unwrap();
    assert!(bench.written().is_empty());
    assert_eq!(bench.cloud.neutron().snapshot(), before);
    let planned: Vec<_> =
        bench.writes.planned().iter().map(|action| format!("{} {}", action.verb, action.kind)).collect();
    assert_eq!(
        planned,
        [
            "create service profile",
            "create flavor",
            "bind service profile",
            "bind service profile",
            "unbind service profile",
            "delete service profile"
        ]
    );
}

#[test]
fn pages_and_a_case_blind_database_change_nothing() {
    let options = Options { page_limit: Some(1), case_blind: true, ..Options::default() };
    let mut bench = Bench::new(options);
    for name in ["gold", "Gold", "GOLD "] {
        bench.run(&spec(name.trim(), &["auto", "off"])).unwrap();
    }
    bench.run(&spec("Gold", &["auto", "off"])).unwrap();
    assert!(bench.written().is_empty());
    assert_eq!((bench.state().flavors.len(), bench.state().profiles.len()), (3, 2));
}

#[test]
fn nothing_without_our_mark_is_unbound_or_deleted_whoever_asks() {
    let mut bench = bench();
    bench.run(&spec("gold", &["auto"])).unwrap();
    by_hand_elsewhere(&bench);
    bench.cache = Default::default();
    let mut group = bench.group();
    let mut shell = Shell::new(&mut group).unwrap();
    let theirs = shell.cache.flavors().iter().find(|flavor| flavor.name == "theirs").unwrap().clone();
    let profile = shell.cache.profile(&theirs.service_profiles[0]).unwrap().clone();
    let refused = [
        shell.delete_flavor(&theirs).unwrap_err(),
        shell.delete_profile(&profile).unwrap_err(),
        shell.unbind(&theirs.id, "theirs", &profile).unwrap_err(),
    ];
    assert!(refused.iter().all(|error| error.to_string().contains("does not carry our mark")), "{refused:?}");
    assert!(bench.written().iter().all(|request| !request.starts_with("DELETE")));
}

#[test]
fn an_abandoned_flavor_loses_the_marker_only() {
    let mut bench = bench();
    bench.run(&spec("gold", &["auto"])).unwrap();
    bench.reconcile(&spec("silver", &["auto"])).unwrap();
    RouterFlavors.abandon(&mut bench.group(), "gold").unwrap();
    let flavors = bench.cloud.neutron().flavors();
    let described =
        |name: &str| flavors.iter().find(|flavor| flavor["name"] == name).unwrap()["description"].clone();
    assert_eq!((described("gold"), described("silver")), (json!("shiny"), json!(format!("shiny {MARK}"))));
    bench.cloud.clear_journal();
    RouterFlavors.abandon(&mut bench.group(), "gold").unwrap();
    assert!(bench.requests().is_empty());
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

fn by_hand_elsewhere(bench: &Bench) {
    let neutron = bench.cloud.neutron();
    let flavor = neutron.add_flavor(json!({"name": "theirs", "service_type": "L3_ROUTER_NAT"}));
    let profile = neutron.add_profile(json!({"driver": OTHER, "description": "theirs"}));
    neutron.bind(id(&flavor), id(&profile));
}

#[test]
fn whatever_request_fails_the_next_run_ends_where_it_would_have() {
    let mut clean = bench();
    let changed = scenario(&mut clean);
    clean.run(&changed).unwrap();
    let (requests, goal) = (clean.requests(), clean.state());
    assert_eq!(requests.len(), 9, "{requests:?}");
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
