//! What an operation is told.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use crate::{Error, Reference, names};

/// Which stored Template, with which parameters, for which namespace.
///
/// Two inputs that are equal mean the same objects, as long as the stored Template is the same revision: this
/// is what lets [`Client::delete`](crate::Client::delete) find again what another process created.
///
/// `Debug` shows the names of the parameters and not their values, which may be secrets.
///
/// ```
/// use openshift_templates::TemplateInputs;
///
/// let inputs = TemplateInputs::new("web", "jobs")
///     .template_namespace("openshift")
///     .parameter("NAME", "web-1")
///     .parameter("REPLICAS", 3)
///     .parameter("DEBUG", false);
/// assert_eq!(inputs.parameters["REPLICAS"], 3);
/// assert!(!format!("{inputs:?}").contains("web-1"));
/// ```
#[derive(Clone, PartialEq)]
pub struct TemplateInputs {
    /// The name of the stored Template.
    pub name: String,
    /// Where the Template is stored; `None` stands for [`namespace`](TemplateInputs::namespace).
    pub template_namespace: Option<String>,
    /// Values for the Template's parameters, by name; those that are left out keep the Template's default.
    /// A value is a string, a boolean, an integer or a finite float. The server gets its text: `true` or
    /// `false`, else what JSON writes (`3`, `1.5`).
    pub parameters: BTreeMap<String, Value>,
    /// The target namespace: the Template is processed in it, and all objects are in it.
    pub namespace: String,
}

impl TemplateInputs {
    /// The Template `name`, stored in the target `namespace`, without parameters. Nothing is checked yet.
    ///
    /// ```
    /// # use openshift_templates::TemplateInputs;
    /// let inputs = TemplateInputs::new("web", "jobs");
    /// assert_eq!(inputs.template_namespace, None);
    /// ```
    pub fn new(name: impl Into<String>, namespace: impl Into<String>) -> TemplateInputs {
        TemplateInputs {
            name: name.into(),
            template_namespace: None,
            parameters: BTreeMap::new(),
            namespace: namespace.into(),
        }
    }

    /// The same inputs with the Template stored in another namespace than the target's.
    ///
    /// ```
    /// # use openshift_templates::TemplateInputs;
    /// let inputs = TemplateInputs::new("web", "jobs").template_namespace("openshift");
    /// assert_eq!(inputs.template_namespace.as_deref(), Some("openshift"));
    /// ```
    #[must_use]
    pub fn template_namespace(self, namespace: impl Into<String>) -> TemplateInputs {
        TemplateInputs { template_namespace: Some(namespace.into()), ..self }
    }

    /// The same inputs with a value for one more parameter, in place of an earlier one. A float that is not
    /// finite arrives as a null, and is refused as one.
    ///
    /// ```
    /// # use openshift_templates::TemplateInputs;
    /// let inputs = TemplateInputs::new("web", "jobs").parameter("SIZE", 1).parameter("SIZE", 1.5);
    /// assert_eq!(inputs.parameters["SIZE"], 1.5);
    /// ```
    #[must_use]
    pub fn parameter(mut self, name: impl Into<String>, value: impl Into<Value>) -> TemplateInputs {
        self.parameters.insert(name.into(), value.into());
        self
    }

    /// Where the Template is stored.
    pub(crate) fn stored_in(&self) -> &str {
        self.template_namespace.as_deref().unwrap_or(&self.namespace)
    }

    /// All that can be checked without the Template.
    pub(crate) fn check(&self) -> Result<(), Error> {
        names::namespace("namespace", &self.namespace)?;
        names::namespace("template namespace", self.stored_in())?;
        names::template(&self.name)
    }
}

impl fmt::Debug for TemplateInputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TemplateInputs")
            .field("name", &self.name)
            .field("template_namespace", &self.template_namespace)
            .field("parameters", &self.parameters.keys())
            .field("namespace", &self.namespace)
            .finish()
    }
}

/// Which objects [`get`](crate::Client::get) and [`delete`](crate::Client::delete) are about: those that a
/// Template describes, or those that were saved as references.
///
/// ```
/// use openshift_templates::{Selection, TemplateInputs};
///
/// let inputs = TemplateInputs::new("web", "jobs");
/// assert_eq!(Selection::from(&inputs), Selection::Template(&inputs));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selection<'a> {
    /// The objects that this Template describes with these inputs.
    Template(&'a TemplateInputs),
    /// The objects that these references name.
    References {
        /// The target namespace. A reference into another one is refused.
        namespace: &'a str,
        /// The objects, in the order in which they were created. There may be none.
        references: &'a [Reference],
    },
}

impl<'a> Selection<'a> {
    /// The objects that these references name, in the target namespace `namespace`.
    ///
    /// ```
    /// # use openshift_templates::Selection;
    /// let none = Selection::references("jobs", &[]);
    /// assert!(matches!(none, Selection::References { namespace: "jobs", .. }));
    /// ```
    pub fn references(namespace: &'a str, references: &'a [Reference]) -> Selection<'a> {
        Selection::References { namespace, references }
    }

    /// For callers that may have the one or the other: exactly one of the inputs of a Template, and a target
    /// namespace with references.
    ///
    /// # Errors
    /// [`Error::Argument`] if both are given, or neither.
    ///
    /// ```
    /// # use openshift_templates::{Selection, TemplateInputs};
    /// let inputs = TemplateInputs::new("web", "jobs");
    /// assert!(Selection::either(Some(&inputs), None).is_ok());
    /// assert!(Selection::either(Some(&inputs), Some(("jobs", &[]))).is_err());
    /// assert!(Selection::either(None, None).is_err());
    /// ```
    pub fn either(
        template: Option<&'a TemplateInputs>,
        references: Option<(&'a str, &'a [Reference])>,
    ) -> Result<Selection<'a>, Error> {
        let problem = match (template, references) {
            (Some(inputs), None) => return Ok(Selection::Template(inputs)),
            (None, Some((namespace, references))) => return Ok(Selection::references(namespace, references)),
            (Some(_), Some(_)) => "the inputs of a template and references are given: choose one",
            (None, None) => "neither the inputs of a template nor references are given",
        };
        Err(Error::argument("selection", problem.to_owned()))
    }
}

impl<'a> From<&'a TemplateInputs> for Selection<'a> {
    fn from(inputs: &'a TemplateInputs) -> Selection<'a> {
        Selection::Template(inputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_names_and_no_values() {
        let inputs =
            TemplateInputs::new("web", "jobs").parameter("PASSWORD", "hunter2").parameter("PIN", 4711);
        let text = format!("{inputs:?} {:?}", Selection::from(&inputs));
        assert!(text.contains("PASSWORD") && text.contains("PIN"), "{text}");
        assert!(!text.contains("hunter2") && !text.contains("4711"), "{text}");
    }

    #[test]
    fn the_template_is_in_the_target_namespace_unless_said_otherwise() {
        let inputs = TemplateInputs::new("web", "jobs");
        assert_eq!(inputs.stored_in(), "jobs");
        assert_eq!(inputs.template_namespace("openshift").stored_in(), "openshift");
    }

    #[test]
    fn names_are_checked() {
        for (inputs, argument) in [
            (TemplateInputs::new("web", ""), "namespace: "),
            (TemplateInputs::new("web", "Jobs"), "namespace: "),
            (TemplateInputs::new("web", "jobs").template_namespace(""), "template namespace: "),
            (TemplateInputs::new("web", "jobs").template_namespace("a/b"), "template namespace: "),
            (TemplateInputs::new("", "jobs"), "template name: "),
        ] {
            let text = inputs.check().unwrap_err().to_string();
            assert!(text.starts_with(argument), "{text}");
        }
    }

    #[test]
    fn one_selection_and_only_one() {
        let inputs = TemplateInputs::new("web", "jobs");
        let text = |outcome: Result<Selection<'_>, Error>| outcome.unwrap_err().to_string();
        assert_eq!(
            text(Selection::either(Some(&inputs), Some(("jobs", &[])))),
            "selection: the inputs of a template and references are given: choose one"
        );
        assert_eq!(
            text(Selection::either(None, None)),
            "selection: neither the inputs of a template nor references are given"
        );
    }
}
