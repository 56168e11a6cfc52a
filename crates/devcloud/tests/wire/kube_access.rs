use serde_json::{Value, json};

use crate::client::{Answer, Lab, send};
use crate::kube_objects::widgets;

fn status(code: u16, reason: &str, message: &str, details: Option<Value>) -> Value {
    let mut status = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message,
        "reason": reason, "code": code,
    });
    if let Some(details) = details {
        status["details"] = details;
    }
    status
}

fn bare(lab: &Lab, path: &str, headers: &[(&str, &str)]) -> Answer {
    send(&lab.cloud, &lab.cloud.kube_url(), "GET", path, headers, b"")
}

#[test]
fn without_credentials_one_is_anonymous() {
    let lab = widgets();
    let answer = bare(&lab, "/api/v1/namespaces", &[]);
    let message = "namespaces is forbidden: User \"system:anonymous\" cannot list resource \"namespaces\" in API \
                   group \"\" at the cluster scope";
    let details = json!({"kind": "namespaces"});
    assert_eq!((answer.status, answer.json()), (403, status(403, "Forbidden", message, Some(details))));
    let named = bare(&lab, "/apis/example.com/v1/namespaces/m1/widgets/x/status", &[]);
    let message = "widgets.example.com \"x\" is forbidden: User \"system:anonymous\" cannot get resource \
                   \"widgets/status\" in API group \"example.com\" in the namespace \"m1\"";
    let details = json!({"name": "x", "group": "example.com", "kind": "widgets"});
    assert_eq!(named.json(), status(403, "Forbidden", message, Some(details)));
    let path = bare(&lab, "/api", &[]);
    let message = "forbidden: User \"system:anonymous\" cannot get path \"/api\"";
    assert_eq!(path.json(), status(403, "Forbidden", message, Some(json!({}))));
    assert_eq!(bare(&lab, "/version", &[]).json()["gitVersion"], "v1.36.2");
    assert_eq!(bare(&lab, "/readyz", &[]).body, "ok");
}

#[test]
fn a_wrong_token_is_401() {
    let lab = Lab::new();
    let answer = bare(&lab, "/api/v1/namespaces", &[("Authorization", "Bearer nope")]);
    assert_eq!((answer.status, answer.json()), (401, status(401, "Unauthorized", "Unauthorized", None)));
    assert_eq!(answer.header("WWW-Authenticate"), None);
}

#[test]
fn watches_are_not_simulated() {
    let lab = widgets();
    for query in ["watch=true", "watch=1"] {
        let path = format!("/apis/example.com/v1/namespaces/m1/widgets?{query}");
        assert_eq!(lab.kube("GET", &path, "").status, 405, "{query}");
    }
}

#[test]
fn the_ways_of_not_being_there() {
    let lab = widgets();
    for path in
        ["/apis/nope.example.com/v1/foos", "/apis/nope.example.com", "/apis/nope.example.com/v1", "/nope"]
    {
        let answer = lab.kube("GET", path, "");
        assert_eq!((answer.status, answer.body.trim()), (404, "404 page not found"), "{path}");
        assert!(answer.header("Content-Type").unwrap().starts_with("text/plain"));
    }
    let nothing =
        status(404, "NotFound", "the server could not find the requested resource", Some(json!({})));
    for path in [
        "/apis/example.com/v9/widgets",
        "/apis/example.com/v1/foos",
        "/api/v1/namespaces/m1/secrets/x/status",
        "/api/v9/secrets",
    ] {
        assert_eq!(lab.kube("GET", path, "").json(), nothing, "{path}");
    }
    let details = json!({"name": "nope", "kind": "secrets"});
    let gone = status(404, "NotFound", "secrets \"nope\" not found", Some(details));
    for namespace in ["default", "nope"] {
        assert_eq!(lab.kube("GET", &format!("/api/v1/namespaces/{namespace}/secrets/nope"), "").json(), gone);
    }
    let empty = lab.kube("GET", "/api/v1/namespaces/nope/secrets", "").json();
    assert_eq!((&empty["kind"], &empty["items"]), (&json!("SecretList"), &json!([])));
    let method = "the server does not allow this method on the requested resource";
    let answer = lab.kube("POST", "/api/v1/namespaces/default/secrets/nope", "{}");
    assert_eq!(answer.json(), status(405, "MethodNotAllowed", method, Some(json!({}))));
}

#[test]
fn discovery() {
    let lab = widgets();
    let list = lab.kube("GET", "/apis/example.com/v1", "").json();
    let names: Vec<&str> =
        list["resources"].as_array().unwrap().iter().map(|r| r["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["widgets", "widgets/status"]);
    assert_eq!((&list["kind"], &list["groupVersion"]), (&json!("APIResourceList"), &json!("example.com/v1")));
    let group = lab.kube("GET", "/apis/example.com", "").json();
    let version = json!({"groupVersion": "example.com/v1", "version": "v1"});
    let wanted = json!({
        "kind": "APIGroup", "apiVersion": "v1", "name": "example.com", "versions": [version],
        "preferredVersion": version,
    });
    assert_eq!(group, wanted);
    let groups = lab.kube("GET", "/apis", "").json();
    let names: Vec<&str> =
        groups["groups"].as_array().unwrap().iter().map(|g| g["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"example.com") && names.contains(&"apps"), "{names:?}");
    assert_eq!(lab.kube("GET", "/api", "").json()["versions"], json!(["v1"]));
}

/// kubectl looks for this parameter before it sends a manifest.
#[test]
fn openapi_says_that_the_server_validates() {
    let lab = widgets();
    let index = lab.kube("GET", "/openapi/v3", "").json();
    let url = index["paths"]["apis/example.com/v1"]["serverRelativeURL"].as_str().unwrap().to_owned();
    let document = lab.kube("GET", &url, "").json();
    let patch = &document["paths"]["/apis/example.com/v1/namespaces/{namespace}/widgets/{name}"]["patch"];
    assert_eq!(patch["parameters"][0]["name"], "fieldValidation");
    assert_eq!(
        patch["x-kubernetes-group-version-kind"],
        json!({"group": "example.com", "version": "v1", "kind": "Widget"})
    );
}
