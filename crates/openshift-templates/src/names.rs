//! What is checked before anything is sent: each of these texts becomes part of a URL.

use crate::{Error, Reference};

/// A namespace: a DNS label (RFC 1123), as Kubernetes wants it.
pub(crate) fn namespace(argument: &'static str, value: &str) -> Result<(), Error> {
    if kube::is_namespace(value) {
        return Ok(());
    }
    Err(Error::argument(
        argument,
        match value {
            "" => "it is empty: name the namespace".to_owned(),
            _ => format!("{value:?} is not the name of a namespace: a-z, 0-9 and - inside, 63 at most"),
        },
    ))
}

/// The name of a Template.
pub(crate) fn template(value: &str) -> Result<(), Error> {
    path_segment(value).map_err(|problem| Error::argument("template name", format!("{value:?}: {problem}")))
}

/// A field manager: the server takes 1 to 128 bytes that can be printed (apimachinery, `ValidateFieldManager`).
pub(crate) fn field_manager(value: &str) -> Result<(), Error> {
    let problem = match value.len() {
        0 => "it is empty".to_owned(),
        129.. => format!("it has {} bytes; 128 at most", value.len()),
        _ if value.chars().any(char::is_control) => {
            format!("{value:?} has characters that cannot be printed")
        }
        _ => return Ok(()),
    };
    Err(Error::argument("field manager", problem))
}

/// A reference that a caller hands in, for this target namespace; the result always has the namespace.
pub(crate) fn reference(reference: &Reference, namespace: &str) -> Result<Reference, Error> {
    let refused = |problem| Err(Error::target(reference.to_string(), problem));
    if let Err(problem) = api_version(&reference.api_version) {
        return refused(problem.to_owned());
    }
    if let Err(problem) = kind(&reference.kind) {
        return refused(problem.to_owned());
    }
    if let Err(problem) = path_segment(&reference.name) {
        return refused(format!("the name cannot be used: {problem}"));
    }
    if reference.uid.as_deref() == Some("") {
        return refused("the uid is empty: leave it out if it is not known".to_owned());
    }
    if !reference.namespace.is_empty() && reference.namespace != namespace {
        return refused(format!("it is not in the target namespace {namespace:?}"));
    }
    Ok(Reference { namespace: namespace.to_owned(), ..reference.clone() })
}

/// `v1` or `apps/v1`. The problem does not quote the text: it may come from a parameter.
pub(crate) fn api_version(value: &str) -> Result<(), &'static str> {
    if value.is_empty() {
        return Err("the apiVersion is missing");
    }
    let part = |text: &str| {
        let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        text.bytes().next().is_some_and(letter)
            && text.bytes().all(|byte| letter(byte) || b"-.".contains(&byte))
    };
    let good = match value.split_once('/') {
        None => part(value),
        Some((group, version)) => part(group) && part(version),
    };
    if good { Ok(()) } else { Err("the apiVersion is neither VERSION nor GROUP/VERSION") }
}

/// The name of a kind: letters, digits and `-`, 63 at most (apiextensions, validation of `spec.names.kind`). The
/// problem does not quote the text: it may come from a parameter.
pub(crate) fn kind(value: &str) -> Result<(), &'static str> {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    match value {
        "" => Err("the kind is missing"),
        _ if value.len() <= 63 && value.bytes().all(letter) => Ok(()),
        _ => Err("the kind is not the name of a kind: letters, digits and - inside, 63 at most"),
    }
}

/// What Kubernetes takes as a name at most (apimachinery, `IsValidPathSegmentName`), and not longer than any
/// name is in fact, nor with what would break a line of a log. The problem does not quote the text: it may come
/// from a parameter.
pub(crate) fn path_segment(value: &str) -> Result<(), &'static str> {
    match value {
        "" => Err("it is empty"),
        "." | ".." => Err("it has a meaning of its own in a URL"),
        _ if value.contains(['/', '%']) => Err("it contains \"/\" or \"%\""),
        _ if value.contains(char::is_control) => Err("it has characters that cannot be printed"),
        _ if value.len() > 253 => Err("it has more than 253 bytes"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces() {
        let long = "a".repeat(64);
        for good in ["a", "jobs", "team-1", "0", &long[1..]] {
            namespace("namespace", good).unwrap();
        }
        for bad in ["-a", "a-", "Jobs", "a.b", "a/b", "..", "a b", "ä", "${NS}", &long] {
            let text = namespace("namespace", bad).unwrap_err().to_string();
            assert!(
                text.starts_with(&format!("namespace: {bad:?} is not the name of a namespace")),
                "{text}"
            );
        }
        let text = namespace("template namespace", "").unwrap_err().to_string();
        assert_eq!(text, "template namespace: it is empty: name the namespace");
    }

    #[test]
    fn names_in_urls_and_logs() {
        for good in ["web", "system:node", "ä", "a b", &"a".repeat(253)] {
            path_segment(good).unwrap();
        }
        for bad in ["", ".", "..", "a/b", "%2e", "a\nb", "a\u{1b}[2J", "\0", &"a".repeat(254)] {
            path_segment(bad).unwrap_err();
        }
    }

    #[test]
    fn kinds() {
        for good in ["ConfigMap", "X", "V2-Beta", &"k".repeat(63)] {
            kind(good).unwrap();
        }
        for bad in ["", "a b", "Config/Map", "Kind\nx", "Ünit", &"k".repeat(64)] {
            kind(bad).unwrap_err();
        }
    }

    #[test]
    fn template_names() {
        template("web").unwrap();
        template("Not_Valid").unwrap(); // the server's affair: a 404
        for (bad, text) in [
            ("", "template name: \"\": it is empty"),
            ("..", "template name: \"..\": it has a meaning of its own in a URL"),
            ("a/b", "template name: \"a/b\": it contains \"/\" or \"%\""),
        ] {
            assert_eq!(template(bad).unwrap_err().to_string(), text);
        }
    }

    #[test]
    fn field_managers() {
        for good in ["mini-scheduler", "template-workloads/0a1b", &"m".repeat(128)] {
            field_manager(good).unwrap();
        }
        for (bad, text) in [
            (String::new(), "field manager: it is empty"),
            ("m".repeat(129), "field manager: it has 129 bytes; 128 at most"),
            ("a\nb".to_owned(), "field manager: \"a\\nb\" has characters that cannot be printed"),
        ] {
            assert_eq!(field_manager(&bad).unwrap_err().to_string(), text);
        }
    }

    #[test]
    fn references() {
        let good = Reference {
            api_version: "apps/v1".into(),
            kind: "Deployment".into(),
            namespace: String::new(),
            name: "web".into(),
            uid: Some("7e3b".into()),
        };
        let placed = Reference { namespace: "jobs".into(), ..good.clone() };
        assert_eq!(reference(&good, "jobs").unwrap(), placed);
        assert_eq!(reference(&placed, "jobs").unwrap(), placed);
        let core = Reference { api_version: "v1".into(), ..placed.clone() };
        assert_eq!(reference(&core, "jobs").unwrap(), core);
        let bad = |change: &dyn Fn(&mut Reference)| {
            let mut changed = placed.clone();
            change(&mut changed);
            reference(&changed, "jobs").unwrap_err().to_string()
        };
        for (text, expected) in [
            (
                bad(&|r| r.namespace = "prod".into()),
                "apps/v1 Deployment prod/web: it is not in the target namespace \"jobs\"",
            ),
            (bad(&|r| r.api_version.clear()), " Deployment jobs/web: the apiVersion is missing"),
            (
                bad(&|r| r.api_version = "apps/v1/x".into()),
                "apps/v1/x Deployment jobs/web: the apiVersion is neither VERSION nor GROUP/VERSION",
            ),
            (
                bad(&|r| r.api_version = "../v1".into()),
                "../v1 Deployment jobs/web: the apiVersion is neither VERSION nor GROUP/VERSION",
            ),
            (bad(&|r| r.kind.clear()), "apps/v1  jobs/web: the kind is missing"),
            (
                bad(&|r| r.kind = "../x".into()),
                "apps/v1 ../x jobs/web: the kind is not the name of a kind: letters, digits and - inside, 63 at most",
            ),
            (bad(&|r| r.name.clear()), "apps/v1 Deployment jobs/: the name cannot be used: it is empty"),
            (
                bad(&|r| r.uid = Some(String::new())),
                "apps/v1 Deployment jobs/web: the uid is empty: leave it out if it is not known",
            ),
        ] {
            assert_eq!(text, expected);
        }
    }
}
