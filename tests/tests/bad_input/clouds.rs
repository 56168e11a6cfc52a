//! Secrets and clouds that cannot be used: their CRs fail with the reason, those of other credentials go on.

use devcloud::{Action, DevCloud, Fault, Service};
use openstack_sync_tests::{NAMESPACE, Outcome, Site, flavor_cr};
use serde_json::{Value, json};

use crate::world::{World, world};

/// A second Secret, named by the CR `bad`; the good CR has its own.
fn with_secret(data: Option<Value>, cloud: &str) -> World {
    let world = world();
    if let Some(data) = data {
        world.site.apply(json!({
            "apiVersion": "v1", "kind": "Secret", "metadata": {"namespace": NAMESPACE, "name": "second"},
            "data": data,
        }));
    }
    bad_cr(&world, cloud);
    world
}

fn with_clouds(clouds_yaml: &str, cloud: &str) -> World {
    let world = world();
    world.site.apply(DevCloud::clouds_secret(NAMESPACE, "second", clouds_yaml));
    bad_cr(&world, cloud);
    world
}

fn bad_cr(world: &World, cloud: &str) {
    let reference = json!({"spec": {"cloudCredentialsRef": {"secretName": "second"}}});
    world.site.apply(flavor_cr("bad", cloud, reference));
}

/// The run fails with these words in one line, and so does the CR `bad`, for the reason `reason`.
#[track_caller]
fn is_told(world: &World, reason: &str, words: &[&str]) -> Outcome {
    let outcome = world.fails(true, words, Site::full);
    let verdict = world.site.verdict("bad");
    assert!(verdict.starts_with(&format!("Failed ({reason}): ")), "{verdict}");
    assert!(words.iter().all(|word| verdict.contains(word)), "{words:?}: {verdict}");
    // It never got anywhere, so it can be deleted at once.
    assert_eq!(world.site.cr("bad").unwrap()["metadata"].get("finalizers"), None);
    outcome
}

const ERROR: &str = "ReconcileError";

#[test]
fn a_secret_that_is_missing_or_unusable() {
    is_told(
        &with_secret(None, "devcloud"),
        ERROR,
        &["secret \"second\"", "namespace \"openstack\"", "does not exist"],
    );
    let start = ["secret \"second\"", "namespace \"openstack\"", "\"clouds.yaml\""];
    let with = |word| [start[0], start[1], start[2], word];
    is_told(&with_secret(Some(json!({})), "devcloud"), ERROR, &with("missing"));
    is_told(&with_secret(Some(json!({"clouds.yml": "eA=="})), "devcloud"), ERROR, &with("missing"));
    // 0xff is no UTF-8.
    is_told(
        &with_secret(Some(json!({"clouds.yaml": "/w=="})), "devcloud"),
        ERROR,
        &["secret", "second", "UTF-8"],
    );
}

#[test]
fn a_clouds_yaml_that_cannot_be_used() {
    let start = "clouds: {devcloud: {auth: {auth_url: 'http://192.0.2.1/v3'";
    for (text, words) in [
        ("clouds: [unclosed", &["clouds.yaml", "yaml"][..]),
        ("", &["clouds.yaml", "no mapping `clouds`"]),
        ("just words", &["clouds.yaml", "no mapping `clouds`"]),
        ("clouds: {}", &["\"devcloud\" was not found"]),
        ("clouds: {other: {auth: {}}, more: {}}", &["\"devcloud\" was not found", "it has: more, other"]),
        ("clouds: {devcloud: {}}", &["cloud \"devcloud\"", "auth"]),
        (&format!("{start}}}}}}}"), &["cloud \"devcloud\""]),
    ] {
        is_told(&with_clouds(text, "devcloud"), ERROR, words);
    }
    let world = world();
    bad_cr(&world, "nowhere");
    world.site.apply(DevCloud::clouds_secret(NAMESPACE, "second", world.site.clouds_yaml()));
    let known = "it has: devcloud, devcloud-member, devcloud-nobody, devcloud-reader";
    is_told(&world, ERROR, &["\"nowhere\" was not found", known]);
}

/// The text of what was wrong with a password says nothing about the password: the harness looks.
#[test]
fn a_login_that_is_refused() {
    let mut world = world();
    let wrong = world.site.clouds_yaml().replace("demo-secret", "wrong-secret");
    world.site.hook.forbid("wrong-secret");
    world.site.apply(DevCloud::clouds_secret(NAMESPACE, "second", &wrong));
    bad_cr(&world, "devcloud-member");
    world.site.dev.clear_journal();
    is_told(&world, "LoginRefused", &["OpenStack connection failed", "login failed", "401"]);
    // Once a run: thirty failed logins lock an account.
    let logins =
        world.site.dev.journal().iter().filter(|entry| entry.is_login() && entry.status == Some(401)).count();
    assert_eq!(logins, 1);
}

#[test]
fn a_region_or_a_service_that_is_not_in_the_catalogue() {
    let world = world();
    let elsewhere = world.site.clouds_yaml().replace("RegionOne", "Elsewhere");
    world.site.apply(DevCloud::clouds_secret(NAMESPACE, "second", &elsewhere));
    bad_cr(&world, "devcloud");
    is_told(&world, ERROR, &["\"network\"", "no endpoint in region \"Elsewhere\"", "it is in: RegionOne"]);

    // A cloud without Neutron, beside the one that has it.
    let world = self::world();
    let other = DevCloud::start(devcloud::Options::default()).expect("a second cloud");
    other.keystone().drop_service("network");
    world.site.apply(DevCloud::clouds_secret(NAMESPACE, "second", &other.clouds_yaml()));
    bad_cr(&world, "devcloud");
    is_told(&world, ERROR, &["service catalogue has no \"network\" service", "identity"]);
}

/// Readiness: three attempts, then the group fails; the other cloud's CR is served.
#[test]
fn a_neutron_that_does_not_become_ready() {
    let world = world();
    let other = DevCloud::start(devcloud::Options::default()).expect("a second cloud");
    // No load balancer waits for its backend, and none of the client's own pauses is needed: a 500.
    let page =
        Value::from("<html><head><title>x</title></head><body><h1>Internal Server Error</h1></body></html>");
    other.inject(Fault::new(Service::Neutron, "", Action::answer(500, page)));
    world.site.apply(DevCloud::clouds_secret(NAMESPACE, "second", &other.clouds_yaml()));
    bad_cr(&world, "devcloud");
    is_told(
        &world,
        ERROR,
        &["OpenStack API unavailable", "GET /v2.0/flavors", "500", "Internal Server Error"],
    );
    let verdict = world.site.verdict("bad");
    assert!(!verdict.contains('<'), "{verdict}");
    let attempts =
        |cloud: &DevCloud| cloud.journal().iter().filter(|entry| entry.path == "/v2.0/flavors").count();
    assert_eq!(attempts(&other), 6, "READY_RETRIES=3, in two runs");
    other.clear_journal();
    world.site.tick().expect(1);
    assert_eq!(attempts(&other), 1, "a due run tries once");
    other.clear_faults();
    world.site.tick().expect(0);
    assert!(world.site.verdict("bad").starts_with("Synced"));
}

/// 503, as a load balancer says it: the client repeats it, and it counts as not ready.
#[test]
fn a_503_is_repeated_and_the_run_goes_on_when_it_ends() {
    let site = Site::new();
    site.apply(flavor_cr("good", "devcloud", json!({})));
    site.dev.inject(Fault::not_ready(Service::Neutron).times(2));
    site.full().expect(0);
    assert!(site.verdict("good").starts_with("Synced"));
}

/// A token that may not write: the rule is named once, not once per CR.
#[test]
fn credentials_without_the_right_to_write() {
    let world = world();
    world.site.apply(DevCloud::clouds_secret(NAMESPACE, "second", world.site.clouds_yaml()));
    for name in ["bad", "bad-too"] {
        let reference = json!({"spec": {"cloudCredentialsRef": {"secretName": "second"}}});
        world.site.apply(flavor_cr(name, "devcloud-member", reference));
    }
    world.site.dev.clear_journal();
    let outcome = world.site.full().expect(1);
    world.nothing_was_deleted();
    assert!(world.site.verdict("good").starts_with("Synced"), "{}", outcome.stderr);
    for name in ["bad", "bad-too"] {
        let verdict = world.site.verdict(name);
        assert!(verdict.starts_with("Failed (PolicyRefused): "), "{verdict}");
    }
    let refused = world.site.neutron_writes().iter().filter(|entry| entry.status == Some(403)).count();
    assert!(refused <= 1, "{refused} writes were refused; {}", outcome.stderr);
}
