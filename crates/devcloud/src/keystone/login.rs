//! `POST /v3/auth/tokens`

use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::http::{Request, Response};
use crate::keystone::State;
use crate::keystone::answers::{
    error, expecting, forbidden, invalid_token, not_found, scope_refused, unauthorized, unknown_token,
};
use crate::keystone::tokens::{Scope, Token};
use crate::random::Ids;

/// Who has proved to be somebody, and how.
struct Identity {
    user: String,
    methods: Vec<String>,
    credential: Option<String>,
    /// The token that was shown, for a rescope: the new one lives no longer, and names it as its parent.
    parent: Option<Token>,
}

impl State {
    /// Issues a token, or says why not.
    pub(super) fn login(&mut self, ids: &Ids, life: Duration, base: &str, request: &Request) -> Response {
        match self.issue(ids, life, base, request) {
            Err(refusal) => *refusal,
            Ok(token) => {
                let catalog = !request.query().iter().any(|(key, _)| key == "nocatalog");
                let body = token.body(&self.directory, catalog);
                let response = Response::ascii_json(201, &body).with_header("X-Subject-Token", &token.id);
                self.tokens.insert(token.id.clone(), token);
                response
            }
        }
    }

    // Boxed: an answer is much larger than what the good path carries.
    fn issue(
        &self,
        ids: &Ids,
        life: Duration,
        base: &str,
        request: &Request,
    ) -> Result<Token, Box<Response>> {
        let body: Value = match request.body.as_slice() {
            [] => Value::Null,
            bytes => serde_json::from_slice(bytes).map_err(|_| expecting("valid JSON", "request body"))?,
        };
        let auth = body.get("auth").ok_or_else(|| expecting("auth", "request body"))?;
        let identity = auth.get("identity").ok_or_else(|| schema_dump(auth))?;
        let methods: Vec<&str> =
            identity["methods"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let first = *methods.first().ok_or_else(|| schema_dump(auth))?;
        for method in &methods {
            if identity.get(method).is_none() {
                return Err(Box::new(expecting(method, "identity")));
            }
        }
        let proof = &identity[first];
        let scoped = auth.get("scope");
        let who = match first {
            "password" => self.by_password(base, &proof["user"])?,
            "token" => self.by_token(proof, scoped)?,
            "application_credential" => self.by_credential(base, proof)?,
            _ => return Err(Box::new(unauthorized(base))),
        };
        let user = self.directory.user(&who.user).ok_or_else(|| unauthorized(base))?;
        if !user.enabled {
            return Err(Box::new(unauthorized(base)));
        }
        if let Some(credential) = who.credential.as_ref().and_then(|id| self.directory.credential(id)) {
            if scoped.is_some() {
                return Err(Box::new(scope_refused(base)));
            }
            let scope = credential.project.clone().map_or(Scope::Unscoped, Scope::Project);
            let roles = credential.roles.clone();
            let mut token = Token::new(ids, &who.user, &["application_credential"], scope, roles, life);
            token.credential = Some(credential.id.clone());
            token.expires = credential.expires.map_or(token.expires, |end| token.expires.min(end));
            return Ok(token);
        }
        let (scope, roles) = self.scope(base, &who.user, user.default_project.as_deref(), scoped)?;
        let methods: Vec<&str> = who.methods.iter().map(String::as_str).collect();
        let mut token = Token::new(ids, &who.user, &methods, scope, roles, life);
        if let Some(parent) = who.parent {
            token.expires = parent.expires;
            token.audit.push(parent.first_audit());
        }
        Ok(token)
    }

    fn by_password(&self, base: &str, user: &Value) -> Result<Identity, Box<Response>> {
        let found = self.find_user(user)?;
        let given = user["password"].as_str();
        match found
            .filter(|id| self.directory.user(id).is_some_and(|user| Some(user.password.as_str()) == given))
        {
            None => Err(Box::new(unauthorized(base))),
            Some(user) => {
                Ok(Identity { user, methods: vec!["password".into()], credential: None, parent: None })
            }
        }
    }

    fn by_token(&self, proof: &Value, scoped: Option<&Value>) -> Result<Identity, Box<Response>> {
        let id = proof["id"].as_str().ok_or_else(|| expecting("id", "token"))?;
        let shown = self.tokens.get(id).ok_or_else(unknown_token)?;
        if !shown.is_valid() {
            return Err(Box::new(invalid_token()));
        }
        if let Some(id) = self.lost_credential(shown) {
            return Err(Box::new(not_found("Application Credential", id)));
        }
        // Both messages end in two dots (measured).
        if shown.credential.is_some() {
            let action = "Using a delegated token to create another token is not allowed.";
            return Err(Box::new(forbidden(action)));
        }
        let narrower = scoped.is_some_and(|scope| scope.get("project").or(scope.get("domain")).is_some());
        if shown.scope == Scope::System && narrower {
            let action = "Using a system-scoped token to create a project-scoped or domain-scoped token is not allowed.";
            return Err(Box::new(forbidden(action)));
        }
        let mut methods = vec!["token".to_owned()];
        methods.extend(shown.methods.iter().filter(|method| *method != "token").cloned());
        Ok(Identity { user: shown.user.clone(), methods, credential: None, parent: Some(shown.clone()) })
    }

    fn by_credential(&self, base: &str, proof: &Value) -> Result<Identity, Box<Response>> {
        let credential = match proof["id"].as_str() {
            Some(id) => {
                let found = self.directory.credential(id);
                found.ok_or_else(|| not_found("Application Credential", id))?
            }
            None => {
                let place = "application credential";
                let name = proof["name"].as_str().ok_or_else(|| expecting("name or ID", place))?;
                let user = proof.get("user").ok_or_else(|| expecting("user", place))?;
                let user = self.find_user(user)?.ok_or_else(|| unauthorized(base))?;
                // An unknown id is 404, an unknown name is 401 (measured).
                let mut credentials = self.directory.credentials.iter();
                let found = credentials.find(|known| known.user == user && known.name == name);
                found.ok_or_else(|| unauthorized(base))?
            }
        };
        let expired = credential.expires.is_some_and(|end| SystemTime::now() >= end);
        if expired || proof["secret"].as_str() != Some(credential.secret.as_str()) {
            return Err(Box::new(unauthorized(base)));
        }
        let methods = vec!["application_credential".into()];
        Ok(Identity {
            user: credential.user.clone(),
            methods,
            credential: Some(credential.id.clone()),
            parent: None,
        })
    }

    /// A user by id, or by name and domain; `None` if there is no such user.
    fn find_user(&self, user: &Value) -> Result<Option<String>, Box<Response>> {
        if let Some(id) = user["id"].as_str() {
            return Ok(self.directory.user(id).map(|user| user.id.clone()));
        }
        let name = user["name"].as_str().ok_or_else(|| expecting("id or name", "user"))?;
        let domain = user.get("domain").ok_or_else(|| expecting("domain", "user"))?;
        let found = self.directory.users.iter().find(|user| user.name == name && is_default(domain));
        Ok(found.map(|user| user.id.clone()))
    }

    fn scope(
        &self,
        base: &str,
        user: &str,
        default_project: Option<&str>,
        scope: Option<&Value>,
    ) -> Result<(Scope, Vec<String>), Box<Response>> {
        let refused = || Box::new(unauthorized(base));
        let project = match scope {
            None => match default_project {
                None => return Ok((Scope::Unscoped, Vec::new())),
                Some(project) => project.to_owned(),
            },
            Some(Value::String(text)) if text == "unscoped" => return Ok((Scope::Unscoped, Vec::new())),
            Some(scope) if scope["system"]["all"] == true => {
                let admin = self.directory.user(user).is_some_and(|user| user.system_admin);
                let roles = ["admin", "manager", "member", "reader"].map(str::to_owned).to_vec();
                return if admin { Ok((Scope::System, roles)) } else { Err(refused()) };
            }
            Some(scope) => {
                let project = &scope["project"];
                let found = match project["id"].as_str() {
                    Some(id) => self.directory.project(id),
                    None => {
                        let name = project["name"].as_str();
                        if name.is_some() && project.get("domain").is_none() {
                            return Err(Box::new(expecting("domain", "project")));
                        }
                        let projects = &self.directory.projects;
                        let named = projects.iter().find(|known| Some(known.name.as_str()) == name);
                        named.filter(|_| is_default(&project["domain"]))
                    }
                };
                // Also for a domain scope: nobody has a role on the domain.
                found.ok_or_else(refused)?.id.clone()
            }
        };
        let roles = self.directory.roles_in(user, &project);
        if roles.is_empty() { Err(refused()) } else { Ok((Scope::Project(project), roles)) }
    }
}

fn is_default(domain: &Value) -> bool {
    domain["id"] == "default" || domain["name"] == "Default"
}

/// Keystone answers with its whole JSON schema here; clients can rely on the first line at most.
fn schema_dump(auth: &Value) -> Box<Response> {
    let missing = if auth.get("identity").is_none() { "identity" } else { "methods" };
    let message = format!(
        "'{missing}' is a required property\n\nFailed validating 'required' in schema['properties']['auth']:\n\nOn \
         instance['auth']:\n    {{}}"
    );
    Box::new(error(400, &message))
}
