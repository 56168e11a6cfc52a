//! Credential plugins, from the kubeconfig to the request.
#![cfg(unix)] // the plugins are shell scripts

mod support;

use std::fs;
use std::path::Path;

use kube::{Auth, Client, Config, Error, Resource, Source};
use rest::{Options, Proxy, Roots};
use serde_json::{Value, json};
use support::tls::{Authority, TlsServer};
use support::{Server, json as answer};

/// A kubeconfig with a plugin that prints the first of the prepared answers, then the second, and so on, and
/// the last of them for ever.
struct Plugin(tempfile::TempDir);

impl Plugin {
    fn new(answers: &[Value]) -> Plugin {
        let plugin = Plugin(tempfile::tempdir().unwrap());
        plugin.file("runs", "");
        for (index, status) in answers.iter().enumerate() {
            let object = json!({"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1",
                "status": status});
            plugin.file(&format!("answer{}", index + 1), &object.to_string());
        }
        let script = format!(
            "cd {:?} && echo run >> runs && n=$(wc -l < runs) && [ $n -le {count} ] || n={count}\n\
             echo $KUBERNETES_EXEC_INFO > info; echo hunter2 >&2; cat answer$((n))\n",
            plugin.0.path(),
            count = answers.len()
        );
        plugin.file("plugin.sh", &script);
        plugin
    }

    fn file(&self, name: &str, content: &str) {
        fs::write(self.0.path().join(name), content).unwrap();
    }

    fn runs(&self) -> usize {
        fs::read_to_string(self.0.path().join("runs")).unwrap().lines().count()
    }

    fn config(&self, server: &str) -> Config {
        let exec = json!({"apiVersion": "client.authentication.k8s.io/v1", "command": "/bin/sh",
            "args": [self.0.path().join("plugin.sh")], "interactiveMode": "IfAvailable",
            "provideClusterInfo": true});
        let kubeconfig = json!({
            "current-context": "c",
            "clusters": [{"name": "c", "cluster": {"server": server}}],
            "users": [{"name": "u", "user": {"exec": exec}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        });
        self.file("config", &kubeconfig.to_string());
        let path = self.0.path().join("config");
        let mut config = Config::load_from(&Source { kubeconfig: Some(path), ..Source::default() }).unwrap();
        config.options.proxy = Proxy::None;
        config
    }

    fn client(&self, server: &Server) -> Client {
        Client::new(self.config(&server.config(Auth::None).server)).unwrap()
    }
}

fn token(text: &str) -> Value {
    json!({"token": text})
}

fn get(client: &Client) -> Result<Value, Error> {
    client.get(&Resource::core("secrets"), Some("m1"), "s")
}

fn ok() -> support::Answer {
    answer(200, &json!({"kind": "Secret"}))
}

fn unauthorized() -> support::Answer {
    answer(401, &json!({"kind": "Status", "reason": "Unauthorized", "message": "Unauthorized"}))
}

fn tokens(server: &Server) -> Vec<String> {
    server.seen().iter().map(|seen| seen.header("authorization").unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_plugin_runs_at_the_first_request_and_once_for_all_clones() {
    let server = Server::new(vec![ok(), ok(), ok()]);
    let plugin = Plugin::new(&[token("one"), token("two")]);
    let client = plugin.client(&server);
    assert_eq!(plugin.runs(), 0);
    for client in [&client, &client.clone(), &client.with_timeout(Options::default().timeout * 2)] {
        get(client).unwrap();
    }
    assert_eq!((plugin.runs(), tokens(&server)), (1, vec!["bearer one".to_owned(); 3]));
}

#[test]
fn a_plugin_is_told_about_the_cluster() {
    let server = Server::new(vec![ok()]);
    let plugin = Plugin::new(&[token("one")]);
    get(&plugin.client(&server)).unwrap();
    let info = fs::read_to_string(plugin.0.path().join("info")).unwrap();
    let info: Value = serde_json::from_str(&info).unwrap();
    let expected = json!({"interactive": false, "cluster": {"server": server.config(Auth::None).server}});
    assert_eq!(info["spec"], expected);
}

#[test]
fn a_401_runs_the_plugin_once_more() {
    let server = Server::new(vec![ok(), unauthorized(), ok(), unauthorized(), unauthorized(), ok()]);
    let plugin = Plugin::new(&[token("one"), token("two"), token("three")]);
    let client = plugin.client(&server);
    get(&client).unwrap();
    get(&client).unwrap();
    assert_eq!(plugin.runs(), 2);
    assert!(get(&client).unwrap_err().is_unauthorized());
    assert_eq!(plugin.runs(), 3);
    get(&client).unwrap();
    let expected = ["one", "one", "two", "two", "three", "three"].map(|name| format!("bearer {name}"));
    assert_eq!((plugin.runs(), tokens(&server)), (3, expected.to_vec()));
}

#[test]
fn credentials_are_good_until_they_expire() {
    let server = Server::new(vec![ok(), ok(), ok()]);
    let until = |text: &str, time: &str| json!({"token": text, "expirationTimestamp": time});
    let answers =
        [until("one", "2020-01-01T00:00:00Z"), until("two", "9999-01-01T00:00:00Z"), token("three")];
    let plugin = Plugin::new(&answers);
    let client = plugin.client(&server);
    for _ in 0..3 {
        get(&client).unwrap();
    }
    assert_eq!(tokens(&server), ["bearer one", "bearer two", "bearer two"]);
    assert_eq!(plugin.runs(), 2);
}

#[test]
fn without_credentials_there_is_no_request() {
    let server = Server::new(Vec::new());
    let plugin = Plugin::new(&[json!({"hunter2": "hunter2"})]);
    let error = get(&plugin.client(&server)).unwrap_err();
    let at = format!("{}: user \"u\": exec: \"/bin/sh\"", plugin.0.path().join("config").display());
    assert_eq!(error.to_string(), format!("{at} answered with neither a token nor a client certificate"));
    assert!(!format!("{error:?}").contains("hunter2"));
    assert!(server.lines().is_empty());
}

#[test]
fn a_plugin_that_fails_after_a_401_is_the_error() {
    let server = Server::new(vec![ok(), unauthorized(), ok()]);
    let plugin = Plugin::new(&[token("one"), json!({}), token("three")]);
    let client = plugin.client(&server);
    get(&client).unwrap();
    assert!(matches!(get(&client), Err(Error::Plugin { source: None, .. })));
    // It is asked again the next time.
    get(&client).unwrap();
    assert_eq!(tokens(&server), ["bearer one", "bearer one", "bearer three"]);
}

/// With certificates the server has to be reached by TLS.
fn tls_client(plugin: &Plugin, server: &TlsServer, authority: &Authority) -> Client {
    let mut config = plugin.config(&server.url());
    config.options.roots = Roots::Only(authority.pem().into());
    Client::new(config).unwrap()
}

fn certificate(authority: &Authority, name: &str) -> (Value, Vec<u8>) {
    let (certificate, key) = authority.sign(name);
    let status = json!({"clientCertificateData": certificate.pem(), "clientKeyData": key.serialize_pem()});
    (status, certificate.der().to_vec())
}

#[test]
fn a_client_certificate_and_another_after_a_401() {
    let authority = Authority::new();
    let (one, first) = certificate(&authority, "one");
    let (mut two, second) = certificate(&authority, "two");
    two["token"] = "t".into();
    let server = TlsServer::new(&authority, vec![ok(), unauthorized(), ok(), ok()]);
    let plugin = Plugin::new(&[one, two]);
    let client = tls_client(&plugin, &server, &authority);
    for _ in 0..3 {
        get(&client).unwrap();
    }
    assert_eq!(plugin.runs(), 2);
    assert_eq!(server.certificates(), [Some(first), Some(second)], "one connection for each certificate");
    let authorizations: Vec<_> =
        server.seen().iter().map(|seen| seen.header("authorization").map(str::to_owned)).collect();
    let bearer = Some("bearer t".to_owned());
    assert_eq!(authorizations, [None, None, bearer.clone(), bearer]);
}

#[test]
fn a_certificate_that_cannot_be_used_is_an_error_without_its_text() {
    let server = Server::new(Vec::new());
    let plugin = Plugin::new(&[json!({"clientCertificateData": "hunter2", "clientKeyData": "hunter2"})]);
    let error = get(&plugin.client(&server)).unwrap_err();
    assert!(error.to_string().starts_with("cannot use the client certificate: "), "{error}");
    assert!(!error.to_string().contains("hunter2"));
}

#[test]
fn a_kubeconfig_is_only_read() {
    let server = Server::new(vec![ok()]);
    let plugin = Plugin::new(&[token("one")]);
    let client = plugin.client(&server);
    let path: &Path = &plugin.0.path().join("config");
    let before = (fs::read(path).unwrap(), fs::metadata(path).unwrap().modified().unwrap());
    get(&client).unwrap();
    assert_eq!((fs::read(path).unwrap(), fs::metadata(path).unwrap().modified().unwrap()), before);
}
