//! What the server makes of a Template (measured), and what we make of that.

use openshift_templates::TemplateInputs;
use serde_json::{Value, json};

use crate::{Lab, config_map, job};

/// A parameter `P` without a default, and one object.
fn lab(object: Value) -> Lab {
    Lab::new(
        json!([object]),
        json!([{"name": "P"}, {"name": "KEEP", "value": "kept", "generate": "expression", "from": "[0-9]{3}"}]),
    )
}

fn given(value: impl Into<Value>) -> TemplateInputs {
    job().parameter("P", value)
}

#[test]
fn parameters_are_text_and_the_template_decides_what_becomes_of_it() {
    let object = json!({"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine", "metadata": {"name": "vm"},
        "spec": {"text": "${P}", "json": "${{P}}", "kept": "${KEEP}", "other": "${NOPE}", "twice": "${P}-${P}"}});
    let lab = lab(object);
    for (value, text, json) in [
        (json!(3), "3", json!(3)),
        (json!(1.5), "1.5", json!(1.5)),
        (json!(true), "true", json!(true)),
        (json!(false), "false", json!(false)),
        (json!("007"), "007", json!("007")),
        (json!("yes"), "yes", json!("yes")),
        (json!("{\"a\":[1]}"), "{\"a\":[1]}", json!({"a": [1]})),
        (json!(""), "", json!("")),
        (json!("7.0"), "7.0", json!(7)),
    ] {
        let objects = lab.client().process(&given(value)).unwrap();
        let twice = format!("{text}-{text}");
        let expected =
            json!({"text": text, "json": json, "kept": "kept", "other": "${NOPE}", "twice": twice});
        assert_eq!(objects[0]["spec"], expected);
    }
    // A large integer goes through a float on the server.
    let objects = lab.client().process(&given(9_007_199_254_740_993_i64)).unwrap();
    assert_eq!(objects[0]["spec"]["text"], "9007199254740993");
    assert_eq!(objects[0]["spec"]["json"], 9_007_199_254_740_992_i64);
}

/// Values that look like references are sent as they are; the server replaces them in an order of its own
/// (measured), and we do not join in.
#[test]
fn values_with_references_in_them() {
    let object = json!({"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine", "metadata": {"name": "vm"},
        "spec": {"ab": "${A} ${B}", "ba": "${B} ${A}", "keys": {"${A}": "1"}, "two": {"${B}": "1", "b": "2"}}});
    let lab = Lab::new(json!([object]), json!([{"name": "A"}, {"name": "B"}]));
    let spec = |a: &str, b: &str| {
        let inputs = job().parameter("A", a).parameter("B", b);
        lab.client().process(&inputs).unwrap()[0]["spec"].clone()
    };
    let one = spec("<${B}>", "b");
    assert_eq!((&one["ab"], &one["ba"]), (&json!("<b> ${B}"), &json!("b <${B}>")));
    assert_eq!(one["two"], json!({"b": "1"}), "of two keys that become one, the replaced one wins");
    assert_eq!(spec("${B}", "y")["keys"], json!({"${B}": "1"}), "a key is replaced once");
}

#[test]
fn processing_stores_nothing_and_leaves_the_template_alone() {
    let lab = lab(config_map(json!({"name": "c"}), "${P}"));
    let before = lab.everything();
    lab.client().process(&given("hunter2")).unwrap();
    assert_eq!(lab.everything(), before);
}

/// The namespace of an object: what is written out is dropped, what has a parameter in it is kept.
#[test]
fn namespaces() {
    for (namespace, parameter, accepted) in [
        (json!("prod"), "x", true),
        (json!("${P}"), "jobs", true),
        (json!("${P}"), "", true),
        (json!("${P}"), "prod", false),
        (json!("${P}-x"), "jobs", false),
        (json!("${NOPE}"), "jobs", false),
        (json!("${{P}}"), "prod", true),
        (json!(5), "x", true),
    ] {
        let lab = lab(config_map(json!({"name": "c", "namespace": namespace}), "x"));
        let outcome = lab.client().create(&given(parameter));
        assert_eq!(outcome.is_ok(), accepted, "{namespace} {parameter:?}: {outcome:?}");
        let there = lab.cloud.kube().list("ConfigMap");
        assert!(there.iter().all(|object| object["metadata"]["namespace"] == "jobs"), "{there:?}");
        assert_eq!(there.len(), usize::from(accepted));
        match outcome {
            Ok(references) => assert_eq!(references[0].namespace, "jobs"),
            Err(error) => {
                assert!(
                    error.to_string().contains("metadata.namespace is not the target namespace \"jobs\""),
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn labels_of_the_template_are_on_every_object() {
    let lab = lab(json!(null));
    let objects = [config_map(json!({"name": "c"}), "x")];
    lab.store(json!({"labels": {"app": "${P}"}, "objects": objects, "parameters": [{"name": "P"}]}));
    lab.client().create(&given("web")).unwrap();
    assert_eq!(lab.get("ConfigMap", "c").unwrap()["metadata"]["labels"], json!({"app": "web"}));
}

#[test]
fn legacy_kinds_come_with_their_group() {
    let lab = lab(
        json!({"apiVersion": "v1", "kind": "Route", "metadata": {"name": "r"}, "spec": {"to": {"name": "web"}}}),
    );
    lab.cloud.kube().define_open("route.openshift.io/v1", "Route", "routes", true);
    let created = lab.client().create(&given("x")).unwrap();
    assert_eq!(created[0].to_string(), "route.openshift.io/v1 Route jobs/r");
    lab.client().delete(&given("x")).unwrap();
    assert_eq!(lab.get("Route", "r"), None);
}

#[test]
fn a_template_in_a_template_is_stored() {
    let inner = json!({"apiVersion": "template.openshift.io/v1", "kind": "Template", "metadata": {"name": "inner"},
        "objects": [config_map(json!({"name": "c"}), "${P} ${B}")], "parameters": [{"name": "B"}]});
    let lab = lab(inner);
    lab.client().create(&given("x")).unwrap();
    assert_eq!(lab.get("Template", "inner").unwrap()["objects"][0]["data"]["a"], "x ${B}");
    assert_eq!(lab.get("ConfigMap", "c"), None);
    lab.client().create(&TemplateInputs::new("inner", "jobs").parameter("B", "y")).unwrap();
    assert_eq!(lab.get("ConfigMap", "c").unwrap()["data"]["a"], "x y");
}
