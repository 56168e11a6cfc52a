//! What a world looks like, ids and times aside.

use serde_json::{Value, json};

use crate::world::World;
use openstack_sync_tests::KIND;

/// Everything that must be as if no fault had been: the clouds, and the CRs.
pub(crate) fn state(world: &World) -> Value {
    json!({"clouds": clouds(world), "crs": crs(world, true)})
}

/// The same without statuses.
pub(crate) fn state_without_statuses(world: &World) -> Value {
    json!({"clouds": clouds(world), "crs": crs(world, false)})
}

/// Managed profiles that no flavor has.
pub(crate) fn orphans(world: &World) -> Vec<Value> {
    let clouds = clouds(world);
    let profiles = clouds
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|cloud| cloud["profiles"].as_array().into_iter().flatten());
    let managed = |profile: &&Value| profile["metainfo"].to_string().contains("router_flavor_operator");
    profiles.filter(managed).filter(|profile| profile["flavors"] == json!([])).cloned().collect()
}

fn clouds(world: &World) -> Value {
    let mut clouds = Vec::new();
    for cloud in world.clouds() {
        let (flavors, profiles) = (cloud.neutron().flavors(), cloud.neutron().profiles());
        let has = |flavor: &Value, profile: &Value| {
            flavor["service_profiles"].as_array().is_some_and(|ids| ids.contains(&profile["id"]))
        };
        let plain = |thing: &Value| {
            let mut thing = thing.clone();
            let map = thing.as_object_mut().expect("an object");
            map.remove("id");
            map.remove("service_profiles");
            thing
        };
        let mut shown_profiles: Vec<Value> = Vec::new();
        for profile in &profiles {
            let of =
                flavors.iter().filter(|flavor| has(flavor, profile)).map(|flavor| flavor["name"].clone());
            let mut shown = plain(profile);
            shown["flavors"] = sorted(of.collect());
            shown_profiles.push(shown);
        }
        let shown_flavors = flavors.iter().map(plain).collect();
        clouds.push(json!({"flavors": sorted(shown_flavors), "profiles": sorted(shown_profiles)}));
    }
    clouds.into()
}

fn crs(world: &World, statuses: bool) -> Value {
    let mut shown = Vec::new();
    for cr in world.site.dev.kube().list(KIND) {
        let metadata = &cr["metadata"];
        let mut one = json!({
            "name": metadata["name"], "spec": cr["spec"], "finalizers": metadata.get("finalizers"),
            "annotations": metadata.get("annotations").filter(|all| **all != json!({})),
        });
        if statuses {
            let (status, ready) = (&cr["status"], &cr["status"]["conditions"][0]);
            one["status"] = json!({
                "syncStatus": status["syncStatus"], "observedGeneration": status["observedGeneration"],
                "message": without_ids(status["message"].as_str().unwrap_or_default()),
                "ready": [ready["status"], ready["reason"]],
            });
        }
        shown.push(one);
    }
    shown.into()
}

fn sorted(mut things: Vec<Value>) -> Value {
    things.sort_by_key(Value::to_string);
    things.into()
}

/// Replaces what looks like an id.
fn without_ids(message: &str) -> String {
    let words = message.split(' ').map(|word| {
        let looks_like_one = word.len() >= 36 && word.bytes().filter(|byte| *byte == b'-').count() == 4;
        if looks_like_one { "<id>" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn ids_are_no_difference() {
    assert_eq!(without_ids("profile 0f8fad5b-d9cb-469f-a165-70867728950e is bound"), "profile <id> is bound");
}
