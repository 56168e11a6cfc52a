//! What the chart tells the hooks, held against the real binaries.

use openstack_sync_tests::binaries::shipped;
use openstack_sync_tests::{Hook, crds};
use serde_json::{Value, json};

use crate::helm::{Rendered, example, render};

/// What a hook answers to `--config` in the rendered pod.
fn config(hook: &str, rendered: &Rendered) -> Value {
    let mut hook = Hook::new(hook);
    for (name, value) in rendered.env() {
        hook.set(&name, &value);
    }
    let outcome = hook.run(&["--config"]).expect(0);
    serde_json::from_str(&outcome.stdout).expect("JSON")
}

#[test]
#[ignore = "needs helm: make chart"]
fn router_flavors_watches_the_namespaces_of_the_values() {
    for (example_, namespaces) in [
        ("one-hook.yaml", json!({"nameSelector": {"matchNames": ["openstack"]}})),
        ("several-namespaces.yaml", json!({"nameSelector": {"matchNames": ["site-a", "site-b"]}})),
        ("cluster-wide.yaml", Value::Null),
    ] {
        let config = config("router-flavors", &render(&["-f", &example(example_)]));
        let binding = &config["kubernetes"][0];
        assert_eq!(binding["kind"], "NeutronRouterFlavor", "{example_}");
        assert_eq!(binding["apiVersion"], "neutron.understack.rackspace.net/v1alpha1", "{example_}");
        assert_eq!(binding["namespace"], namespaces, "{example_}");
        assert_eq!(config["schedule"][0]["crontab"], "0 * * * *", "{example_}");
    }
}

/// A hook that is off is still in the image, so shell-operator asks it, and the answer must not stop the others.
#[test]
#[ignore = "needs helm: make chart"]
fn hooks_that_are_off_answer_too() {
    let rendered = render(&[]);
    for hook in shipped() {
        let config = config(hook, &rendered);
        let keys: Vec<&String> =
            config.as_object().unwrap().keys().filter(|key| *key != "settings").collect();
        assert_eq!(keys, ["configVersion", "onStartup"], "{hook}");
    }
}

/// A misspelt default would be set in vain.
#[test]
#[ignore = "needs helm: make chart"]
fn every_variable_of_the_chart_is_one_that_the_hook_knows() {
    let env = render(&["-f", &example("all-hooks.yaml")]).env();
    let prefixes = [
        ("placeholder", "OPENSTACK_PLACEHOLDER_", 6),
        ("router-flavors", "NEUTRON_ROUTER_FLAVOR_", 8),
        ("template-workloads", "TEMPLATE_WORKLOAD_", 10),
    ];
    assert_eq!(prefixes.map(|(hook, ..)| hook)[..], *shipped());
    for (hook, prefix, enough) in prefixes {
        let help = Hook::new(hook).run(&["--help"]).expect(0).stdout;
        let known: Vec<&str> = help.lines().filter_map(|line| line.split_whitespace().next()).collect();
        let names: Vec<&String> = env.keys().filter(|name| name.starts_with(prefix)).collect();
        assert!(names.len() >= enough, "{names:?}");
        for name in names {
            // The placeholder has a CRD, but reads nothing of it.
            let derived =
                hook == "placeholder" && (name.contains("_CRD_") || name.ends_with("_STATUS_ENABLED"));
            assert!(derived || known.contains(&name.as_str()), "{hook} does not know {name}");
        }
    }
}

#[test]
#[ignore = "needs helm: make chart"]
fn what_comes_from_a_crd_is_what_stands_there() {
    let env = render(&[]).env();
    let crds = crds();
    for (prefix, kind) in [
        ("NEUTRON_ROUTER_FLAVOR", "NeutronRouterFlavor"),
        ("OPENSTACK_PLACEHOLDER", "OpenstackPlaceholder"),
        ("TEMPLATE_WORKLOAD", "TemplateWorkload"),
    ] {
        let crd = crds.iter().find(|crd| crd["spec"]["names"]["kind"] == kind).expect("the CRD");
        let text = |pointer| crd.pointer(pointer).and_then(Value::as_str).expect("a text");
        let (group, version) = (text("/spec/group"), text("/spec/versions/0/name"));
        assert_eq!(env[&format!("{prefix}_CRD_API_VERSION")], format!("{group}/{version}"));
        assert_eq!(env[&format!("{prefix}_CRD_KIND")], kind);
        assert_eq!(env[&format!("{prefix}_CRD_RESOURCE")], text("/metadata/name"));
        assert_eq!(env[&format!("{prefix}_STATUS_ENABLED")], "true");
    }
}

#[test]
#[ignore = "needs helm: make chart"]
fn a_foreign_hook_works_by_values_alone() {
    let rendered = render(&["-f", &example("foreign-hook.yaml")]);
    let config = config("text-files", &rendered);
    let binding = &config["kubernetes"][0];
    assert_eq!((&binding["apiVersion"], &binding["kind"]), (&json!("example.com/v1"), &json!("TextFile")));
    assert_eq!(binding["namespace"], json!({"nameSelector": {"matchNames": ["openstack"]}}));
    assert_eq!(config["schedule"][0]["crontab"], "@hourly");
    let pod = rendered.pod();
    let arguments = pod["initContainers"][0]["command"].as_array().unwrap();
    assert_eq!(arguments[4..], [json!("/hooks/text-files")]);
    assert_eq!(pod["containers"][0]["image"], "registry.example.org/openstack-sync-operator:2024-05");
    // Its rights are those that the values say, and no others.
    let values = rest::yaml::parse(&crate::read("examples/foreign-hook.yaml")).unwrap();
    assert_eq!(rendered.one("Role")["rules"], values["pluginData"]["textFiles"]["hook"]["rules"]);
}

/// Numbers are written as a person would, whether they come from a file or from `--set`.
#[test]
#[ignore = "needs helm: make chart"]
fn values_become_text_as_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("values.yaml");
    let text = "{plugins: {x: true}, pluginData: {x: {hook: {path: /hooks/x, envPrefix: X, env: \
        {A: 1000000, B: 0.5, C: true, D: '', E: \"it's \\\"quoted\\\": {{ }}\", F: -3, G: 0}}}}, env: {H: 7, I: false}}";
    std::fs::write(&file, text).unwrap();
    let from_file = render(&["-f", file.to_str().unwrap()]);
    let env = from_file.env();
    for (name, value) in [
        ("X_A", "1000000"),
        ("X_B", "0.5"),
        ("X_C", "true"),
        ("X_D", ""),
        ("X_E", "it's \"quoted\": {{ }}"),
        ("X_F", "-3"),
        ("X_G", "0"),
        ("H", "7"),
        ("I", "false"),
    ] {
        assert_eq!(env[name], value, "{name}");
    }
    let set = "pluginData.x.hook.env.A=1000000,pluginData.x.hook.env.G=0";
    let from_set = render(&["-f", file.to_str().unwrap(), "--set", set]);
    assert_eq!(from_set.checksum(), from_file.checksum());
}

#[test]
#[ignore = "needs helm: make chart"]
fn the_checksum_follows_the_hooks_and_nothing_else() {
    let base = ["-f", &example("one-hook.yaml")].map(str::to_owned);
    let with = |more: &str| {
        let arguments = [&base[0], &base[1], "--set", more];
        render(&arguments).checksum().to_owned()
    };
    let before = with("replicaCount=1");
    for same in [
        "env.LOG_LEVEL=debug",
        "podLabels.a=b",
        "podAnnotations.a=b",
        "image.tag=x",
        "secretNames={a}",
        "watchNamespaces={a}",
        "pluginData.neutronRouterFlavors.hook.env.READY_DELAY=10",
        "plugins.ironicRunbooks=false",
        "pluginData.neutronRouterFlavors.hook.rules[0].verbs={get}",
    ] {
        assert_eq!(with(same), before, "{same}");
    }
    for other in [
        "pluginData.neutronRouterFlavors.hook.env.PRUNE=true",
        "pluginData.neutronRouterFlavors.hook.env.NEW=x",
        "pluginData.neutronRouterFlavors.hook.path=/hooks/x",
        "pluginData.openstackPlaceholder.hook.env.DEFAULT_CLOUD=x",
        "plugins.openstackPlaceholder=true",
        "plugins.neutronRouterFlavors=false",
        "plugins.x=false,pluginData.x.hook.path=/hooks/x",
    ] {
        assert_ne!(with(other), before, "{other}");
    }
}
