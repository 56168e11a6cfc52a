//! What there is, asked of the API server: for runs whose context does not say it.

use serde_json::Value;

use crate::config::{Bindings, Watch};
use crate::error::Error;
use crate::secrets::LazyKube;

/// The CRs of all watched namespaces, as the API server has them now. One request for each namespace, more if
/// the server pages.
///
/// # Errors
/// [`Error::List`] if one of the lists cannot be had: a part of them would look like deletions.
pub(crate) fn list(kube: &LazyKube, bindings: &Bindings) -> Result<Vec<Value>, Error> {
    let client = kube.get().map_err(|error| Error::List(Box::new(error)))?;
    let resource = bindings.kube_resource();
    let namespaces: Vec<Option<&str>> = match &bindings.watch {
        Watch::All => vec![None],
        Watch::Names(names) => names.iter().map(|name| Some(name.as_str())).collect(),
    };
    let lists: Result<Vec<_>, _> =
        namespaces.into_iter().map(|namespace| client.list(&resource, namespace)).collect();
    Ok(lists.map_err(|error| Error::List(Box::new(error)))?.concat())
}
