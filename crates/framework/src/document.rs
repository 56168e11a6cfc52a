//! The document that a hook answers to `--config`.
//!
//! Rules of the other side (shell-operator's schema): no key may be null, no array empty, names unique,
//! `settings` complete.

use serde_json::{Map, Value, json};

use crate::config::{Bindings, Watch};

/// Name of the schedule that runs everything: the site's `SYNC_CRONTAB`.
pub const PERIODIC_SYNC: &str = "periodic sync";
/// Name of the schedule that repeats what is not current.
pub const CATCH_UP: &str = "catch-up";

/// Wakes the hook only for what people change. It leaves out status, finalizers and the `applied`
/// annotation, which the hook writes itself; it holds the uid, since an object that was deleted and made
/// again between two lists would otherwise be no event. It must be total: an error drops the event.
const JQ_FILTER: &str = "{uid: .metadata?.uid?, generation: .metadata?.generation?, \
deletionTimestamp: .metadata?.deletionTimestamp?, \
abandon: .metadata?.annotations?[\"openstack-sync.understack.rackspace.net/abandon\"]?}";

fn settings() -> Value {
    json!({"executionMinInterval": "5s", "executionBurst": 2})
}

/// The answer of a disabled hook: shell-operator refuses a hook without bindings, and a startup run of a
/// disabled hook does nothing.
pub fn disabled() -> Value {
    json!({"configVersion": "v1", "settings": settings(), "onStartup": 10})
}

/// The answer of an enabled hook without CRs that only runs on a schedule named `name`.
pub fn scheduled(name: &str, queue: &str, crontab: &str) -> Value {
    json!({
        "configVersion": "v1",
        "settings": settings(),
        "schedule": [{"name": name, "crontab": crontab, "queue": queue, "allowFailure": true}],
    })
}

/// The answer of an enabled CR hook.
///
/// Events come without a snapshot: shell-operator would write it once for each of them, so that a thousand CRs
/// applied at once would be a file with a million objects. The run lists the CRs itself instead.
///
/// With a catch-up schedule every binding may fail: shell-operator then drops the task instead of blocking
/// its queue, and the catch-up run is the retry. Without one, shell-operator's retry is the only one.
pub fn bindings(bindings: &Bindings) -> Value {
    let queue = bindings.binding.as_str();
    let catch_up = bindings.has_catch_up();
    let mut watch = json!({
        "name": queue,
        "apiVersion": bindings.api_version,
        "kind": bindings.kind,
        "executeHookOnEvent": ["Added", "Modified", "Deleted"],
        "executeHookOnSynchronization": !catch_up,
        "jqFilter": JQ_FILTER,
        "queue": queue,
        "allowFailure": catch_up,
    });
    if let Watch::Names(names) = &bindings.watch {
        watch["namespace"] = json!({"nameSelector": {"matchNames": names}});
    }
    let mut document = Map::new();
    document.insert("configVersion".to_owned(), json!("v1"));
    document.insert("settings".to_owned(), settings());
    document.insert("kubernetes".to_owned(), json!([watch]));
    let catch_up_crontab = bindings.catch_up_crontab.as_ref().filter(|_| catch_up);
    let schedules: Vec<Value> =
        [(PERIODIC_SYNC, bindings.sync_crontab.as_ref()), (CATCH_UP, catch_up_crontab)]
            .into_iter()
            .filter_map(|(name, crontab)| {
                Some(json!({
                    "name": name,
                    "crontab": crontab?,
                    "includeSnapshotsFrom": [queue],
                    "queue": queue,
                    "allowFailure": catch_up,
                }))
            })
            .collect();
    if !schedules.is_empty() {
        document.insert("schedule".to_owned(), Value::Array(schedules));
    }
    Value::Object(document)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;
    use crate::names::ABANDON_ANNOTATION;

    fn document(more: &[(&str, &str)]) -> Value {
        let crd = [
            ("P_CRD_API_VERSION", "example.com/v1"),
            ("P_CRD_KIND", "Widget"),
            ("P_CRD_RESOURCE", "widgets.example.com"),
        ];
        let env = Env::from_pairs(crd.iter().chain(more).copied());
        bindings(&Bindings::from_env("P", "widgets", &env).unwrap())
    }

    #[test]
    fn with_a_catch_up_every_binding_may_fail_and_synchronization_is_off() {
        let document = document(&[("P_STATUS_ENABLED", "true"), ("P_SYNC_CRONTAB", "0 * * * *")]);
        let watch = &document["kubernetes"][0];
        assert_eq!(watch["executeHookOnSynchronization"], false);
        assert_eq!(watch["allowFailure"], true);
        let names: Vec<_> = document["schedule"].as_array().unwrap().iter().map(|s| &s["name"]).collect();
        assert_eq!(names, ["periodic sync", "catch-up"]);
        assert!(document["schedule"].as_array().unwrap().iter().all(|s| s["allowFailure"] == true));
        assert_eq!(watch.get("namespace"), None);
    }

    #[test]
    fn without_one_the_operator_retries() {
        for more in [&[("P_CATCH_UP_CRONTAB", ""), ("P_STATUS_ENABLED", "true")][..], &[]] {
            let document = document(more);
            assert_eq!(document["kubernetes"][0]["executeHookOnSynchronization"], true);
            assert_eq!(document["kubernetes"][0]["allowFailure"], false);
            assert_eq!(document.get("schedule"), None, "no crontab, no key");
        }
    }

    #[test]
    fn namespaces_are_a_name_selector() {
        let document = document(&[("WATCH_NAMESPACES", "a b")]);
        assert_eq!(
            document["kubernetes"][0]["namespace"],
            json!({"nameSelector": {"matchNames": ["a", "b"]}})
        );
    }

    #[test]
    fn no_key_is_null_and_no_array_is_empty() {
        fn check(value: &Value) {
            match value {
                Value::Null => panic!("shell-operator refuses null"),
                Value::Array(items) => {
                    assert!(!items.is_empty());
                    items.iter().for_each(check);
                }
                Value::Object(map) => map.values().for_each(check),
                _ => {}
            }
        }
        check(&document(&[]));
        check(&document(&[("P_STATUS_ENABLED", "true"), ("P_SYNC_CRONTAB", "@hourly")]));
        check(&disabled());
        check(&scheduled("probe", "placeholder", "*/10 * * * *"));
    }

    #[test]
    fn the_filter_names_the_annotation() {
        assert!(JQ_FILTER.contains(ABANDON_ANNOTATION));
    }
}
