//! Last by its name: what all scenarios together asked of the API server.

use std::collections::BTreeSet;

use openstack_sync_tests::kubernetes::{ControlPlane, PREFIX, Release, audit};
use openstack_sync_tests::{rights, yaml};
use serde_json::{Value, json};

/// What every client of an API server may ask: which kinds there are.
const NO_RESOURCE: &str = "";

/// No request of an operator or a hook was refused, each verb that the chart grants was used, and no other.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn rights_are_exactly_what_is_used() {
    let plane = ControlPlane::shared();
    let release = Release::new(plane, &format!("{PREFIX}audit"));
    // The kinds of objects that the site lets Templates make are those of the example.
    let example = yaml("components/openstack-sync-operator/examples/template-workloads.yaml");
    let plugins =
        json!({"neutronRouterFlavors": true, "openstackPlaceholder": true, "templateWorkloads": true});
    release.install(&json!({"plugins": plugins, "rbac": example["rbac"]}));
    let text = plane.kubectl(&["--namespace", &release.namespace, "get", "roles", "--output", "json"]);
    let roles: Value = serde_json::from_str(&text).expect("JSON");
    let roles = roles["items"].as_array().expect("a list");
    let rules = roles.iter().flat_map(|role| role["rules"].as_array().expect("rules"));
    // One by one: the site may grant again what the chart grants.
    let granted: BTreeSet<_> = rules.flat_map(|rule| rights(&json!({"rules": [rule]}))).collect();
    let asked = audit::asked(plane, PREFIX);
    assert!(asked.forbidden.is_empty(), "{:?}", asked.forbidden);
    let used: BTreeSet<_> =
        asked.used.into_iter().filter(|(_, resource, _)| resource != NO_RESOURCE).collect();
    assert_eq!(used, granted, "used, and granted");
}
