//! connect, and the time limits.

use std::path::Path;
use std::time::Duration;

use crate::support::{Answer, Server, cluster, object};
use openshift_templates::kube;
use openshift_templates::{ConnectOptions, Error, Selection, TemplateInputs, Timeouts, connect};
use serde_json::json;

const SECOND: Duration = Duration::from_secs(1);

/// Two contexts: `here` is the server and the current one, `nowhere` is not there.
fn kubeconfig(server: &Server, folder: &Path) -> std::path::PathBuf {
    let path = folder.join("kubeconfig");
    let cluster = |name: &str, url: &str| json!({"name": name, "cluster": {"server": url}});
    let context = |name: &str| json!({"name": name, "context": {"cluster": name, "user": "me"}});
    let config = json!({
        "current-context": "here",
        "clusters": [cluster("here", &server.url()), cluster("nowhere", "http://127.0.0.1:1")],
        "contexts": [context("here"), context("nowhere")],
        "users": [{"name": "me", "user": {"token": "t0ken"}}],
    });
    // JSON is YAML.
    std::fs::write(&path, config.to_string()).unwrap();
    path
}

fn inputs() -> TemplateInputs {
    TemplateInputs::new("web", "jobs").parameter("NAME", "web-1").parameter("PASSWORD", "hunter2")
}

#[test]
fn a_kubeconfig_and_its_contexts() {
    let server = cluster(json!([]), |_| None);
    let folder = tempfile::tempdir().unwrap();
    let path = kubeconfig(&server, folder.path());
    let before = std::fs::read(&path).unwrap();
    let options = ConnectOptions { kubeconfig: Some(path.clone()), ..ConnectOptions::default() };
    let client = connect(&options).unwrap();
    assert_eq!(server.lines(), [""; 0], "connecting sends nothing");
    assert_eq!(client.create(&inputs()).unwrap(), []);
    let shown = format!("{client:?} {options:?}");
    assert!(!shown.contains("t0ken"), "{shown}");

    let timeouts = Timeouts { connect: SECOND, request: SECOND };
    let nowhere = ConnectOptions { context: Some("nowhere".to_owned()), timeouts, ..options.clone() };
    let client = connect(&nowhere).unwrap();
    let seen = server.lines().len();
    let reads =
        openshift_templates::Client::from_kube(client.kube().clone().with_retry(rest::Retry::never()));
    assert!(reads.process(&inputs()).unwrap_err().kube().unwrap().is_transport());
    assert_eq!(server.lines().len(), seen);

    let unknown = ConnectOptions { context: Some("other".to_owned()), ..options };
    let error = connect(&unknown).unwrap_err();
    assert!(matches!(error, Error::Kube(kube::Error::Config { .. })), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before, "a kubeconfig is never written");
}

#[test]
fn options_that_cannot_be_used() {
    let zero = |connect: Duration, request: Duration| ConnectOptions {
        timeouts: Timeouts { connect, request },
        ..ConnectOptions::default()
    };
    let pod = ConnectOptions { in_cluster: true, ..ConnectOptions::default() };
    for (options, text) in [
        (zero(Duration::ZERO, SECOND), "connect timeout: it is zero: give a positive duration"),
        (zero(SECOND, Duration::ZERO), "request timeout: it is zero: give a positive duration"),
        (
            ConnectOptions { kubeconfig: Some("/x".into()), ..pod.clone() },
            "in-cluster: a kubeconfig or context is given as well: choose one",
        ),
        (
            ConnectOptions { context: Some("x".into()), ..pod.clone() },
            "in-cluster: a kubeconfig or context is given as well: choose one",
        ),
        (
            ConnectOptions { kubeconfig: Some("".into()), ..ConnectOptions::default() },
            "kubeconfig: the path is empty",
        ),
        (ConnectOptions { context: Some("".into()), ..ConnectOptions::default() }, "context: it is empty"),
    ] {
        let error = connect(&options).unwrap_err();
        assert!(matches!(error, Error::Argument { .. }));
        assert_eq!(error.to_string(), text);
    }
    let missing = ConnectOptions { kubeconfig: Some("/nonexistent".into()), ..ConnectOptions::default() };
    assert!(matches!(connect(&missing).unwrap_err(), Error::Kube(kube::Error::File { .. })));
}

#[test]
fn the_defaults() {
    let Timeouts { connect, request } = ConnectOptions::default().timeouts;
    assert_eq!((connect.as_secs(), request.as_secs()), (10, 60));
    assert_eq!(ConnectOptions::default().verify_tls, None);
    assert!(!ConnectOptions::default().in_cluster);
}

/// Each request that can be waited for in vain, for one operation only.
#[test]
fn every_request_has_a_time_limit() {
    for (silent, operation) in [
        ("GET /apis/template.openshift.io/", "create"),
        ("POST", "create"),
        ("GET /api/v1", "create"),
        ("PATCH", "create"),
        ("GET /api/v1/namespaces/", "get"),
        ("DELETE", "delete"),
    ] {
        let server = cluster(json!([object("v1", "ConfigMap", "a")]), move |seen| {
            let exact = seen.line == silent || silent != "GET /api/v1" && seen.line.starts_with(silent);
            exact.then_some(Answer::Silence)
        });
        let client = server.client();
        assert!(client.with_timeouts(Timeouts { request: Duration::ZERO, ..Timeouts::default() }).is_err());
        let hasty = client.with_timeouts(Timeouts { request: SECOND, ..Timeouts::default() }).unwrap();
        let error = match operation {
            "create" => hasty.create(&inputs()).map(drop),
            "get" => hasty.get(&inputs()).map(drop),
            _ => hasty.delete(Selection::from(&inputs())).map(drop),
        }
        .unwrap_err();
        let text = format!("{} did not answer within 1 s", server.url());
        assert!(error.to_string().contains(&text), "{error}");
        let is_write = matches!(silent, "PATCH" | "DELETE");
        assert_eq!(error.operation().is_some_and(|error| error.is_outcome_unknown()), is_write, "{error}");
        assert_eq!(error.kube().is_some_and(kube::Error::is_timeout), !is_write, "{error}");
        let asked = server.lines().iter().filter(|line| line.starts_with(silent)).count();
        assert_eq!(asked, 1, "what was not answered in time is not sent again");
    }
}

/// A connection counts as made when TLS is: here nobody answers the greeting.
#[test]
fn connecting_has_a_time_limit_of_its_own() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kubeconfig");
    let config = json!({
        "current-context": "c",
        "clusters": [{"name": "c", "cluster": {"server": url}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}],
        "users": [{"name": "c", "user": {}}],
    });
    std::fs::write(&path, config.to_string()).unwrap();
    let options = ConnectOptions { kubeconfig: Some(path), ..ConnectOptions::default() };
    let patient = Timeouts { connect: 20 * SECOND, request: 20 * SECOND };
    let hurried = Timeouts { connect: SECOND, ..patient };
    for (at_first, for_this_one) in [(hurried, None), (patient, Some(hurried))] {
        let client = connect(&ConnectOptions { timeouts: at_first, ..options.clone() }).unwrap();
        let once = |client: openshift_templates::Client| {
            let kube = client.kube().clone().with_retry(rest::Retry::never());
            openshift_templates::Client::from_kube(kube)
        };
        let client = once(match for_this_one {
            Some(timeouts) => client.with_timeouts(timeouts).unwrap(),
            None => client,
        });
        let error = client.process(&inputs()).unwrap_err();
        assert_eq!(error.to_string(), format!("{url} did not accept a connection within 1 s"));
        assert!(error.kube().unwrap().is_timeout());
    }
}
