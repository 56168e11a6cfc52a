//! Values that must be refused, each with a message that names the key; and values that must not be.

use std::path::PathBuf;

use openstack_sync_tests::repository;
use serde_json::Value;

use crate::CHART;
use crate::helm::{render, try_render};

const FOLDER: &str = "tests/tests/chart/bad";

/// The keys that Helm's message names, written with dots.
///
/// A value that breaks the schema is `at '/a/b': ...`, an unknown key `at '/a': additional properties 'b' not
/// allowed`, one that `null` took away `at '/a': missing property 'b'`. Where a template refuses, our own text begins with the key.
fn keys(said: &str) -> Vec<String> {
    let mut keys = Vec::new();
    for line in said.lines() {
        if let Some((_, rest)) = line.split_once("- at '") {
            let (path, problem) = rest.split_once("': ").expect("a path and a problem");
            let path = path.trim_start_matches('/').replace('/', ".").replace("~1", "/");
            let of_keys =
                problem.starts_with("additional properties ") || problem.starts_with("missing propert");
            let names = problem.split('\'').skip(1).step_by(2).filter(|_| of_keys);
            keys.extend(
                names.map(|name| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }),
            );
            keys.push(path);
        } else if let Some((_, text)) =
            line.split_once("execution error at (").and_then(|(_, rest)| rest.split_once("): "))
        {
            keys.extend(text.split_once(": ").map(|(key, _)| key.to_owned()));
        }
    }
    keys
}

#[test]
fn keys_are_read_from_helms_messages() {
    let said = "Error: values don't meet the specifications of the schema(s) in the following chart(s):\n\
        x:\n- at '/plugins/a': got string, want boolean\n- at '': additional properties 'b', 'c' not allowed\n\
        - at '/d': missing property 'e'\n";
    assert_eq!(keys(said), ["plugins.a", "b", "c", "", "d.e", "d"]);
    let said = "Error: execution error at (x/templates/y.yaml:1:4): plugins.a: there is no such hook: b";
    assert_eq!(keys(said), ["plugins.a"]);
    assert!(keys("Error: plugins.a").is_empty());
}

/// The first line of each file is `# refused: <key>`, and may go on with ` and <key>` for keys that the message must
/// name besides.
#[test]
#[ignore = "needs helm: make chart"]
fn bad_values_are_refused_with_a_message_that_names_the_key() {
    let entries = std::fs::read_dir(repository(FOLDER)).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 25, "{}", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let named =
            first.strip_prefix("# refused: ").unwrap_or_else(|| panic!("{}: {first}", file.display()));
        let mut besides = named.split(" and ");
        let key = besides.next().unwrap_or_default();
        match try_render(&repository(CHART), &["-f", file.to_str().unwrap()]) {
            Ok(_) => wrong.push(format!("{} is accepted", file.display())),
            Err(said)
                if keys(&said).iter().any(|one| one == key) && besides.all(|key| said.contains(key)) => {}
            Err(said) => {
                wrong.push(format!("{}: the message does not name {named}:\n{said}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All that may stand in a values file of chart 0.2.0 may stand there still; only its paths of hooks are of the past.
#[test]
#[ignore = "needs helm: make chart"]
fn the_values_of_the_chart_before_are_accepted() {
    let file = repository("tests/tests/chart/values-0.2.0.yaml");
    let rendered = render(&["-f", file.to_str().unwrap()]);
    let mut env = rendered.env();
    // Hooks that are to come are told that they are off, as before.
    for prefix in ["OPENSTACK_PLACEHOLDER", "NEUTRON_ROUTER_FLAVOR", "NEUTRON_SUBNET_POOL", "IRONIC_RUNBOOK"]
    {
        assert_eq!(env.remove(&format!("{prefix}_ENABLED")).as_deref(), Some("false"), "{prefix}");
    }
    assert_eq!(env["OPENSTACK_PLACEHOLDER_DEFAULT_CLOUD"], "understack");
    assert_eq!(rendered.pod()["initContainers"], Value::Null, "no hook is enabled");
    // What a Deployment cannot change in an upgrade is as it was.
    let selector = &rendered.one("Deployment")["spec"]["selector"]["matchLabels"];
    let wanted = serde_json::json!({
        "app.kubernetes.io/name": "openstack-sync-operator",
        "app.kubernetes.io/instance": "openstack-sync-operator",
    });
    assert_eq!(*selector, wanted);
}

#[test]
#[ignore = "needs helm: make chart"]
fn names_of_hooks_that_are_to_come_are_tolerated_while_they_are_off() {
    let before = render(&[]);
    let after = render(&["--set", "plugins.ironicRunbooks=false,plugins.anythingElse=false"]);
    assert_eq!(before.0, after.0);
    render(&["--set", "pluginData.ironicRunbooks.hook.env.PRUNE=true"]);
}

/// `null` takes a default away, as anywhere in Helm.
#[test]
#[ignore = "needs helm: make chart"]
fn null_takes_a_default_away() {
    let env = render(&["--set", "pluginData.neutronRouterFlavors.hook.env.READY_DELAY=null"]).env();
    assert!(!env.contains_key("NEUTRON_ROUTER_FLAVOR_READY_DELAY"));
    for key in [
        "resources",
        "tolerations",
        "affinity",
        "podLabels",
        "rbac.rules",
        "image.tag",
        "nameOverride",
        "env",
    ] {
        render(&["--set", &format!("{key}=null")]);
    }
}

#[test]
#[ignore = "needs helm: make chart"]
fn a_registry_may_have_a_port_and_a_repository_no_registry() {
    for repository in
        ["localhost:5000/operator", "10.0.0.1:443/a/b_c/d--e.f", "Registry.example.org/a", "operator"]
    {
        let rendered = render(&["--set", &format!("image.repository={repository},image.tag=v1")]);
        assert_eq!(rendered.pod()["containers"][0]["image"], format!("{repository}:v1"));
    }
}

/// Nobody gets a right that the account could share.
#[test]
#[ignore = "needs helm: make chart"]
fn the_default_account_may_be_used_if_no_rights_are_made() {
    let set = "plugins.neutronRouterFlavors=true,serviceAccount.create=false,rbac.create=false";
    assert_eq!(render(&["--set", set]).pod()["serviceAccountName"], "default");
}

#[test]
#[ignore = "needs helm: make chart"]
fn the_same_path_may_stand_twice_while_one_of_the_hooks_is_off() {
    let set =
        "plugins.neutronRouterFlavors=true,pluginData.openstackPlaceholder.hook.path=/hooks/router-flavors";
    render(&["--set", set]);
}
