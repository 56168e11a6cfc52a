use serde_json::{Value, json};

use crate::client::{Answer, Lab};
use crate::kube_objects::{WIDGETS, post, says, widget, widgets};

fn lab() -> (Lab, Value) {
    let lab = widgets();
    let mut object = widget("f", json!({"size": 1}));
    object["metadata"]["finalizers"] = json!(["example.com/clean"]);
    let made = post(&lab, &object).json();
    (lab, made)
}

fn delete(lab: &Lab, body: &str) -> Answer {
    lab.kube("DELETE", &format!("{WIDGETS}/f"), body)
}

fn patch(lab: &Lab, body: &Value) -> Answer {
    lab.kube("PATCH", &format!("{WIDGETS}/f"), &body.to_string())
}

fn f() -> Value {
    json!({"name": "f", "group": "example.com", "kind": "widgets"})
}

#[test]
fn finalizers_hold_an_object() {
    let (lab, made) = lab();
    let marked = delete(&lab, "");
    assert_eq!(marked.status, 200);
    let marked = marked.json();
    let metadata = &marked["metadata"];
    assert_eq!((&metadata["generation"], &metadata["deletionGracePeriodSeconds"]), (&json!(2), &json!(0)));
    assert!(metadata["deletionTimestamp"].is_string());
    assert_eq!(metadata["uid"], made["metadata"]["uid"]);
    assert_eq!(delete(&lab, "").json(), marked, "again: the same object");
    assert_eq!(patch(&lab, &json!({"spec": {"size": 2}})).json()["metadata"]["generation"], 3);

    let text = "Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers \
                []string{\"example.com/new\"}";
    let cause = json!({"reason": "FieldValueForbidden", "message": text, "field": "metadata.finalizers"});
    let details = json!({"name": "f", "group": "example.com", "kind": "Widget", "causes": [cause, cause]});
    let added = patch(&lab, &json!({"metadata": {"finalizers": ["example.com/clean", "example.com/new"]}}));
    let message = format!("Widget.example.com \"f\" is invalid: metadata.finalizers: {text}");
    says(&added, 422, "Invalid", &message, details);

    let stale = json!({"metadata": {"finalizers": null, "resourceVersion": metadata["resourceVersion"]}});
    let message = "Operation cannot be fulfilled on widgets.example.com \"f\": the object has been modified; please \
                   apply your changes to the latest version and try again";
    says(&patch(&lab, &stale), 409, "Conflict", message, f());

    let last = patch(&lab, &json!({"metadata": {"finalizers": []}}));
    assert_eq!((last.status, last.json()["metadata"].get("finalizers")), (200, None), "the last object");
    let gone = "widgets.example.com \"f\" not found";
    for answer in [
        lab.kube("GET", &format!("{WIDGETS}/f"), ""),
        patch(&lab, &json!({"metadata": {"finalizers": []}})),
        delete(&lab, ""),
    ] {
        says(&answer, 404, "NotFound", gone, f());
    }
}

#[test]
fn without_finalizers_it_is_gone_at_once() {
    let (lab, made) = lab();
    patch(&lab, &json!({"metadata": {"finalizers": null}}));
    let mut details = f();
    details["uid"] = made["metadata"]["uid"].clone();
    let wanted = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details});
    let answer = delete(&lab, "");
    assert_eq!((answer.status, answer.json()), (200, wanted));
}

#[test]
fn preconditions_name_the_kind() {
    let (lab, made) = lab();
    let details = json!({"name": "f", "group": "example.com", "kind": "Widget"});
    let (zero, uid) = ("00000000-0000-0000-0000-000000000000", made["metadata"]["uid"].as_str().unwrap());
    let answer = delete(&lab, &json!({"preconditions": {"uid": zero}}).to_string());
    let message = format!(
        "Operation cannot be fulfilled on Widget.example.com \"f\": the UID in the precondition ({zero}) does not \
         match the UID in record ({uid}). The object might have been deleted and then recreated"
    );
    says(&answer, 409, "Conflict", &message, details.clone());
    let version = made["metadata"]["resourceVersion"].as_str().unwrap();
    let answer = delete(&lab, r#"{"preconditions": {"resourceVersion": "1"}}"#);
    let message = format!(
        "Operation cannot be fulfilled on Widget.example.com \"f\": the ResourceVersion in the precondition (1) does \
         not match the ResourceVersion in record ({version}). The object might have been modified"
    );
    says(&answer, 409, "Conflict", &message, details);
}

#[test]
fn propagation() {
    let (lab, _) = lab();
    patch(&lab, &json!({"metadata": {"finalizers": null}}));
    let bad = lab.kube("DELETE", &format!("{WIDGETS}/f?propagationPolicy=Nope"), "");
    let text =
        "Unsupported value: \"Nope\": supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"";
    let cause = json!({"reason": "FieldValueNotSupported", "message": text, "field": "propagationPolicy"});
    let details = json!({"group": "meta.k8s.io", "kind": "DeleteOptions", "causes": [cause]});
    let message = format!("DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: {text}");
    says(&bad, 422, "Invalid", &message, details);
    let foreground = delete(&lab, r#"{"propagationPolicy": "Foreground"}"#).json();
    assert_eq!(foreground["metadata"]["finalizers"], json!(["foregroundDeletion"]));
    assert_eq!(lab.kube("GET", &format!("{WIDGETS}/f"), "").status, 404);
}

#[test]
fn finalizer_names() {
    let (lab, _) = lab();
    let bare = patch(&lab, &json!({"metadata": {"finalizers": ["clean", "example.com/clean"]}}));
    assert_eq!(bare.status, 200);
    assert!(
        bare.header("Warning")
            .unwrap()
            .contains(r#"metadata.finalizers: \"clean\": prefer a domain-qualified"#)
    );
    let bad = patch(&lab, &json!({"metadata": {"finalizers": ["example.com/a b"]}}));
    let cause = &bad.json()["details"]["causes"][0];
    assert_eq!((bad.status, &cause["field"]), (422, &json!("metadata.finalizers")));
}

/// A delete without a name means all of them.
#[test]
fn a_collection_is_deleted_by_its_selector() {
    let (lab, _) = lab();
    let mut other = widget("g", json!({"size": 1}));
    other["metadata"]["labels"] = json!({"x": "y"});
    post(&lab, &other);
    let none = lab.kube("DELETE", &format!("{WIDGETS}?labelSelector=nope%3Dx"), "");
    assert_eq!(
        (none.status, &none.json()["kind"], &none.json()["items"]),
        (200, &json!("WidgetList"), &json!([]))
    );
    let one = lab.kube("DELETE", &format!("{WIDGETS}?labelSelector=x%3Dy"), "").json();
    assert_eq!(one["items"][0]["metadata"]["name"], "g");
    assert_eq!(lab.kube("GET", &format!("{WIDGETS}/g"), "").status, 404);
    lab.kube("DELETE", WIDGETS, "");
    let held = lab.kube("GET", &format!("{WIDGETS}/f"), "").json();
    assert!(held["metadata"]["deletionTimestamp"].is_string(), "finalizers hold here too");
}
