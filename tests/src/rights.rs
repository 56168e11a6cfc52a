//! Rights in Kubernetes.

use std::collections::BTreeSet;

use serde_json::Value;

/// API group (empty for the core group), resource with its subresource if any, verb.
pub type Right = (String, String, String);

/// What a Role or ClusterRole grants.
///
/// # Panics
/// If it has no rules, or grants something twice.
pub fn rights(role: &Value) -> BTreeSet<Right> {
    let mut all = BTreeSet::new();
    for rule in role["rules"].as_array().unwrap_or_else(|| panic!("a role has rules: {role}")) {
        let words = |key: &str| rule[key].as_array().into_iter().flatten().filter_map(Value::as_str);
        for group in words("apiGroups") {
            for resource in words("resources") {
                for verb in words("verbs") {
                    let right = (group.to_owned(), resource.to_owned(), verb.to_owned());
                    assert!(all.insert(right), "{group}/{resource} {verb} stands twice in {role}");
                }
            }
        }
    }
    all
}
