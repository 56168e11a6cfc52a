//! What differs from the spec and cannot be corrected, in words that stay the same from run to run. Pure.

use crate::cache::Profile;
use crate::choose::profile_update;
use crate::config::WantedProfile;

/// One note per field in which a bound profile differs; Neutron refuses every change of a bound profile
/// (409, measured). The words and the Python look of the values are those of the previous implementation,
/// so that the status of an unchanged CR stays as it is.
pub fn drift(profile: &Profile, wanted: &WantedProfile) -> Vec<String> {
    let update = profile_update(profile, wanted);
    let note = |field: &str, have: String, want: String| {
        format!("service profile {} {field}: have={have} want={want}", profile.id())
    };
    let current = profile.stored.description.as_deref().unwrap_or_default();
    let enabled =
        update.enabled.map(|want| note("is_enabled", boolean(profile.stored.enabled), boolean(want)));
    let described = update.description.map(|want| note("description", text(current), text(&want)));
    enabled.into_iter().chain(described).collect()
}

/// The note about a profile of somebody else that serves the flavor.
pub fn foreign(profile: &Profile) -> String {
    format!("service profile {} is bound to the flavor but not managed: used as it is", profile.id())
}

/// The note about a flavor that has more than one profile: the server uses only the one with the lowest id
/// (measured), whatever the order of binding.
pub fn effective(name: &str, bound: &[&Profile]) -> Option<String> {
    let lowest = bound.iter().min_by(|a, b| a.id().cmp(b.id()))?;
    if bound.len() < 2 {
        return None;
    }
    let plain = format!(
        "flavor {name:?} has {} service profiles: the server uses only the one with the lowest id, {}",
        bound.len(),
        lowest.id()
    );
    Some(match (lowest.stored.enabled, lowest.meta.managed) {
        (true, true) => plain,
        (true, false) => format!("WARNING: {plain}, which is not managed"),
        (false, true) => format!("WARNING: {plain}, which is disabled: no router can be created"),
        (false, false) => {
            format!("WARNING: {plain}, which is not managed and is disabled: no router can be created")
        }
    })
}

fn boolean(value: bool) -> String {
    if value { "True" } else { "False" }.to_owned()
}

/// Python's `repr` of a text, as far as descriptions need it.
fn text(value: &str) -> String {
    let quote = if value.contains('\'') && !value.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for character in value.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote => out.extend(['\\', quote]),
            _ => out.push(character),
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests;
