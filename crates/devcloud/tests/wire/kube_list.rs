use serde_json::{Value, json};

use crate::client::Lab;
use crate::kube_objects::{WIDGETS, post, says, widget, widgets};

fn lab() -> Lab {
    let lab = widgets();
    for index in 0..4 {
        let mut object = widget(&format!("l{index}"), json!({"size": 1}));
        object["metadata"]["labels"] = json!({"l": "y", "n": index.to_string()});
        post(&lab, &object);
    }
    post(&lab, &widget("other", json!({"size": 1})));
    lab
}

fn names(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["metadata"]["name"].as_str().unwrap()).collect()
}

#[test]
fn pages() {
    let lab = lab();
    let whole = lab.kube("GET", WIDGETS, "").json();
    assert_eq!(names(&whole), ["l0", "l1", "l2", "l3", "other"]);
    assert_eq!((&whole["kind"], &whole["metadata"]["continue"]), (&json!("WidgetList"), &json!("")));
    assert_eq!(
        (&whole["items"][0]["kind"], &whole["items"][0]["apiVersion"]),
        (&json!("Widget"), &json!("example.com/v1"))
    );
    let first = lab.kube("GET", &format!("{WIDGETS}?limit=3"), "").json();
    assert_eq!(
        (names(&first), &first["metadata"]["remainingItemCount"]),
        (vec!["l0", "l1", "l2"], &json!(2))
    );
    let token = first["metadata"]["continue"].as_str().unwrap();
    let second = lab.kube("GET", &format!("{WIDGETS}?limit=3&continue={token}"), "").json();
    assert_eq!((names(&second), &second["metadata"]["continue"]), (vec!["l3", "other"], &json!("")));
    assert_eq!(second["metadata"]["resourceVersion"], first["metadata"]["resourceVersion"]);
    let all = lab.kube("GET", "/apis/example.com/v1/widgets?limit=4", "").json();
    assert_eq!(names(&all).len(), 4);
}

#[test]
fn expired_and_bad_tokens() {
    let lab = lab();
    let first = lab.kube("GET", &format!("{WIDGETS}?limit=2"), "").json();
    lab.cloud.kube().compact();
    let token = first["metadata"]["continue"].as_str().unwrap();
    let expired = lab.kube("GET", &format!("{WIDGETS}?limit=2&continue={token}"), "");
    assert_eq!((expired.status, &expired.json()["reason"]), (410, &json!("Expired")));
    let fresh = expired.json()["metadata"]["continue"].as_str().unwrap().to_owned();
    let rest = lab.kube("GET", &format!("{WIDGETS}?continue={fresh}"), "").json();
    assert_eq!(names(&rest), ["l2", "l3", "other"], "the inconsistent rest");
    let bad = lab.kube("GET", &format!("{WIDGETS}?limit=2&continue=zzz"), "");
    assert_eq!((bad.status, &bad.json()["reason"]), (400, &json!("BadRequest")));
}

#[test]
fn selectors() {
    let lab = lab();
    let get = |query: &str| lab.kube("GET", &format!("{WIDGETS}?{query}"), "");
    for (query, wanted) in [
        ("labelSelector=l%3Dy&limit=9", &["l0", "l1", "l2", "l3"][..]),
        ("labelSelector=l%3Dy%2Cn!%3D1", &["l0", "l2", "l3"]),
        ("labelSelector=!l", &["other"]),
        ("labelSelector=n", &["l0", "l1", "l2", "l3"]),
        ("fieldSelector=metadata.name%3Dl1", &["l1"]),
    ] {
        assert_eq!(names(&get(query).json()), wanted, "{query}");
    }
    let page = get("labelSelector=l%3Dy&limit=2").json();
    assert_eq!(page["metadata"].get("remainingItemCount"), None, "not known with a selector");
    says(
        &get("labelSelector=%3D%3Dx"),
        400,
        "BadRequest",
        "found '==', expected: !, identifier, or 'end of string'",
        Value::Null,
    );
    says(
        &get("fieldSelector=spec.size%3D1"),
        400,
        "BadRequest",
        "field label not supported: spec.size",
        Value::Null,
    );
}

#[test]
fn resource_versions_of_lists() {
    let lab = lab();
    let get = |query: &str| lab.kube("GET", &format!("{WIDGETS}?{query}"), "");
    assert_eq!(get("resourceVersion=0").status, 200);
    let future = get("resourceVersion=99999999");
    assert_eq!((future.status, future.header("Retry-After")), (504, Some("1")));
    assert_eq!(future.json()["details"]["causes"][0]["reason"], "ResourceVersionTooLarge");
    let message = "The resourceVersion for the provided list is too old.";
    says(&get("resourceVersion=1&resourceVersionMatch=Exact"), 410, "Expired", message, Value::Null);
    let message = "invalid resource version: resourceVersion: Invalid value: \"abc\": strconv.ParseUint: parsing \
                   \"abc\": invalid syntax";
    says(&get("resourceVersion=abc"), 400, "BadRequest", message, Value::Null);
}

#[test]
fn built_in_items_do_not_say_what_they_are() {
    let lab = Lab::new();
    let list = lab.kube("GET", "/api/v1/namespaces", "").json();
    assert_eq!(names(&list), ["default", "kube-system"]);
    assert_eq!((list["items"][0].get("kind"), list["metadata"].get("continue")), (None, None));
}
