//! `/v2.0/flavors`

use serde_json::{Value, json};

use crate::http::{Request, Response};
use crate::neutron::Neutron;
use crate::neutron::attributes::{self, Attribute, Rule, Schema, fixed, read_only, writable};
use crate::neutron::errors::Error;
use crate::neutron::list::{self, Collection};
use crate::neutron::policy::Caller;
use crate::neutron::state::{Flavor, State};
use crate::neutron::text::{beyond_utf8mb3, same};

pub(super) const SCHEMA: Schema = Schema {
    resource: "flavor",
    collection: "flavors",
    attributes: &[
        read_only("id"),
        writable("name", Rule::Name),
        writable("description", Rule::TextOrNull(1024)),
        Attribute { required: true, ..fixed("service_type", Rule::ServiceType) },
        writable("service_profiles", Rule::Uuids),
        writable("enabled", Rule::Boolean),
    ],
};

const COLLECTION: Collection = Collection {
    name: "flavors",
    filters: &[
        ("id", false),
        ("name", false),
        ("description", false),
        ("service_type", false),
        ("enabled", true),
    ],
};

impl Neutron {
    pub(super) fn list_flavors(
        &self,
        state: &State,
        caller: &Caller,
        request: &Request,
    ) -> Result<Response, Error> {
        let items = state.flavors.iter().map(|flavor| state.flavor(flavor)).collect();
        let body = COLLECTION.answer(items, |_| caller.sees(), request, self.settings())?;
        Ok(Response::ascii_json(200, &body))
    }

    pub(super) fn create_flavor(
        &self,
        state: &mut State,
        caller: &Caller,
        request: &Request,
    ) -> Result<Response, Error> {
        let given = SCHEMA.read(&attributes::parse(request)?, true)?;
        caller.may_create("rule:create_flavor")?;
        let text = |key: &str| given.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let flavor = Flavor {
            id: self.ids().uuid(),
            name: text("name"),
            description: given.get("description").cloned().unwrap_or_else(|| "".into()),
            service_type: text("service_type"),
            enabled: given.get("enabled").and_then(Value::as_bool).unwrap_or(true),
        };
        self.storable(&flavor.description)?;
        let body = json!({"flavor": state.flavor(&flavor)});
        state.flavors.push(flavor);
        Ok(Response::ascii_json(201, &body))
    }

    pub(super) fn show_flavor(
        &self,
        state: &State,
        caller: &Caller,
        id: &str,
        request: &Request,
    ) -> Result<Response, Error> {
        let flavor = &state.flavors[self.flavor_at(state, id)?];
        if !caller.sees() {
            return Err(Error::hidden());
        }
        let shown = list::only_fields(state.flavor(flavor), &list::fields(request));
        Ok(Response::ascii_json(200, &json!({"flavor": shown})))
    }

    pub(super) fn update_flavor(
        &self,
        state: &mut State,
        caller: &Caller,
        id: &str,
        request: &Request,
    ) -> Result<Response, Error> {
        let given = SCHEMA.read(&attributes::parse(request)?, false)?;
        let at = self.flavor_at(state, id)?;
        caller.may_change_flavor("rule:update_flavor")?;
        // Flavors have no revision; the server trips over the question.
        if request.header("if-match").is_some_and(|text| text.contains("revision_number=")) {
            return Err(Error::internal());
        }
        if let Some(description) = given.get("description") {
            self.storable(description)?;
        }
        let flavor = &mut state.flavors[at];
        if let Some(name) = given.get("name").and_then(Value::as_str) {
            name.clone_into(&mut flavor.name);
        }
        if let Some(description) = given.get("description") {
            flavor.description = description.clone();
        }
        // null is no change
        flavor.enabled = given.get("enabled").and_then(Value::as_bool).unwrap_or(flavor.enabled);
        let shown = state.flavor(&state.flavors[at]);
        Ok(Response::ascii_json(200, &json!({"flavor": shown})))
    }

    pub(super) fn delete_flavor(
        &self,
        state: &mut State,
        caller: &Caller,
        id: &str,
    ) -> Result<Response, Error> {
        let at = self.flavor_at(state, id)?;
        caller.may_change_flavor("rule:delete_flavor")?;
        let id = state.flavors[at].id.clone();
        if state.routers.iter().any(|router| router.flavor.as_ref() == Some(&id)) {
            let message = format!("Flavor {id} is used by some service instance.");
            return Err(Error::new(409, "FlavorInUse", message));
        }
        state.flavors.remove(at);
        // The bindings go with it, the profiles stay.
        state.bindings.retain(|(flavor, _)| *flavor != id);
        Ok(Response::empty(204))
    }

    pub(super) fn flavor_at(&self, state: &State, id: &str) -> Result<usize, Error> {
        let blind = self.settings().case_blind;
        let found = state.flavors.iter().position(|flavor| same(&flavor.id, id, blind));
        found.ok_or_else(|| Error::no_flavor(id))
    }

    /// utf8mb3 has no emoji; what is not validated ends as an unhandled database error.
    pub(super) fn storable(&self, text: &Value) -> Result<(), Error> {
        if self.settings().case_blind && text.as_str().is_some_and(beyond_utf8mb3) {
            return Err(Error::internal());
        }
        Ok(())
    }
}
