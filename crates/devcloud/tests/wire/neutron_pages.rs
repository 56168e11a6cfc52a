use serde_json::json;

use crate::client::{Lab, NOBODY, bad_request, hidden, refused, send};

#[test]
fn the_root_needs_no_token_and_all_below_does() {
    let lab = Lab::new();
    let base = lab.cloud.neutron_url();
    let ask = |path: &str, headers: &[(&str, &str)]| send(&lab.cloud, &base, "GET", path, headers, b"");
    let link = json!({"rel": "self", "href": format!("{base}/v2.0/")});
    let versions = json!({"versions": [{"id": "v2.0", "status": "CURRENT", "links": [link]}]});
    assert_eq!((ask("/", &[]).status, ask("/", &[]).json()), (200, versions));
    assert_eq!(ask("/healthcheck", &[]).body, "OK");
    for path in ["/v2.0", "/v2.0/", "/v2.0/flavors", "/v2.0/extensions", "/v2.0/nosuch"] {
        for headers in [&[][..], &[("X-Auth-Token", "")], &[("X-Auth-Token", "garbage")]] {
            let answer = ask(path, headers);
            let message = "The request you have made requires authentication.";
            let wanted = json!({"error": {"code": 401, "title": "Unauthorized", "message": message}});
            assert_eq!((answer.status, answer.json()), (401, wanted), "{path}");
            let www = format!("Keystone uri=\"{}\"", lab.cloud.keystone_url());
            assert_eq!(answer.header("WWW-Authenticate"), Some(www.as_str()));
            assert!(answer.header("X-Openstack-Request-Id").is_some());
        }
    }
    let other = ask("/v3/flavors", &[]);
    assert_eq!(other.status, 404);
    for outside in [&other, &ask("/", &[])] {
        assert_eq!(outside.header("X-Openstack-Request-Id"), None);
    }
    assert!(other.header("Content-Type").unwrap().starts_with("text/html"));
}

#[test]
fn fixed_documents() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    hidden(&session.get("/v2.0"));
    hidden(&session.get("/v2.0/nosuch"));
    let names: Vec<String> = session.get("/v2.0/").json()["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|resource| resource["collection"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["networks", "subnets", "subnetpools", "ports"]);
    let extension = session.get("/v2.0/extensions/flavors");
    assert_eq!(
        extension.json(),
        json!({"extension": {
            "name": "Neutron Service Flavors", "alias": "flavors",
            "description": "Flavor specification for Neutron advanced services.",
            "updated": "2015-09-17T10:00:00-00:00", "links": [],
        }})
    );
    let unknown = session.get("/v2.0/extensions/nosuch");
    assert_eq!(unknown.status, 404);
    assert!(unknown.body.starts_with("<html>"));
}

#[test]
fn methods_and_spellings() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    let not_allowed =
        "The server could not comply with the request since it is either malformed or otherwise incorrect.";
    for (method, path) in
        [("PATCH", "/v2.0/flavors".to_owned()), ("PATCH", format!("/v2.0/flavors/{NOBODY}"))]
    {
        let answer = session.ask(method, &path, r#"{"flavor": {"name": "x"}}"#);
        refused(&answer, 405, "HTTPMethodNotAllowed", not_allowed);
    }
    // a POST to one flavor is checked as one to all of them, and only then refused
    let one = format!("/v2.0/flavors/{NOBODY}");
    let nameless = "Failed to parse request. Required attribute 'service_type' not specified";
    bad_request(&session.ask("POST", &one, r#"{"flavor": {"name": "x"}}"#), nameless);
    bad_request(&session.ask("POST", &one, "["), "Body contains invalid data");
    let whole = r#"{"flavor": {"service_type": "QOS"}}"#;
    for body in [whole, r#"{"other": {}}"#, ""] {
        refused(&session.ask("POST", &one, body), 405, "HTTPMethodNotAllowed", not_allowed);
    }
    let member = lab.neutron("demo").ask("POST", &one, whole);
    refused(&member, 403, "PolicyNotAuthorized", "rule:create_flavor is disallowed by policy");
    let head = session.ask("HEAD", "/v2.0/flavors", "");
    assert_eq!((head.status, head.body.as_str()), (405, ""));
    for method in ["PUT", "DELETE"] {
        let answer = session.ask(method, "/v2.0/flavors", r#"{"flavor": {}}"#);
        refused(&answer, 404, "FlavorNotFound", "Flavor None could not be found.");
    }
    for path in ["/v2.0/flavors.json", "/v2.0/flavors/"] {
        assert_eq!(session.get(path).json(), json!({"flavors": []}), "{path}");
    }
}
