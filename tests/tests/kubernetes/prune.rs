//! PRUNE switched off and on, by upgrades of the release.

use openstack_sync_tests::kubernetes::{eventually, is_finalized, play};
use serde_json::json;

const APPLIED: &str = "openstack-sync.understack.rackspace.net/applied";

/// Off: finalizers and records go, flavors stay. On: they come back, and a full run takes what nobody claims.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn off_and_on() {
    play("prune", |stage| {
        assert!(stage.install());
        stage.apply("gold", json!({}));
        stage.apply("silver", json!({}));
        stage.synced("gold");
        stage.synced("silver");
        assert!(!stage.install(), "the same values are the same pod");

        let before = stage.home.neutron.snapshot();
        stage.set("PRUNE", json!(false));
        assert!(stage.install(), "another pod");
        for name in ["gold", "silver"] {
            eventually(|| {
                let cr = stage.get(name).ok_or("it is gone")?;
                let marked = is_finalized(&cr) || cr["metadata"]["annotations"][APPLIED].is_string();
                if marked { Err(format!("{name} is still marked: {}", cr["metadata"])) } else { Ok(()) }
            });
        }
        stage.delete("gold");
        assert_eq!(stage.get("gold"), None);
        stage.after_runs(1);
        assert_eq!(stage.home.neutron.snapshot(), before);

        stage.set("PRUNE", json!(true));
        stage.set("SYNC_CRONTAB", json!("*/10 * * * * *"));
        assert!(stage.install(), "another pod");
        eventually(|| {
            let cr = stage.get("silver").ok_or("it is gone")?;
            if is_finalized(&cr) { Ok(()) } else { Err("no finalizer yet".to_owned()) }
        });
        eventually(|| match stage.home.flavors("gold").len() {
            0 => Ok(()),
            _ => Err("the flavor that nobody claims is still there".to_owned()),
        });
        assert_eq!(stage.home.flavor("silver")["service_profiles"].as_array().map(Vec::len), Some(1));
    });
}
