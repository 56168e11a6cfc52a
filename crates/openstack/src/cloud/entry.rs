//! One cloud of a `clouds.yaml`, as openstacksdk would see it before it looks at single keys:
//! keys with underscores, the region's own values laid over it, nulls and empty texts gone.

use crate::Error;
use serde_json::{Map, Value};

/// The raw settings of one cloud in one region.
pub(crate) struct Entry {
    /// The cloud's name, for error texts.
    pub(crate) name: String,
    /// The chosen region; `None` if the entry names none.
    pub(crate) region: Option<String>,
    top: Map<String, Value>,
    auth: Map<String, Value>,
}

/// Where a key is looked for first when it may stand in `auth` and beside it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prefer {
    /// In `auth`: user name, password and the other options of an auth type.
    Auth,
    /// Beside `auth`: domain, project and token keys.
    Top,
}

impl Entry {
    /// Picks the cloud `name` out of a parsed `clouds.yaml`.
    ///
    /// # Errors
    /// An unknown name (listing the known ones), a vendor profile, an unknown region, or a
    /// part that is not the mapping or list it has to be.
    pub(crate) fn find(document: &Value, name: &str) -> Result<Self, Error> {
        let clouds = document.get("clouds").and_then(Value::as_object).ok_or(Error::NoClouds)?;
        let entry = clouds.get(name).ok_or_else(|| Error::UnknownCloud {
            name: name.to_owned(),
            known: clouds.keys().cloned().collect(),
        })?;
        let Some(entry) = entry.as_object() else {
            return Err(problem(name, "the entry is not a mapping"));
        };
        let mut top = normalised(entry);
        for key in ["profile", "cloud"] {
            if top.contains_key(key) {
                return Err(problem(
                    name,
                    format!(
                        "`{key}` names a vendor profile, which would be read from a file: write its settings into the entry"
                    ),
                ));
            }
        }
        let mut auth = auth_of(&mut top, name)?;
        let (region, values) = choose_region(&mut top, name)?;
        let mut values = normalised(&values);
        auth.extend(auth_of(&mut values, name)?);
        top.extend(values);
        Ok(Self { name: name.to_owned(), region, top, auth })
    }

    /// An error about this cloud.
    pub(crate) fn problem(&self, problem: impl Into<String>) -> Error {
        self::problem(&self.name, problem)
    }

    /// The value beside `auth`, as it stands.
    pub(crate) fn top(&self, key: &str) -> Option<&Value> {
        self.top.get(key)
    }

    /// The keys beside `auth` with their values, sorted.
    pub(crate) fn top_keys(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.top.iter()
    }

    /// The text beside `auth`; numbers count as text.
    pub(crate) fn top_text(&self, key: &str) -> Result<Option<String>, Error> {
        self.top.get(key).map(|value| self.text_of(key, value)).transpose()
    }

    /// The text of the last of `keys` that is given: the later a spelling, the newer it is.
    ///
    /// Which place wins over which spelling is openstacksdk's order: an option in `auth` wins in
    /// any spelling; of the domain, project and token keys a newer spelling wins in any place.
    pub(crate) fn text(&self, keys: &[&str], prefer: Prefer) -> Result<Option<String>, Error> {
        let places: Vec<_> = match prefer {
            Prefer::Auth => {
                [&self.top, &self.auth].iter().flat_map(|map| keys.iter().map(|key| (*map, *key))).collect()
            }
            Prefer::Top => keys.iter().flat_map(|key| [(&self.auth, *key), (&self.top, *key)]).collect(),
        };
        let found = places.iter().rev().find_map(|(map, key)| map.get(*key).map(|value| (*key, value)));
        found.map(|(key, value)| self.text_of(key, value)).transpose()
    }

    fn text_of(&self, key: &str, value: &Value) -> Result<String, Error> {
        scalar(value).ok_or_else(|| self.problem(format!("`{key}` is not a text")))
    }
}

/// A text, or a number as PyYAML's user meant it (`password: 12345`).
pub(crate) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(true) => Some("True".to_owned()), // what Python's str() makes of it
        Value::Bool(false) => Some("False".to_owned()),
        _ => None,
    }
}

fn problem(cloud: &str, problem: impl Into<String>) -> Error {
    Error::Cloud { cloud: cloud.to_owned(), problem: problem.into() }
}

/// `-` in keys becomes `_` (a key already written with `_` wins); nulls and empty texts are as
/// good as absent.
fn normalised(map: &Map<String, Value>) -> Map<String, Value> {
    let mut result = Map::new();
    let given = |value: &&Value| !value.is_null() && value.as_str() != Some("");
    for (key, value) in map.iter().filter(|(key, _)| key.contains('-')) {
        if given(&value) {
            result.insert(key.replace('-', "_"), value.clone());
        }
    }
    for (key, value) in map.iter().filter(|(key, _)| !key.contains('-')) {
        if given(&value) {
            result.insert(key.clone(), value.clone());
        }
    }
    result
}

fn auth_of(map: &mut Map<String, Value>, cloud: &str) -> Result<Map<String, Value>, Error> {
    match map.remove("auth") {
        None => Ok(Map::new()),
        Some(Value::Object(auth)) => Ok(normalised(&auth)),
        Some(_) => Err(problem(cloud, "`auth` is not a mapping")),
    }
}

/// The region and the values it lays over the entry. `region_name` chooses among `regions`;
/// without it the first one counts.
fn choose_region(
    top: &mut Map<String, Value>,
    cloud: &str,
) -> Result<(Option<String>, Map<String, Value>), Error> {
    let wanted = match top.remove("region_name") {
        None => None,
        Some(Value::Array(names)) => names.first().and_then(scalar),
        // A list with commas is the old spelling of `regions`; its first one counts.
        Some(value) => match scalar(&value) {
            Some(text) => text.split(',').map(str::trim).find(|name| !name.is_empty()).map(str::to_owned),
            None => return Err(problem(cloud, "`region_name` is not a text")),
        },
    };
    let regions = match top.remove("regions") {
        None => return Ok((wanted, Map::new())),
        Some(Value::Array(regions)) if regions.is_empty() => return Ok((wanted, Map::new())),
        Some(Value::Array(regions)) => regions,
        Some(_) => return Err(problem(cloud, "`regions` is not a list")),
    };
    let mut known = Vec::new();
    let mut chosen = None;
    for (index, region) in regions.iter().enumerate() {
        let Some((name, values)) = region_of(region) else {
            return Err(problem(
                cloud,
                format!("`regions[{index}]` is neither a name nor a mapping with `name` and `values`"),
            ));
        };
        if chosen.is_none() && wanted.as_ref().is_none_or(|wanted| *wanted == name) {
            chosen = Some((Some(name.clone()), values));
        }
        known.push(name);
    }
    chosen.ok_or_else(|| Error::UnknownRegion {
        cloud: cloud.to_owned(),
        region: wanted.unwrap_or_default(),
        known,
    })
}

fn region_of(region: &Value) -> Option<(String, Map<String, Value>)> {
    let Value::Object(map) = region else {
        return Some((scalar(region)?, Map::new()));
    };
    if map.keys().any(|key| key != "name" && key != "values") {
        return None;
    }
    let values = match map.get("values") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(values)) => values.clone(),
        Some(_) => return None,
    };
    Some((scalar(map.get("name")?)?, values))
}
