use serde_json::json;

use crate::client::{Answer, Lab};
use crate::kube_objects::{MODIFIED, WIDGETS, a, post, says, widget, widgets};

fn patch(lab: &Lab, body: &str) -> Answer {
    lab.kube("PATCH", &format!("{WIDGETS}/a/status"), body)
}

#[test]
fn only_the_status_is_taken() {
    let lab = widgets();
    let made = post(&lab, &widget("a", json!({"size": 4}))).json();
    let version = made["metadata"]["resourceVersion"].as_str().unwrap();
    let body = json!({"metadata": {"resourceVersion": version}, "status": {"phase": "Ready", "observedGeneration": 1}});
    let first = patch(&lab, &body.to_string());
    assert_eq!(
        (first.status, &first.json()["status"]),
        (200, &json!({"phase": "Ready", "observedGeneration": 1}))
    );
    assert_eq!(first.json()["metadata"]["generation"], 1);
    says(&patch(&lab, &body.to_string()), 409, "Conflict", MODIFIED, a());
    let other = patch(
        &lab,
        &json!({
            "metadata": {"labels": {"x": "y"}, "annotations": {"q": "z"}, "uid": "00000000-0000-0000-0000-000000000000"},
            "spec": {"size": 9}, "status": {"phase": "Ready4"},
        })
        .to_string(),
    );
    assert_eq!(other.status, 200, "the uid is ignored too");
    let other = other.json();
    assert_eq!((other["metadata"].get("labels"), other["metadata"].get("annotations")), (None, None));
    assert_eq!((&other["spec"]["size"], &other["status"]["phase"]), (&json!(4), &json!("Ready4")));
    let same = patch(&lab, r#"{"status": {"phase": "Ready4"}}"#).json();
    assert_eq!(same["metadata"]["resourceVersion"], other["metadata"]["resourceVersion"], "no change");
    let pruned = patch(&lab, r#"{"status": {"nosuch": 5}}"#);
    assert_eq!((pruned.status, &pruned.json()), (200, &same));
    assert_eq!(pruned.header("Warning"), Some(r#"299 - "unknown field \"status.nosuch\"""#));
}

#[test]
fn its_schema_holds() {
    let lab = widgets();
    post(&lab, &widget("a", json!({"size": 4})));
    let bad = patch(&lab, r#"{"status": {"phase": 5, "conditions": [{"type": "A"}]}}"#);
    assert_eq!(bad.status, 422);
    let causes = bad.json()["details"]["causes"].clone();
    assert_eq!(
        causes[0],
        json!({"reason": "FieldValueRequired", "message": "Required value", "field": "status.conditions[0].status"})
    );
    let message = "Invalid value: \"integer\": phase in body must be of type string: \"integer\"";
    assert_eq!(
        causes[1],
        json!({"reason": "FieldValueTypeInvalid", "message": message, "field": "status.phase"})
    );
    let when = json!([{"type": "A", "status": "True", "lastTransitionTime": "yesterday"}]);
    let bad = patch(&lab, &json!({"status": {"conditions": when}}).to_string());
    let message = "Invalid value: \"yesterday\": conditions[0].lastTransitionTime in body must be of type date-time: \
                   \"yesterday\"";
    assert_eq!(bad.json()["details"]["causes"][0]["message"], message);
}

#[test]
fn of_what_is_gone_it_is_404() {
    let lab = widgets();
    let details = json!({"name": "a", "group": "example.com", "kind": "widgets"});
    let answer = patch(&lab, r#"{"status": {"phase": "x"}}"#);
    says(&answer, 404, "NotFound", "widgets.example.com \"a\" not found", details);
}
