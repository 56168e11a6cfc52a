//! The spec of a `NeutronRouterFlavor`, checked while it is read, and the constants of this hook.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::markers::{FLAVOR_MARKER, Meta, mark, metainfo};

/// The only service type that this hook serves, and the default of `service_type`.
pub const SERVICE_TYPE: &str = "L3_ROUTER_NAT";
/// Neutron refuses longer names (measured).
const NAME_LIMIT: usize = 255;
/// Neutron refuses longer descriptions and drivers (measured). In characters.
const TEXT_LIMIT: usize = 1024;
/// MariaDB answers 500 to a longer `metainfo` (measured). In bytes; ours is ASCII.
const METAINFO_LIMIT: usize = 4096;

/// A spec that can be served: reading one checks all of it, and an error says what is wrong where.
///
/// Unknown keys are tolerated. Descriptions lose the white space around them (a YAML block ends with a
/// newline); they are compared the same way.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Raw")]
pub struct Spec {
    /// The flavor's name, exactly as the CR has it.
    pub name: String,
    /// Whether the flavor is enabled. Neutron does not look at it when a router is created (measured).
    pub is_enabled: bool,
    /// The description, without the marker.
    pub description: String,
    /// At least one, no two with the same driver and meta_info.
    pub service_profiles: Vec<WantedProfile>,
    /// What in the spec was left out, and why.
    pub notes: Vec<String>,
}

/// One wanted service profile.
#[derive(Debug, Clone, PartialEq)]
pub struct WantedProfile {
    /// The class path of the driver.
    pub driver: String,
    /// The description.
    pub description: String,
    /// Whether routers can be created with it.
    pub is_enabled: bool,
    /// The spec's meta_info and the marks, as it is written.
    pub metainfo: String,
    /// What [`Meta::content`] of a stored profile must be to match.
    pub content: String,
}

/// The wire form. Keys that the CRD requires have no default. A `null` is what the CRD leaves of a key
/// without a value: absent.
#[derive(Deserialize)]
struct Raw {
    name: String,
    service_type: Option<String>,
    is_enabled: Option<bool>,
    description: Option<String>,
    service_profiles: Vec<RawProfile>,
}

#[derive(Deserialize)]
struct RawProfile {
    driver: String,
    description: Option<String>,
    is_enabled: Option<bool>,
    meta_info: Option<Map<String, Value>>,
}

impl TryFrom<Raw> for Spec {
    type Error = String;

    fn try_from(raw: Raw) -> Result<Self, String> {
        check_text("name", &raw.name, NAME_LIMIT)?;
        if let Some(other) = raw.service_type.filter(|service_type| service_type != SERVICE_TYPE) {
            return Err(format!("service_type {other:?} is not supported: use {SERVICE_TYPE:?}"));
        }
        let description = flavor_description(raw.description)?;
        if raw.service_profiles.is_empty() {
            return Err("service_profiles is empty: a flavor without a profile makes no router".to_owned());
        }
        let (mut profiles, mut seen, mut notes) = (Vec::new(), BTreeSet::new(), Vec::new());
        for (index, raw) in raw.service_profiles.into_iter().enumerate() {
            let at = format!("service_profiles[{index}]");
            let profile = WantedProfile::read(&at, raw)?;
            // Neutron could not tell them apart and uses one of a flavor's profiles anyway. The previous
            // implementation took the first, so such CRs may be in use: no reason to fail them.
            if seen.insert((profile.driver.clone(), profile.content.clone())) {
                profiles.push(profile);
            } else {
                notes.push(format!(
                    "{at} repeats the driver and meta_info of an earlier profile and is left out"
                ));
            }
        }
        Ok(Self {
            name: raw.name,
            is_enabled: raw.is_enabled.unwrap_or(true),
            description,
            service_profiles: profiles,
            notes,
        })
    }
}

impl WantedProfile {
    fn read(at: &str, raw: RawProfile) -> Result<Self, String> {
        check_text(&format!("{at}.driver"), &raw.driver, TEXT_LIMIT)?;
        let description = raw.description.unwrap_or_default().trim().to_owned();
        check_length(&format!("{at}.description"), description.chars().count(), TEXT_LIMIT, "characters")?;
        let meta_info = raw.meta_info.unwrap_or_default();
        let metainfo = metainfo(&meta_info);
        check_length(&format!("{at}.meta_info with its markers"), metainfo.len(), METAINFO_LIMIT, "bytes")?;
        Ok(Self {
            driver: raw.driver,
            description,
            is_enabled: raw.is_enabled.unwrap_or(true),
            // As it will be read back: a float may come back from its text as its neighbour, and a profile
            // that never matches would be replaced in each run.
            content: Meta::read(Some(&metainfo)).content,
            metainfo,
        })
    }
}

fn flavor_description(raw: Option<String>) -> Result<String, String> {
    let description = raw.unwrap_or_default().trim().to_owned();
    if description.contains(FLAVOR_MARKER) {
        return Err(format!("description contains the ownership marker {FLAVOR_MARKER:?}: leave it out"));
    }
    let room = TEXT_LIMIT - mark("x").len() + "x".len();
    check_length("description", description.chars().count(), room, "characters")?;
    Ok(description)
}

fn check_text(what: &str, text: &str, limit: usize) -> Result<(), String> {
    if text.trim().is_empty() {
        return Err(format!("{what} is empty"));
    }
    check_length(what, text.chars().count(), limit, "characters")
}

fn check_length(what: &str, length: usize, limit: usize, unit: &str) -> Result<(), String> {
    if length <= limit {
        return Ok(());
    }
    Err(format!("{what} has {length} {unit}: at most {limit} are possible"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(spec: Value) -> Result<Spec, String> {
        serde_json::from_value(spec).map_err(|error| error.to_string())
    }

    fn with(key: &str, value: Value) -> Value {
        let mut spec = json!({"name": "gold", "service_profiles": [{"driver": "a.B"}]});
        spec[key] = value;
        spec
    }

    fn profile(key: &str, value: Value) -> Value {
        let mut profile = json!({"driver": "a.B"});
        profile[key] = value;
        with("service_profiles", Value::Array(vec![profile]))
    }

    #[test]
    fn optional_keys_have_defaults_and_unknown_ones_are_tolerated() {
        for spec in
            [with("colour", json!(7)), with("description", json!(null)), profile("meta_info", json!(null))]
        {
            let spec = read(spec).unwrap();
            assert!(spec.is_enabled && spec.description.is_empty() && spec.notes.is_empty());
            let [profile] = &spec.service_profiles[..] else { panic!("one profile") };
            assert!(profile.is_enabled && profile.description.is_empty());
            assert_eq!(profile.content, "{}");
            assert!(profile.metainfo.contains("managed"));
        }
    }

    #[test]
    fn white_space_around_a_description_is_dropped() {
        assert_eq!(read(with("description", json!("two\nlines\n"))).unwrap().description, "two\nlines");
        assert_eq!(read(profile("description", json!("p\n"))).unwrap().service_profiles[0].description, "p");
    }

    #[test]
    fn what_is_wrong_is_said_and_where() {
        let marked = format!("gold {FLAVOR_MARKER} plus");
        let table = [
            (json!({"service_profiles": []}), "missing field `name`"),
            (json!({"name": "gold"}), "missing field `service_profiles`"),
            (with("name", json!("")), "name is empty"),
            (with("name", json!("n".repeat(256))), "name has 256 characters: at most 255 are possible"),
            (with("name", json!(7)), "invalid type: integer `7`, expected a string"),
            (
                with("service_type", json!("QOS")),
                "service_type \"QOS\" is not supported: use \"L3_ROUTER_NAT\"",
            ),
            (with("is_enabled", json!("true")), "invalid type: string \"true\", expected a boolean"),
            (
                with("description", json!("x".repeat(989))),
                "description has 989 characters: at most 988 are possible",
            ),
            (
                with("description", json!(marked)),
                "description contains the ownership marker \"[understack-router-flavor-operator]\": leave it out",
            ),
            (
                with("service_profiles", json!([])),
                "service_profiles is empty: a flavor without a profile makes no router",
            ),
            (with("service_profiles", json!([{}])), "missing field `driver`"),
            (
                with("service_profiles", json!([{"driver": "a.B"}, {"driver": " "}])),
                "service_profiles[1].driver is empty",
            ),
            (
                profile("description", json!("x".repeat(1025))),
                "service_profiles[0].description has 1025 characters: at most 1024 are possible",
            ),
            (profile("meta_info", json!("{}")), "invalid type: string \"{}\", expected a map"),
            (profile("meta_info", json!([])), "invalid type: sequence, expected a map"),
        ];
        for (spec, problem) in table {
            let error = read(spec).unwrap_err();
            assert_eq!(error, problem);
        }
    }

    #[test]
    fn limits_are_met_exactly() {
        assert!(read(with("description", json!("ž".repeat(988)))).is_ok());
        let marks = metainfo(&Map::new()).len();
        // `,"k":"…"` beside the marks.
        let room = METAINFO_LIMIT - marks - r#""k":"","#.len();
        assert!(read(profile("meta_info", json!({"k": "v".repeat(room)}))).is_ok());
        let error = read(profile("meta_info", json!({"k": "v".repeat(room + 1)}))).unwrap_err();
        assert_eq!(
            error,
            "service_profiles[0].meta_info with its markers has 4097 bytes: at most 4096 are possible"
        );
    }

    #[test]
    fn of_profiles_that_neutron_cannot_tell_apart_the_first_counts() {
        let profiles = json!([
            {"driver": "a.B", "meta_info": {"x": "1"}},
            {"driver": "a.B", "meta_info": {"x": "2"}},
            {"driver": "a.B", "meta_info": {"x": "1"}, "is_enabled": false},
            {"driver": "c.D", "meta_info": {"x": "1"}},
        ]);
        let spec = read(with("service_profiles", profiles)).unwrap();
        assert_eq!(spec.service_profiles.len(), 3);
        assert!(spec.service_profiles.iter().all(|profile| profile.is_enabled));
        assert_eq!(
            spec.notes,
            ["service_profiles[2] repeats the driver and meta_info of an earlier profile and is left out"]
        );
    }

    #[test]
    fn a_float_matches_what_is_read_back_of_it() {
        let spec = serde_json::json!({
            "name": "x", "service_profiles": [{"driver": "a.B", "meta_info": {"x": 9.759111153749e81}}],
        });
        let profile = &serde_json::from_value::<Spec>(spec).unwrap().service_profiles[0];
        assert_eq!(profile.content, Meta::read(Some(&profile.metainfo)).content);
    }
}
