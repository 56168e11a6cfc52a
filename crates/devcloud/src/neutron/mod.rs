//! OpenStack Networking: flavors, service profiles, their bindings, and routers with flavors.

mod attributes;
mod bindings;
mod errors;
mod flavors;
mod list;
mod pages;
mod policy;
mod profiles;
mod routers;
mod routes;
mod state;
mod text;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::http::{Handler, Request, Response};
use crate::keystone::Keystone;
use crate::neutron::list::Settings;
use crate::neutron::policy::Caller;
use crate::neutron::state::{Profile, State};
use crate::random::Ids;

/// How long the token middleware believes what it has seen (its default).
const CACHE: Duration = Duration::from_secs(300);

/// The simulated Neutron's state, in process: the same rules as over HTTP for an admin, without journal entries.
///
/// There are flavors, service profiles, their bindings, service providers, and routers as far as flavors matter.
///
/// Not simulated: all other resources (404); most of the extension list, which has the nine extensions that matter to
/// callers of the above, where a real server has over a hundred.
#[derive(Debug)]
pub struct Neutron {
    state: Mutex<State>,
    ids: Ids,
    keystone: Arc<Keystone>,
    settings: Settings,
    /// Name and class path.
    providers: Vec<(String, String)>,
    /// Validated tokens, and when they were.
    seen: Mutex<HashMap<String, Instant>>,
    project: String,
}

impl Neutron {
    pub(crate) fn new(
        ids: Ids,
        keystone: Arc<Keystone>,
        case_blind: bool,
        page_limit: Option<usize>,
        more_providers: &[(String, String)],
    ) -> Self {
        let path = "neutron.services.l3_router.service_providers";
        let mut providers: Vec<(String, String)> = [
            ("dvrha", "dvrha.DvrHaDriver"),
            ("dvr", "dvr.DvrDriver"),
            ("ha", "ha.HaDriver"),
            ("single_node", "single_node.SingleNodeDriver"),
        ]
        .map(|(name, class)| (name.to_owned(), format!("{path}.{class}")))
        .to_vec();
        providers.extend(more_providers.iter().map(|(name, path)| (name.to_lowercase(), path.clone())));
        let project = ids.hex();
        let settings = Settings { case_blind, page_limit };
        Self { state: Mutex::default(), ids, keystone, settings, providers, seen: Mutex::default(), project }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ids(&self) -> &Ids {
        &self.ids
    }

    fn settings(&self) -> Settings {
        self.settings
    }

    fn keystone(&self) -> &Keystone {
        &self.keystone
    }

    fn providers(&self) -> &[(String, String)] {
        &self.providers
    }

    /// The name of the provider whose class path is in the text.
    fn provider_in(&self, driver: &str) -> Option<&str> {
        self.providers.iter().find(|(_, path)| driver.contains(path.as_str())).map(|(name, _)| name.as_str())
    }

    /// Who a request's token stands for. A token that was validated once is believed for a while, also when it is
    /// revoked since; its own end counts at once.
    fn caller(&self, request: &Request) -> Option<Caller> {
        let id = request.header("x-auth-token")?;
        let (token, good) = self.keystone.validate(id)?;
        if token.is_expired() {
            return None;
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.get(id).is_none_or(|at| at.elapsed() >= CACHE) {
            if !good {
                return None;
            }
            seen.insert(id.to_owned(), Instant::now());
        }
        Some(Caller::of(&token))
    }

    /// One API request in process, as an admin: status and body. `path` starts with `/v2.0` and may have a query.
    pub fn call(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let request = Request {
            method: method.to_owned(),
            target: path.to_owned(),
            headers: Vec::new(),
            body: body.map(Value::to_string).unwrap_or_default().into_bytes(),
        };
        let response = self.answer(&Caller::admin(&self.project), &request);
        (response.status, response.value())
    }

    fn must(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let (status, answer) = self.call(method, path, body);
        assert!(status < 300, "{method} {path} is refused: {answer}");
        answer
    }

    /// All flavors as answers show them, in the order of creation.
    pub fn flavors(&self) -> Vec<Value> {
        let state = self.state();
        state.flavors.iter().map(|flavor| state.flavor(flavor)).collect()
    }

    /// All service profiles as answers show them, in the order of creation.
    pub fn profiles(&self) -> Vec<Value> {
        self.state().profiles.iter().map(Profile::shown).collect()
    }

    /// All routers as an admin sees them, in the order of creation.
    pub fn routers(&self) -> Vec<Value> {
        self.state().routers.iter().map(|router| router.shown(true)).collect()
    }

    /// Creates a flavor from a request's inner object (`{"name": …, "service_type": …}`); returns it.
    ///
    /// # Panics
    /// If Neutron would refuse it; so for all that write here.
    pub fn add_flavor(&self, flavor: Value) -> Value {
        self.must("POST", "/v2.0/flavors", Some(&wrapped("flavor", flavor)))["flavor"].clone()
    }

    /// Creates a service profile from a request's inner object; returns it.
    ///
    /// # Panics
    /// If Neutron would refuse it.
    pub fn add_profile(&self, profile: Value) -> Value {
        let body = wrapped("service_profile", profile);
        self.must("POST", "/v2.0/service_profiles", Some(&body))["service_profile"].clone()
    }

    /// Associates a profile with a flavor, both by id.
    ///
    /// # Panics
    /// If one is unknown, or they are associated already.
    pub fn bind(&self, flavor: &str, profile: &str) {
        let body = json!({"service_profile": {"id": profile}});
        self.must("POST", &format!("/v2.0/flavors/{flavor}/service_profiles"), Some(&body));
    }

    /// Takes the association back.
    ///
    /// # Panics
    /// If there is none.
    pub fn unbind(&self, flavor: &str, profile: &str) {
        self.must("DELETE", &format!("/v2.0/flavors/{flavor}/service_profiles/{profile}"), None);
    }

    /// Creates a router, with a flavor or without; returns it.
    ///
    /// # Panics
    /// If Neutron would refuse it.
    pub fn add_router(&self, flavor_id: Option<&str>, name: &str) -> Value {
        let mut router = json!({"name": name});
        if let Some(id) = flavor_id {
            router["flavor_id"] = id.into();
        }
        self.must("POST", "/v2.0/routers", Some(&json!({"router": router})))["router"].clone()
    }

    /// Deletes a router.
    ///
    /// # Panics
    /// If there is no such router.
    pub fn delete_router(&self, id: &str) {
        self.must("DELETE", &format!("/v2.0/routers/{id}"), None);
    }

    /// Everything, sorted by id: for comparisons of before and after.
    pub fn snapshot(&self) -> Value {
        let sorted = |mut items: Vec<Value>| {
            items.sort_by(|a, b| a["id"].as_str().cmp(&b["id"].as_str()));
            items
        };
        let mut flavors = sorted(self.flavors());
        for flavor in &mut flavors {
            if let Some(ids) = flavor["service_profiles"].as_array_mut() {
                ids.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
            }
        }
        json!({
            "flavors": flavors, "service_profiles": sorted(self.profiles()), "routers": sorted(self.routers()),
        })
    }
}

fn wrapped(key: &str, inner: Value) -> Value {
    Map::from_iter([(key.to_owned(), inner)]).into()
}

impl Handler for Neutron {
    fn handle(&self, request: &Request) -> Response {
        self.route(request)
    }
}
