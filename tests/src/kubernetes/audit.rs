//! What was asked of the API server, from its audit log.

use std::collections::BTreeSet;

use serde_json::Value;

use super::ControlPlane;
use crate::Right;

/// Requests by the service accounts of operators, that is of namespaces that begin with `prefix`.
#[derive(Debug, Default)]
pub struct Asked {
    /// What was asked for.
    pub used: BTreeSet<Right>,
    /// How many requests for resources there were.
    pub count: usize,
    /// What was refused with 403, as `account: verb url`.
    pub forbidden: BTreeSet<String>,
}

/// Reads the audit log.
///
/// # Panics
/// If there is none.
pub fn asked(plane: &ControlPlane, prefix: &str) -> Asked {
    let path = plane.folder().join("audit.log");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut asked = Asked::default();
    for event in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let account = word(&event["user"]["username"]);
        if !account.starts_with(&format!("system:serviceaccount:{prefix}")) {
            continue;
        }
        let verb = word(&event["verb"]);
        if event["responseStatus"]["code"] == 403 {
            asked.forbidden.insert(format!("{account}: {verb} {}", word(&event["requestURI"])));
        }
        let object = &event["objectRef"];
        if let Some(resource) = object["resource"].as_str() {
            let resource = match object["subresource"].as_str() {
                Some(part) => format!("{resource}/{part}"),
                None => resource.to_owned(),
            };
            asked.count += 1;
            // A patch that makes an object needs both rights; the log has one line, with the first verb.
            if verb == "patch" && event["responseStatus"]["code"] == 201 {
                asked.used.insert((word(&object["apiGroup"]), resource.clone(), "create".to_owned()));
            }
            asked.used.insert((word(&object["apiGroup"]), resource, verb));
        }
    }
    asked
}
