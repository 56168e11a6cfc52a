//! `metadata.managedFields`: who owns which fields of an object.

use std::time::SystemTime;

use serde_json::{Value, json};

use crate::kube::apply::paths::{Path, Paths, Step, shown};
use crate::kube::apply::typed::Changes;
use crate::time;

/// How a manager came to own fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operation {
    Apply,
    Update,
}

/// One manager of an object's fields.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Manager {
    pub(crate) name: String,
    pub(crate) operation: Operation,
    pub(crate) api_version: String,
    /// Empty, or `status`.
    pub(crate) subresource: String,
    /// When it last changed the object; none for one whose first apply changed nothing (measured).
    pub(crate) time: Option<String>,
    pub(crate) fields: Paths,
}

impl Manager {
    pub(crate) fn new(name: &str, operation: Operation, api_version: &str, subresource: &str) -> Self {
        Self {
            name: name.to_owned(),
            operation,
            api_version: api_version.to_owned(),
            subresource: subresource.to_owned(),
            time: None,
            fields: Paths::default(),
        }
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        (&self.name, self.operation, &self.api_version, &self.subresource)
            == (&other.name, other.operation, &other.api_version, &other.subresource)
    }

    /// As a conflict names it.
    fn said(&self) -> String {
        let mut text = format!("{:?}", self.name);
        if !self.subresource.is_empty() {
            text.push_str(&format!(" with subresource {:?}", self.subresource));
        }
        if self.operation == Operation::Update {
            text.push_str(&format!(" using {}", self.api_version));
        }
        text
    }
}

/// The managers of an object.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Managers(Vec<Manager>);

impl Managers {
    pub(crate) fn of(object: &Value) -> Self {
        let entries = object["metadata"]["managedFields"].as_array().into_iter().flatten();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Self(
            entries
                .map(|entry| Manager {
                    name: text(&entry["manager"]),
                    operation: if entry["operation"] == "Apply" {
                        Operation::Apply
                    } else {
                        Operation::Update
                    },
                    api_version: text(&entry["apiVersion"]),
                    subresource: text(&entry["subresource"]),
                    time: entry["time"].as_str().map(str::to_owned),
                    fields: Paths::from_fields(&entry["fieldsV1"]),
                })
                .collect(),
        )
    }

    /// Writes them into the object; none of them means no key.
    pub(crate) fn write(&self, object: &mut Value) {
        let mut managers = self.0.clone();
        managers.sort_by(|a, b| {
            (a.operation, &a.time, &a.name, &a.subresource).cmp(&(
                b.operation,
                &b.time,
                &b.name,
                &b.subresource,
            ))
        });
        let entries: Vec<Value> = managers.iter().map(encode).collect();
        let Some(metadata) = object["metadata"].as_object_mut() else { return };
        if entries.is_empty() {
            metadata.remove("managedFields");
        } else {
            metadata.insert("managedFields".into(), entries.into());
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, who: &Manager) -> Option<&Manager> {
        self.0.iter().find(|manager| manager.is(who))
    }

    /// Replaces the manager's entry; one without fields goes.
    pub(crate) fn set(&mut self, who: Manager) {
        self.0.retain(|manager| !manager.is(&who));
        if !who.fields.is_empty() {
            self.0.push(who);
        }
    }

    /// What all of them own.
    pub(crate) fn owned(&self) -> Paths {
        self.0.iter().fold(Paths::default(), |all, manager| all.union(&manager.fields))
    }

    /// Fields of others that these changes touch, by manager.
    pub(crate) fn conflicts(&self, who: &Manager, changes: &Changes) -> Conflicts {
        let touched = changes.modified.union(&changes.added);
        let mut found: Vec<(String, Vec<Path>)> = Vec::new();
        for manager in self.0.iter().filter(|manager| !manager.is(who)) {
            let paths = manager.fields.intersection(&touched);
            if !paths.is_empty() {
                found.push((manager.said(), paths.in_order_of_telling()));
            }
        }
        found.sort();
        Conflicts(found)
    }

    /// Takes from all others what these changes touch.
    pub(crate) fn yield_to(&mut self, who: &Manager, changes: &Changes) {
        let touched = changes.modified.union(&changes.added).union(&changes.removed);
        for manager in self.0.iter_mut().filter(|manager| !manager.is(who)) {
            manager.fields = manager.fields.difference(&touched);
        }
        self.0.retain(|manager| !manager.fields.is_empty());
    }

    /// Records an update (POST, PUT or a patch that is no apply) with these changes.
    pub(crate) fn update(&mut self, who: Manager, changes: &Changes) {
        self.yield_to(&who, changes);
        let known = self.get(&who).cloned();
        let had = known.as_ref().map(|known| known.fields.clone()).unwrap_or_default();
        let took = changes.modified.union(&changes.added);
        let time = if took.is_empty() { known.and_then(|known| known.time) } else { Some(now()) };
        let fields = had.difference(&changes.removed).union(&took);
        self.set(Manager { fields, time, ..who });
    }
}

fn encode(manager: &Manager) -> Value {
    let mut entry = json!({
        "manager": manager.name,
        "operation": if manager.operation == Operation::Apply { "Apply" } else { "Update" },
        "apiVersion": manager.api_version,
        "fieldsType": "FieldsV1",
        "fieldsV1": manager.fields.to_fields(),
    });
    if let Some(time) = &manager.time {
        entry["time"] = time.clone().into();
    }
    if !manager.subresource.is_empty() {
        entry["subresource"] = manager.subresource.clone().into();
    }
    entry
}

/// The time as `managedFields` has it.
pub(crate) fn now() -> String {
    time::seconds(SystemTime::now())
}

/// Conflicting fields by manager.
#[derive(Debug)]
pub(crate) struct Conflicts(Vec<(String, Vec<Path>)>);

impl Conflicts {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The causes' message and field, one for each field and manager.
    pub(crate) fn causes(&self) -> Vec<(String, String)> {
        let of = |(said, paths): &(String, Vec<Path>)| -> Vec<(String, String)> {
            paths.iter().map(|path| (format!("conflict with {said}"), shown(path))).collect()
        };
        self.0.iter().flat_map(of).collect()
    }

    pub(crate) fn message(&self) -> String {
        let causes = self.causes();
        if let [(what, path)] = &causes[..] {
            return format!("Apply failed with 1 conflict: {what}: {path}");
        }
        let mut lines = Vec::new();
        for (said, paths) in &self.0 {
            lines.push(format!("conflicts with {said}:"));
            lines.extend(paths.iter().map(|path| format!("- {}", shown(path))));
        }
        format!("Apply failed with {} conflicts: {}", causes.len(), lines.join("\n"))
    }
}

/// Fields that nobody owns: what names an object, and what the server alone writes.
const NOBODYS: [&str; 8] = [
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "generation",
    "managedFields",
    "resourceVersion",
];

/// True if a field may be owned by someone who writes this part of an object (with `status`: only the status).
pub(crate) fn ownable(path: &[Step], status: Option<bool>) -> bool {
    let Some(Step::Field(first)) = path.first() else { return false };
    match (first.as_str(), path.get(1)) {
        ("apiVersion" | "kind", _) | ("metadata", None) => return false,
        ("metadata", Some(Step::Field(name))) if NOBODYS.contains(&name.as_str()) => return false,
        _ => {}
    }
    status.is_none_or(|status| status == (first == "status"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applies_come_first_then_by_time_then_by_name() {
        let entry = |name: &str, operation: &str, time: Option<&str>| {
            let mut entry = json!({
                "manager": name, "operation": operation, "apiVersion": "v1", "fieldsType": "FieldsV1",
                "fieldsV1": {"f:data": {}},
            });
            if let Some(time) = time {
                entry["time"] = time.into();
            }
            entry
        };
        let sorted = [
            entry("never", "Apply", None),
            entry("b", "Apply", Some("2026-01-01T00:00:01Z")),
            entry("a", "Apply", Some("2026-01-01T00:00:02Z")),
            entry("c", "Apply", Some("2026-01-01T00:00:02Z")),
            entry("early", "Update", Some("2026-01-01T00:00:00Z")),
        ];
        let mut object = json!({"metadata": {"managedFields": sorted.iter().rev().collect::<Vec<_>>()}});
        Managers::of(&object).write(&mut object);
        assert_eq!(object["metadata"]["managedFields"], json!(sorted));
    }
}
