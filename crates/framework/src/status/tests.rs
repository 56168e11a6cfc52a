use super::*;

const NOW: &str = "2026-11-29T13:30:07Z";

fn now() -> Timestamp {
    Timestamp::parse(NOW).unwrap()
}

fn synced() -> Verdict {
    Verdict::synced("widget", &[], Map::new())
}

/// The status after a patch, as the server merges it.
fn after(current: &Value, patch: &Value) -> Value {
    let mut status = current.clone();
    if status.is_null() {
        status = json!({});
    }
    for (key, value) in patch["status"].as_object().unwrap() {
        status[key] = value.clone();
    }
    status
}

#[test]
fn a_first_status_has_every_field() {
    let patch = patch(&Value::Null, Some(3), &synced(), &[], now()).unwrap();
    let message = "Successfully reconciled widget";
    assert_eq!(
        patch,
        json!({"status": {
            "syncStatus": "Synced", "lastSyncTime": NOW, "message": message, "observedGeneration": 3,
            "conditions": [{"type": "Ready", "status": "True", "reason": "Reconciled", "message": message,
                "observedGeneration": 3, "lastTransitionTime": NOW}],
        }})
    );
}

#[test]
fn nothing_is_written_when_only_a_time_would_change() {
    let status = after(&Value::Null, &patch(&Value::Null, Some(3), &synced(), &[], now()).unwrap());
    let later = Timestamp::from_unix(now().unix() + 60);
    assert_eq!(patch(&status, Some(3), &synced(), &[], later), None);
    assert!(patch(&status, Some(4), &synced(), &[], later).is_some());
    assert!(patch(&status, Some(3), &Verdict::failed("X", "no"), &[], later).is_some());
}

#[test]
fn the_transition_time_moves_only_when_ready_flips() {
    let status = after(&Value::Null, &patch(&Value::Null, Some(3), &synced(), &[], now()).unwrap());
    let later = Timestamp::from_unix(now().unix() + 60);
    let time = |patch: Value| patch["status"]["conditions"][0]["lastTransitionTime"].clone();
    assert_eq!(time(patch(&status, Some(4), &synced(), &[], later).unwrap()), NOW);
    let failed = Verdict::failed("ReconcileError", "no");
    assert_eq!(time(patch(&status, Some(3), &failed, &[], later).unwrap()), later.to_string());
}

#[test]
fn a_missing_extra_key_is_filled_in_unless_the_crd_does_not_keep_it() {
    let mut verdict = synced();
    verdict.extra.insert("prefixes".to_owned(), json!([1]));
    let status = after(&Value::Null, &patch(&Value::Null, Some(3), &synced(), &[], now()).unwrap());
    assert_eq!(patch(&status, Some(3), &verdict, &[], now()).unwrap()["status"]["prefixes"], json!([1]));
    assert_eq!(patch(&status, Some(3), &verdict, &["prefixes".to_owned()], now()), None);
}

#[test]
fn long_messages_are_cut_to_what_the_crd_takes() {
    let verdict = Verdict::failed("ReconcileError", "ž".repeat(3000));
    let message = patch(&Value::Null, None, &verdict, &[], now()).unwrap()["status"]["message"].clone();
    let message = message.as_str().unwrap();
    assert_eq!(message.chars().count(), 2048);
    assert!(message.ends_with("ž..."));
}

#[test]
fn notes_are_joined_behind_the_message() {
    let verdict = Verdict::synced("widget", &["a".to_owned(), "b".to_owned()], Map::new());
    assert_eq!(verdict.message, "Successfully reconciled widget; needs manual action: a; b");
}

#[test]
fn current_needs_both_generations_and_the_condition() {
    let good = after(&Value::Null, &patch(&Value::Null, Some(3), &synced(), &[], now()).unwrap());
    assert!(is_synced_at(&good, Some(3)));
    assert!(!is_synced_at(&good, Some(4)));
    assert!(!is_synced_at(&good, None));
    for (pointer, value) in [
        ("/syncStatus", json!("Unknown")),
        ("/observedGeneration", json!(2)),
        ("/conditions/0/observedGeneration", json!(2)),
        ("/conditions/0/status", json!("False")),
        ("/conditions/0/type", json!("Other")),
        ("/conditions", json!(null)),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value;
        assert!(!is_synced_at(&bad, Some(3)), "{pointer}");
    }
}

#[test]
fn a_failure_counts_for_its_own_generation_only() {
    let verdict = Verdict::failed("InvalidSpec", "no");
    let status = after(&Value::Null, &patch(&Value::Null, Some(3), &verdict, &[], now()).unwrap());
    let failure = Failure::at(&status, Some(3)).unwrap();
    assert!(failure.is_invalid_spec());
    assert_eq!(failure.since, Some(now()));
    assert_eq!(Failure::at(&status, Some(4)), None);
    assert_eq!(Failure::at(&json!(null), Some(3)), None);
}
