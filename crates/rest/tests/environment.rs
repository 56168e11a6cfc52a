//! What the environment decides: the system's CA certificates, and proxies. Each case runs in a process of its
//! own: this test binary again, with variables set.

mod support;

use std::process::Command;

use rest::{Client, Options, Request, Retry};
use support::{Authority, Server, ok, options};

/// Set in the child; its value is the URL it asks for, if it asks a server of its parent.
const CHILD: &str = "REST_TEST_CHILD";

fn again(test: &str, env: &[(&str, &str)]) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .envs(env.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

/// An image without CA certificates.
const NO_ROOTS: [(&str, &str); 3] =
    [(CHILD, ""), ("SSL_CERT_FILE", "/nowhere/ca.pem"), ("SSL_CERT_DIR", "/nowhere")];

#[test]
fn http_needs_no_roots() {
    if std::env::var_os(CHILD).is_none() {
        return again("http_needs_no_roots", &NO_ROOTS);
    }
    let server = Server::http(&[ok("hello")]);
    let request = Request::get(server.url("http", "127.0.0.1"));
    let response = Client::new(options()).unwrap().send(&request, &Retry::never()).unwrap();
    assert_eq!(response.text(), "hello");
}

#[test]
fn https_says_that_there_are_no_roots() {
    if std::env::var_os(CHILD).is_none() {
        return again("https_says_that_there_are_no_roots", &NO_ROOTS);
    }
    let server = Server::https(&[], Authority::new("ours").server("localhost"));
    let request = Request::get(server.url("https", "localhost"));
    let error = Client::new(options()).unwrap().send(&request, &Retry::never()).unwrap_err();
    let expected = "this system has no CA certificates: install them, point SSL_CERT_FILE at a bundle, or \
                    configure the CA bundle of this server";
    assert!(error.to_string().ends_with(expected), "{error}");
}

#[test]
fn the_proxy_of_the_environment_is_used_except_for_no_proxy() {
    if let Ok(url) = std::env::var(CHILD) {
        let client = Client::new(Options::default()).unwrap();
        let response = client.send(&Request::get(url), &Retry::never()).unwrap();
        assert_eq!(response.status, 200);
        return;
    }
    let (proxy, direct) = (Server::http(&[ok("")]), Server::http(&[ok("")]));
    let proxy_url = format!("http://{}", proxy.address);
    for url in ["http://keystone.example/v3", &direct.url("http", "127.0.0.1")] {
        let env = [(CHILD, url), ("HTTP_PROXY", &proxy_url), ("NO_PROXY", "127.0.0.1,.internal")];
        again("the_proxy_of_the_environment_is_used_except_for_no_proxy", &env);
    }
    assert!(proxy.heads()[0].starts_with("GET http://keystone.example/v3 "), "{:?}", proxy.heads());
    assert!(direct.heads()[0].starts_with("GET /path "), "{:?}", direct.heads());
}
