//! A create or delete that did not succeed as a whole.

use std::fmt;

use kube::Cause;

use crate::Reference;

/// What was being done.
///
/// ```
/// assert_eq!(openshift_templates::Operation::Delete.to_string(), "delete");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Server-side apply of the objects of a Template.
    Create,
    /// Deletion of objects.
    Delete,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Operation::Create => "create",
            Operation::Delete => "delete",
        })
    }
}

/// A [`create`](crate::Client::create) or [`delete`](crate::Client::delete) that has written, or tried to, and
/// did not succeed as a whole. Nothing is rolled back: what is in `succeeded` stays as it is.
///
/// The text names the operation, each object that failed, the code, and field and reason of each cause. The
/// server's own texts may quote values; they are in [`kube::Cause::message`] and [`kube::Refusal::message`],
/// for whoever knows that the objects hold no secrets:
///
/// ```
/// use openshift_templates::OperationError;
///
/// fn managers(error: &OperationError) -> Vec<&str> {
///     let causes = error.failed.iter().flat_map(|(_, error)| error.causes());
///     causes.filter_map(|cause| cause.manager()).collect()
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct OperationError {
    /// What was being done.
    pub operation: Operation,
    /// The objects that it was done to, in the order in which it was done.
    pub succeeded: Vec<Reference>,
    /// The objects that it failed on, and why; at least one. A create stops at the first.
    pub failed: Vec<(Reference, kube::Error)>,
}

impl OperationError {
    /// Whether the server may have done what failed, for at least one object: its answer did not arrive, or was
    /// not its own. Look at the object, or repeat the operation: apply and delete may be done twice.
    ///
    /// ```no_run
    /// # use openshift_templates::{ConnectOptions, TemplateInputs, connect};
    /// # let (client, inputs) = (connect(&ConnectOptions::default())?, TemplateInputs::new("web", "jobs"));
    /// let mut outcome = client.delete(&inputs);
    /// if outcome.as_ref().is_err_and(|error| error.operation().is_some_and(|error| error.is_outcome_unknown())) {
    ///     outcome = client.delete(&inputs);
    /// }
    /// # outcome?;
    /// # Ok::<(), openshift_templates::Error>(())
    /// ```
    pub fn is_outcome_unknown(&self) -> bool {
        self.failed.iter().any(|(_, error)| error.is_outcome_unknown())
    }
}

/// `create: v1 ConfigMap jobs/web: 409 Conflict: .data.a (FieldManagerConflict); 2 objects done before`
impl fmt::Display for OperationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.operation)?;
        for (index, (reference, error)) in self.failed.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{reference}: {}", describe(self.operation, reference, error))?;
            if error.is_outcome_unknown() {
                f.write_str(" (the outcome is unknown)")?;
            }
        }
        match self.succeeded.len() {
            0 => Ok(()),
            1 => f.write_str("; 1 object succeeded"),
            count => write!(f, "; {count} objects succeeded"),
        }
    }
}

impl std::error::Error for OperationError {}

/// Code, reason, and of each cause field and reason, each pair once.
fn describe(operation: Operation, reference: &Reference, error: &kube::Error) -> String {
    let Some(refusal) = error.refusal() else { return error.to_string() };
    let mut text = refusal.code.to_string();
    if let Some(reason) = &refusal.reason {
        text = format!("{text} {reason}");
    }
    let mut causes: Vec<String> = Vec::new();
    for Cause { field, reason, .. } in &refusal.causes {
        let field = if field.is_empty() { "(no field)" } else { field };
        let cause = if reason.is_empty() { field.to_owned() } else { format!("{field} ({reason})") };
        if !causes.contains(&cause) {
            causes.push(cause);
        }
    }
    if !causes.is_empty() {
        text = format!("{text}: {}", causes.join(", "));
    } else if operation == Operation::Delete && reference.uid.is_some() && error.is_conflict() {
        text.push_str(": the object that has this name now is another one");
    }
    text
}
