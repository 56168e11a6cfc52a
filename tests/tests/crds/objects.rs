//! The objects that we hand out are objects that the API server takes, without dropping anything.

use devcloud::{DevCloud, Options};
use openstack_sync_tests::{crds, flavor_cr, repository};
use serde_json::{Value, json};

/// A Kubernetes with our CRDs.
pub(crate) fn kubernetes() -> DevCloud {
    let dev = DevCloud::start(Options::default()).unwrap();
    crds().into_iter().for_each(|crd| dev.kube().define(crd));
    dev
}

/// Fails unless the object is stored with everything that it says.
pub(crate) fn takes(dev: &DevCloud, what: &str, object: &Value) {
    let stored = dev
        .kube()
        .try_create(object.clone())
        .unwrap_or_else(|status| panic!("{what}: {}", status["message"]));
    assert!(
        contains(&stored["spec"], &object["spec"]),
        "{what}: the schema drops something of {}",
        object["spec"]
    );
}

fn contains(stored: &Value, given: &Value) -> bool {
    match (stored, given) {
        (Value::Object(stored), Value::Object(given)) => {
            given.iter().all(|(key, value)| stored.get(key).is_some_and(|stored| contains(stored, value)))
        }
        (Value::Array(stored), Value::Array(given)) => {
            stored.len() == given.len()
                && stored.iter().zip(given).all(|(stored, given)| contains(stored, given))
        }
        _ => stored == given,
    }
}

#[test]
fn the_objects_of_tests_are_taken_whole() {
    let dev = kubernetes();
    takes(&dev, "flavor_cr", &flavor_cr("x", "devcloud", json!({})));
}

/// YAML of our kinds in documents: readers copy it.
#[test]
fn the_objects_in_documents_are_taken_whole() {
    let dev = kubernetes();
    let mut seen = 0;
    for file in ["README.md", "docs/writing-a-hook.md", "components/openstack-sync-monitoring/README.md"] {
        let text = std::fs::read_to_string(repository(file)).unwrap();
        for block in text.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            let Ok(object) = rest::yaml::parse(block) else { continue };
            let ours = object["apiVersion"]
                .as_str()
                .is_some_and(|version| version.contains(".understack.rackspace.net/"));
            if ours {
                takes(&dev, file, &object);
                seen += 1;
            }
        }
    }
    assert!(seen > 0, "the README shows a CR");
}

/// Objects at the edges of what the previous implementation's CRD took are still taken.
#[test]
fn stored_objects_stay_valid() {
    let dev = kubernetes();
    let long = flavor_cr(
        "long",
        &"c".repeat(256),
        json!({"spec": {
            "name": "n".repeat(255),
            "description": "d".repeat(1024),
            "cloudCredentialsRef": {"secretName": "s".repeat(253)},
            "service_profiles": [{
                "driver": format!("a.{}", "B".repeat(1022)),
                "description": "d".repeat(1024),
                "meta_info": {"resource_class": "r".repeat(255), "vni_alloc": "off"},
            }],
        }}),
    );
    takes(&dev, "long", &long);
    let short = flavor_cr(
        "short",
        "c",
        json!({"spec": {
            "name": "-", "description": "", "is_enabled": false,
            "cloudCredentialsRef": {"secretName": "s"},
            "service_profiles": [{"driver": "_._", "description": "", "meta_info": {"resource_class": ":"}}, {"driver": "a.b.C"}],
        }}),
    );
    takes(&dev, "short", &short);
    let condition = json!({
        "type": "a.b/Ready", "status": "Unknown", "reason": "R,:_1", "message": "", "observedGeneration": 0,
        "lastTransitionTime": "2026-11-29T13:30:07Z",
    });
    let status = json!({
        "syncStatus": "Unknown", "message": "m".repeat(2048), "observedGeneration": 0,
        "lastSyncTime": "2026-11-29T13:30:07Z", "conditions": [condition],
    });
    let placeholder = json!({
        "apiVersion": "openstack.understack.rackspace.net/v1alpha1", "kind": "OpenstackPlaceholder",
        "metadata": {"name": "x", "namespace": "openstack"},
        "spec": {"cloudCredentialsRef": {"secretName": "s", "cloudName": "c"}},
        "status": status,
    });
    let stored = dev.kube().try_create(placeholder).unwrap();
    assert_eq!(stored["status"], status);
}

fn workload(name: &str, spec: Value) -> Value {
    json!({
        "apiVersion": "openshift.understack.rackspace.net/v1alpha1", "kind": "TemplateWorkload",
        "metadata": {"name": name, "namespace": "jobs"}, "spec": spec,
    })
}

/// The values of parameters stay what they are; the rest has limits.
#[test]
fn template_workloads_are_taken_and_refused() {
    let dev = kubernetes();
    dev.kube().create(json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "jobs"}}));
    let parameters = json!({"TEXT": "a", "EMPTY": "", "YES": true, "COUNT": 3, "SHARE": 0.5, "_9": "x"});
    let spec = json!({
        "templateRef": {"name": "t.1-x", "namespace": "a".repeat(63)}, "targetNamespace": "b-1",
        "parameters": parameters, "adopt": true, "deletionPolicy": "Orphan",
        "parametersFrom": [
            {"parameter": "A", "secretName": "s"},
            {"parameter": "B", "secretName": "s.t", "key": "-._aA0"},
        ],
    });
    takes(&dev, "full", &workload("full", spec.clone()));
    takes(&dev, "bare", &workload("bare", json!({"templateRef": {"name": "t"}})));
    let stored = dev.kube().get("TemplateWorkload", "jobs", "bare").unwrap();
    assert_eq!(
        stored["spec"],
        json!({"templateRef": {"name": "t"}, "adopt": false, "deletionPolicy": "Delete"})
    );
    let twice = json!([{"parameter": "A", "secretName": "s"}, {"parameter": "A", "secretName": "t"}]);
    for (field, value) in [
        ("templateRef", json!({})),
        ("templateRef", json!({"name": "T"})),
        ("templateRef", json!({"name": "t", "namespace": "a.b"})),
        ("targetNamespace", json!("")),
        ("targetNamespace", json!("-")),
        ("targetNamespace", json!("a".repeat(64))),
        ("parameters", json!(["A=1"])),
        ("parametersFrom", twice),
        ("parametersFrom", json!([{"parameter": "A-B", "secretName": "s"}])),
        ("parametersFrom", json!([{"parameter": "A"}])),
        ("parametersFrom", json!([{"parameter": "A", "secretName": "s", "key": "a/b"}])),
        ("deletionPolicy", json!("Keep")),
        ("adopt", json!("yes")),
    ] {
        let mut bad = spec.clone();
        bad[field] = value.clone();
        let refused = dev.kube().try_create(workload("bad", bad));
        let message = refused.expect_err(&format!("{field}: {value}"))["message"].to_string();
        assert!(message.contains(&format!("spec.{field}")), "{value}: {message}");
    }
}

/// An object that was not seen yet has no uid.
#[test]
fn a_template_workload_keeps_what_it_made() {
    let dev = kubernetes();
    dev.kube().create(json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "jobs"}}));
    dev.kube().create(workload("x", json!({"templateRef": {"name": "t"}})));
    let object = json!({"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "jobs", "name": "d"});
    let mut seen = object.clone();
    seen["uid"] = "d4895dc8-923a-4411-a05d-d5dafbb196a7".into();
    let objects = json!([object, seen]);
    let path = "/apis/openshift.understack.rackspace.net/v1alpha1/namespaces/jobs/templateworkloads/x";
    let mut cr = dev.kube().get("TemplateWorkload", "jobs", "x").unwrap();
    cr["status"] = json!({"objects": objects, "nosuch": 1});
    let (code, answer) = dev.kube().call("PUT", &format!("{path}/status"), Some(&cr));
    assert_eq!((code, &answer["status"]), (200, &json!({"objects": objects})));
    for key in ["apiVersion", "kind", "namespace", "name"] {
        let mut short = answer.clone();
        short["status"]["objects"][0].as_object_mut().unwrap().remove(key);
        assert_eq!(dev.kube().call("PUT", &format!("{path}/status"), Some(&short)).0, 422, "{key}");
    }
}

/// The owners of parameters are those that a real API server names (measured).
#[test]
fn a_template_workload_can_be_applied() {
    let dev = kubernetes();
    dev.kube().create(json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "jobs"}}));
    let with = |parameters: Value, from: &str| {
        let from = json!([{"parameter": from, "secretName": "s"}]);
        workload("x", json!({"templateRef": {"name": "t"}, "parameters": parameters, "parametersFrom": from}))
    };
    let first = with(json!({"A": "x", "B": true, "L": [1]}), "P");
    let stored = dev.kube().apply_as("alpha", first, false).unwrap();
    let parameters = json!({"f:A": {}, "f:B": {}, "f:L": {}});
    let from = json!({"k:{\"parameter\":\"P\"}": {".": {}, "f:parameter": {}, "f:secretName": {}}});
    let spec = json!({"f:parameters": parameters, "f:parametersFrom": from, "f:templateRef": {"f:name": {}}});
    assert_eq!(stored["metadata"]["managedFields"][0]["fieldsV1"], json!({"f:spec": spec}));
    let second = with(json!({"A": "x", "L": [1]}), "Q");
    let stored = dev.kube().apply_as("alpha", second, false).unwrap();
    assert_eq!(stored["spec"]["parameters"], json!({"A": "x", "L": [1]}));
    assert_eq!(stored["spec"]["parametersFrom"], json!([{"parameter": "Q", "secretName": "s"}]));
    let third = with(json!({"A": "y", "B": true, "L": [2]}), "P");
    let refused = dev.kube().apply_as("beta", third, false).unwrap_err();
    let message = "Apply failed with 2 conflicts: conflicts with \"alpha\":\n- .spec.parameters.A\n- .spec.parameters.L";
    assert_eq!(refused["message"], message);
}

/// devcloud does not run rules; that this one means what it says was seen on a real API server.
#[test]
fn the_target_of_a_template_workload_has_a_rule() {
    let crd = crate::schema::crd("TemplateWorkload");
    let rules = &crate::schema::root(&crd)["properties"]["spec"]["x-kubernetes-validations"];
    let rule = rules[0]["rule"].as_str().unwrap();
    assert!(rule.contains("oldSelf.targetNamespace") && rule.contains("has(self.targetNamespace)"), "{rule}");
    assert!(rules[0]["message"].as_str().unwrap().contains("make a new TemplateWorkload"));
    assert_eq!(rules.as_array().unwrap().len(), 1);
}
