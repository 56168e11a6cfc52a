//! Objects go.

use kube::DeleteOptions;

use crate::{Client, Error, Operation, OperationError, Reference, Selection, Target};

impl Client {
    /// Deletes the objects of a selection, the last created first, each with what it owns
    /// (`propagationPolicy: Background`). Returns the references in that order. An object that is not there
    /// is a success, so it may be done twice. An empty list of references is a valid wish for nothing, and is
    /// answered without a request.
    ///
    /// From the inputs of a Template no memory is needed: the same Template and the same inputs name the same
    /// objects, whoever created them. From references, one that has a uid means that very object: another one
    /// of the same name stays, which is a conflict. A uid that a Template renders is not used.
    ///
    /// That it returns does not mean that the objects are gone: those with finalizers go later.
    ///
    /// # Errors
    /// Before anything is deleted as [`get`](Client::get), but for the objects not being there. After that
    /// every target is tried, and [`Error::Operation`] names those that failed. Nothing is repeated.
    ///
    /// ```no_run
    /// # use openshift_templates::{ConnectOptions, Reference, Selection, TemplateInputs, connect};
    /// let client = connect(&ConnectOptions::default())?;
    /// client.delete(&TemplateInputs::new("web", "jobs").parameter("NAME", "web-1"))?;
    ///
    /// let saved: Vec<Reference> = serde_json::from_str("[]").unwrap();
    /// client.delete(Selection::references("jobs", &saved))?;
    /// # Ok::<(), openshift_templates::Error>(())
    /// ```
    pub fn delete<'a>(&self, selection: impl Into<Selection<'a>>) -> Result<Vec<Reference>, Error> {
        let targets = self.select(selection.into())?;
        let (mut succeeded, mut failed) = (Vec::new(), Vec::new());
        for target in targets.into_iter().rev() {
            match self.remove(&target) {
                Err(error) if !error.is_not_found() => failed.push((target.reference, error)),
                _ => succeeded.push(target.reference),
            }
        }
        if failed.is_empty() {
            return Ok(succeeded);
        }
        Err(OperationError { operation: Operation::Delete, succeeded, failed }.into())
    }

    fn remove(&self, target: &Target) -> Result<(), kube::Error> {
        let Reference { namespace, name, uid, .. } = &target.reference;
        let options = DeleteOptions { background: true, uid: uid.clone(), resource_version: None };
        self.kube.delete(&target.resource, Some(namespace), name, &options)
    }
}
