//! Objects are read.

use serde_json::Value;

use crate::{Client, Error, Selection};

impl Client {
    /// Reads the live objects of a selection, in the order of creation. All of them or an error: the first one
    /// that cannot be read ends it. An empty list of references is answered without a request.
    ///
    /// They are read by name: whether an object has the uid of its reference, and whether what it describes is
    /// ready, is in what is returned.
    ///
    /// # Errors
    /// [`Error::Argument`] for invalid names or namespaces, before any request; as [`process`](Client::process)
    /// for inputs; [`Error::Target`], [`Error::NotServed`] as [`locate`](Client::locate); [`Error::Kube`] if a
    /// request fails: an object that is not there is
    /// [`is_not_found`](kube::Error::is_not_found).
    ///
    /// ```no_run
    /// # use openshift_templates::{ConnectOptions, Selection, TemplateInputs, connect};
    /// # let client = connect(&ConnectOptions::default())?;
    /// let inputs = TemplateInputs::new("web", "jobs").parameter("NAME", "web-1");
    /// let references = client.create(&inputs)?;
    /// let live = client.get(&inputs)?;
    /// assert_eq!(live.len(), client.get(Selection::references("jobs", &references))?.len());
    /// # Ok::<(), openshift_templates::Error>(())
    /// ```
    pub fn get<'a>(&self, selection: impl Into<Selection<'a>>) -> Result<Vec<Value>, Error> {
        let targets = self.select(selection.into())?;
        let read = targets.iter().map(|target| {
            let (namespace, name) = (&target.reference.namespace, &target.reference.name);
            let live = self.kube.get(&target.resource, Some(namespace), name)?;
            if live["metadata"]["name"] == name.as_str() {
                return Ok(live);
            }
            // Something between us and the API server answered.
            let request = format!("get {} {namespace}/{name}", target.resource);
            Err(kube::Error::Answer { request, expected: "that object" }.into())
        });
        read.collect()
    }
}
