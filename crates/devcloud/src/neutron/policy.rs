//! Who may do what (new defaults and scope enforced, as by default).

use crate::keystone::tokens::{Scope, Token};
use crate::neutron::errors::Error;

/// What the roles and the scope of a token amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rank {
    Admin,
    Member,
    Reader,
    /// A role of no meaning here, or an unscoped token.
    Nothing,
    /// A system scope: every rule here wants a project.
    System,
}

/// The user behind a request.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    rank: Rank,
    pub(crate) project: String,
}

impl Caller {
    /// An admin, for calls in process.
    pub(crate) fn admin(project: &str) -> Self {
        Self { rank: Rank::Admin, project: project.to_owned() }
    }

    pub(crate) fn of(token: &Token) -> Self {
        let has = |wanted: &[&str]| token.roles.iter().any(|role| wanted.contains(&role.as_str()));
        let (rank, project) = match &token.scope {
            Scope::System => (Rank::System, String::new()),
            Scope::Unscoped => (Rank::Nothing, String::new()),
            Scope::Project(id) => {
                let rank = if has(&["admin"]) {
                    Rank::Admin
                } else if has(&["member", "manager"]) {
                    Rank::Member
                } else if has(&["reader"]) {
                    Rank::Reader
                } else {
                    Rank::Nothing
                };
                (rank, id.clone())
            }
        };
        Self { rank, project }
    }

    pub(crate) fn is_admin(&self) -> bool {
        self.rank == Rank::Admin
    }

    /// Flavors, service providers, and the own project's routers.
    pub(crate) fn sees(&self) -> bool {
        matches!(self.rank, Rank::Admin | Rank::Member | Rank::Reader)
    }

    /// What only an admin may create.
    pub(crate) fn may_create(&self, rule: &str) -> Result<(), Error> {
        match self.rank {
            Rank::Admin => Ok(()),
            Rank::System => Err(Error::scope(rule)),
            _ => Err(Error::policy(rule)),
        }
    }

    /// Update or delete of a flavor: 404 for whom it is hidden from.
    pub(crate) fn may_change_flavor(&self, rule: &str) -> Result<(), Error> {
        match self.rank {
            Rank::Admin => Ok(()),
            Rank::Member | Rank::Reader => Err(Error::policy(rule)),
            Rank::Nothing | Rank::System => Err(Error::hidden()),
        }
    }

    /// Show, update or delete of a service profile: hidden from all but admins.
    pub(crate) fn may_reach_profile(&self) -> Result<(), Error> {
        if self.is_admin() { Ok(()) } else { Err(Error::hidden()) }
    }

    /// Show, update or delete of a binding: the rules ask for a project that a binding does not have (measured).
    pub(crate) fn may_reach_binding(&self) -> Result<(), Error> {
        match self.rank {
            Rank::Admin => Ok(()),
            Rank::Member | Rank::Reader => {
                let message = "Failed to check policy project_id:%(project_id)s because Unable to verify \
                               match:%(project_id)s as the parent resource: project was not found.";
                Err(Error::new(500, "PolicyCheckError", message))
            }
            Rank::Nothing | Rank::System => Err(Error::hidden()),
        }
    }

    /// Create, update or delete of a router in one's own project.
    pub(crate) fn may_have_routers(&self, rule: &str) -> Result<(), Error> {
        match self.rank {
            Rank::Admin | Rank::Member => Ok(()),
            Rank::System => Err(Error::scope(rule)),
            Rank::Reader | Rank::Nothing => Err(Error::policy(rule)),
        }
    }
}
