//! Keystone's paths.

use serde_json::{Value, json};

use crate::http::{Request, Response};
use crate::keystone::answers::{
    error, expecting, forbidden, invalid_token, list_links, malformed, no_page, not_found, unauthorized,
    unknown_token,
};
use crate::keystone::directory::{Project, User};
use crate::keystone::tokens::Token;
use crate::keystone::{Keystone, State};

impl Keystone {
    pub(super) fn route(&self, request: &Request) -> Response {
        let base = self.base(request);
        let segments = request.segments();
        let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
        let mut state = self.state();
        match (request.method.as_str(), &parts[..]) {
            ("GET" | "HEAD", []) => {
                let versions = json!({"versions": {"values": [version(&base)]}});
                return Response::ascii_json(300, &versions).with_header("Location", &format!("{base}/v3/"));
            }
            ("GET" | "HEAD", ["v3"]) => {
                return Response::ascii_json(200, &json!({"version": version(&base)}));
            }
            ("POST", ["v3", "auth", "tokens"]) => {
                return state.login(self.ids(), self.life(), &base, request);
            }
            _ => {}
        }
        let ["v3", rest @ ..] = &parts[..] else { return no_page() };
        if !matches!(rest.first(), Some(&("auth" | "users" | "projects"))) {
            return no_page();
        }
        let caller = match state.caller(&base, request) {
            Ok(caller) => caller,
            Err(refusal) => return *refusal,
        };
        let admin = caller.roles.iter().any(|role| role == "admin");
        match (request.method.as_str(), rest) {
            (method, ["auth", "tokens"]) => subject(&mut state, &caller, admin, method, request),
            ("GET", ["auth", "catalog"]) => {
                let links = json!({"self": format!("{base}/v3/auth/catalog")});
                Response::ascii_json(200, &json!({"catalog": state.directory.catalog(), "links": links}))
            }
            ("GET", ["users"]) if !admin => forbidden("identity:list_users"),
            ("GET", ["users"]) => {
                let links = list_links(&base, request);
                Response::ascii_json(200, &json!({"users": users(&state, &base, request), "links": links}))
            }
            ("POST", ["users"]) if !admin => forbidden("identity:create_user"),
            ("POST", ["users"]) => self.create_user(&mut state, &base, request),
            ("GET", ["projects"]) if !admin => forbidden("identity:list_projects"),
            ("GET", ["projects"]) => {
                let name = request.parameter("name");
                let projects: Vec<Value> = state
                    .directory
                    .projects
                    .iter()
                    .filter(|project| name.as_ref().is_none_or(|name| *name == project.name))
                    .map(|project| project_body(&base, project))
                    .collect();
                let links = list_links(&base, request);
                Response::ascii_json(200, &json!({"projects": projects, "links": links}))
            }
            ("GET", ["projects", id]) => match state.directory.project(id) {
                None => not_found("project", id),
                Some(project) => Response::ascii_json(200, &json!({"project": project_body(&base, project)})),
            },
            (method, ["users", user, "application_credentials", rest @ ..]) => {
                self.credentials(&mut state, &caller, admin, &base, method, user, rest, request)
            }
            _ => no_page(),
        }
    }

    fn create_user(&self, state: &mut State, base: &str, request: &Request) -> Response {
        let Ok(body) = serde_json::from_slice::<Value>(&request.body) else {
            return expecting("valid JSON", "request body");
        };
        let user = &body["user"];
        let Some(name) = user["name"].as_str() else {
            return malformed(&format!(
                "Invalid input for field/attribute user. Value: {user}. 'name' is a required property"
            ));
        };
        if state.directory.users.iter().any(|known| known.name == name) {
            return error(
                409,
                &format!(
                    "Conflict occurred attempting to store user - Duplicate entry found with name {name} at domain \
                     ID default."
                ),
            );
        }
        let password = user["password"].as_str().unwrap_or_default();
        let project =
            state.directory.projects.first().map_or_else(String::new, |project| project.name.clone());
        let id = state.directory.add_user(self.ids(), name, password, &project, &[]);
        let mut body = Value::Null;
        if let Some(created) = state.directory.users.iter_mut().find(|known| known.id == id) {
            created.default_project = user["default_project_id"].as_str().map(str::to_owned);
            body = user_body(base, created);
        }
        Response::ascii_json(201, &json!({"user": body}))
    }
}

impl State {
    /// The token in `X-Auth-Token`, if it is good.
    fn caller(&self, base: &str, request: &Request) -> Result<Token, Box<Response>> {
        let refused = || Box::new(unauthorized(base));
        let token = request.header("x-auth-token").and_then(|id| self.tokens.get(id)).ok_or_else(refused)?;
        if token.is_expired() {
            return Err(refused());
        }
        // A live token of a deleted credential is 404 here, not 401 (measured).
        if let Some(id) = self.lost_credential(token) {
            return Err(Box::new(not_found("Application Credential", id)));
        }
        if token.is_valid() { Ok(token.clone()) } else { Err(refused()) }
    }

    /// The application credential that a token was made with, if it was deleted since.
    pub(super) fn lost_credential<'t>(&self, token: &'t Token) -> Option<&'t str> {
        token.credential.as_deref().filter(|id| self.directory.credential(id).is_none())
    }
}

fn version(base: &str) -> Value {
    json!({
        "id": "v3.14", "status": "stable", "updated": "2020-04-07T00:00:00Z",
        "links": [{"rel": "self", "href": format!("{base}/v3/")}],
        "media-types": [{"base": "application/json", "type": "application/vnd.openstack.identity-v3+json"}],
    })
}

/// GET, HEAD and DELETE of the token in `X-Subject-Token`.
fn subject(state: &mut State, caller: &Token, admin: bool, method: &str, request: &Request) -> Response {
    let Some(id) = request.header("x-subject-token") else { return error(404, "No token in the request") };
    let Some(token) = state.tokens.get_mut(id) else { return unknown_token() };
    if !admin && token.user != caller.user {
        let action = if method == "DELETE" { "identity:revoke_token" } else { "identity:validate_token" };
        return forbidden(action);
    }
    if !token.is_valid() {
        return invalid_token();
    }
    match method {
        "DELETE" => {
            token.revoked = true;
            Response::empty(204)
        }
        "GET" | "HEAD" => {
            let token = token.clone();
            let catalog = !request.query().iter().any(|(key, _)| key == "nocatalog");
            let body = token.body(&state.directory, catalog);
            Response::ascii_json(200, &body).with_header("X-Subject-Token", &token.id)
        }
        _ => error(405, "The method is not allowed for the requested URL."),
    }
}

fn users(state: &State, base: &str, request: &Request) -> Vec<Value> {
    let name = request.parameter("name");
    let users = state.directory.users.iter();
    users
        .filter(|user| name.as_ref().is_none_or(|name| *name == user.name))
        .map(|user| user_body(base, user))
        .collect()
}

fn user_body(base: &str, user: &User) -> Value {
    let mut body = json!({
        "id": user.id, "name": user.name, "domain_id": "default", "enabled": user.enabled,
        "password_expires_at": null, "options": {}, "links": {"self": format!("{base}/v3/users/{}", user.id)},
    });
    if let Some(project) = &user.default_project {
        body["default_project_id"] = project.clone().into();
    }
    body
}

fn project_body(base: &str, project: &Project) -> Value {
    json!({
        "id": project.id, "name": project.name, "domain_id": "default", "description": "", "enabled": true,
        "parent_id": "default", "is_domain": false, "tags": [], "options": {},
        "links": {"self": format!("{base}/v3/projects/{}", project.id)},
    })
}
