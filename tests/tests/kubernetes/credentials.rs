//! Secrets that come, go and are exchanged.

use openstack_sync_tests::kubernetes::{Kind, is_finalized, play};
use serde_json::{Value, json};

const PREFIX: &str = "openstack-sync.understack.rackspace.net";

fn at(secret: &str, cloud: &str) -> Value {
    json!({"cloudCredentialsRef": {"secretName": secret, "cloudName": cloud}})
}

/// The credentials that are recorded as holding resources of a CR, as `secret/cloud`.
fn applied(cr: &Value) -> Vec<String> {
    let text = cr["metadata"]["annotations"][format!("{PREFIX}/applied")].as_str().unwrap_or("[]");
    let list: Value = serde_json::from_str(text).expect("JSON");
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let name = |at: &Value| format!("{}/{}", word(&at["secretName"]), word(&at["cloudName"]));
    list.as_array().into_iter().flatten().map(name).collect()
}

/// A CR whose Secret is not there yet says so, can be deleted, and is served once the Secret is there.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn a_secret_that_comes_later() {
    play("secret-later", |stage| {
        stage.install();
        stage.apply("gold", at("later", "home"));
        stage.apply("typo", at("latre", "home"));
        let cr = stage.failed("gold", "ReconcileError", &["\"later\""]);
        assert!(!is_finalized(&cr), "{cr}");
        stage.failed("typo", "ReconcileError", &["\"latre\""]);
        stage.delete("typo");
        assert_eq!(stage.get("typo"), None, "no finalizer, no cleanup");
        stage.write_secret("later");
        let cr = stage.synced("gold");
        assert_eq!(applied(&cr), ["later/home"]);
        stage.home.flavor("gold");
    });
}

/// To another Secret for the same cloud: the flavor stays. Then to another cloud: it is made there and deleted here.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn moved() {
    play("moved", |stage| {
        stage.add_away();
        stage.write_secret("second");
        stage.install();
        stage.apply("gold", at("infrasetup", "home"));
        stage.synced("gold");
        let flavor = stage.home.flavor("gold");

        stage.apply("gold", at("second", "home"));
        let cr = stage.synced("gold");
        assert_eq!(applied(&cr), ["second/home"]);
        assert_eq!(stage.home.flavor("gold"), flavor);

        stage.apply("gold", at("second", "away"));
        let cr = stage.synced("gold");
        assert_eq!(applied(&cr), ["second/away"]);
        stage.away().flavor("gold");
        assert!(stage.home.flavors("gold").is_empty() && stage.home.managed_profiles().is_empty());
        stage.delete("gold");
        stage.gone("gold");
        assert!(stage.away().flavors("gold").is_empty());
    });
}

/// A CR that is given up goes, and its flavor stays: without our marker if the cloud can be reached, as it is if not.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn abandoned() {
    play("abandoned", |stage| {
        stage.write_secret("short-lived");
        stage.install();
        stage.apply("gold", at("short-lived", "home"));
        stage.apply("silver", json!({"description": "by us"}));
        stage.synced("gold");
        stage.synced("silver");
        let flavor = stage.home.flavor("gold");
        stage.plane.delete(Kind::SECRET, stage.namespace(), "short-lived");
        stage.delete("gold");
        let cr = stage.failed("gold", "CleanupBlocked", &["waiting: ", "\"short-lived\""]);
        assert!(is_finalized(&cr), "{cr}");

        for name in ["gold", "silver"] {
            let resource = format!("neutronrouterflavor/{name}");
            let annotation = format!("{PREFIX}/abandon=true");
            stage.plane.kubectl(&["--namespace", stage.namespace(), "annotate", &resource, &annotation]);
        }
        stage.gone("gold");
        assert_eq!(stage.home.flavor("gold"), flavor, "it keeps its marker");
        stage.delete("silver");
        stage.gone("silver");
        assert_eq!(stage.home.flavor("silver")["description"], "by us", "it has none");
    });
}
