//! Every predicate against bodies that a kube-apiserver v1.36 sent.

use rest::Response;

use super::*;

fn refused(code: u16, body: &str) -> Error {
    let response = Response { status: code, headers: Vec::new(), body: body.into() };
    Error::refused(Refusal::read("patch widgets.example.com m1/f".to_owned(), &response))
}

const UNAUTHORIZED: &str = r#"{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "Unauthorized", "reason": "Unauthorized", "code": 401}"#;
const FORBIDDEN: &str = r#"{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "secrets \"x\" is forbidden: User \"lowpriv\" cannot get resource \"secrets\" in API group \"\" in the namespace \"default\"", "reason": "Forbidden", "details": {"name": "x", "kind": "secrets"}, "code": 403}"#;
const NO_OBJECT: &str = r#"{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "secrets \"nope\" not found", "reason": "NotFound", "details": {"name": "nope", "kind": "secrets"}, "code": 404}"#;
const NO_RESOURCE: &str = r#"{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "the server could not find the requested resource", "reason": "NotFound", "details": {}, "code": 404}"#;
const NO_GROUP: &str = "404 page not found\n";
const CONFLICT: &str = r#"{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "Operation cannot be fulfilled on widgets.example.com \"a\": the object has been modified; please apply your changes to the latest version and try again", "reason": "Conflict", "details": {"name": "a", "group": "example.com", "kind": "widgets"}, "code": 409}"#;
const EXISTS: &str = r#"{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "widgets.example.com \"a\" already exists", "reason": "AlreadyExists", "details": {"name": "a", "group": "example.com", "kind": "widgets"}, "code": 409}"#;
const EXPIRED: &str = r#"{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "The resourceVersion for the provided list is too old.", "reason": "Expired", "code": 410}"#;
const FINALIZER: &str = r#"{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "Widget.example.com \"f\" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{\"example.com/new\"}", "reason": "Invalid", "details": {"name": "f", "group": "example.com", "kind": "Widget", "causes": [{"reason": "FieldValueForbidden", "message": "Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{\"example.com/new\"}", "field": "metadata.finalizers"}, {"reason": "FieldValueForbidden", "message": "Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{\"example.com/new\"}", "field": "metadata.finalizers"}]}, "code": 422}"#;
const REQUIRED: &str = r#"{"kind": "Status", "message": "Widget.example.com \"b\" is invalid: [spec.size: Required value, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]", "reason": "Invalid", "details": {"name": "b", "group": "example.com", "kind": "Widget", "causes": [{"reason": "FieldValueRequired", "message": "Required value", "field": "spec.size"}, {"reason": "FieldValueInvalid", "message": "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation", "field": "<nil>"}]}, "code": 422}"#;
const WEBHOOK: &str = r#"{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "admission webhook \"m4.example.com\" denied the request: computer says no", "code": 422}"#;
const OVERLOAD: &str = "Too many requests, please try again later.\n";
const STORAGE: &str = r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"storage is (re)initializing","reason":"TooManyRequests","details":{"retryAfterSeconds":1},"code":429}"#;
const NO_REASON: &str = r#"{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "admission webhook \"m4.example.com\" denied the request: computer says no", "code": 500}"#;
const PANIC: &str = "This request caused apiserver to panic. Look in the logs for details.\n";
const NO_WEBHOOK: &str = r#"{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "Internal error occurred: failed calling webhook \"m4.example.com\": failed to call webhook: Post \"https://localhost:1/x?timeout=2s\": dial tcp 127.0.0.1:1: connect: connection refused", "reason": "InternalError", "details": {"causes": [{"message": "failed calling webhook \"m4.example.com\": failed to call webhook: Post \"https://localhost:1/x?timeout=2s\": dial tcp 127.0.0.1:1: connect: connection refused"}]}, "code": 500}"#;
const NO_BACKEND: &str = "service unavailable\n";
const TOO_LARGE_VERSION: &str = r#"{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "Timeout: Too large resource version: 99999999, current: 1345", "reason": "Timeout", "details": {"causes": [{"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}], "retryAfterSeconds": 1}, "code": 504}"#;

const TWO_OWNERS: &str = r#"{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "Apply failed with 2 conflicts: conflicts with \"alpha\":\n- .spec.size\nconflicts with \"kubectl-edit\" using example.com/v1:\n- .spec.size", "reason": "Conflict", "details": {"causes": [{"reason": "FieldManagerConflict", "message": "conflict with \"alpha\"", "field": ".spec.size"}, {"reason": "FieldManagerConflict", "message": "conflict with \"kubectl-edit\" using example.com/v1", "field": ".spec.size"}]}, "code": 409}"#;
const OTHER_UID: &str = r#"{"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "Operation cannot be fulfilled on widgets.example.com \"a\": StorageError: invalid object, Code: 4, Key: /registry/example.com/widgets/m1/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: 00000000-0000-0000-0000-000000000000, UID in object meta: 44da71c2-90e2-456f-85eb-34c3b5004d7a", "reason": "Conflict", "details": {"name": "a", "group": "example.com", "kind": "widgets"}, "code": 409}"#;

/// The names of the predicates that hold.
fn predicates(error: &Error) -> Vec<&'static str> {
    [
        ("not_found", error.is_not_found()),
        ("conflict", error.is_conflict()),
        ("field_conflict", error.is_field_conflict()),
        ("already_exists", error.is_already_exists()),
        ("forbidden", error.is_forbidden()),
        ("unauthorized", error.is_unauthorized()),
        ("invalid", error.is_invalid()),
        ("gone", error.is_gone()),
        ("timeout", error.is_timeout()),
        ("transport", error.is_transport()),
        ("unavailable", error.is_unavailable()),
        ("outcome_unknown", error.is_outcome_unknown()),
    ]
    .into_iter()
    .filter_map(|(name, holds)| holds.then_some(name))
    .collect()
}

#[test]
fn each_answer_satisfies_its_predicates_and_no_other() {
    for (code, body, expected) in [
        (401, UNAUTHORIZED, &["unauthorized"][..]),
        (403, FORBIDDEN, &["forbidden"]),
        (404, NO_OBJECT, &["not_found"]),
        (404, NO_RESOURCE, &["not_found"]),
        (404, NO_GROUP, &["not_found"]),
        (409, CONFLICT, &["conflict"]),
        (409, OTHER_UID, &["conflict"]),
        (409, TWO_OWNERS, &["conflict", "field_conflict"]),
        (409, EXISTS, &["already_exists"]),
        (410, EXPIRED, &["gone"]),
        (422, FINALIZER, &["invalid"]),
        (422, WEBHOOK, &["invalid"]),
        (429, OVERLOAD, &["unavailable"]),
        (429, STORAGE, &["unavailable"]),
        (500, NO_REASON, &[]),
        (500, PANIC, &[]),
        (500, NO_WEBHOOK, &["unavailable"]),
        (503, NO_BACKEND, &["unavailable", "outcome_unknown"]),
        (504, TOO_LARGE_VERSION, &["timeout", "unavailable", "outcome_unknown"]),
        (302, "", &[]),
    ] {
        assert_eq!(predicates(&refused(code, body)), expected, "{body}");
    }
}

#[test]
fn a_known_reason_wins_over_the_code_and_an_unknown_one_does_not() {
    let with = |reason: &str| format!(r#"{{"kind": "Status", "reason": "{reason}", "message": "m"}}"#);
    for (code, reason, expected) in [
        (500, "NotFound", &["not_found", "unavailable"][..]),
        (404, "Forbidden", &["forbidden"]),
        (404, "Whatever", &["not_found"]),
        (409, "Whatever", &["conflict"]),
        (404, "", &["not_found"]),
    ] {
        assert_eq!(predicates(&refused(code, &with(reason))), expected, "{code} {reason}");
    }
}

/// A webhook's `reason` is free text, and so are the causes of its Status.
#[test]
fn a_sentence_in_place_of_a_reason_is_not_shown() {
    let body = r#"{"kind": "Status", "reason": "password hunter2 is too weak", "details": {"causes": [
        {"reason": "hunter2 again", "field": "data.password", "message": "m"}]}, "code": 400}"#;
    let error = refused(400, body).discreet();
    assert_eq!(error.to_string(), "patch widgets.example.com m1/f: 400: data.password");
    assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
    assert_eq!(error.refusal().unwrap().reason, None);
}

/// The server tells it in a sentence with the value in it.
#[test]
fn a_field_of_another_type_is_named_without_its_value() {
    let typed = "failed to create typed patch object (/d; apps/v1, Kind=Deployment): ";
    for (rest, field) in [
        (".spec.replicas: expected numeric (int or float), got string", Some(".spec.replicas")),
        (".dota: field not declared in schema", Some(".dota")),
        (".data.pin: expected string, got &value.valueUnstructured{Value:5}", Some(".data.pin")),
        (".a[name=\\\"hunter2\\\"].b[p=\\\"]: x\\\",q=5].c: expected x", Some(".a[].b[].c")),
        (".spec.env: duplicate entries for key [name=\\\"hunter2\\\"]", Some(".spec.env")),
        ("hunter2", None),
        ("hunter2: x", None),
        (".a[\\\"hunter2: x", None),
        ("errors:\\n  .a: hunter2\\n  .b: hunter2", Some(".a")),
    ] {
        let body =
            format!(r#"{{"kind": "Status", "status": "Failure", "message": "{typed}{rest}", "code": 500}}"#);
        let error = refused(500, &body).discreet();
        let shown = field.map(|field| format!(": {field}")).unwrap_or_default();
        assert_eq!(error.to_string(), format!("patch widgets.example.com m1/f: 500{shown}"), "{rest}");
        assert_eq!(predicates(&error), ["invalid"]);
        assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
    }
    let base64 = "failed to convert new object (/s; /v1, Kind=Secret) to proper version: hunter2";
    let body = format!(r#"{{"kind": "Status", "message": "{base64}", "code": 500}}"#);
    assert_eq!(predicates(&refused(500, &body)), ["invalid"]);
}

/// The write goes on in etcd when the server has stopped to wait for it (seen with a changing leader).
#[test]
fn a_500_of_a_storage_that_did_not_answer_in_time_leaves_the_outcome_open() {
    for (message, unknown) in [
        ("etcdserver: request timed out", true),
        ("etcdserver: request timed out, possibly due to previous leader failure", true),
        ("etcdserver: leader changed", true),
        ("context deadline exceeded", true),
        ("etcdserver: request is too large", false),
        ("failed to create typed patch object: context deadline exceeded", false),
    ] {
        let body =
            format!(r#"{{"kind": "Status", "status": "Failure", "message": "{message}", "code": 500}}"#);
        assert_eq!(refused(500, &body).is_outcome_unknown(), unknown, "{message}");
    }
}

#[test]
fn only_a_status_is_read_as_one() {
    let object = r#"{"kind": "Widget", "reason": "NotFound", "message": "hello"}"#;
    assert_eq!(refused(418, object).refusal().unwrap().reason, None);
}

#[test]
fn transport_errors() {
    let rest = |error| Error::from(error);
    let timeout = rest(rest::Error::Timeout { peer: "https://k".into(), limit: 30, sent: true });
    assert_eq!(predicates(&timeout), ["timeout", "transport", "unavailable", "outcome_unknown"]);
    let unsent = rest(rest::Error::Timeout { peer: "https://k".into(), limit: 5, sent: false });
    assert_eq!(predicates(&unsent), ["timeout", "transport", "unavailable"]);
    let broken = |problem: &str| rest::Error::Broken {
        peer: "https://k".into(),
        problem: problem.into(),
        source: "x".into(),
    };
    assert_eq!(predicates(&rest(broken("cut"))), ["transport", "unavailable", "outcome_unknown"]);
    let large = rest(rest::Error::TooLarge { peer: "https://k".into(), limit: 9 });
    assert_eq!(predicates(&large), ["outcome_unknown"]);
    let page = Error::Answer { request: "create x".into(), expected: "a JSON object" };
    assert_eq!(predicates(&page), ["outcome_unknown"]);
    assert_eq!(timeout.to_string(), "https://k did not answer within 30 s");
    let refused = rest(rest::Error::Connect {
        peer: "https://k".into(),
        problem: "connection refused".into(),
        source: "x".into(),
    });
    assert_eq!(predicates(&refused), ["transport", "unavailable"]);
    let options = rest(rest::Error::Options { what: "CA bundle", problem: "it is not valid PEM".into() });
    assert_eq!(predicates(&options), [""; 0]);
}

#[test]
fn a_404_names_the_object_or_it_is_about_the_type() {
    assert!(refused(404, NO_OBJECT).names_object("nope"));
    assert!(!refused(404, NO_OBJECT).names_object("other"));
    assert!(!refused(404, NO_RESOURCE).names_object("nope"));
    assert!(!refused(404, NO_GROUP).names_object("nope"));
    assert!(!refused(403, FORBIDDEN).names_object("x"));
}

#[test]
fn cause_fields_come_once() {
    assert_eq!(refused(422, FINALIZER).cause_fields().collect::<Vec<_>>(), ["metadata.finalizers"]);
    assert_eq!(refused(422, REQUIRED).cause_fields().collect::<Vec<_>>(), ["spec.size"]);
    assert_eq!(refused(504, TOO_LARGE_VERSION).cause_fields().count(), 0);
    assert_eq!(refused(404, NO_GROUP).cause_fields().count(), 0);
    assert_eq!(refused(409, TWO_OWNERS).cause_fields().collect::<Vec<_>>(), [".spec.size"]);
}

#[test]
fn a_field_conflict_names_each_other_manager() {
    let error = refused(409, TWO_OWNERS);
    let managers: Vec<_> =
        error.causes().iter().map(|cause| (cause.field.as_str(), cause.manager())).collect();
    assert_eq!(managers, [(".spec.size", Some("alpha")), (".spec.size", Some("kubectl-edit"))]);
    assert_eq!(error.code(), Some(409));
    assert_eq!(refused(422, REQUIRED).causes()[0].manager(), None);
    assert_eq!(refused(422, REQUIRED).causes()[0].message(), "Required value");
    assert_eq!(refused(404, NO_GROUP).refusal().unwrap().message(), "404 page not found");
    assert_eq!(Error::Name { what: "name", value: String::new() }.code(), None);
}

#[test]
fn of_a_request_with_an_object_only_harmless_messages_are_shown() {
    let status = |code: u16, reason: &str, message: &str| {
        let body = format!(
            r#"{{"kind": "Status", "message": "{message}", "reason": "{reason}",
                "details": {{"causes": [{{"field": "f", "message": "hunter2"}}]}}}}"#
        );
        refused(code, &body).discreet().to_string().replace("patch widgets.example.com m1/f: ", "")
    };
    let typed = "failed to create typed patch object (m1/s; /v1, Kind=Secret): .stringData.a: expected string, got hunter2";
    let hook = "admission webhook h denied the request: hunter2";
    for (code, reason, message, text) in [
        (500, "", typed, "500: f"),
        (400, "BadRequest", "hunter2", "400 BadRequest: f"),
        (403, "Forbidden", hook, "403 Forbidden: f"),
        (409, "", hook, "409: f"),
        (403, "Forbidden", "pods x is forbidden: hunter2", "403 Forbidden: f"),
        (418, "", "hunter2", "418: f"),
    ] {
        assert_eq!(status(code, reason, message), text);
    }
    let harmless = |code: u16, body: &str| refused(code, body).discreet().to_string();
    assert_eq!(harmless(404, NO_OBJECT), refused(404, NO_OBJECT).to_string());
    assert_eq!(harmless(403, FORBIDDEN), refused(403, FORBIDDEN).to_string());
    let expected = "patch widgets.example.com m1/f: 409 Conflict: Apply failed with 2 conflicts: conflicts with \
                    \"alpha\": - .spec.size conflicts with \"kubectl-edit\" using example.com/v1:";
    // A line that comes twice is shown once.
    assert_eq!(harmless(409, TWO_OWNERS), expected);
}

#[test]
fn texts() {
    for (code, body, expected) in [
        (401, UNAUTHORIZED, "401 Unauthorized: Unauthorized"),
        (
            403,
            FORBIDDEN,
            "403 Forbidden: secrets \"x\" is forbidden: User \"lowpriv\" cannot get resource \"secrets\" in API \
             group \"\" in the namespace \"default\"",
        ),
        (404, NO_GROUP, "404: 404 page not found"),
        (422, FINALIZER, "422 Invalid: metadata.finalizers (FieldValueForbidden)"),
        (422, REQUIRED, "422 Invalid: spec.size (FieldValueRequired), (no field) (FieldValueInvalid)"),
        (422, WEBHOOK, "422"),
        (429, OVERLOAD, "429: Too many requests, please try again later."),
        (503, "<html><title>502</title><h1>Bad gateway</h1></html>", "503: 502 Bad gateway"),
        (503, "", "503"),
    ] {
        let text = refused(code, body).to_string();
        assert_eq!(text, format!("patch widgets.example.com m1/f: {expected}"));
    }
}

#[test]
fn of_a_422_only_field_and_reason_are_shown() {
    let body = r#"{"kind": "Status", "message": "Secret \"s\" is invalid: data[k]: Invalid value: \"hunter2\"",
        "reason": "Invalid", "details": {"causes": [
        {"reason": "FieldValueInvalid", "message": "Invalid value: \"hunter2\"", "field": "data[k]"},
        {"message": "hunter2"}]}, "code": 422}"#;
    for code in [422, 400] {
        let error = refused(code, body);
        assert!(error.to_string().ends_with(" Invalid: data[k] (FieldValueInvalid), (no field)"), "{error}");
        assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
    }
}

#[test]
fn a_long_message_is_cut() {
    let text = refused(500, &"x".repeat(10_000)).to_string();
    assert!(text.chars().count() < 500 && text.ends_with('…'), "{text}");
}
