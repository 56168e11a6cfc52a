//! What people use: arguments, tables, the summary line, logs for shell-operator, and the metric.

use devcloud::{Action, DevCloud, Fault, Service, shell_operator};
use openstack_sync_tests::{Hook, KIND, NAMESPACE, PREFIX, Site, flavor_cr};
use serde_json::{Value, json};

/// A `List` as `kubectl get -o json` prints it.
fn list(site: &Site) -> String {
    json!({"apiVersion": "v1", "kind": "List", "metadata": {}, "items": site.dev.kube().list(KIND)})
        .to_string()
}

/// A site with two CRs, one of them in place.
fn world() -> Site {
    let site = Site::new();
    site.apply(flavor_cr("old", "devcloud", json!({})));
    site.full().expect(0);
    site.apply(flavor_cr("new", "devcloud", json!({})));
    site.dev.clear_journal();
    site
}

#[test]
fn help_names_each_variable_with_its_default_and_its_present_value() {
    let site = Site::new();
    let outcome = site.hook.run(&["--help"]).expect(0);
    assert_eq!(outcome.stderr, "");
    let row = |name: &str| {
        let line = outcome.stdout.lines().find(|line| line.split_whitespace().next() == Some(name));
        line.unwrap_or_else(|| panic!("{name} is not in:\n{}", outcome.stdout)).to_owned()
    };
    for (suffix, default, now) in [
        ("ENABLED", "false", "\"true\""),
        ("CRD_API_VERSION", "", "\"neutron.understack.rackspace.net/v1alpha1\""),
        ("CRD_KIND", "", "\"NeutronRouterFlavor\""),
        ("CRD_RESOURCE", "", "\"neutronrouterflavors.neutron.understack.rackspace.net\""),
        ("STATUS_ENABLED", "false", "\"true\""),
        ("PRUNE", "false", "\"true\""),
        ("PRUNE_LIMIT", "10", "-"),
        ("SYNC_CRONTAB", "none", "\"0 * * * *\""),
        ("CATCH_UP_CRONTAB", "* * * * *", "-"),
        ("READY_RETRIES", "30", "\"3\""),
        ("READY_DELAY", "10", "\"0\""),
        ("DRY_RUN", "false", "-"),
    ] {
        let row = row(&format!("{PREFIX}_{suffix}"));
        assert!(row.contains(default) && row.contains(now), "{suffix}: {row}");
    }
    for (name, default, now) in [
        ("BINDING_CONTEXT_PATH", "nothing", "-"),
        ("POD_NAMESPACE", "all", "\"openstack\""),
        ("WATCH_NAMESPACES", "POD_NAMESPACE", "-"),
        ("LOG_LEVEL", "info", "-"),
        ("LOG_FORMAT", "text", "-"),
    ] {
        let row = row(name);
        assert!(row.contains(default) && row.contains(now), "{name}: {row}");
    }
    for word in ["--config", "--binding-context", "--dry-run", "--full", "--check", "Exit codes"] {
        assert!(outcome.stdout.contains(word), "{word} is not in:\n{}", outcome.stdout);
    }
    let help = Hook::new("placeholder").run(&["--help"]).expect(0).stdout;
    assert!(help.contains("OPENSTACK_PLACEHOLDER_DEFAULT_SECRET"), "{help}");
}

#[test]
fn arguments_that_are_unknown_end_with_2_and_usage_on_stderr() {
    let site = Site::new();
    let unknown = |arguments: &[&str], said: &str| {
        let outcome = site.hook.run(arguments).expect(2);
        assert_eq!(outcome.stdout, "", "{arguments:?}");
        assert!(outcome.stderr.contains(said), "{arguments:?}: {}", outcome.stderr);
    };
    unknown(&["--no-such-flag"], "Usage: router-flavors");
    unknown(&["word"], "Usage: router-flavors");
    unknown(&["--dry-run", "word"], "Usage: router-flavors");
    unknown(&["--binding-context"], "--binding-context <FILE>");
    unknown(&["--dry-run=1"], "--dry-run");
    assert_eq!(site.requests(), <[String; 0]>::default());
}

#[test]
fn a_request_by_hand_without_a_context_is_a_mistake() {
    let site = Site::new();
    for arguments in ["--dry-run", "--full", "--check"] {
        let outcome = site.hook.run(&[arguments]).expect(1);
        assert!(outcome.says(&["--binding-context FILE", "BINDING_CONTEXT_PATH"]), "{}", outcome.stderr);
    }
    let outcome = site.hook.run(&["--binding-context", "/nonexistent/file"]).expect(1);
    assert!(outcome.says(&["/nonexistent/file", "cannot be read"]), "{}", outcome.stderr);
    for (text, said) in
        [("{a: [", "neither JSON nor YAML"), ("a: 1", "without `items` or `metadata`"), ("7", "a number")]
    {
        let outcome = site.by_hand(text, &[]).expect(1);
        assert!(outcome.says(&["by-hand", said]), "{text}: {}", outcome.stderr);
        assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    }
}

#[test]
fn a_dry_run_prints_what_a_run_would_do_and_writes_nothing() {
    let site = world();
    site.delete("old");
    let (crs, cloud) = (site.dev.kube().list(KIND), site.dev.neutron().snapshot());
    let context = shell_operator::file(&[site.periodic()]);
    let outcome = site.by_hand(&context, &["--dry-run"]).expect(0);
    for row in [
        ["patch", "metadata", "openstack/new"],
        ["create", "flavor", "new"],
        ["bind", "service profile", ""],
        ["patch", "status", "openstack/new"],
        ["delete", "flavor", "old"],
        ["patch", "metadata", "openstack/old"],
    ] {
        let there = outcome
            .stdout
            .lines()
            .any(|line| line.starts_with(row[0]) && row[1..].iter().all(|word| line.contains(word)));
        assert!(there, "{row:?} is not in:\n{}", outcome.stdout);
    }
    assert!(outcome.stdout.starts_with("ACTION "), "{}", outcome.stdout);
    let summary = outcome.summary();
    let rows = outcome.stdout.lines().count() - 1;
    assert!(summary.contains(&format!("{rows} writes planned")), "{rows} rows, {summary}");
    assert_eq!(site.writes(), [], "nothing is written");
    assert_eq!(site.dev.journal().iter().filter(|entry| entry.is_write()).count(), 1, "the login");
    assert_eq!(site.dev.kube().list(KIND), crs);
    assert_eq!(site.dev.neutron().snapshot(), cloud);
    // What was announced is what a run does.
    let run = site.run_text(&context).expect(0);
    assert!(run.summary().contains(&format!(" {rows} writes")), "{rows} rows, {}", run.summary());
    site.dev.clear_journal();
    let again = site.by_hand(&shell_operator::file(&[site.periodic()]), &["--dry-run"]).expect(0);
    assert_eq!(again.stdout, "nothing to do\n");
}

#[test]
fn a_dry_run_in_the_pod_logs_each_action() {
    let site = world();
    let mut hook = site.hook.clone();
    let path = site.file("context.json", &shell_operator::file(&[site.periodic()]));
    hook.set("BINDING_CONTEXT_PATH", &path.display().to_string());
    hook.set("NEUTRON_ROUTER_FLAVOR_DRY_RUN", "true").set("LOG_FORMAT", "json");
    let outcome = hook.run(&[]).expect(0);
    let lines = json_lines(&outcome.stdout);
    let would: Vec<_> = lines.iter().filter(|line| line["action"].is_string()).collect();
    assert!(would.len() >= 4, "{}", outcome.stdout);
    assert!(
        would
            .iter()
            .any(|line| line["action"] == "create" && line["kind"] == "flavor" && line["name"] == "new")
    );
    assert_eq!(site.writes(), []);
}

#[test]
fn check_logs_in_and_probes_each_group() {
    let site = world();
    site.apply(flavor_cr("third", "nowhere", json!({})));
    let outcome = site.by_hand(&list(&site), &["--check"]).expect(1);
    let row = |group: &str| {
        outcome.stdout.lines().find(|line| line.starts_with(group)).unwrap_or_default().to_owned()
    };
    assert!(row("openstack/infrasetup/devcloud").ends_with(" ok"), "{}", outcome.stdout);
    assert!(row("openstack/infrasetup/devcloud").contains(" 2 "), "{}", outcome.stdout);
    assert!(row("openstack/infrasetup/nowhere").contains("\"nowhere\" was not found"), "{}", outcome.stdout);
    assert_eq!(site.writes(), []);
    site.delete("third");
    let outcome = site.by_hand(&list(&site), &["--check"]).expect(0);
    assert_eq!(outcome.stdout.lines().count(), 2, "{}", outcome.stdout);
    assert_eq!(site.writes(), []);
}

#[test]
fn full_covers_what_a_due_run_leaves() {
    let site = world();
    site.full().expect(0);
    let neutron = site.neutron("devcloud");
    neutron.update_flavor(&neutron.flavor("old"), json!({"enabled": false}));
    let tick = shell_operator::file(&[site.catch_up()]);
    site.by_hand(&tick, &[]).expect(0);
    assert_eq!(neutron.flavor("old")["enabled"], false, "drift is nothing that a due run sees");
    site.by_hand(&tick, &["--full"]).expect(0);
    assert_eq!(neutron.flavor("old")["enabled"], true);
}

/// Each form of what a person gives, from a file and from standard input.
#[test]
fn a_context_a_list_and_one_cr_are_taken_from_a_file_and_from_standard_input() {
    let forms: [fn(&Site) -> String; 4] = [
        |site| shell_operator::file(&[site.periodic()]),
        list,
        |site| site.cr("new").expect("a CR").to_string(),
        |_| {
            "apiVersion: neutron.understack.rackspace.net/v1alpha1\nkind: NeutronRouterFlavor\nmetadata:\n  name: \
             new\n  namespace: openstack\nspec:\n  cloudCredentialsRef: {secretName: infrasetup, cloudName: \
             devcloud}\n  name: new\n  service_profiles:\n  - driver: \
             neutron.services.l3_router.service_providers.single_node.SingleNodeDriver\n    meta_info: {vni_alloc: \
             auto}\n"
                .to_owned()
        },
    ];
    for (index, form) in forms.iter().enumerate() {
        for from_stdin in [false, true] {
            let site = world();
            let text = form(&site);
            let outcome = if from_stdin {
                site.hook.run_with_input(&["--binding-context", "-"], &text)
            } else {
                site.by_hand(&text, &[])
            };
            outcome.expect(0);
            assert_eq!(site.neutron("devcloud").named("new").len(), 1, "form {index}, stdin: {from_stdin}");
            assert!(site.verdict("new").starts_with("Synced"), "form {index}, stdin: {from_stdin}");
        }
    }
}

/// What is managed and not in the list stays, though the list may look like all there is.
#[test]
fn a_list_given_by_hand_never_prunes() {
    let site = world();
    site.full().expect(0);
    let neutron = site.neutron("devcloud");
    neutron.add_profile(json!({
        "driver": "neutron.services.l3_router.service_providers.single_node.SingleNodeDriver",
        "metainfo": "{\"_understack_router_flavor_operator\":\"managed\",\"vni_alloc\":\"off\"}",
    }));
    neutron.add_flavor(json!({
        "name": "unclaimed", "service_type": "L3_ROUTER_NAT", "description": "[understack-router-flavor-operator]",
    }));
    let before = neutron.snapshot();
    let one = site.cr("new").expect("a CR").to_string();
    site.by_hand(&one, &["--full"]).expect(0);
    assert_eq!(neutron.snapshot(), before);
    // Not even what is being deleted goes: who else claims its name is not to be seen.
    site.delete("new");
    let outcome = site.by_hand(&list(&site), &[]).expect(1);
    assert!(outcome.says(&["openstack/new", "given by hand"]), "{}", outcome.stderr);
    assert_eq!(neutron.snapshot(), before);
    site.full().expect(0);
    assert!(neutron.named("new").is_empty() && neutron.named("unclaimed").is_empty());
}

fn json_lines(text: &str) -> Vec<Value> {
    let read = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let lines: Vec<Value> = text.lines().map(read).collect();
    for line in &lines {
        assert!(line["level"].is_string() && line["msg"].is_string(), "{line}");
        let map = line.as_object().expect("an object");
        assert!(map.values().all(|value| !value.is_object() && !value.is_array()), "not flat: {line}");
    }
    lines
}

#[test]
fn with_json_logs_each_line_of_stdout_is_one_object() {
    let mut site = world();
    site.hook.set("LOG_FORMAT", "json").set("LOG_LEVEL", "debug");
    let outcome = site.full().expect(0);
    assert_eq!(outcome.stderr, "", "nothing went wrong");
    let lines = json_lines(&outcome.stdout);
    assert!(lines.iter().any(|line| line["level"] == "debug") && lines.len() > 5, "{}", outcome.stdout);
}

/// shell-operator shows the whole stderr of a run that failed.
#[test]
fn with_json_logs_a_failure_is_one_line_on_stderr() {
    let mut site = world();
    site.hook.set("LOG_FORMAT", "json");
    site.apply(flavor_cr("third", "nowhere", json!({})));
    let outcome = site.full().expect(1);
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("1 failed"), "{}", outcome.stderr);
    let lines = json_lines(&outcome.stdout);
    let told = lines.iter().any(|line| line["level"] == "error" && line["cr"] == "openstack/third");
    assert!(told, "{}", outcome.stdout);
    for text in ["{", "[{\"binding\": \"x\", \"type\": \"Schedule\"}]"] {
        let outcome = site.run_text(text).expect(1);
        assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
        assert_eq!(json_lines(&outcome.stdout).len(), 1, "{}", outcome.stdout);
    }
    site.hook.set("NEUTRON_ROUTER_FLAVOR_READY_RETRIES", "0");
    let outcome = site.full().expect(1);
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
}

/// A table on stdout is for people: the log keeps off it.
#[test]
fn with_json_logs_a_table_has_stdout_to_itself() {
    let mut site = world();
    site.hook.set("LOG_FORMAT", "json");
    let outcome = site.by_hand(&shell_operator::file(&[site.periodic()]), &["--dry-run"]).expect(0);
    assert!(outcome.stdout.starts_with("ACTION "), "{}", outcome.stdout);
    assert!(json_lines(&outcome.stderr).len() > 2, "{}", outcome.stderr);
}

#[test]
fn the_metric_is_written_by_a_full_run_that_succeeds() {
    let mut site = world();
    let path = site.file("metrics.json", "");
    let read = || std::fs::read_to_string(&path).expect("the file is there");
    site.hook.set("METRICS_PATH", &path.display().to_string());
    site.tick().expect(0);
    assert_eq!(read(), "", "a due run says nothing about drift");
    site.by_hand(&list(&site), &[]).expect(0);
    site.by_hand(&shell_operator::file(&[site.periodic()]), &["--dry-run"]).expect(0);
    site.by_hand(&shell_operator::file(&[site.periodic()]), &["--check"]).expect(0);
    assert_eq!(read(), "", "a list given by hand is not everything, and a dry run does nothing");
    site.apply(flavor_cr("third", "nowhere", json!({})));
    site.full().expect(1);
    assert_eq!(read(), "", "a run that failed");
    site.delete("third");
    site.full().expect(0);
    let [metric] = &json_lines_of_metrics(&read())[..] else { panic!("not one metric: {}", read()) };
    assert_eq!(metric["name"], "last_full_sync_success_timestamp_seconds");
    assert_eq!(metric["action"], "set");
    let age = std::time::UNIX_EPOCH.elapsed().expect("after 1970").as_secs() as i64
        - metric["value"].as_i64().expect("a whole number");
    assert!((0..600).contains(&age), "{metric}");
}

fn json_lines_of_metrics(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn the_summary_counts_crs_requests_and_writes() {
    let site = world();
    let outcome = site.full().expect(0);
    // Secret, login, two lists, and again before something is created; marks, flavor, binding and status of `new`: the
    // profile is shared.
    assert_eq!(site.requests().len(), 10, "{:?}", site.requests());
    assert!(
        outcome.summary().starts_with("INFO: 2 CRs: 2 synced; 10 requests, 4 writes, "),
        "{}",
        outcome.summary()
    );
    site.dev.clear_journal();
    let idle = site.tick().expect(0);
    assert!(
        idle.summary().starts_with("INFO: 2 CRs: 2 current; 0 requests, 0 writes, "),
        "{}",
        idle.summary()
    );
    assert_eq!(site.requests(), <[String; 0]>::default());
}

/// Where many a client prints what it sent: requests that are refused, and the most talkative log there is.
#[test]
fn the_most_talkative_log_of_a_failing_run_holds_no_secret() {
    let mut site = world();
    site.hook.set("LOG_LEVEL", "trace");
    site.full().expect(0);
    site.dev.keystone().set_password("admin", "changed-secret");
    site.apply(flavor_cr("new", "devcloud", json!({"spec": {"description": "changed"}})));
    assert!(site.full().expect(1).says(&["login failed"]));
    site.dev.keystone().set_password("admin", "admin-secret");
    site.dev.inject(Fault::new(Service::Neutron, "", Action::answer(500, Value::Null)));
    assert!(site.full().expect(1).says(&["500"]));
    site.dev.clear_faults();
    let broken = "clouds: {devcloud: {auth: {password: hunter2-secret, auth_url: [";
    site.dev.clear_faults();
    site.apply(DevCloud::clouds_secret(NAMESPACE, openstack_sync_tests::SECRET, broken));
    site.hook.forbid("hunter2-secret");
    assert!(site.full().expect(1).says(&["clouds.yaml"]));
}
