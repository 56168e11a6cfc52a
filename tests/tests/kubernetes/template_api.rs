//! The Template API behind the real API server, and the library `openshift-templates` against both.

use openshift_templates::{ConnectOptions, TemplateInputs, connect};
use openstack_sync_tests::kubernetes::{
    ControlPlane, Kind, PROCESSED, TEMPLATE, eventually, serve_templates,
};
use serde_json::{Value, json};

const ACCOUNT: &str = "scheduler";

/// A new one, not of those of operators: the audit compares what those ask with the rights that the chart grants.
fn namespace(plane: &ControlPlane, name: &str) -> String {
    let namespace = format!("templates-{name}-{}", std::process::id());
    plane.kubectl(&["create", "namespace", &namespace]);
    namespace
}

fn template(namespace: &str) -> Value {
    let config_map = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "${NAME}"}, "data": {"size": "${SIZE}"},
    });
    json!({
        "apiVersion": "template.openshift.io/v1", "kind": "Template",
        "metadata": {"name": "job", "namespace": namespace}, "objects": [config_map],
        "parameters": [{"name": "NAME", "required": true}, {"name": "SIZE", "value": "small"}],
    })
}

/// Discovery, a stored template and its processing, as they were measured with a real openshift-apiserver.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn is_served_by_the_api_server() {
    let plane = ControlPlane::shared();
    serve_templates(plane);
    let raw = |path: &str| -> Value {
        serde_json::from_str(&plane.kubectl(&["get", "--raw", path])).expect("JSON")
    };
    let served = raw(TEMPLATE.api);
    let names: Vec<&Value> =
        served["resources"].as_array().expect("a list").iter().map(|one| &one["name"]).collect();
    let measured = [
        "brokertemplateinstances",
        "processedtemplates",
        "templateinstances",
        "templateinstances/status",
        "templates",
    ];
    assert_eq!(names, measured);

    let namespace = &namespace(plane, "api");
    // As people do it.
    plane.kubectl_with_input(&["create", "--filename", "-"], &template(namespace).to_string());
    let stored = plane.get(TEMPLATE, namespace, "job").expect("the template");
    assert_eq!(stored["objects"], template(namespace)["objects"]);
    let (status, refused) = plane.try_create(TEMPLATE, &template(namespace));
    assert_eq!((status, &refused["reason"]), (409, &json!("AlreadyExists")), "{refused}");

    let (status, missing) = plane.try_create(PROCESSED, &stored);
    let told = &missing["details"]["causes"][0];
    assert_eq!((status, &told["field"]), (422, &json!("template.parameters[0]")), "{missing}");
    let mut given = stored.clone();
    given["parameters"][0]["value"] = json!("report-7");
    let processed = plane.create(PROCESSED, &given);
    assert_eq!(processed["kind"], "Template");
    let data = json!({"size": "small"});
    let object =
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "report-7"}, "data": data});
    assert_eq!(processed["objects"], json!([object]));
}

/// The library with the rights that its README names and no others, and without any.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn is_asked_by_the_library_with_the_rights_of_its_readme() {
    let plane = ControlPlane::shared();
    serve_templates(plane);
    let namespace = &namespace(plane, "library");
    plane.apply(TEMPLATE, &template(namespace));
    let job = || TemplateInputs::new("job", namespace).parameter("NAME", "report-7");
    plane.kubectl(&["--namespace", namespace, "create", "serviceaccount", ACCOUNT]);
    let folder = tempfile::tempdir().expect("a folder");
    let kubeconfig = folder.path().join("kubeconfig");
    std::fs::write(&kubeconfig, plane.kubeconfig_of(namespace, ACCOUNT).to_string()).expect("a file");
    let client = connect(&ConnectOptions { kubeconfig: Some(kubeconfig), ..ConnectOptions::default() });
    let client = client.expect("a client");

    let refused = client.create(&job()).expect_err("it has no rights");
    assert!(refused.kube().is_some_and(|error| error.is_forbidden()), "{refused}");
    grant(plane, namespace);
    // RBAC hears of a new role a moment later.
    let created = eventually(|| client.create(&job()).map_err(|error| error.to_string()));
    assert_eq!(created[0].to_string(), format!("v1 ConfigMap {namespace}/report-7"));
    let live = plane.get(Kind::CONFIG_MAP, namespace, "report-7").expect("the object");
    assert_eq!(
        (&live["data"]["size"], live["metadata"]["uid"].as_str()),
        (&json!("small"), created[0].uid.as_deref())
    );
    assert_eq!(client.create(&job()).expect("again"), created);
    assert_eq!(
        plane.get(Kind::CONFIG_MAP, namespace, "report-7"),
        Some(live),
        "not even a new resourceVersion"
    );
    client.delete(&job()).expect("deleted");
    assert_eq!(plane.get(Kind::CONFIG_MAP, namespace, "report-7"), None);
}

fn grant(plane: &ControlPlane, namespace: &str) {
    let rule = |group: &str, resource: &str, verbs: &[&str]| json!({"apiGroups": [group], "resources": [resource], "verbs": verbs});
    let group = "template.openshift.io";
    let rules = [
        rule(group, "templates", &["get"]),
        rule(group, "processedtemplates", &["create"]),
        rule("", "configmaps", &["create", "patch", "delete"]),
    ];
    let (api, metadata) = ("rbac.authorization.k8s.io", json!({"name": ACCOUNT, "namespace": namespace}));
    let version = format!("{api}/v1");
    let subject = json!({"kind": "ServiceAccount", "name": ACCOUNT, "namespace": namespace});
    let role = json!({"apiGroup": api, "kind": "Role", "name": ACCOUNT});
    let objects = json!({"apiVersion": "v1", "kind": "List", "items": [
        {"apiVersion": version, "kind": "Role", "metadata": metadata, "rules": rules},
        {"apiVersion": version, "kind": "RoleBinding", "metadata": metadata, "subjects": [subject], "roleRef": role},
    ]});
    plane.kubectl_with_input(&["create", "--filename", "-"], &objects.to_string());
}
