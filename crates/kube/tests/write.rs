//! Writes and discovery against a scripted API server.

mod support;

use std::time::Duration;

use kube::{Auth, Client, DeleteOptions, Error, Kind, Resource};
use rest::{Options, Retry, Secret};
use serde_json::{Value, json};
use support::{Server, json as answer, plain, stall};

fn widgets() -> Resource {
    Resource::new("example.com", "v1", "widgets")
}

fn widget() -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {"size": 1}})
}

fn apply(client: &Client) -> Result<Value, Error> {
    client.apply(&widgets(), Some("m1"), "a", &widget(), "mini-scheduler")
}

fn post(client: &Client) -> Result<Value, Error> {
    client.post(&widgets(), Some("m1"), &widget())
}

fn delete(client: &Client) -> Result<(), Error> {
    client.delete(&widgets(), Some("m1"), "a", &DeleteOptions::default())
}

/// Each write as a function, with what an error calls it.
type Write = fn(&Client) -> Result<(), Error>;
const WRITES: [(Write, &str); 3] = [
    (|client| apply(client).map(drop), "apply widgets.example.com m1/a"),
    (|client| post(client).map(drop), "create widgets.example.com m1/a"),
    (|client| delete(client), "delete widgets.example.com m1/a"),
];

#[test]
fn an_apply_names_its_manager_and_does_not_force() {
    let live = json!({"kind": "Widget", "metadata": {"uid": "u"}});
    let server = Server::new(vec![answer(201, &live)]);
    assert_eq!(apply(&server.client(Auth::None)).unwrap(), live);
    let seen = &server.seen()[0];
    let path = "PATCH /apis/example.com/v1/namespaces/m1/widgets/a?fieldManager=mini-scheduler";
    assert_eq!(seen.line, path);
    assert_eq!(seen.header("content-type"), Some("application/apply-patch+yaml"));
    assert_eq!(seen.header("accept"), Some("application/json"));
    assert_eq!(seen.body, Some(widget()));
}

#[test]
fn an_apply_needs_a_manager_and_a_name() {
    let server = Server::new(Vec::new());
    let client = server.client(Auth::None);
    for (name, manager, text) in [("a", "", "the field manager is empty"), ("", "m", "the name is empty")] {
        let error = client.apply(&widgets(), Some("m1"), name, &widget(), manager).unwrap_err();
        assert_eq!(error.to_string(), text);
    }
    assert!(server.lines().is_empty());
}

#[test]
fn a_manager_may_have_any_characters() {
    let server = Server::new(vec![answer(200, &widget())]);
    let client = server.client(Auth::None);
    client.apply(&widgets(), None, "a", &widget(), "template-workloads/u 1&force=true").unwrap();
    let expected =
        "PATCH /apis/example.com/v1/widgets/a?fieldManager=template-workloads%2Fu%201%26force%3Dtrue";
    assert_eq!(server.lines(), [expected]);
}

#[test]
fn a_post_goes_to_the_collection() {
    let server = Server::new(vec![answer(201, &widget())]);
    assert_eq!(post(&server.client(Auth::None)).unwrap(), widget());
    assert_eq!(server.lines(), ["POST /apis/example.com/v1/namespaces/m1/widgets"]);
    let seen = &server.seen()[0];
    assert_eq!(seen.header("content-type"), Some("application/json"));
    assert_eq!(seen.body, Some(widget()));
}

#[test]
fn a_delete_says_how() {
    let done = json!({"kind": "Status", "status": "Success"});
    let server = Server::new(vec![answer(200, &done), answer(202, &widget())]);
    let client = server.client(Auth::None);
    delete(&client).unwrap();
    let options = DeleteOptions {
        background: true,
        uid: Some("u-1".to_owned()),
        resource_version: Some("7".to_owned()),
    };
    client.delete(&widgets(), Some("m1"), "a", &options).unwrap();
    assert_eq!(server.lines(), ["DELETE /apis/example.com/v1/namespaces/m1/widgets/a"; 2]);
    let bodies: Vec<_> = server.seen().into_iter().map(|seen| seen.body.unwrap()).collect();
    let expected = json!({"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background",
        "preconditions": {"uid": "u-1", "resourceVersion": "7"}});
    assert_eq!(bodies, [json!({"apiVersion": "v1", "kind": "DeleteOptions"}), expected]);
}

#[test]
fn writes_are_not_repeated() {
    for (write, what) in WRITES {
        let server = Server::new(vec![plain(503, "later"), answer(200, &widget())]);
        let error = write(&server.client(Auth::None)).unwrap_err();
        assert_eq!(error.to_string(), format!("{what}: 503: later"));
        assert!(error.is_outcome_unknown());
        assert_eq!(server.lines().len(), 1);
        // The script's end closes the connection.
        let server = Server::new(Vec::new());
        let error = write(&server.client(Auth::None)).unwrap_err();
        assert!(error.is_transport() && error.is_outcome_unknown(), "{error}");
        assert_eq!(server.lines().len(), 1);
    }
}

#[test]
fn a_write_that_times_out_may_have_been_done() {
    for (write, _) in WRITES {
        let server = Server::new(vec![stall(), answer(200, &widget())]);
        let client = server.client(Auth::None);
        let error = write(&client.with_timeout(Duration::from_millis(50))).unwrap_err();
        assert!(error.is_timeout() && error.is_outcome_unknown(), "{error}");
        assert!(error.to_string().ends_with("did not answer within 1 s"), "{error}");
        assert_eq!(server.lines().len(), 1);
        // The client that it was made from has its own limit still.
        write(&client).unwrap();
    }
}

#[test]
fn a_write_without_a_connection_was_not_done() {
    let server = Server::silent();
    let mut config = server.config(Auth::None);
    config.server = config.server.replace("http:", "https:");
    let client = Client::new(config).unwrap().with_connect_timeout(Duration::from_millis(50)).unwrap();
    for (write, _) in WRITES {
        let error = write(&client).unwrap_err();
        assert!(error.is_timeout() && !error.is_outcome_unknown(), "{error}");
        assert!(error.to_string().ends_with("did not accept a connection within 1 s"), "{error}");
    }
}

#[test]
fn a_login_page_is_no_success() {
    for (write, what) in WRITES {
        let server = Server::new(vec![plain(200, "<html>please log in</html>")]);
        let error = write(&server.client(Auth::None)).unwrap_err();
        assert_eq!(error.to_string(), format!("{what}: the answer is not a JSON object"));
    }
}

#[test]
fn something_else_in_json_is_no_deletion() {
    let failure = json!({"kind": "Status", "status": "Failure", "code": 404});
    for other in [json!({}), json!({"login": "please"}), failure, json!({"metadata": {"name": "b"}})] {
        let server = Server::new(vec![answer(200, &other)]);
        let error = delete(&server.client(Auth::None)).unwrap_err();
        let text = "delete widgets.example.com m1/a: the answer is not the object or a Status of success";
        assert_eq!(error.to_string(), text);
        assert!(error.is_outcome_unknown());
    }
}

/// A webhook sees the object that is to be deleted.
#[test]
fn an_error_of_a_write_quotes_no_value() {
    let body = json!({"kind": "Status", "code": 500, "message": "failed to convert: got \"hunter2\""});
    for (write, what) in &WRITES {
        let server = Server::new(vec![answer(500, &body)]);
        let error = write(&server.client(Auth::None)).unwrap_err();
        assert_eq!(error.to_string(), format!("{what}: 500"));
        assert!(error.refusal().unwrap().message().contains("hunter2"));
        assert!(!format!("{error:?}").contains("hunter2"));
    }
}

#[test]
fn a_fixed_token_is_tried_once() {
    for (write, _) in WRITES {
        let server = Server::new(vec![plain(401, "no"), answer(200, &widget())]);
        let error = write(&server.client(Auth::Token(Secret::new("t")))).unwrap_err();
        assert!(error.is_unauthorized() && !error.is_outcome_unknown());
        assert_eq!(server.lines().len(), 1);
    }
}

#[test]
fn discovery() {
    let entry = |name: &str, kind: &str, namespaced: bool, verbs: &[&str]| json!({"name": name, "kind": kind, "namespaced": namespaced, "verbs": verbs});
    let list = json!({"kind": "APIResourceList", "groupVersion": "template.openshift.io/v1", "resources": [
        entry("brokertemplateinstances", "BrokerTemplateInstance", false, &["get", "list"]),
        entry("processedtemplates", "Template", true, &["create"]),
        entry("templates/status", "Template", true, &["get", "patch"]),
        entry("templates", "Template", true, &["create", "get"]),
        entry("templates", "Template", true, &["create", "get"]),
    ]});
    let server = Server::new(vec![answer(200, &list), answer(200, &json!({"resources": []}))]);
    let client = server.client(Auth::None);
    let kind = |kind: &str, plural: &str, namespaced| {
        let resource = Resource::new("template.openshift.io", "v1", plural);
        Kind { kind: kind.to_owned(), resource, namespaced }
    };
    let expected = [
        kind("BrokerTemplateInstance", "brokertemplateinstances", false),
        kind("Template", "templates", true),
    ];
    assert_eq!(client.discover("template.openshift.io/v1").unwrap(), expected);
    assert_eq!(client.discover("v1").unwrap(), []);
    assert_eq!(server.lines(), ["GET /apis/template.openshift.io/v1", "GET /api/v1"]);
}

#[test]
fn discovery_of_what_is_not_there() {
    let server =
        Server::new(vec![plain(404, "404 page not found\n"), answer(200, &json!({"kind": "Status"}))]);
    let client = server.client(Auth::None);
    let error = client.discover("kubevirt.io/v1").unwrap_err();
    assert!(error.is_not_found());
    assert_eq!(error.to_string(), "discover kubevirt.io/v1: 404: 404 page not found");
    let text = client.discover("v1").unwrap_err().to_string();
    assert_eq!(text, "discover v1: the answer is not a list of resources");
    for api_version in ["", "/v1", "a/", "a/b/c", "..", "a/.."] {
        let error = client.discover(api_version).unwrap_err();
        assert!(matches!(error, Error::Name { .. }), "{api_version}: {error}");
    }
    assert_eq!(server.lines().len(), 2);
}

#[test]
fn reads_are_repeated_unless_told_otherwise() {
    let server = Server::new(vec![plain(503, "later"), answer(200, &widget())]);
    let client = server.client(Auth::None);
    client.get(&widgets(), None, "a").unwrap();
    let server = Server::new(vec![plain(503, "later")]);
    let client = server.client(Auth::None).with_retry(Retry::never());
    assert_eq!(client.get(&widgets(), None, "a").unwrap_err().code(), Some(503));
    assert_eq!(server.lines().len(), 1);
}

#[test]
fn clones_share_the_connection() {
    let server = Server::new(vec![answer(200, &widget()); 3]);
    let client = server.client(Auth::None);
    client.get(&widgets(), None, "a").unwrap();
    client.clone().get(&widgets(), None, "a").unwrap();
    client.with_timeout(Options::default().timeout * 2).get(&widgets(), None, "a").unwrap();
    assert_eq!(server.connections(), 1);
}
