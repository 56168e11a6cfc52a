//! What a program of one's own does with the library. It is an example of it, `job.rs`; each command is a new process
//! with a new client, which knows nothing of the one before.

use super::site::{NAMESPACE, Site, password, sample};
use crate::teller::{Step, Teller};

const NAME: &str = "report-7";

pub(crate) fn all(teller: &Teller, site: &Site) -> Step {
    create(teller, site)?;
    get(teller, site)?;
    again(teller, site)?;
    delete(teller, site)
}

/// Runs `crates/openshift-templates/examples/job.rs`; answers its output.
fn job(teller: &Teller, site: &Site, command: &str) -> Result<String, crate::teller::Unexpected> {
    let (name, password) = (format!("NAME={NAME}"), format!("PASSWORD={}", password()));
    let outcome = site.program.run(&[command, "hello", NAMESPACE, &name, &password]);
    let shown = format!("job {command} hello {NAMESPACE} {name} PASSWORD=\"$(cat password)\"");
    teller.ran(&shown, &outcome, 0)?;
    Ok(outcome.stdout)
}

fn create(teller: &Teller, site: &Site) -> Step {
    teller.step("The library: a program creates the objects of a stored Template");
    teller.say(
        "job is crates/openshift-templates/examples/job.rs: each command is a new process with a new client.",
    );
    teller.say("$ kubectl apply -f components/openstack-sync-samples/template-workloads/template-hello.yaml");
    site.dev.kube().apply(sample("template-hello"));
    teller.say("OWNER is a label that the hook gives its objects: the UID of their custom resource, here of none yet.");
    teller.say("MANAGERS are those who have set fields of an object, as server-side apply remembers them.");
    site.show();
    site.dev.clear_journal();
    job(teller, site, "create")?;
    teller.say("These were its requests:");
    for entry in site.dev.journal() {
        teller.say(&format!("  {} {}", entry.method, entry.path));
    }
    site.show();
    teller.check(site.made().len() == 3, "three objects were expected")?;
    let map = site.get("ConfigMap", NAME).unwrap_or_default();
    teller.check(map["data"]["greeting"] == "Hello", "the Template's default should be the greeting")
}

fn get(teller: &Teller, site: &Site) -> Step {
    teller.step("Another process reads them, from the same Template and parameters");
    let told = job(teller, site, "get")?;
    let kinds = ["ConfigMap", "Secret", "Deployment"];
    let is_told =
        told.lines().zip(kinds).filter(|(line, kind)| line.starts_with(&format!("{kind} {NAME}, ")));
    teller.check(is_told.count() == 3, "the three objects should be told, in the order of the Template")
}

fn again(teller: &Teller, site: &Site) -> Step {
    teller.step("Created again: what is as it should be does not change");
    let before = site.versions();
    job(teller, site, "create")?;
    teller.check(site.versions() == before, "no resourceVersion should change")?;
    teller.say("No resourceVersion has changed.");
    Ok(())
}

fn delete(teller: &Teller, site: &Site) -> Step {
    teller.step("A third process deletes them, the last first");
    job(teller, site, "delete")?;
    site.show();
    teller.check(site.made().is_empty(), "all three should be gone")
}
