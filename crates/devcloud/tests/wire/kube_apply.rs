//! Server-side apply beyond single recorded answers: lists with keys, owners, kinds that come and go.

use devcloud::Fault;
use serde_json::{Value, json};

use crate::client::{Answer, Lab};
use crate::kube_objects::widgets;

const APPLY: &str = "application/apply-patch+yaml";
const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";

fn apply(lab: &Lab, path: &str, manager: &str, object: &Value) -> Answer {
    lab.kube_as("PATCH", &format!("{path}?fieldManager={manager}"), APPLY, &object.to_string())
}

fn deployment(containers: Value) -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"},
        "spec": {
            "selector": {"matchLabels": {"app": "d"}},
            "template": {"metadata": {"labels": {"app": "d"}}, "spec": {"containers": containers}},
        },
    })
}

fn names(answer: &Value) -> Vec<&str> {
    let containers = answer["spec"]["template"]["spec"]["containers"].as_array().unwrap();
    containers.iter().map(|container| container["name"].as_str().unwrap()).collect()
}

#[test]
fn containers_belong_to_who_applied_them() {
    let lab = Lab::new();
    let path = &format!("{DEPLOYMENTS}/d");
    let web = json!({"name": "web", "image": "web:1", "env": [{"name": "A", "value": "1"}]});
    assert_eq!(apply(&lab, path, "alpha", &deployment(json!([web]))).status, 201);
    let sidecar = deployment(json!([{"name": "log", "image": "log:1"}]));
    let both = apply(&lab, path, "beta", &sidecar).json();
    assert_eq!(names(&both), ["web", "log"], "neither takes the other's away");

    let more = json!([{"name": "web", "env": [{"name": "B", "value": "2"}]}]);
    let with_more = apply(&lab, path, "gamma", &deployment(more)).json();
    let env = &with_more["spec"]["template"]["spec"]["containers"][0]["env"];
    assert_eq!(*env, json!([{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]));

    let other = deployment(json!([{"name": "web", "image": "web:2"}]));
    let conflict = apply(&lab, path, "gamma", &other);
    let field = ".spec.template.spec.containers[name=\"web\"].image";
    let message = format!("Apply failed with 1 conflict: conflict with \"alpha\": {field}");
    assert_eq!((conflict.status, &conflict.json()["message"]), (409, &json!(message)));

    let last = apply(&lab, path, "beta", &deployment(json!([{"name": "web"}]))).json();
    assert_eq!(names(&last), ["web"], "what nobody applies any more goes, defaults and all");
}

#[test]
fn ports_are_known_by_number_and_protocol() {
    let lab = Lab::new();
    let service = |ports: Value| json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}, "spec": {"ports": ports}});
    let path = "/api/v1/namespaces/default/services/s";
    let made = apply(&lab, path, "alpha", &service(json!([{"name": "a", "port": 80}]))).json();
    let wanted = json!({"f:spec": {"f:ports": {
        "k:{\"port\":80,\"protocol\":\"TCP\"}": {".": {}, "f:name": {}, "f:port": {}},
    }}});
    assert_eq!(made["metadata"]["managedFields"][0]["fieldsV1"], wanted);
    let two = service(json!([{"name": "b", "port": 80, "protocol": "UDP"}]));
    let both = apply(&lab, path, "beta", &two).json();
    assert_eq!(both["spec"]["ports"].as_array().map(Vec::len), Some(2));
    let conflict = apply(&lab, path, "beta", &service(json!([{"name": "c", "port": 80}])));
    let field = ".spec.ports[port=80,protocol=\"TCP\"].name";
    assert_eq!(conflict.json()["details"]["causes"][0]["field"], field);
}

/// The second apply of anything ordinary changes no resourceVersion.
#[test]
fn applying_again_changes_nothing() {
    let lab = Lab::new();
    lab.cloud.kube().define_open("kubevirt.io/v1", "VirtualMachine", "virtualmachines", true);
    let pod = json!({"containers": [{"name": "c", "image": "i", "ports": [{"containerPort": 80}]}]});
    let pod_template = json!({"metadata": {"labels": {"a": "b"}}, "spec": pod});
    let job = json!({"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}});
    let workload = json!({"selector": {"matchLabels": {"a": "b"}}, "template": pod_template});
    for (api_version, kind, plural, more) in [
        ("v1", "ConfigMap", "configmaps", json!({"data": {"a": "b"}})),
        ("v1", "Secret", "secrets", json!({"stringData": {"a": "b"}, "data": {"c": "ZA=="}})),
        ("v1", "Service", "services", json!({"spec": {"ports": [{"port": 80}], "selector": {"a": "b"}}})),
        ("v1", "ServiceAccount", "serviceaccounts", json!({})),
        ("v1", "Pod", "pods", json!({"spec": pod})),
        (
            "v1",
            "PersistentVolumeClaim",
            "persistentvolumeclaims",
            json!({"spec": {"accessModes": ["ReadWriteOnce"]}}),
        ),
        ("apps/v1", "Deployment", "deployments", json!({"spec": workload})),
        ("apps/v1", "StatefulSet", "statefulsets", json!({"spec": workload})),
        ("batch/v1", "Job", "jobs", json!({"spec": job})),
        ("route.openshift.io/v1", "Route", "routes", json!({"spec": {"to": {"name": "web"}}})),
        ("rbac.authorization.k8s.io/v1", "Role", "roles", json!({"rules": []})),
        ("build.openshift.io/v1", "BuildConfig", "buildconfigs", json!({"spec": {"runPolicy": "Serial"}})),
        ("kubevirt.io/v1", "VirtualMachine", "virtualmachines", json!({"spec": {"running": true, "x": [1]}})),
    ] {
        let mut object = more;
        for (key, value) in [
            ("apiVersion", json!(api_version)),
            ("kind", json!(kind)),
            ("metadata", json!({"name": "x", "labels": {"l": "1"}})),
        ] {
            object[key] = value;
        }
        let root = if api_version == "v1" { "api" } else { "apis" };
        let path = format!("/{root}/{api_version}/namespaces/default/{plural}/x");
        let made = apply(&lab, &path, "m", &object);
        assert_eq!(made.status, 201, "{kind}: {}", made.body);
        let again = apply(&lab, &path, "m", &object);
        assert_eq!((again.status, again.json()), (200, made.json()), "{kind}");
        assert_eq!(lab.kube("GET", &path, "").json(), made.json(), "{kind}");
        let uid = made.json()["metadata"]["uid"].clone();
        let options = json!({"propagationPolicy": "Background", "preconditions": {"uid": uid}}).to_string();
        assert_eq!(lab.kube("DELETE", &path, &options).status, 200, "{kind}");
        assert_eq!(lab.kube("GET", &path, "").status, 404, "{kind}");
    }
}

#[test]
fn a_route_gets_a_host() {
    let lab = Lab::new();
    let route = json!({
        "apiVersion": "route.openshift.io/v1", "kind": "Route", "metadata": {"name": "web", "labels": {"app": "web"}},
        "spec": {"to": {"kind": "Service", "name": "web"}},
    });
    let made = apply(&lab, "/apis/route.openshift.io/v1/namespaces/default/routes/web", "e2e", &route).json();
    let wanted = json!({
        "host": "web-default.router.default.svc.cluster.local",
        "to": {"kind": "Service", "name": "web", "weight": 100}, "wildcardPolicy": "None",
    });
    assert_eq!((&made["spec"], &made["status"]), (&wanted, &json!({})));
    assert_eq!(made["metadata"]["annotations"], json!({"openshift.io/host.generated": "true"}));
    let owned =
        json!({"f:metadata": {"f:labels": {"f:app": {}}}, "f:spec": {"f:to": {"f:kind": {}, "f:name": {}}}});
    assert_eq!(made["metadata"]["managedFields"][0]["fieldsV1"], owned, "nobody owns what the server allots");
}

/// How a test lets others own fields: an apply, or an edit under another name.
#[test]
fn other_managers_in_process() {
    let lab = Lab::new();
    let kube = lab.cloud.kube();
    let map = |value: &str| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": value}});
    kube.apply_as("theirs", map("1"), false).unwrap();
    let refused = kube.apply_as("ours", map("2"), false).unwrap_err();
    assert_eq!(refused["details"]["causes"][0]["message"], "conflict with \"theirs\"");
    kube.apply_as("ours", map("2"), true).unwrap();
    let path = "/api/v1/namespaces/default/configmaps/c?fieldManager=kubectl-edit";
    assert_eq!(kube.call("PATCH", path, Some(&json!({"data": {"a": "3"}}))).0, 200);
    let refused = kube.apply_as("ours", map("2"), false).unwrap_err();
    assert_eq!(refused["details"]["causes"][0]["message"], "conflict with \"kubectl-edit\" using v1");
}

/// Whoever writes the list of managers decides who is in it (measured).
#[test]
fn managers_can_be_written() {
    let lab = Lab::new();
    let kube = lab.cloud.kube();
    let path = "/api/v1/namespaces/default/configmaps/c";
    let map = |data: Value| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": data});
    let patch = |managers: Value| {
        let body = json!({"metadata": {"labels": {"own": null, "new": "x"}, "managedFields": managers}});
        lab.kube("PATCH", path, &body.to_string()).json()
    };
    for nobody in [json!([]), json!([{}])] {
        kube.apply_as("us", map(json!({"a": "1"})), false).unwrap();
        let made = patch(nobody);
        assert_eq!(made["metadata"].get("managedFields"), None, "not even who wrote it: {made}");
        kube.delete("ConfigMap", "default", "c");
    }
    kube.apply_as("us", map(json!({"a": "1"})), false).unwrap();
    let two = kube.apply_as("them", map(json!({"b": "2"})), false).unwrap();
    let mut managers = two["metadata"]["managedFields"].clone();
    managers.as_array_mut().unwrap().retain(|entry| entry["manager"] == "them");
    let made = patch(managers.clone());
    assert_eq!(made["metadata"]["managedFields"][0], managers[0], "{made}");
    assert!(!made.to_string().contains("\"us\""), "{made}");
    kube.apply_as("them", map(json!({"a": "9", "b": "2"})), false).expect("nobody else's");
    let before = lab.kube("GET", path, "").json();
    assert_eq!(
        patch(Value::Null)["metadata"]["managedFields"],
        before["metadata"]["managedFields"],
        "none is none"
    );
}

#[test]
fn what_was_stored_before_the_bookkeeping_has_an_owner() {
    let lab = Lab::new();
    let map = |value: &str| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": value}});
    lab.cloud.kube().store_unchecked(map("old"));
    let refused = lab.cloud.kube().apply_as("ours", map("new"), false).unwrap_err();
    let message = "Apply failed with 1 conflict: conflict with \"before-first-apply\" using v1: .data.a";
    assert_eq!(refused["message"], message);
}

/// A kind whose CRD is missing at first.
#[test]
fn virtual_machines() {
    let lab = Lab::new();
    let path = "/apis/kubevirt.io/v1/namespaces/default/virtualmachines/vm";
    let machine = json!({
        "apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine", "metadata": {"name": "vm"},
        "spec": {"running": false, "template": {"spec": {"domain": {"devices": {"disks": [{"name": "a"}]}}}}},
    });
    for answer in [lab.kube("GET", "/apis/kubevirt.io/v1", ""), apply(&lab, path, "m", &machine)] {
        assert_eq!((answer.status, answer.body.trim()), (404, "404 page not found"));
    }
    lab.cloud.kube().define_open("kubevirt.io/v1", "VirtualMachine", "virtualmachines", true);
    let found = &lab.kube("GET", "/apis/kubevirt.io/v1", "").json()["resources"][0];
    assert_eq!(
        (&found["kind"], &found["name"], &found["namespaced"]),
        (&json!("VirtualMachine"), &json!("virtualmachines"), &json!(true))
    );
    let made = apply(&lab, path, "m", &machine);
    assert_eq!((made.status, &made.json()["spec"]), (201, &machine["spec"]));
}

#[test]
fn a_namespace_goes_when_it_is_empty() {
    let lab = widgets();
    let held = json!({
        "apiVersion": "example.com/v1", "kind": "Widget", "spec": {"size": 1},
        "metadata": {"name": "held", "namespace": "m1", "finalizers": ["example.com/hold"]},
    });
    lab.cloud.kube().create(held);
    let free =
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "free", "namespace": "m1"}});
    lab.cloud.kube().create(free);
    let namespace = "/api/v1/namespaces/m1";
    assert_eq!(lab.kube("DELETE", namespace, "").json()["status"]["phase"], "Terminating");
    assert_eq!(lab.kube("GET", &format!("{namespace}/configmaps/free"), "").status, 404);
    assert_eq!(lab.kube("GET", namespace, "").json()["status"]["phase"], "Terminating");
    let path = "/apis/example.com/v1/namespaces/m1/widgets/held";
    assert!(lab.kube("GET", path, "").json()["metadata"]["deletionTimestamp"].is_string());
    assert_eq!(lab.kube("PATCH", path, r#"{"metadata": {"finalizers": []}}"#).status, 200);
    assert_eq!(lab.kube("GET", namespace, "").status, 404);
}

/// Aggregated discovery, as recorded, for who asks for it.
#[test]
fn aggregated_discovery() {
    let lab = widgets();
    let form = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let bearer = format!("Bearer {}", lab.cloud.kube().token());
    let accept = format!("{form},application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList");
    let headers = [("Authorization", bearer.as_str()), ("Accept", accept.as_str())];
    let answer = crate::client::send(&lab.cloud, &lab.cloud.kube_url(), "GET", "/apis", &headers, b"");
    assert_eq!(answer.header("Content-Type"), Some(form));
    let list = answer.json();
    let group = |name: &str| {
        let items = list["items"].as_array().unwrap();
        items.iter().find(|item| item["metadata"]["name"] == name).unwrap().clone()
    };
    let kind = json!({"group": "example.com", "version": "v1", "kind": "Widget"});
    let wanted = json!({"metadata": {"name": "example.com"}, "versions": [{"version": "v1", "resources": [{
        "resource": "widgets", "responseKind": kind, "scope": "Namespaced", "singularResource": "widget",
        "verbs": ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
        "shortNames": ["wd"],
        "subresources": [{"subresource": "status", "responseKind": kind, "verbs": ["get", "patch", "update"]}],
    }], "freshness": "Current"}]});
    assert_eq!(group("example.com"), wanted);
    let processed = json!({
        "resource": "processedtemplates", "responseKind": {"group": "", "version": "", "kind": "Template"},
        "scope": "Namespaced", "singularResource": "processedtemplate", "verbs": ["create"],
    });
    let templates = group("template.openshift.io")["versions"][0]["resources"].clone();
    assert!(templates.as_array().unwrap().contains(&processed));
}

#[test]
fn rights_can_be_taken() {
    let lab = Lab::new();
    lab.cloud.inject(Fault::forbidden("/configmaps", "tenant", Some("create")));
    let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}});
    let path = "/api/v1/namespaces/default/configmaps/c";
    let refused = apply(&lab, path, "m", &map);
    let message = "configmaps \"c\" is forbidden: User \"tenant\" cannot create resource \"configmaps\" in API group \
                   \"\" in the namespace \"default\"";
    assert_eq!((refused.status, &refused.json()["message"]), (403, &json!(message)));
    lab.cloud.kube().create(map.clone());
    assert_eq!(apply(&lab, path, "m", &map).status, 200, "to change it needs another right");
    assert_eq!(lab.kube("GET", path, "").status, 200);
    lab.cloud.clear_faults();
    lab.cloud.inject(Fault::forbidden("/configmaps", "tenant", None));
    assert_eq!(lab.kube("DELETE", path, "").status, 403);
}

/// An apply is read as YAML, where these are ends of lines or not allowed; escaped, they are letters (measured).
#[test]
fn letters_that_mean_something_in_yaml() {
    let lab = Lab::new();
    let path = "/api/v1/namespaces/default/configmaps/c?fieldManager=m";
    let apply = |text: &str| {
        let body =
            r#"{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": "TEXT"}}"#;
        lab.kube_as("PATCH", path, APPLY, &body.replace("TEXT", text))
    };
    for (text, stored) in [
        ("a \u{85} b\u{85}", "a b "),
        ("a \u{2028} b\u{2028}", "a\u{2028}b\u{2028}"),
        ("a \u{2029} b\u{2029}", "a\u{2029}b\u{2029}"),
        ("a \\u0085 b", "a \u{85} b"),
        ("a \\u2028 b\\u007f", "a \u{2028} b\u{7f}"),
        ("\u{a0}\u{feff}\u{fffd}\u{1f600}", "\u{a0}\u{feff}\u{fffd}\u{1f600}"),
    ] {
        assert_eq!(apply(text).json()["data"]["a"], stored, "{text:?}");
    }
    for text in ["\u{7f}", "\u{80}", "\u{9f}", "\u{fffe}", "\u{ffff}"] {
        let answer = apply(text);
        let why =
            "error decoding YAML: error converting YAML to JSON: yaml: control characters are not allowed";
        assert_eq!((answer.status, &answer.json()["message"]), (400, &json!(why)), "{text:?}");
    }
}

/// Whatever is sent, there is an answer.
#[test]
fn odd_bodies_are_answered() {
    let lab = Lab::new();
    let odd = [json!(null), json!(5), json!("x"), json!([]), json!([1]), json!({}), json!({"a": []})];
    for (api_version, kind, plural) in [
        ("v1", "Namespace", "namespaces"),
        ("v1", "Service", "services"),
        ("v1", "PersistentVolumeClaim", "persistentvolumeclaims"),
        ("v1", "Secret", "secrets"),
        ("apps/v1", "Deployment", "deployments"),
        ("batch/v1", "Job", "jobs"),
        ("route.openshift.io/v1", "Route", "routes"),
        ("template.openshift.io/v1", "Template", "templates"),
        ("template.openshift.io/v1", "Template", "processedtemplates"),
    ] {
        let root = if api_version == "v1" { "api" } else { "apis" };
        let place = if kind == "Namespace" { "" } else { "/namespaces/default" };
        let path = format!("/{root}/{api_version}{place}/{plural}");
        for value in &odd {
            for pointer in [
                "/metadata",
                "/metadata/labels",
                "/metadata/annotations",
                "/metadata/finalizers",
                "/spec",
                "/spec/ports",
                "/spec/template",
                "/spec/template/spec",
                "/spec/template/spec/containers",
                "/spec/to",
                "/data",
                "/objects",
                "/parameters",
                "/labels",
                "/status",
            ] {
                let mut object = json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": "x"}});
                let mut at = &mut object;
                for part in pointer.split('/').skip(1) {
                    at = &mut at[part];
                }
                *at = value.clone();
                let kube = lab.cloud.kube();
                let (posted, _) = kube.call("POST", &path, Some(&object));
                assert!(posted >= 200, "{object}");
                let (patched, _) = kube.call("PATCH", &format!("{path}/x"), Some(&object));
                assert!(patched >= 200, "{object}");
                if plural != "processedtemplates" {
                    let _ = kube.apply_as("m", object, true);
                }
            }
        }
    }
}
