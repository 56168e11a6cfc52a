use std::time::Duration;

use devcloud::Options;
use serde_json::{Value, json};

use crate::client::{Answer, Lab, password};

#[track_caller]
fn error(answer: &Answer, status: u16, title: &str, message: &str) {
    let wanted = json!({"error": {"code": status, "message": message, "title": title}});
    assert_eq!((answer.status, answer.json()), (status, wanted));
}

#[track_caller]
fn unauthorized(lab: &Lab, answer: &Answer) {
    error(answer, 401, "Unauthorized", "The request you have made requires authentication.");
    let www = format!("Keystone uri=\"{}/v3\"", lab.cloud.keystone_url());
    assert_eq!(answer.header("WWW-Authenticate"), Some(www.as_str()));
}

const MALFORMED: &str = "The server could not comply with the request since it is either malformed or otherwise \
                         incorrect. The client is assumed to be in error.";

fn login(lab: &Lab, body: &Value) -> Answer {
    lab.keystone("POST", "/v3/auth/tokens", &[], &body.to_string())
}

#[test]
fn versions() {
    let lab = Lab::new();
    let root = lab.keystone("GET", "/", &[], "");
    assert_eq!(root.status, 300);
    assert_eq!(root.header("Location"), Some(format!("{}/v3/", lab.cloud.keystone_url()).as_str()));
    let v3 = root.json()["versions"]["values"][0].clone();
    assert_eq!((&v3["id"], &v3["status"]), (&json!("v3.14"), &json!("stable")));
    for path in ["/v3", "/v3/"] {
        assert_eq!(lab.keystone("GET", path, &[], "").json(), json!({"version": v3}));
    }
    for path in ["/v2.0", "/v3/nosuch"] {
        let answer = lab.keystone("GET", path, &[], "");
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.header("Vary"), Some("X-Auth-Token"), "as every answer has");
        assert!(answer.body.contains("<title>404 Not Found</title>"), "{}", answer.body);
    }
}

#[test]
fn a_project_scoped_token() {
    let lab = Lab::new();
    let answer = lab.login("admin");
    assert_eq!(answer.status, 201);
    let id = answer.header("X-Subject-Token").unwrap();
    assert_eq!((id.len(), &id[..6]), (183, "gAAAAA"));
    assert_eq!(answer.header("Vary"), Some("X-Auth-Token"));
    let token = answer.json()["token"].clone();
    assert_eq!(token["methods"], json!(["password"]));
    assert_eq!(token["user"]["domain"], json!({"id": "default", "name": "Default"}));
    assert_eq!((&token["project"]["name"], &token["is_domain"]), (&json!("admin"), &json!(false)));
    assert!(token["expires_at"].as_str().unwrap().ends_with(".000000Z"));
    let mut roles: Vec<&str> =
        token["roles"].as_array().unwrap().iter().map(|role| role["name"].as_str().unwrap()).collect();
    roles.sort_unstable();
    assert_eq!(roles, ["admin", "manager", "member", "reader"]);
    for (kind, url) in
        [("identity", format!("{}/v3/", lab.cloud.keystone_url())), ("network", lab.cloud.neutron_url())]
    {
        let catalog = token["catalog"].as_array().unwrap();
        let service = catalog.iter().find(|service| service["type"] == kind).unwrap();
        let mut interfaces = Vec::new();
        for endpoint in service["endpoints"].as_array().unwrap() {
            assert_eq!(endpoint["url"], url);
            assert_eq!(
                (&endpoint["region"], &endpoint["region_id"]),
                (&json!("RegionOne"), &json!("RegionOne"))
            );
            interfaces.push(endpoint["interface"].as_str().unwrap());
        }
        assert_eq!(interfaces, ["public", "internal", "admin"], "{kind}");
    }
    let bare =
        lab.keystone("POST", "/v3/auth/tokens?nocatalog", &[], &password("admin", Some("admin")).to_string());
    assert_eq!(bare.json()["token"].get("catalog"), None);
}

#[test]
fn other_scopes() {
    let lab = Lab::new();
    let unscoped = login(&lab, &password("admin", None)).json()["token"].clone();
    for key in ["project", "roles", "catalog"] {
        assert_eq!(unscoped.get(key), None, "{key}");
    }
    assert_eq!(
        login(&lab, &password("demo", None)).json()["token"]["project"]["name"],
        "demo",
        "its default project"
    );
    let mut body = password("demo", None);
    body["auth"]["scope"] = json!("unscoped");
    assert_eq!(login(&lab, &body).json()["token"].get("project"), None);
    let mut system = password("admin", None);
    system["auth"]["scope"] = json!({"system": {"all": true}});
    assert_eq!(login(&lab, &system).json()["token"]["system"], json!({"all": true}));
    let mut domain = password("admin", None);
    domain["auth"]["scope"] = json!({"domain": {"id": "default"}});
    unauthorized(&lab, &login(&lab, &domain));
}

#[test]
fn one_refusal_for_every_reason() {
    let lab = Lab::new();
    let mut wrong = password("admin", Some("admin"));
    wrong["auth"]["identity"]["password"]["user"]["password"] = json!("wrong");
    lab.cloud.keystone().add_user("off", "off-secret", "demo", &["member"]);
    lab.cloud.keystone().enable_user("off", false);
    for body in [
        wrong,
        password("stranger", Some("demo")),
        password("admin", Some("nosuch")),
        password("demo", Some("admin")),
        password("off", Some("demo")),
    ] {
        unauthorized(&lab, &login(&lab, &body));
    }
}

#[test]
fn malformed_logins() {
    let lab = Lab::new();
    let post = |body: &str| lab.keystone("POST", "/v3/auth/tokens", &[], body);
    let expecting = |answer: &Answer, what: &str| {
        error(answer, 400, "Bad Request", &format!("Expecting to find {what}. {MALFORMED}"));
    };
    for body in ["", "{}"] {
        expecting(&post(body), "auth in request body");
    }
    expecting(&post("{"), "valid JSON in request body");
    expecting(&post(r#"{"auth": {"identity": {"methods": ["foo"]}}}"#), "foo in identity");
    let mut body = password("admin", None);
    body["auth"]["identity"]["password"]["user"].as_object_mut().unwrap().remove("domain");
    expecting(&login(&lab, &body), "domain in user");
    let dump = post(r#"{"auth": {}}"#);
    assert_eq!(dump.status, 400);
    assert!(dump.json()["error"]["message"].as_str().unwrap().contains('\n'));
}

#[test]
fn tokens_are_shown_and_revoked() {
    let lab = Lab::new();
    let token = lab.token("admin");
    let subject = [("X-Auth-Token", token.as_str()), ("X-Subject-Token", token.as_str())];
    let shown = lab.keystone("GET", "/v3/auth/tokens", &subject, "");
    assert_eq!((shown.status, shown.header("X-Subject-Token")), (200, Some(token.as_str())));
    assert_eq!(shown.json()["token"]["user"]["name"], "admin");
    let head = lab.keystone("HEAD", "/v3/auth/tokens", &subject, "");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    let garbage = [("X-Auth-Token", token.as_str()), ("X-Subject-Token", "garbage")];
    error(
        &lab.keystone("GET", "/v3/auth/tokens", &garbage, ""),
        404,
        "Not Found",
        "Could not recognize Fernet token",
    );
    error(
        &lab.keystone("GET", "/v3/auth/tokens", &subject[..1], ""),
        404,
        "Not Found",
        "No token in the request",
    );
    for headers in [&[][..], &[("X-Auth-Token", "garbage")]] {
        unauthorized(&lab, &lab.keystone("GET", "/v3/auth/tokens", headers, ""));
    }
    assert_eq!(lab.keystone("DELETE", "/v3/auth/tokens", &subject, "").status, 204);
    unauthorized(&lab, &lab.keystone("GET", "/v3/auth/tokens", &subject, ""));
}

#[test]
fn a_token_can_be_rescoped_but_not_prolonged() {
    let lab = Lab::new();
    let first = login(&lab, &password("admin", None));
    let id = first.header("X-Subject-Token").unwrap();
    let body = json!({"auth": {
        "identity": {"methods": ["token"], "token": {"id": id}},
        "scope": {"project": {"name": "admin", "domain": {"name": "Default"}}},
    }});
    let second = login(&lab, &body);
    assert_eq!(second.status, 201);
    let (first, second) = (first.json(), second.json());
    assert_eq!(second["token"]["methods"], json!(["token", "password"]));
    assert_eq!(second["token"]["expires_at"], first["token"]["expires_at"]);
    assert_eq!(second["token"]["project"]["name"], "admin");
    // its own audit id, and that of the first
    assert_eq!(second["token"]["audit_ids"].as_array().unwrap().len(), 2);
    assert_eq!(second["token"]["audit_ids"][1], first["token"]["audit_ids"][0]);
}

#[test]
fn what_cannot_be_rescoped() {
    let lab = Lab::new();
    let project = json!({"project": {"name": "admin", "domain": {"id": "default"}}});
    let rescope = |token: &str, scope: Value| {
        let identity = json!({"methods": ["token"], "token": {"id": token}});
        login(&lab, &json!({"auth": {"identity": identity, "scope": scope}}))
    };
    error(&rescope("garbage", project.clone()), 404, "Not Found", "Could not recognize Fernet token");
    let mut system = password("admin", None);
    system["auth"]["scope"] = json!({"system": {"all": true}});
    let system = login(&lab, &system).header("X-Subject-Token").unwrap().to_owned();
    error(
        &rescope(&system, project.clone()),
        403,
        "Forbidden",
        "You are not authorized to perform the requested action: Using a system-scoped token to create a \
         project-scoped or domain-scoped token is not allowed..",
    );
    let (id, secret) = lab.cloud.keystone().application_credential("admin", "ac");
    let identity = json!({"methods": ["application_credential"], "application_credential": {"id": id, "secret": secret}});
    let delegated = login(&lab, &json!({"auth": {"identity": identity}}));
    let delegated = delegated.header("X-Subject-Token").unwrap();
    error(
        &rescope(delegated, project.clone()),
        403,
        "Forbidden",
        "You are not authorized to perform the requested action: Using a delegated token to create another token is \
         not allowed..",
    );
    lab.cloud.keystone().revoke_tokens();
    error(&rescope(&system, project), 404, "Not Found", "Failed to validate token");
}

#[test]
fn neutron_believes_what_it_has_seen_but_not_for_longer_than_it_lives() {
    let lab = Lab::new();
    let (seen, unseen) = (lab.neutron("admin"), lab.neutron("admin"));
    assert_eq!(seen.get("/v2.0/flavors").status, 200);
    lab.cloud.keystone().revoke_tokens();
    assert_eq!(seen.get("/v2.0/flavors").status, 200, "cached");
    assert_eq!(unseen.get("/v2.0/flavors").status, 401);
    lab.cloud.keystone().expire_tokens();
    assert_eq!(seen.get("/v2.0/flavors").status, 401);
    let short = Lab::with(Options { token_life: Duration::ZERO, ..Options::default() });
    assert_eq!(short.neutron("admin").get("/v2.0/flavors").status, 401);
}

#[test]
fn the_directory() {
    let lab = Lab::new();
    let (admin, member) = (lab.token("admin"), lab.token("demo"));
    let ask = |token: &str, path: &str| lab.keystone("GET", path, &[("X-Auth-Token", token)], "");
    let refused = "You are not authorized to perform the requested action: identity:list_users.";
    error(&ask(&member, "/v3/users"), 403, "Forbidden", refused);
    assert_eq!(ask(&admin, "/v3/users?name=demo").json()["users"].as_array().unwrap().len(), 1);
    error(&ask(&admin, "/v3/projects/nosuch"), 404, "Not Found", "Could not find project: nosuch.");
    let again =
        lab.keystone("POST", "/v3/users", &[("X-Auth-Token", &admin)], r#"{"user": {"name": "demo"}}"#);
    let message = "Conflict occurred attempting to store user - Duplicate entry found with name demo at domain ID default.";
    error(&again, 409, "Conflict", message);
}

#[test]
fn the_catalogue_can_be_changed() {
    let lab = Lab::new();
    let keystone = lab.cloud.keystone();
    keystone.set_region("network", "RegionTwo");
    keystone.drop_interface("network", "internal");
    let network = |answer: &Answer| {
        let catalog = answer.json()["token"]["catalog"].as_array().unwrap().clone();
        catalog.into_iter().find(|service| service["type"] == "network")
    };
    let endpoints = network(&lab.login("admin")).unwrap()["endpoints"].as_array().unwrap().clone();
    assert_eq!(endpoints.len(), 2);
    assert_eq!(endpoints[0]["region_id"], "RegionTwo");
    keystone.drop_service("network");
    assert_eq!(network(&lab.login("admin")), None);
}
