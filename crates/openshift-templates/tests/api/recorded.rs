//! What is made of refusals that a real kube-apiserver and a real openshift-apiserver sent.
//!
//! A row of `recorded.json` is one recorded answer (`name` is the recording's), which request gets it here
//! (`at`), and what comes of it: the text of the error after its subject, and the predicates that
//! hold. A `says` of null is a success.

use crate::support::{Answer, Seen, cluster, object};
use openshift_templates::{Client, Error, TemplateInputs, kube};
use serde_json::{Value, json};

fn hits(at: &str, seen: &Seen) -> bool {
    let (method, path) = seen.line.split_once(' ').unwrap();
    match at {
        "template" => method == "GET" && path.contains("/templates/"),
        "discovery" => path == "/api/v1",
        "GET" => method == "GET" && path.contains("/configmaps/"),
        other => method == other,
    }
}

fn run(client: &Client, at: &str) -> Result<(), Error> {
    let inputs = TemplateInputs::new("web", "jobs").parameter("NAME", "web-1").parameter("PASSWORD", "p");
    match at {
        "GET" => client.get(&inputs).map(drop),
        "DELETE" => client.delete(&inputs).map(drop),
        _ => client.create(&inputs).map(drop),
    }
}

fn predicates(error: &kube::Error) -> Vec<&'static str> {
    [
        ("not_found", error.is_not_found()),
        ("conflict", error.is_conflict()),
        ("field_conflict", error.is_field_conflict()),
        ("forbidden", error.is_forbidden()),
        ("invalid", error.is_invalid()),
        ("unavailable", error.is_unavailable()),
        ("outcome_unknown", error.is_outcome_unknown()),
    ]
    .into_iter()
    .filter_map(|(name, holds)| holds.then_some(name))
    .collect()
}

#[test]
fn each_recorded_refusal_is_told_without_what_it_quotes() {
    let rows: Vec<Value> = serde_json::from_str(include_str!("recorded.json")).unwrap();
    let mut wrong = Vec::new();
    for row in &rows {
        let (at, body, status) =
            (row["at"].as_str().unwrap(), row["body"].clone(), row["status"].as_u64().unwrap());
        let (wanted, status) = (at.to_owned(), u16::try_from(status).unwrap());
        let server = cluster(json!([object("v1", "ConfigMap", "a")]), move |seen| {
            hits(&wanted, seen).then(|| match &body {
                Value::String(text) => Answer::Text(status, text.clone()),
                body => Answer::Json(status, body.clone()),
            })
        });
        let Err(error) = run(&server.client(), at) else {
            assert_eq!(row["says"], Value::Null, "{row}");
            continue;
        };
        let is_write = matches!(at, "PATCH" | "DELETE");
        assert_eq!(error.operation().is_some(), is_write, "{row}");
        let cause = match error.operation() {
            Some(operation) => &operation.failed[0].1,
            None => error.kube().unwrap(),
        };
        let text = error.to_string();
        let says = text.split_once(&format!(": {status}")).map_or("", |(_, says)| says);
        let is = predicates(cause);
        if row["says"] != says || row["is"] != json!(is) {
            wrong.push(format!("{} {:?}\n  says {says:?}\n  is   {}", at, row["name"], json!(is)));
        }
        // What the server says is there for who asks, and nowhere else.
        let message = cause.refusal().unwrap().message();
        assert!(!message.is_empty(), "{row}");
        assert!(!format!("{error:?}").contains(message), "{row}");
        assert!(
            std::error::Error::source(&error)
                .is_none_or(|source| !source.to_string().contains("Invalid value"))
        );
    }
    assert!(wrong.is_empty(), "{} rows differ\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(rows.len(), 110);
}
