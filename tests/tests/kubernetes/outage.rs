//! What fails holds up nothing else, and what comes back is taken up again.

use openstack_sync_tests::kubernetes::{CloudServers, eventually, image_with, play};
use serde_json::json;

/// While Neutron is down nothing is deleted and each CR says what is wrong; when it is back, all is made good.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn neutron_down_then_up() {
    play("neutron-down", |stage| {
        let mut servers = CloudServers::first();
        stage.install();
        stage.apply("gold", json!({}));
        stage.apply("bronze", json!({}));
        stage.synced("gold");
        stage.synced("bronze");
        let gold = stage.home.flavor("gold");

        servers.stop_neutron();
        stage.apply("silver", json!({}));
        stage.delete("bronze");
        stage.failed("silver", "ReconcileError", &["OpenStack"]);
        stage.failed("bronze", "CleanupBlocked", &["waiting: "]);
        stage.synced("gold");
        servers.start_neutron();
        stage.synced("silver");
        stage.gone("bronze");
        assert_eq!(stage.home.flavor("gold"), gold);
        assert!(stage.home.flavors("bronze").is_empty());
        stage.home.flavor("silver");
    });
}

/// A CR whose every run fails does not make contexts pile up: each tick is dropped, and the next has one element.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn a_bad_cr_for_five_ticks() {
    play("bad-cr", |stage| {
        stage.set("CATCH_UP_CRONTAB", json!("*/10 * * * * *"));
        stage.install();
        stage.apply("gold", json!({}));
        stage.synced("gold");
        let router = stage.home.neutron.add_router("r", &stage.home.flavor("gold"));
        stage.delete("gold");
        stage.failed("gold", "CleanupBlocked", &[]);
        // The event of the deletion may have a run of its own.
        stage.after_runs(1);
        let begin = stage.operator().contexts("router-flavors").runs().len();
        let runs = stage.after_runs(5);
        assert!(runs.iter().all(|run| run.binding == "catch-up" && run.ok == Some(false)), "{runs:?}");
        let lengths = stage.operator().contexts("router-flavors").lengths();
        assert!(
            lengths[begin..].len() >= 5 && lengths[begin..].iter().all(|length| *length == 1),
            "{lengths:?}"
        );
        // In the meantime others are served.
        stage.apply("silver", json!({}));
        stage.synced("silver");
        stage.home.neutron.delete_router(&router);
        stage.gone("gold");
    });
}

/// A hook that fails whenever it runs, and is retried for ever, holds up its own queue and no other.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn a_hook_that_always_fails() {
    play("failing-hook", |stage| {
        let schedule = json!([{"name": "tick", "crontab": "*/2 * * * * *", "queue": "always-fails"}]);
        let config = json!({"configVersion": "v1", "schedule": schedule});
        let script = format!(
            "#!/bin/sh\nif [ \"$1\" = --config ]; then echo '{config}'; exit 0; fi\n\
             echo \"enabled: $ALWAYS_FAILS_ENABLED, $ALWAYS_FAILS_COLOUR\" >&2\nexit 1\n"
        );
        let image = image_with("always-fails", &script);
        stage.values["plugins"]["alwaysFails"] = json!(true);
        let hook =
            json!({"path": "/hooks/always-fails", "envPrefix": "ALWAYS_FAILS", "env": {"COLOUR": "red"}});
        stage.values["pluginData"]["alwaysFails"] = json!({"hook": hook});
        stage.release.install(&stage.values);
        stage.start(Some(image.path()));
        stage.apply("gold", json!({}));
        stage.synced("gold");
        let log = stage.operator().log.clone();
        eventually(|| match log.ended("always-fails").len() {
            0 | 1 => Err("it did not fail twice".to_owned()),
            _ => Ok(()),
        });
        assert!(log.says(&["always-fails", "enabled: true, red"]), "{}", log.tail());
        stage.delete("gold");
        stage.gone("gold");
    });
}

/// The container is killed while it makes flavors, and starts again: all are made, nothing twice.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn killed_amid_creations() {
    const COUNT: usize = 60;
    play("killed", |stage| {
        stage.install();
        for number in 0..COUNT {
            stage.apply(&format!("f-{number}"), json!({}));
        }
        let log = stage.operator().log.clone();
        eventually(|| {
            let (made, runs) = (stage.home.managed_flavors().len(), log.runs());
            let is_running = runs.last().is_some_and(|run| run.ok.is_none());
            if made >= 5 && is_running {
                Ok(())
            } else {
                Err(format!("{made} flavors, running: {is_running}"))
            }
        });
        stage.operator().kill();
        let made = stage.home.managed_flavors().len();
        assert!(made < COUNT, "all were made before it could be killed");
        stage.operator().resume();
        for number in 0..COUNT {
            stage.synced(&format!("f-{number}"));
        }
        let mut names: Vec<String> =
            stage.home.managed_flavors().iter().map(|flavor| flavor["name"].to_string()).collect();
        names.sort();
        names.dedup();
        assert_eq!((names.len(), stage.home.managed_flavors().len()), (COUNT, COUNT));
        assert_eq!(stage.home.managed_profiles().len(), 1);
    });
}
