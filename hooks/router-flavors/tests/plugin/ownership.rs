//! What is ours, what is adopted, and what is never touched.

use framework::SyncPlugin;
use router_flavors::RouterFlavors;
use router_flavors::shell::Shell;
use serde_json::json;

use crate::bench::{MARK, bench, by_hand, by_hand_elsewhere, id, spec};

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
