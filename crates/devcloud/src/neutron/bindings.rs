//! `/v2.0/flavors/<flavor>/service_profiles`

use serde_json::{Value, json};

use crate::http::{Request, Response};
use crate::neutron::Neutron;
use crate::neutron::attributes::{self, Attribute, Rule, Schema, fixed};
use crate::neutron::errors::Error;
use crate::neutron::policy::Caller;
use crate::neutron::state::State;
use crate::neutron::text::same;

pub(super) const SCHEMA: Schema = Schema {
    resource: "service_profile",
    collection: "service_profiles",
    attributes: &[Attribute { required: true, ..fixed("id", Rule::Uuid) }],
};

/// The rule for associating.
pub(super) const CREATE: &str = "rule:create_flavor_service_profile";

impl Neutron {
    /// Answers with the **flavor's** id; in bulk, with the whole flavor (measured).
    pub(super) fn associate(
        &self,
        state: &mut State,
        caller: &Caller,
        flavor: &str,
        request: &Request,
    ) -> Result<Response, Error> {
        let body = attributes::parse(request)?;
        if let Some(Value::Array(items)) = body.get(SCHEMA.collection).filter(|items| *items != &json!([])) {
            let mut ids = Vec::new();
            for item in items {
                let given = item.as_object().cloned().unwrap_or_default();
                ids.push(SCHEMA.attributes_of(&given, true)?["id"].clone());
            }
            caller.may_create(CREATE)?;
            let mut answers = Vec::new();
            for id in &ids {
                let at = self.bind_one(state, flavor, id)?;
                answers.push(state.flavor(&state.flavors[at]));
            }
            return Ok(Response::ascii_json(201, &json!({"service_profiles": answers})));
        }
        let given = SCHEMA.read(&body, true)?;
        caller.may_create(CREATE)?;
        let at = self.bind_one(state, flavor, &given["id"])?;
        Ok(Response::ascii_json(201, &json!({"service_profile": {"id": state.flavors[at].id}})))
    }

    fn bind_one(&self, state: &mut State, flavor: &str, profile: &Value) -> Result<usize, Error> {
        let profile = profile.as_str().unwrap_or_default();
        let blind = self.settings().case_blind;
        let at = state.flavors.iter().position(|known| same(&known.id, flavor, blind));
        let known = state.profiles.iter().find(|known| same(&known.id, profile, blind));
        // An unknown one breaks a foreign key, which nobody handles.
        let (Some(at), Some(known)) = (at, known) else { return Err(Error::internal()) };
        let binding = (state.flavors[at].id.clone(), known.id.clone());
        if state.bindings.contains(&binding) {
            let message = format!("Service Profile {profile} is already associated with flavor {flavor}.");
            return Err(Error::new(409, "FlavorServiceProfileBindingExists", message));
        }
        state.bindings.push(binding);
        Ok(at)
    }

    /// Also while routers use the flavor.
    pub(super) fn disassociate(
        &self,
        state: &mut State,
        caller: &Caller,
        flavor: &str,
        profile: &str,
    ) -> Result<Response, Error> {
        let at = self.binding_at(state, caller, flavor, profile)?;
        state.bindings.remove(at);
        Ok(Response::empty(204))
    }

    /// The filters of the answer leave nothing of a binding.
    pub(super) fn show_binding(
        &self,
        state: &State,
        caller: &Caller,
        flavor: &str,
        profile: &str,
    ) -> Result<Response, Error> {
        self.binding_at(state, caller, flavor, profile)?;
        Ok(Response::ascii_json(200, &json!({"service_profile": {}})))
    }

    /// Nothing of a binding can be changed; the plugin lacks what a request that passes all checks calls.
    pub(super) fn update_binding(
        &self,
        state: &State,
        caller: &Caller,
        flavor: &str,
        profile: &str,
        request: &Request,
    ) -> Result<Response, Error> {
        SCHEMA.read(&attributes::parse(request)?, false)?;
        self.binding_at(state, caller, flavor, profile)?;
        Err(Error::internal())
    }

    /// A binding that the caller may reach; whether there is one comes first (measured).
    fn binding_at(
        &self,
        state: &State,
        caller: &Caller,
        flavor: &str,
        profile: &str,
    ) -> Result<usize, Error> {
        let blind = self.settings().case_blind;
        let found =
            state.bindings.iter().position(|(f, p)| same(f, flavor, blind) && same(p, profile, blind));
        let at = found.ok_or_else(|| Error::not_bound(flavor, profile))?;
        caller.may_reach_binding()?;
        Ok(at)
    }
}
