//! The client against a scripted API server.

mod support;

use kube::{Auth, Client, Error, Resource};
use rest::Secret;
use serde_json::{Value, json};
use support::{Server, json as answer, plain};

fn widgets() -> Resource {
    Resource::new("example.com", "v1", "widgets")
}

fn widget(name: &str) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": name}})
}

/// A page of a WidgetList.
fn page(names: &[&str], token: &str) -> Value {
    let items: Vec<_> = names.iter().map(|name| widget(name)).collect();
    let metadata = json!({"continue": token, "resourceVersion": "1344"});
    json!({"apiVersion": "example.com/v1", "kind": "WidgetList", "metadata": metadata, "items": items})
}

fn status(code: u16, reason: &str) -> (u16, &'static str, String) {
    answer(code, &json!({"kind": "Status", "message": "m", "reason": reason, "code": code}))
}

fn names(objects: &[Value]) -> Vec<&str> {
    objects.iter().map(|object| object["metadata"]["name"].as_str().unwrap()).collect()
}

fn list(server: &Server) -> Result<Vec<Value>, Error> {
    server.client(Auth::None).list(&widgets(), Some("m1"))
}

#[test]
fn get_asks_for_json_and_returns_the_object() {
    let server = Server::new(vec![answer(200, &widget("a"))]);
    let client = server.client(Auth::Token(Secret::new("t0ken")));
    assert_eq!(client.get(&widgets(), Some("m1"), "a").unwrap(), widget("a"));
    assert_eq!(client.default_namespace(), "m1");
    let seen = &server.seen()[0];
    assert_eq!(seen.line, "GET /apis/example.com/v1/namespaces/m1/widgets/a");
    assert_eq!(seen.header("accept"), Some("application/json"));
    assert_eq!(seen.header("authorization"), Some("bearer t0ken"));
    let agent = concat!("openstack-sync/", env!("CARGO_PKG_VERSION"));
    assert_eq!(seen.header("user-agent"), Some(agent));
}

#[test]
fn basic_and_no_credentials() {
    let server = Server::new(vec![answer(200, &widget("a")), answer(200, &widget("a"))]);
    let basic = Auth::Basic { username: "me".into(), password: Secret::new("p") };
    server.client(basic).get(&widgets(), None, "a").unwrap();
    server.client(Auth::None).get(&widgets(), None, "a").unwrap();
    let seen = server.seen();
    assert_eq!(seen[0].line, "GET /apis/example.com/v1/widgets/a");
    assert_eq!(seen[0].header("authorization"), Some("basic bwu6ca==")); // me:p, head in lower case
    assert_eq!(seen[1].header("authorization"), None);
}

#[test]
fn merge_patches_go_to_the_object_or_its_status() {
    let server = Server::new(vec![answer(200, &widget("a")), answer(200, &widget("b"))]);
    let client = server.client(Auth::None);
    let finalizers = json!({"metadata": {"finalizers": ["x/y"], "resourceVersion": "7"}});
    assert_eq!(client.merge_patch(&widgets(), Some("m1"), "a", &finalizers).unwrap(), widget("a"));
    let synced = json!({"status": {"syncStatus": "Synced"}});
    assert_eq!(client.merge_patch_status(&widgets(), Some("m1"), "b", &synced).unwrap(), widget("b"));
    let lines = [
        "PATCH /apis/example.com/v1/namespaces/m1/widgets/a",
        "PATCH /apis/example.com/v1/namespaces/m1/widgets/b/status",
    ];
    assert_eq!(server.lines(), lines);
    for (seen, patch) in server.seen().iter().zip([finalizers, synced]) {
        assert_eq!(seen.header("content-type"), Some("application/merge-patch+json"));
        assert_eq!(seen.body, Some(patch));
    }
}

#[test]
fn lists_are_read_page_by_page() {
    let server = Server::new(vec![
        answer(200, &page(&["a", "b"], "t/1")),
        answer(200, &page(&["c"], "t/2")),
        answer(200, &page(&[], "")),
    ]);
    assert_eq!(names(&list(&server).unwrap()), ["a", "b", "c"]);
    let path = "GET /apis/example.com/v1/namespaces/m1/widgets?limit=500";
    let lines = [path.to_owned(), format!("{path}&continue=t%2F1"), format!("{path}&continue=t%2F2")];
    assert_eq!(server.lines(), lines);
}

#[test]
fn a_list_over_all_namespaces() {
    let server = Server::new(vec![answer(200, &page(&["a"], ""))]);
    assert_eq!(server.client(Auth::None).list(&widgets(), None).unwrap().len(), 1);
    assert_eq!(server.lines(), ["GET /apis/example.com/v1/widgets?limit=500"]);
}

#[test]
fn items_of_built_in_types_get_their_kind() {
    let secrets = json!({"kind": "SecretList", "apiVersion": "v1", "metadata": {},
        "items": [{"metadata": {"name": "s"}}]});
    let none = json!({"kind": "SecretList", "apiVersion": "v1", "metadata": {}, "items": null});
    let server = Server::new(vec![answer(200, &secrets), answer(200, &none)]);
    let client = server.client(Auth::None);
    let items = client.list(&Resource::core("secrets"), Some("m1")).unwrap();
    assert_eq!(items, [json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}})]);
    assert_eq!(client.list(&Resource::core("secrets"), Some("m1")).unwrap().len(), 0);
}

#[test]
fn a_list_that_expires_between_pages_begins_again_once() {
    let server = Server::new(vec![
        answer(200, &page(&["old"], "t1")),
        status(410, "Expired"),
        answer(200, &page(&["a"], "t2")),
        answer(200, &page(&["b"], "")),
    ]);
    assert_eq!(names(&list(&server).unwrap()), ["a", "b"]);

    let first = || answer(200, &page(&["old"], "t1"));
    let server = Server::new(vec![first(), status(410, "Expired"), first(), status(410, "Expired")]);
    assert!(list(&server).unwrap_err().is_gone());
    assert_eq!(server.lines().len(), 4);
}

#[test]
fn a_410_on_the_first_page_is_final() {
    let server = Server::new(vec![status(410, "Expired")]);
    assert!(list(&server).unwrap_err().is_gone());
    assert_eq!(server.lines().len(), 1);
}

#[test]
fn a_list_that_goes_in_a_circle_ends() {
    let server = Server::new(vec![answer(200, &page(&["a"], "t1")), answer(200, &page(&["a"], "t1"))]);
    let text = list(&server).unwrap_err().to_string();
    let expected = "list widgets.example.com in m1: the list does not end: the server sent the same continue \
                    token twice";
    assert_eq!(text, expected);
}

#[test]
fn what_is_no_list_and_no_object_is_an_error() {
    for body in [json!({"kind": "Widget"}), json!({"kind": "WidgetList", "items": {}})] {
        let server = Server::new(vec![answer(200, &body)]);
        let text = list(&server).unwrap_err().to_string();
        assert_eq!(text, "list widgets.example.com in m1: the answer is not a list");
    }
    let server = Server::new(vec![plain(200, "<html>please log in</html>")]);
    let text = server.client(Auth::None).get(&widgets(), None, "a").unwrap_err().to_string();
    assert_eq!(text, "get widgets.example.com a: the answer is not a JSON object");
}

#[test]
fn refusals() {
    let server = Server::new(vec![plain(404, "404 page not found\n"), status(409, "Conflict")]);
    let client = server.client(Auth::None);
    let error = client.get(&widgets(), Some("m1"), "a").unwrap_err();
    assert!(error.is_not_found() && !error.names_object("a"));
    assert_eq!(error.to_string(), "get widgets.example.com m1/a: 404: 404 page not found");
    let error = client.merge_patch_status(&widgets(), Some("m1"), "a", &json!({})).unwrap_err();
    assert!(error.is_conflict());
    assert_eq!(error.to_string(), "patch status of widgets.example.com m1/a: 409 Conflict: m");
}

#[test]
fn overload_is_repeated_and_an_internal_error_is_not() {
    for code in [429, 502, 503, 504] {
        let server = Server::new(vec![plain(code, "later"), answer(200, &widget("a"))]);
        server.client(Auth::None).merge_patch(&widgets(), None, "a", &json!({})).unwrap();
        assert_eq!(server.lines().len(), 2, "{code}");
    }
    let server = Server::new(vec![status(500, "InternalError")]);
    let error = server.client(Auth::None).get(&widgets(), None, "a").unwrap_err();
    assert!(error.is_unavailable());
    assert_eq!(server.lines().len(), 1);
}

#[test]
fn a_token_file_is_read_again_after_a_401_and_the_request_sent_once_more() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("token");
    std::fs::write(&path, "old\n").unwrap();
    let server = Server::new(vec![
        answer(200, &widget("a")),
        status(401, "Unauthorized"),
        answer(200, &widget("a")),
        answer(200, &widget("a")),
    ]);
    let client = server.client(Auth::TokenFile(path.clone()));
    let get = || client.get(&widgets(), None, "a").unwrap();
    get();
    std::fs::write(&path, "new\n").unwrap();
    get();
    get();
    let tokens: Vec<_> =
        server.seen().iter().map(|seen| seen.header("authorization").map(str::to_owned)).collect();
    let expected =
        ["bearer old", "bearer old", "bearer new", "bearer new"].map(|token| Some(token.to_owned()));
    assert_eq!(tokens, expected);
}

#[test]
fn a_second_401_is_final_and_a_fixed_token_is_not_tried_twice() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("token");
    std::fs::write(&path, "old").unwrap();
    for (auth, requests) in [(Auth::TokenFile(path), 2), (Auth::Token(Secret::new("t")), 1)] {
        let server = Server::new(vec![status(401, "Unauthorized"), status(401, "Unauthorized")]);
        let error = server.client(auth).get(&widgets(), None, "a").unwrap_err();
        assert!(error.is_unauthorized());
        assert_eq!(server.lines().len(), requests);
    }
}

#[test]
fn a_token_file_that_is_missing_is_an_error_before_any_request() {
    let server = Server::new(Vec::new());
    let client = server.client(Auth::TokenFile("/nowhere/token".into()));
    let text = client.get(&widgets(), None, "a").unwrap_err().to_string();
    assert_eq!(text, "cannot read /nowhere/token (bearer token): entity not found");
    assert!(server.lines().is_empty());
}

#[test]
fn empty_names_are_refused_before_any_request() {
    let server = Server::new(Vec::new());
    let client = server.client(Auth::None);
    assert!(matches!(client.get(&widgets(), Some("m1"), ""), Err(Error::Name { what: "name", .. })));
    assert!(matches!(client.list(&widgets(), Some("")), Err(Error::Name { what: "namespace", .. })));
    assert!(matches!(client.secret("", "s"), Err(Error::Name { what: "namespace", .. })));
    let patch = client.merge_patch_status(&widgets(), Some("m1"), "..", &json!({}));
    assert!(matches!(patch, Err(Error::Name { what: "name", .. })));
    assert!(server.lines().is_empty());
}

#[test]
fn secrets_are_decoded() {
    let secret = json!({"kind": "Secret", "data": {"clouds.yaml": "Y2xvdWRzOiB7fQ=="}});
    let server = Server::new(vec![answer(200, &secret)]);
    let data = server.client(Auth::None).secret("m1", "openstack").unwrap();
    assert_eq!(data.text("clouds.yaml").unwrap().unwrap().expose(), "clouds: {}");
    assert_eq!(server.lines(), ["GET /api/v1/namespaces/m1/secrets/openstack"]);
}

#[test]
fn a_server_url_may_have_a_path() {
    let server = Server::new(vec![answer(200, &widget("a"))]);
    let mut config = server.config(Auth::None);
    config.server.push_str("k8s/clusters/c-1");
    Client::new(config).unwrap().get(&widgets(), None, "a").unwrap();
    assert_eq!(server.lines(), ["GET /k8s/clusters/c-1/apis/example.com/v1/widgets/a"]);
}

#[test]
fn debug_shows_no_credentials() {
    let server = Server::new(Vec::new());
    let client = server.client(Auth::Token(Secret::new("hunter2")));
    assert!(!format!("{client:?}").contains("hunter2"));
}
