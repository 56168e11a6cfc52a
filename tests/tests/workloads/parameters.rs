//! Parameters that do not fit. No text has a value.

use openstack_sync_tests::workloads::workload_cr;
use serde_json::{Value, json};

use crate::web::{object_writes, site};

/// The whole spec of `shop`, with more.
fn spec_with(more: Value) -> Value {
    workload_cr("shop", crate::web::spec_with(more))["spec"].clone()
}

/// The CR with this spec, put into the store past the CRD, fails with this text; nothing was written.
#[track_caller]
fn fails(spec: Value, verdict: &str) {
    let mut site = site();
    let mut cr = workload_cr("shop", json!({}));
    cr["spec"] = spec;
    site.hook.forbid("hunter2-hunter2");
    site.store(cr);
    let before = site.objects();
    site.tick_run(1);
    assert_eq!(site.verdict("shop"), verdict);
    assert_eq!((site.objects(), object_writes(&site)), (before, Vec::new()));
    // (The first write to what was stored unchecked fills in defaults.)
    site.full_run(1);
    let status = site.status("shop");
    site.full_run(1);
    assert_eq!(site.status("shop"), status, "its text is stable");
}

#[test]
fn an_unknown_name_comes_with_a_suggestion() {
    fails(
        spec_with(json!({"parameters": {"GRETING": "hunter2-hunter2"}})),
        "Failed (InvalidTemplate): parameters of template workloads/web: \"GRETING\" is not a parameter of the \
         template; did you mean \"GREETING\"?",
    );
}

#[test]
fn all_problems_are_named() {
    fails(
        spec_with(
            json!({"parameters": {"GREETING": null, "NAME": ["hunter2-hunter2"], "REPLICAS": {"a": "hunter2-hunter2"}}}),
        ),
        "Failed (InvalidTemplate): parameters of template workloads/web: \"GREETING\" is null or not \
         finite; leave it out to keep the template's default, \"NAME\" is a list; give a string, a boolean, an integer or \
         a finite float, \"REPLICAS\" is an object; give a string, a boolean, an integer or a finite float",
    );
}

#[test]
fn a_parameter_that_would_be_generated_needs_a_value() {
    fails(
        json!({"templateRef": {"name": "web"}, "parameters": {"NAME": "shop"}}),
        "Failed (InvalidTemplate): parameters of template workloads/web: \"PASSWORD\" would be generated anew \
         each time; give it a value",
    );
}

#[test]
fn a_parameter_is_given_once() {
    fails(
        spec_with(json!({"parameters": {"PASSWORD": "hunter2-hunter2"}})),
        "Failed (InvalidSpec): spec: parameter \"PASSWORD\" is given twice, in parameters or parametersFrom",
    );
}

#[test]
fn a_required_parameter_that_is_missing_is_named() {
    let mut spec = spec_with(json!({}));
    spec["parameters"].as_object_mut().unwrap().remove("NAME");
    fails(
        spec,
        "Failed (InvalidTemplate): create processedtemplates.template.openshift.io workloads/web: 422 Invalid: \
         template.parameters[0] (FieldValueRequired): parameter \"NAME\"",
    );
}

#[test]
fn a_spec_of_another_shape_quotes_no_value() {
    for (spec, said) in [
        (json!({"parameters": {"A": "hunter2-hunter2"}}), "missing field `templateRef`"),
        (json!({"templateRef": {"name": "web"}, "parameters": "hunter2-hunter2"}), "parameters is not a map"),
        (
            json!({"templateRef": {"name": "web"}, "parametersFrom": ["hunter2-hunter2"]}),
            "parametersFrom is not a list of parameters, each with parameter, secretName and perhaps key",
        ),
    ] {
        fails(spec, &format!("Failed (InvalidSpec): spec: {said}"));
    }
}

/// Values where they do harm: the server refuses what comes of them, and its text is not told.
#[test]
fn values_that_make_an_object_invalid_are_not_told() {
    let value = "hunter2 with a blank!";
    for object in [
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": "${GREETING}"}),
        json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "c"}, "data": {"a": "${GREETING}"}}),
        json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "c"}, "spec": {"ports": [{"port": "${GREETING}"}]}}),
        json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "c"}, "spec": {"replicas": "${GREETING}"}}),
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "${GREETING}"}}),
        json!({"apiVersion": "${GREETING}", "kind": "ConfigMap", "metadata": {"name": "c"}}),
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "labels": "${{GREETING}}"}}),
    ] {
        let mut site = site();
        site.template("web", json!([object]), crate::web::parameters());
        site.workload("shop", spec_with(json!({"parameters": {"GREETING": value}})));
        site.tick_run(1);
        let verdict = site.verdict("shop");
        assert!(verdict.starts_with("Failed (") && verdict.len() < 300, "{verdict}");
        site.full_run(1);
        assert_eq!(site.verdict("shop"), verdict, "it is stable");
        site.delete("shop");
        site.tick_run(0);
        assert_eq!(site.cr("shop"), None);
    }
}
