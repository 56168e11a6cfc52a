//! What plugins are told, what they print, and how they end.

use super::*;

const V1: &str = "client.authentication.k8s.io/v1";

/// A plugin in the shell's language.
fn shell(script: &str) -> Exec {
    Exec {
        at: "config: user \"u\": exec".to_owned(),
        command: "/bin/sh".into(),
        args: vec![Secret::new("-c"), Secret::new(script)],
        env: vec![("ANSWER".to_owned(), Secret::new("42"))],
        api_version: V1.to_owned(),
        install_hint: Some("Install it:\n  get it".to_owned()),
        cluster_config: None,
    }
}

fn output(exec: &Exec, patience: Duration) -> Result<String, String> {
    let output = run::run(exec, "the info", patience).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(output).unwrap())
}

#[test]
fn a_plugin_gets_environment_info_and_no_input() {
    let script = "read line || echo no input; echo $ANSWER $KUBERNETES_EXEC_INFO; echo hunter2 >&2";
    assert_eq!(output(&shell(script), PATIENCE).unwrap(), "no input\n42 the info\n");
}

#[test]
fn a_plugin_that_fails() {
    let at = "config: user \"u\": exec: \"/bin/sh\"";
    for (script, problem) in [
        ("echo hunter2; echo hunter2 >&2; exit 3", "ended with exit status: 3: run it by hand to see why"),
        ("kill -9 $$", "ended with signal: 9 (SIGKILL): run it by hand to see why"),
        ("exec cat /dev/zero", "printed far more than credentials"),
    ] {
        assert_eq!(output(&shell(script), PATIENCE).unwrap_err(), format!("{at} {problem}"));
    }
}

#[test]
fn a_plugin_that_does_not_end_is_killed() {
    let problem = "config: user \"u\": exec: \"/bin/sh\" did not end within 0 s: run it by hand to see why";
    // The second has closed its output, the third has ended and left its output to another.
    for script in ["exec sleep 600", "exec >&-; exec sleep 600", "sleep 5 & exit"] {
        assert_eq!(output(&shell(script), Duration::from_millis(50)).unwrap_err(), problem);
    }
}

#[test]
fn a_plugin_that_is_not_there_comes_with_its_hint() {
    let exec = Exec { command: "/nowhere/aws".into(), ..shell("") };
    let expected = "config: user \"u\": exec: \"/nowhere/aws\" cannot be run: entity not found; Install it: \
                    get it";
    assert_eq!(output(&exec, PATIENCE).unwrap_err(), expected);
}

#[test]
fn the_info_has_the_cluster_only_if_asked_for() {
    let options = Options {
        roots: Roots::Only(b"CA".to_vec()),
        tls_server_name: Some("kubernetes".to_owned()),
        proxy: Proxy::Url("http://p:1".to_owned()),
        ..Options::default()
    };
    let info = |cluster_config, options: &Options| {
        Exec { cluster_config, ..shell("") }.info("https://k", options)["spec"].clone()
    };
    assert_eq!(info(None, &options), json!({"interactive": false}));
    let cluster = json!({
        "server": "https://k", "certificate-authority-data": "Q0E=", "tls-server-name": "kubernetes",
        "proxy-url": "http://p:1", "config": {"a": 1},
    });
    let expected = json!({"interactive": false, "cluster": cluster});
    assert_eq!(info(Some(json!({"a": 1})), &options), expected);
    let insecure = Options { insecure: true, ..Options::default() };
    let cluster = json!({"server": "https://k", "insecure-skip-tls-verify": true});
    assert_eq!(info(Some(Value::Null), &insecure)["cluster"], cluster);
    let whole = shell("").info("https://k", &options);
    assert_eq!((&whole["kind"], &whole["apiVersion"]), (&json!("ExecCredential"), &json!(V1)));
}

fn answer(status: &Value) -> Result<Answer, &'static str> {
    let object = json!({"kind": "ExecCredential", "apiVersion": V1, "status": status});
    Answer::read(object.to_string().as_bytes(), V1)
}

#[test]
fn answers() {
    let both = answer(&json!({
        "token": "t", "clientCertificateData": "CRT", "clientKeyData": "KEY",
        "expirationTimestamp": "1970-01-01T00:01:00Z",
    }));
    let expires = Some(std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(60));
    let (token, identity) = (Some(Secret::new("t")), Some(Secret::new("CRT\nKEY")));
    assert_eq!(both.unwrap(), Answer { token: token.clone(), identity, expires });
    let plain = answer(&json!({"token": "t", "clientKeyData": "", "expirationTimestamp": null}));
    assert_eq!(plain.unwrap(), Answer { token, identity: None, expires: None });
}

#[test]
fn answers_that_cannot_be_used() {
    for (status, problem) in [
        (json!(null), "answered with neither a token nor a client certificate"),
        (json!({"token": ""}), "answered with neither a token nor a client certificate"),
        (json!({"token": 5}), "answered with a status that has something else than strings in it"),
        (
            json!({"token": "t", "clientKeyData": "KEY"}),
            "answered with a client certificate or its key only: both are needed",
        ),
        (
            json!({"token": "t", "expirationTimestamp": "tomorrow"}),
            "answered with an expirationTimestamp that is not RFC 3339",
        ),
    ] {
        assert_eq!(answer(&status).unwrap_err(), problem);
    }
    let read = |text: &str| Answer::read(text.as_bytes(), V1).unwrap_err();
    assert_eq!(read("hunter2"), "did not print JSON: run it by hand to see what it says");
    assert_eq!(read(r#"{"kind": "Secret"}"#), "did not print an ExecCredential");
    let beta = r#"{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1beta1"}"#;
    let problem = "answered with another apiVersion than the kubeconfig's: change the apiVersion there";
    assert_eq!(read(beta), problem);
}
