//! Credentials that see or may do too little, and lists that only look like it.

use devcloud::{Action, DevCloud, Fault, Options, Service};
use framework::SyncPlugin;
use router_flavors::RouterFlavors;
use serde_json::json;

use crate::bench::{Bench, bench, id, spec};

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
fn a_profile_that_went_between_the_two_lists_is_no_blindness() {
    let mut bench = bench();
    bench.run(&spec("gold", &["auto"])).unwrap();
    let flavor = bench.cloud.neutron().flavors().remove(0);
    let profile = bench.cloud.neutron().profiles().remove(0);
    bench.cache = Default::default();
    RouterFlavors.wait_for_api(&bench.session, &mut bench.cache).unwrap();
    bench.cloud.neutron().unbind(id(&flavor), id(&profile));
    let (status, _) =
        bench.cloud.neutron().call("DELETE", &format!("/v2.0/service_profiles/{}", id(&profile)), None);
    assert_eq!(status, 204);
    bench.cloud.clear_journal();
    assert!(bench.reconcile(&spec("gold", &["auto"])).unwrap().is_empty());
    assert_eq!(
        bench.requests(),
        [
            "GET service_profiles",
            "GET flavors",
            // before anything is created
            "GET flavors",
            "GET service_profiles",
            "POST service_profiles",
            "POST flavors/<id>/service_profiles"
        ]
    );
}

/// A Neutron that is just starting: its policy is not loaded yet, so everybody sees nothing (measured).
#[test]
fn while_neutron_starts_nothing_is_made_twice() {
    let mut bench = bench();
    bench.run(&spec("gold", &["auto"])).unwrap();
    let before = bench.state();
    let answer = |what: &str| Action::answer(200, json!({ what: [] }));
    let fault = |path, what| Fault::new(Service::Neutron, path, answer(what)).method("GET");
    for (path, what) in [("*/flavors", "flavors"), ("*/service_profiles", "service_profiles")] {
        bench.cloud.inject(fault(path, what).times(1));
    }
    bench.run(&spec("gold", &["auto"])).unwrap();
    assert_eq!(bench.state(), before, "the lists were read again");

    for (path, what) in [
        ("*/flavors", "flavors"),
        ("*/service_profiles", "service_profiles"),
        ("*/service-providers", "service_providers"),
    ] {
        bench.cloud.inject(fault(path, what));
    }
    bench.cloud.clear_journal();
    let error = bench.run(&spec("gold", &["auto"])).unwrap_err();
    assert!(error.is_group() && error.to_string().contains("the credentials see too little"), "{error}");
    assert!(bench.written().is_empty());
}

#[test]
fn an_empty_list_is_believed_only_if_the_service_providers_are_seen() {
    for (user, trusted) in
        [("devcloud", true), ("devcloud-member", true), ("devcloud-reader", true), ("devcloud-nobody", false)]
    {
        let mut bench = Bench::logged_in(DevCloud::start(Options::default()).unwrap(), user);
        RouterFlavors.wait_for_api(&bench.session, &mut bench.cache).unwrap();
        assert_eq!(RouterFlavors.ids(&bench.cache, "gold"), None);
        bench.cloud.clear_journal();
        assert_eq!(RouterFlavors.trusts_empty_list(&mut bench.group()).unwrap(), trusted, "{user}");
        assert_eq!(bench.requests(), ["GET service-providers"]);
    }
}
