//! What is logged, down to the trace lines of the libraries below: no value of a parameter or of a Secret, and no
//! credentials.

use std::sync::Mutex;

use devcloud::{Action, DevCloud, Fault, Options, Service};
use log::{LevelFilter, Log, Metadata, Record};
use openshift_templates::{ConnectOptions, Error, Selection, TemplateInputs, connect};
use serde_json::json;

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Capture;

impl Log for Capture {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &Record<'_>) {
        LINES.lock().unwrap().push(format!("{} {}", record.target(), record.args()));
    }
    fn flush(&self) {}
}

/// Text, `Debug` and all causes.
fn told(error: &Error) -> String {
    let mut text = format!("{error} {error:?} {error:#?}");
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text.push_str(&format!(" {cause} {cause:?}"));
        source = cause.source();
    }
    text
}

// One test, because the logger belongs to the process.
#[test]
fn no_value_is_logged_or_told_whatever_happens() {
    let cloud = DevCloud::start(Options::default()).unwrap();
    let secret = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "login"},
        "stringData": {"password": "${PASSWORD}"}});
    let config = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "config"},
        "data": {"url": "https://me:${PASSWORD}@example.com", "pin": "${{PIN}}"}});
    let template = json!({"apiVersion": "template.openshift.io/v1", "kind": "Template",
        "metadata": {"name": "job", "namespace": "default"}, "objects": [secret, config],
        "parameters": [{"name": "PASSWORD", "required": true}, {"name": "PIN", "required": true}]});
    cloud.kube().create(template);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kubeconfig");
    cloud.write_kubeconfig(&path).unwrap();

    log::set_logger(&Capture).unwrap();
    log::set_max_level(LevelFilter::Trace);

    let options = ConnectOptions { kubeconfig: Some(path), ..ConnectOptions::default() };
    let client = connect(&options).unwrap();
    let inputs = |pin: &str| {
        TemplateInputs::new("job", "default").parameter("PASSWORD", "hunter2").parameter("PIN", pin)
    };
    let mut texts = vec![format!("{client:?} {options:?} {:?}", inputs("abc"))];
    let plan = client.plan(&inputs("abc")).unwrap();
    texts.push(format!("{plan:?} {plan:#?}"));
    let created = client.create(&inputs("abc")).unwrap();
    texts.push(format!("{created:?} {}", serde_json::to_string(&created).unwrap()));
    client.get(&inputs("abc")).unwrap();
    client.delete(Selection::references("default", &created)).unwrap();

    let mut failed = |error: Error| texts.push(told(&error));
    failed(client.process(&inputs("")).unwrap_err());
    failed(client.process(&inputs("abc").parameter("PASWORD", "hunter2")).unwrap_err());
    // A number where a text must be: the server quotes it.
    failed(client.create(&inputs("4711123")).unwrap_err());
    let message = "admission webhook \"x\" denied the request: hunter2 4711123";
    let status = json!({"kind": "Status", "status": "Failure", "message": message, "reason": message,
        "details": {"causes": [{"message": message, "reason": message, "field": "data.password"}]}, "code": 403});
    for method in ["POST", "PATCH", "DELETE"] {
        let action = Action::answer(403, status.clone());
        cloud.inject(Fault::new(Service::Kubernetes, "", action).method(method).times(1));
        let outcome = match method {
            "DELETE" => client.delete(&inputs("abc")).map(drop),
            _ => client.create(&inputs("abc")).map(drop),
        };
        failed(outcome.unwrap_err());
    }
    cloud.inject(Fault::new(Service::Kubernetes, "", Action::CutAfter).method("PATCH").times(1));
    failed(client.create(&inputs("abc")).unwrap_err());

    let lines = LINES.lock().unwrap();
    assert!(lines.iter().any(|line| line.contains("PATCH https://")), "requests are logged: {lines:?}");
    let text = format!("{}\n{}", lines.join("\n"), texts.join("\n"));
    for value in ["hunter2", "aHVudGVyMg", "4711123", cloud.kube().token()] {
        let line = text.lines().find(|line| line.contains(value));
        assert_eq!(line, None, "{value}");
    }
}
