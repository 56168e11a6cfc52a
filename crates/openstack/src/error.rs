//! Everything that can go wrong between a `clouds.yaml` and an answer of a service.

use crate::answer::{Answer, Asked};
use std::fmt;

/// An error of this crate.
///
/// `Display` is stable from run to run (no request ids, no times) and complete: it repeats what
/// matters of its causes, and [`source`](std::error::Error::source) continues below them. No
/// text holds a secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `clouds.yaml` is not YAML.
    #[error("clouds.yaml: {0}")]
    Yaml(rest::Error),
    /// `clouds.yaml` has no mapping `clouds`.
    #[error("clouds.yaml has no mapping `clouds`")]
    NoClouds,
    /// The cloud is not in `clouds.yaml`.
    #[error("cloud {name:?} was not found in clouds.yaml{}", offer("; it has", .known))]
    UnknownCloud {
        /// The name asked for.
        name: String,
        /// The names that are there.
        known: Vec<String>,
    },
    /// `region_name` is not one of the cloud's `regions`.
    #[error("cloud {cloud:?}: region_name {region:?} is not one of its regions{}", offer(":", .known))]
    UnknownRegion {
        /// The cloud.
        cloud: String,
        /// The region asked for.
        region: String,
        /// The regions that are there.
        known: Vec<String>,
    },
    /// A key of the cloud's entry is missing or cannot be used.
    #[error("cloud {cloud:?}: {problem}")]
    Cloud {
        /// The cloud.
        cloud: String,
        /// Which key, and what is wrong.
        problem: String,
    },
    /// The HTTP client cannot be built: a certificate or a proxy that cannot be used.
    #[error("cloud {cloud:?}: {cause}")]
    Client {
        /// The cloud.
        cloud: String,
        /// What is wrong.
        cause: rest::Error,
    },
    /// Keystone wants another factor (401 with an `Openstack-Auth-Receipt`).
    #[error(
        "login refused: the user needs multi-factor authentication, which is not supported: use an application credential"
    )]
    MultiFactor,
    /// The token that was given (auth type `token`) has died, and nothing can replace it.
    #[error(
        "{0}; the token in clouds.yaml is no longer valid: put a new one there, or use an application credential"
    )]
    TokenExpired(Box<Answer>),
    /// The token has no catalogue.
    #[error("the token has no service catalogue: it is not scoped; name a project in clouds.yaml")]
    NoCatalog,
    /// The catalogue does not have the service.
    #[error("the service catalogue has no {service:?} service{}{}", named(.name.as_deref()), offer("; it has", .offered))]
    NoService {
        /// The service type asked for.
        service: String,
        /// `<service>_service_name`, if it is what excluded the service.
        name: Option<String>,
        /// The types, or the names of this type, that are there.
        offered: Vec<String>,
    },
    /// The service has no endpoint in the region.
    #[error("the {service:?} service has no endpoint in region {region:?}{}", offer("; it is in", .offered))]
    NoRegion {
        /// The service type.
        service: String,
        /// The region asked for.
        region: String,
        /// The regions that are there.
        offered: Vec<String>,
    },
    /// The service has no endpoint of the interface.
    #[error("the {service:?} service has no {} endpoint{}", .interfaces.join(" or "), offer("; it has", .offered))]
    NoInterface {
        /// The service type.
        service: String,
        /// The interfaces asked for, best first.
        interfaces: Vec<String>,
        /// The interfaces that are there.
        offered: Vec<String>,
    },
    /// The service is in more than one region, and `clouds.yaml` names none. Keystone's order
    /// is random, so taking the first could mean another cloud region in every run.
    #[error("the {service:?} service is in more than one region ({}): set region_name in clouds.yaml", .offered.join(", "))]
    RegionNeeded {
        /// The service type.
        service: String,
        /// The regions that are there.
        offered: Vec<String>,
    },
    /// An endpoint override has a placeholder that the token cannot fill.
    #[error("the endpoint override of {service:?} has a placeholder that cannot be filled in: {placeholder}")]
    Placeholder {
        /// The service type.
        service: String,
        /// The placeholder.
        placeholder: String,
    },
    /// An id that cannot stand in a URL.
    #[error("{id:?} is not the id of a {noun}")]
    Id {
        /// What it should be the id of.
        noun: &'static str,
        /// The id.
        id: String,
    },
    /// The server refused: an HTTP status other than 2xx.
    #[error(transparent)]
    Answer(Box<Answer>),
    /// There was no answer.
    #[error(transparent)]
    NoAnswer(NoAnswer),
    /// A write that may or may not have been done. Look before it is done again.
    #[error("{request}: outcome unknown: {}", .cause.reason())]
    OutcomeUnknown {
        /// Method and path.
        request: String,
        /// Why it is not known.
        cause: Box<Error>,
    },
    /// The answer is a success that makes no sense.
    #[error("{request}: unexpected answer: {problem}")]
    Unexpected {
        /// Method and path.
        request: String,
        /// What is wrong.
        problem: String,
    },
    /// A list does not end or was cut short by a change in the middle of reading it.
    #[error("{request}: the list cannot be read to its end: {problem}")]
    Pages {
        /// Method and path.
        request: String,
        /// What is wrong.
        problem: &'static str,
    },
}

impl Error {
    fn answer(&self) -> Option<&Answer> {
        match self {
            Error::Answer(answer) | Error::TokenExpired(answer) => Some(answer),
            Error::OutcomeUnknown { cause, .. } => cause.answer(),
            _ => None,
        }
    }

    fn no_answer(&self) -> Option<&rest::Error> {
        match self {
            Error::NoAnswer(failure) => Some(&failure.cause),
            Error::OutcomeUnknown { cause, .. } => cause.no_answer(),
            _ => None,
        }
    }

    /// The text without the request before it.
    fn reason(&self) -> String {
        match self {
            Error::Answer(answer) => answer.reason(),
            Error::NoAnswer(failure) => failure.cause.to_string(),
            Error::Unexpected { problem, .. } => problem.clone(),
            other => other.to_string(),
        }
    }

    /// The HTTP status, if there was an answer.
    pub fn status(&self) -> Option<u16> {
        if matches!(self, Error::MultiFactor) { Some(401) } else { self.answer().map(Answer::status) }
    }

    /// The service's own name for the error: `FlavorInUse`, `HTTPNotFound`; Keystone's `Unauthorized`.
    pub fn error_type(&self) -> Option<&str> {
        self.answer().and_then(Answer::error_type)
    }

    /// The server's id of the request (`req-…`), for the log. It is not in `Display`.
    pub fn request_id(&self) -> Option<&str> {
        self.answer().and_then(Answer::request_id)
    }

    /// A service says that the thing asked for does not exist.
    ///
    /// Only its own word counts: a 404 page of a proxy says nothing about the thing, and neither
    /// does Neutron's `HTTPNotFound`, which is its answer about things that exist but that one
    /// may not see (measured), see [`is_hidden`](Error::is_hidden).
    pub fn is_not_found(&self) -> bool {
        self.is_service_404() && !self.is_hidden() && self.answer().is_some_and(Answer::is_of_the_service)
    }

    /// Neutron's 404 `HTTPNotFound`: the thing may exist, but these credentials may not see it.
    pub fn is_hidden(&self) -> bool {
        self.is_service_404() && self.error_type() == Some("HTTPNotFound")
    }

    fn is_service_404(&self) -> bool {
        self.answer().is_some_and(|answer| answer.asked() == Asked::Service && answer.status() == 404)
    }

    /// 409: in use, already there, or changed meanwhile; [`error_type`](Error::error_type) says which.
    pub fn is_conflict(&self) -> bool {
        self.status() == Some(409)
    }

    /// The credentials or the token do not count: 401, or Keystone's 404 for an application
    /// credential that is unknown or was deleted (measured).
    pub fn is_unauthorized(&self) -> bool {
        match self.answer() {
            Some(answer) => match answer.status() {
                401 => true,
                404 => answer.asked() != Asked::Service,
                _ => false,
            },
            None => matches!(self, Error::MultiFactor),
        }
    }

    /// 403.
    pub fn is_forbidden(&self) -> bool {
        self.status() == Some(403)
    }

    /// The login was refused (401, 403, 404): trying again soon can lock the account.
    pub fn is_login_refused(&self) -> bool {
        match self.answer() {
            Some(answer) => answer.asked() == Asked::Login && matches!(answer.status(), 401 | 403 | 404),
            None => matches!(self, Error::MultiFactor),
        }
    }

    /// The credentials lack a right that no retry gives: 403 `PolicyNotAuthorized` or `InvalidScope`.
    pub fn is_policy(&self) -> bool {
        self.is_forbidden() && matches!(self.error_type(), Some("PolicyNotAuthorized" | "InvalidScope"))
    }

    /// It may go better later: no answer, 429, or 5xx.
    pub fn is_unavailable(&self) -> bool {
        self.is_transport() || self.status().is_some_and(|status| status == 429 || status >= 500)
    }

    /// No HTTP answer came back.
    pub fn is_transport(&self) -> bool {
        self.no_answer().is_some_and(rest::Error::is_transport)
    }

    /// No HTTP answer came back in time.
    pub fn is_timeout(&self) -> bool {
        self.no_answer().is_some_and(rest::Error::is_timeout)
    }

    /// A write that was not answered, or answered by something in between: it may have been done.
    /// It was not sent twice; look it up.
    pub fn is_outcome_unknown(&self) -> bool {
        matches!(self, Error::OutcomeUnknown { .. })
    }
}

/// A request that got no usable HTTP answer.
#[derive(Debug)]
pub struct NoAnswer {
    pub(crate) request: String,
    pub(crate) cause: rest::Error,
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.request, self.cause)
    }
}

impl std::error::Error for NoAnswer {
    /// The cause's own source: the cause's text is part of ours.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.source()
    }
}

/// `; it has: a, b`, or nothing if there is nothing.
fn offer(what: &str, names: &[String]) -> String {
    match names {
        [] if what == ":" => String::new(),
        [] => format!("{what}: nothing"),
        names => format!("{}: {}", what.trim_end_matches(':'), names.join(", ")),
    }
}

fn named(name: Option<&str>) -> String {
    name.map(|name| format!(" named {name:?}")).unwrap_or_default()
}
