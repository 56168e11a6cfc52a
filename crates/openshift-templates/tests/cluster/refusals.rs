//! What is refused, by us or by the server, before anything is written; and that no text holds a value.

use devcloud::Fault;
use openshift_templates::{Error, TemplateInputs};
use serde_json::{Value, json};

use crate::{Lab, config_map, job};

fn given(value: impl Into<Value>) -> TemplateInputs {
    job().parameter("P", value)
}

#[test]
fn rendered_objects_that_are_not_safe() {
    for (object, parameter, text) in [
        (
            config_map(json!({"name": "${{P}}"}), "x"),
            "5",
            "object 2 of the template (ConfigMap): metadata.name is not a string",
        ),
        (
            config_map(json!({"generateName": "x-"}), "x"),
            "5",
            "object 2 of the template (ConfigMap): metadata.generateName is set: give it a metadata.name alone",
        ),
        (
            json!({"apiVersion": "v1", "kind": "${{P}}", "metadata": {"name": "x"}}),
            "5",
            "object 2 of the template: the kind is missing",
        ),
        (
            json!({"kind": "ConfigMap", "metadata": {"name": "x"}}),
            "5",
            "object 2 of the template (ConfigMap): the apiVersion is missing",
        ),
        (
            json!({"apiVersion": "v1", "kind": "List", "items": [config_map(json!({"name": "x"}), "x")]}),
            "5",
            "object 2 of the template (List): a List is not one object: put its items among the template's objects",
        ),
        (
            json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "x"}}),
            "5",
            "v1 Namespace jobs/x: the kind is cluster-scoped: only objects in the target namespace are touched",
        ),
        (
            config_map(json!({"name": "${P}"}), "x"),
            "first",
            "v1 ConfigMap jobs/first: the template has it twice",
        ),
        (
            json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"pin": "${{P}}"}}),
            "4711",
            "v1 Secret jobs/s: stringData[\"pin\"] is not a string: in the template, refer to a parameter as \
             \"${NAME}\", not \"${{NAME}}\"",
        ),
    ] {
        let lab =
            Lab::new(json!([config_map(json!({"name": "first"}), "x"), object]), json!([{"name": "P"}]));
        let before = lab.everything();
        let error = lab.client().create(&given(parameter)).unwrap_err();
        assert!(matches!(error, Error::Target { .. }));
        assert_eq!(error.to_string(), text);
        assert_eq!(lab.everything(), before);
    }
}

#[test]
fn what_the_server_refuses_to_process() {
    let metadata = json!({"name": "c"});
    let with_list = |list: Value| {
        let spec = json!({"list": list});
        json!({"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine", "metadata": metadata, "spec": spec})
    };
    for (object, parameters, inputs, code, fields) in [
        (
            config_map(metadata.clone(), "x"),
            json!([{"name": "P"}, {"name": "NEEDED", "required": true}]),
            given("hunter2"),
            422,
            vec!["template.parameters[1]"],
        ),
        (
            config_map(metadata.clone(), "x"),
            json!([{"name": "P", "required": true}]),
            given(""),
            422,
            vec!["template.parameters[0]"],
        ),
        (with_list(json!(["${{P}}"])), json!([{"name": "P"}]), given("null"), 500, vec![]),
        (
            json!({"apiVersion": "v1", "metadata": metadata, "data": {"a": "hunter2"}}),
            json!([{"name": "P"}]),
            given("x"),
            422,
            vec!["item[0].objects"],
        ),
    ] {
        let lab = Lab::new(json!([object]), parameters);
        let error = lab.client().create(&inputs).unwrap_err();
        let cause = error.kube().unwrap();
        assert_eq!(cause.code(), Some(code), "{error}");
        assert_eq!(cause.cause_fields().collect::<Vec<_>>(), fields);
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
    }
}

#[test]
fn templates_namespaces_and_rights_that_are_not_there() {
    let lab = Lab::new(json!([config_map(json!({"name": "c"}), "x")]), json!([]));
    let error = lab.client().create(&TemplateInputs::new("nope", "jobs")).unwrap_err();
    assert!(error.kube().unwrap().names_object("nope"), "{error}");
    let error = lab.client().create(&TemplateInputs { namespace: "nope".into(), ..job() }).unwrap_err();
    assert!(error.kube().unwrap().names_object("nope"), "{error}");

    for (path, verb, what) in [
        ("/templates/job", "get", "get templates.template.openshift.io templates/job: 403 Forbidden"),
        (
            "processedtemplates",
            "create",
            "create processedtemplates.template.openshift.io jobs/job: 403 Forbidden",
        ),
    ] {
        lab.cloud.inject(Fault::forbidden(path, "robot", Some(verb)));
        let error = lab.client().create(&job()).unwrap_err();
        assert!(error.kube().unwrap().is_forbidden());
        assert!(error.to_string().starts_with(what), "{error}");
        lab.cloud.clear_faults();
    }
    lab.cloud.inject(Fault::forbidden("/configmaps/", "robot", Some("create")));
    let error = lab.client().create(&job()).unwrap_err();
    let (reference, cause) = &error.operation().unwrap().failed[0];
    assert!(cause.is_forbidden());
    assert_eq!(error.to_string(), format!("create: {reference}: 403 Forbidden"));
    lab.cloud.clear_faults();

    lab.cloud.inject(Fault::no_template_api());
    let error = lab.client().create(&job()).unwrap_err();
    assert_eq!(error.kube().unwrap().code(), Some(503), "{error}");
    assert_eq!(lab.get("ConfigMap", "c"), None);
}

/// A wrong type is a 500 whose message quotes the value.
#[test]
fn a_wrong_type_is_told_without_its_value() {
    let lab = Lab::new(
        json!([{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"pin": "${{P}}"}}]),
        json!([{"name": "P"}]),
    );
    let error = lab.client().create(&given("4711")).unwrap_err();
    assert_eq!(error.to_string(), "create: v1 ConfigMap jobs/c: 500: .data.pin");
    assert!(!format!("{error:?}").contains("4711"));
    let (_, cause) = &error.operation().unwrap().failed[0];
    assert!(cause.is_invalid() && !cause.is_unavailable() && !cause.is_outcome_unknown());
    assert!(cause.refusal().unwrap().message().contains(".data.pin"), "for whoever asks");
}
