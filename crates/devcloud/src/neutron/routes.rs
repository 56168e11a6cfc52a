//! Neutron's paths.

use serde_json::json;

use crate::http::{Request, Response};
use crate::neutron::Neutron;
use crate::neutron::errors::Error;
use crate::neutron::list;
use crate::neutron::policy::Caller;
use crate::neutron::state::State;
use crate::neutron::{bindings, flavors, pages, profiles, routers};

impl Neutron {
    /// Answers a request over HTTP: who asks is in its token.
    pub(super) fn route(&self, request: &Request) -> Response {
        let segments = request.segments();
        let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
        match parts[..] {
            [] if request.method == "GET" => {
                return Response::ascii_json(200, &pages::versions(&list::base(request)));
            }
            ["healthcheck"] if request.method == "GET" => {
                return Response::text(200, "text/plain; charset=UTF-8", "OK");
            }
            ["v2.0", ..] => {}
            _ => return pages::html_not_found(),
        }
        // Before any routing, so also for paths that do not exist.
        let response = match self.caller(request) {
            None => pages::unauthorized(&self.keystone().url()),
            Some(caller) => self.answer(&caller, request),
        };
        // What is routed before the API, as the root is, has no id (measured).
        response.with_header("X-Openstack-Request-Id", &format!("req-{}", self.ids().uuid()))
    }

    /// Answers a request of a known caller.
    pub(super) fn answer(&self, caller: &Caller, request: &Request) -> Response {
        let segments = request.segments();
        let mut parts: Vec<&str> = segments.iter().skip(1).map(String::as_str).collect();
        if let Some(last) = parts.last_mut() {
            *last = last.strip_suffix(".json").unwrap_or(last);
        }
        if let Some(page) = self.page(caller, &parts, request) {
            return page;
        }
        let mut state = self.state();
        self.resource(&mut state, caller, &parts, request).unwrap_or_else(|error| error.response())
    }

    fn page(&self, caller: &Caller, parts: &[&str], request: &Request) -> Option<Response> {
        if request.method != "GET" {
            return None;
        }
        Some(match parts {
            [] if request.path().ends_with('/') => {
                Response::ascii_json(200, &pages::resources(&list::base(request)))
            }
            ["extensions"] => Response::ascii_json(200, &json!({"extensions": pages::extensions()})),
            ["extensions", alias] => {
                match pages::extensions().into_iter().find(|known| known["alias"] == *alias) {
                    Some(extension) => Response::ascii_json(200, &json!({"extension": extension})),
                    None => pages::html_not_found(),
                }
            }
            ["service-providers"] => {
                let mut providers = Vec::new();
                if caller.sees() {
                    for (name, _) in self.providers() {
                        providers
                            .push(json!({"service_type": "L3_ROUTER_NAT", "name": name, "default": false}));
                    }
                }
                Response::ascii_json(200, &json!({"service_providers": providers}))
            }
            _ => return None,
        })
    }

    fn resource(
        &self,
        state: &mut State,
        caller: &Caller,
        parts: &[&str],
        request: &Request,
    ) -> Result<Response, Error> {
        if matches!(request.method.as_str(), "PATCH" | "HEAD") {
            return Err(Error::method_not_allowed());
        }
        match (request.method.as_str(), parts) {
            ("GET", ["flavors"]) => self.list_flavors(state, caller, request),
            ("POST", ["flavors"]) => self.create_flavor(state, caller, request),
            (_, ["flavors"]) => Err(Error::no_flavor("None")),
            ("GET", ["flavors", id]) => self.show_flavor(state, caller, id, request),
            ("PUT", ["flavors", id]) => self.update_flavor(state, caller, id, request),
            ("DELETE", ["flavors", id]) => self.delete_flavor(state, caller, id),
            ("POST", ["flavors", id, "service_profiles"]) => self.associate(state, caller, id, request),
            // The plugin lacks what these call.
            ("GET", ["flavors", _, "service_profiles" | "next_providers"]) => Err(Error::internal()),
            ("GET", ["flavors", flavor, "service_profiles", profile]) => {
                self.show_binding(state, caller, flavor, profile)
            }
            ("PUT", ["flavors", flavor, "service_profiles", profile]) => {
                self.update_binding(state, caller, flavor, profile, request)
            }
            ("DELETE", ["flavors", flavor, "service_profiles", profile]) => {
                self.disassociate(state, caller, flavor, profile)
            }
            // The flavor's id is taken for the profile's (measured).
            ("PUT", ["flavors", id, "service_profiles"]) => {
                self.update_binding(state, caller, id, id, request)
            }
            ("DELETE", ["flavors", id, "service_profiles"]) => self.disassociate(state, caller, id, id),
            ("GET", ["service_profiles"]) => self.list_profiles(state, caller, request),
            ("POST", ["service_profiles"]) => self.create_profile(state, caller, request),
            (_, ["service_profiles"]) => Err(Error::no_profile("None")),
            ("GET", ["service_profiles", id]) => self.show_profile(state, caller, id, request),
            ("PUT", ["service_profiles", id]) => self.update_profile(state, caller, id, request),
            ("DELETE", ["service_profiles", id]) => self.delete_profile(state, caller, id),
            ("GET", ["routers"]) => self.list_routers(state, caller, request),
            ("POST", ["routers"]) => self.create_router(state, caller, request),
            (_, ["routers"]) => Err(Error::no_router("None")),
            ("GET", ["routers", id]) => self.show_router(state, caller, id, request),
            ("PUT", ["routers", id]) => self.update_router(state, caller, id, request),
            ("DELETE", ["routers", id]) => self.remove_router(state, caller, id),
            ("POST", ["flavors", _]) => {
                flavors::SCHEMA.refuse_post(request, || caller.may_create("rule:create_flavor"))
            }
            ("POST", ["flavors", _, "service_profiles", _]) => {
                bindings::SCHEMA.refuse_post(request, || caller.may_create(bindings::CREATE))
            }
            ("POST", ["service_profiles", _]) => {
                profiles::SCHEMA.refuse_post(request, || caller.may_create("rule:create_service_profile"))
            }
            ("POST", ["routers", _]) => {
                routers::SCHEMA.refuse_post(request, || caller.may_have_routers("rule:create_router"))
            }
            ("POST", ["flavors" | "service_profiles" | "routers", ..]) => Err(Error::method_not_allowed()),
            _ => Err(Error::hidden()),
        }
    }
}
