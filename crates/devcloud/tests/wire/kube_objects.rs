use serde_json::{Value, json};

use crate::client::{Answer, Lab};

pub(crate) const WIDGETS: &str = "/apis/example.com/v1/namespaces/m1/widgets";

/// The CRD that was used for the measurements.
pub(crate) fn crd() -> Value {
    let condition = json!({"type": "object", "required": ["type", "status"], "properties": {
        "type": {"type": "string"}, "status": {"type": "string"}, "reason": {"type": "string"},
        "message": {"type": "string"}, "lastTransitionTime": {"type": "string", "format": "date-time"},
    }});
    let env = json!({
        "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
        "items": {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string"}, "value": {"type": "string"},
        }},
    });
    let spec = json!({
        "type": "object", "required": ["size"],
        "x-kubernetes-validations": [{"rule": "self.name != 'bad'", "message": "name must not be bad"}],
        "properties": {
            "color": {"type": "string", "default": "red", "enum": ["red", "blue"]},
            "env": env,
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "name": {"type": "string", "maxLength": 5, "pattern": "^[a-z]+$"},
            "port": {"x-kubernetes-int-or-string": true},
            "size": {"type": "integer", "maximum": 10, "minimum": 1},
            "tags": {"type": "array", "maxItems": 2, "items": {"type": "string", "minLength": 1}},
        },
    });
    let status = json!({"type": "object", "properties": {
        "phase": {"type": "string"}, "observedGeneration": {"type": "integer"},
        "conditions": {
            "type": "array", "items": condition,
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"],
        },
    }});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "shortNames": ["wd"], "kind": "Widget"},
            "versions": [{
                "name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": {
                    "type": "object", "required": ["spec"], "properties": {"spec": spec, "status": status},
                }},
            }],
        },
    })
}

/// A cloud with that CRD and the namespace `m1`.
pub(crate) fn widgets() -> Lab {
    let lab = Lab::new();
    lab.cloud.kube().define(crd());
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "m1"}});
    assert_eq!(lab.kube("POST", "/api/v1/namespaces", &namespace.to_string()).status, 201);
    lab
}

pub(crate) fn widget(name: &str, spec: Value) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": name}, "spec": spec})
}

pub(crate) fn post(lab: &Lab, object: &Value) -> Answer {
    lab.kube("POST", WIDGETS, &object.to_string())
}

/// Asserts a `Status` with all it says; `details` null means none.
#[track_caller]
pub(crate) fn says(answer: &Answer, code: u16, reason: &str, message: &str, details: Value) {
    let mut wanted = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message, "code": code,
    });
    if !reason.is_empty() {
        wanted["reason"] = reason.into();
    }
    if !details.is_null() {
        wanted["details"] = details;
    }
    assert_eq!((answer.status, answer.json()), (code, wanted));
}

pub(crate) fn a() -> Value {
    json!({"name": "a", "group": "example.com", "kind": "widgets"})
}

pub(crate) const MODIFIED: &str = "Operation cannot be fulfilled on widgets.example.com \"a\": the object has been \
                                   modified; please apply your changes to the latest version and try again";

#[test]
fn create() {
    let lab = widgets();
    let mut object = widget("a", json!({"size": 3}));
    object["status"] = json!({"phase": "X"});
    let answer = post(&lab, &object);
    assert_eq!(answer.status, 201);
    let made = answer.json();
    assert_eq!(made["spec"], json!({"size": 3, "color": "red"}), "defaulted");
    assert_eq!(made.get("status"), None, "dropped");
    let metadata = &made["metadata"];
    assert_eq!((&metadata["namespace"], &metadata["generation"]), (&json!("m1"), &json!(1)));
    assert_eq!(metadata["uid"].as_str().unwrap().len(), 36);
    assert!(metadata["creationTimestamp"].as_str().unwrap().ends_with('Z'));
    assert!(metadata["resourceVersion"].as_str().unwrap().parse::<u64>().unwrap() > 0);
    says(&post(&lab, &object), 409, "AlreadyExists", "widgets.example.com \"a\" already exists", a());
    let mut generated = widget("", json!({"size": 1}));
    generated["metadata"] = json!({"generateName": "gen-"});
    let name = post(&lab, &generated).json()["metadata"]["name"].as_str().unwrap().to_owned();
    assert_eq!((name.len(), &name[..4]), (9, "gen-"));
    let dry =
        lab.kube("POST", &format!("{WIDGETS}?dryRun=All"), &widget("d", json!({"size": 1})).to_string());
    assert_eq!((dry.status, dry.json()["metadata"].get("resourceVersion")), (201, None));
    assert_eq!(lab.kube("GET", &format!("{WIDGETS}/d"), "").status, 404);
}

#[test]
fn create_refused() {
    let lab = widgets();
    let object = widget("a", json!({"size": 3}));
    let elsewhere = lab.kube("POST", &WIDGETS.replace("m1", "nope"), &object.to_string());
    let details = json!({"name": "nope", "kind": "namespaces"});
    says(&elsewhere, 404, "NotFound", "namespaces \"nope\" not found", details);
    let with = |key: &str, value: &str| {
        let mut object = object.clone();
        object["metadata"][key] = value.into();
        object
    };
    let message = "the namespace of the provided object does not match the namespace sent on the request";
    says(&post(&lab, &with("namespace", "m2")), 400, "BadRequest", message, Value::Null);
    let message = "resourceVersion should not be set on objects to be created";
    says(&post(&lab, &with("resourceVersion", "1")), 500, "", message, Value::Null);
    let mut other = object.clone();
    other["apiVersion"] = "example.com/v2".into();
    let message = "the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)";
    says(&post(&lab, &other), 400, "BadRequest", message, Value::Null);
    let send = |body: &str| lab.kube("POST", WIDGETS, body);
    says(
        &send(r#"{"metadata": {"name": "a"}}"#),
        400,
        "BadRequest",
        "the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '{\"metadata\": \
         {\"name\": \"a\"}}' ({\"metadata\": {\"name\": \"a\"}})",
        Value::Null,
    );
    says(
        &send(r#"{"a":"#),
        400,
        "BadRequest",
        "the object provided is unrecognized (must be of type Widget): couldn't get version/kind; json parse error: \
         unexpected end of JSON input ({\"a\":)",
        Value::Null,
    );
    let message = "the body of the request was in an unknown format - accepted media types include: \
                   application/json, application/yaml, application/vnd.kubernetes.protobuf";
    let text = lab.kube_as("POST", WIDGETS, "text/plain", "x");
    says(&text, 415, "UnsupportedMediaType", message, Value::Null);
}

#[test]
fn put() {
    let lab = widgets();
    let made = post(&lab, &widget("a", json!({"size": 3}))).json();
    let path = format!("{WIDGETS}/a");
    let put = |object: &Value| lab.kube("PUT", &path, &object.to_string());
    let mut changed = made.clone();
    changed["spec"]["size"] = json!(4);
    let second = put(&changed).json();
    assert_eq!(second["metadata"]["generation"], 2);
    assert_ne!(second["metadata"]["resourceVersion"], made["metadata"]["resourceVersion"]);
    says(&put(&changed), 409, "Conflict", MODIFIED, a());
    assert_eq!(put(&second).json(), second, "no change, no new resourceVersion");
    let mut without = second.clone();
    without["metadata"].as_object_mut().unwrap().remove("resourceVersion");
    let cause = "Invalid value: 0: must be specified for an update";
    let mut details = a();
    details["causes"] =
        json!([{"reason": "FieldValueInvalid", "message": cause, "field": "metadata.resourceVersion"}]);
    let message = format!("widgets.example.com \"a\" is invalid: metadata.resourceVersion: {cause}");
    says(&put(&without), 422, "Invalid", &message, details);
    let mut stranger = second.clone();
    let (zero, uid) = ("00000000-0000-0000-0000-000000000000", second["metadata"]["uid"].as_str().unwrap());
    stranger["metadata"]["uid"] = zero.into();
    let message = format!(
        "Operation cannot be fulfilled on widgets.example.com \"a\": StorageError: invalid object, Code: 4, Key: \
         /registry/example.com/widgets/m1/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in \
         precondition: {zero}, UID in object meta: {uid}"
    );
    says(&put(&stranger), 409, "Conflict", &message, a());
    let other = put(&widget("zz", json!({"size": 1})));
    let message = "the name of the object (zz) does not match the name on the URL (a)";
    says(&other, 400, "BadRequest", message, Value::Null);
    let missing = lab.kube("PUT", &format!("{WIDGETS}/zz"), &widget("zz", json!({"size": 1})).to_string());
    let details = json!({"name": "zz", "group": "example.com", "kind": "widgets"});
    says(&missing, 404, "NotFound", "widgets.example.com \"zz\" not found", details);
}

#[test]
fn patches() {
    let lab = widgets();
    let made = post(&lab, &widget("a", json!({"size": 3}))).json();
    let path = format!("{WIDGETS}/a");
    let merge = |body: &str| lab.kube("PATCH", &path, body);
    let labels = merge(r#"{"metadata": {"labels": {"x": "y"}}}"#).json();
    assert_eq!(labels["metadata"]["generation"], 1, "metadata does not count");
    let stale = made["metadata"]["resourceVersion"].as_str().unwrap();
    let body = json!({"metadata": {"resourceVersion": stale}, "spec": {"size": 9}}).to_string();
    says(&merge(&body), 409, "Conflict", MODIFIED, a());
    let current = labels["metadata"]["resourceVersion"].as_str().unwrap();
    let body = json!({"metadata": {"resourceVersion": current}, "spec": {"size": 9}}).to_string();
    assert_eq!(merge(&body).json()["metadata"]["generation"], 2);
    assert_eq!(merge(r#"{"status": {"phase": "Main"}}"#).json().get("status"), None, "ignored here");
    assert_eq!(merge(r#"{"spec": {"color": null}}"#).json()["spec"]["color"], "red", "defaulted again");
    let message = "error decoding patch: unexpected end of JSON input";
    says(&merge(r#"{"a""#), 400, "BadRequest", message, Value::Null);
    let message = "the name of the object (b) does not match the name on the URL (a)";
    says(&merge(r#"{"metadata": {"name": "b"}}"#), 400, "BadRequest", message, Value::Null);
    let json_patch = |body: &str| lab.kube_as("PATCH", &path, "application/json-patch+json", body);
    let good = r#"[{"op": "test", "path": "/spec/size", "value": 9}, {"op": "replace", "path": "/spec/size", "value": 1}]"#;
    assert_eq!(json_patch(good).json()["spec"]["size"], 1);
    for bad in [good, r#"[{"op": "remove", "path": "/metadata/labels/nope"}]"#] {
        let message = "the server rejected our request due to an error in our request";
        says(&json_patch(bad), 422, "Invalid", message, json!({}));
    }
}

#[test]
fn a_crd_over_http_takes_a_moment() {
    let lab = Lab::new();
    let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let made = lab.kube("POST", path, &crd().to_string());
    assert_eq!(made.status, 201);
    let conditions = made.json()["status"]["conditions"].clone();
    assert_eq!((&conditions[1]["type"], &conditions[1]["status"]), (&json!("Established"), &json!("True")));
    let again = lab.kube("POST", path, &crd().to_string());
    let details = json!({
        "name": "widgets.example.com", "group": "apiextensions.k8s.io", "kind": "customresourcedefinitions",
    });
    let message = "customresourcedefinitions.apiextensions.k8s.io \"widgets.example.com\" already exists";
    says(&again, 409, "AlreadyExists", message, details);
    // However slow this machine is, the answers only ever go forward.
    let mut stages = vec![404, 429, 200];
    loop {
        let answer = lab.kube("GET", WIDGETS, "");
        while stages.first().is_some_and(|stage| *stage != answer.status) {
            stages.remove(0);
        }
        match answer.status {
            404 => assert_eq!(answer.body.trim(), "404 page not found"),
            429 => assert_eq!(answer.header("Retry-After"), Some("1")),
            status => {
                assert_eq!(status, 200);
                break;
            }
        }
    }
    assert_eq!(stages, [200]);
    assert_eq!(lab.kube("DELETE", &format!("{path}/widgets.example.com"), "").status, 200);
    assert_eq!(lab.kube("GET", WIDGETS, "").body.trim(), "404 page not found");
}

#[test]
fn secrets() {
    let lab = Lab::new();
    let path = "/api/v1/namespaces/default/secrets";
    let post = |more: Value| {
        let mut secret = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}});
        for (key, value) in more.as_object().unwrap() {
            secret[key] = value.clone();
        }
        lab.kube("POST", path, &secret.to_string())
    };
    let cannot = "Secret in version \"v1\" cannot be handled as a Secret: ";
    let message = format!("{cannot}illegal base64 data at input byte 0");
    says(&post(json!({"data": {"user": "***"}})), 400, "BadRequest", &message, Value::Null);
    let message = format!(
        "{cannot}json: cannot unmarshal number into Go struct field Secret.stringData of type string"
    );
    says(&post(json!({"stringData": {"user": 5}})), 400, "BadRequest", &message, Value::Null);
    let bad = post(json!({"stringData": {"a b": "x"}}));
    assert_eq!((bad.status, &bad.json()["details"]["causes"][0]["field"]), (422, &json!("data[a b]")));
    let made = post(json!({"stringData": {"user": "bob"}, "data": {"pw": "aHVudGVyMg=="}})).json();
    assert_eq!(
        (&made["data"], &made["type"]),
        (&json!({"pw": "aHVudGVyMg==", "user": "Ym9i"}), &json!("Opaque"))
    );
    assert_eq!((made.get("stringData"), made["metadata"].get("generation")), (None, None));
    let patched = lab.kube("PATCH", &format!("{path}/s"), r#"{"data": {"pw": null}}"#).json();
    assert_eq!(patched["data"], json!({"user": "Ym9i"}));
    let changed = lab.kube("PATCH", &format!("{path}/s"), r#"{"type": "example.com/x"}"#);
    assert_eq!((changed.status, &changed.json()["details"]["kind"]), (422, &json!("Secret")));
    let deleted = lab.kube("DELETE", &format!("{path}/s"), "").json();
    let details = json!({"name": "s", "kind": "secrets", "uid": made["metadata"]["uid"]});
    assert_eq!((&deleted["status"], &deleted["details"]), (&json!("Success"), &details));
}
