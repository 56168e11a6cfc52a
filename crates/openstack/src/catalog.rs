//! The service catalogue: which URL a service has.

use crate::Error;
use crate::cloud::Service;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// The catalogue of a token. Its order means nothing: Keystone's is another one every time (measured).
#[derive(Debug, Default)]
pub(crate) struct Catalog(Option<Vec<Entry>>);

#[derive(Debug, Deserialize)]
struct Entry {
    #[serde(rename = "type")]
    service_type: String,
    name: Option<String>,
    #[serde(default)]
    endpoints: Vec<Endpoint>,
}

#[derive(Debug, Deserialize)]
struct Endpoint {
    #[serde(default)]
    interface: String,
    region_id: Option<String>,
    region: Option<String>,
    url: Option<String>,
}

impl Endpoint {
    fn region(&self) -> Option<&str> {
        self.region_id.as_deref().or(self.region.as_deref())
    }
}

impl Catalog {
    /// Reads `token.catalog`; an unscoped token has none.
    pub(crate) fn read(catalog: Option<&Value>) -> Result<Self, String> {
        let Some(catalog) = catalog.filter(|catalog| !catalog.is_null()) else { return Ok(Self(None)) };
        let entries =
            Vec::<Entry>::deserialize(catalog).map_err(|_| "the catalogue has another form than v3's")?;
        Ok(Self(Some(entries)))
    }

    /// The URL of a service, without a slash at the end.
    ///
    /// The first of the wanted types that is there counts, then region and name, then the first
    /// wanted interface. Endpoints without a URL don't exist.
    ///
    /// # Errors
    /// One for each thing that can be missing, naming what the catalogue offers in its place.
    pub(crate) fn url(&self, wanted: &Service) -> Result<String, Error> {
        let entries = self.0.as_deref().ok_or(Error::NoCatalog)?;
        let service = wanted.types.first().cloned().unwrap_or_default();
        let of_type = wanted.types.iter().find_map(|name| {
            let found: Vec<_> = entries.iter().filter(|entry| entry.service_type == *name).collect();
            (!found.is_empty()).then_some(found)
        });
        let no_service = |name: &Option<String>, offered| Error::NoService {
            service: service.clone(),
            name: name.clone(),
            offered,
        };
        let Some(of_type) = of_type else {
            return Err(no_service(&None, sorted(entries.iter().map(|entry| entry.service_type.as_str()))));
        };
        // A catalogue without names cannot be asked for one.
        let right_name = |entry: &&Entry| match (&wanted.service_name, &entry.name) {
            (Some(wanted), Some(name)) => wanted == name,
            _ => true,
        };
        let named: Vec<&Endpoint> = of_type
            .iter()
            .copied()
            .filter(right_name)
            .flat_map(|entry| &entry.endpoints)
            .filter(|endpoint| endpoint.url.as_deref().is_some_and(|url| !url.is_empty()))
            .collect();
        if !of_type.iter().any(right_name) {
            return Err(no_service(
                &wanted.service_name,
                sorted(of_type.iter().filter_map(|it| it.name.as_deref())),
            ));
        }
        let here: Vec<&Endpoint> = match &wanted.region {
            None => named.clone(),
            Some(region) => named.iter().copied().filter(|it| it.region() == Some(region)).collect(),
        };
        if let (Some(region), true, false) = (&wanted.region, here.is_empty(), named.is_empty()) {
            let offered = sorted(named.iter().filter_map(|endpoint| endpoint.region()));
            return Err(Error::NoRegion { service, region: region.clone(), offered });
        }
        let found = wanted.interfaces.iter().find_map(|interface| {
            let found: Vec<_> =
                here.iter().filter(|endpoint| same_interface(&endpoint.interface, interface)).collect();
            (!found.is_empty()).then_some(found)
        });
        let Some(found) = found else {
            let offered = sorted(here.iter().map(|endpoint| endpoint.interface.as_str()));
            return Err(Error::NoInterface { service, interfaces: wanted.interfaces.clone(), offered });
        };
        let regions = sorted(found.iter().filter_map(|endpoint| endpoint.region()));
        if regions.len() > 1 {
            return Err(Error::RegionNeeded { service, offered: regions });
        }
        // Several of one region and interface: any choice, but the same one in every run.
        let url = found.iter().filter_map(|endpoint| endpoint.url.as_deref()).min().unwrap_or_default();
        Ok(url.trim_end_matches('/').to_owned())
    }
}

fn same_interface(offered: &str, wanted: &str) -> bool {
    crate::cloud::interface(offered) == wanted
}

/// Each name once, in order, for a stable text.
fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names: BTreeSet<&str> = names.filter(|name| !name.is_empty()).collect();
    names.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
#[path = "catalog_tests.rs"]
mod tests;
