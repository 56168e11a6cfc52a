//! Tokens: what they say, and whether they still count.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::keystone::directory::{Directory, domain};
use crate::random::Ids;
use crate::time;

/// What a token is scoped to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    Unscoped,
    /// A project's id.
    Project(String),
    System,
}

#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) id: String,
    pub(crate) methods: Vec<String>,
    /// The user's id.
    pub(crate) user: String,
    pub(crate) scope: Scope,
    /// Role names.
    pub(crate) roles: Vec<String>,
    pub(crate) credential: Option<String>,
    /// The own audit id; of a rescoped token also that of the first in the chain.
    pub(crate) audit: Vec<String>,
    issued: SystemTime,
    pub(crate) expires: SystemTime,
    pub(crate) revoked: bool,
}

impl Token {
    pub(crate) fn new(
        ids: &Ids,
        user: &str,
        methods: &[&str],
        scope: Scope,
        roles: Vec<String>,
        life: Duration,
    ) -> Self {
        // As long as the real ones: 183 characters with a project, about 162 without.
        let bytes = if scope == Scope::Unscoped { 118 } else { 133 };
        let issued = SystemTime::now();
        Self {
            id: format!("gAAAAA{}", &ids.text(bytes)[..bytes * 4 / 3]),
            methods: methods.iter().map(|&method| method.to_owned()).collect(),
            user: user.to_owned(),
            scope,
            roles,
            credential: None,
            audit: vec![ids.text(16)],
            issued,
            expires: issued + life,
            revoked: false,
        }
    }

    /// True until it is revoked or its time is over.
    pub(crate) fn is_valid(&self) -> bool {
        !self.revoked && !self.is_expired()
    }

    /// The audit id of the token that this one comes from, or its own.
    pub(crate) fn first_audit(&self) -> String {
        self.audit.last().cloned().unwrap_or_default()
    }

    pub(crate) fn is_expired(&self) -> bool {
        SystemTime::now() >= self.expires
    }

    /// The token as Keystone shows it.
    pub(crate) fn body(&self, directory: &Directory, catalog: bool) -> Value {
        let user = directory.user(&self.user);
        let mut token = json!({
            "methods": self.methods,
            "user": {
                "domain": domain(), "id": self.user, "name": user.map_or("", |user| &user.name),
                "password_expires_at": null,
            },
            "audit_ids": self.audit,
            "expires_at": time::micros(self.expires), "issued_at": time::micros(self.issued),
        });
        match &self.scope {
            Scope::Unscoped => {}
            Scope::Project(id) => {
                let name = directory.project(id).map_or("", |project| &project.name);
                token["project"] = json!({"domain": domain(), "id": id, "name": name});
                token["is_domain"] = false.into();
            }
            Scope::System => token["system"] = json!({"all": true}),
        }
        if self.scope != Scope::Unscoped {
            token["roles"] = directory.role_list(&self.roles);
            if catalog {
                token["catalog"] = directory.catalog();
            }
        }
        if let Some(credential) = &self.credential {
            let known = directory.credential(credential);
            let name = known.map_or("", |known| &known.name);
            let restricted = known.is_none_or(|known| known.unrestricted != true);
            token["application_credential"] =
                json!({"id": credential, "name": name, "restricted": restricted});
        }
        json!({"token": token})
    }
}
