//! Names: of which objects, and that Kubernetes gets them as texts.

use serde_json::Value;

use crate::helm::{NAMESPACE, RELEASE, Rendered, render};

const FLAVORS: &str = "plugins.neutronRouterFlavors=true";

/// Asserts that every name, namespace and label is a text, wherever it stands.
#[track_caller]
fn assert_texts(value: &Value) {
    let below: Vec<&Value> = match value {
        Value::Object(map) => {
            for (key, value) in map {
                match key.as_str() {
                    "name" | "namespace" | "serviceAccountName" | "priorityClassName" => {
                        assert!(value.is_string(), "{key}: {value}");
                    }
                    "labels" | "matchLabels" => {
                        assert!(value.as_object().unwrap().values().all(Value::is_string), "{value}");
                    }
                    _ => {}
                }
            }
            map.values().collect()
        }
        Value::Array(list) => list.iter().collect(),
        _ => Vec::new(),
    };
    below.into_iter().for_each(assert_texts);
}

#[test]
#[ignore = "needs helm: make chart"]
fn names_that_read_as_numbers_or_null_are_texts() {
    let set = [
        "watchNamespaces={null,5}",
        "secretNames={0}",
        "fullnameOverride=123",
        "nameOverride=1e3",
        "serviceAccount.name=456",
        "priorityClassName=789",
        "env.NULL=x",
    ];
    let rendered = render(&["--namespace", "42", "--set", FLAVORS, "--set-string", &set.join(",")]);
    rendered.0.iter().for_each(assert_texts);
    assert_eq!(rendered.one("Deployment")["metadata"]["name"], "123");
    assert_eq!(rendered.one("Deployment")["metadata"]["namespace"], "42");
    let watched: Vec<&Value> =
        rendered.of_kind("Role").iter().map(|role| &role["metadata"]["namespace"]).collect();
    assert_eq!(watched, ["null", "5"]);
    assert_eq!(rendered.pod()["serviceAccountName"], "456");
    assert_eq!(rendered.pod()["priorityClassName"], "789");
    assert!(rendered.env().contains_key("NULL"));
}

/// The namespace and the name of each Role, after a look at its binding.
fn roles<'a>(rendered: &'a Rendered) -> Vec<[&'a str; 2]> {
    let pairs = rendered.of_kind("Role").into_iter().zip(rendered.of_kind("RoleBinding"));
    let of = |(role, binding): (&'a Value, &Value)| {
        assert_eq!(role["metadata"], binding["metadata"]);
        assert_eq!(role["metadata"]["name"], binding["roleRef"]["name"]);
        let metadata = &role["metadata"];
        ["namespace", "name"].map(|key| metadata[key].as_str().unwrap())
    };
    pairs.map(of).collect()
}

/// In its own namespace a release has the names of chart 0.2.0. Elsewhere another release may have the same name.
#[test]
#[ignore = "needs helm: make chart"]
fn releases_of_one_name_do_not_share_a_role_in_a_third_namespace() {
    let watched = "watchNamespaces={third,openstack}";
    let one = render(&["--set", FLAVORS, "--set", watched]);
    let other = render(&["--set", FLAVORS, "--set", watched, "--namespace", "other"]);
    let [in_one, in_other] = [NAMESPACE, "other"].map(|namespace| format!("{namespace}:{RELEASE}"));
    assert_eq!(roles(&one), [["third", &in_one], [NAMESPACE, RELEASE]]);
    assert_eq!(roles(&other), [["third", &in_other], [NAMESPACE, &in_other]]);
}

#[test]
#[ignore = "needs helm: make chart"]
fn a_name_that_is_cut_between_dashes_ends_in_none() {
    let long = format!("{}---b", "a".repeat(61));
    let rendered = render(&["--set", &format!("fullnameOverride={long},nameOverride={long}")]);
    let metadata = &rendered.one("Deployment")["metadata"];
    assert_eq!(metadata["name"], "a".repeat(61));
    assert_eq!(metadata["labels"]["app.kubernetes.io/name"], "a".repeat(61));
}
