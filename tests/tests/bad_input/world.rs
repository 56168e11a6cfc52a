//! The world of the cases, and what must be true of it after each.

use openstack_sync_tests::{Outcome, Site, flavor_cr};
use serde_json::{Value, json};

const DRIVER: &str = "neutron.services.l3_router.service_providers.single_node.SingleNodeDriver";

/// A site in which there is something to lose and something to do.
pub(crate) struct World {
    pub(crate) site: Site,
    /// What was in the cloud at first.
    before: Vec<Value>,
}

/// The CR that can be served; after a run it is Synced, and until then it has no status.
pub(crate) const GOOD: &str = "good";

pub(crate) fn world() -> World {
    let site = Site::new();
    site.apply(flavor_cr(GOOD, "devcloud", json!({})));
    let neutron = site.dev.neutron();
    let by_hand = neutron.add_flavor(json!({
        "name": "by-hand", "service_type": "L3_ROUTER_NAT", "description": "not ours",
    }));
    let profile = neutron.add_profile(json!({"driver": DRIVER, "metainfo": "{\"vni_alloc\":\"off\"}"}));
    neutron.bind(text(&by_hand["id"]), text(&profile["id"]));
    neutron.add_profile(json!({"driver": DRIVER, "metainfo": "by hand, too"}));
    neutron.add_flavor(json!({
        "name": "unclaimed", "service_type": "L3_ROUTER_NAT", "description": "x [understack-router-flavor-operator]",
    }));
    neutron.add_profile(json!({
        "driver": DRIVER,
        "metainfo": "{\"_understack_router_flavor_operator\":\"managed\",\"resource_class\":\"orphan\"}",
    }));
    let mut world = World { site, before: Vec::new() };
    world.before = world.things();
    world
}

/// The control: in this world, a run without doubt does delete.
#[test]
fn without_anything_bad_the_unclaimed_things_go() {
    let world = world();
    world.site.full().expect(0);
    assert!(world.site.verdict(GOOD).starts_with("Synced"));
    let left = world.things();
    assert_eq!(world.before.iter().filter(|thing| !left.contains(thing)).count(), 2);
}

impl World {
    fn things(&self) -> Vec<Value> {
        let neutron = self.site.dev.neutron();
        neutron.flavors().into_iter().chain(neutron.profiles()).collect()
    }

    /// Whatever was in the cloud at first is there as it was.
    #[track_caller]
    pub(crate) fn nothing_was_deleted(&self) {
        let now = self.things();
        for thing in &self.before {
            assert!(now.contains(thing), "{thing} is gone or was changed");
        }
    }

    /// Runs twice with `run`. The first time, one line of the log holds all of `words`, the exit code is 1, nothing
    /// was deleted, and the good CR is in place if `goes_on`; the second time the same is said, and nothing written.
    #[track_caller]
    pub(crate) fn fails(&self, goes_on: bool, words: &[&str], run: impl Fn(&Site) -> Outcome) -> Outcome {
        let first = run(&self.site).expect(1);
        assert!(first.says(words), "{words:?} are not in one line of:\n{}", first.stderr);
        assert_eq!(first.stdout, "");
        self.nothing_was_deleted();
        if goes_on {
            let verdict = self.site.verdict(GOOD);
            assert!(verdict.starts_with("Synced"), "the good CR: {verdict}\n{}", first.stderr);
        } else {
            assert!(self.site.status(GOOD).is_null(), "nothing was to be done:\n{}", first.stderr);
            assert_eq!(self.site.requests(), <[String; 0]>::default());
            assert_eq!(first.stderr.lines().count(), 1, "one line is enough:\n{}", first.stderr);
        }
        self.site.dev.clear_journal();
        let second = run(&self.site).expect(1);
        assert!(second.says(words), "the second time {words:?} are not in one line of:\n{}", second.stderr);
        assert_eq!(self.site.writes(), [], "the second run writes");
        self.nothing_was_deleted();
        first
    }
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}
