//! What a CR says of itself, of whatever kind.

use serde_json::{Value, json};

use super::{ControlPlane, Kind, eventually};

const FINALIZER: &str = "openstack-sync.understack.rackspace.net/finalizer";

/// `syncStatus`, the reason of `Ready`, and the message of a CR, as `Synced (Reconciled): ...`.
pub fn verdict(cr: &Value) -> String {
    let status = &cr["status"];
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let (word, reason) = (text(&status["syncStatus"]), text(&status["conditions"][0]["reason"]));
    format!("{word} ({reason}): {}", text(&status["message"]))
}

/// Whether a CR has our finalizer.
pub fn is_finalized(cr: &Value) -> bool {
    cr["metadata"]["finalizers"].as_array().is_some_and(|all| all.contains(&json!(FINALIZER)))
}

/// Waits until the verdict of a CR at its present generation begins like this; answers the CR.
#[track_caller]
pub(super) fn reaches(plane: &ControlPlane, kind: Kind, namespace: &str, name: &str, start: &str) -> Value {
    eventually(|| {
        let cr = plane.get(kind, namespace, name).ok_or_else(|| format!("no CR {name}"))?;
        let current = cr["status"]["observedGeneration"] == cr["metadata"]["generation"];
        let told = verdict(&cr);
        if current && told.starts_with(start) { Ok(cr) } else { Err(format!("{name}: {told}, not {start}")) }
    })
}

/// Waits until a CR has failed for this reason at its present generation, with these words in its message.
#[track_caller]
pub(super) fn fails(
    plane: &ControlPlane,
    kind: Kind,
    (namespace, name): (&str, &str),
    reason: &str,
    words: &[&str],
) -> Value {
    let cr = reaches(plane, kind, namespace, name, &format!("Failed ({reason}): "));
    let told = verdict(&cr);
    words.iter().for_each(|word| assert!(told.contains(word), "no {word:?} in {told}"));
    cr
}

/// Waits until a CR is gone.
#[track_caller]
pub(super) fn goes(plane: &ControlPlane, kind: Kind, namespace: &str, name: &str) {
    eventually(|| match plane.get(kind, namespace, name) {
        Some(cr) => Err(format!("{name} is still there: {}, {}", verdict(&cr), cr["metadata"])),
        None => Ok(()),
    });
}
