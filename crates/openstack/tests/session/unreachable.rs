//! A server that is not there.

use crate::support::{Reply, Server, impatient, session};
use openstack::{Cloud, Session};

#[test]
fn a_refused_connection_is_named_and_surely_not_processed() {
    // A port that nobody listens on: bound and let go.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let yaml = format!(
        "clouds: {{c: {{auth_type: token, api_timeout: 1, auth: {{auth_url: 'http://127.0.0.1:{port}/v3', token: hunter2}}}}}}"
    );
    let session = impatient(Cloud::from_yaml(&yaml, "c", None).unwrap());
    let error = session.authenticate().unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with(&format!("POST /v3/auth/tokens: cannot connect to http://127.0.0.1:{port}")),
        "{text}"
    );
    assert!(
        error.is_transport() && error.is_unavailable() && !error.is_timeout() && !error.is_outcome_unknown()
    );
    assert!(!error.is_login_refused() && error.status().is_none());
    assert!(!format!("{error:?}").contains("hunter2"));
}

#[test]
fn a_bundle_that_cannot_be_used_is_told_when_the_client_is_made() {
    let yaml = "clouds: {c: {auth_type: token, auth: {auth_url: 'https://h/v3', token: t}}}";
    let bundle = "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n";
    let error = Session::new(Cloud::from_yaml(yaml, "c", Some(bundle)).unwrap()).unwrap_err();
    assert!(error.to_string().starts_with("cloud \"c\": cannot use the CA bundle"), "{error}");
}

#[test]
fn a_login_is_tried_again_while_keystone_is_away() {
    let server = Server::start(|_, _, _| Reply::Json(503, serde_json::json!({})));
    let error = session(&server).authenticate().unwrap_err();
    assert_eq!(error.to_string(), "login failed: POST /v3/auth/tokens: 503: {}");
    assert!(error.is_unavailable() && !error.is_login_refused());
    // Pauses of 0.5, 1, 2 and four times 4 s fit into 20 s.
    assert_eq!(server.lines().len(), 8);
}
