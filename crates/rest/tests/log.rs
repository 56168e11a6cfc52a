//! What is logged, down to the trace lines of the libraries below: no secret, and no retry in silence.

mod support;

use std::sync::Mutex;

use log::{LevelFilter, Log, Metadata, Record};
use rest::{Client, Options, Proxy, RETRY_BUDGET, Request, Retry, request_count};
use serde_json::json;
use support::{Server, TestClock, closed_port, ok, options, reply};

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Capture;

impl Log for Capture {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &Record<'_>) {
        LINES.lock().unwrap().push(record.args().to_string());
    }
    fn flush(&self) {}
}

// One test, because logger and request counter belong to the process.
#[test]
fn requests_are_logged_and_counted_and_secrets_are_not_logged() {
    log::set_logger(&Capture).unwrap();
    log::set_max_level(LevelFilter::Trace);

    let server = Server::http(&[reply("503 Service Unavailable", "", ""), ok("{\"id\": \"hunter2\"}")]);
    let request = Request::put(server.url("http", "me:hunter2@127.0.0.1"))
        .secret_header("X-Auth-Token", "hunter2")
        .json(&json!({"password": "hunter2"}));
    let retry = Retry::new(RETRY_BUDGET, &[503]).with_clock(TestClock::new());
    Client::new(options()).unwrap().send(&request, &retry).unwrap();
    assert_eq!(request_count(), 2);

    let refused = Request::get(format!("http://127.0.0.1:{}/", closed_port()));
    Client::new(options()).unwrap().send(&refused, &Retry::never()).unwrap_err();
    assert_eq!(request_count(), 2, "what is not sent does not count");

    let proxy = Server::http(&[ok("")]);
    let url = format!("http://me:hunter2@127.0.0.1:{}", proxy.address.port());
    let client = Client::new(Options { proxy: Proxy::Url(url), ..Options::default() }).unwrap();
    client.send(&Request::get("http://keystone.example/"), &Retry::never()).unwrap();

    let lines = LINES.lock().unwrap();
    let text = lines.join("\n");
    assert!(!text.contains("hunter2"), "{text}");
    assert!(!text.contains("bWU6aHVudGVyMg"), "{text}");
    let shown = server.url("http", "127.0.0.1");
    for line in [
        format!("PUT {shown}: 503 (0 bytes"),
        format!("PUT {shown}: attempt 2 in 0.5 s"),
        format!("PUT {shown}: 200 (17 bytes"),
    ] {
        assert!(lines.iter().any(|logged| logged.starts_with(&line)), "{line:?} is not in {text}");
    }
}
