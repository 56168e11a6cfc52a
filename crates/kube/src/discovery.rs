//! Which kinds an API server has.

use rest::Request;
use serde_json::Value;

use crate::{Client, Error, Resource};

/// A kind of object, and where the API server keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// As objects have it: `VirtualMachine`.
    pub kind: String,
    /// Where such objects are.
    pub resource: Resource,
    /// Whether they live in namespaces.
    pub namespaced: bool,
}

impl Client {
    /// The kinds of one group and version, `api_version` as objects have it: `v1`, `apps/v1`. One GET.
    ///
    /// Left out are subresources, and what can be posted but not read back, such as `processedtemplates`,
    /// whose kind would be taken for that of `templates`. What is listed twice comes once.
    ///
    /// # Errors
    /// As [`get`](Client::get): a group or version that is not served is
    /// [`is_not_found`](Error::is_not_found); [`Error::Name`] for what is no `apiVersion`.
    ///
    /// ```no_run
    /// let client = kube::Client::connect()?;
    /// let kinds = client.discover("apps/v1")?;
    /// assert!(kinds.iter().any(|kind| kind.kind == "Deployment" && kind.namespaced));
    /// # Ok::<(), kube::Error>(())
    /// ```
    pub fn discover(&self, api_version: &str) -> Result<Vec<Kind>, Error> {
        let what = format!("discover {api_version}");
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        if version.contains('/') || (group.is_empty() && api_version.contains('/')) {
            return Err(Error::Name { what: "API version", value: api_version.to_owned() });
        }
        let mut list =
            self.object(what.clone(), Request::get(self.url(&Resource::group(group, version)?)))?;
        let Value::Array(resources) = list["resources"].take() else {
            return Err(Error::Answer { request: what, expected: "a list of resources" });
        };
        let mut kinds = Vec::with_capacity(resources.len());
        for kind in resources.iter().filter_map(|entry| kind(entry, group, version)) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        Ok(kinds)
    }
}

/// One entry of an APIResourceList, if it is a kind of object.
fn kind(entry: &Value, group: &str, version: &str) -> Option<Kind> {
    let plural = entry["name"].as_str().filter(|name| !name.contains('/'))?;
    let readable = entry["verbs"].as_array().is_none_or(|verbs| verbs.iter().any(|verb| verb == "get"));
    readable.then_some(Kind {
        kind: entry["kind"].as_str()?.to_owned(),
        resource: Resource::new(group, version, plural),
        namespaced: entry["namespaced"] == true,
    })
}
