//! The placeholder hook against devcloud: it logs in, has Keystone check the token, and says what is wrong.

use devcloud::{Action, DevCloud, Fault, Service, shell_operator};
use openstack_sync_tests::{Hook, NAMESPACE, Outcome, SECRET, Site};
use serde_json::{Value, json};

/// A site, and the placeholder with what the chart would set.
fn world() -> (Site, Hook) {
    let site = Site::new();
    let mut hook = site.hook.with_program_of(&Hook::new("placeholder"));
    hook.set("OPENSTACK_PLACEHOLDER_ENABLED", "true");
    hook.set("OPENSTACK_PLACEHOLDER_DEFAULT_SECRET", SECRET);
    hook.set("OPENSTACK_PLACEHOLDER_DEFAULT_CLOUD", "devcloud");
    (site, hook)
}

fn run(site: &Site, hook: &Hook, elements: &[Value]) -> Outcome {
    let path = site.file("context.json", &shell_operator::file(elements));
    site.dev.clear_journal();
    hook.clone().set("BINDING_CONTEXT_PATH", &path.display().to_string()).run(&[])
}

fn probe() -> Value {
    json!({"binding": "probe", "type": "Schedule"})
}

#[test]
fn a_probe_is_three_requests_and_no_write() {
    let (site, hook) = world();
    for elements in [vec![shell_operator::on_startup()], vec![probe()], vec![probe(), probe()]] {
        let outcome = run(&site, &hook, &elements).expect(0);
        assert!(outcome.says(&["openstack/infrasetup/devcloud", "accepts"]), "{}", outcome.stderr);
        assert_eq!(
            site.requests(),
            [
                "GET /api/v1/namespaces/openstack/secrets/infrasetup",
                "POST /v3/auth/tokens",
                "GET /v3/auth/tokens"
            ]
        );
        assert!(site.writes().is_empty());
    }
}

#[test]
fn what_the_chart_sets_is_not_called_misspelt() {
    let (site, mut hook) = world();
    for name in ["CRD_API_VERSION", "CRD_KIND", "CRD_RESOURCE", "STATUS_ENABLED", "DEFAULT_CLUOD"] {
        hook.set(&format!("OPENSTACK_PLACEHOLDER_{name}"), "true");
    }
    let outcome = run(&site, &hook, &[probe()]).expect(0);
    let warned: Vec<_> = outcome.stderr.lines().filter(|line| line.contains("misspelt")).collect();
    assert!(warned.len() == 1 && warned[0].contains("DEFAULT_CLUOD"), "{warned:?}");
}

#[test]
fn what_is_not_for_it_costs_nothing() {
    let (site, mut hook) = world();
    run(&site, &hook, &[site.periodic()]).expect(0);
    assert_eq!(site.requests(), <[String; 0]>::default());
    hook.unset("OPENSTACK_PLACEHOLDER_ENABLED");
    let outcome = run(&site, &hook, &[shell_operator::on_startup()]).expect(0);
    assert!(outcome.says(&["OPENSTACK_PLACEHOLDER_ENABLED", "nothing is done"]), "{}", outcome.stderr);
    assert_eq!(site.requests(), <[String; 0]>::default());
    let path = site.file("bad", "{").display().to_string();
    let outcome = hook.set("BINDING_CONTEXT_PATH", &path).run(&[]).expect(1);
    assert!(outcome.says(&[&path, "is not JSON"]), "{}", outcome.stderr);
}

/// It fails, on one line that holds these words, and with no write.
#[track_caller]
fn fails(site: &Site, hook: &Hook, words: &[&str]) {
    let outcome = run(site, hook, &[probe()]).expect(1);
    assert!(outcome.says(words), "{words:?} is not in one line of:\n{}", outcome.stderr);
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    assert!(site.writes().is_empty());
}

#[test]
fn a_wrong_password_is_a_refused_login() {
    let (site, hook) = world();
    site.dev.keystone().set_password("admin", "another-secret");
    fails(&site, &hook, &["openstack/infrasetup/devcloud", "login failed", "401"]);
}

#[test]
fn a_token_that_keystone_does_not_know_is_a_failure() {
    let (site, hook) = world();
    let message = "Could not find token: [redacted].";
    let unknown = json!({"error": {"code": 404, "title": "Not Found", "message": message}});
    let fault = Fault::new(Service::Keystone, "/v3/auth/tokens", Action::answer(404, unknown)).method("GET");
    site.dev.inject(fault);
    fails(&site, &hook, &["GET /v3/auth/tokens", "404"]);
    site.dev.clear_faults();
    run(&site, &hook, &[probe()]).expect(0);
}

#[test]
fn variables_that_are_missing_are_named() {
    for name in ["OPENSTACK_PLACEHOLDER_DEFAULT_SECRET", "OPENSTACK_PLACEHOLDER_DEFAULT_CLOUD"] {
        for value in [None, Some(" ")] {
            let (site, mut hook) = world();
            match value {
                None => hook.unset(name),
                Some(value) => hook.set(name, value),
            };
            fails(&site, &hook, &[name, "required"]);
            assert_eq!(site.requests(), <[String; 0]>::default());
        }
    }
}

#[test]
fn what_is_wrong_with_the_secret_is_named() {
    let secret = |data: Value| {
        json!({"apiVersion": "v1", "kind": "Secret",
            "metadata": {"namespace": NAMESPACE, "name": SECRET}, "data": data})
    };
    let (site, mut hook) = world();
    hook.set("OPENSTACK_PLACEHOLDER_DEFAULT_SECRET", "nowhere");
    fails(&site, &hook, &["secret \"nowhere\"", "namespace \"openstack\"", "does not exist"]);
    hook.set("OPENSTACK_PLACEHOLDER_DEFAULT_SECRET", SECRET);
    hook.set("OPENSTACK_PLACEHOLDER_DEFAULT_CLOUD", "elsewhere");
    let known = "devcloud, devcloud-member, devcloud-nobody, devcloud-reader";
    fails(&site, &hook, &["\"infrasetup\"", "\"elsewhere\" was not found", known]);
    hook.set("OPENSTACK_PLACEHOLDER_DEFAULT_CLOUD", "devcloud");
    site.apply(secret(json!({"other.yaml": "eA=="})));
    fails(&site, &hook, &["\"infrasetup\"", "\"clouds.yaml\"", "missing"]);
    // 0xff is no UTF-8.
    site.apply(secret(json!({"clouds.yaml": "/w=="})));
    fails(&site, &hook, &["\"infrasetup\"", "clouds.yaml", "UTF-8"]);
    site.apply(DevCloud::clouds_secret(NAMESPACE, SECRET, "clouds: [unclosed"));
    fails(&site, &hook, &["\"infrasetup\"", "clouds.yaml", "yaml"]);
}

#[test]
fn the_namespace_is_that_of_the_pod_else_openstack() {
    let (site, mut hook) = world();
    hook.unset("POD_NAMESPACE");
    run(&site, &hook, &[probe()]).expect(0);
    hook.set("POD_NAMESPACE", "elsewhere");
    fails(&site, &hook, &["namespace \"elsewhere\"", "does not exist"]);
}

#[test]
fn a_service_that_is_down_is_one_line() {
    let (site, hook) = world();
    let gone = Action::answer(
        500,
        json!({"error": {"code": 500, "title": "Internal Server Error", "message": "x"}}),
    );
    site.dev.inject(Fault::new(Service::Keystone, "", gone));
    fails(&site, &hook, &["POST /v3/auth/tokens", "500"]);
}
