//! The client against a scripted http server.

mod support;

use std::time::Duration;

use rest::{Client, Error, Options, Proxy, RETRY_BUDGET, Request, Retry};
use serde_json::json;
use support::{Act, Server, TestClock, closed_port, ok, options, reply};

fn client() -> Client {
    Client::new(options()).unwrap()
}

fn get(server: &Server) -> Request {
    Request::get(server.url("http", "127.0.0.1"))
}

/// The error text without the port, which differs from run to run.
fn text(error: &Error, port: u16) -> String {
    error.to_string().replace(&port.to_string(), "PORT")
}

#[test]
fn requests_and_answers_go_through_unchanged() {
    let server = Server::http(&[reply("201 Created", "X-Subject-Token: t\r\n", "{\"a\": 1}")]);
    let request = Request::post(server.url("http", "127.0.0.1"))
        .query("name", "a b")
        .secret_header("X-Auth-Token", "hunter2")
        .json(&json!({"b": 2}));
    let response = client().send(&request, &Retry::never()).unwrap();
    assert_eq!((response.status, response.json().unwrap()), (201, json!({"a": 1})));
    assert_eq!(response.header("x-subject-token"), Some("t"));
    let head = server.heads().remove(0).to_ascii_lowercase();
    for line in [
        "post /path?name=a%20b http/1.1\r\n",
        "x-auth-token: hunter2\r\n",
        "content-type: application/json\r\n",
        "content-length: 7\r\n",
        concat!("user-agent: openstack-sync/", env!("CARGO_PKG_VERSION"), "\r\n"),
    ] {
        assert!(head.contains(line), "{line:?} is not in {head}");
    }
    assert!(!head.contains("accept-encoding"), "{head}");
}

#[test]
fn one_connection_serves_all_requests_to_a_host() {
    let server = Server::http(&[ok("1"), reply("404 Not Found", "", "2"), ok("3")]);
    let client = client();
    for body in ["1", "2", "3"] {
        assert_eq!(client.send(&get(&server), &Retry::never()).unwrap().text(), body);
    }
    assert_eq!(server.connections(), 1);
}

#[test]
fn a_redirect_is_an_answer() {
    let server = Server::http(&[reply("302 Found", "Location: /elsewhere\r\n", "")]);
    let response = client().send(&get(&server), &Retry::never()).unwrap();
    assert_eq!((response.status, response.header("Location")), (302, Some("/elsewhere")));
    assert_eq!(server.heads().len(), 1);
}

#[test]
fn a_body_over_the_limit_is_an_error_whether_announced_or_not() {
    let chunked = |chunk: &str| {
        let chunk = format!("{:x}\r\n{chunk}\r\n0\r\n\r\n", chunk.len());
        Act::Reply(format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{chunk}"))
    };
    let client = Client::new(Options { max_body: 4, ..options() }).unwrap();
    for act in [ok("12345"), chunked("12345")] {
        let server = Server::http(&[act]);
        let error = client.send(&get(&server), &Retry::never()).unwrap_err();
        assert!(matches!(error, Error::TooLarge { limit: 4, .. }), "{error:?}");
        let expected = "the answer of http://127.0.0.1:PORT has more than 4 bytes";
        assert_eq!(text(&error, server.address.port()), expected);
    }
    for act in [ok("1234"), chunked("1234")] {
        let server = Server::http(&[act]);
        assert_eq!(client.send(&get(&server), &Retry::never()).unwrap().text(), "1234");
    }
}

#[test]
fn a_cut_connection_is_broken_and_may_have_been_processed() {
    for (act, problem) in [
        (Act::Cut, "connection closed before message completed"),
        (
            Act::ReplyAndClose("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".to_owned()),
            "end of file before message length reached",
        ),
    ] {
        let server = Server::http(&[act]);
        let error = client().send(&get(&server), &Retry::never()).unwrap_err();
        assert!(matches!(error, Error::Broken { .. }), "{error:?}");
        assert!(error.is_transport() && !error.is_connect() && !error.is_timeout());
        let expected = format!("the connection to http://127.0.0.1:PORT broke: {problem}");
        assert_eq!(text(&error, server.address.port()), expected);
    }
}

#[test]
fn a_refused_connection_was_surely_not_used() {
    let port = closed_port();
    let request = Request::get(format!("http://me:hunter2@127.0.0.1:{port}/"));
    let error = client().send(&request, &Retry::never()).unwrap_err();
    assert!(error.is_connect() && error.is_transport() && !error.is_timeout(), "{error:?}");
    assert_eq!(text(&error, port), "cannot connect to http://127.0.0.1:PORT: connection refused");
    assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
}

#[test]
fn silence_is_a_timeout() {
    let server = Server::http(&[Act::Stall]);
    let client = Client::new(Options { timeout: Duration::from_millis(50), ..options() }).unwrap();
    let error = client.send(&get(&server), &Retry::never()).unwrap_err();
    assert!(error.is_timeout() && error.is_transport() && !error.is_connect(), "{error:?}");
}

#[test]
fn another_limit_goes_over_the_same_connection() {
    let server = Server::http(&[ok("one"), Act::Stall]);
    let client = Client::new(options()).unwrap();
    client.send(&get(&server), &Retry::never()).unwrap();
    let error =
        client.with_timeout(Duration::from_millis(50)).send(&get(&server), &Retry::never()).unwrap_err();
    assert!(error.to_string().ends_with(" did not answer within 1 s"), "{error}");
    assert_eq!(server.connections(), 1);
}

#[test]
fn silence_in_the_middle_of_a_body_is_a_timeout() {
    let half = Act::Reply("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".to_owned());
    let server = Server::http(&[half]);
    let client = Client::new(Options { timeout: Duration::from_millis(200), ..options() }).unwrap();
    let error = client.send(&get(&server), &Retry::never()).unwrap_err();
    assert!(error.is_timeout() && !error.is_connect(), "{error:?}");
}

#[test]
fn a_get_is_repeated_until_it_succeeds() {
    let busy = reply("503 Service Unavailable", "Retry-After: 3\r\n", "");
    let server = Server::http(&[busy, Act::Cut, ok("done")]);
    let clock = TestClock::new();
    let retry = Retry::new(RETRY_BUDGET, &[503]).with_clock(clock.clone());
    assert_eq!(client().send(&get(&server), &retry).unwrap().text(), "done");
    assert_eq!(clock.pauses(), [3.0, 1.0]);
    assert_eq!(server.heads().len(), 3);
}

#[test]
fn the_last_answer_comes_back_when_the_budget_is_used_up() {
    let busy = || reply("503 Service Unavailable", "", "busy");
    let server = Server::http(&std::array::from_fn::<_, 9, _>(|_| busy()));
    let clock = TestClock::new();
    let retry = Retry::new(RETRY_BUDGET, &[503]).with_clock(clock.clone());
    assert_eq!(client().send(&get(&server), &retry).unwrap().status, 503);
    assert_eq!(clock.pauses(), [0.5, 1.0, 2.0, 4.0, 4.0, 4.0, 4.0]);
    assert_eq!(server.heads().len(), 8);
}

#[test]
fn a_post_is_repeated_only_if_nothing_was_sent() {
    let server = Server::http(&[Act::Cut]);
    let clock = TestClock::new();
    let retry = Retry::unsent(RETRY_BUDGET).with_clock(clock.clone());
    let request = Request::post(server.url("http", "127.0.0.1"));
    assert!(!client().send(&request, &retry).unwrap_err().is_connect());
    assert_eq!((server.heads().len(), clock.pauses().len()), (1, 0));

    let request = Request::post(format!("http://127.0.0.1:{}/", closed_port()));
    assert!(client().send(&request, &retry).unwrap_err().is_connect());
    assert_eq!(clock.pauses().len(), 7);
}

#[test]
fn what_cannot_be_sent_is_said_before_anything_is_sent() {
    for (request, expected) in [
        (Request::get("/v3"), "cannot use the URL \"/v3\": relative URL without a base"),
        (
            Request::get("ftp://me:hunter2@h/"),
            "cannot use the URL \"ftp://h/\": \"ftp\" is neither http nor https",
        ),
        (
            Request::get("http://127.0.0.1:1/").secret_header("X-Auth-Token", "hunter2\n"),
            "cannot send the header \"X-Auth-Token\": name or value has characters that a header cannot carry",
        ),
    ] {
        let error = client().send(&request, &Retry::new(RETRY_BUDGET, &[])).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(!error.is_transport() && !error.is_connect());
    }
}

#[test]
fn a_proxy_gets_the_whole_url_and_its_login() {
    let proxy = Server::http(&[ok("through")]);
    let url = format!("http://me:hunter2@127.0.0.1:{}", proxy.address.port());
    let client = Client::new(Options { proxy: Proxy::Url(url), ..Options::default() }).unwrap();
    let request = Request::get("http://keystone.example/v3");
    assert_eq!(client.send(&request, &Retry::never()).unwrap().text(), "through");
    let head = proxy.heads().remove(0);
    assert!(head.starts_with("GET http://keystone.example/v3 HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("proxy-authorization: Basic bWU6aHVudGVyMg==\r\n"), "{head}");
}

#[test]
fn a_proxy_that_refuses_a_tunnel_is_no_connection() {
    let proxy = Server::http(&[reply("503 Service Unavailable", "", "")]);
    let url = format!("http://127.0.0.1:{}", proxy.address.port());
    let client = Client::new(Options { proxy: Proxy::Url(url), ..Options::default() }).unwrap();
    let error = client.send(&Request::get("https://keystone.example/v3"), &Retry::never()).unwrap_err();
    assert!(error.is_connect(), "{error:?}");
    assert_eq!(error.to_string(), "cannot connect to https://keystone.example: tunnel error: unsuccessful");
    assert!(proxy.heads()[0].starts_with("CONNECT keystone.example:443 HTTP/1.1"));
}

#[test]
fn a_proxy_that_cannot_be_used_is_named_without_its_password() {
    let proxy = Proxy::Url("socks5://me:hunter2@proxy:1080".to_owned());
    let error = Client::new(Options { proxy, ..Options::default() }).unwrap_err();
    let expected = "cannot use the proxy: \"socks5://proxy:1080\" is neither an http:// nor an https:// URL";
    assert_eq!(error.to_string(), expected);
}
