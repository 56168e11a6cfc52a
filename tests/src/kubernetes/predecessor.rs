//! What the previous implementation leaves behind: flavors and profiles with markers, CRs with finalizers and statuses,
//! CRs that hang in Terminating.

use serde_json::{Value, json};

use super::{NRF, Stage};
use crate::scenarios::cloud::marked_metainfo;
use crate::scenarios::{MARKER, SINGLE};

const FINALIZER: &str = "openstack-sync.understack.rackspace.net/finalizer";

/// A flavor in place with its CR, as `PRUNE=true` leaves them; answers the CR.
///
/// # Panics
/// If anything of it is refused.
#[track_caller]
pub fn plant(stage: &Stage, name: &str, profile: &Value) -> Value {
    stage.home.plant_flavor(name, MARKER, &[profile]);
    let mut cr = stage.cr(name, json!({}));
    cr["metadata"]["finalizers"] = json!([FINALIZER]);
    stage.plane.create(NRF, &cr);
    let time = "2026-05-04T03:02:01Z";
    let message = "Successfully reconciled router flavor";
    let condition = json!({
        "type": "Ready", "status": "True", "reason": "Reconciled", "message": message,
        "observedGeneration": 1, "lastTransitionTime": time,
    });
    let status = json!({
        "syncStatus": "Synced", "lastSyncTime": time, "message": message, "observedGeneration": 1,
        "conditions": [condition],
    });
    stage.plane.merge_status(NRF, stage.namespace(), name, &json!({"status": status}))
}

/// The profile that the flavors of [`plant`] share.
pub fn profile(stage: &Stage) -> Value {
    stage.home.plant_profile(SINGLE, &marked_metainfo("auto"))
}
