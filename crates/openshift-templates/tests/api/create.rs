//! process and create against a scripted API server.

use crate::support::{Answer, Seen, cluster, object, ok, refusal};
use openshift_templates::{Error, Operation, Reference, TemplateInputs};
use serde_json::{Value, json};

fn inputs() -> TemplateInputs {
    TemplateInputs::new("web", "jobs")
        .template_namespace("openshift")
        .parameter("NAME", "web-1")
        .parameter("PASSWORD", "hunter2")
}

fn three() -> Value {
    let mut secret = object("v1", "Secret", "login");
    secret["stringData"] = json!({"password": "hunter2"});
    json!([secret, object("apps/v1", "Deployment", "web"), object("v1", "Service", "web")])
}

fn nothing_special(_: &Seen) -> Option<Answer> {
    None
}

#[test]
fn process_posts_a_copy_and_returns_what_the_server_renders() {
    let rendered = json!([object("v1", "ConfigMap", "a"), {"no": "check"}]);
    let server = cluster(rendered.clone(), nothing_special);
    let objects = server.client().process(&inputs().parameter("REPLICAS", 3)).unwrap();
    assert_eq!(json!(objects), rendered);
    let api = "/apis/template.openshift.io/v1/namespaces";
    let lines = [format!("GET {api}/openshift/templates/web"), format!("POST {api}/jobs/processedtemplates")];
    assert_eq!(server.lines(), lines);
    let posted = json!({
        "kind": "Template", "apiVersion": "template.openshift.io/v1",
        "metadata": {"name": "web", "namespace": "jobs"},
        "objects": ["${NAME}"],
        "parameters": [
            {"name": "NAME", "required": true, "value": "web-1"},
            {"name": "REPLICAS", "value": "3"},
            {"name": "PASSWORD", "value": "hunter2", "description": "d"},
        ],
    });
    assert_eq!(server.seen()[1].body, posted);
}

#[test]
fn the_template_is_looked_for_in_the_target_namespace_by_default() {
    let server = cluster(json!(null), nothing_special);
    let inputs = TemplateInputs { template_namespace: None, ..inputs() };
    assert_eq!(server.client().create(&inputs).unwrap(), []);
    let api = "/apis/template.openshift.io/v1/namespaces/jobs";
    assert_eq!(
        server.lines(),
        [format!("GET {api}/templates/web"), format!("POST {api}/processedtemplates")]
    );
}

/// The budget: 2 + one discovery for each group and version + one for each object, in this order.
#[test]
fn create_costs_two_and_the_kinds_and_the_objects() {
    let server = cluster(three(), nothing_special);
    let references = server.client().create(&inputs()).unwrap();
    let patch = |path: &str| format!("PATCH {path}?fieldManager=mini-scheduler");
    let lines = server.lines();
    assert_eq!(lines.len(), 2 + 2 + 3);
    assert_eq!(
        lines[2..],
        [
            "GET /api/v1".to_owned(),
            "GET /apis/apps/v1".to_owned(),
            patch("/api/v1/namespaces/jobs/secrets/login"),
            patch("/apis/apps/v1/namespaces/jobs/deployments/web"),
            patch("/api/v1/namespaces/jobs/services/web"),
        ]
    );
    let reference = |api_version: &str, kind: &str, name: &str| Reference {
        api_version: api_version.into(),
        kind: kind.into(),
        namespace: "jobs".into(),
        name: name.into(),
        uid: Some(format!("uid-{name}")),
    };
    let expected = [
        reference("v1", "Secret", "login"),
        reference("apps/v1", "Deployment", "web"),
        reference("v1", "Service", "web"),
    ];
    assert_eq!(references, expected);
}

#[test]
fn what_is_applied() {
    let mut exported = object("v1", "ConfigMap", "a");
    exported["metadata"]["uid"] = "00000000-0000-0000-0000-000000000000".into();
    exported["metadata"]["resourceVersion"] = "7".into();
    exported["metadata"]["namespace"] = "".into();
    let mut secret = object("v1", "Secret", "s");
    secret["data"] = json!({"password": "b2xk", "other": "eA=="});
    secret["stringData"] = json!({"password": "hunter2"});
    let server = cluster(json!([exported, secret]), nothing_special);
    server.client().create_as(&inputs(), "night/jobs").unwrap();
    let applied: Vec<_> = server.seen().split_off(3);
    for seen in &applied {
        assert_eq!(seen.content_type, "application/apply-patch+yaml");
        assert!(seen.line.ends_with("?fieldManager=night%2Fjobs"), "{}", seen.line);
    }
    let metadata = |name: &str| json!({"name": name, "namespace": "jobs"});
    assert_eq!(applied[0].body, json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata("a")}));
    let data = json!({"password": "aHVudGVyMg==", "other": "eA=="});
    let expected = json!({"apiVersion": "v1", "kind": "Secret", "metadata": metadata("s"), "data": data});
    assert_eq!(applied[1].body, expected);
}

#[test]
fn a_custom_kind_is_found_by_discovery() {
    let server = cluster(json!([object("kubevirt.io/v1", "VirtualMachine", "vm")]), nothing_special);
    server.client().create(&inputs()).unwrap();
    assert_eq!(
        server.writes(),
        ["PATCH /apis/kubevirt.io/v1/namespaces/jobs/virtualmachines/vm?fieldManager=mini-scheduler"]
    );
}

/// Discovery has two resources of kind Template, and the first cannot be read back (measured).
#[test]
fn a_template_in_a_template_is_stored_and_not_processed() {
    let rendered = json!([object("template.openshift.io/v1", "Template", "inner")]);
    let server = cluster(rendered, |seen| {
        (seen.line == "GET /apis/template.openshift.io/v1").then(|| {
            let entry = |name: &str, verbs: &[&str]| {
                json!({"name": name, "kind": "Template", "namespaced": true, "verbs": verbs})
            };
            let resources =
                [entry("processedtemplates", &["create"]), entry("templates", &["create", "get", "patch"])];
            ok(json!({"kind": "APIResourceList", "resources": resources}))
        })
    });
    server.client().create(&inputs()).unwrap();
    let path = "/apis/template.openshift.io/v1/namespaces/jobs/templates/inner";
    assert_eq!(server.writes(), [format!("PATCH {path}?fieldManager=mini-scheduler")]);
}

#[test]
fn bad_arguments_are_refused_before_any_request() {
    let server = cluster(three(), nothing_special);
    let client = server.client();
    for (inputs, argument) in [
        (TemplateInputs::new("web", ""), "namespace"),
        (TemplateInputs::new("web", "Jobs/.."), "namespace"),
        (TemplateInputs::new("web", "jobs").template_namespace(""), "template namespace"),
        (TemplateInputs::new("..", "jobs"), "template name"),
    ] {
        for error in [
            client.process(&inputs).map(drop).unwrap_err(),
            client.create(&inputs).map(drop).unwrap_err(),
            client.get(&inputs).map(drop).unwrap_err(),
            client.delete(&inputs).map(drop).unwrap_err(),
        ] {
            assert!(matches!(error, Error::Argument { argument: named, .. } if named == argument), "{error}");
        }
    }
    for manager in ["", &"m".repeat(129)] {
        let error = client.create_as(&inputs(), manager).unwrap_err();
        assert!(matches!(error, Error::Argument { argument: "field manager", .. }), "{error}");
    }
    assert_eq!(server.lines(), [""; 0]);
}

#[test]
fn parameters_that_do_not_fit_are_refused_before_anything_is_processed() {
    let server = cluster(three(), nothing_special);
    let client = server.client();
    let wrong = inputs().parameter("REPLICA", 3).parameter("REPLICAS", Value::Null);
    let generated = TemplateInputs::new("web", "jobs").parameter("NAME", "web-1");
    for (inputs, text) in [
        (
            &wrong,
            "parameters of template openshift/web: \"REPLICA\" is not a parameter of the template; did you mean \
             \"REPLICAS\"?, \"REPLICAS\" is null or not finite; leave it out to keep the template's default",
        ),
        (
            &generated,
            "parameters of template jobs/web: \"PASSWORD\" would be generated anew each time; give it a value",
        ),
    ] {
        for error in [
            client.process(inputs).map(drop).unwrap_err(),
            client.create(inputs).map(drop).unwrap_err(),
            client.delete(inputs).map(drop).unwrap_err(),
        ] {
            assert!(matches!(error, Error::Parameters { .. }));
            assert_eq!(error.to_string(), text);
        }
    }
    assert!(server.lines().iter().all(|line| line.contains("/templates/web")), "{:?}", server.lines());
}

#[test]
fn unsafe_targets_are_found_before_the_first_write() {
    let good = object("v1", "ConfigMap", "good");
    let with = |field: &str, value: Value| {
        let mut object = object("v1", "ConfigMap", "x");
        object["metadata"][field] = value;
        object
    };
    let mut secret = object("v1", "Secret", "s");
    secret["stringData"] = json!({"pin": 4711});
    for (bad, text) in [
        (object("v1", "Namespace", "x"), "v1 Namespace jobs/x: the kind is cluster-scoped: "),
        (
            with("namespace", json!("prod")),
            "object 2 of the template (ConfigMap): metadata.namespace is not the target namespace \"jobs\"",
        ),
        (
            with("generateName", json!("x-")),
            "object 2 of the template (ConfigMap): metadata.generateName is set",
        ),
        (
            json!({"apiVersion": "v1", "kind": "ConfigMap"}),
            "object 2 of the template (ConfigMap): metadata.name",
        ),
        (json!("text"), "object 2 of the template: it is not an object"),
        (good.clone(), "v1 ConfigMap jobs/good: the template has it twice"),
        (secret, "v1 Secret jobs/s: stringData[\"pin\"] is not a string"),
        (object("v1", "Widget", "w"), "v1 Widget jobs/w: the cluster does not serve this kind"),
        (
            object("example.com/v1", "Widget", "w"),
            "example.com/v1 Widget jobs/w: the cluster does not serve this",
        ),
    ] {
        let server = cluster(json!([good, bad]), nothing_special);
        let error = server.client().create(&inputs()).unwrap_err();
        assert!(matches!(error, Error::Target { .. } | Error::NotServed { .. }));
        assert!(error.to_string().starts_with(text), "{error}");
        assert!(!error.to_string().contains("4711"));
        assert_eq!(server.writes(), [""; 0]);
    }
}

#[test]
fn what_fails_before_a_write_comes_through_as_it_is() {
    let causes = json!({"causes": [{"reason": "FieldValueRequired", "field": "template.parameters[0]",
        "message": "Required value: template.parameters[0]: parameter hunter2 is required"}]});
    for (at, answer, text) in [
        (
            "GET /apis/t",
            (401, "Unauthorized", json!({})),
            "get templates.template.openshift.io openshift/web: 401 ",
        ),
        (
            "GET /apis/t",
            (404, "NotFound", json!({"name": "web"})),
            "get templates.template.openshift.io openshift/web: 404",
        ),
        (
            "POST",
            (403, "Forbidden", json!({})),
            "create processedtemplates.template.openshift.io jobs/web: 403 Forbidden",
        ),
        (
            "POST",
            (422, "Invalid", causes),
            "create processedtemplates.template.openshift.io jobs/web: 422 Invalid: \
             template.parameters[0] (FieldValueRequired)",
        ),
        ("GET /apis/apps/v1", (403, "Forbidden", json!({})), "discover apps/v1: 403 Forbidden"),
    ] {
        let (code, reason, details) = answer.clone();
        let server = cluster(three(), move |seen| {
            seen.line.starts_with(at).then(|| refusal(code, reason, "m", details.clone()))
        });
        let error = server.client().create(&inputs()).unwrap_err();
        assert_eq!(error.kube().and_then(|error| error.code()), Some(code), "{error}");
        assert!(error.to_string().starts_with(text), "{error}");
        assert!(!format!("{error} {error:?}").contains("hunter2"));
        assert_eq!(server.writes(), [""; 0]);
    }
}

#[test]
fn an_answer_that_is_no_template_is_an_error() {
    for at in ["GET /apis/t", "POST"] {
        let server =
            cluster(three(), move |seen| seen.line.starts_with(at).then(|| ok(json!({"login": "page"}))));
        let error = server.client().create(&inputs()).unwrap_err().to_string();
        assert!(error.ends_with("the answer is not a Template"), "{error}");
    }
}

#[test]
fn create_stops_at_the_first_failure() {
    let server = cluster(three(), |seen| {
        let conflict = |field: &str| {
            let message = "conflict with \"kubectl\"";
            json!({"reason": "FieldManagerConflict", "message": message, "field": field})
        };
        let details = json!({"causes": [conflict(".spec.replicas"), conflict(".spec.paused")]});
        let message = "Apply failed with 2 conflicts: conflicts with \"kubectl\"";
        seen.line.contains("/deployments/web").then(|| refusal(409, "Conflict", message, details))
    });
    let error = server.client().create(&inputs()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "create: apps/v1 Deployment jobs/web: 409 Conflict: .spec.replicas (FieldManagerConflict), \
         .spec.paused (FieldManagerConflict); 1 object succeeded"
    );
    let error = error.operation().unwrap();
    assert_eq!(error.operation, Operation::Create);
    assert!(!error.is_outcome_unknown());
    let names: Vec<_> = error.succeeded.iter().map(|reference| reference.name.as_str()).collect();
    assert_eq!((names, error.succeeded[0].uid.as_deref()), (vec!["login"], Some("uid-login")));
    let (reference, cause) = &error.failed[0];
    assert_eq!((reference.kind.as_str(), reference.uid.as_deref()), ("Deployment", None));
    assert!(cause.is_field_conflict());
    assert_eq!(cause.causes()[0].manager(), Some("kubectl"));
    assert_eq!(server.writes().len(), 2, "the Service is not tried");
}

#[test]
fn a_write_without_an_answer_has_an_unknown_outcome() {
    for (answer, text) in [
        (|| Answer::Cut, "the connection to "),
        (|| refusal(504, "Timeout", "request did not complete", json!({})), "504 Timeout"),
        (|| Answer::Plain(502, "bad gateway"), "502"),
        (
            || ok(json!({"metadata": {"name": "login"}})),
            "apply secrets jobs/login: the answer is not the applied object",
        ),
        (
            || ok(json!({"metadata": {"name": "other", "uid": "u"}})),
            "apply secrets jobs/login: the answer is not",
        ),
    ] as [(fn() -> Answer, &str); 5]
    {
        let server = cluster(three(), move |seen| seen.line.starts_with("PATCH").then(answer));
        let error = server.client().create(&inputs()).unwrap_err();
        let text = format!("create: v1 Secret jobs/login: {text}");
        assert!(error.to_string().starts_with(&text), "{error}");
        assert!(error.to_string().ends_with(" (the outcome is unknown)"), "{error}");
        assert!(error.operation().unwrap().is_outcome_unknown());
        assert_eq!(server.writes().len(), 1, "no write is repeated");
    }
}

#[test]
fn no_value_in_any_text() {
    // What a real server says of a wrong type, and what a webhook may say.
    for (code, reason, details) in [
        (500, "", json!({})),
        (400, "BadRequest", json!({})),
        (403, "Forbidden", json!({})),
        (409, "Conflict", json!({})),
        (
            422,
            "Invalid",
            json!({"causes": [{"field": "data", "reason": "FieldValueInvalid", "message": "hunter2"}]}),
        ),
    ] {
        let server = cluster(three(), move |seen| {
            let message = ".stringData.user: expected string, got hunter2";
            seen.line.starts_with("PATCH").then(|| refusal(code, reason, message, details.clone()))
        });
        let error = server.client().create(&inputs()).unwrap_err();
        let mut texts = format!("{error} {error:?}");
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            texts.push_str(&format!("{cause} {cause:?}"));
            source = cause.source();
        }
        assert!(!texts.contains("hunter2") && !texts.contains("aHVudGVyMg"), "{texts}");
        assert!(texts.contains(&code.to_string()), "{texts}");
        let (_, cause) = &error.operation().unwrap().failed[0];
        let refusal = cause.refusal().unwrap();
        assert!(refusal.message().contains("hunter2"), "the accessor has it");
    }
}

#[test]
fn a_plan_writes_nothing_and_can_be_changed() {
    let server = cluster(three(), nothing_special);
    let client = server.client();
    let mut plan = client.plan(&inputs()).unwrap();
    assert_eq!(server.writes(), [""; 0]);
    assert!(!format!("{plan:?}").contains("hunter2") && !format!("{plan:?}").contains("aHVudGVyMg"));
    plan[1].object["metadata"]["labels"]["owner"] = "me".into();
    let reference = client.apply(&plan[1], "me").unwrap();
    assert_eq!(reference.uid.as_deref(), Some("uid-web"));
    assert_eq!(server.seen().last().unwrap().body["metadata"]["labels"], json!({"owner": "me"}));
}
