//! Logging in, keeping the token, and losing it.

use crate::support::{Reply, Server, neutron, session, session_with, token, unauthorized};
use serde_json::json;

const LOGIN: &str = "POST /v3/auth/tokens";
const FLAVORS: &str = "GET /v2.0/flavors";

#[test]
fn one_login_and_no_discovery() {
    let server = Server::start(|url, request, before| match request.line.as_str() {
        LOGIN => token(url, before),
        _ => Reply::Json(200, json!({"flavors": []})),
    });
    let session = session(&server);
    assert_eq!(server.lines(), Vec::<String>::new()); // no request before the first call
    session.authenticate().unwrap();
    session.authenticate().unwrap();
    let network = session.network().unwrap();
    assert_eq!(network.flavors().unwrap(), []);
    assert_eq!(network.flavors().unwrap(), []);
    assert_eq!(server.lines(), [LOGIN, FLAVORS, FLAVORS]);
    let received = server.received();
    let password = &received[0].body["auth"]["identity"]["password"]["user"]["password"];
    assert_eq!(password, &json!("hunter2"));
    assert_eq!(received[0].header("x-auth-token"), None);
    assert_eq!(received[1].header("x-auth-token"), Some("t0ken0"));
    assert_eq!(received[1].header("accept"), Some("application/json"));
    let debug = format!("{session:?}");
    assert!(!debug.contains("hunter2") && !debug.contains("t0ken0"), "{debug}");
}

#[test]
fn a_token_that_has_died_is_replaced_once() {
    let server = Server::start(|url, request, before| match request.line.as_str() {
        LOGIN => token(url, before),
        _ if request.header("x-auth-token") == Some("t0ken0") => unauthorized(),
        "POST /v2.0/flavors" => Reply::Json(201, json!({"flavor": {"id": "f1"}})),
        _ => Reply::Json(200, json!({"flavors": []})),
    });
    let session = session(&server);
    let network = session.network().unwrap();
    // A 401 comes before anything is done: a POST may be replayed too.
    let flavor =
        openstack::network::NewFlavor { name: "n", service_type: "T", description: "", enabled: true };
    assert_eq!(network.create_flavor(&flavor).unwrap().id, "f1");
    network.flavors().unwrap();
    assert_eq!(server.lines(), [LOGIN, "POST /v2.0/flavors", LOGIN, "POST /v2.0/flavors", FLAVORS]);
    assert_eq!(server.received()[3].body, server.received()[1].body);
}

#[test]
fn a_second_401_is_final() {
    let server = Server::start(|url, request, before| match request.line.as_str() {
        LOGIN => token(url, before),
        _ => unauthorized(),
    });
    let session = session(&server);
    let error = session.network().unwrap().flavors().unwrap_err();
    assert_eq!(
        error.to_string(),
        "GET /v2.0/flavors: 401 Unauthorized: The request you have made requires authentication."
    );
    assert!(error.is_unauthorized() && !error.is_login_refused() && !error.is_unavailable());
    assert_eq!(server.lines(), [LOGIN, FLAVORS, LOGIN, FLAVORS]);
}

#[test]
fn a_given_token_cannot_be_replaced() {
    let server = Server::start(|url, request, before| match request.line.as_str() {
        LOGIN => token(url, before),
        _ => unauthorized(),
    });
    let session = session_with(&server, "auth_type: token", "token: hunter2\nproject_id: p1");
    let error = session.network().unwrap().flavors().unwrap_err();
    assert!(error.to_string().contains("the token in clouds.yaml is no longer valid"), "{error}");
    assert!(error.is_unauthorized());
    assert_eq!(server.lines(), [LOGIN, FLAVORS]);
}

#[test]
fn refused_logins() {
    let server = Server::start(|_, request, _| {
        match request.body["auth"]["identity"]["password"]["user"]["id"].as_str() {
            Some("mfa") => Reply::With(401, "Openstack-Auth-Receipt", "receipt".to_owned(), "{}".to_owned()),
            Some("html") => {
                Reply::With(404, "Content-Type", "text/html".to_owned(), "<h1>Not Found</h1>".to_owned())
            }
            Some("echo") => Reply::Json(
                400,
                json!({"error": {"title": "Bad Request", "message": "'hunter2' is too short"}}),
            ),
            Some(_) => unauthorized(),
            None => Reply::Json(
                404,
                json!({"error": {"code": 404, "title": "Not Found", "message": "Could not find Application Credential: a1."}}),
            ),
        }
    });
    let login = |user: &str| {
        session_with(&server, "auth_type: password", &format!("user_id: {user}\npassword: hunter2"))
            .authenticate()
            .unwrap_err()
    };
    let wrong = login("u1");
    assert_eq!(
        wrong.to_string(),
        "login failed: POST /v3/auth/tokens: 401 Unauthorized: The request you have made requires authentication."
    );
    assert!(wrong.is_login_refused() && wrong.is_unauthorized());
    let mfa = login("mfa");
    assert!(mfa.to_string().contains("multi-factor") && mfa.is_login_refused() && mfa.is_unauthorized());
    assert_eq!(mfa.status(), Some(401));
    let html = login("html");
    assert_eq!(html.to_string(), "login failed: POST /v3/auth/tokens: 404: Not Found");
    assert!(html.is_login_refused() && !html.is_not_found());
    let echo = login("echo");
    assert!(!echo.to_string().contains("hunter2") && !format!("{echo:?}").contains("hunter2"), "{echo:?}");
    assert!(!echo.is_login_refused());
    let app = "application_credential_id: a1\napplication_credential_secret: hunter2";
    let gone = session_with(&server, "auth_type: v3applicationcredential", app).authenticate().unwrap_err();
    assert!(gone.is_login_refused() && gone.is_unauthorized() && !gone.is_not_found());
    assert_eq!(server.lines().len(), 5, "a refused login is not tried again");
}

#[test]
fn answers_to_a_login_that_make_no_sense() {
    let server = Server::start(|_, request, _| {
        match request.body["auth"]["identity"]["password"]["user"]["id"].as_str() {
            Some("bare") => Reply::Json(201, json!({"token": {}})),
            Some("moved") => {
                Reply::With(301, "Location", "https://h/v3/auth/tokens?x=1".to_owned(), String::new())
            }
            _ => Reply::With(201, "X-Subject-Token", "t".to_owned(), "<html>hello".to_owned()),
        }
    });
    let login = |user: &str| {
        let session =
            session_with(&server, "auth_type: password", &format!("user_id: {user}\npassword: hunter2"));
        session.authenticate().unwrap_err().to_string()
    };
    assert_eq!(
        login("bare"),
        "POST /v3/auth/tokens: unexpected answer: the header X-Subject-Token is missing"
    );
    assert!(login("page").starts_with("POST /v3/auth/tokens: unexpected answer: the answer is not JSON"));
    assert_eq!(
        login("moved"),
        "login failed: POST /v3/auth/tokens: 301: the server redirects to https://h/v3/auth/tokens, which is not followed: correct the URL"
    );
}

#[test]
fn keystone_is_asked_about_the_token() {
    let server = Server::start(|url, request, before| match request.line.as_str() {
        LOGIN => token(url, before),
        "GET /v3/auth/tokens" if before == 0 => Reply::Json(200, json!({"token": {}})),
        _ => Reply::Json(
            404,
            json!({"error": {"code": 404, "title": "Not Found", "message": "Could not find Application Credential: a1."}}),
        ),
    });
    let session = session(&server);
    session.check_token().unwrap();
    let gone = session.check_token().unwrap_err();
    assert!(gone.is_unauthorized() && !gone.is_not_found() && !gone.is_login_refused(), "{gone}");
    assert_eq!(server.lines(), [LOGIN, "GET /v3/auth/tokens", "GET /v3/auth/tokens"]);
    let asked = &server.received()[1];
    assert_eq!(
        (asked.header("x-auth-token"), asked.header("x-subject-token")),
        (Some("t0ken0"), Some("t0ken0"))
    );
}

#[test]
fn an_override_needs_no_catalogue_unless_it_names_the_project() {
    let server = Server::start(|url, request, before| match request.line.as_str() {
        LOGIN => token(url, before),
        _ => neutron(404, "HTTPNotFound", "The resource could not be found."),
    });
    let endpoint = |url: &str| {
        let beside = format!("network_endpoint_override: {url}");
        session_with(&server, &beside, "user_id: u1\npassword: hunter2\nproject_id: p1").endpoint("network")
    };
    assert_eq!(endpoint("http://n:9696/").unwrap(), "http://n:9696/v2.0");
    assert_eq!(server.lines(), Vec::<String>::new());
    assert_eq!(endpoint("http://n/%(project_id)s/v2.0").unwrap(), "http://n/p1/v2.0");
    assert_eq!(server.lines(), [LOGIN]);
    let text = endpoint("http://n/%(nosuch)s").unwrap_err().to_string();
    assert!(text.starts_with("the endpoint override of \"network\" has a placeholder"), "{text}");
}
