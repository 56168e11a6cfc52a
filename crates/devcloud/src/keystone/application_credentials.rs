//! `/v3/users/{user_id}/application_credentials`

use std::time::SystemTime;

use serde_json::{Value, json};

use crate::http::{Request, Response};
use crate::keystone::answers::{error, expecting, forbidden, malformed, no_page, not_found};
use crate::keystone::directory::{ApplicationCredential, Directory};
use crate::keystone::tokens::{Scope, Token};
use crate::keystone::{Keystone, State};
use crate::time;

impl Keystone {
    #[allow(clippy::too_many_arguments)] // one request, taken apart
    pub(super) fn credentials(
        &self,
        state: &mut State,
        caller: &Token,
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
        if caller.user != user {
            return forbidden(action);
        }
        match (method, rest) {
            ("POST", []) => self.create_credential(state, caller, base, user, request),
            ("GET", []) => {
                let all = &state.directory.credentials;
                let own: Vec<Value> = all
                    .iter()
                    .filter(|known| known.user == user)
                    .map(|known| shown(known, &state.directory, base))
                    .collect();
                Response::ascii_json(200, &json!({"application_credentials": own, "links": {}}))
            }
            ("GET", [id]) => match state.directory.credentials.iter().find(|known| known.id == *id) {
                None => not_found("Application Credential", id),
                Some(known) => {
                    let body = shown(known, &state.directory, base);
                    Response::ascii_json(200, &json!({"application_credential": body}))
                }
            },
            ("DELETE", [id]) => {
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
        if caller.credential.is_some() {
            return error(
                403,
                "You are not authorized to perform the requested action: Using method 'application_credential' is not \
                 allowed for managing additional application credentials..",
            );
        }
        let Scope::Project(project) = &caller.scope else {
            return malformed("Invalid application credential: a project is needed.");
        };
        if state.directory.credentials.iter().any(|known| known.user == user && known.name == name) {
            return error(
                409,
                &format!(
                    "Conflict occurred attempting to store application_credential - Duplicate entry found with name \
                     {name}."
                ),
            );
        }
        let roles = match asked["roles"].as_array() {
            None => caller.roles.clone(),
            Some(wanted) => wanted.iter().filter_map(|role| role_name(&state.directory, role)).collect(),
        };
        let too_many = asked["roles"].as_array().is_some_and(|wanted| wanted.len() != roles.len());
        if too_many || roles.iter().any(|role| !caller.roles.contains(role)) {
            let text = "Invalid application credential: Cannot create an application credential with unassigned role";
            return error(400, text);
        }
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
            project: project.clone(),
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

fn role_name(directory: &Directory, role: &Value) -> Option<String> {
    let known = directory.roles.iter().find(|known| role["id"] == known.id || role["name"] == known.name)?;
    Some(known.name.clone())
}

fn shown(credential: &ApplicationCredential, directory: &Directory, base: &str) -> Value {
    let roles: Vec<Value> = directory
        .roles
        .iter()
        .filter(|role| credential.roles.contains(&role.name))
        .map(|role| json!({"id": role.id, "name": role.name, "domain_id": null, "description": null, "options": {}}))
        .collect();
    let own = format!("{base}/v3/users/{}/application_credentials/{}", credential.user, credential.id);
    json!({
        "id": credential.id, "name": credential.name, "description": credential.description,
        "user_id": credential.user, "project_id": credential.project, "system": null,
        "expires_at": credential.expires.map(|end| time::micros(end).trim_end_matches('Z').to_owned()),
        "unrestricted": credential.unrestricted, "roles": roles, "links": {"self": own},
    })
}
