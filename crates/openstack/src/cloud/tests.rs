//! One table per group of keys of `clouds.yaml`.

use super::*;
use crate::identity::login_body;
use rest::Roots;
use serde_json::{Value, json};
use std::time::Duration;

const PEM: &str = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

/// A cloud `x` with the keys of `extra` (indented by two) beside this `auth`.
fn yaml(auth: &str, extra: &str) -> String {
    let indent = |text: &str, by: &str| {
        text.lines().filter(|line| !line.is_empty()).map(|line| format!("{by}{line}\n")).collect::<String>()
    };
    format!(
        "clouds:\n  x:\n    auth:\n      auth_url: http://h:5000/v3\n{}{}",
        indent(auth, "      "),
        indent(extra, "    ")
    )
}

fn cloud(auth: &str, extra: &str) -> Result<Cloud, Error> {
    Cloud::from_yaml(&yaml(auth, extra), "x", None)
}

fn error(auth: &str, extra: &str) -> String {
    cloud(auth, extra).expect_err("it should be refused").to_string()
}

/// The login that comes of it.
fn body(auth: &str, extra: &str) -> Value {
    login_body(cloud(auth, extra).unwrap_or_else(|error| panic!("{error}\n{}", yaml(auth, extra))).auth())
}

const USER: &str = "username: u\npassword: hunter2\nuser_domain_id: default\n";

#[test]
fn a_password_login_with_a_project() {
    let expected = json!({"auth": {
        "identity": {"methods": ["password"], "password": {"user": {"name": "u", "domain": {"name": "D"}, "password": "hunter2"}}},
        "scope": {"project": {"name": "p", "domain": {"id": "default"}}}}});
    let auth =
        "username: u\npassword: hunter2\nuser_domain_name: D\nproject_name: p\nproject_domain_id: default";
    for auth_type in
        ["", "auth_type: password", "auth_type: v3password", "auth_plugin: password", "auth_type:"]
    {
        assert_eq!(body(auth, auth_type), expected, "{auth_type}");
    }
}

#[test]
fn other_auth_types() {
    let token = json!({"auth": {"identity": {"methods": ["token"], "token": {"id": "t0"}}, "scope": {"project": {"id": "p1"}}}});
    assert_eq!(body("token: t0\nproject_id: p1", "auth_type: token"), token);
    assert_eq!(body("auth_token: t0\nproject_id: p1", "auth_type: v3token"), token);
    // The scope is left out: Keystone refuses one.
    let by_id = body(
        "application_credential_id: a1\napplication_credential_secret: hunter2\nproject_name: p\nproject_domain_id: d",
        "auth_type: v3applicationcredential",
    );
    let details = json!({"id": "a1", "secret": "hunter2"});
    assert_eq!(
        by_id,
        json!({"auth": {"identity": {"methods": ["application_credential"], "application_credential": details}}})
    );
    let by_name = body(
        "application_credential_name: a\napplication_credential_secret: hunter2\nusername: u\nuser_domain_name: D",
        "auth_type: v3applicationcredential",
    );
    assert_eq!(
        by_name["auth"]["identity"]["application_credential"],
        json!({"name": "a", "secret": "hunter2", "user": {"name": "u", "domain": {"name": "D"}}})
    );
}

#[test]
fn scopes() {
    for (auth, scope) in [
        ("", json!(null)),
        ("project_id: p1", json!({"project": {"id": "p1"}})),
        ("project_id: 123", json!({"project": {"id": "123"}})),
        ("tenant_id: p1", json!({"project": {"id": "p1"}})),
        (
            "tenant_name: old\nproject_name: new\nproject_domain_id: d",
            json!({"project": {"name": "new", "domain": {"id": "d"}}}),
        ),
        (
            "project-name: p\nproject-domain-name: D",
            json!({"project": {"name": "p", "domain": {"name": "D"}}}),
        ),
        (
            "project_name: p\ndefault_domain_name: D",
            json!({"project": {"name": "p", "domain": {"name": "D"}}}),
        ),
        ("project_name: p\ndomain_name: D", json!({"project": {"name": "p", "domain": {"name": "D"}}})),
        ("domain_id: d", json!({"domain": {"id": "d"}})),
        ("system_scope: all", json!({"system": {"all": true}})),
        ("trust_id: t1", json!({"OS-TRUST:trust": {"id": "t1"}})),
    ] {
        let body = body(&format!("{USER}{auth}"), "");
        assert_eq!(body["auth"].get("scope").cloned().unwrap_or_default(), scope, "{auth}");
        assert_eq!(
            body["auth"]["identity"]["password"]["user"]["domain"],
            json!({"id": "default"}),
            "{auth}"
        );
    }
}

#[test]
fn a_lone_domain_is_the_users_too_if_there_is_a_project() {
    let login = body("username: u\npassword: p\nproject_name: p", "domain_id: d");
    assert_eq!(login["auth"]["identity"]["password"]["user"]["domain"], json!({"id": "d"}));
    assert_eq!(login["auth"]["scope"]["project"]["domain"], json!({"id": "d"}));
}

#[test]
fn which_place_of_a_key_wins() {
    // Domain, project and token keys beside `auth` win; user name and password in `auth` do.
    let login = body(
        "username: inner\npassword: inner\nproject_name: inner\nuser_domain_id: inner\nproject_domain_id: d",
        "username: outer\npassword: outer\nproject_name: outer\nuser_domain_id: outer",
    );
    let user = json!({"name": "inner", "password": "inner", "domain": {"id": "outer"}});
    assert_eq!(login["auth"]["identity"]["password"]["user"], user);
    assert_eq!(login["auth"]["scope"]["project"]["name"], json!("outer"));
    // An empty text is as good as none, and everything may stand outside.
    let login = body("password: ''", "username: u\npassword: 12345\nuser_domain_id: d");
    assert_eq!(login["auth"]["identity"]["password"]["user"]["password"], json!("12345"));
}

#[test]
fn what_is_missing_is_named() {
    for (auth, extra, expected) in [
        ("", "", "auth.username is missing (or auth.user_id)"),
        ("username: u\nuser_domain_id: d", "", "auth.password is missing"),
        ("username: u\npassword: hunter2", "", "auth.user_domain_name is missing (or auth.user_domain_id)"),
        (
            "username: u\npassword: hunter2\nuser_domain_id: d\nproject_name: p",
            "",
            "auth.project_domain_name is missing",
        ),
        ("", "auth_type: token", "auth.token is missing"),
        ("", "auth_type: v3applicationcredential", "auth.application_credential_id is missing"),
        (
            "application_credential_id: a",
            "auth_type: v3applicationcredential",
            "auth.application_credential_secret is missing",
        ),
        (
            "application_credential_name: a\napplication_credential_secret: hunter2",
            "auth_type: v3applicationcredential",
            "auth.username is missing",
        ),
    ] {
        let text = error(auth, extra);
        assert!(text.starts_with(&format!("cloud \"x\": {expected}")), "{text}");
    }
    let no_url = Cloud::from_yaml("clouds: {x: {auth: {username: u}}}", "x", None).unwrap_err();
    assert_eq!(no_url.to_string(), "cloud \"x\": auth.auth_url is missing");
}

#[test]
fn what_cannot_be_used_is_named_and_no_secret_is_quoted() {
    for (auth, extra, expected) in [
        (
            "password: hunter2",
            "auth_type: v3kerberos",
            "auth_type is one that is not supported; supported are: password, v3password, token, v3token, v3applicationcredential",
        ),
        ("password: [hunter2]\nuser_id: u", "", "`password` is not a text"),
        (
            "password: hunter2\nuser_id: u\nproject_id: p\nsystem_scope: all",
            "",
            "auth has more than one scope (project, system): keep one",
        ),
        (
            "password: hunter2\nuser_id: u\ntrust_id: p\ndomain_id: d",
            "",
            "auth has more than one scope (domain, trust): keep one",
        ),
        ("password: hunter2\nuser_id: u\nsystem_scope: some", "", "auth.system_scope has to be \"all\""),
        // A secret that got under the wrong key.
        ("user_id: u", "auth_type: hunter2", "auth_type is one that is not supported"),
        ("password: p\nuser_id: u\nsystem_scope: hunter2", "", "auth.system_scope has to be \"all\""),
        (USER, "identity_api_version: 2hunter2", "identity_api_version 2 is not supported: use 3"),
        (USER, "identity_api_version: 2", "identity_api_version 2 is not supported: use 3"),
        (USER, "identity_api_version: '2.0'", "identity_api_version 2 is not supported: use 3"),
        (USER, "profile: vexxhost", "`profile` names a vendor profile"),
        (USER, "cloud: vexxhost", "`cloud` names a vendor profile"),
        (USER, "verify: /etc/ssl/ca.pem", "`verify` has to be true or false"),
        (USER, "api_timeout: soon", "`api_timeout` has to be a number of seconds above 0"),
        (USER, "api_timeout: 0", "`api_timeout` has to be a number of seconds above 0"),
        (
            USER,
            "cacert: /etc/ssl/hunter2.pem",
            "`cacert` is a path, and files are not read: put the PEM text there, or into the key `cacert` of the same Secret",
        ),
        (USER, "cert: /etc/ssl/c.pem", "`cert` is a path, and files are not read"),
        (USER, "regions: RegionOne", "`regions` is not a list"),
        (USER, "regions: [{name: A, hunter2: {}}]", "`regions[0]` is neither a name nor a mapping"),
        (USER, "network_endpoint_override: {a: b}", "`network_endpoint_override` is not a text"),
    ] {
        let text = error(auth, extra);
        assert!(text.starts_with(&format!("cloud \"x\": {expected}")), "{text}");
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[test]
fn the_document_itself() {
    let refused = |yaml: &str, name: &str| Cloud::from_yaml(yaml, name, None).unwrap_err().to_string();
    assert_eq!(
        refused("clouds: {b: {}, a: {}}", "x"),
        "cloud \"x\" was not found in clouds.yaml; it has: a, b"
    );
    assert_eq!(refused("clouds: {}", "x"), "cloud \"x\" was not found in clouds.yaml; it has: nothing");
    assert_eq!(refused("x: 1", "x"), "clouds.yaml has no mapping `clouds`");
    assert_eq!(refused("", "x"), "clouds.yaml has no mapping `clouds`");
    assert_eq!(refused("clouds: {x: }", "x"), "cloud \"x\": the entry is not a mapping");
    assert_eq!(refused("clouds: {x: {auth: hunter2}}", "x"), "cloud \"x\": `auth` is not a mapping");
    let broken = refused("clouds:\n  x: {password: hunter2\n", "x");
    assert!(
        broken.starts_with("clouds.yaml: ") && broken.contains("line") && !broken.contains("hunter2"),
        "{broken}"
    );
}

#[test]
fn the_identity_url_needs_no_discovery() {
    for (url, expected) in [
        ("http://h:5000/v3", "http://h:5000/v3"),
        ("http://h:5000/v3/", "http://h:5000/v3"),
        ("http://h:5000", "http://h:5000/v3"),
        ("https://h/identity/", "https://h/identity/v3"),
        ("https://{region_name}.h/v3", "https://RegionOne.h/v3"),
    ] {
        let yaml = format!(
            "clouds: {{x: {{region_name: RegionOne, auth: {{auth_url: '{url}', token: t}}, auth_type: token}}}}"
        );
        assert_eq!(Cloud::from_yaml(&yaml, "x", None).unwrap().auth().url, expected);
    }
    for (url, expected) in [
        ("h:5000/v3", "auth.auth_url has to start with http:// or https://"),
        ("http://h:5000/v2.0", "auth.auth_url ends in v2.0, which is not supported: use v3"),
        ("http://{region_name}/v3", "auth.auth_url needs {region_name}, but region_name is missing"),
        ("http://{nosuch}/v3", "auth.auth_url has a placeholder other than {region_name}"),
    ] {
        let yaml = format!("clouds: {{x: {{auth: {{auth_url: '{url}', token: t}}, auth_type: token}}}}");
        let text = Cloud::from_yaml(&yaml, "x", None).unwrap_err().to_string();
        assert_eq!(text, format!("cloud \"x\": {expected}"));
    }
}

#[test]
fn regions() {
    let region = |extra: &str| cloud(USER, extra).unwrap().service("network").region;
    for (extra, expected) in [
        ("", None),
        ("region_name: A", Some("A")),
        ("region_name: A,B", Some("A")),
        ("region_name: [A, B]", Some("A")),
        ("regions: [A, B]", Some("A")),
        ("regions: []", None),
        ("regions: [{name: A}, B]\nregion_name: B", Some("B")),
        ("region_name: A\nnetwork_region_name: C", Some("C")),
    ] {
        assert_eq!(region(extra).as_deref(), expected, "{extra}");
    }
    let text = error(USER, "regions: [A, {name: B}]\nregion_name: C");
    assert_eq!(text, "cloud \"x\": region_name \"C\" is not one of its regions: A, B");
}

#[test]
fn values_of_the_region_are_laid_over_the_entry() {
    let extra = "interface: public\nregions:\n- name: A\n- name: B\n  values:\n    interface: internal\n    auth: {project-id: pb}\nregion_name: B";
    let cloud = cloud(&format!("{USER}project_id: pa"), extra).unwrap();
    assert_eq!(cloud.service("network").interfaces, ["internal"]);
    assert_eq!(login_body(cloud.auth())["auth"]["scope"]["project"]["id"], json!("pb"));
    assert_eq!(login_body(cloud.auth())["auth"]["identity"]["password"]["user"]["name"], json!("u"));
}

#[test]
fn settings_of_a_service() {
    let service = |extra: &str, service_type: &str| cloud(USER, extra).unwrap().service(service_type);
    let interfaces = |extra: &str| service(extra, "network").interfaces;
    assert_eq!(interfaces(""), ["public"]);
    assert_eq!(interfaces("interface: internalURL"), ["internal"]);
    assert_eq!(interfaces("endpoint_type: admin"), ["admin"]);
    assert_eq!(interfaces("endpoint_type: admin\ninterface: internal"), ["internal"]);
    assert_eq!(interfaces("interface: [internal, publicURL]"), ["internal", "public"]);
    assert_eq!(interfaces("interface: public\nnetwork_endpoint_type: internal"), ["internal"]);
    let url = |extra: &str, service_type: &str| service(extra, service_type).endpoint_override;
    assert_eq!(url("network_endpoint: http://n", "network").as_deref(), Some("http://n"));
    assert_eq!(
        url("network_endpoint: http://n\nnetwork-endpoint-override: http://o", "network").as_deref(),
        Some("http://o")
    );
    assert_eq!(url("bare_metal_endpoint_override: http://i", "baremetal").as_deref(), Some("http://i"));
    assert_eq!(url("endpoint_override: http://n", "network"), None); // only with a service before it
    assert_eq!(
        url("region_name: A\nnetwork_endpoint_override: 'http://{region_name}.n'", "network").as_deref(),
        Some("http://A.n")
    );
    assert_eq!(service("baremetal_service_type: acme", "bare-metal").types, ["acme"]);
    assert_eq!(service("", "bare-metal").types, ["baremetal", "bare-metal"]);
    assert_eq!(service("network_service_name: n", "network").service_name.as_deref(), Some("n"));
    assert_eq!(service("service_name: n", "network").service_name, None);
    assert_eq!(service("network_api_version: 2", "network"), service("", "network"));
}

#[test]
fn trust_in_certificates() {
    let options = |extra: &str, bundle: Option<&str>| {
        Cloud::from_yaml(&yaml(USER, extra), "x", bundle)
            .unwrap_or_else(|error| panic!("{extra}: {error}"))
            .options
    };
    let inline = format!("cacert: |\n{}", PEM.lines().map(|line| format!("  {line}\n")).collect::<String>());
    assert_eq!(options("", None).roots, Roots::System);
    assert_eq!(options(&inline, None).roots, Roots::Only(PEM.as_bytes().to_vec()));
    assert_eq!(options("cacert: /etc/ssl/ca.pem", Some(PEM)).roots, Roots::Only(PEM.as_bytes().to_vec()));
    assert_eq!(options("", Some(" \n")).roots, Roots::System);
    let refused = Cloud::from_yaml(&yaml(USER, ""), "x", Some("/etc/ssl/ca.pem")).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "cloud \"x\": the CA bundle beside clouds.yaml (key `cacert`) has no PEM certificate"
    );
    for (extra, insecure) in [
        ("", false),
        ("verify: yes", false),
        ("verify: no", true),
        ("verify: Off", true),
        ("verify: 'false'", true),
        ("insecure: True", true),
        ("insecure: on\nverify: true", true),
        ("insecure: no\nverify: false", true),
        ("verify: false\ncacert: /etc/ssl/ca.pem", true), // the path does not matter then
    ] {
        assert_eq!(options(extra, None).insecure, insecure, "{extra}");
    }
}

#[test]
fn a_client_certificate_is_key_and_certificate_in_one() {
    let extra = "cert: '-----BEGIN CERTIFICATE-----'\nkey: '-----BEGIN PRIVATE KEY-----'";
    let cloud = cloud(USER, extra).unwrap();
    let identity = cloud.options().identity.as_ref().unwrap().expose();
    assert_eq!(identity, "-----BEGIN PRIVATE KEY-----\n-----BEGIN CERTIFICATE-----");
}

#[test]
fn time_limits() {
    let limits = |extra: &str| {
        let cloud = cloud(USER, extra).unwrap();
        (cloud.options().timeout, cloud.options().connect_timeout)
    };
    let seconds = Duration::from_secs;
    assert_eq!(limits(""), (seconds(30), seconds(5)));
    assert_eq!(limits("api_timeout: 60"), (seconds(60), seconds(5)));
    assert_eq!(limits("api-timeout: '2.5'"), (Duration::from_millis(2500), Duration::from_millis(2500)));
    assert_eq!(limits("api_timeout: 60\nnetwork_timeout: 3"), (seconds(3), seconds(3)));
}

#[test]
fn debug_shows_no_secret() {
    let app = "application_credential_id: a1\napplication_credential_secret: hunter2";
    for cloud in [
        cloud(USER, "cert: '-----BEGIN CERTIFICATE----- hunter2'"),
        cloud("token: hunter2", "auth_type: token"),
        cloud(app, "auth_type: v3applicationcredential"),
    ] {
        let text = format!("{:?}", cloud.unwrap());
        assert!(text.contains("[redacted]") && !text.contains("hunter2"), "{text}");
    }
}

#[test]
fn debug_shows_no_login_that_is_in_a_url() {
    let yaml = "clouds: {x: {auth_type: token, auth: {auth_url: 'http://me:hunter2@h/v3', token: t}, \
                network_endpoint_override: 'http://me:hunter2@n/v2.0'}}";
    let cloud = Cloud::from_yaml(yaml, "x", None).unwrap();
    assert_eq!(cloud.auth().url, "http://me:hunter2@h/v3", "it is used as it is");
    let shown = format!("{cloud:?}");
    let session = crate::Session::new(cloud).unwrap();
    for text in [shown, format!("{session:?}"), format!("{:?}", session.network().unwrap())] {
        assert!(text.contains("\"x\"") && !text.contains("hunter2"), "{text}");
    }
}
