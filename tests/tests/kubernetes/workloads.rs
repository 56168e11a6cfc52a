//! TemplateWorkloads: the objects of Templates under a real control plane.

use std::collections::BTreeMap;

use openstack_sync_tests::kubernetes::{
    ByHand, Kind, TEMPLATE, TW, Workshop, eventually, is_finalized, play_workloads, verdict,
};
use openstack_sync_tests::repository;
use serde_json::{Value, json};

const LABEL: &str = "openstack-sync.understack.rackspace.net/owner";
/// What the Template of [`of_a_workload`] makes, in its order: every kind of the chart's example.
const KINDS: [(&str, Kind); 5] = [
    ("ConfigMap", Kind::CONFIG_MAP),
    ("Secret", Kind::SECRET),
    ("Deployment", Kind::DEPLOYMENT),
    ("Service", Kind::SERVICE),
    ("Job", Kind::JOB),
];

/// The object of this kind that the Template makes.
fn object(shop: &Workshop, kind: Kind) -> Option<Value> {
    shop.plane.get(kind, &shop.namespace, "hello")
}

fn there(shop: &Workshop, kind: Kind) -> Value {
    object(shop, kind).unwrap_or_else(|| panic!("no {} hello", kind.plural))
}

fn gone(shop: &Workshop, kinds: &[(&str, Kind)]) {
    for (name, kind) in kinds {
        assert_eq!(object(shop, *kind), None, "{name}");
    }
}

/// The manager that a CR applies as.
fn manager(uid: &Value) -> String {
    format!("template-workloads/{}", uid.as_str().expect("a uid"))
}

fn managers(object: &Value) -> Vec<String> {
    let fields = object["metadata"]["managedFields"].as_array().cloned().unwrap_or_default();
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    fields.iter().map(|entry| format!("{} {}", text(entry, "manager"), text(entry, "operation"))).collect()
}

fn versions(shop: &Workshop, kinds: &[(&'static str, Kind)]) -> BTreeMap<&'static str, Value> {
    let version = |object: Value| object["metadata"]["resourceVersion"].clone();
    let objects = kinds.iter().map(|(name, kind)| (*name, version(there(shop, *kind))));
    objects.chain([("CR", version(shop.get().expect("the CR")))]).collect()
}

/// A Service and a Job after the objects of the sample.
fn with_more(template: &mut Value) {
    let metadata = json!({"name": "${NAME}"});
    let container = json!({"name": "hello", "image": "${IMAGE}"});
    let pod = json!({"spec": {"restartPolicy": "Never", "containers": [container]}});
    let objects = template["objects"].as_array_mut().expect("objects");
    objects.push(json!({"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"ports": [{"port": 80}]}}));
    objects.push(
        json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": {"template": pod}}),
    );
}

/// What cannot be meant.
fn refused_by_the_schema(shop: &Workshop) {
    for (bad, field) in [
        (json!({"deletionPolicy": "Keep"}), "spec.deletionPolicy"),
        (json!({"templateRef": {"name": ""}}), "spec.templateRef.name"),
        (json!({"adopt": "yes"}), "spec.adopt"),
    ] {
        let (status, answer) = shop.plane.try_create(TW, &shop.cr(bad));
        assert_eq!(status, 422, "{answer}");
        assert!(answer["details"]["causes"].to_string().contains(field), "no {field}: {answer}");
    }
}

/// What people see of a CR that is in place.
fn columns(shop: &Workshop) {
    let table = shop.plane.kubectl(&["--namespace", &shop.namespace, "get", "tw"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["NAME", "TEMPLATE", "TARGET", "READY", "SYNCSTATUS", "MESSAGE", "AGE"]);
    // Of a target that is the CR's own namespace there is nothing to see.
    assert_eq!(rows[1][..4], ["hello", "hello", "True", "Synced"], "{table}");
}

/// Created, left alone, changed, made smaller, deleted. What others made stays.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn of_a_workload() {
    play_workloads("tw-life", |shop| {
        let data = json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"ask": "Jana"},
            "metadata": {"name": "hand-made", "namespace": shop.namespace}});
        let by_hand = shop.plane.create(Kind::CONFIG_MAP, &data);
        shop.store(with_more);
        shop.install();
        refused_by_the_schema(shop);
        let uid = shop.apply(json!({}))["metadata"]["uid"].clone();
        let cr = shop.synced();
        columns(shop);
        assert!(is_finalized(&cr), "{cr}");
        let wanted = KINDS.map(|(name, kind)| {
            let object = there(shop, kind);
            assert_eq!(object["metadata"]["labels"], json!({LABEL: uid, "app": "hello"}), "{name}");
            assert_eq!(managers(&object), [format!("{} Apply", manager(&uid))], "{name}");
            let version = kind.api.trim_start_matches("/apis/").trim_start_matches("/api/");
            let namespace = &shop.namespace;
            json!({"apiVersion": version, "kind": name, "namespace": namespace, "name": "hello",
                "uid": object["metadata"]["uid"]})
        });
        assert_eq!(cr["status"]["objects"], json!(wanted));
        assert_eq!(there(shop, Kind::DEPLOYMENT)["spec"]["replicas"], 2);
        let given = shop.plane.get(Kind::SECRET, &shop.namespace, "hello-parameters").expect("the Secret");
        assert_eq!(there(shop, Kind::SECRET)["data"], given["data"]);

        let before = versions(shop, &KINDS);
        let runs = shop.after_a_full_run();
        assert!(runs.iter().all(|run| run.ok == Some(true)), "{runs:?}");
        assert_eq!(versions(shop, &KINDS), before, "nothing has changed");

        // What the hook relies on before it makes anything: a patch that changes nothing is held to its version, too.
        let cr = shop.get().expect("the CR");
        let same = |version: &Value| {
            let patch = json!({"metadata": {"resourceVersion": version}, "status": {"objects": cr["status"]["objects"]}});
            shop.plane.try_merge_status(TW, &shop.namespace, "hello", &patch)
        };
        assert_eq!(same(&json!("1")).0, 409);
        let (status, after) = same(&cr["metadata"]["resourceVersion"]);
        assert_eq!(
            (status, &after["metadata"]["resourceVersion"]),
            (200, &cr["metadata"]["resourceVersion"])
        );

        shop.apply(json!({"parameters": {"GREETING": "Good evening", "REPLICAS": 3}}));
        shop.synced();
        assert_eq!(there(shop, Kind::CONFIG_MAP)["data"]["greeting"], "Good evening");
        assert_eq!(there(shop, Kind::DEPLOYMENT)["spec"]["replicas"], 3);

        // Only a full run sees the Template.
        shop.store(|template| {
            with_more(template);
            template["objects"].as_array_mut().expect("objects").remove(0);
        });
        eventually(|| {
            match object(shop, Kind::CONFIG_MAP) {
                Some(_) => Err("the ConfigMap that left the Template is still there"),
                None => Ok(()),
            }
            .map_err(str::to_owned)
        });
        shop.after_a_full_run();
        assert_eq!(shop.synced()["status"]["objects"], json!(wanted[1..]));
        versions(shop, &KINDS[1..]);

        shop.plane.delete(TEMPLATE, &shop.namespace, "hello");
        shop.delete();
        shop.gone();
        gone(shop, &KINDS);
        assert_eq!(shop.plane.get(Kind::CONFIG_MAP, &shop.namespace, "hand-made"), Some(by_hand));
    });
}

/// An object of somebody else is refused, and nothing is written; then it is adopted. A field that kubectl owns is told,
/// and left to it. With deletionPolicy Orphan all stay, without our marks.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn objects_and_fields_of_others() {
    play_workloads("tw-others", |shop| {
        const MADE: [(&str, Kind); 3] = [KINDS[0], KINDS[1], KINDS[2]];
        let namespace = shop.namespace.clone();
        shop.plane.kubectl(&[
            "--namespace",
            &namespace,
            "create",
            "configmap",
            "hello",
            "--from-literal=ask=Jana",
        ]);
        let by_hand = there(shop, Kind::CONFIG_MAP);
        shop.install();
        let uid = shop.apply(json!({}))["metadata"]["uid"].clone();
        shop.failed("ForeignObject", &["v1 ConfigMap", "/hello exists and is not ours", "adopt"]);
        assert_eq!(there(shop, Kind::CONFIG_MAP), by_hand);
        gone(shop, &MADE[1..]);

        shop.apply(json!({"adopt": true}));
        shop.synced();
        let adopted = there(shop, Kind::CONFIG_MAP);
        assert_eq!(adopted["metadata"]["uid"], by_hand["metadata"]["uid"]);
        assert_eq!(adopted["metadata"]["labels"][LABEL], uid);
        assert_eq!(adopted["data"], json!({"ask": "Jana", "greeting": "Good morning"}));

        shop.plane.kubectl(&["--namespace", &namespace, "scale", "deployment", "hello", "--replicas", "5"]);
        shop.failed("FieldConflict", &["apps/v1 Deployment", "/hello: ", ".spec.replicas (kubectl"]);
        assert_eq!(there(shop, Kind::DEPLOYMENT)["spec"]["replicas"], 5);
        // That is agreed to.
        shop.apply(json!({"adopt": true, "parameters": {"REPLICAS": 5}}));
        shop.synced();

        shop.apply(json!({"adopt": true, "parameters": {"REPLICAS": 5}, "deletionPolicy": "Orphan"}));
        shop.synced();
        let before = MADE.map(|(_, kind)| there(shop, kind));
        shop.delete();
        shop.gone();
        for ((name, kind), before) in MADE.iter().zip(before) {
            let after = there(shop, *kind);
            let metadata = &after["metadata"];
            assert_eq!(metadata["uid"], before["metadata"]["uid"], "{name}");
            assert_eq!(metadata["labels"], json!({"app": "hello"}), "{name}");
            let left = managers(&after);
            assert!(!left.iter().any(|one| one.contains(&manager(&uid))), "{name}: {left:?}");
            for part in ["spec", "data"] {
                assert_eq!(after[part], before[part], "{part} of {name}");
            }
        }
        // They are anybody's now: without --force-conflicts, kubectl would name whoever still holds the field.
        let theirs = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "hello"},
            "data": {"password": "dGhlaXJz"}});
        shop.plane.kubectl_with_input(
            &["--namespace", &namespace, "apply", "--server-side", "--filename", "-"],
            &theirs.to_string(),
        );
        assert_eq!(there(shop, Kind::SECRET)["data"]["password"], "dGhlaXJz");
    });
}

/// Namespaces beside the CR's own only where the site lists them, with the Roles of the samples; and the target stays.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn namespaces_of_a_workload() {
    play_workloads("tw-boundary", |shop| {
        let [templates, batch] = ["templates", "batch"].map(|name| format!("{}-{name}", shop.namespace));
        for name in [&templates, &batch] {
            shop.make_namespace(name);
        }
        let sample = "components/openstack-sync-samples/template-workloads/rbac-other-namespaces.yaml";
        let roles = std::fs::read_to_string(repository(sample)).expect("the sample");
        let place = |text: String, (from, to): (&str, &str)| {
            text.replace(&format!("namespace: {from}\n"), &format!("namespace: {to}\n"))
        };
        let there = [("openshift", &*templates), ("batch", &batch), ("openstack", &shop.release.namespace)];
        let roles = there.into_iter().fold(roles, place);
        shop.plane.kubectl_with_input(&["create", "--filename", "-"], &roles);
        let mut template = shop.plane.get(TEMPLATE, &shop.namespace, "hello").expect("the Template");
        template["metadata"] = json!({"name": "hello", "namespace": templates});
        shop.plane.create(TEMPLATE, &template);
        shop.plane.delete(TEMPLATE, &shop.namespace, "hello");

        let spec = json!({"templateRef": {"namespace": templates}, "targetNamespace": batch});
        shop.install();
        shop.apply(spec);
        shop.failed("InvalidSpec", &["spec.targetNamespace", &batch, "TEMPLATE_WORKLOAD_NAMESPACES"]);
        for (name, kind) in KINDS {
            assert_eq!(shop.plane.get(kind, &batch, "hello"), None, "{name}");
        }
        let (mut moved, mut without) = (shop.get().expect("the CR"), shop.get().expect("the CR"));
        moved["spec"]["targetNamespace"] = json!("elsewhere");
        without["spec"].as_object_mut().expect("a spec").remove("targetNamespace");
        for changed in [moved, without] {
            let (status, answer) = shop.plane.try_replace(TW, &changed);
            assert_eq!(status, 422, "{answer}");
            assert!(answer["message"].to_string().contains("make a new TemplateWorkload"), "{answer}");
        }

        shop.set("NAMESPACES", json!(format!("{templates},{batch}")));
        assert!(shop.install(), "another pod");
        let cr = shop.synced();
        let made = cr["status"]["objects"].as_array().expect("objects");
        assert!(made.len() == 3 && made.iter().all(|one| one["namespace"] == *batch), "{made:?}");
        assert!(shop.plane.get(Kind::DEPLOYMENT, &batch, "hello").is_some());
        shop.delete();
        shop.gone();
        for (name, kind) in KINDS {
            assert_eq!(shop.plane.get(kind, &batch, "hello"), None, "{name}");
        }
    });
}

/// With PRUNE off nothing is deleted: the status says so beforehand, and no finalizer keeps the CR.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn nothing_goes_with_prune_off() {
    play_workloads("tw-prune-off", |shop| {
        shop.set("PRUNE", json!(false));
        shop.install();
        shop.apply(json!({}));
        let cr = shop.synced();
        let told = verdict(&cr);
        assert!(
            told.contains("its objects will stay when it is deleted: TEMPLATE_WORKLOAD_PRUNE is false"),
            "{told}"
        );
        assert!(!is_finalized(&cr), "{cr}");
        shop.store(|template| drop(template["objects"].as_array_mut().expect("objects").remove(0)));
        shop.after_a_full_run();
        let told = verdict(&shop.synced());
        assert!(told.contains("ConfigMap") && told.contains("left the template and stays"), "{told}");
        let before = [there(shop, Kind::CONFIG_MAP), there(shop, Kind::DEPLOYMENT)];
        shop.delete();
        assert_eq!(shop.get(), None);
        shop.after_a_full_run();
        assert_eq!([there(shop, Kind::CONFIG_MAP), there(shop, Kind::DEPLOYMENT)], before);
    });
}

/// A CR that was changed since it was listed, by hand, as for router-flavors: the write meets a conflict, the CR is read
/// anew, and the write is done.
#[test]
#[ignore = "needs a real control plane: make e2e-kubernetes"]
fn over_an_outdated_list() {
    play_workloads("tw-conflict", |shop| {
        shop.release.install(&shop.values);
        let listed = shop.apply(json!({}));
        let label = json!({"metadata": {"labels": {"changed": "since"}}});
        shop.plane.merge(TW, &shop.namespace, "hello", &label);
        let context = json!([{"binding": "periodic sync", "type": "Schedule",
            "snapshots": {"template-workloads": [{"object": listed}]}}]);
        ByHand::new(shop.plane, &shop.release, "template-workloads").run(&context, &[]).expect(0);
        let cr = shop.synced();
        assert_eq!(cr["metadata"]["labels"]["changed"], "since");
        assert_eq!(cr["status"]["objects"].as_array().map(Vec::len), Some(3));
    });
}
