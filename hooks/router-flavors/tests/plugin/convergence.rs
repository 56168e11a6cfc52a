//! What is written for a spec, in which order, and that a second run writes nothing.

use devcloud::Options;
use framework::{SyncPlugin, Writes};
use router_flavors::RouterFlavors;
use serde_json::json;

use crate::bench::{Bench, MARK, bench, id, spec};

#[test]
fn a_new_flavor_is_looked_for_twice_and_costs_three_writes_and_then_no_write() {
    let mut bench = bench();
    assert_eq!(bench.run(&spec("gold", &["auto"])).unwrap(), Vec::<String>::new());
    assert_eq!(
        bench.requests(),
        [
            "GET flavors",
            "GET service_profiles",
            "GET service-providers",
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
    // The second flavor asks nothing: the lists were confirmed before the first.
    let lists = bench.requests().iter().filter(|request| request.starts_with("GET")).count();
    assert_eq!((lists, bench.state().flavors.len(), bench.state().profiles.len()), (5, 2, 1));
    assert!(bench.cloud.journal().iter().all(|entry| !entry.is_login()), "one token is enough");
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
