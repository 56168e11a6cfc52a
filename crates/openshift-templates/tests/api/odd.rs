//! Servers, and whatever stands in front of them, that answer what nobody expects; and templates that render
//! what nobody means.

use std::time::Duration;

use crate::support::{Answer, Seen, cluster, kinds, object, ok, recorded};
use openshift_templates::{Client, Error, Selection, TemplateInputs, Timeouts};
use serde_json::{Value, json};

fn inputs() -> TemplateInputs {
    TemplateInputs::new("web", "jobs").parameter("NAME", "web-1").parameter("PASSWORD", "hunter2")
}

fn one() -> Value {
    json!([object("v1", "ConfigMap", "a")])
}

/// What each operation does until it fails.
fn failure(client: &Client, operation: &str) -> Error {
    match operation {
        "create" => client.create(&inputs()).map(drop),
        "get" => client.get(&inputs()).map(drop),
        _ => client.delete(&inputs()).map(drop),
    }
    .unwrap_err()
}

/// Each kind of request, as the operation that sends it last.
const REQUESTS: [(&str, &str); 6] = [
    ("GET /apis/template.openshift.io/", "create"),
    ("POST /apis/template.openshift.io/", "create"),
    ("GET /api/v1", "create"),
    ("PATCH /api/v1/", "create"),
    ("GET /api/v1/namespaces/", "get"),
    ("DELETE /api/v1/", "delete"),
];

fn hits(seen: &Seen, request: &str) -> bool {
    seen.line == request || request != "GET /api/v1" && seen.line.starts_with(request)
}

#[test]
fn what_is_no_answer_of_an_api_server_is_no_success() {
    let page = || Answer::Plain(200, "<html>please log in</html>");
    let status = || ok(json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 404}));
    let list = || ok(json!([1, 2]));
    let empty = || ok(json!({}));
    let nothing = || Answer::Header(204, "X-Nothing: to say");
    let half =
        || Answer::Half(json!({"kind": "Template", "metadata": {"name": "a", "uid": "u"}, "objects": null}));
    let login = || Answer::Header(302, "Location: https://login.example.com/?next=/");
    let elsewhere = || Answer::Header(307, "Location: /api/v1/namespaces/prod/configmaps/a");
    type Make = fn() -> Answer;
    let answers: [(&str, Make); 8] = [
        ("page", page),
        ("status", status),
        ("list", list),
        ("empty", empty),
        ("nothing", nothing),
        ("half", half),
        ("login", login),
        ("elsewhere", elsewhere),
    ];
    for (request, operation) in REQUESTS {
        for (what, answer) in answers {
            let server = cluster(one(), move |seen| hits(seen, request).then(answer));
            let error = failure(&server.client(), operation);
            let is_write = request.starts_with("PATCH") || request.starts_with("DELETE");
            assert_eq!(error.operation().is_some(), is_write, "{request} {what}: {error}");
            // A redirection is a refusal; everything else may hide that it was done.
            let unknown = error.operation().is_some_and(|error| error.is_outcome_unknown());
            assert_eq!(
                unknown,
                is_write && !matches!(what, "login" | "elsewhere"),
                "{request} {what}: {error}"
            );
            let asked = server.seen().iter().filter(|seen| hits(seen, request)).count();
            assert_eq!(asked, 1, "{request} {what}: neither repeated nor redirected");
            assert!(!server.lines().iter().any(|line| line.contains("prod")), "{request} {what}");
        }
    }
}

#[test]
fn a_kind_that_is_listed_twice_in_one_place_is_one_kind() {
    let server = cluster(one(), |seen| {
        let entry = ("configmaps", "ConfigMap", true);
        (seen.line == "GET /api/v1").then(|| kinds(&[entry, entry]))
    });
    assert_eq!(server.client().create(&inputs()).unwrap().len(), 1);
}

#[test]
fn a_kind_that_only_a_subresource_has_is_not_served() {
    let server = cluster(json!([object("v1", "Eviction", "a")]), |seen| {
        (seen.line == "GET /api/v1")
            .then(|| kinds(&[("pods", "Pod", true), ("pods/eviction", "Eviction", true)]))
    });
    assert!(matches!(server.client().create(&inputs()).unwrap_err(), Error::NotServed { .. }));
    assert_eq!(server.writes(), [""; 0]);
}

#[test]
fn a_discovery_document_with_holes_is_read_around_them() {
    let entry =
        json!({"name": "configmaps", "kind": "ConfigMap", "namespaced": true, "verbs": ["get", "patch"]});
    let server = cluster(one(), move |seen| {
        let resources =
            json!([null, "x", {}, {"name": 5}, {"name": "../secrets", "kind": "ConfigMap"}, entry]);
        (seen.line == "GET /api/v1").then(|| ok(json!({"kind": "APIResourceList", "resources": resources})))
    });
    assert_eq!(server.client().create(&inputs()).unwrap().len(), 1);
}

/// The plural of a kind becomes part of a URL.
#[test]
fn a_plural_that_would_lead_elsewhere_is_not_followed() {
    for plural in ["..", ".", ""] {
        let server = cluster(one(), move |seen| {
            (seen.line == "GET /api/v1").then(|| kinds(&[(plural, "ConfigMap", true)]))
        });
        server.client().create(&inputs()).unwrap_err();
        assert_eq!(server.writes(), [""; 0], "{plural:?}");
    }
}

/// An API behind the aggregation layer whose server is away: not the same as a kind that is not there.
#[test]
fn a_group_that_is_away_is_not_taken_for_one_that_is_not_served() {
    for (answer, code) in [
        (|| Answer::Plain(503, "service unavailable"), 503),
        (
            || {
                recorded(
                    429,
                    r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",
                    "message":"storage is (re)initializing","reason":"TooManyRequests",
                    "details":{"retryAfterSeconds":1},"code":429}"#,
                )
            },
            429,
        ),
        (|| Answer::Plain(429, "Too many requests, please try again later.\n"), 429),
    ] as [(fn() -> Answer, u16); 3]
    {
        let server = cluster(one(), move |seen| (seen.line == "GET /api/v1").then(answer));
        for operation in ["create", "get", "delete"] {
            let error = failure(&server.client(), operation);
            assert_eq!(error.kube().and_then(|error| error.code()), Some(code), "{error}");
        }
        assert_eq!(server.writes(), [""; 0]);
    }
}

#[test]
fn templates_that_are_none() {
    for stored in
        [json!({"kind": "TemplateList", "items": []}), json!({"kind": "Status"}), json!({"items": []})]
    {
        let server =
            cluster(one(), move |seen| seen.line.contains("/templates/").then(|| ok(stored.clone())));
        let error = server.client().create(&inputs()).unwrap_err().to_string();
        assert_eq!(error, "get template jobs/web: the answer is not a Template");
    }
    // Parameters that are no list, or hold what are no parameters: as if there were none of these names.
    for parameters in [json!("x"), json!({"NAME": "x"}), json!([null, "NAME", 5, {"name": 5}])] {
        let server = cluster(one(), move |seen| {
            let stored = json!({"kind": "Template", "metadata": {"name": "web"}, "parameters": parameters});
            seen.line.contains("/templates/").then(|| ok(stored))
        });
        assert!(matches!(server.client().create(&inputs()).unwrap_err(), Error::Parameters { .. }));
        assert_eq!(server.lines().len(), 1);
    }
}

#[test]
fn rendered_lists_that_are_none() {
    for rendered in [json!("x"), json!({"0": {}}), json!(5)] {
        let server = cluster(rendered, |_| None);
        let error = server.client().create(&inputs()).unwrap_err().to_string();
        assert_eq!(error, "process template web in jobs: the answer is not a Template");
    }
    let server = cluster(json!(null), |_| None);
    assert_eq!(server.client().create(&inputs()).unwrap(), []);
    assert_eq!(server.client().get(&inputs()).unwrap(), [json!(null); 0]);
    assert_eq!(server.client().delete(&inputs()).unwrap(), []);
}

#[test]
fn objects_that_would_lead_elsewhere_are_refused_before_the_first_write() {
    let named = |name: &str| object("v1", "ConfigMap", name);
    let placed = |namespace: Value| {
        let mut object = named("x");
        object["metadata"]["namespace"] = namespace;
        object
    };
    for bad in [
        json!(null),
        json!([named("x")]),
        named(""),
        named("."),
        named(".."),
        named("../../secrets/x"),
        named("x%2f..%2fy"),
        named("x\r\nHost: elsewhere"),
        named(&"x".repeat(1 << 20)),
        placed(json!("jobs.")),
        placed(json!("jobs ")),
        placed(json!("JOBS")),
        placed(json!("../prod")),
        placed(json!(["jobs"])),
        object("v1", "configmap", "x"),
        object("v1", "ConfigMap ", "x"),
        object("v1", "Namespace", "jobs"),
        object("v1/../v1", "ConfigMap", "x"),
        object("a/b/c", "ConfigMap", "x"),
        object("/v1", "ConfigMap", "x"),
        object("v1/", "ConfigMap", "x"),
        object("..", "ConfigMap", "x"),
        object("V1", "ConfigMap", "x"),
        object("v1?x=", "ConfigMap", "x"),
    ] {
        let server = cluster(json!([named("good"), bad]), |_| None);
        for operation in ["create", "get", "delete"] {
            let error = failure(&server.client(), operation);
            assert!(matches!(error, Error::Target { .. } | Error::NotServed { .. }), "{error}");
            assert!(error.to_string().len() < 400, "{error}");
            assert!(!error.to_string().contains(char::is_control), "{error}");
        }
        assert_eq!(server.writes(), [""; 0]);
        assert!(!server.lines().iter().any(|line| line.contains("configmaps")), "{:?}", server.lines());
    }
}

/// Some kinds have names with these (roles: `system:node`), and all of the name stays one part of the path.
#[test]
fn names_with_odd_characters_are_encoded() {
    for (name, path) in [
        ("system:node", "system%3Anode"),
        ("a b", "a%20b"),
        ("a?b#c", "a%3Fb%23c"),
        ("n\u{e4}me", "n%C3%A4me"),
    ] {
        let server = cluster(json!([object("v1", "ConfigMap", name)]), move |seen| {
            let mut live = seen.body.clone();
            live["metadata"]["uid"] = "u".into();
            seen.line.starts_with("PATCH").then(|| ok(live))
        });
        let created = server.client().create(&inputs()).unwrap();
        assert_eq!(created[0].name, name);
        server.client().delete(Selection::references("jobs", &created)).unwrap();
        let path = format!("/api/v1/namespaces/jobs/configmaps/{path}");
        assert_eq!(
            server.writes(),
            [format!("PATCH {path}?fieldManager=mini-scheduler"), format!("DELETE {path}")]
        );
    }
}

#[test]
fn a_template_of_a_megabyte_is_applied() {
    let objects: Vec<_> = (0..500)
        .map(|n| {
            let mut object = object("v1", "ConfigMap", &format!("c-{n}"));
            object["data"] = json!({"a": "x".repeat(2000)});
            object
        })
        .collect();
    let server = cluster(json!(objects), |_| None);
    assert_eq!(server.client().create(&inputs()).unwrap().len(), 500);
    assert_eq!(server.lines().len(), 2 + 1 + 500);
}

/// "No limit", as many would write it.
#[test]
fn the_longest_time_limit_is_one() {
    let server = cluster(one(), |_| None);
    let patient = Timeouts { connect: Duration::MAX, request: Duration::MAX };
    assert_eq!(server.client().with_timeouts(patient).unwrap().create(&inputs()).unwrap().len(), 1);
}

#[test]
fn a_client_may_be_shared_among_threads() {
    let server = cluster(one(), |_| None);
    let client = server.client();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(client.create(&inputs()).unwrap().len(), 1));
        }
    });
}
