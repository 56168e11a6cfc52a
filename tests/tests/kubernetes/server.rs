//! What the API server makes of our CRDs, and of what the hook writes.

use openstack_sync_tests::kubernetes::{NRF, play};
use serde_json::json;

/// Defaults are filled in, what the schema forbids is refused, and people see the columns they need.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn defaults_refusals_and_columns() {
    play("schema", |stage| {
        stage.install();
        let stored = stage.apply("gold", json!({}));
        assert_eq!(stored["spec"]["service_type"], "L3_ROUTER_NAT");
        assert_eq!(stored["spec"]["is_enabled"], true);
        assert_eq!(stored["spec"]["service_profiles"][0]["is_enabled"], true);
        for (bad, field) in [
            (json!({"name": "no spaces"}), "spec.name"),
            (json!({"service_profiles": []}), "spec.service_profiles"),
            (json!({"service_profiles": [{"driver": "nodots"}]}), "spec.service_profiles[0].driver"),
            (json!({"service_type": "QOS"}), "spec.service_type"),
            (json!({"description": "x".repeat(1025)}), "spec.description"),
            (json!({"cloudCredentialsRef": {"cloudName": ""}}), "spec.cloudCredentialsRef.cloudName"),
        ] {
            let (status, answer) = stage.plane.try_create(NRF, &stage.cr("bad", bad));
            assert_eq!(status, 422, "{answer}");
            assert!(answer["details"]["causes"].to_string().contains(field), "no {field}: {answer}");
        }
        stage.synced("gold");
        // A message as long as it can be: the name of a cloud that is not there, and all that are.
        stage.apply("silver", json!({"cloudCredentialsRef": {"cloudName": "ž".repeat(256)}}));
        stage.failed("silver", "ReconcileError", &["žžž"]);

        let namespace = stage.namespace();
        let table = stage.plane.kubectl(&["--namespace", namespace, "get", "nrf"]);
        let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        let columns = ["NAME", "FLAVOR", "SERVICETYPE", "ENABLED", "READY", "SYNCSTATUS", "MESSAGE", "AGE"];
        assert_eq!(rows[0], columns);
        assert_eq!(rows[1][..6], ["gold", "gold", "L3_ROUTER_NAT", "true", "True", "Synced"]);
        assert_eq!(rows[2][..6], ["silver", "silver", "L3_ROUTER_NAT", "true", "False", "Failed"]);
        assert!(table.contains("Successfully reconciled router flavor"), "{table}");
        // By its category, with the other kinds.
        let all =
            stage.plane.kubectl(&["--namespace", namespace, "get", "openstack-sync", "--output", "name"]);
        assert_eq!(all.lines().count(), 2, "{all}");
    });
}
