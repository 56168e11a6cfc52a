//! The objects that we hand out are objects that the API server takes, without dropping anything.

use devcloud::{DevCloud, Options};
use openstack_sync_tests::{crds, flavor_cr, repository, yaml};
use serde_json::{Value, json};

const SAMPLES: &str = "components/openstack-sync-samples";

fn kubernetes() -> DevCloud {
    let dev = DevCloud::start(Options::default()).unwrap();
    crds().into_iter().for_each(|crd| dev.kube().define(crd));
    dev
}

/// Fails unless the object is stored with everything that it says.
fn takes(dev: &DevCloud, what: &str, object: &Value) {
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
fn samples_are_taken_whole() {
    let dev = kubernetes();
    let mut kinds = Vec::new();
    for entry in std::fs::read_dir(repository(SAMPLES)).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.ends_with(".yaml") || name == "kustomization.yaml" {
            continue;
        }
        let object = yaml(&format!("{SAMPLES}/{name}"));
        if object["kind"] != "Secret" {
            takes(&dev, &name, &object);
            kinds.push(object["kind"].as_str().unwrap().to_owned());
        }
    }
    for crd in crds() {
        let kind = crd["spec"]["names"]["kind"].as_str().unwrap();
        assert!(kinds.iter().any(|sample| sample == kind), "there is a sample of {kind}");
    }
}

#[test]
fn the_kustomization_has_every_sample_but_the_secret() {
    let listed = yaml(&format!("{SAMPLES}/kustomization.yaml"))["resources"].clone();
    let mut files: Vec<String> = std::fs::read_dir(repository(SAMPLES))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| {
            name.ends_with(".yaml") && name != "kustomization.yaml" && !name.starts_with("secret-")
        })
        .collect();
    files.sort();
    assert_eq!(listed, json!(files));
}

/// The samples name one Secret and one cloud, and that Secret's sample has them and nothing real.
#[test]
fn samples_find_their_credentials() {
    let secret = yaml(&format!("{SAMPLES}/secret-infrasetup.yaml"));
    let clouds = rest::yaml::parse(secret["stringData"]["clouds.yaml"].as_str().unwrap()).unwrap();
    for file in yaml(&format!("{SAMPLES}/kustomization.yaml"))["resources"].as_array().unwrap() {
        let sample = yaml(&format!("{SAMPLES}/{}", file.as_str().unwrap()));
        let at = &sample["spec"]["cloudCredentialsRef"];
        assert_eq!(at["secretName"], secret["metadata"]["name"], "{file}");
        assert_eq!(sample["metadata"]["namespace"], secret["metadata"]["namespace"], "{file}");
        let cloud = &clouds["clouds"][at["cloudName"].as_str().unwrap()];
        assert_eq!(cloud["auth"]["password"], "change-me", "{file}");
        assert!(cloud["auth"]["auth_url"].as_str().unwrap().contains(".example.com/"), "{file}");
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
