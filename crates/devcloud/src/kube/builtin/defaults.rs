//! What the server fills in and no schema can say.

use serde_json::{Value, json};

use crate::kube::kind::{Kind, Version};
use crate::kube::meta;
use crate::random::Ids;

/// Defaults that come from other fields: they belong to whoever writes the object.
pub(crate) fn fill(kind: &Kind, object: &mut Value) {
    match (kind.group.as_str(), kind.kind.as_str()) {
        ("", "Service") => {
            for port in object["spec"].get_mut("ports").and_then(Value::as_array_mut).into_iter().flatten() {
                if port.get("targetPort").is_none() && port.get("port").is_some() {
                    port["targetPort"] = port["port"].clone();
                }
            }
        }
        ("", "Namespace") if !meta::text(object, "name").is_empty() => {
            object["metadata"]["labels"]["kubernetes.io/metadata.name"] = meta::text(object, "name").into();
        }
        ("", "Pod") => pull_policies(object.pointer_mut("/spec")),
        ("apps" | "batch", _) => pull_policies(object.pointer_mut("/spec/template/spec")),
        ("template.openshift.io", "Template") => template(object),
        _ => {}
    }
}

/// Images without a tag, or with the tag `latest`, are pulled always.
fn pull_policies(pod: Option<&mut Value>) {
    let Some(pod) = pod else { return };
    for list in ["containers", "initContainers"] {
        let containers = pod.get_mut(list).and_then(Value::as_array_mut);
        for container in containers.into_iter().flatten().filter(|container| container.is_object()) {
            let image = container["image"].as_str().unwrap_or_default();
            let last = image.rsplit('/').next().unwrap_or_default();
            let pinned = image.contains('@') || last.split_once(':').is_some_and(|(_, tag)| tag != "latest");
            if container.get("imagePullPolicy").is_none_or(Value::is_null) {
                container["imagePullPolicy"] = if pinned { "IfNotPresent" } else { "Always" }.into();
            }
        }
    }
}

/// `objects` is always told, an empty list of parameters never (measured).
fn template(object: &mut Value) {
    let Some(map) = object.as_object_mut() else { return };
    map.entry("objects").or_insert(Value::Null);
    for key in ["parameters", "labels", "message"] {
        let empty = map.get(key).is_some_and(|value| {
            value.is_null() || value == "" || value == &json!([]) || value == &json!({})
        });
        if empty {
            map.remove(key);
        }
    }
}

/// What the server allots to an object of its own accord when it stores it: nobody owns that.
pub(crate) fn allot(kind: &Kind, version: &Version, ids: &Ids, object: &mut Value) {
    let name = meta::text(object, "name").to_owned();
    match (kind.group.as_str(), kind.kind.as_str()) {
        ("", "Namespace") => {
            object["metadata"]["labels"]["kubernetes.io/metadata.name"] = name.into();
            object["spec"] = json!({"finalizers": ["kubernetes"]});
        }
        ("", "PersistentVolumeClaim") => {
            object["metadata"]["finalizers"] = json!(["kubernetes.io/pvc-protection"]);
        }
        ("", "Service") => address(object, ids),
        ("batch", "Job") => job(object, &name),
        ("route.openshift.io", "Route") if object["spec"]["host"].as_str().unwrap_or_default().is_empty() => {
            let host = format!("{name}-{}.router.default.svc.cluster.local", meta::text(object, "namespace"));
            object["spec"]["host"] = host.into();
            object["metadata"]["annotations"]["openshift.io/host.generated"] = "true".into();
        }
        _ => {}
    }
    let status = match kind.kind.as_str() {
        "Namespace" => json!({"phase": "Active"}),
        "Pod" => json!({"phase": "Pending", "qosClass": "BestEffort"}),
        "PersistentVolumeClaim" => json!({"phase": "Pending"}),
        "Service" => json!({"loadBalancer": {}}),
        _ => json!({}),
    };
    if kind.builtin && version.status {
        object["status"] = status;
    }
}

fn address(service: &mut Value, ids: &Ids) {
    let spec = &mut service["spec"];
    if spec["type"] == "ExternalName" {
        return;
    }
    if spec["clusterIP"].as_str().unwrap_or_default().is_empty() {
        spec["clusterIP"] = format!("10.96.{}.{}", ids.below(256), 1 + ids.below(254)).into();
    }
    spec["clusterIPs"] = json!([spec["clusterIP"]]);
    for (key, value) in [("ipFamilies", json!(["IPv4"])), ("ipFamilyPolicy", json!("SingleStack"))] {
        if spec.get(key).is_none() {
            spec[key] = value;
        }
    }
}

fn job(job: &mut Value, name: &str) {
    if job["spec"]["manualSelector"] == true {
        return;
    }
    let uid = meta::text(job, "uid").to_owned();
    job["spec"]["selector"] = json!({"matchLabels": {"batch.kubernetes.io/controller-uid": uid}});
    for (key, value) in [
        ("batch.kubernetes.io/controller-uid", uid.as_str()),
        ("batch.kubernetes.io/job-name", name),
        ("controller-uid", &uid),
        ("job-name", name),
    ] {
        job["spec"]["template"]["metadata"]["labels"][key] = value.into();
    }
}

/// What an update cannot take away from an object, as it was allotted.
pub(crate) fn keep(kind: &Kind, old: &Value, new: &mut Value) {
    let kept: &[&str] = match (kind.group.as_str(), kind.kind.as_str()) {
        ("", "Service") => &["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"],
        ("", "Namespace") => &["finalizers"],
        ("batch", "Job") => &["selector"],
        ("route.openshift.io", "Route") => &["host"],
        _ => return,
    };
    for key in kept {
        let lacks = new["spec"].get(key).is_none_or(|value| value.is_null() || value == "");
        if let (Some(value), true) = (old["spec"].get(key), lacks) {
            new["spec"][key] = value.clone();
        }
    }
    if kind.kind == "Job" {
        let labels = old.pointer("/spec/template/metadata/labels").and_then(Value::as_object);
        for (key, value) in labels
            .into_iter()
            .flatten()
            .filter(|(key, _)| key.contains("controller-uid") || key.contains("job-name"))
        {
            if new.pointer(&format!("/spec/template/metadata/labels/{}", key.replace('/', "~1"))).is_none() {
                new["spec"]["template"]["metadata"]["labels"][key] = value.clone();
            }
        }
    }
}
