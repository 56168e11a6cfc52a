//! Hooks switched on and off, and what shell-operator tells about them.

use openstack_sync_tests::kubernetes::{Operator, audit, eventually, play};
use serde_json::json;

/// A disabled hook runs once, does nothing, and has no rights; its CRs stay. Enabled again it takes up what changed.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn disabled_and_enabled() {
    play("disabled", |stage| {
        stage.install();
        stage.apply("gold", json!({}));
        let before = stage.synced("gold");
        let flavor = stage.home.flavor("gold");

        stage.values["plugins"]["neutronRouterFlavors"] = json!(false);
        assert!(stage.install(), "another pod");
        let asked = audit::asked(stage.plane, stage.namespace()).count;
        let changed = stage.apply("gold", json!({"description": "shiny"}));
        let log = stage.operator().log.clone();
        let run = eventually(|| log.ended("router-flavors").pop().ok_or_else(|| "no run".to_owned()));
        assert_eq!((run.binding.as_str(), run.ok), ("onStartup", Some(true)));
        assert_eq!(stage.get("gold"), Some(changed));
        assert_eq!(stage.home.flavor("gold"), flavor);
        assert_eq!(audit::asked(stage.plane, stage.namespace()).count, asked, "no request for any resource");

        stage.values["plugins"]["neutronRouterFlavors"] = json!(true);
        assert!(stage.install(), "another pod");
        let after = stage.synced("gold");
        assert_eq!(after["metadata"]["uid"], before["metadata"]["uid"]);
        assert_eq!(stage.home.flavor("gold")["id"], flavor["id"]);
    });
}

/// The placeholder logs in on its schedule, beside the other hook; a wrong password makes it fail, and nothing else.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn the_placeholder() {
    play("placeholder", |stage| {
        stage.values["plugins"]["openstackPlaceholder"] = json!(true);
        let env = json!({"DEFAULT_CLOUD": "home", "SYNC_CRONTAB": "*/5 * * * * *"});
        stage.values["pluginData"]["openstackPlaceholder"] = json!({"hook": {"env": env}});
        stage.install();
        let log = stage.operator().log.clone();
        let run = eventually(|| log.ended("placeholder").pop().ok_or_else(|| "no run yet".to_owned()));
        assert_eq!((run.binding.as_str(), run.ok), ("probe", Some(true)));
        stage.apply("gold", json!({}));
        stage.synced("gold");

        stage.values["pluginData"]["openstackPlaceholder"]["hook"]["env"]["DEFAULT_CLOUD"] = json!("nosuch");
        assert!(stage.install(), "another pod");
        let log = stage.operator().log.clone();
        eventually(|| match log.ended("placeholder").len() {
            0 | 1 => Err("it did not run twice".to_owned()),
            _ => Ok(()),
        });
        assert!(log.ended("placeholder").iter().all(|run| run.ok == Some(false)));
        assert!(log.says(&["placeholder", "nosuch"]), "{}", log.tail());
        stage.apply("silver", json!({}));
        stage.synced("silver");
    });
}

/// What NOTES.txt and the alert rules rest on: the time of the last full run, the queues, all probes.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn what_the_pod_tells() {
    play("metrics", |stage| {
        // The default.
        stage.set("CATCH_UP_CRONTAB", json!("* * * * *"));
        stage.set("SYNC_CRONTAB", json!("*/10 * * * * *"));
        stage.install();
        stage.apply("gold", json!({}));
        stage.synced("gold");
        let operator = stage.operator();
        let now =
            || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("now").as_secs_f64();
        let begin = now();
        let name = "last_full_sync_success_timestamp_seconds";
        let value = eventually(|| {
            let value = operator.metrics("/metrics/hooks").value(name, &["hook=\"router-flavors\""]);
            value
                .filter(|value| *value >= begin.floor())
                .ok_or_else(|| format!("no {name} yet: {:?}", operator.metrics("/metrics/hooks")))
        });
        assert!(value <= now() + 1.0, "{value}");
        for probe in ["startupProbe", "livenessProbe", "readinessProbe"] {
            operator.probe(probe).unwrap_or_else(|why| panic!("{probe}: {why}"));
        }
        let queues = operator.exec(&["/shell-operator", "queue", "list"]);
        assert!(queues.contains("neutron-router-flavors") || queues.contains("empty"), "{queues}");
        assert!(operator.terminate().success(), "SIGTERM ends it: {}", operator.log.tail());
    });
}

/// A hook that is enabled and not in the image stops the pod before shell-operator starts, and is named.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn a_hook_that_is_not_in_the_image() {
    play("missing-hook", |stage| {
        stage.values["plugins"]["mine"] = json!(true);
        stage.values["pluginData"]["mine"] = json!({"hook": {"path": "/hooks/mine", "envPrefix": "MINE"}});
        stage.release.install(&stage.values);
        let operator = Operator::prepare(stage.plane, &stage.release.deployment(), None);
        let output = operator.init().pop().expect("an init container");
        assert!(!output.status.success());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains("/hooks/mine") && !told.contains("router-flavors"), "{told}");
    });
}
