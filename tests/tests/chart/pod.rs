//! The pod: what it may do, and what Kubernetes knows of its health.

use serde_json::{Value, json};

use crate::helm::{Rendered, example, render};
use crate::read;

fn containers(rendered: &Rendered) -> [&Value; 2] {
    let pod = rendered.pod();
    assert_eq!(pod["initContainers"].as_array().unwrap().len(), 1);
    assert_eq!(pod["containers"].as_array().unwrap().len(), 1);
    [&pod["initContainers"][0], &pod["containers"][0]]
}

/// What the "restricted" Pod Security Standard asks for, and a file system that cannot be written.
#[test]
#[ignore = "needs helm: make chart"]
fn the_pod_is_restricted() {
    for (name, user) in [("one-hook.yaml", json!(65532)), ("openshift.yaml", Value::Null)] {
        let rendered = render(&["-f", &example(name)]);
        let pod = &rendered.pod()["securityContext"];
        assert_eq!((&pod["runAsNonRoot"], &pod["runAsUser"]), (&json!(true), &user));
        assert_eq!(pod["seccompProfile"], json!({"type": "RuntimeDefault"}));
        for container in containers(&rendered) {
            let wanted = json!({
                "allowPrivilegeEscalation": false,
                "readOnlyRootFilesystem": true,
                "capabilities": {"drop": ["ALL"]},
            });
            assert_eq!(container["securityContext"], wanted);
        }
    }
}

/// All that shell-operator writes lies in a volume, and the folder of its temporary files has a parent, since it makes
/// no more than the last one.
#[test]
#[ignore = "needs helm: make chart"]
fn what_is_written_lies_in_a_volume_of_limited_size() {
    let rendered = render(&["-f", &example("one-hook.yaml")]);
    let env = rendered.env();
    for container in containers(&rendered) {
        let mounts = container["volumeMounts"].as_array().unwrap();
        let paths: Vec<&str> = mounts.iter().map(|mount| mount["mountPath"].as_str().unwrap()).collect();
        for file in [&env["SHELL_OPERATOR_TMP_DIR"], &env["DEBUG_UNIX_SOCKET"]] {
            let parent = file.rsplit_once('/').unwrap().0;
            assert!(paths.contains(&parent), "{file} is not directly in one of {paths:?}");
        }
        assert!(paths.contains(&env["HOME"].as_str()));
        for mount in mounts {
            let volumes = rendered.pod()["volumes"].as_array().unwrap();
            let volume = volumes.iter().find(|volume| volume["name"] == mount["name"]).expect("a volume");
            assert!(volume["emptyDir"]["sizeLimit"].is_string(), "{volume}");
        }
    }
}

/// The check sees what shell-operator will see.
#[test]
#[ignore = "needs helm: make chart"]
fn the_check_of_the_hooks_runs_as_shell_operator_does() {
    let rendered = render(&["-f", &example("all-hooks.yaml")]);
    let [check, operator] = containers(&rendered);
    for key in ["image", "imagePullPolicy", "env", "securityContext", "volumeMounts", "resources"] {
        assert!(!check[key].is_null(), "{key}");
        assert_eq!(check[key], operator[key], "{key}");
    }
    assert_eq!(check["name"], "verify-hooks");
    let command = check["command"].as_array().unwrap();
    assert_eq!(command[..2], ["/bin/sh", "-c"].map(Value::from));
    assert_eq!(command[2].as_str().unwrap().trim_end(), read("files/verify-hooks.sh").trim_end());
    assert_eq!(
        command[3..],
        ["verify-hooks", "/hooks/placeholder", "/hooks/router-flavors", "/hooks/template-workloads"]
            .map(Value::from)
    );
    assert_eq!(render(&[]).pod()["initContainers"], Value::Null, "nothing to check");
}

#[test]
#[ignore = "needs helm: make chart"]
fn probes() {
    let rendered = render(&["-f", &example("all-hooks.yaml")]);
    let [_, operator] = containers(&rendered);
    assert_eq!(operator["ports"], json!([{"name": "http", "containerPort": 9115}]));
    for probe in ["startupProbe", "livenessProbe"] {
        assert_eq!(operator[probe]["httpGet"], json!({"path": "/", "port": "http"}), "{probe}");
    }
    // The placeholder has no binding to Kubernetes that could be watching.
    let ready = operator["readinessProbe"]["exec"]["command"].as_array().unwrap();
    assert_eq!(ready[2].as_str().unwrap().trim_end(), read("files/ready.sh").trim_end());
    assert_eq!(ready[3..], ["ready", "/hooks/router-flavors", "/hooks/template-workloads"].map(Value::from));
}

#[test]
#[ignore = "needs helm: make chart"]
fn never_two_at_once() {
    let rendered = render(&[]);
    let spec = &rendered.one("Deployment")["spec"];
    assert_eq!((&spec["replicas"], &spec["strategy"]), (&json!(1), &json!({"type": "Recreate"})));
    // Argo CD could not change the strategy of the chart before by a server-side apply.
    let annotations = &rendered.one("Deployment")["metadata"]["annotations"];
    assert_eq!(annotations["argocd.argoproj.io/sync-options"], "Replace=true");
    // shell-operator waits 30 seconds for running hooks.
    assert!(rendered.pod()["terminationGracePeriodSeconds"].as_u64().unwrap() > 30);
}

#[test]
#[ignore = "needs helm: make chart"]
fn what_sites_set_arrives() {
    let set = [
        "podLabels.team=net",
        "podAnnotations.note=x",
        "nodeSelector.role=infra",
        "priorityClassName=high",
        "imagePullSecrets[0].name=registry",
        "tolerations[0].key=k",
        "tolerations[0].operator=Exists",
        "affinity.nodeAffinity.a=b",
        "resources.limits.memory=1Gi",
        "image.tag=v2",
    ];
    let rendered = render(&["--set", &set.join(",")]);
    let (template, pod) = (&rendered.one("Deployment")["spec"]["template"], rendered.pod());
    assert_eq!(template["metadata"]["labels"]["team"], "net");
    assert_eq!(template["metadata"]["annotations"]["note"], "x");
    assert_eq!(pod["nodeSelector"], json!({"role": "infra"}));
    assert_eq!(pod["priorityClassName"], "high");
    assert_eq!(pod["imagePullSecrets"], json!([{"name": "registry"}]));
    assert_eq!(pod["tolerations"], json!([{"key": "k", "operator": "Exists"}]));
    assert_eq!(pod["affinity"], json!({"nodeAffinity": {"a": "b"}}));
    assert_eq!(pod["containers"][0]["resources"]["limits"]["memory"], "1Gi");
    assert!(pod["containers"][0]["image"].as_str().unwrap().ends_with("/openstack-sync-operator:v2"));
    assert_eq!(pod["automountServiceAccountToken"], true);
    assert_eq!(rendered.one("ServiceAccount")["automountServiceAccountToken"], false);
    let named = render(&["--set", "fullnameOverride=sync"]);
    assert_eq!(named.one("Deployment")["metadata"]["name"], "sync");
}
