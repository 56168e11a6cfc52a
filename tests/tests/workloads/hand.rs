//! Runs by hand: dry ones, checks, and CRs out of files.

use devcloud::{Action, Fault, Service};
use openstack_sync_tests::workloads::KIND;
use serde_json::json;

use crate::web::{SYNCED, in_place, objects, parameters, site, spec, spec_with};

/// What `kubectl get tw -o json` prints.
fn list(site: &openstack_sync_tests::workloads::WorkloadSite) -> String {
    json!({"apiVersion": "v1", "kind": "List", "items": site.dev.kube().list(KIND)}).to_string()
}

/// Verb, kind and name of each line of the table.
fn planned(stdout: &str) -> Vec<String> {
    let words = |line: &str| {
        line.split("  ").map(str::trim).filter(|word| !word.is_empty()).take(3).collect::<Vec<_>>().join(" ")
    };
    stdout.lines().skip(1).map(words).collect()
}

#[test]
fn a_dry_run_writes_nothing_and_plans_it_all() {
    let mut site = site();
    site.workload("shop", spec());
    let (before, crs) = (site.objects(), site.dev.kube().list(KIND));
    site.dev.clear_journal();
    let outcome = site.checked(site.by_hand(&list(&site), &["--dry-run"]), 0);
    assert_eq!((site.objects(), site.dev.kube().list(KIND)), (before, crs));
    assert!(
        site.writes().iter().all(|entry| entry.path.contains("/processedtemplates")),
        "{:?}",
        site.requests()
    );
    assert_eq!(
        planned(&outcome.stdout),
        [
            "patch metadata workloads/shop",
            "patch status workloads/shop",
            "create object v1 Secret workloads/shop-login",
            "create object v1 ConfigMap workloads/shop",
            "create object apps/v1 Deployment workloads/shop",
            "patch status workloads/shop",
        ],
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_dry_run_over_a_world_in_place_plans_no_status() {
    let site = in_place(json!({}));
    let outcome = site.checked(site.by_hand(&list(&site), &["--dry-run"]), 0);
    assert_eq!(
        planned(&outcome.stdout),
        [
            "apply object v1 Secret workloads/shop-login",
            "apply object v1 ConfigMap workloads/shop",
            "apply object apps/v1 Deployment workloads/shop",
        ],
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_dry_run_plans_what_goes() {
    for (policy, verb) in [("Delete", "delete"), ("Orphan", "release")] {
        let mut site = in_place(json!({"deletionPolicy": policy}));
        site.set("DRY_RUN", "true");
        let mut fewer = objects();
        fewer.as_array_mut().unwrap().remove(1);
        site.template("web", fewer, parameters());
        let world = || (site.objects(), site.dev.kube().list(KIND));
        let before = world();
        let outcome = site.full_run(0);
        assert!(
            outcome.says(&[&format!("would {verb} object v1 ConfigMap workloads/shop")]),
            "{}",
            outcome.stderr
        );
        site.delete("shop");
        let before = (before.0, site.dev.kube().list(KIND));
        let outcome = site.full_run(0);
        assert_eq!(outcome.stderr.matches(&format!("would {verb} object")).count(), 3, "{}", outcome.stderr);
        assert_eq!(world(), before);
    }
}

#[test]
fn a_list_by_hand_makes_objects_and_deletes_none() {
    let mut site = in_place(json!({}));
    site.workload("more", spec_with(json!({"parameters": {"NAME": "more"}})));
    site.delete("shop");
    let outcome = site.checked(site.by_hand(&list(&site), &[]), 1);
    assert!(
        outcome.says(&["workloads/shop is not cleaned up: waiting: a list given by hand"]),
        "{}",
        outcome.stderr
    );
    assert_eq!(site.verdict("more"), SYNCED);
    assert!(site.object("ConfigMap", "shop").is_some() && site.object("ConfigMap", "more").is_some());
}

/// A CR as somebody wrote it.
fn written() -> String {
    format!(
        "apiVersion: openshift.understack.rackspace.net/v1alpha1\nkind: {KIND}\nmetadata:\n  name: shop\n  namespace: \
         workloads\nspec:\n  templateRef:\n    name: web\n  parameters: {{NAME: shop, PASSWORD: written-in-a-file}}\n"
    )
}

#[test]
fn a_file_with_a_cr_that_is_not_in_the_cluster_makes_nothing() {
    let mut site = site();
    site.hook.forbid("written-in-a-file");
    let before = site.objects();
    let outcome = site.checked(site.by_hand(&written(), &[]), 0);
    assert!(outcome.says(&["workloads/shop is not in the cluster"]), "{}", outcome.stderr);
    assert_eq!(site.objects(), before);
}

/// Whose objects they would be is not known, and the CR in the cluster is left as it is.
#[test]
fn a_file_with_a_cr_without_a_uid_makes_nothing_and_says_why() {
    for prune in ["true", "false"] {
        let mut site = in_place(json!({}));
        site.set("PRUNE", prune);
        site.full_run(0);
        site.hook.forbid("written-in-a-file");
        let world = || (site.objects(), site.dev.kube().list(KIND));
        let before = world();
        let outcome = site.checked(site.by_hand(&written(), &[]), 1);
        let said = "as `kubectl get -o json` prints it";
        assert!(outcome.says(&["ERROR: workloads/shop: ", said]), "{}", outcome.stderr);
        assert_eq!(world(), before, "neither the objects nor the CR's status");
    }
}

/// The file is of a CR that is gone; the one in the cluster has its name, and objects of its own.
#[test]
fn a_file_with_the_predecessor_of_a_cr_does_not_empty_its_inventory() {
    let mut site = in_place(json!({}));
    let former = list(&site);
    site.delete("shop");
    site.tick_run(0);
    site.workload("shop", spec());
    site.tick_run(0);
    let world = || (site.objects(), site.status("shop")["objects"].clone());
    let before = world();
    site.checked(site.by_hand(&former, &[]), 1);
    assert_eq!(world(), before);
    site.tick_run(0);
    assert_eq!(site.verdict("shop"), SYNCED);
    site.settled();
}

#[test]
fn a_check_asks_the_cluster_and_writes_nothing() {
    let site = in_place(json!({}));
    let world = || (site.objects(), site.dev.kube().list(KIND));
    let before = world();
    let outcome = site.checked(site.by_hand(&list(&site), &["--check"]), 0);
    let fine = outcome.stdout.lines().any(|line| line.starts_with("workloads/pod") && line.ends_with(" ok"));
    assert!(fine, "{}", outcome.stdout);
    let refusal = |code: u16, reason: &str| {
        Action::answer(
            code,
            json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
                "message": reason, "reason": reason, "details": {}, "code": code}),
        )
    };
    for (fault, said) in [
        (Fault::new(Service::Kubernetes, "", refusal(401, "Unauthorized")), "401 Unauthorized"),
        (
            Fault::new(Service::Kubernetes, "/apis/template.openshift.io/v1", refusal(404, "NotFound")),
            "Kubernetes check failed: the cluster does not serve template.openshift.io/v1: is it OpenShift?",
        ),
    ] {
        site.dev.inject(fault);
        let outcome = site.checked(site.by_hand(&list(&site), &["--check"]), 1);
        assert!(outcome.stdout.contains(said) && !outcome.stdout.contains(" ok"), "{}", outcome.stdout);
        site.dev.clear_faults();
    }
    assert_eq!(world(), before);
}

#[test]
fn help_names_the_variable_of_the_hook() {
    let site = site();
    let outcome = site.hook.run(&["--help"]).expect(0);
    assert!(outcome.stdout.contains("TEMPLATE_WORKLOAD_NAMESPACES"), "{}", outcome.stdout);
}
