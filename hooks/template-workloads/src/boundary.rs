//! Where a CR may work.
//!
//! All CRs work with one account, which may more than those who write them: what a CR names outside of its own
//! namespace must be allowed by the site, and the CRs of the operator itself are out of bounds.

use std::collections::BTreeSet;

use framework::PluginError;
use openshift_templates::Target;

use crate::errors::invalid_template;

/// The namespaces that every CR may name, beside its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Boundary {
    listed: BTreeSet<String>,
}

impl Boundary {
    /// These namespaces, and no pattern.
    pub fn new(listed: impl IntoIterator<Item = String>) -> Self {
        Self { listed: listed.into_iter().collect() }
    }

    /// The namespace that the field `what` of a CR in namespace `own` means: the one that is `named`, or its own.
    ///
    /// # Errors
    /// [`PluginError::invalid_spec`] for one that is neither its own nor listed.
    pub fn check(&self, what: &str, named: Option<&str>, own: &str) -> Result<String, PluginError> {
        let namespace = named.unwrap_or(own);
        if namespace == own || self.listed.contains(namespace) {
            return Ok(namespace.to_owned());
        }
        Err(PluginError::invalid_spec(format!(
            "{what} {namespace:?} is neither this resource's own namespace nor in {}: the operator works with its \
             own rights, and only where the site allows it",
            crate::NAMESPACES
        )))
    }
}

/// The groups of the CRs that the operator may patch for its own ends, wherever it works.
const OWN_GROUPS: &str = ".understack.rackspace.net";

/// Keeps Templates off the operator's own CRs: to apply to one that exists takes no more than the right to patch it,
/// which the operator has. A tenant could have it abandon or change the CRs of others.
///
/// # Errors
/// `InvalidTemplate`.
pub fn check_kind(target: &Target) -> Result<(), PluginError> {
    if target.resource.group.ends_with(OWN_GROUPS) {
        return Err(invalid_template(format!(
            "{}: custom resources of the operator itself are not made by templates",
            target.reference
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_own_namespace_and_listed_ones_and_no_other() {
        let boundary = Boundary::new(["openshift".to_owned()]);
        for (named, outcome) in
            [(None, Some("team")), (Some("team"), Some("team")), (Some("openshift"), Some("openshift"))]
        {
            assert_eq!(boundary.check("spec.targetNamespace", named, "team").ok().as_deref(), outcome);
        }
        for other in ["kube-system", "openshift-config", "", "*"] {
            let error = boundary.check("spec.targetNamespace", Some(other), "team").unwrap_err();
            assert!(error.is_invalid_spec());
            assert!(error.to_string().starts_with(&format!("spec.targetNamespace {other:?} is neither ")));
        }
    }
}
