use openshift_templates::Reference;
use serde_json::{Value, json};

use super::*;

fn live(owner: Option<&str>) -> Live {
    let labels = owner.map_or(json!(null), |owner| json!({OWNER_LABEL: owner, "app": "web"}));
    let managers = json!([{"manager": "template-workloads/cr"}, {"manager": "kubectl"}]);
    let metadata =
        json!({"uid": "object", "resourceVersion": "7", "labels": labels, "managedFields": managers});
    Live::read(&json!({"metadata": metadata})).unwrap()
}

fn reference(uid: Option<&str>) -> Reference {
    Reference {
        api_version: "v1".into(),
        kind: "Secret".into(),
        namespace: "n".into(),
        name: "a".into(),
        uid: uid.map(str::to_owned),
    }
}

#[test]
fn a_live_object_is_read_and_one_without_identity_is_none() {
    assert_eq!(live(Some("cr")).owner.as_deref(), Some("cr"));
    assert!(!live(None).is_deleting);
    assert_eq!(Live::read(&json!({"metadata": {"resourceVersion": "1"}})), None);
    assert_eq!(Live::read(&json!(null)), None);
    let metadata = json!({"uid": "o", "resourceVersion": "7", "deletionTimestamp": "2026-11-29T13:30:07Z"});
    assert!(Live::read(&json!({"metadata": metadata})).unwrap().is_deleting);
}

#[test]
fn only_ours_are_applied_to_and_nobodys_if_they_may_be_adopted() {
    let (never, this, former) = (None, Some("object"), Some("former"));
    for (owner, adopt, made, may) in [
        (Some("cr"), false, this, true),
        (Some("cr"), true, never, true),
        (None, true, never, true),
        (None, true, former, true),
        // It was ours, and somebody took the label off.
        (None, true, this, false),
        (None, false, never, false),
        (Some("other"), false, this, false),
        (Some("other"), true, never, false),
        // A label without a value is somebody's statement, too.
        (Some(""), true, never, false),
    ] {
        let allowed = live(owner).may_be_applied_by("cr", adopt, made).is_ok();
        assert_eq!(allowed, may, "{owner:?} {adopt} {made:?}");
    }
}

#[test]
fn what_was_made_has_our_label_and_the_uid_if_one_is_known() {
    for (owner, uid, ours) in [
        (Some("cr"), None, true),
        (Some("cr"), Some("object"), true),
        (Some("cr"), Some("former"), false),
        (Some("other"), Some("object"), false),
        (None, Some("object"), false),
        (None, None, false),
    ] {
        assert_eq!(live(owner).is_what_was_made("cr", &reference(uid)).is_ok(), ours, "{owner:?} {uid:?}");
    }
}

#[test]
fn a_release_takes_our_marks_and_no_other() {
    let release = |live: Live| live.release("cr", "v1", "n/web");
    let ours = json!({
        "manager": "openstack-sync", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1",
        "fieldsV1": {"f:metadata": {"f:annotations": {format!("f:{RELEASED_BY}"): {}}}},
    });
    let patch = release(live(Some("cr")));
    assert_eq!(
        patch,
        json!({"metadata": {
            "resourceVersion": "7", "labels": {OWNER_LABEL: null}, "annotations": {RELEASED_BY: "n/web"},
            "managedFields": [{"manager": "kubectl"}, ours],
        }})
    );
    let alone =
        Live { managed_fields: vec![json!({"manager": "template-workloads/cr"})], ..live(Some("cr")) };
    assert_eq!(release(alone)["metadata"]["managedFields"], json!([ours]));
    let again = Live { managed_fields: vec![ours.clone()], ..live(Some("cr")) };
    assert_eq!(release(again)["metadata"]["managedFields"], json!([ours]));
}

#[test]
fn marks_are_put_beside_what_is_there() {
    let marked = |metadata: Value, live: Option<&Live>| {
        let mut object = json!({"metadata": metadata});
        mark(&mut object, "cr", live).map(|()| object["metadata"].take())
    };
    for (before, after) in [
        (json!({"name": "a"}), json!({"name": "a", "labels": {OWNER_LABEL: "cr"}, "resourceVersion": "1"})),
        (json!({"labels": null}), json!({"labels": {OWNER_LABEL: "cr"}, "resourceVersion": "1"})),
        (
            json!({"labels": {"app": "web", OWNER_LABEL: "x"}}),
            json!({"labels": {"app": "web", OWNER_LABEL: "cr"}, "resourceVersion": "1"}),
        ),
    ] {
        assert_eq!(marked(before, None), Ok(after));
    }
    let over = marked(json!({}), Some(&live(None))).unwrap();
    assert_eq!(over, json!({"labels": {OWNER_LABEL: "cr"}, "uid": "object"}));
    assert_eq!(marked(json!({"labels": "web"}), None), Err("metadata.labels is not a map"));
    assert_eq!(marked(json!(null), None), Err("metadata is not a map"));
}
