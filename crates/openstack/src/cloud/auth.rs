//! How a cloud is logged in to: the auth type, who, and for what scope.

use super::entry::{Entry, Prefer};
use super::template;
use crate::Error;
use rest::Secret;
use std::fmt;

/// The auth types this client has, as `clouds.yaml` spells them.
pub(crate) const AUTH_TYPES: [&str; 5] =
    ["password", "v3password", "token", "v3token", "v3applicationcredential"];

/// A name with what makes it unique, or an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Named<Within> {
    /// An id says all.
    Id(String),
    /// A name, unique only within a domain.
    Name(String, Within),
}

/// A domain, by id or name.
pub(crate) type Domain = Named<()>;
/// A user or a project.
pub(crate) type InDomain = Named<Domain>;

/// What proves who we are.
#[derive(Debug)]
pub(crate) enum Method {
    /// `password`, `v3password`.
    Password { user: InDomain, password: Secret },
    /// `token`, `v3token`: a token made by somebody else.
    Token(Secret),
    /// `v3applicationcredential`. The user is needed only with a name.
    ApplicationCredential { credential: Named<InDomain>, secret: Secret },
}

/// What the token is for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Nothing is asked: the credential's own scope, or the user's default project.
    Unspecified,
    /// A project.
    Project(InDomain),
    /// A whole domain.
    Domain(Domain),
    /// The whole deployment.
    System,
    /// What a trust delegates.
    Trust(String),
}

/// Everything of a login.
pub(crate) struct Auth {
    /// The Identity API with its version, without a slash at the end: `https://host:5000/v3`.
    pub(crate) url: String,
    pub(crate) method: Method,
    pub(crate) scope: Scope,
}

/// Without the URL: it may carry `user:password@`.
impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Auth")
            .field("method", &self.method)
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

impl Auth {
    /// Reads the `auth` part of an entry.
    ///
    /// # Errors
    /// [`Error::Cloud`] naming the key that is missing or cannot be used, never its value: what
    /// stands under the wrong key may be a secret.
    pub(crate) fn read(entry: &Entry) -> Result<Self, Error> {
        let url = identity_url(entry)?;
        let keys = Keys::read(entry)?;
        let auth_type =
            entry.text(&["auth_plugin", "auth_type"], Prefer::Top)?.unwrap_or_else(|| "password".to_owned());
        let (method, scope) = match auth_type.as_str() {
            "password" | "v3password" => {
                let password = entry.text(&["password"], Prefer::Auth)?;
                let user = keys.user(entry)?;
                (
                    Method::Password { user, password: secret(entry, "password", password)? },
                    keys.scope(entry)?,
                )
            }
            "token" | "v3token" => {
                let token = entry.text(&["auth_token", "token"], Prefer::Top)?;
                (Method::Token(secret(entry, "token", token)?), keys.scope(entry)?)
            }
            // Keystone refuses a scope here (401): the credential has its own.
            "v3applicationcredential" => (application_credential(entry, &keys)?, Scope::Unspecified),
            _ => {
                let known = AUTH_TYPES.join(", ");
                return Err(
                    entry.problem(format!("auth_type is one that is not supported; supported are: {known}"))
                );
            }
        };
        Ok(Self { url, method, scope })
    }

    /// True if a new token can be had after the present one has died.
    pub(crate) fn can_renew(&self) -> bool {
        !matches!(self.method, Method::Token(_))
    }

    /// The secrets of the login: nothing that quotes one may be shown.
    pub(crate) fn secret(&self) -> &Secret {
        match &self.method {
            Method::Password { password: secret, .. }
            | Method::Token(secret)
            | Method::ApplicationCredential { secret, .. } => secret,
        }
    }
}

/// `auth_url` with `/v3` at its end. Only v3 exists since Keystone's Queens release, so asking
/// the server which versions it has would be a request for nothing.
fn identity_url(entry: &Entry) -> Result<String, Error> {
    let url = entry.text(&["auth_url"], Prefer::Auth)?.ok_or_else(|| missing(entry, "auth_url"))?;
    let url = template::region(entry, "auth.auth_url", url)?;
    let url = url.trim().trim_end_matches('/');
    if !url.starts_with("http://") && !url.starts_with("https://") {
        return Err(entry.problem("auth.auth_url has to start with http:// or https://"));
    }
    if let Some(version) = entry.top_text("identity_api_version")?
        && version.trim_start_matches('v').starts_with('2')
    {
        return Err(entry.problem("identity_api_version 2 is not supported: use 3"));
    }
    match url.rsplit('/').next() {
        Some("v3") => Ok(url.to_owned()),
        Some("v2.0") => Err(entry.problem("auth.auth_url ends in v2.0, which is not supported: use v3")),
        _ => Ok(format!("{url}/v3")),
    }
}

fn application_credential(entry: &Entry, keys: &Keys) -> Result<Method, Error> {
    let id = entry.text(&["application_credential_id"], Prefer::Auth)?;
    let name = entry.text(&["application_credential_name"], Prefer::Auth)?;
    let credential = match (id, name) {
        (Some(id), _) => Named::Id(id),
        (None, Some(name)) => Named::Name(name, keys.user(entry)?),
        (None, None) => {
            return Err(entry.problem(
                "auth.application_credential_id is missing (or auth.application_credential_name with a user)",
            ));
        }
    };
    let given = entry.text(&["application_credential_secret"], Prefer::Auth)?;
    Ok(Method::ApplicationCredential {
        credential,
        secret: secret(entry, "application_credential_secret", given)?,
    })
}

fn missing(entry: &Entry, key: &str) -> Error {
    entry.problem(format!("auth.{key} is missing"))
}

fn secret(entry: &Entry, key: &str, value: Option<String>) -> Result<Secret, Error> {
    value.map(Secret::new).ok_or_else(|| missing(entry, key))
}

/// The keys that say who and where, after openstacksdk's rules of precedence.
struct Keys {
    user_id: Option<String>,
    user_name: Option<String>,
    user_domain: Option<Domain>,
    project_id: Option<String>,
    project_name: Option<String>,
    project_domain: Option<Domain>,
    domain: Option<Domain>,
    default_domain: Option<Domain>,
    trust_id: Option<String>,
    system_scope: Option<String>,
}

impl Keys {
    fn read(entry: &Entry) -> Result<Self, Error> {
        let top = |keys: &[&str]| entry.text(keys, Prefer::Top);
        let auth = |keys: &[&str]| entry.text(keys, Prefer::Auth);
        let domain = |id: Option<String>, name: Option<String>| {
            id.map(Named::Id).or(name.map(|name| Named::Name(name, ())))
        };
        let mut keys = Self {
            user_id: auth(&["user_id"])?,
            user_name: auth(&["user_name", "username"])?,
            user_domain: domain(top(&["user_domain_id"])?, top(&["user_domain_name"])?),
            project_id: top(&["tenant_id", "project_id"])?,
            project_name: top(&["tenant_name", "project_name"])?,
            project_domain: domain(top(&["project_domain_id"])?, top(&["project_domain_name"])?),
            domain: domain(top(&["domain_id"])?, top(&["domain_name"])?),
            default_domain: domain(auth(&["default_domain_id"])?, auth(&["default_domain_name"])?),
            trust_id: auth(&["trust_id"])?,
            system_scope: auth(&["system_scope"])?,
        };
        // In an entry with a project, a lone domain is the domain of both the user and the project.
        if keys.project_id.is_some() || keys.project_name.is_some() {
            let lone = keys.domain.take();
            keys.user_domain = keys.user_domain.or(lone.clone());
            keys.project_domain = keys.project_domain.or(lone);
        }
        keys.user_domain = keys.user_domain.or_else(|| keys.default_domain.clone());
        keys.project_domain = keys.project_domain.or_else(|| keys.default_domain.clone());
        Ok(keys)
    }

    fn user(&self, entry: &Entry) -> Result<InDomain, Error> {
        let name = match (&self.user_id, &self.user_name) {
            (Some(id), _) => return Ok(Named::Id(id.clone())),
            (None, Some(name)) => name,
            (None, None) => return Err(entry.problem("auth.username is missing (or auth.user_id)")),
        };
        match &self.user_domain {
            Some(domain) => Ok(Named::Name(name.clone(), domain.clone())),
            None => Err(entry.problem(
                "auth.user_domain_name is missing (or auth.user_domain_id): a user name is unique only within a domain",
            )),
        }
    }

    fn scope(&self, entry: &Entry) -> Result<Scope, Error> {
        let project = match (&self.project_id, &self.project_name, &self.project_domain) {
            (Some(id), _, _) => Some(Named::Id(id.clone())),
            (None, Some(name), Some(domain)) => Some(Named::Name(name.clone(), domain.clone())),
            (None, Some(_), None) => {
                return Err(entry.problem(
                    "auth.project_domain_name is missing (or auth.project_domain_id): a project name is unique only within a domain",
                ));
            }
            (None, None, _) => None,
        };
        if self.system_scope.as_deref().is_some_and(|scope| scope != "all") {
            return Err(entry.problem("auth.system_scope has to be \"all\""));
        }
        let mut given = Vec::new();
        given.extend(project.map(|project| ("project", Scope::Project(project))));
        given.extend(self.domain.clone().map(|domain| ("domain", Scope::Domain(domain))));
        given.extend(self.trust_id.clone().map(|id| ("trust", Scope::Trust(id))));
        given.extend(self.system_scope.as_ref().map(|_| ("system", Scope::System)));
        if given.len() > 1 {
            let names: Vec<_> = given.iter().map(|(name, _)| *name).collect();
            return Err(
                entry.problem(format!("auth has more than one scope ({}): keep one", names.join(", ")))
            );
        }
        Ok(given.pop().map_or(Scope::Unspecified, |(_, scope)| scope))
    }
}
