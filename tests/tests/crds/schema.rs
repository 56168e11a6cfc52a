//! The nodes of the schemas in the CRDs.

use std::sync::LazyLock;

use openstack_sync_tests::{CRDS, crds};
use serde_json::{Map, Value};

/// The CRD of this kind.
pub(crate) fn crd(kind: &str) -> Value {
    let found = crds().into_iter().find(|crd| crd["spec"]["names"]["kind"] == kind);
    found.unwrap_or_else(|| panic!("no CRD in {CRDS} defines the kind {kind}"))
}

/// The schema of the stored version.
pub(crate) fn root(crd: &Value) -> &Value {
    let versions = crd["spec"]["versions"].as_array().expect("versions");
    let stored = versions.iter().find(|version| version["storage"] == true).expect("a stored version");
    &stored["schema"]["openAPIV3Schema"]
}

/// The properties of an object's schema.
pub(crate) fn properties(schema: &Value) -> &Map<String, Value> {
    static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
    schema["properties"].as_object().unwrap_or(&NONE)
}

/// Whether an object's schema requires `key`.
pub(crate) fn requires(schema: &Value, key: &str) -> bool {
    schema["required"].as_array().is_some_and(|required| required.iter().any(|name| name == key))
}

/// Every node below `schema` with a JSON pointer to the value that it describes; the items of a list are at
/// index 0, the values of a map with keys of the user's choice at `*`. The node itself is first.
pub(crate) fn nodes(schema: &Value) -> Vec<(String, &Value)> {
    let mut found = vec![(String::new(), schema)];
    let below = properties(schema).iter().map(|(key, inner)| (format!("/{key}"), inner));
    let items = schema.get("items").map(|inner| ("/0".to_owned(), inner));
    let values = schema.get("additionalProperties").map(|inner| ("/*".to_owned(), inner));
    for (step, inner) in below.chain(items).chain(values) {
        found.extend(nodes(inner).into_iter().map(|(rest, node)| (format!("{step}{rest}"), node)));
    }
    found
}
