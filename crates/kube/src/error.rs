//! What can go wrong, and the questions callers ask about it.

use crate::{Cause, Refusal};

/// An error of this crate. Its text is the same from run to run and carries no value out of an object.
///
/// Callers ask what they want to know, whatever the server's words for it were:
///
/// ```
/// use kube::Error;
///
/// fn advice(error: &Error) -> &'static str {
///     match error {
///         error if error.is_not_found() => "it is not there",
///         error if error.is_field_conflict() => "somebody else has set a field",
///         error if error.is_invalid() => "correct the object",
///         error if error.is_outcome_unknown() => "look whether it was done",
///         error if error.is_unavailable() => "later, perhaps",
///         _ => "look at its text",
///     }
/// }
/// # let error = Error::Answer { request: "delete x".to_owned(), expected: "a JSON object" };
/// # assert_eq!(advice(&error), "look whether it was done");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no configuration, or it cannot be used.
    #[error("{at}: {problem}")]
    Config {
        /// Which file, directory or variable.
        at: String,
        /// What is wrong, and what would mend it.
        problem: String,
    },
    /// A file that the configuration names cannot be read.
    #[error("cannot read {path} ({what}): {kind}", kind = source.kind())]
    File {
        /// What the file is for.
        what: String,
        /// Its path.
        path: String,
        /// The cause.
        source: std::io::Error,
    },
    /// A credential plugin has given no credentials. What it printed is not told.
    #[error("{at}: {command:?} {problem}")]
    Plugin {
        /// Whose: `/home/me/.kube/config: user "admin": exec`.
        at: String,
        /// The program.
        command: String,
        /// What went wrong; with the kubeconfig's `installHint` if it cannot be run.
        problem: String,
        /// The cause, if it is one of the operating system.
        source: Option<std::io::Error>,
    },
    /// A part of a URL that would address something else.
    #[error("the {what} {}", name_problem(.value))]
    Name {
        /// Which part: "name", "namespace".
        what: &'static str,
        /// What was given.
        value: String,
    },
    /// No HTTP answer, or none that could be read; or TLS material that cannot be used.
    #[error(transparent)]
    Rest(#[from] rest::Error),
    /// The API server refused.
    #[error(transparent)]
    Refused(Box<Refusal>),
    /// A success whose body is not what it must be: something between us and the API server answered.
    #[error("{request}: the answer is not {expected}")]
    Answer {
        /// What was asked for.
        request: String,
        /// What it should have been.
        expected: &'static str,
    },
    /// A list that does not come to an end.
    #[error("{request}: the list does not end: {problem}")]
    Endless {
        /// What was asked for.
        request: String,
        /// How it was noticed.
        problem: &'static str,
    },
    /// The value of a Secret's key is not what the caller needs.
    #[error("Secret {secret}: the value of key {key:?} is not {expected}")]
    SecretValue {
        /// `namespace/name`.
        secret: String,
        /// The key.
        key: String,
        /// "base64", "UTF-8 text".
        expected: &'static str,
    },
}

fn name_problem(value: &str) -> String {
    if value.is_empty() { "is empty".to_owned() } else { format!("{value:?} cannot be part of a URL") }
}

impl Error {
    pub(crate) fn refused(refusal: Refusal) -> Error {
        Error::Refused(Box::new(refusal))
    }

    /// Of a request that carried an object: the text is not to quote it.
    pub(crate) fn discreet(mut self) -> Error {
        if let Error::Refused(refusal) = &mut self {
            refusal.discreet = true;
        }
        self
    }

    /// What the API server said, if this is a refusal.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Error::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }

    fn refused_with(&self, reasons: &[&str], code: u16) -> bool {
        self.refusal().is_some_and(|refusal| refusal.is(reasons, code))
    }

    /// The object, or the whole resource type, is not there. See [`names_object`](Error::names_object).
    pub fn is_not_found(&self) -> bool {
        self.refused_with(&["NotFound"], 404)
    }

    /// A 404 about this very object, not about its resource type: the server names it. A type that is not
    /// served gives a 404 without a name.
    pub fn names_object(&self, name: &str) -> bool {
        self.is_not_found() && self.refusal().is_some_and(|refusal| refusal.name.as_deref() == Some(name))
    }

    /// The object was changed in between, or a field has another owner: read it again.
    pub fn is_conflict(&self) -> bool {
        self.refused_with(&["Conflict"], 409)
    }

    /// A server-side apply met fields that other managers have set otherwise; [`causes`](Error::causes) names
    /// them. Reading the object again does not help.
    pub fn is_field_conflict(&self) -> bool {
        self.is_conflict() && self.causes().iter().any(Cause::is_field_conflict)
    }

    /// An object of this name is there. Only the reason tells it from a conflict.
    pub fn is_already_exists(&self) -> bool {
        self.refused_with(&["AlreadyExists"], 0)
    }

    /// The credentials are good, but do not allow this; or a quota, Pod Security or another admission plugin does
    /// not, or the namespace is being deleted (cause `NamespaceTerminating`): all of these are a 403 (measured).
    pub fn is_forbidden(&self) -> bool {
        self.refused_with(&["Forbidden"], 403)
    }

    /// The credentials are not accepted.
    pub fn is_unauthorized(&self) -> bool {
        self.refused_with(&["Unauthorized"], 401)
    }

    /// The object does not satisfy its schema or the API's rules. To an apply the server says this with a 500 in
    /// part (measured): a wrong type, an unknown field, bad base64 in a Secret, more than etcd takes.
    pub fn is_invalid(&self) -> bool {
        self.refused_with(&["Invalid"], 422) || self.refusal().is_some_and(Refusal::is_bad_object)
    }

    /// A list or continue token is too old.
    pub fn is_gone(&self) -> bool {
        self.refused_with(&["Gone", "Expired"], 410)
    }

    /// Time ran out, here or on the server.
    pub fn is_timeout(&self) -> bool {
        match self {
            Error::Rest(error) => error.is_timeout(),
            _ => self.refused_with(&["Timeout", "ServerTimeout"], 504),
        }
    }

    /// No HTTP answer came back.
    pub fn is_transport(&self) -> bool {
        matches!(self, Error::Rest(error) if error.is_transport())
    }

    /// Nothing wrong with the request: no answer, 429, or a fault of the server (5xx). It may work later. Not a 500
    /// that is about this one request: that the object [is invalid](Error::is_invalid), that a webhook denies it,
    /// that the server panicked on it.
    pub fn is_unavailable(&self) -> bool {
        let server = |refusal: &Refusal| {
            refusal.code == 429 || (refusal.code >= 500 && !refusal.is_about_this_request())
        };
        self.refusal().is_some_and(server) || self.is_transport()
    }

    /// Of a request that writes: whether the server may have done it all the same. So it is when the time was
    /// up or the connection broke after the request may have been sent, when the answer could not be read, after
    /// 502, 503 and 504, which whoever stands between us and the server may have sent, and after a 500 that says
    /// that etcd did not answer in time. What was refused otherwise, other 500s included, was not done.
    pub fn is_outcome_unknown(&self) -> bool {
        match self {
            Error::Rest(rest::Error::Timeout { sent, .. }) => *sent,
            Error::Rest(rest::Error::Broken { .. } | rest::Error::TooLarge { .. }) => true,
            Error::Answer { .. } => true,
            Error::Refused(refusal) => {
                self.is_timeout() || refusal.is_storage_timeout() || (502..=504).contains(&refusal.code)
            }
            _ => false,
        }
    }

    /// The HTTP status, if this is a refusal.
    pub fn code(&self) -> Option<u16> {
        self.refusal().map(|refusal| refusal.code)
    }

    /// What the server complained about, each cause once.
    pub fn causes(&self) -> &[Cause] {
        self.refusal().map(|refusal| refusal.causes.as_slice()).unwrap_or_default()
    }

    /// The fields that the server complained about, each once: `spec.size`.
    pub fn cause_fields(&self) -> impl Iterator<Item = &str> {
        let causes = self.causes();
        let before = |index: usize, field: &str| causes[..index].iter().any(|cause| cause.field == field);
        let fields = causes.iter().map(|cause| cause.field.as_str()).enumerate();
        fields
            .filter(move |(index, field)| !field.is_empty() && !before(*index, field))
            .map(|(_, field)| field)
    }
}

#[cfg(test)]
#[path = "error_tests.rs"]
mod tests;
