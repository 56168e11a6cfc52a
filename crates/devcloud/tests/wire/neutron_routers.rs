use serde_json::{Value, json};

use crate::client::{Lab, NOBODY, SINGLE, bad_request, id, refused};

fn router(inner: Value) -> Value {
    json!({"router": inner})
}

fn flavor(lab: &Lab, more: Value) -> String {
    let mut flavor = json!({"service_type": "L3_ROUTER_NAT"});
    for (key, value) in more.as_object().unwrap() {
        flavor[key] = value.clone();
    }
    id(&lab.cloud.neutron().add_flavor(flavor))
}

#[test]
fn without_a_flavor_the_key_is_null() {
    let lab = Lab::new();
    let answer = lab.neutron("admin").post("/v2.0/routers", &router(json!({"name": "r"})));
    assert_eq!((answer.status, &answer.json()["router"]["flavor_id"]), (201, &Value::Null));
    assert!(answer.json()["router"].as_object().unwrap().contains_key("flavor_id"));
}

#[test]
fn a_flavors_state_and_type_are_not_looked_at() {
    let lab = Lab::new();
    let (session, neutron) = (lab.neutron("admin"), lab.cloud.neutron());
    let profile = id(&neutron.add_profile(json!({"driver": SINGLE})));
    for more in [json!({}), json!({"enabled": false}), json!({"service_type": "QOS"})] {
        let flavor = flavor(&lab, more.clone());
        neutron.bind(&flavor, &profile);
        let answer = session.post("/v2.0/routers", &router(json!({"flavor_id": flavor})));
        assert_eq!((answer.status, &answer.json()["router"]["flavor_id"]), (201, &json!(flavor)), "{more}");
    }
}

#[test]
fn only_the_profile_of_the_lowest_id_counts() {
    let lab = Lab::new();
    let (session, neutron) = (lab.neutron("admin"), lab.cloud.neutron());
    for round in 0..8 {
        let flavor = flavor(&lab, json!({}));
        let mut profiles: Vec<(String, bool)> = [true, false]
            .into_iter()
            .map(|enabled| (id(&neutron.add_profile(json!({"driver": SINGLE, "enabled": enabled}))), enabled))
            .collect();
        for (id, _) in &profiles {
            neutron.bind(&flavor, id);
        }
        profiles.sort();
        let answer = session.post("/v2.0/routers", &router(json!({"flavor_id": flavor})));
        if profiles[0].1 {
            assert_eq!(answer.status, 201, "round {round}");
        } else {
            refused(&answer, 503, "ServiceProfileDisabled", "Service Profile is not enabled.");
        }
    }
}

#[test]
fn flavors_that_no_router_can_have() {
    let lab = Lab::new();
    let (session, neutron) = (lab.neutron("admin"), lab.cloud.neutron());
    let post = |flavor: Value| session.post("/v2.0/routers", &router(json!({"flavor_id": flavor})));
    let bare = flavor(&lab, json!({}));
    let message = format!("Service Profile  is not associated with flavor {bare}.");
    refused(&post(json!(bare)), 404, "FlavorServiceProfileBindingNotFound", &message);
    let meta = flavor(&lab, json!({}));
    neutron.bind(&meta, &id(&neutron.add_profile(json!({"metainfo": "m"}))));
    let message = "Service Profile driver  could not be found.";
    refused(&post(json!(meta)), 404, "ServiceProfileDriverNotFound", message);
    for (given, said) in
        [(json!(NOBODY), NOBODY), (json!("foo"), "foo"), (json!(""), ""), (json!(null), "None")]
    {
        refused(&post(given), 404, "FlavorNotFound", &format!("Flavor {said} could not be found."));
    }
    assert_eq!(neutron.routers(), Vec::<Value>::new());
}

#[test]
fn what_a_provider_does_not_support() {
    let lab = Lab::new();
    let (session, neutron) = (lab.neutron("admin"), lab.cloud.neutron());
    let single = flavor(&lab, json!({}));
    neutron.bind(&single, &id(&neutron.add_profile(json!({"driver": format!("my {SINGLE}")}))));
    for key in ["ha", "distributed"] {
        let answer = session.post("/v2.0/routers", &router(json!({"flavor_id": single, key: true})));
        let message =
            format!("Invalid input for operation: Provider single_node does not support {key}=True.");
        refused(&answer, 400, "InvalidInput", &message);
    }
    let ha = flavor(&lab, json!({}));
    let driver = SINGLE.replace("single_node.SingleNodeDriver", "ha.HaDriver");
    neutron.bind(&ha, &id(&neutron.add_profile(json!({"driver": driver}))));
    let answer = session.post("/v2.0/routers", &router(json!({"flavor_id": ha, "ha": true}))).json();
    assert_eq!((&answer["router"]["ha"], &answer["router"]["distributed"]), (&json!(false), &json!(false)));
}

#[test]
fn a_used_flavor_can_be_changed_but_not_deleted() {
    let lab = Lab::new();
    let (session, neutron) = (lab.neutron("admin"), lab.cloud.neutron());
    let flavor = flavor(&lab, json!({}));
    let profile = id(&neutron.add_profile(json!({"driver": SINGLE})));
    neutron.bind(&flavor, &profile);
    let router_id = id(&neutron.add_router(Some(&flavor), "r"));
    let path = format!("/v2.0/flavors/{flavor}");
    assert_eq!(session.put(&path, &json!({"flavor": {"name": "n", "enabled": false}})).status, 200);
    let message = format!("Flavor {flavor} is used by some service instance.");
    refused(&session.delete(&path), 409, "FlavorInUse", &message);
    let fixed = session.put(&format!("/v2.0/routers/{router_id}"), &router(json!({"flavor_id": flavor})));
    bad_request(&fixed, "Cannot update read-only attribute flavor_id");
    let filtered = session.get(&format!("/v2.0/routers?flavor_id={flavor}"));
    bad_request(&filtered, "['flavor_id'] is invalid attribute for filtering");
    neutron.unbind(&flavor, &profile);
    assert_eq!(session.get(&format!("/v2.0/routers/{router_id}")).status, 200, "it goes on showing");
    assert_eq!(session.post("/v2.0/routers", &router(json!({"flavor_id": flavor}))).status, 404);
    assert_eq!(session.delete(&format!("/v2.0/routers/{router_id}")).status, 204);
    assert_eq!(session.delete(&path).status, 204);
}
