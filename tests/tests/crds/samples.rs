//! The samples: objects that the API server takes, and that belong together.

use std::collections::BTreeSet;
use std::path::Path;

use devcloud::DevCloud;
use openshift_templates::{ConnectOptions, TemplateInputs, connect};
use openstack_sync_tests::{crds, repository, walk, yaml};
use serde_json::{Value, json};

use crate::objects::{kubernetes, takes};

const SAMPLES: &str = "components/openstack-sync-samples";
/// Those that need OpenShift.
const TEMPLATES: &str = "components/openstack-sync-samples/template-workloads";
const CHART: &str = "components/openstack-sync-operator";

/// The files of a folder, sorted; not those below it.
fn files(folder: &str) -> Vec<String> {
    let mut files = Vec::new();
    walk(&repository(folder), &mut |path| {
        if path.parent() == Some(&repository(folder)) {
            files.push(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
    });
    files.sort();
    files
}

/// All documents of a file.
fn documents(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.split("\n---\n").map(|document| rest::yaml::parse(document).unwrap()).collect()
}

fn namespaces(dev: &DevCloud) {
    for name in ["workloads", "batch", "openshift"] {
        dev.kube().create(json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}));
    }
}

#[test]
fn samples_are_taken_whole() {
    let dev = kubernetes();
    namespaces(&dev);
    let mut kinds = Vec::new();
    for folder in [SAMPLES, TEMPLATES] {
        for name in files(folder).iter().filter(|name| *name != "kustomization.yaml") {
            for object in documents(&repository(&format!("{folder}/{name}"))) {
                takes(&dev, name, &object);
                kinds.push(object["kind"].as_str().unwrap().to_owned());
            }
        }
    }
    for crd in crds() {
        let kind = crd["spec"]["names"]["kind"].as_str().unwrap();
        assert!(kinds.iter().any(|sample| sample == kind), "there is a sample of {kind}");
    }
}

/// Neither Secrets, which would overwrite real ones, nor rights, which are an administrator's to grant.
#[test]
fn a_kustomization_has_every_sample_that_may_be_applied_as_it_is() {
    for folder in [SAMPLES, TEMPLATES] {
        let listed = yaml(&format!("{folder}/kustomization.yaml"))["resources"].clone();
        let mut files = files(folder);
        files.retain(|name| {
            name != "kustomization.yaml" && !name.starts_with("secret-") && !name.starts_with("rbac-")
        });
        assert_eq!(listed, json!(files), "{folder}");
    }
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

/// What the sample's Template, TemplateWorkload and Secret make together, twice; with the rights of the chart's example.
#[test]
fn the_template_sample_becomes_objects() {
    let dev = kubernetes();
    namespaces(&dev);
    let sample = |name: &str| yaml(&format!("{TEMPLATES}/{name}"));
    let (workload, secret) = (sample("templateworkload-hello.yaml"), sample("secret-hello-parameters.yaml"));
    let namespace = workload["metadata"]["namespace"].as_str().unwrap();
    assert_eq!(secret["metadata"]["namespace"], namespace);
    dev.kube().create(sample("template-hello.yaml"));
    dev.kube().create(secret.clone());
    let spec = &workload["spec"];
    let mut inputs = TemplateInputs::new(spec["templateRef"]["name"].as_str().unwrap(), namespace);
    for (name, value) in spec["parameters"].as_object().unwrap() {
        inputs = inputs.parameter(name, value.clone());
    }
    for from in spec["parametersFrom"].as_array().unwrap() {
        assert_eq!(from["secretName"], secret["metadata"]["name"]);
        let value = secret["stringData"][from["key"].as_str().unwrap()].clone();
        assert_eq!(value, "change-me");
        inputs = inputs.parameter(from["parameter"].as_str().unwrap(), value);
    }

    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    dev.write_kubeconfig(&kubeconfig).unwrap();
    let client =
        connect(&ConnectOptions { kubeconfig: Some(kubeconfig), ..ConnectOptions::default() }).unwrap();
    let made = client.create(&inputs).unwrap();
    assert_eq!(client.create(&inputs).unwrap(), made);

    let kinds: BTreeSet<&str> = made.iter().map(|reference| reference.kind.as_str()).collect();
    assert_eq!(kinds, BTreeSet::from(["ConfigMap", "Deployment", "Secret"]));
    let get = |kind: &str| dev.kube().get(kind, namespace, "hello").unwrap();
    assert_eq!(get("Deployment")["spec"]["replicas"], 2);
    assert_eq!(get("ConfigMap")["data"]["greeting"], "Good morning");
    assert_eq!(get("Secret")["data"]["password"], "Y2hhbmdlLW1l");
    let example = yaml(&format!("{CHART}/examples/template-workloads.yaml"));
    assert_eq!(example["watchNamespaces"], json!([namespace]));
    let granted = example["rbac"]["rules"].to_string();
    for plural in ["configmaps", "deployments", "secrets"] {
        assert!(granted.contains(&format!("{plural:?}")), "{plural}");
    }
}

/// By hand the same is granted as by the chart: to take Templates, or to make objects.
#[test]
fn rights_in_other_namespaces_are_those_of_the_chart() {
    let values = yaml(&format!("{CHART}/values.yaml"));
    let example = yaml(&format!("{CHART}/examples/template-workloads.yaml"));
    let of_hook = values["pluginData"]["templateWorkloads"]["hook"]["rules"].as_array().unwrap();
    let [take, process] = &of_hook[..] else { panic!("{of_hook:?}") };
    assert_eq!(
        (&take["resources"], &process["resources"]),
        (&json!(["templates"]), &json!(["processedtemplates"]))
    );
    let documents = documents(&repository(&format!("{TEMPLATES}/rbac-other-namespaces.yaml")));
    let [templates, binding, workloads, second] = &documents[..] else { panic!("two Roles, each bound") };
    for (role, binding) in [(templates, binding), (workloads, second)] {
        assert_eq!(role["metadata"], binding["metadata"]);
        assert_eq!(
            (&binding["roleRef"]["kind"], &binding["roleRef"]["name"]),
            (&role["kind"], &role["metadata"]["name"])
        );
        let account =
            json!({"kind": "ServiceAccount", "name": "openstack-sync-operator", "namespace": "openstack"});
        assert_eq!(binding["subjects"], json!([account]));
    }
    assert_eq!(templates["rules"], json!([take]));
    let named = &example["pluginData"]["templateWorkloads"]["hook"]["env"]["NAMESPACES"];
    assert_eq!(&templates["metadata"]["namespace"], named);
    let mut all = vec![process.clone()];
    all.extend_from_slice(example["rbac"]["rules"].as_array().unwrap());
    assert_eq!(workloads["rules"], json!(all));
}
