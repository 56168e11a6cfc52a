//! Runs whose snapshot is older than what the run before them has done. Each is one in which the objects are remembered
//! already, so that the inventory would not change.

use openstack_sync_tests::workloads::WorkloadSite;
use serde_json::{Value, json};

use crate::accidents::forbid;
use crate::web::{INVENTORY, SYNCED, config_map, objects, parameters, site, spec};

/// A site with a CR whose objects are remembered, and not made; and the snapshot that shows it.
fn remembered() -> (WorkloadSite, Value) {
    let mut site = site();
    site.workload("shop", spec());
    forbid(&site, "/secrets/shop-login", "patch");
    site.tick_run(1);
    assert_eq!(site.inventory("shop"), INVENTORY);
    let old = site.periodic();
    site.dev.clear_faults();
    (site, old)
}

#[test]
fn for_a_cr_that_is_gone_nothing_is_made() {
    let (site, old) = remembered();
    site.delete("shop");
    site.tick_run(0);
    assert_eq!(site.cr("shop"), None);
    let before = site.objects();
    site.checked(site.run(&[old]), 1);
    assert_eq!(site.objects(), before);
}

#[test]
fn for_a_cr_that_was_made_again_nothing_is_made_that_is_not_its_own() {
    let (mut site, old) = remembered();
    site.delete("shop");
    site.tick_run(0);
    site.workload("shop", spec());
    let before = site.objects();
    site.checked(site.run(&[old]), 1);
    assert_eq!(site.objects(), before);
    site.tick_run(0);
    assert_eq!((site.verdict("shop").as_str(), site.owned(&site.uid("shop")).len()), (SYNCED, 3));
}

#[test]
fn what_was_forgotten_is_not_made_again_behind_the_back_of_the_status() {
    let mut site = site();
    let deployment = objects()[2].clone();
    site.template("web", json!([deployment]), parameters());
    forbid(&site, "/deployments/shop", "patch");
    site.workload("shop", spec());
    site.tick_run(1);
    let old = site.periodic();
    site.dev.clear_faults();
    site.template("web", json!([config_map("other")]), parameters());
    site.full_run(0);
    site.template("web", json!([deployment]), parameters());
    site.checked(site.run(&[old]), 1);
    assert_eq!(site.object("Deployment", "shop"), None);
    site.full_run(0);
    assert_eq!(site.inventory("shop"), ["apps/v1 Deployment workloads/shop"]);
    assert_eq!(site.owned(&site.uid("shop")).len(), 1);
}
