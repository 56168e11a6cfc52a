//! `/v2.0/service_profiles`

use serde_json::{Map, Value, json};

use crate::http::{Request, Response};
use crate::neutron::Neutron;
use crate::neutron::attributes::{self, Rule, Schema, read_only, writable};
use crate::neutron::errors::Error;
use crate::neutron::list::{self, Collection};
use crate::neutron::policy::Caller;
use crate::neutron::state::{Profile, State};
use crate::neutron::text::{python, same};

pub(super) const SCHEMA: Schema = Schema {
    resource: "service_profile",
    collection: "service_profiles",
    attributes: &[
        read_only("id"),
        writable("description", Rule::TextOrNull(1024)),
        writable("driver", Rule::Text(1024)),
        writable("enabled", Rule::Boolean),
        writable("metainfo", Rule::Anything),
    ],
};

const COLLECTION: Collection = Collection {
    name: "service_profiles",
    filters: &[("id", false), ("description", false), ("driver", false), ("enabled", true)],
};

/// MariaDB's column; nobody checks it before.
const MAX_METAINFO: usize = 4096;

impl Neutron {
    pub(super) fn list_profiles(
        &self,
        state: &State,
        caller: &Caller,
        request: &Request,
    ) -> Result<Response, Error> {
        let items = state.profiles.iter().map(Profile::shown).collect();
        let body = COLLECTION.answer(items, |_| caller.is_admin(), request, self.settings())?;
        Ok(Response::ascii_json(200, &body))
    }

    pub(super) fn create_profile(
        &self,
        state: &mut State,
        caller: &Caller,
        request: &Request,
    ) -> Result<Response, Error> {
        let given = SCHEMA.read(&attributes::parse(request)?, true)?;
        caller.may_create("rule:create_service_profile")?;
        let driver = given.get("driver").and_then(Value::as_str).unwrap_or_default().to_owned();
        let metainfo = given.get("metainfo").cloned().unwrap_or_else(|| "".into());
        if driver.is_empty() && (metainfo.is_null() || metainfo == "") {
            let message = "Service Profile needs either a driver or metainfo.";
            return Err(Error::new(400, "ServiceProfileEmpty", message));
        }
        self.check_driver(&driver)?;
        let profile = Profile {
            id: self.ids().uuid(),
            description: given.get("description").cloned().unwrap_or_else(|| "".into()),
            driver,
            enabled: given.get("enabled").and_then(Value::as_bool).unwrap_or(true),
            metainfo: self.metainfo(&metainfo)?,
        };
        self.storable(&profile.description)?;
        let body = json!({"service_profile": profile.shown()});
        state.profiles.push(profile);
        Ok(Response::ascii_json(201, &body))
    }

    pub(super) fn show_profile(
        &self,
        state: &State,
        caller: &Caller,
        id: &str,
        request: &Request,
    ) -> Result<Response, Error> {
        let at = self.profile_at(state, id)?;
        caller.may_reach_profile()?;
        let shown = list::only_fields(state.profiles[at].shown(), &list::fields(request));
        Ok(Response::ascii_json(200, &json!({"service_profile": shown})))
    }

    pub(super) fn update_profile(
        &self,
        state: &mut State,
        caller: &Caller,
        id: &str,
        request: &Request,
    ) -> Result<Response, Error> {
        let given = SCHEMA.read(&attributes::parse(request)?, false)?;
        let at = self.profile_at(state, id)?;
        caller.may_reach_profile()?;
        if let Some(driver) = given.get("driver").and_then(Value::as_str) {
            self.check_driver(driver)?;
        }
        unused(state, at)?;
        self.apply(&mut state.profiles[at], &given)?;
        Ok(Response::ascii_json(200, &json!({"service_profile": state.profiles[at].shown()})))
    }

    /// A merge: the rule of POST that there be a driver or metainfo is not kept (measured).
    fn apply(&self, profile: &mut Profile, given: &Map<String, Value>) -> Result<(), Error> {
        let mut changed = profile.clone();
        if let Some(description) = given.get("description") {
            self.storable(description)?;
            changed.description = description.clone();
        }
        if let Some(driver) = given.get("driver").and_then(Value::as_str) {
            driver.clone_into(&mut changed.driver);
        }
        if let Some(metainfo) = given.get("metainfo") {
            changed.metainfo = self.metainfo(metainfo)?;
        }
        changed.enabled = given.get("enabled").and_then(Value::as_bool).unwrap_or(changed.enabled);
        *profile = changed;
        Ok(())
    }

    pub(super) fn delete_profile(
        &self,
        state: &mut State,
        caller: &Caller,
        id: &str,
    ) -> Result<Response, Error> {
        let at = self.profile_at(state, id)?;
        caller.may_reach_profile()?;
        unused(state, at)?;
        state.profiles.remove(at);
        Ok(Response::empty(204))
    }

    fn profile_at(&self, state: &State, id: &str) -> Result<usize, Error> {
        let blind = self.settings().case_blind;
        let found = state.profiles.iter().position(|profile| same(&profile.id, id, blind));
        found.ok_or_else(|| Error::no_profile(id))
    }

    /// The real check looks for a provider's path in the text, not the other way round (measured): anything that
    /// contains one passes. Empty is no driver, and passes too.
    fn check_driver(&self, driver: &str) -> Result<(), Error> {
        if driver.is_empty() || self.provider_in(driver).is_some() {
            return Ok(());
        }
        Err(Error::no_driver(driver))
    }

    /// Stored as a text: numbers and booleans are printed, an object or a list is an unhandled fault.
    fn metainfo(&self, given: &Value) -> Result<Value, Error> {
        let text = match given {
            Value::Null => return Ok(Value::Null),
            Value::Array(_) | Value::Object(_) => return Err(Error::internal()),
            other => Value::String(python(other)),
        };
        let too_long = text.as_str().is_some_and(|text| text.chars().count() > MAX_METAINFO);
        if self.settings().case_blind && too_long {
            return Err(Error::internal());
        }
        self.storable(&text)?;
        Ok(text)
    }
}

/// A bound profile can neither be changed nor deleted, whatever the request is.
fn unused(state: &State, at: usize) -> Result<(), Error> {
    let id = &state.profiles[at].id;
    if !state.is_bound(id) {
        return Ok(());
    }
    let message = format!("Service Profile {id} is used by some service instance.");
    Err(Error::new(409, "ServiceProfileInUse", message))
}
