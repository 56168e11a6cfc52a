//! One CR from its creation to its end.

use openstack_sync_tests::kubernetes::{Stage, eventually, is_finalized, play, predecessor, verdict};
use openstack_sync_tests::repository;
use openstack_sync_tests::scenarios::MARKER;
use serde_json::{Value, json};

const CRDS: &str = "components/openstack-sync-operator/crds";
const APPLIED: &str = "openstack-sync.understack.rackspace.net/applied";

/// Changed, made invalid, repaired, deleted while a router uses the flavor, gone when the router is. `flavor` is that
/// of the CR `gold` before, and stays the same one.
fn live_and_die(stage: &Stage, flavor: &Value) {
    let id = &flavor["id"];
    stage.apply("gold", json!({"description": "shiny", "is_enabled": false}));
    stage.synced("gold");
    let changed = stage.home.flavor("gold");
    assert_eq!((&changed["id"], &changed["enabled"]), (id, &json!(false)));
    assert_eq!(changed["description"], format!("shiny {MARKER}"));

    // The CRD lets it pass; with the marker it is too long for Neutron.
    stage.apply("gold", json!({"description": "x".repeat(1000)}));
    stage.failed("gold", "InvalidSpec", &["description"]);
    assert_eq!(stage.home.flavor("gold"), changed);

    stage.apply("gold", json!({"description": "mended"}));
    stage.synced("gold");
    let mended = stage.home.flavor("gold");
    assert_eq!((&mended["id"], &mended["enabled"]), (id, &json!(true)));
    assert_eq!(mended["description"], format!("mended {MARKER}"));

    let router = stage.home.neutron.add_router("r", &mended);
    stage.delete("gold");
    let cr = stage.failed("gold", "CleanupBlocked", &["waiting: flavor \"gold\" is in use by routers"]);
    assert!(is_finalized(&cr), "{cr}");
    assert_eq!(stage.home.flavor("gold"), mended);

    stage.home.neutron.delete_router(&router);
    stage.gone("gold");
    assert!(stage.home.flavors("gold").is_empty());
}

/// From nothing.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn of_a_new_cr() {
    play("life-new", |stage| {
        stage.install();
        stage.apply("gold", json!({}));
        let cr = stage.synced("gold");
        assert!(is_finalized(&cr), "{cr}");
        let applied = cr["metadata"]["annotations"][APPLIED].as_str().expect("an annotation");
        let applied: Value = serde_json::from_str(applied).expect("JSON");
        assert_eq!(applied, json!([{"cloudName": "home", "secretName": "infrasetup"}]));
        let flavor = stage.home.flavor("gold");
        assert_eq!(flavor["description"], MARKER);
        assert_eq!(stage.home.neutron.profiles_of(&flavor).len(), 1);
        live_and_die(stage, &flavor);
        assert_eq!(stage.home.managed_profiles(), [] as [Value; 0]);
    });
}

/// From what the previous implementation left: nothing is created anew, statuses stay, and what hung in Terminating
/// is let go.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn of_crs_of_the_previous_implementation() {
    play("life-previous", |stage| {
        stage.set("SYNC_CRONTAB", json!("*/10 * * * * *"));
        stage.plane.kubectl(&["apply", "--filename", &repository(CRDS).display().to_string()]);
        stage.plane.kubectl(&[
            "wait",
            "--for",
            "condition=established",
            "crd/neutronrouterflavors.neutron.understack.rackspace.net",
        ]);
        stage.release.install_chart(&repository("tests/tests/kubernetes/predecessor"), &json!({}));
        let old = stage.release.deployment();
        let profile = predecessor::profile(stage);
        let planted = ["gold", "silver"].map(|name| predecessor::plant(stage, name, &profile));
        let before = stage.home.neutron.snapshot();
        predecessor::plant(stage, "bronze", &profile);
        stage.delete("bronze");
        assert!(stage.get("bronze").is_some(), "its finalizer keeps it");

        stage.install();
        let new = stage.release.deployment();
        assert_eq!(new["metadata"]["uid"], old["metadata"]["uid"], "upgraded in place");
        assert_eq!(new["spec"]["strategy"], json!({"type": "Recreate"}));
        for cr in &planted {
            let name = cr["metadata"]["name"].as_str().expect("a name");
            let now = eventually(|| {
                let now = stage.get(name).ok_or("it is gone")?;
                let done = now["metadata"]["annotations"][APPLIED].is_string();
                if done { Ok(now) } else { Err(format!("no record on {name}: {}", verdict(&now))) }
            });
            assert_eq!(now["status"], cr["status"], "the status of {name}");
            assert_eq!(now["metadata"]["finalizers"], cr["metadata"]["finalizers"]);
        }
        stage.gone("bronze");
        assert_eq!(
            stage.home.neutron.snapshot(),
            before,
            "nothing is created, changed or deleted but bronze"
        );
        let flavor = stage.home.flavor("gold");
        live_and_die(stage, &flavor);
        assert_eq!(stage.home.profile("silver")["id"], profile["id"]);
    });
}
