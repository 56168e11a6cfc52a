//! Server-side apply, and the bookkeeping of field owners that it rests on.

mod managers;
mod node;
mod paths;
mod typed;

use serde_json::Value;

use crate::kube::apply::managers::{Manager, Managers, Operation, now, ownable};
pub(crate) use crate::kube::apply::node::{List, Node, root};
use crate::kube::apply::paths::{Paths, Step};
use crate::kube::apply::typed::{Changes, compare, faults, fields, find, merge, remove};
use crate::kube::kind::{Kind, Version};
use crate::kube::meta;
use crate::kube::status::Status;
use crate::kube::write::Part;

/// Who applies, and whether it takes what others own.
#[derive(Debug)]
pub(crate) struct Applier<'a> {
    pub(crate) manager: &'a str,
    pub(crate) force: bool,
}

/// What an apply makes of an object: the merged object, with its new managers in `metadata.managedFields`.
///
/// `live` is `None` where there is no object yet.
///
/// # Errors
/// 400 for another kind or managed fields in the body, 500 for unknown fields and wrong types, 409 for conflicts: all
/// as measured.
pub(crate) fn applied(
    kind: &Kind,
    version: &Version,
    live: Option<&Value>,
    config: &Value,
    applier: &Applier<'_>,
    part: Part,
) -> Result<Value, Status> {
    let api_version = kind.api_version(&version.name);
    check_identity(kind, &api_version, config)?;
    if config["metadata"]["managedFields"].as_array().is_some_and(|entries| !entries.is_empty()) {
        return Err(Status::bad_request("metadata.managedFields must be nil"));
    }
    let schema = root(version.schema.as_ref());
    let node = Node::new(Some(&schema));
    let found = faults(config, node);
    if !found.is_empty() {
        let list =
            if let [one] = &found[..] { one.clone() } else { format!("errors:\n  {}", found.join("\n  ")) };
        let who = subject(config);
        return Err(Status::internal(&format!("failed to create typed patch object ({who}): {list}")));
    }
    let empty = Value::Object(serde_json::Map::new());
    let mut before = live.cloned().unwrap_or_else(|| empty.clone());
    let mut managers = Managers::of(&before);
    forget_managers(&mut before);
    let guard = guard(version, part);
    if let (Some(live), true) = (live, managers.is_empty()) {
        // Stored before anybody kept book of owners.
        let who = Manager::new("before-first-apply", Operation::Update, &api_version, "");
        managers.update(who, &changes(version, &empty, live, part));
    }
    let subresource = if part == Part::Status { "status" } else { "" };
    let mut who = Manager::new(applier.manager, Operation::Apply, &api_version, subresource);
    let had = managers.get(&who).cloned();
    who.time = had.as_ref().and_then(|had| had.time.clone());
    who.fields = fields(config, node);
    who.fields.retain(|path| ownable(path, guard));

    let mut merged = before.clone();
    merge(&mut merged, config, node);
    let mut with_new = managers.clone();
    with_new.set(who.clone());
    if let Some(had) = had {
        drop_given_up(&mut merged, &had.fields, &with_new.owned(), node);
    }
    let mut changes = compare(&before, &merged, node);
    restrict(&mut changes, guard);
    let conflicts = with_new.conflicts(&who, &changes);
    if !conflicts.is_empty() && !applier.force {
        return Err(Status::apply_conflict(&conflicts.message(), &conflicts.causes()));
    }
    with_new.yield_to(&who, &changes);
    if merged != before {
        who.time = Some(now());
    }
    with_new.set(who);
    with_new.write(&mut merged);
    Ok(merged)
}

/// Owners after a write that is no apply: `manager` owns what it changed.
///
/// `asked` is what it says of the managers itself, if that is not what there is (measured): a list of others takes the
/// place of theirs, `[]` and `[{}]` mean nobody, and then it owns nothing either.
pub(crate) fn updated(
    kind: &Kind,
    version: &Version,
    old: Option<&Value>,
    new: &mut Value,
    manager: &str,
    part: Part,
    asked: Option<&Value>,
) {
    let asked = asked.and_then(Value::as_array);
    if asked.is_some_and(|asked| asked.iter().all(|entry| *entry == Value::Object(serde_json::Map::new()))) {
        return forget_managers(new);
    }
    let empty = Value::Object(serde_json::Map::new());
    let old = old.unwrap_or(&empty);
    let subresource = if part == Part::Status { "status" } else { "" };
    let who = Manager::new(manager, Operation::Update, &kind.api_version(&version.name), subresource);
    let mut managers = match asked {
        Some(asked) => Managers::of(&serde_json::json!({"metadata": {"managedFields": asked}})),
        None => Managers::of(old),
    };
    let mut changes = changes(version, old, new, part);
    if kind.builtin {
        changes.added.retain(|path| !always_there(path));
    }
    managers.update(who, &changes);
    managers.write(new);
}

/// True if two objects are the same but for the times of their managers.
pub(crate) fn same_but_for_times(a: &Value, b: &Value) -> bool {
    let timeless = |object: &Value| {
        let mut object = object.clone();
        let entries = object["metadata"].get_mut("managedFields").and_then(Value::as_array_mut);
        for entry in entries.into_iter().flatten().filter_map(Value::as_object_mut) {
            entry.remove("time");
        }
        object
    };
    timeless(a) == timeless(b)
}

fn changes(version: &Version, old: &Value, new: &Value, part: Part) -> Changes {
    let schema = root(version.schema.as_ref());
    let (mut old, mut new) = (old.clone(), new.clone());
    forget_managers(&mut old);
    forget_managers(&mut new);
    let mut changes = compare(&old, &new, Node::new(Some(&schema)));
    restrict(&mut changes, guard(version, part));
    changes
}

/// With the subresource, a write is about the status alone or about everything else.
fn guard(version: &Version, part: Part) -> Option<bool> {
    version.status.then_some(part == Part::Status)
}

fn restrict(changes: &mut Changes, guard: Option<bool>) {
    for paths in [&mut changes.added, &mut changes.modified, &mut changes.removed] {
        paths.retain(|path| ownable(path, guard));
    }
}

fn forget_managers(object: &mut Value) {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("managedFields");
    }
}

/// Removes what the manager had applied before and nobody owns any more. Named fields above its own go too, with all
/// that is in them, if nothing in them is owned (measured: an empty apply takes a defaulted `spec` away).
fn drop_given_up(merged: &mut Value, had: &Paths, owned: &Paths, node: Node<'_>) {
    let mut given_up = had.clone();
    for path in had.iter() {
        let mut at = node;
        for (depth, step) in path.iter().enumerate() {
            if matches!(step, Step::Field(name) if at.declares(name)) && depth + 1 < path.len() {
                given_up.insert(&path[..=depth]);
            }
            at = at.at(step);
        }
    }
    for path in given_up.iter() {
        let names_it = matches!(&path[..], [Step::Field(first)] if first == "metadata");
        if !names_it && !owned.reaches(path) && find(merged, path, node).is_some() {
            remove(merged, path, node);
        }
    }
}

fn check_identity(kind: &Kind, api_version: &str, config: &Value) -> Result<(), Status> {
    let text = |key: &str| config[key].as_str().unwrap_or_default();
    if (text("apiVersion"), text("kind")) == (api_version, kind.kind.as_str()) {
        return Ok(());
    }
    Err(Status::bad_request(format!("invalid object type: {}", group_version_kind(config))))
}

/// `example.com/v1, Kind=Widget`; the core group is empty.
fn group_version_kind(object: &Value) -> String {
    let text = |key: &str| object[key].as_str().unwrap_or_default();
    let api_version = text("apiVersion");
    let slash = if api_version.contains('/') { "" } else { "/" };
    format!("{slash}{api_version}, Kind={}", text("kind"))
}

/// `<namespace>/<name>; <kind>`, as the server names an object that it cannot read; the namespace is the body's.
pub(crate) fn subject(config: &Value) -> String {
    format!(
        "{}/{}; {}",
        meta::text(config, "namespace"),
        meta::text(config, "name"),
        group_version_kind(config)
    )
}

/// Fields of built-in kinds that are there in every object: creating one does not make their parent one's own.
fn always_there(path: &[Step]) -> bool {
    const ALWAYS: [&[&str]; 7] = [
        &["spec"],
        &["status"],
        &["spec", "strategy"],
        &["spec", "template"],
        &["spec", "template", "metadata"],
        &["spec", "template", "spec"],
        &["spec", "template", "spec", "containers"],
    ];
    ALWAYS.iter().any(|names| {
        names.len() == path.len()
            && path.iter().zip(*names).all(|(step, name)| matches!(step, Step::Field(field) if field == name))
    })
}
