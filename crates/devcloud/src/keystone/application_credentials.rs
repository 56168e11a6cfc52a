//! `/v3/users/{user_id}/application_credentials`

use std::time::SystemTime;

use serde_json::{Value, json};

use crate::http::{Request, Response};
use crate::keystone::answers::{error, expecting, forbidden, list_links, malformed, no_page, not_found};
use crate::keystone::directory::{ApplicationCredential, Directory, Role};
use crate::keystone::tokens::{Scope, Token};
use crate::keystone::{Keystone, State};
use crate::time;

impl Keystone {
    #[allow(clippy::too_many_arguments)] // one request, taken apart
    pub(super) fn credentials(
        &self,
        state: &mut State,
        caller: &Token,
        admin: bool,
        base: &str,
        method: &str,
        user: &str,
        rest: &[&str],
        request: &Request,
    ) -> Response {
        let action = match (method, rest.is_empty()) {
            ("POST", _) => "identity:create_application_credential",
            ("DELETE", _) => "identity:delete_application_credential",
            (_, true) => "identity:list_application_credentials",
            _ => "identity:get_application_credential",
        };
        // Those of others are an admin's to see and to delete; making one takes a token that is not the system's.
        let allowed = match method {
            "POST" => caller.user == user && caller.scope != Scope::System,
            _ => caller.user == user || admin,
        };
        if !allowed {
            return forbidden(action);
        }
        match (method, rest) {
            ("POST", []) => self.create_credential(state, caller, base, user, request),
            ("GET", []) => {
                let all = &state.directory.credentials;
                let name = request.parameter("name");
                let own: Vec<Value> = all
                    .iter()
                    .filter(|known| {
                        known.user == user && name.as_ref().is_none_or(|name| *name == known.name)
                    })
                    .map(|known| shown(known, &state.directory, base))
                    .collect();
                Response::ascii_json(
                    200,
                    &json!({"application_credentials": own, "links": list_links(base, request)}),
                )
            }
            ("GET", [id]) => match state.directory.credential(id) {
                None => not_found("Application Credential", id),
                Some(known) => {
                    let body = shown(known, &state.directory, base);
                    Response::ascii_json(200, &json!({"application_credential": body}))
                }
            },
            ("DELETE", [id]) => {
                if let Some(refusal) = restricted(&state.directory, caller) {
                    return refusal;
                }
                let before = state.directory.credentials.len();
                state.directory.credentials.retain(|known| known.id != *id);
                if state.directory.credentials.len() == before {
                    not_found("Application Credential", id)
                } else {
                    Response::empty(204)
                }
            }
            _ => no_page(),
        }
    }

    fn create_credential(
        &self,
        state: &mut State,
        caller: &Token,
        base: &str,
        user: &str,
        request: &Request,
    ) -> Response {
        let Ok(body) = serde_json::from_slice::<Value>(&request.body) else {
            return expecting("valid JSON", "request body");
        };
        let asked = &body["application_credential"];
        let Some(name) = asked["name"].as_str() else {
            return error(
                400,
                &format!(
                    "Invalid input for field/attribute application_credential. Value: {asked}. 'name' is a required \
                     property"
                ),
            );
        };
        if let Some(refusal) = restricted(&state.directory, caller) {
            return refusal;
        }
        if state.directory.credentials.iter().any(|known| known.user == user && known.name == name) {
            return error(
                409,
                &format!(
                    "Conflict occurred attempting to store application_credential - Duplicate entry found with name \
                     {name}."
                ),
            );
        }
        let roles = match asked_roles(&state.directory, caller, &asked["roles"]) {
            Ok(roles) => roles,
            Err(refusal) => return *refusal,
        };
        let expires = asked["expires_at"].as_str().and_then(time::parse);
        if expires.is_some_and(|end| end < SystemTime::now()) {
            return malformed("The 'expires_at' must not be before now.");
        }
        let credential = ApplicationCredential {
            id: self.ids().hex(),
            name: name.to_owned(),
            description: asked["description"].clone(),
            secret: asked["secret"].as_str().map_or_else(|| self.ids().text(64), str::to_owned),
            user: user.to_owned(),
            project: match &caller.scope {
                Scope::Project(id) => Some(id.clone()),
                Scope::Unscoped | Scope::System => None,
            },
            roles,
            expires,
            unrestricted: asked["unrestricted"].clone(),
        };
        let mut body = shown(&credential, &state.directory, base);
        body["secret"] = credential.secret.clone().into();
        state.directory.credentials.push(credential);
        Response::ascii_json(201, &json!({"application_credential": body}))
    }
}

/// The refusal of a caller who came with an application credential that may not manage others.
fn restricted(directory: &Directory, caller: &Token) -> Option<Response> {
    let own = directory.credential(caller.credential.as_ref()?)?;
    let action = "Using method 'application_credential' is not allowed for managing additional application credentials.";
    (own.unrestricted != true).then(|| forbidden(action))
}

/// The names of the roles that are asked for, and of those that they imply: by default, all of the caller's.
fn asked_roles(directory: &Directory, caller: &Token, asked: &Value) -> Result<Vec<String>, Box<Response>> {
    let wanted = asked.as_array().map_or(&[][..], Vec::as_slice);
    if wanted.is_empty() {
        return Ok(caller.roles.clone());
    }
    let unassigned = || {
        let text =
            "Invalid application credential: Cannot create an application credential with unassigned role";
        Box::new(error(400, text))
    };
    let mut names = Vec::new();
    for role in wanted {
        let known = directory.roles.iter().find(|known| role["id"] == known.id || role["name"] == known.name);
        match (known, role["name"].as_str()) {
            (Some(known), _) => names.extend(Directory::with_implied(&known.name)),
            (None, Some(name)) => return Err(Box::new(error(404, &format!("Role {name} is not defined")))),
            (None, None) => return Err(unassigned()),
        }
    }
    if names.iter().all(|name| caller.roles.contains(name)) { Ok(names) } else { Err(unassigned()) }
}

fn shown(credential: &ApplicationCredential, directory: &Directory, base: &str) -> Value {
    let roles: Vec<Value> = directory
        .roles
        .iter()
        .filter(|role| credential.roles.contains(&role.name))
        .map(Role::shown)
        .collect();
    // Not the path that it is found at (measured).
    let own = format!("{base}/v3/application_credentials/{}", credential.id);
    json!({
        "id": credential.id, "name": credential.name, "description": credential.description,
        "user_id": credential.user, "project_id": credential.project, "system": null,
        "expires_at": credential.expires.map(|end| time::micros(end).trim_end_matches('Z').to_owned()),
        "unrestricted": credential.unrestricted, "roles": roles, "links": {"self": own},
    })
}
