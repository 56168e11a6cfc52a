//! What `--config` answers: golden files, shell-operator's rules, bad variables, and what it costs.
//!
//! The golden files are `tests/golden/config/*.json`. After a change that is meant:
//! `SNAPSHOTS=overwrite cargo test -p openstack-sync-tests --test config`

mod memory;
mod schema;
mod strace;

use openstack_sync_tests::binaries::shipped;
use openstack_sync_tests::{Hook, PREFIX, SERVED, workloads};
use serde_json::Value;

/// The hook as the chart sets it up, with these variables over it; an empty name is none.
fn router_flavors(more: &[(&str, &str)]) -> Hook {
    let mut hook = Hook::new("router-flavors");
    set_up(&mut hook);
    for (name, value) in more {
        hook.set(name, value);
    }
    hook
}

fn set_up(hook: &mut Hook) {
    SERVED.set_up(hook);
}

fn template_workloads() -> Hook {
    let mut hook = Hook::new("template-workloads");
    set_up_templates(&mut hook);
    hook
}

fn set_up_templates(hook: &mut Hook) {
    workloads::SERVED.set_up(hook);
    hook.set("POD_NAMESPACE", "openstack");
}

fn placeholder(more: &[(&str, &str)]) -> Hook {
    let mut hook = Hook::new("placeholder");
    for (name, value) in more {
        hook.set(name, value);
    }
    hook
}

/// The document, which must be all that is said: one line of JSON.
fn document(hook: &Hook) -> Value {
    let outcome = hook.run(&["--config"]).expect(0);
    assert_eq!(outcome.stderr, "");
    assert_eq!(outcome.stdout.matches('\n').count(), 1, "{}", outcome.stdout);
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}: {}", outcome.stdout))
}

/// Compares a document with a golden file, and holds it against shell-operator's rules.
#[track_caller]
fn golden(name: &str, hook: &Hook) {
    let document = document(hook);
    assert_eq!(schema::problems(&document), Vec::<String>::new(), "{name}");
    openstack_sync_tests::golden(&format!("config/{name}.json"), &format!("{document:#}\n"));
}

#[test]
fn disabled() {
    golden("disabled", &Hook::new("router-flavors"));
    golden("disabled", &router_flavors(&[("NEUTRON_ROUTER_FLAVOR_ENABLED", "false")]));
    golden("disabled", &Hook::new("template-workloads"));
    golden("disabled", &Hook::new("placeholder"));
    golden("disabled", &placeholder(&[("OPENSTACK_PLACEHOLDER_ENABLED", "false")]));
}

#[test]
fn enabled() {
    golden("enabled", &router_flavors(&[]));
    golden("template-workloads", &template_workloads());
}

#[test]
fn namespaces() {
    golden("namespaces", &router_flavors(&[("WATCH_NAMESPACES", "openstack, site-a,site-b")]));
}

#[test]
fn all_namespaces() {
    golden("all-namespaces", &router_flavors(&[("WATCH_NAMESPACES", "*")]));
    golden("all-namespaces", &router_flavors(&[("POD_NAMESPACE", "")]));
}

#[test]
fn no_crontabs() {
    let blank = [("NEUTRON_ROUTER_FLAVOR_SYNC_CRONTAB", " "), ("NEUTRON_ROUTER_FLAVOR_CATCH_UP_CRONTAB", "")];
    golden("no-crontabs", &router_flavors(&blank));
}

#[test]
fn status_off() {
    golden("status-off", &router_flavors(&[("NEUTRON_ROUTER_FLAVOR_STATUS_ENABLED", "false")]));
}

#[test]
fn placeholder_enabled() {
    golden("placeholder", &placeholder(&[("OPENSTACK_PLACEHOLDER_ENABLED", "true")]));
    let blank = [("OPENSTACK_PLACEHOLDER_ENABLED", "true"), ("OPENSTACK_PLACEHOLDER_SYNC_CRONTAB", "")];
    golden("disabled", &placeholder(&blank));
}

/// shell-operator gives no other argument, but what stands behind must not change the answer.
#[test]
fn further_arguments_are_ignored() {
    let hook = router_flavors(&[]);
    let more = hook.run(&["--config", "--no-such-flag", "x"]).expect(0);
    assert_eq!(more.stdout, hook.run(&["--config"]).expect(0).stdout);
}

#[test]
fn a_bad_variable_is_one_line_on_stderr_and_nothing_on_stdout() {
    let prefixed = |suffix: &str| format!("{PREFIX}_{suffix}");
    let quoted = |value: &str| format!("{value:?}");
    let table = [
        (prefixed("ENABLED"), "True", quoted("True")),
        (prefixed("ENABLED"), "", quoted("")),
        (prefixed("ENABLED"), "1", quoted("1")),
        (prefixed("STATUS_ENABLED"), "yes", quoted("yes")),
        (prefixed("CRD_API_VERSION"), "", "required".to_owned()),
        (prefixed("CRD_API_VERSION"), "v1alpha1", quoted("v1alpha1")),
        (prefixed("CRD_KIND"), " ", "required".to_owned()),
        (prefixed("CRD_RESOURCE"), "", "required".to_owned()),
        (prefixed("CRD_RESOURCE"), ".x", quoted(".x")),
        (prefixed("SYNC_CRONTAB"), "*/0 * * * *", quoted("*/0")),
        (prefixed("SYNC_CRONTAB"), "hourly", quoted("hourly")),
        (prefixed("SYNC_CRONTAB"), "0 0 * * 7", quoted("7")),
        (prefixed("CATCH_UP_CRONTAB"), "* * * * */0", quoted("*/0")),
        (prefixed("CATCH_UP_CRONTAB"), "* * * *", "4 fields".to_owned()),
        ("WATCH_NAMESPACES".to_owned(), "openstack,*", quoted("*")),
        ("WATCH_NAMESPACES".to_owned(), "Upper", quoted("Upper")),
        ("POD_NAMESPACE".to_owned(), "open_stack", quoted("open_stack")),
    ];
    for (name, value, said) in table {
        refused(&router_flavors(&[(&name, value)]), &name, &said);
    }
    for suffix in ["CRD_API_VERSION", "CRD_KIND", "CRD_RESOURCE"] {
        let mut hook = router_flavors(&[]);
        hook.unset(&prefixed(suffix));
        refused(&hook, &prefixed(suffix), "required");
    }
    let enabled = ("OPENSTACK_PLACEHOLDER_ENABLED", "true");
    for (name, value, said) in [
        ("OPENSTACK_PLACEHOLDER_SYNC_CRONTAB", "*/0 * * * *", "*/0"),
        ("OPENSTACK_PLACEHOLDER_SYNC_CRONTAB", "@reboot", "@reboot"),
        ("OPENSTACK_PLACEHOLDER_ENABLED", "TRUE", "TRUE"),
    ] {
        refused(&placeholder(&[enabled, (name, value)]), name, &quoted(said));
    }
}

#[track_caller]
fn refused(hook: &Hook, name: &str, said: &str) {
    let outcome = hook.run(&["--config"]).expect(1);
    assert_eq!(outcome.stdout, "", "{name}");
    let lines: Vec<_> = outcome.stderr.lines().collect();
    let [line] = lines[..] else { panic!("{name}: not one line: {}", outcome.stderr) };
    assert!(line.starts_with(&format!("{name}: ")) && line.contains(said), "{name} ({said}): {line}");
}

/// A typo in what only runs need must not keep the operator from starting: its runs tell.
#[test]
fn other_bad_variables_do_not_disturb_it() {
    let bad = [
        ("NEUTRON_ROUTER_FLAVOR_PRUNE", "maybe"),
        ("NEUTRON_ROUTER_FLAVOR_PRUNE_LIMIT", "-1"),
        ("NEUTRON_ROUTER_FLAVOR_READY_RETRIES", "0"),
        ("NEUTRON_ROUTER_FLAVOR_READY_DELAY", "nan"),
        ("NEUTRON_ROUTER_FLAVOR_DRY_RUN", "1"),
        ("LOG_LEVEL", "loud"),
        ("LOG_FORMAT", "xml"),
        ("KUBECONFIG", "/nonexistent/kubeconfig"),
        ("KUBERNETES_SERVICE_HOST", "192.0.2.1"),
        ("BINDING_CONTEXT_PATH", "/nonexistent/context"),
        ("METRICS_PATH", "/nonexistent/metrics"),
        ("HTTPS_PROXY", "http://192.0.2.1:9"),
    ];
    golden("enabled", &router_flavors(&bad));
    let mut hook = placeholder(&bad);
    hook.set("OPENSTACK_PLACEHOLDER_ENABLED", "true");
    golden("placeholder", &hook);
}

/// A disabled hook reads nothing else, so nothing else can stop it.
#[test]
fn a_disabled_hook_looks_at_no_other_variable() {
    let hook = router_flavors(&[
        ("NEUTRON_ROUTER_FLAVOR_ENABLED", "false"),
        ("NEUTRON_ROUTER_FLAVOR_SYNC_CRONTAB", "*/0 * * * *"),
        ("NEUTRON_ROUTER_FLAVOR_CRD_API_VERSION", ""),
        ("NEUTRON_ROUTER_FLAVOR_STATUS_ENABLED", "perhaps"),
        ("WATCH_NAMESPACES", "%"),
    ]);
    golden("disabled", &hook);
}

#[test]
fn it_opens_no_socket_starts_no_thread_and_reads_no_file() {
    let placeholder = placeholder(&[("OPENSTACK_PLACEHOLDER_ENABLED", "true")]);
    for hook in [router_flavors(&[]), template_workloads(), placeholder] {
        strace::check(&hook, &["--config"]);
    }
}

#[test]
fn the_released_binary_needs_no_more_than_4_mib_for_it() {
    const LIMIT: u64 = 4 * 1024;
    let switches = [
        ("placeholder", "OPENSTACK_PLACEHOLDER_ENABLED"),
        ("router-flavors", "NEUTRON_ROUTER_FLAVOR_ENABLED"),
        ("template-workloads", "TEMPLATE_WORKLOAD_ENABLED"),
    ];
    assert_eq!(switches.map(|(name, _)| name)[..], *shipped());
    for (name, enabled) in switches {
        let mut hook = Hook::released(name);
        set_up(&mut hook);
        set_up_templates(&mut hook);
        hook.set(enabled, "true");
        let peak = memory::peak_at_output(&hook, &["--config"]);
        println!("{name} --config: peak RSS {peak} KiB");
        assert!(peak <= LIMIT, "{name} --config needs {peak} KiB, more than {LIMIT}");
    }
}
