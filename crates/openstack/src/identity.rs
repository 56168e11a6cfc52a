//! The Identity API v3 documents of a login: the request, and the token that comes back.

use crate::catalog::Catalog;
use crate::cloud::{Auth, Domain, InDomain, Method, Named, Scope};
use rest::{Response, Secret};
use serde_json::{Map, Value, json};

/// The body of `POST /v3/auth/tokens`. It holds the secret.
pub(crate) fn login_body(auth: &Auth) -> Value {
    let (method, details) = match &auth.method {
        Method::Password { user, password } => {
            let mut user = in_domain(user);
            user["password"] = json!(password.expose());
            ("password", json!({ "user": user }))
        }
        Method::Token(token) => ("token", json!({ "id": token.expose() })),
        Method::ApplicationCredential { credential, secret } => {
            let mut details = match credential {
                Named::Id(id) => json!({ "id": id }),
                Named::Name(name, user) => json!({ "name": name, "user": in_domain(user) }),
            };
            details["secret"] = json!(secret.expose());
            ("application_credential", details)
        }
    };
    let mut identity = Map::new();
    identity.insert("methods".to_owned(), json!([method]));
    identity.insert(method.to_owned(), details);
    let mut body = json!({ "identity": identity });
    match &auth.scope {
        Scope::Unspecified => {}
        Scope::Project(project) => body["scope"] = json!({ "project": in_domain(project) }),
        Scope::Domain(of) => body["scope"] = json!({ "domain": domain(of) }),
        Scope::System => body["scope"] = json!({ "system": { "all": true } }),
        Scope::Trust(id) => body["scope"] = json!({ "OS-TRUST:trust": { "id": id } }),
    }
    json!({ "auth": body })
}

fn in_domain(named: &InDomain) -> Value {
    match named {
        Named::Id(id) => json!({ "id": id }),
        Named::Name(name, of) => json!({ "name": name, "domain": domain(of) }),
    }
}

fn domain(named: &Domain) -> Value {
    match named {
        Named::Id(id) => json!({ "id": id }),
        Named::Name(name, ()) => json!({ "name": name }),
    }
}

/// A token, in memory only.
#[derive(Debug)]
pub(crate) struct Token {
    pub(crate) value: Secret,
    pub(crate) catalog: Catalog,
    pub(crate) project_id: Option<String>,
    pub(crate) user_id: Option<String>,
}

impl Token {
    /// Reads the answer to a login. `Err` says what is wrong with it, without quoting it.
    pub(crate) fn read(response: &Response) -> Result<Self, String> {
        let value = response.header("x-subject-token").filter(|token| !token.is_empty());
        let value = value.ok_or("the header X-Subject-Token is missing")?;
        let body = response.json().map_err(|error| error.to_string())?;
        let token = body.get("token").ok_or("the key `token` is missing")?;
        let id = |of: &str| token.get(of).and_then(|it| it["id"].as_str()).map(str::to_owned);
        Ok(Self {
            value: Secret::new(value),
            catalog: Catalog::read(token.get("catalog"))?,
            project_id: id("project"),
            user_id: id("user"),
        })
    }
}
