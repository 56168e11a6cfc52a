//! The steps of the demo, in order.

use openstack_sync_tests::{flavor_cr, merge, yaml};
use serde_json::{Value, json};

use super::story::Story;
use crate::teller::Step;

const DRIVER: &str = "neutron.services.l3_router.service_providers.single_node.SingleNodeDriver";
const SAMPLES: [&str; 3] = ["dynamic-vrf", "static-vrf", "firewall"];

pub(crate) fn all(story: &Story) -> Step {
    let by_hand = by_hand(story);
    appear(story)?;
    rest(story)?;
    change(story)?;
    bad_beside_good(story)?;
    dry_run(story)?;
    in_use(story)?;
    free(story)?;
    untouched(story, &by_hand)
}

fn sample(name: &str) -> Value {
    yaml(&format!("components/openstack-sync-samples/neutronrouterflavor-{name}.yaml"))
}

/// Somebody's flavor, made before us; answers it as it must still be at the end.
fn by_hand(story: &Story) -> Value {
    let fields = json!({"name": "hand-made", "service_type": "L3_ROUTER_NAT", "description": "Ask Jana"});
    let flavor = story.neutron.add_flavor(fields);
    let driver = "neutron.services.l3_router.service_providers.dvr.DvrDriver";
    let profile = story.neutron.add_profile(json!({"driver": driver, "description": "Jana's"}));
    story.neutron.bind(&flavor, &profile);
    hand_made(story)
}

fn hand_made(story: &Story) -> Value {
    let flavor = story.neutron.flavor("hand-made");
    let profiles = story.neutron.profiles_of(&flavor);
    json!({"flavor": flavor, "profiles": profiles})
}

fn appear(story: &Story) -> Step {
    story.teller.step("Three custom resources are applied: their flavors appear");
    let mut event = Value::Null;
    for name in SAMPLES {
        story.teller.say(&format!(
            "$ kubectl apply -f components/openstack-sync-samples/neutronrouterflavor-{name}.yaml"
        ));
        event = story.site.apply(sample(name));
    }
    let outcome = story.site.run(&[story.site.event("Added", event)]);
    story.ran("an event: something was added", &outcome, 0)?;
    story.show();
    for name in SAMPLES {
        story.expect_flavors(name, 1)?;
        story.expect_verdict(name, "Synced (Reconciled): Successfully reconciled router flavor")?;
    }
    Ok(())
}

fn rest(story: &Story) -> Step {
    story.teller.step("Nothing has changed: a catch-up run asks nobody");
    story.site.dev.clear_journal();
    let outcome = story.site.tick();
    story.ran("the catch-up schedule, every minute", &outcome, 0)?;
    story.teller.check(story.site.requests().is_empty(), "no request was expected")
}

fn change(story: &Story) -> Step {
    story.teller.step("A custom resource changes: the flavor follows, the old profile goes");
    let mut cr = sample("firewall");
    let profile = json!({
        "driver": "neutron.services.l3_router.service_providers.dvr.DvrDriver",
        "meta_info": {"resource_class": "firewall.small"},
    });
    merge(&mut cr, json!({"spec": {"is_enabled": false, "service_profiles": [profile]}}));
    story
        .teller
        .say("$ kubectl edit nrf firewall   # is_enabled: false, another driver, another resource_class");
    let object = story.site.apply(cr);
    let outcome = story.site.run(&[story.site.event("Modified", object)]);
    story.ran("an event: something was modified", &outcome, 0)?;
    story.show();
    let flavor = story.neutron.flavor("firewall");
    story.teller.check(flavor["enabled"] == false, "the flavor should be disabled")?;
    let drivers: Vec<Value> =
        story.neutron.profiles_of(&flavor).iter().map(|profile| profile["driver"].clone()).collect();
    story.teller.check(
        drivers == ["neutron.services.l3_router.service_providers.dvr.DvrDriver"],
        "the new driver alone should be bound",
    )?;
    story
        .teller
        .check(story.neutron.profiles().len() == 4, "three profiles of ours and Jana's should be left")
}

fn bad_beside_good(story: &Story) -> Step {
    story.teller.step("A custom resource that cannot be served beside one that can: only itself fails");
    story.teller.say("$ kubectl apply -f bad.yaml   # a driver that Neutron has not loaded");
    let bad = json!([{"driver": "acme.drivers.NoSuchDriver"}]);
    story.site.apply(flavor_cr("bad", "devcloud", json!({"spec": {"service_profiles": bad}})));
    story.teller.say("$ kubectl apply -f good.yaml");
    let own = json!([{"driver": DRIVER, "meta_info": {"resource_class": "router.small"}}]);
    let object = story.site.apply(flavor_cr("good", "devcloud", json!({"spec": {"service_profiles": own}})));
    let outcome = story.site.run(&[story.site.event("Added", object)]);
    story.ran("an event: something was added", &outcome, 1)?;
    story.show();
    story.expect_verdict("good", "Synced")?;
    story.expect_verdict("bad", "Failed")?;
    story.expect_flavors("bad", 0)?;
    story.teller.say("$ kubectl delete nrf bad");
    story.site.delete("bad");
    story.ran("the catch-up schedule", &story.site.tick(), 0)?;
    story.teller.check(story.site.cr("bad").is_none(), "the bad CR should be gone")
}

fn dry_run(story: &Story) -> Step {
    story.teller.step("A dry run shows what would happen, and does nothing");
    let before = story.neutron.snapshot();
    story.teller.say("$ kubectl apply -f planned.yaml");
    let own = json!([{"driver": DRIVER, "meta_info": {"resource_class": "router.large"}}]);
    let spec = json!({"spec": {"description": "Not yet", "service_profiles": own}});
    story.site.apply(flavor_cr("planned", "devcloud", spec));
    let context = Value::Array(vec![story.site.catch_up()]).to_string();
    story.site.dev.clear_journal();
    let outcome = story.site.by_hand(&context, &["--dry-run"]);
    story.ran("--binding-context context.json --dry-run", &outcome, 0)?;
    story.teller.check(story.site.writes().is_empty(), "a dry run should write nothing")?;
    story.teller.check(story.neutron.snapshot() == before, "the cloud should be as it was")?;
    story.teller.check(outcome.stdout.contains("create"), "the plan should name what would be created")?;
    story.teller.say("$ kubectl delete nrf planned");
    story.site.delete("planned");
    Ok(())
}

fn in_use(story: &Story) -> Step {
    story.teller.step("A custom resource is deleted while a router uses its flavor: it waits");
    let flavor = story.neutron.flavor("static-vrf");
    story.neutron.add_router("edge-1", &flavor);
    story.teller.say("$ openstack router create --flavor static-vrf edge-1");
    story.teller.say("$ kubectl delete nrf static-vrf");
    story.site.delete("static-vrf");
    story.ran("the catch-up schedule", &story.site.tick(), 1)?;
    story.show();
    story.expect_flavors("static-vrf", 1)?;
    story.expect_verdict("static-vrf", "Failed (CleanupBlocked): waiting: ")
}

fn free(story: &Story) -> Step {
    story.teller.step("The router is gone: now the flavor goes, and with it the custom resource");
    story.teller.say("$ openstack router delete edge-1");
    for router in story.site.dev.neutron().routers() {
        story.neutron.delete_router(&router);
    }
    story.ran("the catch-up schedule", &story.site.tick(), 0)?;
    story.show();
    story.expect_flavors("static-vrf", 0)?;
    story.teller.check(story.site.cr("static-vrf").is_none(), "the CR should be gone")
}

fn untouched(story: &Story, by_hand: &Value) -> Step {
    story.teller.step("A full run over everything: the flavor made by hand is as it was");
    story.ran("the periodic schedule", &story.site.full(), 0)?;
    story
        .teller
        .check(hand_made(story) == *by_hand, "the hand-made flavor and its profile should be untouched")?;
    story.teller.say("  hand-made: flavor, profile and binding are what they were before the first step");
    Ok(())
}
