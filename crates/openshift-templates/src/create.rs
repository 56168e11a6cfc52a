//! Objects come.

use crate::{Client, Error, Operation, OperationError, Planned, Reference, TemplateInputs, names};

/// The field manager of [`Client::create`]: `mini-scheduler`.
///
/// ```
/// assert_eq!(openshift_templates::FIELD_MANAGER, "mini-scheduler");
/// ```
pub const FIELD_MANAGER: &str = "mini-scheduler";

impl Client {
    /// [`create_as`](Client::create_as) with the field manager [`FIELD_MANAGER`].
    ///
    /// # Errors
    /// As [`create_as`](Client::create_as).
    ///
    /// ```no_run
    /// use openshift_templates::{ConnectOptions, TemplateInputs, connect};
    ///
    /// let client = connect(&ConnectOptions::default())?;
    /// for reference in client.create(&TemplateInputs::new("web", "jobs").parameter("NAME", "web-1"))? {
    ///     println!("{reference}");
    /// }
    /// # Ok::<(), openshift_templates::Error>(())
    /// ```
    pub fn create(&self, inputs: &TemplateInputs) -> Result<Vec<Reference>, Error> {
        self.create_as(inputs, FIELD_MANAGER)
    }

    /// [Processes](Client::process) the Template, checks all its objects, and then creates or updates them one
    /// after the other, in the Template's order, by server-side apply. Returns their references with the uids
    /// that the server gave, in that order.
    ///
    /// Doing it again changes nothing, as long as the Template and the inputs are the same. What is there under
    /// another manager is not taken over: a field that is set otherwise is a conflict
    /// ([`kube::Error::is_field_conflict`]), for the caller to decide. An object that left the Template is not
    /// removed. That an object was created does not mean that what it describes runs.
    ///
    /// For N objects of G groups and versions: 2 + G + N requests.
    ///
    /// # Errors
    /// Before anything is written: [`Error::Argument`] for an empty field manager, one over 128 bytes, or
    /// names and namespaces that are not valid (before any request); else as [`plan`](Client::plan). After
    /// that [`Error::Operation`]: the first failure ends it. Nothing is repeated and nothing is rolled back.
    ///
    /// ```no_run
    /// # use openshift_templates::{ConnectOptions, Error, TemplateInputs, connect};
    /// # let (client, inputs) = (connect(&ConnectOptions::default())?, TemplateInputs::new("web", "jobs"));
    /// match client.create_as(&inputs, "night-jobs") {
    ///     Ok(references) => println!("{} objects", references.len()),
    ///     Err(Error::Operation(error)) => {
    ///         println!("{error}");
    ///         client.delete(&inputs)?;
    ///     }
    ///     Err(error) => println!("nothing was written: {error}"),
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    pub fn create_as(&self, inputs: &TemplateInputs, field_manager: &str) -> Result<Vec<Reference>, Error> {
        names::field_manager(field_manager)?;
        let mut succeeded = Vec::new();
        for planned in self.plan(inputs)? {
            match self.apply(&planned, field_manager) {
                Ok(reference) => succeeded.push(reference),
                Err(error) => {
                    let failed = vec![(planned.target.reference, error)];
                    return Err(OperationError { operation: Operation::Create, succeeded, failed }.into());
                }
            }
        }
        Ok(succeeded)
    }

    /// Applies one object of a [plan](Client::plan), and returns its reference with the uid that the server
    /// gave. One request, never repeated.
    ///
    /// # Errors
    /// What the request met: [`is_field_conflict`](kube::Error::is_field_conflict),
    /// [`is_forbidden`](kube::Error::is_forbidden), [`is_invalid`](kube::Error::is_invalid), a 500 for a field
    /// that the schema does not have or that has another type (measured), ...; [`kube::Error::Answer`] if what
    /// came back is not that object. It may have been done all the same if
    /// [`is_outcome_unknown`](kube::Error::is_outcome_unknown).
    ///
    /// ```no_run
    /// # use openshift_templates::{ConnectOptions, TemplateInputs, connect};
    /// # let (client, inputs) = (connect(&ConnectOptions::default())?, TemplateInputs::new("web", "jobs"));
    /// for planned in client.plan(&inputs)? {
    ///     println!("{:?}", client.apply(&planned, "mini-scheduler")?.uid);
    /// }
    /// # Ok::<(), openshift_templates::Error>(())
    /// ```
    pub fn apply(&self, planned: &Planned, field_manager: &str) -> Result<Reference, kube::Error> {
        let Planned { target, object } = planned;
        let Reference { namespace, name, .. } = &target.reference;
        let live = self.kube.apply(&target.resource, Some(namespace), name, object, field_manager)?;
        let metadata = &live["metadata"];
        match metadata["uid"].as_str().filter(|uid| !uid.is_empty() && metadata["name"] == name.as_str()) {
            Some(uid) => Ok(Reference { uid: Some(uid.to_owned()), ..target.reference.clone() }),
            // Without the uid, a later delete could not tell this object from another one of its name.
            None => Err(kube::Error::Answer {
                request: format!("apply {} {namespace}/{name}", target.resource),
                expected: "the applied object",
            }),
        }
    }
}
