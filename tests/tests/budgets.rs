//! How many requests a run may make, exactly, and how much memory it may take.

use devcloud::{Action, DevCloud, Entry, Fault, Options, Service, shell_operator};
use openstack_sync_tests::{Hook, KIND, Outcome, Site, flavor_cr};
use serde_json::{Value, json};

/// As many as the bars speak of.
const MANY: usize = 1000;
/// The most that a run over [`MANY`] CRs may take in the release build, in KiB; 22 MiB were measured.
const MEMORY_LIMIT: u64 = 32 * 1024;

/// A CR whose profile no other has.
fn cr(number: usize, cloud: &str) -> Value {
    let name = format!("flavor-{number:04}");
    let profile = json!([{
        "driver": "neutron.services.l3_router.service_providers.single_node.SingleNodeDriver",
        "meta_info": {"resource_class": name.as_str()},
    }]);
    flavor_cr(&name, cloud, json!({"spec": {"service_profiles": profile}}))
}

/// A site with `count` CRs that are in place, spread over these clouds of one Secret; the clouds are one.
fn in_place(options: Options, count: usize, clouds: &[String]) -> Site {
    let mut site = Site::with(options);
    let names: Vec<(&str, &DevCloud)> = clouds.iter().map(|cloud| (cloud.as_str(), &site.dev)).collect();
    site.use_clouds(&DevCloud::clouds_yaml_for(&names));
    for number in 0..count {
        site.apply(cr(number, &clouds[number % clouds.len()]));
    }
    site.full().expect(0);
    site.dev.clear_journal();
    site
}

fn one_cloud() -> Vec<String> {
    vec!["devcloud".to_owned()]
}

/// What was asked since the journal was cleared, without ids: `GET /v2.0/flavors` and how often.
fn asked(site: &Site) -> Vec<(String, usize)> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for request in site.requests() {
        let request = request.split('?').next().unwrap_or_default().to_owned();
        match counted.iter_mut().find(|(known, _)| *known == request) {
            Some((_, count)) => *count += 1,
            None => counted.push((request, 1)),
        }
    }
    counted
}

fn four() -> Vec<(String, usize)> {
    times(1, 1)
}

/// The four requests of each of `groups` groups, their lists in `pages` pages.
fn times(groups: usize, pages: usize) -> Vec<(String, usize)> {
    vec![
        ("GET /api/v1/namespaces/openstack/secrets/infrasetup".to_owned(), groups),
        ("POST /v3/auth/tokens".to_owned(), groups),
        ("GET /v2.0/flavors".to_owned(), groups * pages),
        ("GET /v2.0/service_profiles".to_owned(), groups * pages),
    ]
}

/// The path of a CR's PATCH, or of its status.
fn patch(name: &str, more: &str) -> String {
    format!(
        "PATCH /apis/neutron.understack.rackspace.net/v1alpha1/namespaces/openstack/neutronrouterflavors/{name}{more}"
    )
}

#[test]
fn a_thousand_crs() {
    let mut site = Site::new();
    for number in 0..MANY {
        site.apply(cr(number, "devcloud"));
    }
    let before = filter_results(&site);
    // Cold: each is created, and each POST is made once.
    let cold = site.full().expect(0);
    println!("{MANY} CRs, cold: {}", cold.summary());
    let mut posts: Vec<Value> =
        site.neutron_writes().into_iter().filter_map(|entry| entry.request_body).collect();
    assert_eq!(posts.len(), 3 * MANY);
    posts.sort_by_key(Value::to_string);
    posts.dedup();
    assert_eq!(posts.len(), 3 * MANY, "a POST was made twice");
    // Before the first one the lists are confirmed: service providers, flavors, profiles.
    assert_eq!(site.requests().len(), 4 + 3 + 5 * MANY);
    // What a run writes wakes nobody: shell-operator compares what the jqFilter leaves of an object.
    assert_eq!(filter_results(&site), before);

    for (prune, policy_is_new) in [("true", false), ("false", true)] {
        site.hook.set("NEUTRON_ROUTER_FLAVOR_PRUNE", prune);
        if policy_is_new {
            // The finalizers go, once.
            site.full().expect(0);
            assert_eq!(filter_results(&site), before);
        }
        site.dev.clear_journal();
        let again = site.full().expect(0);
        println!("{MANY} CRs, no change, PRUNE={prune}: {}", again.summary());
        assert_eq!(asked(&site), four(), "PRUNE={prune}");
        assert!(again.summary().contains("; 4 requests, 0 writes,"), "{}", again.summary());
        site.dev.clear_journal();
        let tick = site.tick().expect(0);
        println!("{MANY} CRs, due run, PRUNE={prune}: {}", tick.summary());
        assert_eq!(asked(&site), [], "PRUNE={prune}");
    }

    one_changed(&mut site);
    peak_memory(&site);
}

/// One CR of a thousand has a new description: found by its event, and by a full run.
fn one_changed(site: &mut Site) {
    let name = "flavor-0500";
    let flavor = site.neutron("devcloud").flavor(name);
    for (index, full) in [false, true].into_iter().enumerate() {
        let mut changed = cr(500, "devcloud");
        changed["spec"]["description"] = format!("change {index}").into();
        let changed = site.apply(changed);
        site.dev.clear_journal();
        let outcome = if full { site.full() } else { site.run(&[site.event("Modified", changed)]) };
        outcome.expect(0);
        let mut wanted = four();
        if !full {
            // An event brings no snapshot: the CRs are listed, in pages of 500.
            wanted.insert(0, (patch("", "").trim_end_matches('/').replacen("PATCH", "GET", 1), 2));
        }
        wanted.push((format!("PUT /v2.0/flavors/{}", flavor["id"].as_str().expect("an id")), 1));
        wanted.push((patch(name, "/status"), 1));
        assert_eq!(asked(site), wanted, "full: {full}");
    }
}

fn peak_memory(site: &Site) {
    for released in [false, true] {
        let path = site.file("context.json", &shell_operator::file(&[site.periodic()]));
        let program = if released { Hook::released("router-flavors") } else { site.hook.clone() };
        let mut hook = site.hook.with_program_of(&program);
        hook.set("BINDING_CONTEXT_PATH", &path.display().to_string());
        let (outcome, peak) = hook.run_measured(&[]);
        let outcome = outcome.expect(0);
        let size = std::fs::metadata(&path).expect("a file").len() / 1024;
        let build = if released { "release" } else { "debug" };
        println!(
            "{MANY} CRs, context of {size} KiB, {build} build: peak RSS {peak} KiB; {}",
            outcome.summary()
        );
        assert!(!released || peak <= MEMORY_LIMIT, "{peak} KiB are more than {MEMORY_LIMIT}");
    }
}

/// What shell-operator compares to tell whether something has happened.
fn filter_results(site: &Site) -> Vec<Value> {
    let periodic = site.periodic();
    let items = periodic["snapshots"]["neutron-router-flavors"].as_array().expect("a snapshot");
    items.iter().map(|item| item["filterResult"].clone()).collect()
}

#[test]
fn ten_credentials_are_forty_requests() {
    let clouds: Vec<String> = (0..10).map(|number| format!("cloud-{number}")).collect();
    let site = in_place(Options::default(), 100, &clouds);
    site.full().expect(0);
    assert_eq!(asked(&site), times(10, 1));
    assert_eq!(site.requests().len(), 40);
    site.dev.clear_journal();
    site.tick().expect(0);
    assert_eq!(asked(&site), []);
}

/// 250 of each in pages of 100: three requests for each list. Neutron says that there is a next page as long as
/// a page is full, so 300 take four, of which the last is empty; since Neutron also answers that to a page behind
/// something that was deleted meanwhile, the last item is then looked at.
#[test]
fn pages_cost_a_request_each() {
    let options = Options { page_limit: Some(100), ..Options::default() };
    let site = in_place(options, 250, &one_cloud());
    site.full().expect(0);
    assert_eq!(asked(&site), times(1, 3));
    (250..300).for_each(|number| drop(site.apply(cr(number, "devcloud"))));
    site.full().expect(0);
    site.dev.clear_journal();
    site.full().expect(0);
    let mut looked_at = 0;
    let mut lists = asked(&site);
    lists.retain(|(request, count)| {
        let by_id = request.split('/').nth(3).is_some_and(|id| id.len() == 36);
        looked_at += usize::from(by_id) * count;
        !by_id
    });
    assert_eq!((lists, looked_at), (times(1, 4), 2));
}

#[test]
fn a_refused_write_is_repeated_alone_and_its_status_is_not() {
    let site = in_place(Options::default(), 10, &one_cloud());
    let mut changed = cr(5, "devcloud");
    changed["spec"]["description"] = "changed".into();
    site.apply(changed);
    let flavor = site.neutron("devcloud").flavor("flavor-0005");
    let put = format!("PUT /v2.0/flavors/{}", flavor["id"].as_str().expect("an id"));
    let refused = json!({"NeutronError": {"type": "HTTPBadRequest", "message": "Not today.", "detail": ""}});
    site.dev.inject(Fault::new(Service::Neutron, "/flavors/", Action::answer(400, refused)).method("PUT"));
    site.dev.clear_journal();
    let first = site.full().expect(1);
    let mut wanted = four();
    wanted.push((put, 1));
    wanted.push((patch("flavor-0005", "/status"), 1));
    assert_eq!(asked(&site), wanted, "{}", first.stderr);
    assert_eq!(site.verdict("flavor-0005").split(':').next(), Some("Failed (ReconcileError)"));
    wanted.pop();
    for run in [Site::full, Site::tick] as [fn(&Site) -> Outcome; 2] {
        site.dev.clear_journal();
        // Within five minutes a failure is due on every tick.
        run(&site).expect(1);
        assert_eq!(asked(&site), wanted);
    }
    site.dev.clear_faults();
    site.tick().expect(0);
    assert!(site.verdict("flavor-0005").starts_with("Synced"));
}

/// A run over what the run before left writes nothing, whatever that was about.
#[test]
fn a_second_run_writes_nothing() {
    let site = in_place(Options::default(), 3, &one_cloud());
    let quiet = |what: &str, code: i32| {
        site.full();
        for _ in 0..2 {
            for run in [Site::full, Site::tick] as [fn(&Site) -> Outcome; 2] {
                site.dev.clear_journal();
                let outcome = run(&site);
                assert!(outcome.code <= code, "{what}: {}", outcome.stderr);
                let writes = site.writes();
                // A deletion that is refused is tried again, and nothing else.
                let refused = |entry: &Entry| entry.method == "DELETE" && entry.status == Some(409);
                assert!(writes.iter().all(refused) && writes.len() <= 1, "{what}: {writes:?}");
            }
        }
        site.full().expect(code);
    };
    quiet("in place", 0);
    site.apply(cr(7, "devcloud"));
    quiet("created", 0);
    let neutron = site.neutron("devcloud");
    let profile = neutron.profiles_of(&neutron.flavor("flavor-0007")).remove(0);
    neutron.unbind(&neutron.flavor("flavor-0007"), &profile);
    neutron
        .update_flavor(&neutron.flavor("flavor-0001"), json!({"description": "by hand", "enabled": false}));
    quiet("drift corrected", 0);
    let mut moved = cr(7, "devcloud");
    moved["spec"]["name"] = "renamed".into();
    site.apply(moved);
    quiet("renamed", 0);
    let router = neutron.add_router("r", &neutron.flavor("flavor-0002"));
    site.delete("flavor-0002");
    quiet("deleted, but in use", 1);
    neutron.delete_router(&router);
    quiet("deleted", 0);
    site.apply(flavor_cr("loser", "devcloud", json!({"spec": {"name": "flavor-0001"}})));
    quiet("a second claim", 1);
    site.delete("loser");
    site.apply(flavor_cr("lost", "nowhere", json!({})));
    quiet("no such cloud", 1);
    assert_eq!(site.dev.kube().list(KIND).len(), 4);
}
