use serde_json::{Value, json};

use crate::client::{Answer, Lab};
use crate::kube_objects::{WIDGETS, crd, post, says, widget, widgets};

const UNCHECKED: &str = "Invalid value: null: some validation rules were not checked because the object was invalid; \
                         correct the existing errors to complete validation";

fn cause(reason: &str, field: &str, message: &str) -> Value {
    json!({"reason": reason, "message": message, "field": field})
}

#[track_caller]
fn invalid(answer: &Answer, name: &str, causes: &[Value]) {
    let texts: Vec<String> = causes
        .iter()
        .map(|cause| format!("{}: {}", cause["field"].as_str().unwrap(), cause["message"].as_str().unwrap()))
        .collect();
    let text = if texts.len() == 1 { texts[0].clone() } else { format!("[{}]", texts.join(", ")) };
    let message = format!("Widget.example.com \"{name}\" is invalid: {text}");
    let mut details = json!({"group": "example.com", "kind": "Widget", "causes": causes});
    if !name.is_empty() {
        details["name"] = name.into();
    }
    says(answer, 422, "Invalid", &message, details);
}

#[test]
fn every_violation_is_a_cause() {
    let lab = widgets();
    let spec =
        json!({"size": 99, "color": "green", "name": "TOOLONGNAME", "env": [{"name": "x"}, {"name": "x"}]});
    let causes = [
        cause(
            "FieldValueNotSupported",
            "spec.color",
            "Unsupported value: \"green\": supported values: \"red\", \"blue\"",
        ),
        cause("FieldValueTooLong", "spec.name", "Too long: may not be more than 5 bytes"),
        cause(
            "FieldValueInvalid",
            "spec.size",
            "Invalid value: 99: spec.size in body should be less than or equal to 10",
        ),
        cause("FieldValueDuplicate", "spec.env[1]", "Duplicate value: {\"name\":\"x\"}"),
        cause("FieldValueInvalid", "<nil>", UNCHECKED),
    ];
    invalid(&post(&lab, &widget("b", spec)), "b", &causes);
}

#[test]
fn single_violations() {
    let lab = widgets();
    let unchecked = || cause("FieldValueInvalid", "<nil>", UNCHECKED);
    let required = cause("FieldValueRequired", "spec.size", "Required value");
    invalid(&post(&lab, &widget("b", json!({}))), "b", &[required, unchecked()]);
    let message = "Invalid value: \"string\": spec.size in body must be of type integer: \"string\"";
    let wrong = cause("FieldValueTypeInvalid", "spec.size", message);
    invalid(&post(&lab, &widget("b", json!({"size": "three"}))), "b", &[wrong, unchecked()]);
    let nameless =
        cause("FieldValueRequired", "metadata.name", "Required value: name or generateName is required");
    invalid(&post(&lab, &widget("", json!({"size": 1}))), "", &[nameless, unchecked()]);
    let message = "Invalid value: \"Bad_Name\": a lowercase RFC 1123 subdomain must consist of lower case \
                   alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. \
                   'example.com', regex used for validation is \
                   '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    let name = cause("FieldValueInvalid", "metadata.name", message);
    invalid(&post(&lab, &widget("Bad_Name", json!({"size": 1}))), "Bad_Name", &[name]);
    let message = "Invalid value: \"AB\": spec.name in body should match '^[a-z]+$'";
    let pattern = cause("FieldValueInvalid", "spec.name", message);
    invalid(&post(&lab, &widget("b", json!({"size": 1, "name": "AB"}))), "b", &[pattern]);
    let short = cause(
        "FieldValueInvalid",
        "spec.tags[0]",
        "Invalid value: \"\": spec.tags[0] in body should be at least 1 chars long",
    );
    invalid(&post(&lab, &widget("b", json!({"size": 1, "tags": [""]}))), "b", &[short]);
    let many = cause("FieldValueTooMany", "spec.tags", "Too many: 3: must have at most 2 items");
    invalid(
        &post(&lab, &widget("b", json!({"size": 1, "tags": ["a", "b", "c"]}))),
        "b",
        &[many, unchecked()],
    );
    let mut gizmo = widget("a", json!({"size": 1}));
    gizmo["kind"] = "Gizmo".into();
    let details = json!({
        "name": "a", "group": "example.com", "kind": "Gizmo",
        "causes": [cause("FieldValueInvalid", "kind", "Invalid value: \"Gizmo\": must be Widget")],
    });
    let message = "Gizmo.example.com \"a\" is invalid: kind: Invalid value: \"Gizmo\": must be Widget";
    says(&post(&lab, &gizmo), 422, "Invalid", message, details);
    for good in [json!({"size": 1, "port": 1}), json!({"size": 1, "port": "http"})] {
        let path = format!("{WIDGETS}?dryRun=All");
        assert_eq!(lab.kube("POST", &path, &widget("p", good).to_string()).status, 201);
    }
    assert_eq!(post(&lab, &widget("p", json!({"size": 1, "port": true}))).status, 422);
}

#[test]
fn unknown_fields_are_pruned_with_a_warning() {
    let lab = widgets();
    let object = widget("u", json!({"size": 1, "nosuch": true, "free": {"x": 1}})).to_string();
    let answer = lab.kube("POST", WIDGETS, &object);
    assert_eq!(answer.header("Warning"), Some(r#"299 - "unknown field \"spec.nosuch\"""#));
    assert_eq!(answer.json()["spec"], json!({"size": 1, "color": "red", "free": {"x": 1}}));
    let strict = lab.kube("POST", &format!("{WIDGETS}?fieldValidation=Strict"), &object);
    let message = "Widget in version \"v1\" cannot be handled as a Widget: strict decoding error: unknown field \
                   \"spec.nosuch\"";
    says(&strict, 400, "BadRequest", message, Value::Null);
}

/// Measured: as if they had not been sent, in each write but an apply. Items of lists stay.
#[test]
fn nulls_of_fields_that_may_not_be_null_go_silently() {
    let lab = widgets();
    let nulls = json!({
        "size": 1, "color": null, "name": null, "tags": null, "env": [{"name": "x", "value": null}],
        "free": {"a": null},
    });
    let kept = json!({"size": 1, "color": "red", "env": [{"name": "x"}], "free": {"a": null}});
    let answer = post(&lab, &widget("n", nulls.clone()));
    assert_eq!((answer.status, &answer.json()["spec"]), (201, &kept));
    assert_eq!(answer.header("Warning"), None);
    let path = format!("{WIDGETS}/n");
    let put = lab.kube("PUT", &path, &{
        let mut object = answer.json();
        object["spec"] = nulls.clone();
        object.to_string()
    });
    assert_eq!((put.status, &put.json()["spec"]), (200, &kept));
    let unchecked = || cause("FieldValueInvalid", "<nil>", UNCHECKED);
    let required = cause("FieldValueRequired", "spec.size", "Required value");
    invalid(&post(&lab, &widget("b", json!({"size": null}))), "b", &[required, unchecked()]);
    let message = "Invalid value: \"null\": spec.tags[0] in body must be of type string: \"null\"";
    let item = cause("FieldValueTypeInvalid", "spec.tags[0]", message);
    invalid(&post(&lab, &widget("b", json!({"size": 1, "tags": [null]}))), "b", &[item, unchecked()]);
    let operations = json!([{"op": "add", "path": "/spec/name", "value": null}]).to_string();
    let patched = lab.kube_as("PATCH", &path, "application/json-patch+json", &operations);
    assert_eq!((patched.status, &patched.json()["spec"]), (200, &kept));
}

#[test]
fn what_did_not_change_is_not_held_against_an_update() {
    let lab = widgets();
    let kube = lab.cloud.kube();
    kube.create(json!({
        "apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"namespace": "m1", "name": "old"},
        "spec": {"size": 9},
    }));
    let mut tighter = crd();
    tighter["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["size"]
        ["maximum"] = json!(5);
    kube.define(tighter);
    let path = format!("{WIDGETS}/old");
    let patch = |sub: &str, body: &str| lab.kube("PATCH", &format!("{path}{sub}"), body);
    assert_eq!(patch("/status", r#"{"status": {"phase": "x"}}"#).status, 200);
    assert_eq!(patch("", r#"{"metadata": {"finalizers": ["example.com/clean"]}}"#).status, 200);
    assert_eq!(patch("", r#"{"spec": {"color": "blue"}}"#).status, 200);
    assert_eq!(patch("", r#"{"spec": {"size": 8}}"#).status, 422);
}

#[test]
fn a_bad_crd_is_refused() {
    let lab = Lab::new();
    let mut wrong = crd();
    wrong["metadata"]["name"] = "wrong.example.com".into();
    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let answer = lab.kube("POST", path, &wrong.to_string());
    let message = "Invalid value: \"wrong.example.com\": must be spec.names.plural+\".\"+spec.group";
    assert_eq!(answer.status, 422);
    assert_eq!(answer.json()["details"]["causes"][0], cause("FieldValueInvalid", "metadata.name", message));
}
