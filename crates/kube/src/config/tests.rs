//! Where a configuration comes from, and how kubeconfig files are merged.

mod exec;
mod source;

use std::fs;

use rest::{Proxy, Roots};

use super::*;

/// Files in a scratch directory, and an environment.
struct Case {
    directory: tempfile::TempDir,
    env: Vec<(&'static str, String)>,
}

impl Case {
    fn new() -> Case {
        Case { directory: tempfile::tempdir().unwrap(), env: Vec::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn file(self, name: &str, content: &str) -> Case {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    fn env(mut self, name: &'static str, value: &str) -> Case {
        self.env.push((name, value.to_owned()));
        self
    }

    /// `KUBECONFIG` with these files.
    fn kubeconfig(self, names: &[&str]) -> Case {
        let paths: Vec<_> = names.iter().map(|name| self.path(name)).collect();
        let list = std::env::join_paths(paths).unwrap();
        self.env("KUBECONFIG", list.to_str().unwrap())
    }

    fn config(&self) -> Result<Config, Error> {
        let env =
            |name: &str| self.env.iter().find(|(other, _)| *other == name).map(|(_, value)| value.clone());
        Config::from_env_and(&env, &self.path("serviceaccount"))
    }

    /// The error text, with the scratch directory as `DIR`.
    fn error(&self) -> String {
        let directory = self.directory.path().to_str().unwrap();
        self.config().unwrap_err().to_string().replace(directory, "DIR")
    }
}

/// One kubeconfig with a cluster, a user and a context of the same name.
fn kubeconfig(cluster: &str, user: &str) -> Case {
    let text = format!(
        "current-context: c\nclusters: [{{name: c, cluster: {{server: 'https://k:6443', {cluster}}}}}]\n\
         users: [{{name: u, user: {{{user}}}}}]\ncontexts: [{{name: c, context: {{cluster: c, user: u}}}}]\n"
    );
    Case::new().file("config", &text).kubeconfig(&["config"])
}

fn in_pod() -> Case {
    Case::new()
        .file("serviceaccount/token", "t0ken\n")
        .file("serviceaccount/ca.crt", "PEM")
        .file("serviceaccount/namespace", "openstack\n")
        .env("KUBERNETES_SERVICE_HOST", "10.96.0.1")
        .env("KUBERNETES_SERVICE_PORT", "443")
}

#[test]
fn a_pod_uses_its_service_account() {
    let case = in_pod();
    let config = case.config().unwrap();
    assert_eq!(config.server, "https://10.96.0.1:443");
    assert_eq!(config.namespace, "openstack");
    assert_eq!(config.auth, Auth::TokenFile(case.path("serviceaccount/token")));
    assert_eq!(config.options.roots, Roots::Only(b"PEM".to_vec()));
    assert_eq!(read_token(&case.path("serviceaccount/token")).unwrap().expose(), "t0ken");
}

#[test]
fn a_pods_server_address() {
    for (host, port, server) in [
        ("fd00::1", Some("6443"), "https://[fd00::1]:6443"),
        ("[fd00::1]", Some("6443"), "https://[fd00::1]:6443"),
        ("kubernetes.default.svc", None, "https://kubernetes.default.svc:443"),
    ] {
        let mut case = Case::new().file("serviceaccount/token", "t").env("KUBERNETES_SERVICE_HOST", host);
        if let Some(port) = port {
            case = case.env("KUBERNETES_SERVICE_PORT", port);
        }
        let config = case.config().unwrap();
        assert_eq!(config.server, server);
        assert_eq!((config.namespace.as_str(), config.options.roots), ("default", Roots::System));
    }
}

#[test]
fn a_pod_without_a_token_and_a_token_outside_of_a_pod_mean_the_kubeconfig() {
    let no_token = kubeconfig("", "token: k").env("KUBERNETES_SERVICE_HOST", "10.96.0.1");
    assert_eq!(no_token.config().unwrap().server, "https://k:6443");
    let no_host = kubeconfig("", "token: k").file("serviceaccount/token", "t");
    assert_eq!(no_host.config().unwrap().server, "https://k:6443");
}

#[test]
fn the_first_file_wins_for_each_name_and_missing_files_are_passed_over() {
    let one = "clusters: [{name: a, cluster: {server: 'https://one'}}]\n\
               contexts: [{name: x, context: {cluster: b}}]\n";
    let two = "current-context: x\n\
               clusters: [{name: a, cluster: {server: 'https://two'}}, {name: b, cluster: {server: 'https://b'}}]\n\
               contexts: [{name: x, context: {cluster: a}}]\n";
    let three = "current-context: y\ncontexts: [{name: y, context: {cluster: a, namespace: m1}}]\n";
    let case = || Case::new().file("one", one).file("two", two).file("three", three);
    for (files, server, namespace) in [
        (&["one", "missing", "two", "three"][..], "https://b", "default"),
        (&["two", "one"], "https://two", "default"),
        (&["three", "one", "two"], "https://one", "m1"),
        (&["three", "two", "one"], "https://two", "m1"),
    ] {
        let config = case().kubeconfig(files).config().unwrap();
        assert_eq!((config.server.as_str(), config.namespace.as_str()), (server, namespace), "{files:?}");
        assert_eq!(config.auth, Auth::None, "a context need not name a user");
    }
}

#[test]
fn without_kubeconfig_it_is_the_one_in_the_home_directory() {
    let text = "current-context: c\nclusters: [{name: c, cluster: {server: 'http://127.0.0.1:8001'}}]\n\
                contexts: [{name: c, context: {cluster: c, user: ''}}]\n";
    let case = Case::new().file(".kube/config", text).env("KUBECONFIG", "");
    let home = case.directory.path().to_str().unwrap().to_owned();
    let config = case.env("HOME", &home).config().unwrap();
    assert_eq!((config.server.as_str(), config.auth), ("http://127.0.0.1:8001", Auth::None));
}

#[test]
fn paths_are_relative_to_the_file_that_names_them() {
    let text = "current-context: c\n\
        clusters: [{name: c, cluster: {server: 'https://k', certificate-authority: pki/ca.pem}}]\n\
        users: [{name: u, user: {tokenFile: token, client-certificate: pki/crt, client-key: pki/key}}]\n\
        contexts: [{name: c, context: {cluster: c, user: u}}]\n";
    let case = Case::new()
        .file("sub/config", text)
        .file("sub/pki/ca.pem", "CA")
        .file("sub/pki/crt", "CRT")
        .file("sub/pki/key", "KEY")
        .kubeconfig(&["sub/config"]);
    let config = case.config().unwrap();
    assert_eq!(config.options.roots, Roots::Only(b"CA".to_vec()));
    assert_eq!(config.options.identity.unwrap().expose(), "CRT\nKEY");
    assert_eq!(config.auth, Auth::TokenFile(case.path("sub/token")));
}

#[test]
fn data_wins_over_files() {
    let case = kubeconfig(
        "certificate-authority: /nowhere, certificate-authority-data: Q0E=",
        "client-certificate: /nowhere, client-certificate-data: Q1JU, client-key-data: S0VZ",
    );
    let config = case.config().unwrap();
    assert_eq!(config.options.roots, Roots::Only(b"CA".to_vec()));
    assert_eq!(config.options.identity.unwrap().expose(), "CRT\nKEY");
}

#[test]
fn what_a_user_entry_becomes() {
    let basic = |password: &str| Auth::Basic { username: "me".into(), password: Secret::new(password) };
    for (user, auth) in [
        ("", Auth::None),
        ("token: t", Auth::Token(Secret::new("t"))),
        ("token: t, tokenFile: f, username: me", Auth::Token(Secret::new("t"))),
        ("token: '', tokenFile: /f, username: me", Auth::TokenFile("/f".into())),
        ("username: me, password: p", basic("p")),
        ("username: me", basic("")),
        ("exec: null, token: t", Auth::Token(Secret::new("t"))),
    ] {
        assert_eq!(kubeconfig("", user).config().unwrap().auth, auth, "{user}");
    }
}

#[test]
fn what_a_cluster_entry_becomes() {
    let options = |cluster| kubeconfig(cluster, "").config().unwrap().options;
    assert_eq!(options("").roots, Roots::System);
    assert_eq!(options("").proxy, Proxy::Environment);
    assert!(!options("").insecure);
    assert!(options("insecure-skip-tls-verify: true").insecure);
    assert_eq!(options("tls-server-name: kubernetes").tls_server_name.as_deref(), Some("kubernetes"));
    assert_eq!(options("proxy-url: 'http://p:1'").proxy, Proxy::Url("http://p:1".to_owned()));
}

#[test]
fn what_is_not_supported_names_the_user_and_the_way_out() {
    let supported = "give it an exec plugin, token, tokenFile, client certificate, or username and password";
    for (user, problem) in [
        ("auth-provider: {name: gcp}", format!("auth-provider is not supported: {supported}")),
        ("as: admin, token: t", "impersonation (as) is not supported".to_owned()),
        ("token: 12345", "token is not a string: put it in quotes".to_owned()),
        ("password: hunter2", "it has a password and no username".to_owned()),
        ("client-certificate-data: Q1JU", "it has a client-certificate and no client-key".to_owned()),
        ("client-key-data: '%hunter2'", "client-key-data is not base64".to_owned()),
    ] {
        assert_eq!(kubeconfig("", user).error(), format!("DIR/config: user \"u\": {problem}"));
    }
}

#[test]
fn other_errors_name_file_and_entry() {
    let contexts = "contexts: [{name: a, context: {}}, {name: b, context: {cluster: z}}]\n";
    let case = |text: &str| Case::new().file("config", text).kubeconfig(&["config"]);
    let server = |url: &str| {
        let cluster = format!("clusters: [{{name: c, cluster: {{server: '{url}'}}}}]");
        case(&format!("current-context: c\n{cluster}\ncontexts: [{{name: c, context: {{cluster: c}}}}]\n"))
    };
    for (case, expected) in [
        (
            Case::new().kubeconfig(&["one", "two"]),
            "kubeconfig: there is no DIR/one, nor DIR/two: set KUBECONFIG, or run in a pod",
        ),
        (
            Case::new(),
            "kubeconfig: neither KUBECONFIG nor HOME is set, and this is not a pod with a service account token",
        ),
        (case(""), "DIR/config: current-context is not set; contexts: none"),
        (case(contexts), "DIR/config: current-context is not set; contexts: \"a\", \"b\""),
        (
            case(&format!("current-context: c\n{contexts}")),
            "DIR/config: current-context is \"c\", which is not among the contexts: \"a\", \"b\"",
        ),
        (case(&format!("current-context: a\n{contexts}")), "DIR/config: context \"a\": it names no cluster"),
        (
            case(&format!("current-context: b\n{contexts}")),
            "DIR/config: context \"b\": it names the cluster \"z\", which is not among the clusters: none",
        ),
        (case("- hunter2"), "DIR/config: this is not a kubeconfig: a mapping is expected"),
        (case("clusters: hunter2"), "DIR/config: clusters is not a list"),
        (case("users: [{user: {token: hunter2}}]"), "DIR/config: a user has no name"),
        (
            case("a: 1\na: hunter2\n"),
            "DIR/config: not valid YAML: a key occurs twice in one mapping (line 1, column 1)",
        ),
        (
            kubeconfig("insecure-skip-tls-verify: 'yes'", ""),
            "DIR/config: cluster \"c\": insecure-skip-tls-verify is neither true nor false",
        ),
        (
            kubeconfig("insecure-skip-tls-verify: true, certificate-authority-data: Q0E=", ""),
            "DIR/config: cluster \"c\": it has both insecure-skip-tls-verify and a certificate-authority: \
             remove one",
        ),
        (
            server("10.0.0.1:6443"),
            "DIR/config: cluster \"c\": server is no URL: it must begin with https:// or http://",
        ),
        (
            server("ftp://k"),
            "DIR/config: cluster \"c\": server is no URL: it must begin with https:// or http://",
        ),
        (
            server("https://k/?x=hunter2"),
            "DIR/config: cluster \"c\": server has a query or a fragment: only a path may follow the host",
        ),
        (
            kubeconfig("certificate-authority: ca.pem", ""),
            "cannot read DIR/ca.pem (DIR/config: cluster \"c\": certificate-authority): entity not found",
        ),
    ] {
        assert_eq!(case.error(), expected);
    }
}

#[test]
fn a_token_file_must_hold_a_token() {
    let case = Case::new().file("token", " \n");
    let path = case.path("token");
    let expected = format!("{}: the file holds no token: is it mounted?", path.display());
    assert_eq!(read_token(&path).unwrap_err().to_string(), expected);
    let text = read_token(&case.path("missing")).unwrap_err().to_string();
    assert!(text.ends_with("(bearer token): entity not found"), "{text}");
}

/// As an editor of Windows writes it.
#[test]
fn a_byte_order_mark_and_carriage_returns_do_no_harm() {
    let text = "current-context: c\r\nclusters: [{name: c, cluster: {server: 'https://k'}}]\r\n\
                contexts: [{name: c, context: {cluster: c}}]\r\n";
    let case = Case::new().file("config", &format!("\u{feff}{text}")).kubeconfig(&["config"]);
    assert_eq!(case.config().unwrap().server, "https://k");
}

#[test]
fn debug_shows_no_login_of_the_server() {
    let text = "current-context: c\nclusters: [{name: c, cluster: {server: 'https://me:hunter2@k:6443/x'}}]\n\
                contexts: [{name: c, context: {cluster: c}}]\n";
    let config = Case::new().file("config", text).kubeconfig(&["config"]).config().unwrap();
    let text = format!("{config:?}");
    assert!(!text.contains("hunter2") && text.contains("https://k:6443/x"), "{text}");
    let text = format!("{:?}", crate::Client::new(config).unwrap());
    assert!(!text.contains("hunter2") && text.contains("https://k:6443/x"), "{text}");
}

#[test]
fn debug_shows_no_credentials() {
    let case = kubeconfig("", "token: hunter2, client-certificate-data: Q1JU, client-key-data: S0VZ");
    let text = format!("{:?}", case.config().unwrap());
    assert!(!text.contains("hunter2") && !text.contains("KEY"), "{text}");
    let basic = kubeconfig("", "username: me, password: hunter2").config().unwrap();
    assert!(!format!("{basic:?}").contains("hunter2"));
}
