//! What the previous implementation leaves behind: flavors and profiles with markers, CRs with finalizers and statuses,
//! CRs that hang in Terminating.

use serde_json::{Value, json};

use super::{NRF, Stage};
use crate::scenarios::cloud::marked_metainfo;
use crate::scenarios::takeover::former_status;
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
    stage.plane.merge_status(NRF, stage.namespace(), name, &json!({"status": former_status()}))
}

/// The profile that the flavors of [`plant`] share.
pub fn profile(stage: &Stage) -> Value {
    stage.home.plant_profile(SINGLE, &marked_metainfo("auto"))
}
