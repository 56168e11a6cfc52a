//! Many CRs at once.

use std::time::{Duration, Instant};

use openstack_sync_tests::kubernetes::{NRF, eventually_within, play};
use serde_json::json;

/// 200 CRs at once: each is at most one event, our own writes are none, and the memory is within the chart's limit.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn of_two_hundred_crs() {
    const COUNT: usize = 200;
    play("scale", |stage| {
        stage.install();
        let begin = Instant::now();
        for number in 0..COUNT {
            stage.plane.create(NRF, &stage.cr(&format!("f-{number}"), json!({})));
        }
        let created = begin.elapsed();
        let mut hook = 0;
        eventually_within(Duration::from_secs(300), || {
            hook = hook.max(stage.operator().hook_high_water().unwrap_or(0));
            let crs = stage.crs();
            let synced = crs.iter().filter(|cr| cr["status"]["syncStatus"] == "Synced").count();
            if synced == COUNT { Ok(()) } else { Err(format!("{synced} of {COUNT} are in place")) }
        });
        let synced = begin.elapsed();
        assert_eq!(stage.home.managed_flavors().len(), COUNT);
        assert_eq!(stage.home.managed_profiles().len(), 1);

        // What our own writes would cause comes within three ticks.
        stage.after_runs(3);
        let operator = stage.operator();
        let contexts = operator.contexts("router-flavors");
        let events = contexts.events("Added").len();
        let runs = operator.log.ended("router-flavors");
        let event_runs = runs.iter().filter(|run| run.binding == "neutron-router-flavors").count();
        assert!(events <= COUNT && event_runs <= COUNT, "{events} events, {event_runs} runs");
        assert_eq!(contexts.events("Modified").len(), 0, "our own writes wake nobody");
        assert!(runs[runs.len() - 3..].iter().all(|run| run.binding == "catch-up"), "{runs:?}");

        let (operator_memory, limit) = (operator.high_water(), operator.pod.main.memory_limit);
        println!(
            "{COUNT} CRs: created in {:.1} s, all in place after {:.1} s, {event_runs} event runs of {} in all; \
             largest context {} MiB; peak memory: shell-operator {} MiB, hook {} MiB",
            created.as_secs_f64(),
            synced.as_secs_f64(),
            runs.len(),
            contexts.largest() >> 20,
            operator_memory / 1024,
            hook / 1024
        );
        let limit = limit.expect("the chart sets a limit");
        assert!(hook > 0 && operator_memory + hook < limit, "{operator_memory} + {hook} KiB, of {limit}");
    });
}
