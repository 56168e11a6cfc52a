//! What an error of the cluster means for a CR. No text quotes the value of a parameter or of a Secret.

use framework::{PluginError, REASON_LOGIN_REFUSED};
use openshift_templates::{Error, Reference, kube};

/// Condition reason when other managers own fields that the Template sets.
pub const REASON_FIELD_CONFLICT: &str = "FieldConflict";
/// Condition reason when an object is there that is not ours.
pub const REASON_FOREIGN_OBJECT: &str = "ForeignObject";
/// Condition reason when the Template is missing, does not take the parameters, or has objects that must not be
/// worked on.
pub const REASON_INVALID_TEMPLATE: &str = "InvalidTemplate";
/// All condition reasons of this hook, beside those of [`framework::REASONS`].
pub const REASONS: &[&str] = &[REASON_FIELD_CONFLICT, REASON_FOREIGN_OBJECT, REASON_INVALID_TEMPLATE];

/// The Template, or what it describes, cannot be used. It is looked at again on each tick: the Template may change
/// without the CR.
pub fn invalid_template(message: impl Into<String>) -> PluginError {
    PluginError::cr(message).with_reason(REASON_INVALID_TEMPLATE)
}

/// An error before the first write.
pub fn plan_error(error: Error) -> PluginError {
    match error {
        Error::Argument { .. } => PluginError::invalid_spec(error.to_string()),
        Error::Parameters { .. } | Error::Process { .. } | Error::Target { .. } => {
            invalid_template(error.to_string())
        }
        // 404: the Template is not there, or the API for Templates is not. 422: a parameter has no value.
        Error::Kube(error) if error.is_not_found() || error.is_invalid() => {
            invalid_template(error.to_string()).with_source(error)
        }
        Error::Kube(error) => request_error(error),
        error => PluginError::cr(error.to_string()),
    }
}

/// An error of a request that every CR needs: for a Secret, the Template or its processing, or for what is served.
pub fn request_error(error: kube::Error) -> PluginError {
    let message = error.to_string();
    told(message, error)
}

fn told(message: String, error: kube::Error) -> PluginError {
    let made = if error.is_unauthorized() {
        PluginError::group(REASON_LOGIN_REFUSED, message)
    } else if error.is_unavailable() {
        PluginError::not_ready(message)
    } else {
        PluginError::cr(message)
    };
    made.with_source(error)
}

/// An error of a request about one object.
///
/// What is answered there, a 500 or a 503 too, is about its kind: a webhook that is away, an aggregated API that is, a
/// field that the schema does not have (measured: 500). Waiting with the other CRs does not help; that the API server
/// itself cannot serve is noticed by the requests that every CR begins with.
pub fn object_error(error: kube::Error) -> PluginError {
    let message = error.to_string();
    told_of_object(message, error)
}

fn told_of_object(message: String, error: kube::Error) -> PluginError {
    if error.code().is_some() && !error.is_unauthorized() {
        return PluginError::cr(message).with_source(error);
    }
    told(message, error)
}

/// An error of a write to the object `reference`.
pub fn write_error(reference: &Reference, error: kube::Error) -> PluginError {
    if error.is_field_conflict() {
        return PluginError::cr(conflict(reference, &error)).with_reason(REASON_FIELD_CONFLICT);
    }
    if error.is_conflict() {
        let message = format!(
            "{reference} was made or changed by somebody else during the run; the next run looks at it again"
        );
        return PluginError::cr(message).with_source(error);
    }
    if error.is_outcome_unknown() {
        let message = format!("{error}: whether it was done is unknown; the next run does it again");
        return told_of_object(message, error);
    }
    if error.code() == Some(500) && error.is_invalid() {
        let hint = "it does not fit the schema of the kind (in a template, a number is written ${{NAME}})";
        return PluginError::cr(format!("{error}: {hint}")).with_source(error);
    }
    object_error(error)
}

/// Object, fields and managers, each once and in order, so that the text stays the same.
fn conflict(reference: &Reference, error: &kube::Error) -> String {
    let conflicts = error.causes().iter().filter(|cause| cause.is_field_conflict());
    let mut fields: Vec<_> = conflicts
        .map(|cause| match cause.manager() {
            Some(manager) => format!("{} ({manager})", cause.field),
            None => cause.field.clone(),
        })
        .collect();
    fields.sort();
    fields.dedup();
    format!(
        "{reference}: these fields are set otherwise by other managers: {}; take them out of the template, or away \
         from those managers",
        fields.join(", ")
    )
}
