//! What custom resources do, by the hook.

use openstack_sync_tests::merge;
use serde_json::{Value, json};

use super::site::{NAMESPACE, Site, sample};
use crate::teller::{Step, Teller};

const NAME: &str = "hello";
const SAMPLES: &str = "components/openstack-sync-samples/template-workloads";

pub(crate) fn all(teller: &Teller, site: &Site) -> Step {
    appear(teller, site)?;
    rest(teller, site)?;
    change(teller, site)?;
    conflict(teller, site)?;
    mended(teller, site)?;
    dropped(teller, site)?;
    deleted(teller, site)
}

fn ran(teller: &Teller, site: &Site, how: &str, element: Value, code: i32) -> Step {
    let outcome = site.run_over(element, &[]);
    teller.ran(&format!("template-workloads --binding-context context.json   # {how}"), &outcome, code)
}

fn full(teller: &Teller, site: &Site, code: i32) -> Step {
    ran(teller, site, "the periodic schedule", site.periodic(), code)
}

fn expect_verdict(teller: &Teller, site: &Site, begins: &str) -> Step {
    let verdict = site.verdict(NAME);
    teller.check(verdict.starts_with(begins), &format!("{NAME} should be {begins:?}, and is {verdict:?}"))
}

fn expect_replicas(teller: &Teller, site: &Site, count: u64) -> Step {
    let live = site.get("Deployment", NAME).unwrap_or_default();
    teller.check(live["spec"]["replicas"] == count, &format!("the Deployment should have {count} replicas"))
}

fn appear(teller: &Teller, site: &Site) -> Step {
    teller.step("The hook: a custom resource is applied, and the objects appear");
    teller.say(&format!(
        "$ kubectl apply -f {SAMPLES}/secret-hello-parameters.yaml   # PASSWORD comes out of it"
    ));
    teller.say(&format!("$ kubectl apply -f {SAMPLES}/templateworkload-hello.yaml"));
    let cr = site.dev.kube().apply(sample("templateworkload-hello"));
    site.show_all();
    let event = || site.event("Added", cr.clone());
    let before = site.versions();
    let planned = site.run_over(event(), &["--dry-run"]);
    teller.ran("template-workloads --binding-context context.json --dry-run   # looks first", &planned, 0)?;
    teller.check(site.versions() == before, "a dry run should write nothing")?;
    teller.check(
        planned.stdout.matches("create").count() == 3,
        "the plan should have three objects to create",
    )?;
    ran(teller, site, "an event: something was added", event(), 0)?;
    site.show_all();
    expect_verdict(teller, site, "Synced (Reconciled): ")?;
    teller.check(site.made().len() == 3, "three objects were expected")?;
    expect_replicas(teller, site, 2)
}

fn rest(teller: &Teller, site: &Site) -> Step {
    teller.step("Nothing has changed: a full run compares everything, and changes nothing");
    let before = site.versions();
    full(teller, site, 0)?;
    teller.check(site.versions() == before, "no resourceVersion should change")?;
    teller.say("No resourceVersion has changed, neither of an object nor of the custom resource.");
    Ok(())
}

fn change(teller: &Teller, site: &Site) -> Step {
    teller.step("Parameters change: the objects follow");
    teller.say("$ kubectl -n workloads edit tw hello   # GREETING: Good evening, REPLICAS: 3");
    let mut cr = sample("templateworkload-hello");
    merge(&mut cr, json!({"spec": {"parameters": {"GREETING": "Good evening", "REPLICAS": 3}}}));
    let cr = site.dev.kube().apply(cr);
    ran(teller, site, "an event: something was modified", site.event("Modified", cr), 0)?;
    site.show_all();
    expect_verdict(teller, site, "Synced (Reconciled): ")?;
    let map = site.get("ConfigMap", NAME).unwrap_or_default();
    teller.check(map["data"]["greeting"] == "Good evening", "the greeting should be another one")?;
    expect_replicas(teller, site, 3)
}

/// As `kubectl apply --server-side` does, with these fields of the Deployment.
fn kubectl_applies(teller: &Teller, site: &Site, spec: Value, force: bool) -> Step {
    let metadata = json!({"name": NAME, "namespace": NAMESPACE});
    let object = json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec});
    let applied = site.dev.kube().apply_as("kubectl", object, force);
    teller.check(applied.is_ok(), "kubectl should not be refused")
}

fn conflict(teller: &Teller, site: &Site) -> Step {
    teller.step("Somebody sets a field otherwise: it is not taken from him, it is told");
    teller.say(
        "$ kubectl -n workloads apply --server-side --force-conflicts -f five.yaml   # spec.replicas: 5",
    );
    kubectl_applies(teller, site, json!({"replicas": 5}), true)?;
    full(teller, site, 1)?;
    site.show_all();
    expect_verdict(teller, site, "Failed (FieldConflict): ")?;
    let verdict = site.verdict(NAME);
    teller.check(verdict.contains(".spec.replicas (kubectl)"), "field and manager should be named")?;
    expect_replicas(teller, site, 5)
}

fn mended(teller: &Teller, site: &Site) -> Step {
    teller.step("He gives the field up: it is as the Template has it again");
    teller.say("$ kubectl -n workloads apply --server-side -f nothing.yaml   # spec: {}");
    kubectl_applies(teller, site, json!({}), false)?;
    full(teller, site, 0)?;
    site.show_all();
    expect_verdict(teller, site, "Synced (Reconciled): ")?;
    expect_replicas(teller, site, 3)
}

fn dropped(teller: &Teller, site: &Site) -> Step {
    teller.step("An object leaves the Template: it goes, and the others stay");
    teller.say("$ kubectl -n workloads edit template hello   # without its ConfigMap");
    let mut template = sample("template-hello");
    if let Some(objects) = template["objects"].as_array_mut() {
        objects.retain(|object| object["kind"] != "ConfigMap");
    }
    site.dev.kube().apply(template);
    full(teller, site, 0)?;
    site.show_all();
    teller.check(site.get("ConfigMap", NAME).is_none(), "the ConfigMap should be gone")?;
    teller.check(site.made().len() == 2, "two objects should be left")
}

fn deleted(teller: &Teller, site: &Site) -> Step {
    teller.step("The custom resource is deleted, after the Template: its status says what there is");
    teller.say("$ kubectl -n workloads delete template hello");
    site.dev.kube().delete("Template", NAMESPACE, NAME);
    teller.say("$ kubectl -n workloads delete tw hello --wait=false");
    site.delete(NAME);
    teller.check(site.cr(NAME).is_some(), "its finalizer should keep the custom resource")?;
    ran(teller, site, "the catch-up schedule, every minute", site.catch_up(), 0)?;
    site.show();
    teller.check(site.made().is_empty(), "all objects should be gone")?;
    teller.check(site.cr(NAME).is_none(), "the custom resource should be gone")
}
