//! shell-operator's rules for what a hook answers to `--config` (v1.20, `pkg/hook/config`), as far as our hooks
//! use the format: what is not listed here is refused, as it would be there or since we do not mean to use it.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// What shell-operator would refuse, or worse, hang on; empty if nothing.
pub(crate) fn problems(document: &Value) -> Vec<String> {
    let mut found = Problems(Vec::new());
    found.no_nulls("", document);
    if let Some(root) =
        found.object("", document, &["configVersion"], &["settings", "onStartup", "schedule", "kubernetes"])
    {
        found.root(root);
    }
    found.0
}

struct Problems(Vec<String>);

impl Problems {
    fn add(&mut self, at: &str, what: &str) {
        self.0.push(format!("{at}: {what}"));
    }

    fn no_nulls(&mut self, at: &str, value: &Value) {
        match value {
            Value::Null => self.add(at, "null is refused"),
            Value::Array(items) => items.iter().for_each(|item| self.no_nulls(at, item)),
            Value::Object(map) => {
                map.iter().for_each(|(key, value)| self.no_nulls(&format!("{at}.{key}"), value));
            }
            _ => {}
        }
    }

    /// An object with all of `required` and nothing but these and `optional`.
    fn object<'a>(
        &mut self,
        at: &str,
        value: &'a Value,
        required: &[&str],
        optional: &[&str],
    ) -> Option<&'a Map<String, Value>> {
        let Some(map) = value.as_object() else {
            self.add(at, "must be an object");
            return None;
        };
        for key in
            map.keys().filter(|key| !required.contains(&key.as_str()) && !optional.contains(&key.as_str()))
        {
            self.add(at, &format!("{key} is a forbidden property"));
        }
        for key in required.iter().filter(|key| !map.contains_key(**key)) {
            self.add(at, &format!("{key} is required"));
        }
        Some(map)
    }

    fn text<'a>(&mut self, at: &str, value: &'a Value) -> &'a str {
        match value.as_str() {
            Some("") => self.add(at, "is empty"),
            Some(text) => return text,
            None => self.add(at, "must be a string"),
        }
        ""
    }

    fn boolean(&mut self, at: &str, value: &Value) {
        if !value.is_boolean() {
            self.add(at, "must be a boolean");
        }
    }

    /// An array of at least one item.
    fn list<'a>(&mut self, at: &str, value: &'a Value) -> &'a [Value] {
        match value.as_array() {
            Some(items) if !items.is_empty() => return items,
            Some(_) => self.add(at, "should have at least 1 items"),
            None => self.add(at, "must be an array"),
        }
        &[]
    }

    fn root(&mut self, root: &Map<String, Value>) {
        if root.len() < 2 {
            self.add("", "should have at least 2 properties");
        }
        if root.get("configVersion").is_some_and(|version| version != "v1") {
            self.add("configVersion", "is unsupported");
        }
        if let Some(settings) = root.get("settings") {
            self.settings(settings);
        }
        if root.get("onStartup").is_some_and(|order| !order.is_i64()) {
            self.add("onStartup", "must be an integer");
        }
        let kubernetes =
            root.get("kubernetes").map(|value| self.list("kubernetes", value)).unwrap_or_default();
        let schedule = root.get("schedule").map(|value| self.list("schedule", value)).unwrap_or_default();
        let mut names = BTreeSet::new();
        for binding in kubernetes.iter().chain(schedule) {
            let name = self.text("name", &binding["name"]);
            if !names.insert(name) {
                self.add("name", &format!("{name:?} is not unique"));
            }
        }
        let snapshots: BTreeSet<_> =
            kubernetes.iter().filter_map(|binding| binding["name"].as_str()).collect();
        for binding in kubernetes {
            self.kubernetes(binding, &snapshots);
        }
        for binding in schedule {
            self.schedule(binding, &snapshots);
        }
    }

    /// Both or none: the half that is missing is parsed all the same.
    fn settings(&mut self, settings: &Value) {
        let keys = ["executionMinInterval", "executionBurst"];
        let Some(settings) = self.object("settings", settings, &keys, &[]) else { return };
        if settings.get("executionBurst").is_some_and(|burst| !burst.is_u64()) {
            self.add("settings.executionBurst", "must be an integer");
        }
        let interval = settings.get("executionMinInterval").and_then(Value::as_str).unwrap_or_default();
        if !is_duration(interval) {
            self.add("settings.executionMinInterval", "is no duration");
        }
    }

    fn kubernetes(&mut self, binding: &Value, snapshots: &BTreeSet<&str>) {
        let own = [
            "executeHookOnEvent",
            "executeHookOnSynchronization",
            "keepFullObjectsInMemory",
            "jqFilter",
            "namespace",
            "allowFailure",
            "queue",
            "includeSnapshotsFrom",
        ];
        let Some(map) = self.object("kubernetes", binding, &["name", "apiVersion", "kind"], &own) else {
            return;
        };
        self.common("kubernetes", map, snapshots);
        self.text("kubernetes.kind", &binding["kind"]);
        let api_version = self.text("kubernetes.apiVersion", &binding["apiVersion"]);
        if api_version.split('/').count() > 2 || api_version.split('/').any(str::is_empty) {
            self.add("kubernetes.apiVersion", "is invalid");
        }
        for key in ["executeHookOnSynchronization", "keepFullObjectsInMemory"] {
            if let Some(value) = map.get(key) {
                self.boolean(&format!("kubernetes.{key}"), value);
            }
        }
        // This one may be empty: a snapshot without events.
        for word in map.get("executeHookOnEvent").and_then(Value::as_array).into_iter().flatten() {
            if !["Added", "Modified", "Deleted"].contains(&word.as_str().unwrap_or_default()) {
                self.add("kubernetes.executeHookOnEvent", "should be one of [Added Modified Deleted]");
            }
        }
        if let Some(filter) = map.get("jqFilter") {
            self.text("kubernetes.jqFilter", filter);
        }
        if let Some(namespace) = map.get("namespace") {
            self.namespace(namespace);
        }
    }

    fn namespace(&mut self, namespace: &Value) {
        let at = "kubernetes.namespace";
        let Some(map) = self.object(at, namespace, &["nameSelector"], &[]) else { return };
        let Some(selector) = map.get("nameSelector") else { return };
        let Some(map) = self.object(&format!("{at}.nameSelector"), selector, &["matchNames"], &[]) else {
            return;
        };
        // None at all would mean every namespace, which nobody can have meant.
        let names = map.get("matchNames").map(|names| self.list(at, names)).unwrap_or_default();
        for name in names {
            self.text(at, name);
        }
    }

    fn schedule(&mut self, binding: &Value, snapshots: &BTreeSet<&str>) {
        let own = ["allowFailure", "queue", "includeSnapshotsFrom"];
        let Some(map) = self.object("schedule", binding, &["name", "crontab"], &own) else { return };
        self.common("schedule", map, snapshots);
        let crontab = self.text("schedule.crontab", &binding["crontab"]);
        let fields = crontab.split_whitespace().count();
        if !crontab.starts_with('@') && fields != 5 && fields != 6 {
            self.add("schedule.crontab", &format!("Expected 5 or 6 fields, found {fields}"));
        }
        let steps =
            crontab.split(|c: char| c == ',' || c.is_whitespace()).filter_map(|part| part.split_once('/'));
        if steps.into_iter().any(|(_, step)| step.trim_start_matches('0').is_empty()) {
            self.add("schedule.crontab", "a step of 0 hangs the operator");
        }
    }

    fn common(&mut self, at: &str, map: &Map<String, Value>, snapshots: &BTreeSet<&str>) {
        if let Some(value) = map.get("allowFailure") {
            self.boolean(&format!("{at}.allowFailure"), value);
        }
        if let Some(queue) = map.get("queue") {
            // A queue of its own: in `main`, one hook waits for all others.
            if self.text(&format!("{at}.queue"), queue) == "main" {
                self.add(&format!("{at}.queue"), "is shared with every other hook");
            }
        }
        let Some(included) = map.get("includeSnapshotsFrom") else { return };
        let at = format!("{at}.includeSnapshotsFrom");
        for name in self.list(&at, included) {
            if !snapshots.contains(name.as_str().unwrap_or_default()) {
                self.add(&at, &format!("{name} binding name not found"));
            }
        }
    }
}

/// A Go duration of one unit, which is all that our hooks write.
fn is_duration(text: &str) -> bool {
    text.strip_suffix('s').is_some_and(|digits| digits.parse::<u32>().is_ok())
}

/// The rules can find what they are for.
#[test]
fn each_rule_refuses_what_breaks_it() {
    let good = json!({
        "configVersion": "v1",
        "settings": {"executionMinInterval": "5s", "executionBurst": 2},
        "kubernetes": [{
            "name": "a", "apiVersion": "g/v1", "kind": "K", "includeSnapshotsFrom": ["a"], "queue": "a",
            "namespace": {"nameSelector": {"matchNames": ["n"]}}, "executeHookOnEvent": ["Added"],
        }],
        "schedule": [{"name": "b", "crontab": "0 * * * *", "includeSnapshotsFrom": ["a"], "allowFailure": true}],
    });
    assert_eq!(problems(&good), Vec::<String>::new());
    let table = [
        ("/configVersion", json!("v2"), "unsupported"),
        ("/settings", json!({"executionBurst": 2}), "executionMinInterval is required"),
        ("/settings/executionMinInterval", json!("5"), "no duration"),
        ("/settings/executionBurst", json!("2"), "integer"),
        ("/kubernetes", json!([]), "at least 1"),
        ("/kubernetes/0/kind", json!(null), "null"),
        ("/kubernetes/0/name", json!("b"), "not unique"),
        ("/kubernetes/0/apiVersion", json!("a/b/c"), "invalid"),
        ("/kubernetes/0/executeHookOnEvent", json!(["Changed"]), "one of"),
        ("/kubernetes/0/includeSnapshotsFrom", json!([]), "at least 1"),
        ("/kubernetes/0/queue", json!("main"), "shared"),
        ("/kubernetes/0/namespace", json!({"nameSelector": ["n"]}), "must be an object"),
        ("/kubernetes/0/namespace/nameSelector/matchNames", json!([]), "at least 1"),
        ("/schedule/0/includeSnapshotsFrom", json!(["b"]), "not found"),
        ("/schedule/0/crontab", json!("*/0 * * * *"), "hangs"),
        ("/schedule/0/crontab", json!("* * * *"), "found 4"),
        ("/schedule/0/allowFailure", json!("true"), "boolean"),
        ("/schedule", json!([{"name": "b", "crontab": "@hourly", "binding": "x"}]), "forbidden"),
    ];
    for (pointer, value, said) in table {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).expect("a pointer into the document") = value;
        let found = problems(&bad);
        assert!(found.iter().any(|problem| problem.contains(said)), "{pointer}, {said}: {found:?}");
    }
    assert!(!problems(&json!({"configVersion": "v1"})).is_empty());
}
