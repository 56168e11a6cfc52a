//! Whatever a Template renders: what is created can be deleted, and nothing else is touched.

use openshift_templates::{Error, Selection, TemplateInputs};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{Lab, config_map, job};

/// A text of a template, with references in it.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![Just("${A}"), Just("${B}"), Just("x"), Just("${NOPE}"), Just("-")];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

/// An object, sometimes one that must be refused.
fn object() -> impl Strategy<Value = Value> {
    let kind = prop_oneof![
        4 => Just(("v1", "ConfigMap")),
        4 => Just(("v1", "Secret")),
        3 => Just(("kubevirt.io/v1", "VirtualMachine")),
        1 => Just(("v1", "Namespace")),
        1 => Just(("example.com/v1", "Widget")),
    ];
    let name = prop_oneof![
        4 => "[a-d]".prop_map(|name| format!("${{A}}-{name}")),
        4 => "[a-d]".prop_map(|name| format!("{name}${{N}}.${{A}}")),
        1 => Just(String::new()),
        1 => Just("${NOPE}".to_owned()),
    ];
    let namespace = prop_oneof![
        8 => Just(Value::Null), 1 => Just(json!("prod")), 1 => Just(json!("${B}")), 1 => Just(json!("jobs"))
    ];
    (kind, name, namespace, text(), text()).prop_map(|((api_version, kind), name, namespace, one, two)| {
        let mut object = json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": name}});
        if !namespace.is_null() {
            object["metadata"]["namespace"] = namespace;
        }
        match kind {
            "ConfigMap" => object["data"] = json!({"one": one, "two": two}),
            "Secret" => object["stringData"] = json!({"one": one, "two": two}),
            _ => object["spec"] = json!({"one": one, "two": [two]}),
        }
        object
    })
}

/// A value that is no part of any text of ours, so that it can be looked for.
const SECRET: &str = "hunter2";

fn inputs(name: &str, number: i16, text: &str) -> TemplateInputs {
    job().parameter("A", name).parameter("N", number).parameter("B", format!("{SECRET}{text}"))
}

/// Labels of the Template, which the server puts on every object.
fn labels() -> impl Strategy<Value = Value> {
    prop_oneof![Just(Value::Null), Just(json!({})), Just(json!({"app": "${A}", "n-${N}": "${{N}}"}))]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn create_then_delete_leaves_everything_as_before(
        objects in prop::collection::vec(object(), 0..6),
        labels in labels(),
        name in "[a-z]{1,5}",
        number in any::<i16>(),
        text in text(),
        from_references in any::<bool>(),
    ) {
        let parameters =
            json!([{"name": "A"}, {"name": "N"}, {"name": "B", "generate": "expression", "from": "[a-z]{8}"}]);
        let lab = Lab::new(json!(null), json!(null));
        lab.store(json!({"objects": objects, "parameters": parameters, "labels": labels}));
        let inputs = inputs(&name, number, &text);
        for namespace in ["jobs", "prod", "templates"] {
            lab.cloud.kube().create(config_map(json!({"name": "bystander", "namespace": namespace}), "x"));
        }
        let before = lab.everything();
        let outcome = lab.client().create(&inputs);
        match outcome {
            Ok(created) => {
                prop_assert_eq!(created.len(), objects.len());
                prop_assert_eq!(lab.client().get(&inputs).unwrap().len(), objects.len());
                let during = lab.everything();
                prop_assert_eq!(&lab.client().create(&inputs).unwrap(), &created);
                prop_assert_eq!(lab.everything(), during, "a second create changes nothing");
                if from_references {
                    lab.client().delete(Selection::references("jobs", &created)).unwrap();
                } else {
                    lab.client().delete(&inputs).unwrap();
                }
            }
            Err(Error::Operation(error)) => prop_assert!(false, "all of it could be checked before: {error}"),
            Err(error) => prop_assert!(!format!("{error} {error:?}").contains(SECRET), "{error}"),
        }
        prop_assert_eq!(lab.everything(), before);
    }
}
