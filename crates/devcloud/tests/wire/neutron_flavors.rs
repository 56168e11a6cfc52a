use devcloud::Options;
use serde_json::{Value, json};

use crate::client::{Lab, NOBODY, bad_request, id, internal, refused};

fn flavor(inner: Value) -> Value {
    json!({"flavor": inner})
}

fn l3(mut inner: Value) -> Value {
    inner["service_type"] = "L3_ROUTER_NAT".into();
    flavor(inner)
}

#[test]
fn the_least_flavor_has_six_keys() {
    let lab = Lab::new();
    let answer = lab.neutron("admin").post("/v2.0/flavors", &l3(json!({})));
    assert_eq!(answer.status, 201);
    let id = id(&answer.json()["flavor"]);
    assert_eq!(
        answer.json(),
        flavor(json!({
            "id": id, "name": "", "description": "", "service_type": "L3_ROUTER_NAT", "enabled": true,
            "service_profiles": [],
        }))
    );
    assert_eq!(answer.header("Content-Type"), Some("application/json"));
    assert!(answer.header("X-Openstack-Request-Id").unwrap().starts_with("req-"));
    assert_eq!(answer.header("Location"), None);
}

#[test]
fn what_a_post_takes() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    for (inner, key, wanted) in [
        (json!({"name": "twice"}), "name", json!("twice")),
        (json!({"name": "twice"}), "name", json!("twice")),
        (json!({"name": ""}), "name", json!("")),
        (json!({"name": "n".repeat(255)}), "name", json!("n".repeat(255))),
        (json!({"name": "ž ✓ 日本"}), "name", json!("ž ✓ 日本")),
        (json!({"description": "d".repeat(1024)}), "description", json!("d".repeat(1024))),
        (json!({"description": null}), "description", json!(null)),
        (json!({"description": "a\nb"}), "description", json!("a\nb")),
        (json!({"description": "😀"}), "description", json!("😀")),
        (json!({"enabled": "true"}), "enabled", json!(true)),
        (json!({"enabled": "yes"}), "enabled", json!(true)),
        (json!({"enabled": 1}), "enabled", json!(true)),
        (json!({"enabled": null}), "enabled", json!(true)),
        (json!({"enabled": false}), "enabled", json!(false)),
        (json!({"service_profiles": [NOBODY]}), "service_profiles", json!([])),
    ] {
        let answer = session.post("/v2.0/flavors", &l3(inner.clone()));
        assert_eq!(answer.status, 201, "{inner}");
        assert_eq!(answer.json()["flavor"][key], wanted, "{inner}");
        assert!(answer.body.is_ascii(), "{}", answer.body);
    }
    for kind in ["CORE", "FLAVORS", "QOS", "PORTFORWARDING", "NETWORK_SEGMENT_RANGE", "trunk", "TAG"] {
        assert_eq!(
            session.post("/v2.0/flavors", &flavor(json!({"service_type": kind}))).status,
            201,
            "{kind}"
        );
    }
}

#[test]
fn what_a_post_refuses() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    let long = "n".repeat(256);
    for (inner, message) in [
        (json!({"name": null}), "Invalid input for name. Reason: 'None' is not a valid string."),
        (json!({"name": 7}), "Invalid input for name. Reason: '7' is not a valid string."),
        (json!({"name": "  pad  "}), "Invalid input for name. Reason: '  pad  ' is not a valid string."),
        (json!({"name": " "}), "Invalid input for name. Reason: ' ' is not a valid string."),
        (json!({"name": "a\tb"}), "Invalid input for name. Reason: 'a\tb' is not a valid string."),
        (json!({"name": "x😀"}), "Invalid input for name. Reason: 'x😀' is not a valid string."),
        (
            json!({"name": long}),
            &format!("Invalid input for name. Reason: '{long}' exceeds maximum length of 255."),
        ),
        (
            json!({"description": "d".repeat(1025)}),
            &format!(
                "Invalid input for description. Reason: '{}' exceeds maximum length of 1024.",
                "d".repeat(1025)
            ),
        ),
        (json!({"colour": 1}), "Unrecognized attribute(s) 'colour'"),
        (json!({"is_enabled": true}), "Unrecognized attribute(s) 'is_enabled'"),
        (json!({"project_id": "x"}), "Unrecognized attribute(s) 'tenant_id, project_id'"),
        (json!({"tenant_id": "x"}), "Unrecognized attribute(s) 'tenant_id, project_id'"),
        (json!({"id": NOBODY}), "Attribute 'id' not allowed in POST"),
        (
            json!({"service_profiles": ["x"]}),
            "Invalid input for service_profiles. Reason: 'x' is not a valid UUID.",
        ),
    ] {
        bad_request(&session.post("/v2.0/flavors", &l3(inner)), message);
    }
    refused(
        &session.post("/v2.0/flavors", &l3(json!({"enabled": 2}))),
        400,
        "InvalidInput",
        "Invalid input for operation: '2' cannot be converted to boolean.",
    );
    bad_request(
        &session.post("/v2.0/flavors", &flavor(json!({"name": "x"}))),
        "Failed to parse request. Required attribute 'service_type' not specified",
    );
    for (kind, said) in [
        (json!("FOO"), "FOO"),
        (json!("l3_router_nat"), "l3_router_nat"),
        (json!(null), "None"),
        (json!(""), ""),
        (json!("VPN"), "VPN"),
        (json!("DUMMY"), "DUMMY"),
    ] {
        let answer = session.post("/v2.0/flavors", &flavor(json!({"service_type": kind})));
        refused(&answer, 400, "InvalidServiceType", &format!("Invalid service type: {said}."));
    }
    for (body, message) in [
        ("", "Resource body required"),
        ("{}", "Resource body required"),
        ("[]", "Resource body required"),
        (r#"{"flavour": {}}"#, "Unable to find 'flavor' in request body"),
        (r#"{"flavor": "x"}"#, "Object 'flavor' contains invalid data"),
        (r#"{"flavor": null}"#, "Unable to find 'flavor' in request body"),
        (r#"{"flavors": [{}]}"#, "Bulk operation not supported"),
    ] {
        bad_request(&session.ask("POST", "/v2.0/flavors", body), message);
    }
    refused(
        &session.ask("POST", "/v2.0/flavors", "{"),
        400,
        "MalformedRequestBody",
        "Malformed request body: Cannot understand JSON.",
    );
    assert_eq!(lab.cloud.neutron().flavors(), Vec::<Value>::new(), "nothing was made");
}

#[test]
fn the_content_type_is_ignored() {
    let lab = Lab::new();
    let body = l3(json!({"name": "x"})).to_string();
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    assert_eq!(lab.neutron("admin").ask_with("POST", "/v2.0/flavors", &form, &body).status, 201);
}

#[test]
fn show_and_its_fields() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    let id = id(&lab.cloud.neutron().add_flavor(json!({"name": "a", "service_type": "L3_ROUTER_NAT"})));
    let path = format!("/v2.0/flavors/{id}");
    assert_eq!(session.get(&path).json()["flavor"]["id"], id);
    let some = session.get(&format!("{path}?fields=name&fields=enabled"));
    assert_eq!(some.json(), json!({"flavor": {"name": "a", "enabled": true}}));
    assert_eq!(session.get(&format!("{path}?fields=nosuch")).json(), json!({"flavor": {}}));
    for unknown in [NOBODY, "a", "x y"] {
        let answer = session.get(&format!("/v2.0/flavors/{}", unknown.replace(' ', "%20")));
        refused(&answer, 404, "FlavorNotFound", &format!("Flavor {unknown} could not be found."));
    }
}

#[test]
fn put_merges_and_keeps_what_is_fixed() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    let made =
        lab.cloud.neutron().add_flavor(json!({"name": "a", "description": "d", "service_type": "QOS"}));
    let path = format!("/v2.0/flavors/{}", id(&made));
    let mut wanted = made.clone();
    for (inner, key, value) in [
        (json!({"name": "b"}), "name", json!("b")),
        (json!({"description": null}), "description", json!(null)),
        (json!({"enabled": false}), "enabled", json!(false)),
        (json!({"enabled": true, "description": "e"}), "description", json!("e")),
    ] {
        wanted[key] = value;
        if inner.get("enabled").is_some() {
            wanted["enabled"] = inner["enabled"].clone();
        }
        let answer = session.put(&path, &flavor(inner));
        assert_eq!((answer.status, answer.json()), (200, flavor(wanted.clone())));
    }
    for nothing in [json!({}), json!({"enabled": null}), json!({"service_profiles": [NOBODY]})] {
        let answer = session.put(&path, &flavor(nothing));
        assert_eq!((answer.status, answer.json()), (200, flavor(wanted.clone())));
    }
    for (inner, key) in [(json!({"service_type": "QOS"}), "service_type"), (json!({"id": NOBODY}), "id")] {
        bad_request(&session.put(&path, &flavor(inner)), &format!("Cannot update read-only attribute {key}"));
    }
    refused(&session.ask("PUT", &path, ""), 400, "BadRequest", "Bad body request: Invalid format: b''.");
    let header = [("If-Match", "revision_number=1")];
    internal(&session.ask_with("PUT", &path, &header, r#"{"flavor": {"name": "c"}}"#));
    let unknown = session.put(&format!("/v2.0/flavors/{NOBODY}"), &flavor(json!({})));
    refused(&unknown, 404, "FlavorNotFound", &format!("Flavor {NOBODY} could not be found."));
    assert_eq!(lab.cloud.neutron().flavors(), [wanted]);
}

#[test]
fn delete_takes_the_bindings_but_not_the_profiles() {
    let lab = Lab::new();
    let (session, neutron) = (lab.neutron("admin"), lab.cloud.neutron());
    let flavor = id(&neutron.add_flavor(json!({"service_type": "L3_ROUTER_NAT"})));
    let profile = id(&neutron.add_profile(json!({"metainfo": "{}"})));
    neutron.bind(&flavor, &profile);
    let path = format!("/v2.0/flavors/{flavor}");
    let answer = session.delete(&path);
    assert_eq!((answer.status, answer.body.as_str()), (204, ""));
    assert_eq!((answer.header("Content-Type"), answer.header("Content-Length")), (None, None));
    refused(&session.delete(&path), 404, "FlavorNotFound", &format!("Flavor {flavor} could not be found."));
    assert_eq!(neutron.profiles().len(), 1);
    assert_eq!(session.delete(&format!("/v2.0/service_profiles/{profile}")).status, 204, "no longer bound");
}

#[test]
fn a_database_without_emoji_fails_on_them() {
    let lab = Lab::with(Options { case_blind: true, ..Options::default() });
    let session = lab.neutron("admin");
    internal(&session.post("/v2.0/flavors", &l3(json!({"description": "😀"}))));
    let answer = session.post("/v2.0/flavors", &l3(json!({"name": "é"})));
    let id = id(&answer.json()["flavor"]);
    internal(
        &session.put(&format!("/v2.0/flavors/{id}"), &flavor(json!({"name": "f", "description": "😀"}))),
    );
    let shown = session.get(&format!("/v2.0/flavors/{}", id.to_uppercase()));
    assert_eq!(
        (shown.status, &shown.json()["flavor"]["name"]),
        (200, &json!("é")),
        "ids are blind too; no half update"
    );
}
