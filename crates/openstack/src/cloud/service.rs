//! What `clouds.yaml` says about one service: which endpoint to take.

use super::entry::{Entry, scalar};
use super::template;
use crate::Error;
use crate::service_types;
use serde_json::Value;
use std::collections::BTreeMap;

/// How the endpoint of a service is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Service {
    /// The types to look for in the catalogue, best first.
    pub(crate) types: Vec<String>,
    /// `<service>_endpoint_override`: the catalogue is not asked.
    pub(crate) endpoint_override: Option<String>,
    /// In order of preference, without the old `URL` at the end: `["public"]`.
    pub(crate) interfaces: Vec<String>,
    /// `None`: any region.
    pub(crate) region: Option<String>,
    /// `None`: any name.
    pub(crate) service_name: Option<String>,
}

/// The keys of `clouds.yaml` that belong to single services, not yet sorted by service. No `Debug`: the
/// URLs in it may carry `user:password@`.
#[derive(Default)]
pub(crate) struct Services {
    keys: BTreeMap<String, Vec<String>>,
    region: Option<String>,
}

const SUFFIXES: [&str; 6] =
    ["endpoint_override", "endpoint", "interface", "region_name", "service_type", "service_name"];

impl Services {
    /// Takes the keys that end in one of the known suffixes, with or without a service before it.
    ///
    /// # Errors
    /// [`Error::Cloud`] naming a key that is no text (or, for an interface, no list of texts).
    pub(crate) fn read(entry: &Entry) -> Result<Self, Error> {
        let mut keys = BTreeMap::new();
        for (key, value) in entry.top_keys() {
            // The old name of `interface`; the new one wins if both are there.
            let name = key.strip_suffix("endpoint_type").map(|prefix| format!("{prefix}interface"));
            if name.as_ref().is_some_and(|name| entry.top(name).is_some()) {
                continue;
            }
            let name = name.unwrap_or_else(|| key.clone());
            let suffix =
                SUFFIXES.iter().find(|suffix| name == **suffix || name.ends_with(&format!("_{suffix}")));
            let Some(suffix) = suffix else { continue };
            let mut texts = texts(value).ok_or_else(|| entry.problem(format!("`{key}` is not a text")))?;
            if suffix.starts_with("endpoint") {
                for url in &mut texts {
                    *url = template::region(entry, key, std::mem::take(url))?;
                }
            }
            if !texts.is_empty() {
                keys.insert(name, texts);
            }
        }
        Ok(Self { keys, region: entry.region.clone() })
    }

    /// The settings for a service, by its official type or an alias.
    pub(crate) fn get(&self, service_type: &str) -> Service {
        let all = service_types::all(service_type);
        let own = |suffix: &str| {
            all.iter().find_map(|name| self.keys.get(&format!("{}_{suffix}", name.replace('-', "_"))))
        };
        let text = |suffix: &str| own(suffix).and_then(|texts| texts.first()).cloned();
        let interfaces = own("interface").or_else(|| self.keys.get("interface"));
        Service {
            types: text("service_type").map_or(all.clone(), |service_type| vec![service_type]),
            endpoint_override: text("endpoint_override").or_else(|| text("endpoint")),
            interfaces: interfaces.map_or_else(
                || vec!["public".to_owned()],
                |names| names.iter().map(|name| interface(name)).collect(),
            ),
            region: text("region_name").or_else(|| self.region.clone()),
            service_name: text("service_name"),
        }
    }
}

/// `publicURL` is `public`: the spelling of Identity v2.
pub(crate) fn interface(name: &str) -> String {
    name.strip_suffix("URL").unwrap_or(name).to_owned()
}

fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(values) => values.iter().map(scalar).collect(),
        value => Some(vec![scalar(value)?]),
    }
}
