#![expect(clippy::needless_pass_by_value, reason = "json!(..) as an argument reads best without a borrow")]

use serde_json::json;

use super::*;
use crate::env::Env;
use crate::error::PluginError;
use crate::names::{APPLIED_ANNOTATION, FINALIZER};
use crate::plugin::{Group, Outcome};
use crate::secrets::Secrets;

/// Credentials are `spec.at`, the claim is `spec.name`, and a spec parses if it has a number `size`.
struct Widgets;

#[derive(Deserialize)]
struct Spec {
    #[expect(dead_code, reason = "only its presence matters here")]
    size: u32,
}

fn text(spec: &Value, key: &str) -> Result<String, PluginError> {
    let missing = || PluginError::invalid_spec(format!("spec.{key} is missing"));
    spec[key].as_str().map(str::to_owned).ok_or_else(missing)
}

impl SyncPlugin for Widgets {
    const NOUN: &'static str = "widget";
    const SERVICE: &'static str = "Cloud";
    type Spec = Spec;
    type Credentials = String;
    type Conn = ();
    type Cache = ();
    type Status = ();

    fn credentials(&self, spec: &Value) -> Result<String, PluginError> {
        text(spec, "at")
    }
    fn claim(&self, spec: &Value) -> Result<Option<String>, PluginError> {
        text(spec, "name").map(Some)
    }
    fn cleanup_policy(&self, prune: bool) -> CleanupPolicy {
        if prune { CleanupPolicy::Finalized } else { CleanupPolicy::BestEffort }
    }
    fn connect(&self, _: &Secrets<'_>, _: &String) -> Result<(), PluginError> {
        Err(PluginError::cr("a plan connects to nothing"))
    }
    fn wait_for_api(&self, (): &(), (): &mut ()) -> Result<(), PluginError> {
        Ok(())
    }
    fn reconcile(&self, _: &mut Group<'_, Self>, _: &Cr<Spec>) -> Result<Outcome<()>, PluginError> {
        Err(PluginError::cr("a plan reconciles nothing"))
    }
}

fn config(prune: bool) -> HookConfig {
    let env = Env::from_pairs([
        ("P_CRD_API_VERSION", "example.com/v1"),
        ("P_CRD_KIND", "Widget"),
        ("P_CRD_RESOURCE", "widgets.example.com"),
        ("P_STATUS_ENABLED", "true"),
        ("P_PRUNE", if prune { "true" } else { "false" }),
    ]);
    HookConfig::from_env("P", "b", &env).unwrap()
}

fn cr(name: &str, more: Value) -> Value {
    let mut object = json!({
        "metadata": {"name": name, "namespace": "n", "uid": format!("uid-{name}"), "generation": 1,
            "creationTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {"at": "cloud", "name": name, "size": 1},
    });
    merge(&mut object, more);
    object
}

fn merge(into: &mut Value, more: Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => {
            more.into_iter().for_each(|(key, value)| merge(into.entry(key).or_insert(Value::Null), value));
        }
        (into, more) => *into = more,
    }
}

fn synced() -> Value {
    json!({"status": {"syncStatus": "Synced", "observedGeneration": 1, "conditions": [
        {"type": "Ready", "status": "True", "reason": "Reconciled", "observedGeneration": 1}]}})
}

fn deleting(finalizers: &[&str]) -> Value {
    json!({"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": finalizers}})
}

fn planned(prune: bool, elements: Value) -> SyncPlan<Widgets> {
    let Value::Array(elements) = elements else { panic!("a list") };
    let now = Timestamp::parse("2026-01-01T00:00:30Z").unwrap();
    plan(&Widgets, &config(prune), "file", Contexts::Bindings(elements), false, now).unwrap()
}

fn tasks(plan: &SyncPlan<Widgets>) -> Vec<(String, String)> {
    let word = |task: &Task<Spec>| match task {
        Task::Current => "current".to_owned(),
        Task::Wait => "wait".to_owned(),
        Task::WaitInvalid => "wait invalid".to_owned(),
        Task::Unreadable => "unreadable".to_owned(),
        Task::Invalid(why) => format!("invalid: {why}"),
        Task::Conflict(winner) => format!("conflict with {winner}"),
        Task::Reconcile(_) => "reconcile".to_owned(),
        Task::Ignore => "ignore".to_owned(),
        Task::Release => "release".to_owned(),
        Task::Abandon => "abandon".to_owned(),
        Task::Delete => "delete".to_owned(),
        Task::WaitDelete => "wait delete".to_owned(),
        Task::Gone => "gone".to_owned(),
    };
    plan.crs.iter().map(|planned| (planned.record.cr.name.clone(), word(&planned.task))).collect()
}

fn one(prune: bool, name: &str, snapshot: Value) -> String {
    let plan =
        planned(prune, json!([{"binding": "catch-up", "type": "Schedule", "snapshots": {"b": snapshot}}]));
    tasks(&plan).into_iter().find(|(of, _)| of == name).map(|(_, task)| task).unwrap_or_default()
}

fn event(word: &str, object: Value, snapshot: Value) -> Value {
    json!([{"binding": "b", "type": "Event", "watchEvent": word, "object": object, "snapshots": {"b": snapshot}}])
}

#[test]
fn live_crs() {
    let plain = |more| one(false, "a", json!([cr("a", more)]));
    assert_eq!(plain(json!({})), "reconcile");
    assert_eq!(plain(synced()), "current");
    assert_eq!(
        plain(json!({"spec": {"size": "big"}})),
        "invalid: spec: invalid type: string \"big\", expected u32"
    );
    assert_eq!(plain(json!({"spec": {"size": null}})), "invalid: spec: invalid type: null, expected u32");
    assert_eq!(plain(json!({"spec": {"at": 3}})), "unreadable");
    assert_eq!(plain(json!({"spec": {"name": null}})), "unreadable");
    assert_eq!(plain(json!({"spec": "x"})), "unreadable");
    assert_eq!(plain(json!({"spec": null})), "unreadable");
    assert_eq!(plain(json!({"metadata": {"annotations": {APPLIED_ANNOTATION: "nonsense"}}})), "unreadable");
}

#[test]
fn a_record_that_names_other_credentials_is_not_current() {
    for (applied, want) in
        [(r#"["cloud"]"#, "current"), (r#"["old"]"#, "reconcile"), (r#"["cloud","old"]"#, "reconcile")]
    {
        let mut object = cr("a", synced());
        merge(
            &mut object,
            json!({"metadata": {"annotations": {APPLIED_ANNOTATION: applied}, "finalizers": [FINALIZER]}}),
        );
        assert_eq!(one(true, "a", json!([object])), want, "{applied}");
    }
}

#[test]
fn deleting_crs() {
    let abandoned = json!({"metadata": {"annotations": {crate::names::ABANDON_ANNOTATION: "true"}}});
    let case = |prune, finalizers: &[&str], more: Value| {
        let mut object = cr("a", deleting(finalizers));
        merge(&mut object, more);
        one(prune, "a", json!([object]))
    };
    let bad = json!({"spec": null});
    assert_eq!(case(true, &[FINALIZER], json!({})), "delete");
    assert_eq!(case(true, &["other"], json!({})), "ignore");
    assert_eq!(case(true, &["other"], bad.clone()), "ignore", "no doubt, no write");
    assert_eq!(case(false, &[FINALIZER], json!({})), "release");
    assert_eq!(case(false, &[FINALIZER], bad.clone()), "release");
    assert_eq!(case(true, &[FINALIZER], abandoned.clone()), "abandon");
    assert_eq!(case(true, &[FINALIZER], bad.clone()), "unreadable");
    let mut both = abandoned;
    merge(&mut both, bad);
    assert_eq!(case(true, &[FINALIZER], both), "release");
}

#[test]
fn of_two_crs_with_one_claim_in_a_group_the_older_wins() {
    let named = |name: &str, more: Value| {
        let mut object = cr(name, json!({"spec": {"name": "same"}}));
        merge(&mut object, more);
        object
    };
    let younger = json!({"metadata": {"creationTimestamp": "2026-02-01T00:00:00Z"}});
    let snapshot = json!([named("a", younger.clone()), named("b", json!({}))]);
    assert_eq!(one(false, "a", snapshot.clone()), "conflict with n/b");
    assert_eq!(one(false, "b", snapshot), "reconcile");
    let same_age = json!([named("b", json!({})), named("a", json!({}))]);
    assert_eq!(one(false, "b", same_age), "conflict with n/a");
    let other_group = json!([named("a", json!({})), named("b", json!({"spec": {"at": "elsewhere"}}))]);
    assert_eq!(one(false, "b", other_group), "reconcile");
    let winner_goes = json!([named("a", younger), named("b", deleting(&[FINALIZER]))]);
    assert_eq!(one(true, "a", winner_goes), "reconcile");
}

#[test]
fn a_cr_that_no_longer_loses_is_due_at_once() {
    let status = json!({"status": {"syncStatus": "Failed", "observedGeneration": 1, "conditions": [{
        "type": "Ready", "status": "False", "reason": "NameConflict", "observedGeneration": 1,
        "lastTransitionTime": "2020-01-01T00:00:00Z"}]}});
    assert_eq!(one(false, "a", json!([cr("a", status)])), "reconcile");
}

#[test]
fn a_deleted_event_counts_only_if_the_cr_is_gone() {
    let snapshot = json!([cr("b", synced())]);
    let plan = planned(true, event("Deleted", cr("a", json!({})), snapshot.clone()));
    assert_eq!(tasks(&plan)[0], ("a".to_owned(), "gone".to_owned()));
    let still = planned(true, event("Deleted", cr("b", json!({})), snapshot.clone()));
    assert_eq!(tasks(&still).len(), 1);
    let mut abandoned = cr("a", json!({}));
    merge(&mut abandoned, json!({"metadata": {"annotations": {crate::names::ABANDON_ANNOTATION: "true"}}}));
    assert_eq!(tasks(&planned(true, event("Deleted", abandoned, snapshot.clone()))).len(), 1);
    let modified = planned(true, event("Modified", cr("a", json!({})), snapshot));
    assert_eq!(tasks(&modified).len(), 1, "an event object is never reconciled");
}

#[test]
fn a_recreated_cr_is_told_from_the_one_that_went_by_its_uid() {
    let again = cr("a", json!({"metadata": {"uid": "new"}}));
    let plan = planned(true, event("Deleted", cr("a", json!({})), json!([again])));
    let mut all: Vec<String> = tasks(&plan).into_iter().map(|(_, task)| task).collect();
    all.sort();
    assert_eq!(all, ["gone", "reconcile"]);
}

#[test]
fn unreadable_events_are_named_but_are_no_doubt() {
    let plan = planned(true, event("Added", cr("a", json!({"spec": null})), json!([])));
    assert_eq!(plan.unreadable_events, ["event of n/a: spec is missing"]);
    assert!(plan.problems.is_empty() && plan.crs.is_empty());
    let known = planned(true, event("Added", cr("a", json!({"spec": null})), json!([cr("a", json!({}))])));
    assert!(known.unreadable_events.is_empty(), "the snapshot decides");
}

#[test]
fn items_that_cannot_be_addressed_are_doubt_and_the_others_go_on() {
    let plan = planned(
        true,
        json!([{"binding": "catch-up", "type": "Schedule",
            "snapshots": {"b": [null, {"metadata": null}, {"object": cr("a", json!({}))}]}}]),
    );
    assert_eq!(plan.problems.len(), 2);
    assert_eq!(tasks(&plan), [("a".to_owned(), "reconcile".to_owned())]);
}

#[test]
fn an_object_of_another_kind_is_no_cr_but_doubt() {
    let named = |kind: &str, version: &str| {
        let mut object = cr("a", json!({}));
        merge(&mut object, json!({"kind": kind, "apiVersion": version}));
        planned(true, json!([{"binding": "catch-up", "type": "Schedule", "snapshots": {"b": [object]}}]))
    };
    for (kind, version) in [("Secret", "v1"), ("Gadget", "example.com/v1"), ("Widget", "example.org/v1")] {
        let plan = named(kind, version);
        assert!(plan.crs.is_empty());
        assert_eq!(plan.problems, [format!("n/a is a {version} {kind}, not a example.com/v1 Widget")]);
    }
    assert_eq!(named("Widget", "example.com/v2").crs.len(), 1, "another version of it is the same kind");
}

#[test]
fn the_same_object_twice_is_one_cr() {
    let plan = planned(
        false,
        json!([{"binding": "catch-up", "type": "Schedule", "snapshots": {"b": [cr("a", json!({})), cr("a", json!({}))]}}]),
    );
    assert_eq!(tasks(&plan), [("a".to_owned(), "reconcile".to_owned())]);
}

#[test]
fn failures_already_told_are_known() {
    let told = |reason: &str, generation| {
        let status = json!({"status": {"syncStatus": "Failed", "observedGeneration": generation, "conditions": [
            {"type": "Ready", "status": "False", "reason": reason, "observedGeneration": generation}]}});
        let plan = planned(
            false,
            json!([{"binding": "catch-up", "type": "Schedule", "snapshots": {"b": [cr("a", status)]}}]),
        );
        plan.crs[0].has_told_failure()
    };
    assert!(told("InvalidSpec", 1));
    assert!(!told("InvalidSpec", 0));
}
