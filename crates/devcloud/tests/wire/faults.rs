use std::time::{Duration, Instant};

use devcloud::{Action, Fault, Service};
use serde_json::json;

use crate::client::{Lab, try_send};

#[test]
fn answers_can_be_put_in_place_of_real_ones() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    let headers = vec![("Retry-After".to_owned(), "7".to_owned())];
    let action = Action::Answer { status: 429, body: json!({"a": 1}), headers };
    lab.cloud.inject(Fault::new(Service::Neutron, "/v2.0/flavors", action).method("POST").skip(1).times(1));
    let post = || session.post("/v2.0/flavors", &json!({"flavor": {"service_type": "QOS"}}));
    assert_eq!(post().status, 201, "skipped");
    let hit = post();
    assert_eq!((hit.status, hit.header("Retry-After"), hit.json()), (429, Some("7"), json!({"a": 1})));
    assert_eq!(post().status, 201, "used up");
    assert_eq!(lab.cloud.neutron().flavors().len(), 2, "what is answered so is not performed");
    lab.cloud.inject(Fault::not_ready(Service::Neutron));
    let page = session.get("/v2.0/flavors");
    assert_eq!((page.status, page.header("Content-Type")), (503, Some("text/html")));
    lab.cloud.clear_faults();
    assert_eq!(session.get("/v2.0/flavors").status, 200);
}

#[test]
fn connections_can_be_cut_before_and_after_the_work() {
    let lab = Lab::new();
    let token = lab.token("admin");
    let base = lab.cloud.neutron_url();
    let body = br#"{"flavor": {"service_type": "QOS"}}"#;
    let post = || try_send(&lab.cloud, &base, "POST", "/v2.0/flavors", &[("X-Auth-Token", &token)], body);
    lab.cloud.inject(Fault::new(Service::Neutron, "", Action::CutBefore).times(1));
    lab.cloud.inject(Fault::new(Service::Neutron, "", Action::CutAfter).times(1));
    lab.cloud.clear_journal();
    assert!(post().is_none());
    assert_eq!(lab.cloud.neutron().flavors().len(), 0);
    assert!(post().is_none());
    assert_eq!(lab.cloud.neutron().flavors().len(), 1);
    assert!(post().is_some());
    let statuses: Vec<Option<u16>> = lab.cloud.journal().iter().map(|entry| entry.status).collect();
    assert_eq!(statuses, [None, None, Some(201)]);
    // over TLS too
    lab.cloud.inject(Fault::new(Service::Kubernetes, "*/secrets", Action::CutBefore));
    let bearer = format!("Bearer {}", lab.cloud.kube().token());
    let kube = lab.cloud.kube_url();
    let path = "/api/v1/namespaces/default/secrets";
    assert!(try_send(&lab.cloud, &kube, "GET", path, &[("Authorization", &bearer)], b"").is_none());
}

#[test]
fn a_delay_is_a_lower_bound() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    lab.cloud
        .inject(Fault::new(Service::Neutron, "flavors", Action::Delay(Duration::from_millis(30))).times(1));
    let start = Instant::now();
    assert_eq!(session.get("/v2.0/flavors").status, 200);
    assert!(start.elapsed() >= Duration::from_millis(30));
}

#[test]
fn expired_tokens_are_refused_by_both_services() {
    let lab = Lab::new();
    let old = lab.neutron("admin");
    assert_eq!(old.get("/v2.0/flavors").status, 200, "Neutron has seen it");
    lab.cloud.inject(Fault::new(Service::Neutron, "flavors", Action::ExpireTokens).times(1));
    assert_eq!(old.get("/v2.0/flavors").status, 401);
    let headers = [("X-Auth-Token", old.token.as_str()), ("X-Subject-Token", old.token.as_str())];
    assert_eq!(lab.keystone("GET", "/v3/auth/tokens", &headers, "").status, 401);
    assert_eq!(lab.neutron("admin").get("/v2.0/flavors").status, 200, "a new one is good");
}

#[test]
fn the_journal_is_exact_and_keeps_no_secret() {
    let lab = Lab::new();
    let session = lab.neutron("admin");
    session.get("/v2.0/flavors?name=x");
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"clouds.yaml": "hidden-text"},
    });
    lab.kube("POST", "/api/v1/namespaces/default/secrets", &secret.to_string());
    lab.kube("PATCH", "/api/v1/namespaces/default/secrets/s", r#"{"data": {"k": "aGlkZGVuLXRleHQ="}}"#);
    let journal = lab.cloud.journal();
    let lines: Vec<String> = journal
        .iter()
        .map(|entry| format!("{:?} {} {} {}", entry.service, entry.method, entry.path, entry.status.unwrap()))
        .collect();
    assert_eq!(
        lines,
        [
            "Keystone POST /v3/auth/tokens 201",
            "Neutron GET /v2.0/flavors?name=x 200",
            "Kubernetes POST /api/v1/namespaces/default/secrets 201",
            "Kubernetes PATCH /api/v1/namespaces/default/secrets/s 200",
        ]
    );
    assert!(journal[0].is_login() && !journal[1].is_write() && journal[2].is_write());
    let all = format!("{journal:?}");
    let token = lab.cloud.kube().token().to_owned();
    for text in ["admin-secret", "hidden-text", "aGlkZGVuLXRleHQ=", &session.token, &token] {
        assert!(!all.contains(text), "the journal has {text}");
    }
    let user = &journal[0].request_body.as_ref().unwrap()["auth"]["identity"]["password"]["user"];
    assert_eq!((&user["name"], &user["password"]), (&json!("admin"), &json!("[redacted]")));
    lab.cloud.clear_journal();
    assert_eq!(lab.cloud.journal(), []);
    lab.cloud.neutron().call("GET", "/v2.0/flavors", None);
    assert_eq!(lab.cloud.journal(), [], "calls in process leave no entry");
}
