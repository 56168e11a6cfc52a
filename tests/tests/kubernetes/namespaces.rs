//! Which namespaces are watched.

use openstack_sync_tests::kubernetes::{NRF, Stage, eventually, play, verdict};
use openstack_sync_tests::{SECRET, flavor_cr};
use serde_json::{Value, json};

/// A namespace beside the release's own, with the Secret and a CR of this name; answers the namespace.
fn with_cr(stage: &Stage, suffix: &str, name: &str) -> String {
    let namespace = format!("{}-{suffix}", stage.namespace());
    let object = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}});
    stage.plane.kubectl_with_input(&["apply", "--filename", "-"], &object.to_string());
    stage.write_secret_in(&namespace, SECRET);
    stage.plane.apply(NRF, &flavor_cr(name, "home", json!({"metadata": {"namespace": namespace}})));
    namespace
}

fn synced(stage: &Stage, namespace: &str, name: &str) -> Value {
    eventually(|| {
        let cr = stage.plane.get(NRF, namespace, name).ok_or("no CR")?;
        if cr["status"]["syncStatus"] == "Synced" { Ok(cr) } else { Err(format!("{name}: {}", verdict(&cr))) }
    })
}

/// Cluster-wide: CRs of any namespace, each with the Secret of its own.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn all_of_them() {
    play("cluster-wide", |stage| {
        stage.values["rbac"] = json!({"clusterWide": true});
        stage.install();
        let (a, b) = (with_cr(stage, "a", "gold"), with_cr(stage, "b", "silver"));
        synced(stage, &a, "gold");
        synced(stage, &b, "silver");
        stage.home.flavor("gold");
        stage.plane.delete(NRF, &a, "gold");
        eventually(|| match stage.plane.get(NRF, &a, "gold") {
            Some(cr) => Err(verdict(&cr)),
            None => Ok(()),
        });
        assert!(stage.home.flavors("gold").is_empty());
        stage.home.flavor("silver");
    });
}

/// Two that are named: a CR in a third, the release's own, is not touched.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn two_that_are_named() {
    play("two-named", |stage| {
        let names = ["a", "b"].map(|suffix| format!("{}-{suffix}", stage.namespace()));
        stage.set("SYNC_CRONTAB", json!("*/10 * * * * *"));
        // Before the release is installed the first time there may be no CRDs.
        stage.release.install(&stage.values);
        let (a, b) = (with_cr(stage, "a", "gold"), with_cr(stage, "b", "silver"));
        let bronze = stage.apply("bronze", json!({}));
        stage.values["watchNamespaces"] = json!(names);
        stage.install();
        synced(stage, &a, "gold");
        synced(stage, &b, "silver");
        let log = stage.operator().log.clone();
        eventually(|| {
            let full = log.ended("router-flavors").into_iter().any(|run| run.binding == "periodic sync");
            if full { Ok(()) } else { Err("no full run yet".to_owned()) }
        });
        assert_eq!(stage.get("bronze"), Some(bronze));
        assert!(stage.home.flavors("bronze").is_empty());
    });
}
