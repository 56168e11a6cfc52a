//! get and delete, from inputs and from references, against a scripted API server.

use crate::support::{Answer, Seen, cluster, not_found, object, refusal};
use openshift_templates::{Error, Operation, Reference, Selection, TemplateInputs};
use serde_json::{Value, json};

fn inputs() -> TemplateInputs {
    TemplateInputs::new("web", "jobs").parameter("NAME", "web-1").parameter("PASSWORD", "hunter2")
}

/// One of them with a uid, as an object that was exported has it.
fn three() -> Value {
    let mut service = object("v1", "Service", "c");
    service["metadata"]["uid"] = "00000000-0000-0000-0000-000000000000".into();
    json!([object("v1", "ConfigMap", "a"), object("apps/v1", "Deployment", "b"), service])
}

fn nothing_special(_: &Seen) -> Option<Answer> {
    None
}

fn reference(api_version: &str, kind: &str, name: &str, uid: Option<&str>) -> Reference {
    Reference {
        api_version: api_version.into(),
        kind: kind.into(),
        namespace: "jobs".into(),
        name: name.into(),
        uid: uid.map(str::to_owned),
    }
}

fn saved() -> Vec<Reference> {
    vec![
        reference("v1", "ConfigMap", "a", Some("uid-a")),
        reference("apps/v1", "Deployment", "b", None),
        Reference { namespace: String::new(), ..reference("v1", "Service", "c", Some("uid-c")) },
    ]
}

const LIVE: [&str; 3] = [
    "/api/v1/namespaces/jobs/configmaps/a",
    "/apis/apps/v1/namespaces/jobs/deployments/b",
    "/api/v1/namespaces/jobs/services/c",
];

fn names(objects: &[Value]) -> Vec<&str> {
    objects.iter().map(|object| object["metadata"]["name"].as_str().unwrap()).collect()
}

#[test]
fn get_reads_in_order() {
    let server = cluster(three(), nothing_special);
    let client = server.client();
    assert_eq!(names(&client.get(&inputs()).unwrap()), ["a", "b", "c"]);
    let lines = server.lines();
    assert_eq!(lines.len(), 2 + 2 + 3);
    assert_eq!(lines[4..], LIVE.map(|path| format!("GET {path}")));
    assert_eq!(names(&client.get(Selection::references("jobs", &saved())).unwrap()), ["a", "b", "c"]);
    assert_eq!(server.lines()[7..], lines[2..], "without the template: the kinds and the objects");
}

#[test]
fn get_fails_with_the_first_object_that_cannot_be_read() {
    let server = cluster(three(), |seen| (seen.line == format!("GET {}", LIVE[1])).then(|| not_found("b")));
    let error = server.client().get(Selection::references("jobs", &saved())).unwrap_err();
    assert!(error.kube().unwrap().is_not_found(), "{error}");
    assert!(!server.lines().contains(&format!("GET {}", LIVE[2])), "the rest is not read");
}

#[test]
fn delete_goes_backwards_and_uses_no_rendered_uid() {
    let server = cluster(three(), nothing_special);
    let gone = server.client().delete(&inputs()).unwrap();
    let expected: Vec<_> = saved()
        .into_iter()
        .rev()
        .map(|saved| Reference { namespace: "jobs".into(), uid: None, ..saved })
        .collect();
    assert_eq!(gone, expected);
    let mut paths = LIVE.map(|path| format!("DELETE {path}"));
    paths.reverse();
    assert_eq!(server.writes(), paths);
    for seen in server.seen().iter().filter(|seen| seen.line.starts_with("DELETE")) {
        let options = json!({"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background"});
        assert_eq!(seen.body, options);
    }
}

#[test]
fn delete_from_references_means_the_very_object() {
    let server = cluster(three(), nothing_special);
    let gone = server.client().delete(Selection::references("jobs", &saved())).unwrap();
    assert_eq!(
        gone.iter().map(|gone| gone.uid.as_deref()).collect::<Vec<_>>(),
        [Some("uid-c"), None, Some("uid-a")]
    );
    let seen = server.seen();
    assert_eq!(seen.len(), 2 + 3);
    let uids: Vec<_> = seen[2..].iter().map(|seen| seen.body["preconditions"]["uid"].clone()).collect();
    assert_eq!(uids, [json!("uid-c"), json!(null), json!("uid-a")]);
    assert!(seen[2..].iter().all(|seen| seen.body["propagationPolicy"] == "Background"));
}

#[test]
fn what_is_not_there_is_gone() {
    let server = cluster(three(), |seen| seen.line.starts_with("DELETE").then(|| not_found("x")));
    let client = server.client();
    assert_eq!(client.delete(&inputs()).unwrap().len(), 3);
    assert_eq!(client.delete(Selection::references("jobs", &saved())).unwrap().len(), 3);
}

#[test]
fn delete_tries_every_target_and_says_which_failed() {
    let server = cluster(three(), |seen| match seen.line.as_str() {
        line if line == format!("DELETE {}", LIVE[2]) => {
            let message = "Operation cannot be fulfilled: the UID in the precondition does not match";
            Some(refusal(409, "Conflict", message, json!({"name": "c", "kind": "Service"})))
        }
        line if line == format!("DELETE {}", LIVE[1]) => Some(Answer::Cut),
        _ => None,
    });
    let error = server.client().delete(Selection::references("jobs", &saved())).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with(
            "delete: v1 Service jobs/c: 409 Conflict: the object that has this name now is another one; \
             apps/v1 Deployment jobs/b: the connection to "
        ),
        "{text}"
    );
    assert!(text.ends_with(" (the outcome is unknown); 1 object succeeded"), "{text}");
    let error = error.operation().unwrap();
    assert_eq!(error.operation, Operation::Delete);
    assert_eq!(error.succeeded, [saved().remove(0)]);
    assert!(error.failed[0].1.is_conflict() && !error.failed[0].1.is_field_conflict());
    assert!(error.is_outcome_unknown());
    assert_eq!(server.writes().len(), 3, "each once");
}

#[test]
fn an_empty_list_is_no_request() {
    let server = cluster(three(), nothing_special);
    let client = server.client();
    assert_eq!(client.delete(Selection::references("jobs", &[])).unwrap(), []);
    assert_eq!(client.get(Selection::references("jobs", &[])).unwrap(), [json!(null); 0]);
    for namespace in ["", "a/b", "Jobs"] {
        let error = client.delete(Selection::references(namespace, &[])).unwrap_err();
        assert!(matches!(error, Error::Argument { argument: "namespace", .. }), "{error}");
    }
    assert_eq!(server.lines(), [""; 0]);
}

#[test]
fn references_are_checked_before_any_request() {
    let server = cluster(three(), nothing_special);
    let client = server.client();
    for (bad, text) in [
        (
            Reference { namespace: "prod".into(), ..reference("v1", "ConfigMap", "x", None) },
            "v1 ConfigMap prod/x: it is not in the target namespace \"jobs\"",
        ),
        (reference("", "ConfigMap", "x", None), " ConfigMap jobs/x: the apiVersion is missing"),
        (reference("v1", "ConfigMap", "", None), "v1 ConfigMap jobs/: the name cannot be used: it is empty"),
        (reference("v1", "ConfigMap", "x", Some("")), "v1 ConfigMap jobs/x: the uid is empty: "),
    ] {
        let references = [saved().remove(0), bad];
        for error in [
            client.get(Selection::references("jobs", &references)).map(drop).unwrap_err(),
            client.delete(Selection::references("jobs", &references)).map(drop).unwrap_err(),
        ] {
            assert!(matches!(error, Error::Target { .. }));
            assert!(error.to_string().starts_with(text), "{error}");
        }
    }
    assert_eq!(server.lines(), [""; 0]);
}

#[test]
fn kinds_are_checked_before_the_first_delete() {
    let server = cluster(three(), nothing_special);
    for (bad, text) in [
        (reference("v1", "Namespace", "x", None), "v1 Namespace jobs/x: the kind is cluster-scoped"),
        (
            reference("example.com/v1", "Widget", "x", None),
            "example.com/v1 Widget jobs/x: the cluster does not serve",
        ),
    ] {
        let references = [bad, saved().remove(0)];
        let error = server.client().delete(Selection::references("jobs", &references)).unwrap_err();
        assert!(error.to_string().starts_with(text), "{error}");
    }
    assert_eq!(server.writes(), [""; 0]);
}

/// What is not served is asked for again the next time.
#[test]
fn a_kind_that_comes_later_is_found() {
    let served = std::sync::atomic::AtomicBool::new(false);
    let server = cluster(json!([object("example.com/v1", "Widget", "w")]), move |seen| {
        (seen.line == "GET /apis/example.com/v1").then(|| {
            match served.swap(true, std::sync::atomic::Ordering::Relaxed) {
                false => Answer::Plain(404, "404 page not found"),
                true => crate::support::kinds(&[("widgets", "Widget", true)]),
            }
        })
    });
    let client = server.client();
    assert!(matches!(client.create(&inputs()).unwrap_err(), Error::NotServed { .. }));
    assert_eq!(client.create(&inputs()).unwrap()[0].name, "w");
    assert_eq!(client.delete(&inputs()).unwrap()[0].name, "w");
}
