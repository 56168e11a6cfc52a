//! The world of most tests: a Template `web` with three objects, and a CR `shop` for it.

use openstack_sync_tests::workloads::{NAMESPACE, WorkloadSite, owner};
use serde_json::{Value, json};

/// What the parameter `GREETING` is.
pub(crate) const GREETING: &str = "good-morning-greeting";
/// What the parameter `PASSWORD` is, out of a Secret.
pub(crate) const PASSWORD: &str = "correct-horse-battery";
/// A synced CR's verdict, without notes.
pub(crate) const SYNCED: &str = "Synced (Reconciled): Successfully reconciled template workload";

/// A ConfigMap in the Template; its value has the parameter `GREETING`.
pub(crate) fn config_map(name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"greeting": "${GREETING}"}})
}

/// The three objects of the Template `web`.
pub(crate) fn objects() -> Value {
    let pod = json!({"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c", "image": "i:1"}]}});
    json!([
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "${NAME}-login"},
            "stringData": {"user": "me", "password": "${PASSWORD}"}},
        config_map("${NAME}"),
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "${NAME}", "labels": {"app": "web"}},
            "spec": {"replicas": "${{REPLICAS}}", "selector": {"matchLabels": {"app": "web"}}, "template": pod}},
    ])
}

/// Its parameters.
pub(crate) fn parameters() -> Value {
    json!([
        {"name": "NAME", "required": true},
        {"name": "GREETING", "value": "none"},
        {"name": "REPLICAS", "value": "1"},
        {"name": "PASSWORD", "generate": "expression", "from": "[a-zA-Z0-9]{12}"},
    ])
}

/// The spec of the CR `shop`.
pub(crate) fn spec() -> Value {
    json!({
        "parameters": {"NAME": "shop", "GREETING": GREETING, "REPLICAS": 2},
        "parametersFrom": [{"parameter": "PASSWORD", "secretName": "passwords", "key": "shop"}],
    })
}

/// [`spec`] with more.
pub(crate) fn spec_with(more: Value) -> Value {
    let mut spec = spec();
    openstack_sync_tests::merge(&mut spec, more);
    spec
}

/// The site with Template and Secret, before the CR is made.
pub(crate) fn site() -> WorkloadSite {
    let mut site = WorkloadSite::new();
    site.secret("passwords", json!({"shop": PASSWORD}));
    site.template("web", objects(), parameters());
    site
}

/// The site in which `shop` is in place, with what `more` says.
pub(crate) fn in_place(more: Value) -> WorkloadSite {
    let mut site = site();
    site.workload("shop", spec_with(more));
    site.full_run(0);
    assert_eq!(site.verdict("shop"), SYNCED);
    site.dev.clear_journal();
    site
}

/// What `shop` has, as `status.objects` and the journal name it.
pub(crate) const INVENTORY: [&str; 3] =
    ["v1 Secret workloads/shop-login", "v1 ConfigMap workloads/shop", "apps/v1 Deployment workloads/shop"];

/// Makes a ConfigMap by hand in the namespace of the CRs, as kubectl's server-side apply would.
pub(crate) fn by_hand(site: &WorkloadSite, name: &str, labels: Value) -> Value {
    let mut metadata = json!({"name": name, "namespace": NAMESPACE});
    if labels != json!({}) {
        // (Who applies an empty map owns it.)
        metadata["labels"] = labels;
    }
    let object =
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"by": "hand"}});
    site.dev.kube().apply_as("kubectl", object, false).expect("it is applied")
}

/// Takes the owner label off an object, or sets another one.
pub(crate) fn relabel(site: &WorkloadSite, kind: &str, name: &str, label: Option<&str>) -> Value {
    let path = match kind {
        "ConfigMap" => format!("/api/v1/namespaces/{NAMESPACE}/configmaps/{name}"),
        "Secret" => format!("/api/v1/namespaces/{NAMESPACE}/secrets/{name}"),
        "Deployment" => format!("/apis/apps/v1/namespaces/{NAMESPACE}/deployments/{name}"),
        other => panic!("no path for {other}"),
    };
    let patch = json!({"metadata": {"labels": {template_workloads::ownership::OWNER_LABEL: label}}});
    let (status, object) = site.dev.kube().call("PATCH", &path, Some(&patch));
    assert_eq!(status, 200, "{object}");
    assert_eq!(owner(&object), label);
    object
}

/// The writes of the last run: `METHOD path`, with the query left out.
pub(crate) fn writes(site: &WorkloadSite) -> Vec<String> {
    let plain = |path: &str| path.split('?').next().unwrap_or_default().to_owned();
    let posts = site.writes().into_iter().filter(|entry| !entry.path.contains("/processedtemplates"));
    posts.map(|entry| format!("{} {}", entry.method, plain(&entry.path))).collect()
}

/// Those of them that are not to CRs.
pub(crate) fn object_writes(site: &WorkloadSite) -> Vec<String> {
    writes(site).into_iter().filter(|write| !write.contains("/templateworkloads/")).collect()
}
