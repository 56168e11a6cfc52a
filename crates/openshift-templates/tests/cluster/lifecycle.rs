//! Create, look, create again, delete: with one client or with many.

use devcloud::{Action, Fault, Service};
use openshift_templates::{ConnectOptions, Error, Reference, Selection, connect, kube};
use serde_json::{Value, json};

use crate::{Lab, config_map, job};

/// A Secret, a Deployment, a virtual machine and a ConfigMap.
fn lab() -> Lab {
    let parameters = json!([
        {"name": "NAME", "required": true},
        {"name": "REPLICAS", "value": "1"},
        {"name": "PASSWORD", "generate": "expression", "from": "[a-zA-Z0-9]{12}"},
    ]);
    let meta = json!({"name": "${NAME}"});
    let pod =
        json!({"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i:1"}]}});
    let objects = json!([
        {"apiVersion": "v1", "kind": "Secret", "metadata": meta,
            "stringData": {"user": "me", "password": "${PASSWORD}"}},
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta,
            "spec": {"replicas": "${{REPLICAS}}", "selector": {"matchLabels": {"a": "b"}}, "template": pod}},
        {"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine", "metadata": meta, "spec": {"running": true}},
        config_map(meta.clone(), "${NAME}"),
    ]);
    Lab::new(objects, parameters)
}

fn inputs() -> openshift_templates::TemplateInputs {
    job().parameter("NAME", "report-7").parameter("PASSWORD", "hunter2").parameter("REPLICAS", 2)
}

fn kinds(references: &[Reference]) -> Vec<&str> {
    references.iter().map(|reference| reference.kind.as_str()).collect()
}

#[test]
fn what_one_client_creates_another_one_reads_and_deletes() {
    let lab = lab();
    let before = lab.everything();
    let created = lab.client().create(&inputs()).unwrap();
    assert_eq!(kinds(&created), ["Secret", "Deployment", "VirtualMachine", "ConfigMap"]);
    assert_eq!(
        lab.requests().len(),
        2 + 3 + 4,
        "template, process; v1, apps/v1, kubevirt.io/v1; four objects"
    );
    assert_eq!(lab.get("Deployment", "report-7").unwrap()["spec"]["replicas"], 2);
    assert_eq!(lab.get("Secret", "report-7").unwrap()["data"]["password"], "aHVudGVyMg==");

    let live = lab.client().get(&inputs()).unwrap();
    let uids: Vec<_> = live.iter().map(|object| object["metadata"]["uid"].as_str()).collect();
    assert_eq!(uids, created.iter().map(|reference| reference.uid.as_deref()).collect::<Vec<_>>());
    assert_eq!(lab.client().get(Selection::references("jobs", &created)).unwrap(), live);

    let gone = lab.client().delete(&inputs()).unwrap();
    assert_eq!(kinds(&gone), ["ConfigMap", "VirtualMachine", "Deployment", "Secret"]);
    assert_eq!(lab.everything(), before);
    assert_eq!(lab.client().delete(&inputs()).unwrap(), gone, "again");
    assert_eq!(lab.client().delete(Selection::references("jobs", &created)).unwrap().len(), 4, "and again");
    let error = lab.client().get(&inputs()).unwrap_err();
    assert!(error.kube().unwrap().is_not_found(), "{error}");
}

#[test]
fn creating_again_changes_nothing() {
    let lab = lab();
    let first = lab.client().create(&inputs()).unwrap();
    let before = lab.everything();
    assert_eq!(lab.client().create(&inputs()).unwrap(), first);
    assert_eq!(lab.everything(), before, "resourceVersions and all");
    lab.client().create(&inputs().parameter("REPLICAS", 3)).unwrap();
    assert_eq!(lab.get("Deployment", "report-7").unwrap()["spec"]["replicas"], 3);
}

#[test]
fn a_key_that_leaves_string_data_leaves_the_secret() {
    let lab = Lab::new(json!(null), json!([]));
    let secret = |data: Value| {
        let metadata = json!({"name": "s"});
        let secret = json!({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": data});
        lab.store(json!({"objects": [secret]}));
    };
    secret(json!({"user": "bob", "pw": "hunter2"}));
    lab.client().create(&job()).unwrap();
    let first = lab.get("Secret", "s").unwrap();
    assert_eq!(first["data"], json!({"user": "Ym9i", "pw": "aHVudGVyMg=="}));
    lab.client().create(&job()).unwrap();
    assert_eq!(lab.get("Secret", "s").unwrap(), first);
    secret(json!({"user": "bob"}));
    lab.client().create(&job()).unwrap();
    assert_eq!(lab.get("Secret", "s").unwrap()["data"], json!({"user": "Ym9i"}));
}

/// The server reads an apply as YAML: line ends that JSON does not know took the blanks around them away, and other
/// control characters were refused.
#[test]
fn every_character_arrives() {
    let text: String =
        ('\u{1}'..='\u{ff}').chain(['\u{2028}', '\u{2029}', '\u{feff}', '\u{fffe}', '\u{1f600}']).collect();
    let text = format!("a \u{85} b \u{2028} c {text}");
    let lab = Lab::new(
        json!([config_map(json!({"name": "c", "annotations": {"a": "${P}"}}), "${P}")]),
        json!([{"name": "P"}]),
    );
    lab.client().create(&job().parameter("P", text.as_str())).unwrap();
    let live = lab.get("ConfigMap", "c").unwrap();
    assert_eq!((&live["data"]["a"], &live["metadata"]["annotations"]["a"]), (&json!(text), &json!(text)));
}

#[test]
fn references_mean_the_very_object() {
    let lab = lab();
    let created = lab.client().create(&inputs()).unwrap();
    let saved = serde_json::to_string(&created).unwrap();
    lab.cloud.kube().delete("ConfigMap", "jobs", "report-7");
    let other =
        lab.cloud.kube().create(config_map(json!({"name": "report-7", "namespace": "jobs"}), "other"));

    let references: Vec<Reference> = serde_json::from_str(&saved).unwrap();
    let error = lab.client().delete(Selection::references("jobs", &references)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "delete: v1 ConfigMap jobs/report-7: 409 Conflict: the object that has this name now is another one; \
         3 objects succeeded"
    );
    assert_eq!(lab.get("ConfigMap", "report-7"), Some(other));
    assert_eq!(lab.get("Secret", "report-7"), None);
    lab.client().delete(&inputs()).unwrap();
    assert_eq!(lab.get("ConfigMap", "report-7"), None, "the inputs mean whatever has the name");
}

#[test]
fn nothing_is_taken_from_another_manager() {
    let lab = lab();
    let theirs = config_map(json!({"name": "report-7", "namespace": "jobs"}), "theirs");
    let theirs = lab.cloud.kube().apply_as("kubectl", theirs, false).unwrap();
    let error = lab.client().create(&inputs()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "create: v1 ConfigMap jobs/report-7: 409 Conflict: .data.a (FieldManagerConflict); 3 objects succeeded"
    );
    let error = error.operation().unwrap();
    assert_eq!(kinds(&error.succeeded), ["Secret", "Deployment", "VirtualMachine"]);
    assert_eq!(error.failed[0].1.causes()[0].manager(), Some("kubectl"));
    assert_eq!(lab.get("ConfigMap", "report-7"), Some(theirs));
    assert!(lab.get("Deployment", "report-7").is_some(), "no roll back");
}

#[test]
fn a_write_whose_answer_is_lost_can_be_repeated() {
    let lab = lab();
    let before = lab.everything();
    let lost =
        |method: &str| Fault::new(Service::Kubernetes, "/virtualmachines/", Action::CutAfter).method(method);
    lab.cloud.inject(lost("PATCH").times(1));
    let error = lab.client().create(&inputs()).unwrap_err();
    assert!(error.operation().unwrap().is_outcome_unknown(), "{error}");
    assert!(lab.get("VirtualMachine", "report-7").is_some());
    assert_eq!(lab.get("ConfigMap", "report-7"), None, "it stopped there");
    assert_eq!(lab.client().create(&inputs()).unwrap().len(), 4);

    lab.cloud.inject(lost("DELETE").times(1));
    let error = lab.client().delete(&inputs()).unwrap_err();
    let error = error.operation().unwrap();
    assert!(error.is_outcome_unknown());
    assert_eq!(kinds(&error.succeeded), ["ConfigMap", "Deployment", "Secret"], "every target is tried");
    lab.client().delete(&inputs()).unwrap();
    assert_eq!(lab.everything(), before);
}

#[test]
fn an_object_that_is_being_deleted_is_not_brought_back() {
    let lab =
        Lab::new(json!([config_map(json!({"name": "c", "finalizers": ["example.com/f"]}), "x")]), json!([]));
    let created = lab.client().create(&job()).unwrap();
    lab.client().delete(&job()).unwrap();
    let marked = lab.get("ConfigMap", "c").unwrap();
    assert!(marked["metadata"]["deletionTimestamp"].is_string(), "{marked}");
    assert_eq!(lab.client().delete(&job()).unwrap().len(), 1, "again while it goes");
    assert_eq!(lab.client().create(&job()).unwrap(), created);
    assert!(lab.get("ConfigMap", "c").unwrap()["metadata"]["deletionTimestamp"].is_string());
}

#[test]
fn a_crd_that_comes_later() {
    let widget = json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}});
    let lab = Lab::new(json!([config_map(json!({"name": "c"}), "x"), widget]), json!([]));
    let client = lab.client();
    let error = client.create(&job()).unwrap_err();
    assert!(matches!(&error, Error::NotServed { reference } if reference.kind == "Widget"), "{error}");
    assert_eq!(lab.get("ConfigMap", "c"), None, "nothing was written");
    lab.cloud.kube().define_open("example.com/v1", "Widget", "widgets", true);
    assert_eq!(client.create(&job()).unwrap().len(), 2, "the same client");
    client.delete(&job()).unwrap();
    assert_eq!(lab.get("Widget", "w"), None);
}

/// The files of a pod's account, with the authority `ca`.
fn account(lab: &Lab, ca: &str) -> kube::Config {
    let folder = tempfile::tempdir_in(lab.folder.path()).unwrap().keep();
    std::fs::write(folder.join("token"), lab.cloud.kube().token()).unwrap();
    std::fs::write(folder.join("ca.crt"), ca).unwrap();
    let url = lab.cloud.kube_url();
    let (host, port) = url.trim_start_matches("https://").rsplit_once(':').unwrap();
    let env = |name: &str| match name {
        "KUBERNETES_SERVICE_HOST" => Some(host.to_owned()),
        "KUBERNETES_SERVICE_PORT" => Some(port.to_owned()),
        _ => None,
    };
    let source = kube::Source { in_cluster: true, ..kube::Source::default() };
    kube::Config::load_from_and(&source, &env, &folder).unwrap()
}

#[test]
fn a_pods_account_verifies_tls_unless_it_is_switched_off() {
    let (lab, other) = (lab(), lab());
    for (ca, insecure, works) in [
        (lab.cloud.ca_pem(), false, true),
        (other.cloud.ca_pem(), false, false),
        (other.cloud.ca_pem(), true, true),
    ] {
        let mut config = account(&lab, ca);
        assert!(!config.options.insecure, "verification is the default");
        config.options.insecure = insecure;
        let kube = kube::Client::new(config).unwrap().with_retry(rest::Retry::never());
        let outcome = openshift_templates::Client::from_kube(kube).process(&inputs());
        assert_eq!(outcome.is_ok(), works, "{outcome:?}");
    }
}

#[test]
fn tls_is_verified_unless_it_is_switched_off() {
    let (lab, other) = (lab(), lab());
    // Our server, the authority of another one.
    let config = other.cloud.kubeconfig().replace(&other.cloud.kube_url(), &lab.cloud.kube_url());
    let config = config.replace(other.cloud.kube().token(), lab.cloud.kube().token());
    let path = lab.folder.path().join("stranger");
    std::fs::write(&path, &config).unwrap();
    let lax = lab.folder.path().join("lax");
    let authority = config.lines().find(|line| line.contains("certificate-authority-data")).unwrap();
    std::fs::write(&lax, config.replace(authority, "    insecure-skip-tls-verify: true")).unwrap();
    let process = |path: &std::path::Path, verify_tls| {
        let kubeconfig = Some(path.to_owned());
        let client =
            connect(&ConnectOptions { kubeconfig, verify_tls, ..ConnectOptions::default() }).unwrap();
        client.process(&inputs()).map(|objects| objects.len())
    };
    for (path, verify_tls, works) in [
        (&path, None, false),
        (&path, Some(true), false),
        (&path, Some(false), true),
        (&lax, None, true),
        (&lax, Some(true), false),
        (&lab.kubeconfig(), Some(true), true),
    ] {
        let outcome = process(path, verify_tls);
        assert_eq!(outcome.is_ok(), works, "{verify_tls:?}: {outcome:?}");
        if let Err(error) = outcome {
            assert!(error.to_string().starts_with("no TLS connection to "), "{error}");
        }
    }
}
