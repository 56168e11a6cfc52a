use serde_json::{Value, json};

use crate::client::{Answer, Lab, NOBODY, SINGLE, Session, hidden, id, password, refused};

struct World {
    lab: Lab,
    flavor: String,
    profile: String,
}

fn world() -> World {
    let lab = Lab::new();
    let neutron = lab.cloud.neutron();
    let flavor =
        id(&neutron.add_flavor(json!({"name": "f", "service_type": "L3_ROUTER_NAT", "enabled": false})));
    let profile = id(&neutron.add_profile(json!({"driver": SINGLE})));
    neutron.bind(&flavor, &profile);
    World { lab, flavor, profile }
}

#[track_caller]
fn forbidden(answer: &Answer, rule: &str) {
    refused(answer, 403, "PolicyNotAuthorized", &format!("{rule} is disallowed by policy"));
}

fn new_flavor() -> Value {
    json!({"flavor": {"service_type": "L3_ROUTER_NAT"}})
}

#[test]
fn lists_are_filtered_never_refused() {
    let world = world();
    for (user, flavors, providers) in [("demo", 1, 4), ("viewer", 1, 4), ("nobody", 0, 0)] {
        let session = world.lab.neutron(user);
        for (collection, wanted) in
            [("flavors", flavors), ("service_profiles", 0), ("service-providers", providers), ("routers", 0)]
        {
            let answer = session.get(&format!("/v2.0/{collection}"));
            let count = answer.json()[collection.replace('-', "_")].as_array().unwrap().len();
            assert_eq!((answer.status, count), (200, wanted), "{user} {collection}");
        }
    }
    let shown = world.lab.neutron("viewer").get("/v2.0/flavors").json();
    assert_eq!(
        shown["flavors"][0]["service_profiles"],
        json!([world.profile]),
        "disabled ones and profile ids too"
    );
}

#[test]
fn members_and_readers_may_not_write() {
    let world = world();
    let flavor = format!("/v2.0/flavors/{}", world.flavor);
    let profile = format!("/v2.0/service_profiles/{}", world.profile);
    for user in ["demo", "viewer"] {
        let session = world.lab.neutron(user);
        assert_eq!(session.get(&flavor).status, 200);
        hidden(&session.get(&profile));
        forbidden(&session.post("/v2.0/flavors", &new_flavor()), "rule:create_flavor");
        forbidden(&session.put(&flavor, &json!({"flavor": {"name": "x"}})), "rule:update_flavor");
        forbidden(&session.delete(&flavor), "rule:delete_flavor");
        let body = json!({"service_profile": {"driver": SINGLE}});
        forbidden(&session.post("/v2.0/service_profiles", &body), "rule:create_service_profile");
        hidden(&session.put(&profile, &json!({"service_profile": {}})));
        hidden(&session.delete(&profile));
        let body = json!({"service_profile": {"id": world.profile}});
        forbidden(
            &session.post(&format!("{flavor}/service_profiles"), &body),
            "rule:create_flavor_service_profile",
        );
        let binding = format!("{flavor}/service_profiles/{}", world.profile);
        for answer in [session.get(&binding), session.delete(&binding)] {
            refused(
                &answer,
                500,
                "PolicyCheckError",
                "Failed to check policy project_id:%(project_id)s because Unable to verify match:%(project_id)s as \
                 the parent resource: project was not found.",
            );
        }
        let message = format!("Flavor {NOBODY} could not be found.");
        refused(&session.delete(&format!("/v2.0/flavors/{NOBODY}")), 404, "FlavorNotFound", &message);
    }
}

#[test]
fn a_role_of_no_meaning_sees_nothing() {
    let world = world();
    let session = world.lab.neutron("nobody");
    let flavor = format!("/v2.0/flavors/{}", world.flavor);
    hidden(&session.get(&flavor));
    hidden(&session.put(&flavor, &json!({"flavor": {}})));
    hidden(&session.delete(&flavor));
    hidden(&session.delete(&format!("{flavor}/service_profiles/{}", world.profile)));
    forbidden(&session.post("/v2.0/flavors", &new_flavor()), "rule:create_flavor");
    let body = json!({"service_profile": {"id": world.profile}});
    forbidden(
        &session.post(&format!("{flavor}/service_profiles"), &body),
        "rule:create_flavor_service_profile",
    );
}

#[test]
fn a_page_is_linked_by_what_is_visible() {
    let world = world();
    let answer = world.lab.neutron("nobody").get("/v2.0/flavors?limit=1").json();
    let base = world.lab.cloud.neutron_url();
    let previous =
        json!({"rel": "previous", "href": format!("{base}/v2.0/flavors?limit=1&page_reverse=True")});
    assert_eq!(answer, json!({"flavors": [], "flavors_links": [previous]}));
}

#[test]
fn validation_goes_before_policy() {
    let world = world();
    let answer = world.lab.neutron("demo").post("/v2.0/flavors", &json!({"flavor": {"service_type": "FOO"}}));
    refused(&answer, 400, "InvalidServiceType", "Invalid service type: FOO.");
}

#[test]
fn routers_of_others() {
    let world = world();
    let body = json!({"router": {"name": "mine", "flavor_id": world.flavor}});
    let member = world.lab.neutron("demo");
    let answer = member.post("/v2.0/routers", &body);
    assert_eq!(answer.status, 201);
    let router = answer.json()["router"].clone();
    assert_eq!((router.get("ha"), router.get("distributed")), (None, None));
    assert_eq!(member.get("/v2.0/routers").json()["routers"].as_array().unwrap().len(), 1);
    for user in ["viewer", "nobody"] {
        let answer = world.lab.neutron(user).post("/v2.0/routers", &body);
        forbidden(&answer, "(rule:create_router and rule:create_router:flavor_id)");
    }
    let other = id(&world.lab.cloud.neutron().add_router(None, "of another project"));
    let message = format!("Router {other} could not be found");
    refused(&member.get(&format!("/v2.0/routers/{other}")), 404, "RouterNotFound", &message);
}

#[test]
fn an_admin_of_the_system_has_no_project() {
    let world = world();
    let mut login = password("admin", None);
    login["auth"]["scope"] = json!({"system": {"all": true}});
    let answer = world.lab.keystone("POST", "/v3/auth/tokens", &[], &login.to_string());
    let token = answer.header("X-Subject-Token").unwrap().to_owned();
    let mut session: Session<'_> = world.lab.neutron("admin");
    session.token = token;
    let answer = session.get("/v2.0/flavors");
    assert_eq!((answer.status, answer.json()), (200, json!({"flavors": []})));
    refused(
        &session.post("/v2.0/flavors", &new_flavor()),
        403,
        "InvalidScope",
        "rule:create_flavor requires a scope of ['project'], request was made with system scope.",
    );
    let unscoped = world.lab.keystone("POST", "/v3/auth/tokens", &[], &password("admin", None).to_string());
    session.token = unscoped.header("X-Subject-Token").unwrap().to_owned();
    assert_eq!(session.get("/v2.0/flavors").json(), json!({"flavors": []}));
    assert_eq!(session.post("/v2.0/flavors", &new_flavor()).status, 403);
}
