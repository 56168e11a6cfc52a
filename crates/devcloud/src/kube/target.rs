//! What a request is about, and who sends it.

use crate::http::Request;

/// The parts of a path to a resource.
#[derive(Debug, Default)]
pub(super) struct Target {
    pub(super) group: String,
    pub(super) version: String,
    pub(super) namespace: String,
    pub(super) plural: String,
    pub(super) name: String,
    pub(super) subresource: String,
}

/// The resource that a path means; `None` if it means none.
pub(super) fn target(parts: &[&str]) -> Option<Target> {
    let (group, version, rest) = match parts {
        ["api", version, rest @ ..] => ("", *version, rest),
        ["apis", group, version, rest @ ..] => (*group, *version, rest),
        _ => return None,
    };
    let (namespace, rest) = match rest {
        ["namespaces", name, sub @ ("status" | "finalize")] => ("", &["namespaces", *name, *sub][..]),
        ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (*namespace, rest),
        _ => ("", rest),
    };
    let owned = |index: usize| rest.get(index).map_or_else(String::new, |&text| text.to_owned());
    if rest.is_empty() || rest.len() > 3 {
        return None;
    }
    Some(Target {
        group: group.to_owned(),
        version: version.to_owned(),
        namespace: namespace.to_owned(),
        plural: owned(0),
        name: owned(1),
        subresource: owned(2),
    })
}

/// Who writes: the query says it, or the first part of the client's name.
pub(super) fn manager(request: &Request) -> String {
    request.parameter("fieldManager").filter(|manager| !manager.is_empty()).unwrap_or_else(|| {
        let agent = request.header("user-agent").unwrap_or_default();
        let name = agent.split('/').next().unwrap_or_default();
        if name.is_empty() { "unknown".to_owned() } else { name.to_owned() }
    })
}
