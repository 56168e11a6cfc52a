//! Which kind of object, and where the API server keeps it.

use std::fmt;

use rest::encode;

use crate::Error;

/// A resource type, by the names that its URL is made of.
///
/// ```
/// use kube::Resource;
///
/// assert_eq!(Resource::core("secrets").to_string(), "secrets");
/// let machines = Resource::new("kubevirt.io", "v1", "virtualmachines");
/// assert_eq!(machines.to_string(), "virtualmachines.kubevirt.io");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Resource {
    /// The API group; empty for the core group.
    pub group: String,
    /// The version: `v1`.
    pub version: String,
    /// The plural in lower case: `secrets`.
    pub plural: String,
}

impl Resource {
    /// A resource of a named group.
    pub fn new(group: impl Into<String>, version: impl Into<String>, plural: impl Into<String>) -> Resource {
        Resource { group: group.into(), version: version.into(), plural: plural.into() }
    }

    /// A resource of the core group, version `v1`.
    pub fn core(plural: impl Into<String>) -> Resource {
        Resource::new("", "v1", plural)
    }

    /// The URL path of a group and version, empty for the core group.
    pub(crate) fn group(group: &str, version: &str) -> Result<String, Error> {
        let mut path = String::from(if group.is_empty() { "/api" } else { "/apis" });
        if !group.is_empty() {
            push(&mut path, "API group", group)?;
        }
        push(&mut path, "API version", version)?;
        Ok(path)
    }

    /// The URL path of the collection, in one namespace or (None) over all, or of a cluster-scoped resource.
    pub(crate) fn collection(&self, namespace: Option<&str>) -> Result<String, Error> {
        let mut path = Resource::group(&self.group, &self.version)?;
        if let Some(namespace) = namespace {
            path.push_str("/namespaces");
            push(&mut path, "namespace", namespace)?;
        }
        push(&mut path, "resource", &self.plural)?;
        Ok(path)
    }

    /// The URL path of one object.
    pub(crate) fn object(&self, namespace: Option<&str>, name: &str) -> Result<String, Error> {
        let mut path = self.collection(namespace)?;
        push(&mut path, "name", name)?;
        Ok(path)
    }
}

/// An empty segment would address the collection, `..` another object: neither is sent.
fn push(path: &mut String, what: &'static str, text: &str) -> Result<(), Error> {
    if matches!(text, "" | "." | "..") {
        return Err(Error::Name { what, value: text.to_owned() });
    }
    path.push('/');
    path.push_str(&encode(text));
    Ok(())
}

/// As kubectl writes it: `secrets`, `widgets.example.com`.
impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.plural)?;
        if self.group.is_empty() { Ok(()) } else { write!(f, ".{}", self.group) }
    }
}

/// Whether `name` can be that of a namespace: an RFC 1123 label, which is 1 to 63 of `a-z`, `0-9` and, inside, `-`.
///
/// ```
/// assert!(kube::is_namespace("team-1"));
/// assert!(!kube::is_namespace("Team_1"));
/// ```
pub fn is_namespace(name: &str) -> bool {
    let outer = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=63).contains(&name.len())
        && name.bytes().all(|byte| outer(byte) || byte == b'-')
        && !name.starts_with('-')
        && !name.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let secrets = Resource::core("secrets");
        let widgets = Resource::new("example.com", "v1", "widgets");
        for (path, expected) in [
            (secrets.collection(Some("default")), "/api/v1/namespaces/default/secrets"),
            (secrets.collection(None), "/api/v1/secrets"),
            (secrets.object(Some("default"), "x"), "/api/v1/namespaces/default/secrets/x"),
            (Resource::core("namespaces").object(None, "m1"), "/api/v1/namespaces/m1"),
            (widgets.collection(None), "/apis/example.com/v1/widgets"),
            (widgets.object(Some("m1"), "a"), "/apis/example.com/v1/namespaces/m1/widgets/a"),
            (widgets.object(Some("m1"), "a/b?c"), "/apis/example.com/v1/namespaces/m1/widgets/a%2Fb%3Fc"),
        ] {
            assert_eq!(path.unwrap(), expected);
        }
    }

    #[test]
    fn names_that_would_address_something_else_are_refused() {
        let secrets = Resource::core("secrets");
        for (path, text) in [
            (secrets.object(Some("default"), ""), "the name is empty"),
            (secrets.object(Some(""), "x"), "the namespace is empty"),
            (secrets.collection(Some("")), "the namespace is empty"),
            (secrets.object(Some("default"), ".."), "the name \"..\" cannot be part of a URL"),
            (Resource::core("").collection(None), "the resource is empty"),
            (Resource::new("example.com", "", "widgets").collection(None), "the API version is empty"),
        ] {
            assert_eq!(path.unwrap_err().to_string(), text);
        }
    }

    #[test]
    fn display_is_kubectls() {
        assert_eq!(Resource::core("secrets").to_string(), "secrets");
        assert_eq!(Resource::new("example.com", "v1", "widgets").to_string(), "widgets.example.com");
    }
}
