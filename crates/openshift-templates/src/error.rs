//! What can go wrong.

use crate::{OperationError, ParameterProblem, Reference};

/// An error of this crate.
///
/// Neither its text nor its `Debug` output holds the value of a parameter or of a Secret. The names of objects,
/// fields and parameters are in it.
///
/// ```
/// use openshift_templates::{Error, Selection};
///
/// let error = Selection::either(None, None).unwrap_err();
/// assert!(matches!(error, Error::Argument { argument: "selection", .. }));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An argument that cannot be used. Nothing was sent.
    #[error("{argument}: {problem}")]
    Argument {
        /// Which argument: "namespace", "context", "field manager".
        argument: &'static str,
        /// What is wrong, and what would mend it.
        problem: String,
    },
    /// Parameters that do not fit the Template. Nothing was written.
    /// The text shows the first ten.
    #[error("parameters of template {template}: {}", join(.problems))]
    Parameters {
        /// `namespace/name` of the stored Template.
        template: String,
        /// All that is wrong, at least one.
        problems: Vec<ParameterProblem>,
    },
    /// An object that is not safe to work on: it has no name of its own, lives outside of the target namespace,
    /// is there twice, ... Nothing was written.
    #[error("{target}: {problem}")]
    Target {
        /// Which object, as far as it is known: `v1 ConfigMap jobs/web`, `object 2 of the template (List)`.
        target: String,
        /// What is wrong, and what would mend it.
        problem: String,
    },
    /// The API server does not serve the kind of an object. Nothing was written. It may be that a CRD is not
    /// installed yet: the kinds are looked up anew by every call.
    #[error("{reference}: the cluster does not serve this kind: is its CRD or its API installed?")]
    NotServed {
        /// The object.
        reference: Reference,
    },
    /// The connection could not be configured, or a request that writes nothing failed: fetching or processing
    /// the Template, discovery, reading an object. Nothing was written.
    #[error(transparent)]
    Kube(#[from] kube::Error),
    /// The server refused to process the Template on account of parameters: a required one has no value. Nothing was
    /// written.
    #[error("{source}: {}", quoted(.parameters))]
    Process {
        /// Their names, at least one.
        parameters: Vec<String>,
        /// The refusal.
        source: kube::Error,
    },
    /// Writing has begun, and did not succeed as a whole.
    #[error(transparent)]
    Operation(Box<OperationError>),
}

/// The first problems, and how many more there are.
fn join(problems: &[ParameterProblem]) -> String {
    const SHOWN: usize = 10;
    let mut texts: Vec<_> = problems.iter().take(SHOWN).map(ToString::to_string).collect();
    if problems.len() > SHOWN {
        texts.push(format!("and {} more", problems.len() - SHOWN));
    }
    texts.join(", ")
}

fn quoted(parameters: &[String]) -> String {
    let texts: Vec<_> = parameters.iter().map(|name| format!("parameter {name:?}")).collect();
    texts.join(", ")
}

impl Error {
    pub(crate) fn argument(argument: &'static str, problem: String) -> Error {
        Error::Argument { argument, problem }
    }

    pub(crate) fn target(target: String, problem: String) -> Error {
        Error::Target { target, problem }
    }

    /// The failure of a request that writes nothing, with its code and its predicates.
    ///
    /// ```no_run
    /// # use openshift_templates::{ConnectOptions, TemplateInputs, connect};
    /// # let client = connect(&ConnectOptions::default())?;
    /// match client.process(&TemplateInputs::new("web", "jobs")) {
    ///     Err(error) if error.kube().is_some_and(|error| error.is_not_found()) => println!("no such template"),
    ///     outcome => println!("{} objects", outcome?.len()),
    /// }
    /// # Ok::<(), openshift_templates::Error>(())
    /// ```
    pub fn kube(&self) -> Option<&kube::Error> {
        match self {
            Error::Kube(error) | Error::Process { source: error, .. } => Some(error),
            _ => None,
        }
    }

    /// What was written and what was not, if writing had begun.
    ///
    /// ```no_run
    /// # use openshift_templates::{ConnectOptions, TemplateInputs, connect};
    /// # let client = connect(&ConnectOptions::default())?;
    /// if let Err(error) = client.create(&TemplateInputs::new("web", "jobs")) {
    ///     for reference in error.operation().map(|error| error.succeeded.as_slice()).unwrap_or_default() {
    ///         println!("{reference} is there all the same");
    ///     }
    /// }
    /// # Ok::<(), openshift_templates::Error>(())
    /// ```
    pub fn operation(&self) -> Option<&OperationError> {
        match self {
            Error::Operation(error) => Some(error),
            _ => None,
        }
    }
}

impl From<OperationError> for Error {
    fn from(error: OperationError) -> Error {
        Error::Operation(Box::new(error))
    }
}
