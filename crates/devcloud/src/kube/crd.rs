//! From a CustomResourceDefinition to a served kind.

use std::time::{Instant, SystemTime};

use serde_json::{Value, json};

use crate::kube::kind::{Kind, Version};
use crate::kube::status::Cause;
use crate::time;

/// Reads a CRD (`apiextensions.k8s.io/v1`); the causes say what is wrong with it.
pub(crate) fn kind(crd: &Value, created: Option<Instant>) -> Result<Kind, Vec<Cause>> {
    let spec = &crd["spec"];
    let mut causes = Vec::new();
    let mut text = |pointer: &str, value: &Value| match value.as_str() {
        Some(text) if !text.is_empty() => text.to_owned(),
        _ => {
            causes.push(Cause::new("FieldValueRequired", pointer, "Required value"));
            String::new()
        }
    };
    let group = text("spec.group", &spec["group"]);
    let plural = text("spec.names.plural", &spec["names"]["plural"]);
    let kind = text("spec.names.kind", &spec["names"]["kind"]);
    let scope = text("spec.scope", &spec["scope"]);
    let name = crd["metadata"]["name"].as_str().unwrap_or_default();
    if name != format!("{plural}.{group}") {
        let message = format!("Invalid value: {name:?}: must be spec.names.plural+\".\"+spec.group");
        causes.push(Cause::new("FieldValueInvalid", "metadata.name", message));
    }
    let mut listed: Vec<&Value> = spec["versions"].as_array().into_iter().flatten().collect();
    // The stored version first; the others stay in their order.
    listed.sort_by_key(|version| version["storage"] != true);
    if listed.iter().filter(|version| version["storage"] == true).count() != 1 {
        let message = "Invalid value: must have exactly one version marked as storage version";
        causes.push(Cause::new("FieldValueInvalid", "spec.versions", message));
    }
    let versions = listed
        .into_iter()
        .filter(|version| version["served"] == true)
        .map(|version| Version {
            name: version["name"].as_str().unwrap_or_default().to_owned(),
            schema: version["schema"].get("openAPIV3Schema").cloned(),
            status: version["subresources"].get("status").is_some(),
        })
        .collect();
    if !causes.is_empty() {
        return Err(causes);
    }
    let names = &spec["names"];
    let or = |key: &str, default: String| names[key].as_str().map_or(default, str::to_owned);
    Ok(Kind {
        list_kind: or("listKind", format!("{kind}List")),
        singular: or("singular", kind.to_lowercase()),
        short_names: strings(&names["shortNames"]),
        categories: strings(&names["categories"]),
        namespaced: scope == "Namespaced",
        builtin: false,
        generation: true,
        group,
        kind,
        plural,
        versions,
        created,
    })
}

/// A CRD whose objects may have any field.
pub(crate) fn open(group: &str, version: &str, kind: &str, plural: &str, namespaced: bool) -> Value {
    let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.{group}")},
        "spec": {
            "group": group, "scope": if namespaced { "Namespaced" } else { "Cluster" },
            "names": {"plural": plural, "singular": kind.to_lowercase(), "kind": kind},
            "versions": [{
                "name": version, "served": true, "storage": true, "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": schema},
            }],
        },
    })
}

/// The status that the API server's controllers write.
pub(crate) fn established(kind: &Kind) -> Value {
    let now = time::seconds(SystemTime::now());
    let condition = |name: &str, reason: &str, message: &str| json!({"type": name, "status": "True", "lastTransitionTime": now, "reason": reason, "message": message});
    json!({
        "conditions": [
            condition("NamesAccepted", "NoConflicts", "no conflicts found"),
            condition("Established", "InitialNamesAccepted", "the initial names have been accepted"),
        ],
        "acceptedNames": {
            "plural": kind.plural, "singular": kind.singular, "shortNames": kind.short_names,
            "kind": kind.kind, "listKind": kind.list_kind,
        },
        "storedVersions": [kind.versions.first().map_or("", |version| &version.name)],
    })
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}
