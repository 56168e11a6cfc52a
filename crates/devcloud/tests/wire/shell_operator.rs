use devcloud::shell_operator::{event, file, group, on_startup, schedule, synchronization};
use serde_json::{Value, json};

use crate::client::Lab;
use crate::kube_objects::{crd, widget};

const BINDING: &str = "widgets";

fn lab() -> Lab {
    let lab = Lab::new();
    lab.cloud.kube().define(crd());
    for (namespace, name) in [("b", "x"), ("a", "z"), ("a", "y")] {
        let mut object = widget(name, json!({"size": 1}));
        object["metadata"]["namespace"] = namespace.into();
        lab.cloud.kube().create(object);
    }
    lab
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn each_kind_of_element_has_its_keys() {
    let lab = lab();
    let kube = lab.cloud.kube();
    let tick = schedule(kube, "Widget", BINDING, "periodic sync");
    assert_eq!(keys(&tick), ["binding", "snapshots", "type"]);
    assert_eq!((&tick["binding"], &tick["type"]), (&json!("periodic sync"), &json!("Schedule")));
    assert_eq!(keys(&tick["snapshots"]), [BINDING]);
    let first = synchronization(kube, "Widget", BINDING);
    assert_eq!(keys(&first), ["binding", "objects", "snapshots", "type"]);
    assert_eq!(first["objects"], first["snapshots"][BINDING]);
    let together = group(kube, "Widget", BINDING, "g");
    assert_eq!(keys(&together), ["binding", "groupName", "snapshots", "type"]);
    assert_eq!(on_startup(), json!({"binding": "onStartup"}));
}

#[test]
fn snapshots_are_sorted_and_whole() {
    let lab = lab();
    let first = synchronization(lab.cloud.kube(), "Widget", BINDING);
    let places: Vec<String> = first["objects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            let metadata = &item["object"]["metadata"];
            assert_eq!(item["filterResult"]["uid"], metadata["uid"]);
            assert_eq!(item["filterResult"]["deletionTimestamp"], json!(null));
            format!("{}/{}", metadata["namespace"].as_str().unwrap(), metadata["name"].as_str().unwrap())
        })
        .collect();
    assert_eq!(places, ["a/y", "a/z", "b/x"]);
    let empty = synchronization(lab.cloud.kube(), "ConfigMap", "none");
    assert_eq!((&empty["objects"], &empty["snapshots"]), (&json!([]), &json!({"none": []})));
}

#[test]
fn a_deleted_object_is_frozen_in_the_event_and_no_snapshot_comes_with_it() {
    let lab = lab();
    let kube = lab.cloud.kube();
    let last = kube.delete("Widget", "a", "y");
    let deleted = event(BINDING, "Deleted", last.clone());
    assert_eq!(keys(&deleted), ["binding", "filterResult", "object", "type", "watchEvent"]);
    assert_eq!((&deleted["object"], &deleted["watchEvent"]), (&last, &json!("Deleted")));
    let first = synchronization(kube, "Widget", BINDING);
    assert_eq!(first["snapshots"][BINDING].as_array().unwrap().len(), 2);
    let text = file(&[deleted.clone(), on_startup()]);
    assert!(text.ends_with("]\n"));
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json!([deleted, on_startup()]));
}
