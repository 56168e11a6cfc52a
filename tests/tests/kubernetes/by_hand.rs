//! A hook run by hand against the real API server, with the rights of the operator's service account.

use openstack_sync_tests::Right;
use openstack_sync_tests::kubernetes::{ByHand, NRF, audit, eventually, play, predecessor, verdict};
use serde_json::{Value, json};

fn full(crs: &[Value]) -> Value {
    let items: Vec<Value> = crs.iter().map(|cr| json!({"object": cr})).collect();
    json!([{"binding": "periodic sync", "type": "Schedule", "snapshots": {"neutron-router-flavors": items}}])
}

/// The dry run over what the previous implementation left, as the README has it: one annotation per CR is planned, and
/// nothing is written anywhere.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn a_dry_run_before_the_upgrade() {
    play("dry-run", |stage| {
        stage.release.install(&stage.values);
        let profile = predecessor::profile(stage);
        for name in ["gold", "silver"] {
            predecessor::plant(stage, name, &profile);
        }
        let (crs, cloud) = (stage.crs(), stage.home.neutron.snapshot());
        let context = json!([{"binding": "periodic sync", "type": "Schedule",
            "snapshots": {"neutron-router-flavors": crs}}]);
        let outcome = ByHand::new(stage.plane, &stage.release, "router-flavors")
            .run(&context, &["--dry-run"])
            .expect(0);
        let planned: Vec<&str> = outcome.stdout.lines().filter(|line| line.contains("patch")).collect();
        assert_eq!(planned.len(), 2, "{}", outcome.stdout);
        assert!(!outcome.stdout.contains("delete"), "{}", outcome.stdout);
        assert_eq!((stage.crs(), stage.home.neutron.snapshot()), (crs, cloud));
    });
}

/// `DRY_RUN` in the pod: one log line per planned write, and none is made.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn a_dry_run_in_the_pod() {
    play("dry-run-pod", |stage| {
        stage.set("DRY_RUN", json!(true));
        stage.install();
        let gold = stage.apply("gold", json!({}));
        stage.after_runs(2);
        let log = stage.operator().log.clone();
        assert!(log.says(&["router-flavors", "gold", "create"]), "{}", log.tail());
        assert_eq!(stage.get("gold"), Some(gold));
        assert!(stage.home.flavors("gold").is_empty());
    });
}

/// A CR that was changed since it was listed: the write meets a conflict, the CR is read anew, and the write is done.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn over_an_outdated_list() {
    play("conflict", |stage| {
        stage.release.install(&stage.values);
        stage.apply("gold", json!({}));
        let listed = stage.crs();
        let label = json!({"metadata": {"labels": {"changed": "since"}}});
        stage.plane.merge(NRF, stage.namespace(), "gold", &label);
        ByHand::new(stage.plane, &stage.release, "router-flavors").run(&full(&listed), &[]).expect(0);
        let cr = stage.get("gold").expect("a CR");
        assert!(verdict(&cr).starts_with("Synced (Reconciled)"), "{}", verdict(&cr));
        assert_eq!(cr["metadata"]["labels"]["changed"], "since");
        let read = |(_, resource, verb): &Right| resource == NRF.plural && verb == "get";
        // A line of the log may come a moment after the answer.
        eventually(|| {
            let used = audit::asked(stage.plane, stage.namespace()).used;
            if used.iter().any(read) { Ok(()) } else { Err(format!("{used:?}")) }
        });
    });
}
