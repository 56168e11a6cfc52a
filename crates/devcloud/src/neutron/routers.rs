//! `/v2.0/routers`, as far as flavors are concerned.

use std::time::SystemTime;

use serde_json::{Value, json};

use crate::http::{Request, Response};
use crate::neutron::Neutron;
use crate::neutron::attributes::{self, Rule, Schema, fixed, read_only, writable};
use crate::neutron::errors::Error;
use crate::neutron::list::{self, Collection};
use crate::neutron::policy::Caller;
use crate::neutron::state::{Router, State};
use crate::neutron::text::{python, same};
use crate::time;

pub(super) const SCHEMA: Schema = Schema {
    resource: "router",
    collection: "routers",
    attributes: &[
        read_only("id"),
        read_only("status"),
        read_only("routes"),
        read_only("created_at"),
        read_only("updated_at"),
        read_only("revision_number"),
        read_only("tags"),
        writable("name", Rule::Text(255)),
        writable("description", Rule::Text(255)),
        writable("admin_state_up", Rule::Boolean),
        fixed("tenant_id", Rule::Text(255)),
        fixed("project_id", Rule::Text(255)),
        fixed("flavor_id", Rule::Anything),
        fixed("availability_zone_hints", Rule::Anything),
        writable("external_gateway_info", Rule::Anything),
        writable("distributed", Rule::Boolean),
        writable("ha", Rule::Boolean),
    ],
};

const COLLECTION: Collection = Collection {
    name: "routers",
    filters: &[
        ("id", false),
        ("name", false),
        ("description", false),
        ("admin_state_up", true),
        ("status", false),
        ("project_id", false),
        ("tenant_id", false),
    ],
};

impl Neutron {
    pub(super) fn list_routers(
        &self,
        state: &State,
        caller: &Caller,
        request: &Request,
    ) -> Result<Response, Error> {
        let items = state.routers.iter().map(|router| router.shown(caller.is_admin())).collect();
        let own =
            |router: &Value| caller.is_admin() || (caller.sees() && router["project_id"] == caller.project);
        // The database leaves out other projects' routers before a page is cut.
        let items: Vec<Value> = Vec::into_iter(items).filter(own).collect();
        let body = COLLECTION.answer(items, |_| true, request, self.settings())?;
        Ok(Response::ascii_json(200, &body))
    }

    pub(super) fn create_router(
        &self,
        state: &mut State,
        caller: &Caller,
        request: &Request,
    ) -> Result<Response, Error> {
        let given = SCHEMA.read(&attributes::parse(request)?, true)?;
        let rule = if given.contains_key("flavor_id") {
            "(rule:create_router and rule:create_router:flavor_id)"
        } else {
            "rule:create_router"
        };
        caller.may_have_routers(rule)?;
        let truth = |key: &str, default: bool| given.get(key).and_then(Value::as_bool).unwrap_or(default);
        let text = |key: &str| given.get(key).and_then(Value::as_str).map(str::to_owned);
        let (ha, distributed) = (truth("ha", false), truth("distributed", false));
        let flavor = match given.get("flavor_id") {
            None => None,
            Some(id) => Some(self.usable_flavor(state, id, ha, distributed)?),
        };
        let now = time::seconds(SystemTime::now());
        let router = Router {
            id: self.ids().uuid(),
            name: text("name").unwrap_or_default(),
            description: text("description").unwrap_or_default(),
            project: text("project_id")
                .or_else(|| text("tenant_id"))
                .unwrap_or_else(|| caller.project.clone()),
            admin_state_up: truth("admin_state_up", true),
            // With a flavor both are false in the answer, whatever the driver is.
            ha: ha && flavor.is_none(),
            distributed: distributed && flavor.is_none(),
            flavor,
            created: now.clone(),
            updated: now,
            revision: 1,
        };
        let body = json!({"router": router.shown(caller.is_admin())});
        state.routers.push(router);
        Ok(Response::ascii_json(201, &body))
    }

    /// The id of a flavor whose lowest profile can create a router. Whether the flavor is enabled, and of which
    /// service type it is, is not looked at (measured).
    fn usable_flavor(&self, state: &State, id: &Value, ha: bool, distributed: bool) -> Result<String, Error> {
        let id = python(id);
        let flavor = &state.flavors[self.flavor_at(state, &id)?];
        let bound = state.bound(&flavor.id);
        let lowest =
            bound.iter().min().and_then(|id| state.profiles.iter().find(|profile| profile.id == *id));
        let Some(profile) = lowest else { return Err(Error::not_bound(&flavor.id, "")) };
        if !profile.enabled {
            return Err(Error::new(503, "ServiceProfileDisabled", "Service Profile is not enabled."));
        }
        let Some(provider) = self.provider_in(&profile.driver) else {
            return Err(Error::no_driver(&profile.driver));
        };
        if provider == "single_node" {
            for (wanted, name) in [(ha, "ha"), (distributed, "distributed")] {
                if wanted {
                    let message = format!("Provider {provider} does not support {name}=True");
                    return Err(Error::invalid_input(&message));
                }
            }
        }
        Ok(flavor.id.clone())
    }

    pub(super) fn show_router(
        &self,
        state: &State,
        caller: &Caller,
        id: &str,
        request: &Request,
    ) -> Result<Response, Error> {
        let router = &state.routers[self.router_at(state, caller, id)?];
        let shown = list::only_fields(router.shown(caller.is_admin()), &list::fields(request));
        Ok(Response::ascii_json(200, &json!({"router": shown})))
    }

    pub(super) fn update_router(
        &self,
        state: &mut State,
        caller: &Caller,
        id: &str,
        request: &Request,
    ) -> Result<Response, Error> {
        let given = SCHEMA.read(&attributes::parse(request)?, false)?;
        let at = self.router_at(state, caller, id)?;
        caller.may_have_routers("rule:update_router")?;
        let router = &mut state.routers[at];
        if let Some(name) = given.get("name").and_then(Value::as_str) {
            name.clone_into(&mut router.name);
        }
        if let Some(description) = given.get("description").and_then(Value::as_str) {
            description.clone_into(&mut router.description);
        }
        router.admin_state_up =
            given.get("admin_state_up").and_then(Value::as_bool).unwrap_or(router.admin_state_up);
        router.revision += 1;
        router.updated = time::seconds(SystemTime::now());
        Ok(Response::ascii_json(200, &json!({"router": router.shown(caller.is_admin())})))
    }

    pub(super) fn remove_router(
        &self,
        state: &mut State,
        caller: &Caller,
        id: &str,
    ) -> Result<Response, Error> {
        let at = self.router_at(state, caller, id)?;
        caller.may_have_routers("rule:delete_router")?;
        state.routers.remove(at);
        Ok(Response::empty(204))
    }

    fn router_at(&self, state: &State, caller: &Caller, id: &str) -> Result<usize, Error> {
        let blind = self.settings().case_blind;
        let visible =
            |router: &Router| caller.is_admin() || (caller.sees() && router.project == caller.project);
        let found = state.routers.iter().position(|router| same(&router.id, id, blind) && visible(router));
        found.ok_or_else(|| Error::no_router(id))
    }
}
