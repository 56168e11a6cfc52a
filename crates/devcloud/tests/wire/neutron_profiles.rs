use devcloud::Options;
use serde_json::{Value, json};

use crate::client::{Lab, SINGLE, bad_request, id, internal, refused};

fn profile(inner: Value) -> Value {
    json!({"service_profile": inner})
}

#[test]
fn what_a_post_takes() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    let whole = json!({"driver": SINGLE, "metainfo": "{\"a\": 1}", "description": "d"});
    let answer = session.post("/v2.0/service_profiles", &profile(whole));
    let id = id(&answer.json()["service_profile"]);
    assert_eq!(answer.status, 201);
    assert_eq!(
        answer.json(),
        profile(json!({
            "id": id, "description": "d", "driver": SINGLE, "enabled": true, "metainfo": "{\"a\": 1}",
        }))
    );
    let padded = format!("{SINGLE}{}", "x".repeat(1024 - SINGLE.len()));
    for (inner, key, wanted) in [
        (json!({"metainfo": 5}), "metainfo", json!("5")),
        (json!({"metainfo": true}), "metainfo", json!("True")),
        (json!({"metainfo": null, "driver": SINGLE}), "metainfo", json!(null)),
        (json!({"metainfo": "no json"}), "metainfo", json!("no json")),
        (json!({"metainfo": "m"}), "driver", json!("")),
        (json!({"driver": SINGLE}), "metainfo", json!("")),
        (json!({"metainfo": "m".repeat(4097)}), "metainfo", json!("m".repeat(4097))),
        (json!({"metainfo": "m", "enabled": false}), "enabled", json!(false)),
        (json!({"metainfo": "m", "enabled": null}), "enabled", json!(true)),
        (json!({"driver": padded}), "driver", json!(padded)),
    ] {
        let answer = session.post("/v2.0/service_profiles", &profile(inner.clone()));
        assert_eq!((answer.status, &answer.json()["service_profile"][key]), (201, &wanted), "{inner}");
    }
}

#[test]
fn what_a_post_refuses() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    let post = |inner: Value| session.post("/v2.0/service_profiles", &profile(inner));
    internal(&post(json!({"metainfo": {"a": 1}})));
    internal(&post(json!({"metainfo": [1]})));
    for empty in [json!({}), json!({"driver": "", "metainfo": ""}), json!({"metainfo": null})] {
        let message = "Service Profile needs either a driver or metainfo.";
        refused(&post(empty), 400, "ServiceProfileEmpty", message);
    }
    bad_request(
        &post(json!({"driver": null})),
        "Invalid input for driver. Reason: 'None' is not a valid string.",
    );
    let long = format!("{SINGLE}{}", "x".repeat(1025 - SINGLE.len()));
    bad_request(
        &post(json!({"driver": long})),
        &format!("Invalid input for driver. Reason: '{long}' exceeds maximum length of 1024."),
    );
    let text = "d".repeat(1025);
    bad_request(
        &post(json!({"driver": SINGLE, "description": text})),
        &format!("Invalid input for description. Reason: '{text}' exceeds maximum length of 1024."),
    );
    for key in ["name", "meta_info"] {
        let message = format!("Unrecognized attribute(s) '{key}'");
        bad_request(&post(json!({"driver": SINGLE, key: "x"})), &message);
    }
    assert_eq!(lab.cloud.neutron().profiles(), Vec::<Value>::new());
}

#[test]
fn the_driver_check_is_a_substring_test_the_wrong_way_round() {
    let extra = ("User-Defined".to_owned(), "acme.drivers.UserDefined".to_owned());
    let lab = Lab::with(Options { providers: vec![extra], ..Options::default() });
    let session = lab.neutron("admin");
    let post = |driver: &str| session.post("/v2.0/service_profiles", &profile(json!({"driver": driver})));
    for good in [
        format!("xx {SINGLE} yy"),
        "acme.drivers.UserDefined.v2".into(),
        SINGLE.replace("single_node.SingleNodeDriver", "ha.HaDriver"),
    ] {
        assert_eq!(post(&good).status, 201, "{good}");
    }
    for bad in
        ["foo", "single_node", "user-defined", "SingleNodeDriver", &SINGLE.to_lowercase(), "acme.drivers"]
    {
        let message = format!("Service Profile driver {bad} could not be found.");
        refused(&post(bad), 404, "ServiceProfileDriverNotFound", &message);
    }
    let names: Vec<String> = session.get("/v2.0/service-providers").json()["service_providers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|provider| provider["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["dvrha", "dvr", "ha", "single_node", "user-defined"]);
}

#[test]
fn put_works_while_unbound_and_never_while_bound() {
    let lab = Lab::new();
    let (session, neutron) = (lab.neutron("admin"), lab.cloud.neutron());
    let made = neutron.add_profile(json!({"driver": SINGLE, "description": "d", "metainfo": "m"}));
    let id = id(&made);
    let path = format!("/v2.0/service_profiles/{id}");
    let all = json!({"driver": "", "metainfo": "", "description": "e", "enabled": false});
    let answer = session.put(&path, &profile(all));
    let changed = json!({"id": id, "driver": "", "metainfo": "", "description": "e", "enabled": false});
    assert_eq!(
        (answer.status, answer.json()),
        (200, profile(changed.clone())),
        "the rule of POST is not kept"
    );
    internal(&session.put(&path, &profile(json!({"metainfo": {"a": 1}}))));
    let unknown = session.put(&path, &profile(json!({"driver": "foo"})));
    refused(&unknown, 404, "ServiceProfileDriverNotFound", "Service Profile driver foo could not be found.");
    bad_request(&session.put(&path, &profile(json!({"id": id}))), "Cannot update read-only attribute id");
    assert_eq!(neutron.profiles(), [changed]);

    let flavor = crate::client::id(&neutron.add_flavor(json!({"service_type": "L3_ROUTER_NAT"})));
    neutron.bind(&flavor, &id);
    let message = format!("Service Profile {id} is used by some service instance.");
    for inner in [json!({}), json!({"enabled": true}), json!({"description": "x"})] {
        refused(&session.put(&path, &profile(inner)), 409, "ServiceProfileInUse", &message);
    }
    refused(&session.delete(&path), 409, "ServiceProfileInUse", &message);
    neutron.unbind(&flavor, &id);
    assert_eq!(session.delete(&path).status, 204);
    for answer in [session.get(&path), session.delete(&path)] {
        let message = format!("Service Profile {id} could not be found.");
        refused(&answer, 404, "ServiceProfileNotFound", &message);
    }
}

#[test]
fn lists_filter_by_driver_but_not_by_metainfo() {
    let lab = Lab::new();
    let (session, neutron) = (lab.neutron("admin"), lab.cloud.neutron());
    neutron.add_profile(json!({"driver": SINGLE, "metainfo": "m"}));
    neutron.add_profile(json!({"metainfo": "m"}));
    let listed = session.get(&format!("/v2.0/service_profiles?driver={SINGLE}")).json();
    assert_eq!(listed["service_profiles"].as_array().unwrap().len(), 1);
    let keys: Vec<&String> = listed["service_profiles"][0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["description", "driver", "enabled", "id", "metainfo"]);
    for key in ["metainfo", "flavors", "project_id"] {
        let answer = session.get(&format!("/v2.0/service_profiles?{key}=x"));
        bad_request(&answer, &format!("['{key}'] is invalid attribute for filtering"));
    }
}

#[test]
fn mariadb_has_no_room_for_4097_characters() {
    let lab = Lab::with(Options { case_blind: true, ..Options::default() });
    let session = lab.neutron("admin");
    let post = |length: usize| {
        session.post("/v2.0/service_profiles", &profile(json!({"metainfo": "m".repeat(length)})))
    };
    assert_eq!(post(4096).status, 201);
    internal(&post(4097));
}
