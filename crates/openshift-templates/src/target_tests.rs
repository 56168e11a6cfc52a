use super::*;
use proptest::prelude::*;
use serde_json::json;

fn kind(kind: &str, plural: &str, namespaced: bool) -> Kind {
    Kind { kind: kind.to_owned(), resource: Resource::core(plural), namespaced }
}

fn kinds() -> Kinds {
    let core = vec![kind("ConfigMap", "configmaps", true), kind("Namespace", "namespaces", false)];
    let machine = Kind {
        kind: "VirtualMachine".into(),
        resource: Resource::new("kubevirt.io", "v1", "virtualmachines"),
        namespaced: true,
    };
    Kinds::from([("v1".to_owned(), core), ("kubevirt.io/v1".to_owned(), vec![machine])])
}

fn reference(api_version: &str, kind: &str, name: &str) -> Reference {
    Reference {
        api_version: api_version.into(),
        kind: kind.into(),
        namespace: "jobs".into(),
        name: name.into(),
        uid: None,
    }
}

fn object(metadata: Value) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})
}

#[test]
fn an_object_is_identified() {
    for metadata in [
        json!({"name": "a"}),
        json!({"name": "a", "namespace": "jobs"}),
        json!({"name": "a", "namespace": ""}),
        json!({"name": "a", "namespace": null}),
        json!({"name": "a", "generateName": ""}),
        json!({"name": "a", "generateName": null}),
        json!({"name": "a", "uid": "00000000-0000-0000-0000-000000000000"}),
    ] {
        assert_eq!(identify(0, &object(metadata), "jobs").unwrap(), reference("v1", "ConfigMap", "a"));
    }
}

#[test]
fn unsafe_objects_are_refused() {
    for (object, problem) in [
        (json!(null), "object 3 of the template: it is not an object"),
        (json!({"apiVersion": "v1", "kind": ""}), "object 3 of the template: the kind is missing"),
        (json!({"apiVersion": "v1", "kind": 5}), "object 3 of the template: the kind is missing"),
        (
            json!({"apiVersion": "v1", "kind": "Config Map\n"}),
            "object 3 of the template: the kind is not the name of a kind: letters, digits and - inside, 63 at most",
        ),
        (json!({"apiVersion": "", "kind": "X"}), "object 3 of the template (X): the apiVersion is missing"),
        (
            json!({"apiVersion": "a/b/c", "kind": "X"}),
            "object 3 of the template (X): the apiVersion is neither VERSION nor GROUP/VERSION",
        ),
        (
            json!({"apiVersion": "v1", "kind": "List", "items": []}),
            "object 3 of the template (List): a List is not one object: put its items among the template's objects",
        ),
        (
            json!({"apiVersion": "v1", "kind": "ConfigMap"}),
            "object 3 of the template (ConfigMap): metadata.name cannot be used: it is empty",
        ),
        (
            object(json!("m")),
            "object 3 of the template (ConfigMap): metadata.name cannot be used: it is empty",
        ),
        (object(json!({"name": 5})), "object 3 of the template (ConfigMap): metadata.name is not a string"),
        (
            object(json!({"name": "../x"})),
            "object 3 of the template (ConfigMap): metadata.name cannot be used: it contains \"/\" or \"%\"",
        ),
        (
            object(json!({"name": "x\nforged line"})),
            "object 3 of the template (ConfigMap): metadata.name cannot be used: it has characters that cannot be \
             printed",
        ),
        (
            object(json!({"name": "a-${NOPE}"})),
            "object 3 of the template (ConfigMap): metadata.name refers to a parameter that the template does not have",
        ),
        (
            object(json!({"name": "a", "labels": "x"})),
            "object 3 of the template (ConfigMap): metadata.labels is not a map",
        ),
        (
            object(json!({"name": "a", "annotations": [1]})),
            "object 3 of the template (ConfigMap): metadata.annotations is not a map",
        ),
        (
            object(json!({"generateName": "a-"})),
            "object 3 of the template (ConfigMap): metadata.generateName is set: give it a metadata.name alone",
        ),
        (
            object(json!({"name": "a", "generateName": "a-"})),
            "object 3 of the template (ConfigMap): metadata.generateName is set: give it a metadata.name alone",
        ),
        (
            object(json!({"name": "a", "generateName": 5})),
            "object 3 of the template (ConfigMap): metadata.generateName is set: give it a metadata.name alone",
        ),
        (
            object(json!({"name": "a", "namespace": "prod"})),
            "object 3 of the template (ConfigMap): metadata.namespace is not the target namespace \"jobs\"",
        ),
        (
            object(json!({"name": "a", "namespace": "${NOPE}"})),
            "object 3 of the template (ConfigMap): metadata.namespace is not the target namespace \"jobs\": \
             it refers to a parameter that the template does not have",
        ),
        (
            object(json!({"name": "a", "namespace": 5})),
            "object 3 of the template (ConfigMap): metadata.namespace is not a string",
        ),
    ] {
        assert_eq!(identify(2, &object, "jobs").unwrap_err().to_string(), problem);
    }
}

#[test]
fn kinds_are_looked_up() {
    let machine = resolve(&reference("kubevirt.io/v1", "VirtualMachine", "vm"), &kinds()).unwrap();
    assert_eq!(machine.resource, Resource::new("kubevirt.io", "v1", "virtualmachines"));
    for (reference, problem) in [
        (
            reference("v1", "Namespace", "x"),
            "v1 Namespace jobs/x: the kind is cluster-scoped: only objects in the target namespace are touched",
        ),
        (
            reference("v1", "Widget", "x"),
            "v1 Widget jobs/x: the cluster does not serve this kind: is its CRD or its API installed?",
        ),
        (
            reference("example.com/v1", "ConfigMap", "x"),
            "example.com/v1 ConfigMap jobs/x: the cluster does not serve this kind: is its CRD or its API installed?",
        ),
    ] {
        assert_eq!(resolve(&reference, &kinds()).unwrap_err().to_string(), problem);
    }
}

#[test]
fn a_kind_in_two_places_is_ambiguous() {
    let mut kinds = kinds();
    kinds.get_mut("v1").unwrap().push(kind("ConfigMap", "othermaps", true));
    let error = resolve(&reference("v1", "ConfigMap", "x"), &kinds).unwrap_err().to_string();
    assert_eq!(error, "v1 ConfigMap jobs/x: the kind is served twice, as configmaps and as othermaps");
}

#[test]
fn one_object_twice_is_refused_whatever_its_version() {
    let target = |api_version: &str, resource: Resource, name: &str| Target {
        reference: reference(api_version, "Widget", name),
        resource,
    };
    let widgets = |version: &str| Resource::new("example.com", version, "widgets");
    let one = target("example.com/v1", widgets("v1"), "a");
    let older = target("example.com/v1beta1", widgets("v1beta1"), "a");
    let other = target("example.com/v1", widgets("v1"), "b");
    let core = target("v1", Resource::core("widgets"), "a");
    distinct(&[one.clone(), other, core]).unwrap();
    let error = distinct(&[one, older]).unwrap_err().to_string();
    assert_eq!(error, "example.com/v1beta1 Widget jobs/a: the template has it twice");
}

fn metadata() -> impl Strategy<Value = Value> {
    let leaf = || {
        prop_oneof![
            Just(Value::Null),
            Just(json!("")),
            Just(json!("jobs")),
            "[a-z./%${}]{1,5}".prop_map(Value::from),
            any::<i8>().prop_map(Value::from)
        ]
    };
    prop::collection::btree_map(
        prop_oneof![Just("name"), Just("namespace"), Just("generateName"), Just("uid")],
        leaf(),
        0..4,
    )
    .prop_map(|map| json!(map))
}

proptest! {
    /// Whatever a template renders: what is accepted has a name of its own, is in the target namespace, and
    /// carries no uid.
    #[test]
    fn what_is_accepted_is_safe(metadata in metadata()) {
        if let Ok(reference) = identify(0, &object(metadata.clone()), "jobs") {
            prop_assert_eq!(&reference.namespace, "jobs");
            prop_assert_eq!(reference.uid, None);
            prop_assert!(!reference.name.is_empty() && !reference.name.contains('/'));
            prop_assert_eq!(&metadata["name"], &reference.name);
            prop_assert!(matches!(metadata["namespace"].as_str(), None | Some("" | "jobs")));
            prop_assert!(matches!(metadata["generateName"].as_str(), None | Some("")));
        }
    }
}
