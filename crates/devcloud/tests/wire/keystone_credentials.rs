use serde_json::{Value, json};

use crate::client::{Answer, Lab};

#[track_caller]
fn says(answer: &Answer, status: u16, message: &str) {
    assert_eq!((answer.status, answer.json()["error"]["message"].as_str()), (status, Some(message)));
}

struct Credentials {
    lab: Lab,
    token: String,
    path: String,
}

impl Credentials {
    fn of(user: &str) -> Self {
        let lab = Lab::new();
        let answer = lab.login(user);
        let token = answer.header("X-Subject-Token").unwrap().to_owned();
        let id = answer.json()["token"]["user"]["id"].as_str().unwrap().to_owned();
        Self { lab, token, path: format!("/v3/users/{id}/application_credentials") }
    }

    fn create(&self, inner: &Value) -> Answer {
        let body = json!({"application_credential": inner}).to_string();
        self.lab.keystone("POST", &self.path, &[("X-Auth-Token", &self.token)], &body)
    }

    fn login(&self, credential: &Value) -> Answer {
        let identity = json!({"methods": ["application_credential"], "application_credential": credential});
        let body = json!({"auth": {"identity": identity}}).to_string();
        self.lab.keystone("POST", "/v3/auth/tokens", &[], &body)
    }
}

#[test]
fn the_secret_is_shown_once() {
    let of = Credentials::of("admin");
    let made = of.create(&json!({"name": "ac"}));
    assert_eq!(made.status, 201);
    let made = made.json()["application_credential"].clone();
    assert_eq!((made["secret"].as_str().unwrap().len(), &made["unrestricted"]), (86, &json!(null)));
    let shown = of.lab.keystone(
        "GET",
        &format!("{}/{}", of.path, made["id"].as_str().unwrap()),
        &[("X-Auth-Token", &of.token)],
        "",
    );
    assert_eq!(shown.json()["application_credential"].get("secret"), None);
    let again =
        "Conflict occurred attempting to store application_credential - Duplicate entry found with name ac.";
    says(&of.create(&json!({"name": "ac"})), 409, again);
    let nameless =
        "Invalid input for field/attribute application_credential. Value: {}. 'name' is a required property";
    says(&of.create(&json!({})), 400, nameless);
    let role = "Invalid application credential: Cannot create an application credential with unassigned role";
    says(&of.create(&json!({"name": "r", "roles": [{"name": "norole"}]})), 400, role);
    assert_eq!(of.create(&json!({"name": "old", "expires_at": "2001-01-01T00:00:00"})).status, 400);
}

#[test]
fn logins_with_it() {
    let of = Credentials::of("admin");
    let (id, secret) = of.lab.cloud.keystone().application_credential("admin", "ac");
    let answer = of.login(&json!({"id": id, "secret": secret}));
    assert_eq!(answer.status, 201);
    let token = answer.json()["token"].clone();
    assert_eq!(
        (&token["application_credential"]["id"], &token["project"]["name"]),
        (&json!(id), &json!("admin"))
    );
    let named =
        json!({"name": "ac", "secret": secret, "user": {"name": "admin", "domain": {"id": "default"}}});
    assert_eq!(of.login(&named).status, 201);
    let wrong = of.login(&json!({"id": id, "secret": "wrong"}));
    says(&wrong, 401, "The request you have made requires authentication.");
    let nobody = of.login(&json!({"name": "nosuch", "secret": "x", "user": named["user"]}));
    says(&nobody, 401, "The request you have made requires authentication.");
    let malformed = "The server could not comply with the request since it is either malformed or otherwise \
                     incorrect. The client is assumed to be in error.";
    let userless = of.login(&json!({"name": "ac", "secret": secret}));
    says(&userless, 400, &format!("Expecting to find user in application credential. {malformed}"));
    let zero = "0".repeat(32);
    let unknown = of.login(&json!({"id": zero, "secret": "x"}));
    says(&unknown, 404, &format!("Could not find Application Credential: {zero}."));
    let body = json!({"auth": {
        "identity": {"methods": ["application_credential"], "application_credential": {"id": id, "secret": secret}},
        "scope": {"project": {"name": "admin", "domain": {"id": "default"}}},
    }});
    let scoped = of.lab.keystone("POST", "/v3/auth/tokens", &[], &body.to_string());
    says(
        &scoped,
        401,
        "Error authenticating with application credential: Application credentials cannot request a scope.",
    );
    // its token may not make another
    let mut restricted = of;
    restricted.token = answer.header("X-Subject-Token").unwrap().to_owned();
    says(
        &restricted.create(&json!({"name": "another"})),
        403,
        "You are not authorized to perform the requested action: Using method 'application_credential' is not \
         allowed for managing additional application credentials..",
    );
}

#[test]
fn who_may_make_and_see_them() {
    let of = Credentials::of("demo");
    let made = of.create(&json!({"name": "m", "roles": [{"name": "member"}]})).json();
    let roles: Vec<&str> = made["application_credential"]["roles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|role| role["name"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["member", "reader"], "what is implied comes along");
    assert_eq!(made["application_credential"]["roles"][0]["options"], json!({"immutable": true}));
    says(&of.create(&json!({"name": "r", "roles": [{"name": "nosuch"}]})), 404, "Role nosuch is not defined");
    of.create(&json!({"name": "another"}));
    let admin = of.lab.token("admin");
    let list = |token: &str, query: &str| {
        of.lab.keystone("GET", &format!("{}{query}", of.path), &[("X-Auth-Token", token)], "")
    };
    for token in [&of.token, &admin] {
        assert_eq!(list(token, "").json()["application_credentials"].as_array().unwrap().len(), 2);
        let named = list(token, "?name=m").json();
        assert_eq!(named["application_credentials"].as_array().unwrap().len(), 1);
        let own = format!("{}{}?name=m", of.lab.cloud.keystone_url(), of.path);
        assert_eq!(named["links"], json!({"self": own, "next": null, "previous": null}));
    }
    let refusal =
        "You are not authorized to perform the requested action: identity:list_application_credentials.";
    says(&list(&of.lab.token("viewer"), ""), 403, refusal);
    let mut others = of;
    others.token = admin;
    let refusal =
        "You are not authorized to perform the requested action: identity:create_application_credential.";
    says(&others.create(&json!({"name": "x"})), 403, refusal);
}

#[test]
fn an_unrestricted_one_may_manage_others() {
    let mut of = Credentials::of("admin");
    let made =
        of.create(&json!({"name": "u", "unrestricted": true})).json()["application_credential"].clone();
    let login = of.login(&json!({"id": made["id"], "secret": made["secret"]}));
    assert_eq!(login.json()["token"]["application_credential"]["restricted"], false);
    of.token = login.header("X-Subject-Token").unwrap().to_owned();
    assert_eq!(of.create(&json!({"name": "another"})).status, 201);
    let path = format!("{}/{}", of.path, made["id"].as_str().unwrap());
    assert_eq!(of.lab.keystone("DELETE", &path, &[("X-Auth-Token", &of.token)], "").status, 204);
}

#[test]
fn a_narrower_one_and_one_that_goes() {
    let of = Credentials::of("admin");
    let made = of.create(&json!({"name": "ro", "roles": [{"name": "reader"}], "secret": "own"})).json();
    let id = made["application_credential"]["id"].as_str().unwrap().to_owned();
    let login = of.login(&json!({"id": id, "secret": "own"}));
    let token = login.header("X-Subject-Token").unwrap().to_owned();
    let mut session = of.lab.neutron("admin");
    session.token = token.clone();
    assert_eq!(session.get("/v2.0/flavors").status, 200);
    let body = json!({"flavor": {"service_type": "L3_ROUTER_NAT"}});
    assert_eq!(session.post("/v2.0/flavors", &body).status, 403);

    let path = format!("{}/{id}", of.path);
    let delete = || of.lab.keystone("DELETE", &path, &[("X-Auth-Token", &of.token)], "");
    assert_eq!((delete().status, delete().status), (204, 404));
    let gone = of.lab.keystone("GET", "/v3/users", &[("X-Auth-Token", &token)], "");
    says(&gone, 404, &format!("Could not find Application Credential: {id}."));
    assert_eq!(session.get("/v2.0/flavors").status, 200, "Neutron has seen it");
    says(
        &of.login(&json!({"id": id, "secret": "own"})),
        404,
        &format!("Could not find Application Credential: {id}."),
    );
}
