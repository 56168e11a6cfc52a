use serde_json::{Value, json};

use crate::client::{Answer, Lab, NOBODY, SINGLE, bad_request, id, internal, refused};

fn some(lab: &Lab) -> (String, String) {
    let neutron = lab.cloud.neutron();
    let flavor = id(&neutron.add_flavor(json!({"name": "f", "service_type": "L3_ROUTER_NAT"})));
    (flavor, id(&neutron.add_profile(json!({"driver": SINGLE}))))
}

fn profile(id: &str) -> Value {
    json!({"service_profile": {"id": id}})
}

#[test]
fn association_answers_with_the_flavors_id_and_only_once() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    let (flavor, first) = some(&lab);
    let path = format!("/v2.0/flavors/{flavor}/service_profiles");
    let answer = session.post(&path, &profile(&first));
    assert_eq!((answer.status, answer.json()), (201, profile(&flavor)));
    let message = format!("Service Profile {first} is already associated with flavor {flavor}.");
    refused(&session.post(&path, &profile(&first)), 409, "FlavorServiceProfileBindingExists", &message);
    // a second one, and in another flavor too
    let second = id(&lab.cloud.neutron().add_profile(json!({"driver": SINGLE})));
    assert_eq!(session.post(&path, &profile(&second)).status, 201);
    let other = id(&lab.cloud.neutron().add_flavor(json!({"service_type": "QOS"})));
    assert_eq!(
        session.post(&format!("/v2.0/flavors/{other}/service_profiles"), &profile(&first)).status,
        201
    );
    let shown = session.get(&format!("/v2.0/flavors/{flavor}")).json();
    let mut ids: Vec<&str> = shown["flavor"]["service_profiles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_str().unwrap())
        .collect();
    ids.sort_unstable();
    let mut wanted = [first.as_str(), second.as_str()];
    wanted.sort_unstable();
    assert_eq!(ids, wanted);
}

#[test]
fn association_of_the_unknown_is_an_internal_error() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    let (flavor, first) = some(&lab);
    internal(&session.post(&format!("/v2.0/flavors/{flavor}/service_profiles"), &profile(NOBODY)));
    internal(&session.post(&format!("/v2.0/flavors/{NOBODY}/service_profiles"), &profile(&first)));
}

#[test]
fn association_checks_its_body() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    let (flavor, first) = some(&lab);
    let path = format!("/v2.0/flavors/{flavor}/service_profiles");
    bad_request(
        &session.post(&path, &profile("x")),
        "Invalid input for id. Reason: 'x' is not a valid UUID.",
    );
    let none = session.post(&path, &json!({"service_profile": {}}));
    bad_request(&none, "Failed to parse request. Required attribute 'id' not specified");
    bad_request(&session.ask("POST", &path, ""), "Resource body required");
    let more = session.post(&path, &json!({"service_profile": {"id": first, "driver": SINGLE}}));
    bad_request(&more, "Unrecognized attribute(s) 'driver'");
    let bulk = session.post(&path, &json!({"service_profiles": [{"id": first}]}));
    let whole = session.get(&format!("/v2.0/flavors/{flavor}")).json()["flavor"].clone();
    assert_eq!((bulk.status, bulk.json()), (201, json!({"service_profiles": [whole]})));
}

#[test]
fn disassociation() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    let (flavor, first) = some(&lab);
    lab.cloud.neutron().bind(&flavor, &first);
    lab.cloud.neutron().add_router(Some(&flavor), "uses it");
    let path = format!("/v2.0/flavors/{flavor}/service_profiles/{first}");
    let answer = session.delete(&path);
    assert_eq!((answer.status, answer.body.as_str()), (204, ""), "also while routers use the flavor");
    for (flavor, profile) in [(flavor.as_str(), first.as_str()), (&flavor, NOBODY), (NOBODY, &first)] {
        let answer = session.delete(&format!("/v2.0/flavors/{flavor}/service_profiles/{profile}"));
        let message = format!("Service Profile {profile} is not associated with flavor {flavor}.");
        refused(&answer, 404, "FlavorServiceProfileBindingNotFound", &message);
    }
}

#[test]
fn what_is_not_bound_is_not_found_by_anybody() {
    let lab = Lab::new();
    let (flavor, first) = some(&lab);
    let path = format!("/v2.0/flavors/{flavor}/service_profiles");
    let not_bound = |profile: &str, answer: &Answer| {
        let message = format!("Service Profile {profile} is not associated with flavor {flavor}.");
        refused(answer, 404, "FlavorServiceProfileBindingNotFound", &message);
    };
    for user in ["admin", "demo", "viewer", "nobody"] {
        let session = lab.neutron(user);
        let one = format!("{path}/{first}");
        not_bound(&first, &session.get(&one));
        not_bound(&first, &session.put(&one, &json!({"service_profile": {}})));
        not_bound(&first, &session.delete(&one));
        // without a profile, the flavor's id is taken for one
        not_bound(&flavor, &session.delete(&path));
    }
}

#[test]
fn what_the_plugin_lacks_is_an_internal_error() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    let (flavor, first) = some(&lab);
    let path = format!("/v2.0/flavors/{flavor}/service_profiles");
    internal(&session.get(&path));
    internal(&session.get(&format!("/v2.0/flavors/{flavor}/next_providers")));
    lab.cloud.neutron().bind(&flavor, &first);
    let one = format!("{path}/{first}");
    internal(&session.put(&one, &json!({"service_profile": {}})));
    bad_request(&session.put(&one, &profile(&first)), "Cannot update read-only attribute id");
    let shown = session.get(&one);
    assert_eq!((shown.status, shown.json()), (200, json!({"service_profile": {}})));
}
