//! The `exec` part of a user entry.

use serde_json::json;

use super::*;

const V1: &str = "apiVersion: client.authentication.k8s.io/v1";

fn exec(cluster: &str, fields: &str) -> Exec {
    let user = format!("exec: {{{fields}}}");
    match kubeconfig(cluster, &user).config().unwrap().auth {
        Auth::Exec(exec) => *exec,
        other => panic!("{other:?}"),
    }
}

#[test]
fn all_fields() {
    let fields = "apiVersion: client.authentication.k8s.io/v1beta1, command: aws, args: [eks, get-token], \
                  env: [{name: AWS_PROFILE, value: p}, {name: EMPTY}], installHint: get it, \
                  interactiveMode: IfAvailable, provideClusterInfo: true";
    let cluster = "extensions: [{name: other, extension: 1}, \
                   {name: client.authentication.k8s.io/exec, extension: {audience: a}}]";
    let exec = exec(cluster, fields);
    assert!(exec.at.ends_with("/config: user \"u\": exec"), "{}", exec.at);
    assert_eq!(exec.command, PathBuf::from("aws"));
    assert_eq!(exec.args, ["eks", "get-token"].map(Secret::new));
    let env = [("AWS_PROFILE", "p"), ("EMPTY", "")];
    assert_eq!(exec.env, env.map(|(name, value)| (name.to_owned(), Secret::new(value))));
    assert_eq!(exec.api_version, "client.authentication.k8s.io/v1beta1");
    assert_eq!(exec.install_hint.as_deref(), Some("get it"));
    assert_eq!(exec.cluster_config, Some(json!({"audience": "a"})));
}

#[test]
fn only_version_and_command_are_needed() {
    let exec = exec("", &format!("{V1}, command: aws, args: null, env: null, interactiveMode: Never"));
    assert_eq!((exec.args.len(), exec.env.len(), exec.cluster_config), (0, 0, None));
}

#[test]
fn a_path_is_seen_from_the_kubeconfig_and_a_bare_name_is_not() {
    let case = kubeconfig("", &format!("exec: {{{V1}, command: bin/login}}"));
    let Auth::Exec(exec) = case.config().unwrap().auth else { panic!() };
    assert_eq!(exec.command, case.path("bin/login"));
    assert_eq!(super::exec::exec("", &format!("{V1}, command: /bin/sh")).command, PathBuf::from("/bin/sh"));
}

#[test]
fn what_else_is_in_the_entry_wins() {
    let plugin = format!("exec: {{{V1}, command: aws}}");
    for user in ["token: t", "tokenFile: /f", "username: me"] {
        let auth = kubeconfig("", &format!("{user}, {plugin}")).config().unwrap().auth;
        assert!(!matches!(auth, Auth::Exec(_)), "{user}");
    }
    let certificate = "client-certificate-data: Q1JU, client-key-data: S0VZ";
    let config = kubeconfig("", &format!("{certificate}, {plugin}")).config().unwrap();
    assert!(matches!(config.auth, Auth::Exec(_)) && config.options.identity.is_some());
}

#[test]
fn what_cannot_be_used() {
    let versions = "it must be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1";
    let strings = "both strings: put them in quotes";
    for (fields, problem) in [
        ("command: aws", format!("apiVersion is \"\": {versions}")),
        (
            "command: aws, apiVersion: client.authentication.k8s.io/v1alpha1",
            format!("apiVersion is \"client.authentication.k8s.io/v1alpha1\": {versions}"),
        ),
        (V1, "it has no command".to_owned()),
        (
            &format!("{V1}, command: aws, interactiveMode: Always"),
            "interactiveMode is neither Never nor IfAvailable: plugins have no terminal here, give this user \
             another way to log in"
                .to_owned(),
        ),
        (&format!("{V1}, command: aws, args: hunter2"), "args is not a list".to_owned()),
        (
            &format!("{V1}, command: aws, args: [1]"),
            "args is not a list of strings: put them in quotes".to_owned(),
        ),
        (
            &format!("{V1}, command: aws, env: [{{name: A, value: 1}}]"),
            format!("env is not a list of name and value, {strings}"),
        ),
        (
            &format!("{V1}, command: aws, env: [{{value: hunter2}}]"),
            format!("env is not a list of name and value, {strings}"),
        ),
        (
            &format!("{V1}, command: aws, provideClusterInfo: 'yes'"),
            "provideClusterInfo is neither true nor false".to_owned(),
        ),
    ] {
        let text = kubeconfig("", &format!("exec: {{{fields}}}")).error();
        assert_eq!(text, format!("DIR/config: user \"u\": exec: {problem}"));
    }
}

#[test]
fn debug_shows_neither_arguments_nor_environment() {
    let exec = exec("", &format!("{V1}, command: aws, args: [hunter2], env: [{{name: A, value: hunter3}}]"));
    let text = format!("{exec:?}");
    assert!(text.contains("aws") && !text.contains("hunter"), "{text}");
}
