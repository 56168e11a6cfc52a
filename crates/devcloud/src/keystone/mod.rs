//! OpenStack Identity: tokens, application credentials, the catalogue.

pub(crate) mod answers;
mod application_credentials;
pub(crate) mod directory;
mod login;
mod routes;
pub(crate) mod tokens;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::http::{Handler, Request, Response};
use crate::keystone::directory::{ApplicationCredential, Directory};
use crate::keystone::tokens::Token;
use crate::random::Ids;

/// The simulated Keystone's state, in process.
///
/// Users (passwords): `admin` (`admin-secret`) in project `admin`; `demo` (`demo-secret`, member), `viewer`
/// (`viewer-secret`, reader) and `nobody` (`nobody-secret`, a role of no meaning) in project `demo`. All in the
/// domain `Default`.
///
/// Not simulated: trusts, federation, domain roles, access rules of application credentials; Keystone's own cache,
/// by which a revoked token now and then is still good there; the JSON schema in the text of some 400s.
#[derive(Debug)]
pub struct Keystone {
    state: Mutex<State>,
    ids: Ids,
    life: Duration,
    base: OnceLock<String>,
}

#[derive(Debug)]
struct State {
    directory: Directory,
    tokens: HashMap<String, Token>,
}

impl Keystone {
    pub(crate) fn new(ids: Ids, life: Duration) -> Self {
        let directory = Directory::new(&ids);
        let state = Mutex::new(State { directory, tokens: HashMap::new() });
        Self { state, ids, life, base: OnceLock::new() }
    }

    /// Tells the URLs once the sockets are open.
    pub(crate) fn publish(&self, keystone: &str, neutron: &str) {
        self.base.get_or_init(|| keystone.to_owned());
        let mut state = self.state();
        state.directory.add_service(&self.ids, "identity", "keystone", &format!("{keystone}/v3/"));
        // Without /v2.0: a client must append it (measured).
        state.directory.add_service(&self.ids, "network", "neutron", neutron);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ids(&self) -> &Ids {
        &self.ids
    }

    fn life(&self) -> Duration {
        self.life
    }

    fn base(&self, request: &Request) -> String {
        self.base.get().cloned().unwrap_or_else(|| format!("http://{}", request.host()))
    }

    /// Keystone's URL, without `/v3`.
    pub fn url(&self) -> String {
        self.base.get().cloned().unwrap_or_default()
    }

    /// Adds a user in the domain `Default`; the project and the roles are made if they are not there. Returns the id.
    pub fn add_user(&self, name: &str, password: &str, project: &str, roles: &[&str]) -> String {
        self.state().directory.add_user(&self.ids, name, password, project, roles)
    }

    /// Changes a user's password; tokens that are out stay good.
    pub fn set_password(&self, user: &str, password: &str) {
        for known in self.state().directory.users.iter_mut().filter(|known| known.name == user) {
            password.clone_into(&mut known.password);
        }
    }

    /// Enables or disables a user; a disabled one cannot log in (401).
    pub fn enable_user(&self, user: &str, enabled: bool) {
        for known in self.state().directory.users.iter_mut().filter(|known| known.name == user) {
            known.enabled = enabled;
        }
    }

    /// Makes an application credential for a user in its project, with all its roles; returns id and secret.
    ///
    /// # Panics
    /// If there is no such user, or it has no role in any project.
    pub fn application_credential(&self, user: &str, name: &str) -> (String, String) {
        let mut state = self.state();
        let known = state.directory.users.iter().find(|known| known.name == user);
        let known = known.unwrap_or_else(|| panic!("no user {user:?}")).id.clone();
        let project = state.directory.assignments.iter().find(|(who, ..)| *who == known);
        let project = project.unwrap_or_else(|| panic!("user {user:?} has no role")).1.clone();
        let credential = ApplicationCredential {
            id: self.ids.hex(),
            name: name.to_owned(),
            description: json!(null),
            secret: self.ids.text(64),
            roles: state.directory.roles_in(&known, &project),
            user: known,
            project: Some(project),
            expires: None,
            unrestricted: json!(null),
        };
        let answer = (credential.id.clone(), credential.secret.clone());
        state.directory.credentials.push(credential);
        answer
    }

    /// Deletes an application credential; its tokens are refused from then on (Neutron: unless it has seen them).
    pub fn delete_application_credential(&self, id: &str) {
        self.state().directory.credentials.retain(|known| known.id != id);
    }

    /// Takes a service (`network`) out of the catalogue of tokens to come.
    pub fn drop_service(&self, service_type: &str) {
        self.state().directory.services.retain(|service| service.kind != service_type);
    }

    /// Moves a service's endpoints to another region.
    pub fn set_region(&self, service_type: &str, region: &str) {
        for service in self.state().directory.services.iter_mut().filter(|known| known.kind == service_type) {
            region.clone_into(&mut service.region);
        }
    }

    /// Changes the URL in a service's endpoints.
    pub fn set_endpoint(&self, service_type: &str, url: &str) {
        for service in self.state().directory.services.iter_mut().filter(|known| known.kind == service_type) {
            url.clone_into(&mut service.url);
        }
    }

    /// Removes one of `public`, `internal`, `admin` from a service's endpoints.
    pub fn drop_interface(&self, service_type: &str, interface: &str) {
        for service in self.state().directory.services.iter_mut().filter(|known| known.kind == service_type) {
            service.endpoints.retain(|(known, _)| known != interface);
        }
    }

    /// Makes every token that is out expire now, at Keystone and at Neutron.
    pub fn expire_tokens(&self) {
        let now = SystemTime::now();
        for token in self.state().tokens.values_mut() {
            token.expires = token.expires.min(now);
        }
    }

    /// Revokes every token that is out: Neutron goes on accepting those that it has seen (measured).
    pub fn revoke_tokens(&self) {
        for token in self.state().tokens.values_mut() {
            token.revoked = true;
        }
    }

    /// How many tokens were issued so far.
    pub fn tokens_issued(&self) -> usize {
        self.state().tokens.len()
    }

    /// What the token middleware in front of Neutron learns about a token: itself, and whether it is good.
    pub(crate) fn validate(&self, id: &str) -> Option<(Token, bool)> {
        let state = self.state();
        let token = state.tokens.get(id)?;
        Some((token.clone(), token.is_valid() && state.lost_credential(token).is_none()))
    }
}

impl Handler for Keystone {
    fn handle(&self, request: &Request) -> Response {
        let id = format!("req-{}", self.ids.uuid());
        // Both are on every answer, whatever it is (measured).
        self.route(request).with_header("Vary", "X-Auth-Token").with_header("X-Openstack-Request-Id", &id)
    }
}
