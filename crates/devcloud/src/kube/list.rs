//! Lists: selectors, `limit` and `continue`.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::http::Request;
use crate::kube::kind::{Kind, Version};
use crate::kube::meta;
use crate::kube::status::Status;
use crate::kube::store::{Key, State};

impl State {
    /// Answers a list; an empty `namespace` means all of them.
    ///
    /// A later page shows the objects as they are by then: pages are not taken from one snapshot as the real ones are.
    pub(crate) fn list(
        &self,
        kind: &Kind,
        version: &Version,
        namespace: &str,
        request: &Request,
    ) -> Result<Value, Status> {
        self.check_version(request)?;
        let labels = request.parameter("labelSelector").unwrap_or_default();
        let fields = request.parameter("fieldSelector").unwrap_or_default();
        let labels = selector(&labels)?;
        let fields = selector(&fields)?;
        for (field, ..) in &fields {
            let known = ["metadata.name", "metadata.namespace"].contains(&field.as_str())
                || (field == "type" && kind.plural == "secrets");
            if !known {
                return Err(Status::bad_request(format!("field label not supported: {field}")));
            }
        }
        let after = match request.parameter("continue").filter(|token| !token.is_empty()) {
            Some(token) => Some(self.start(&token)?),
            None => None,
        };
        let limit = request.parameter("limit").and_then(|text| text.parse().ok()).filter(|&limit| limit > 0);
        let mut matching = self.of_kind(kind).filter(|(key, object)| {
            (namespace.is_empty() || key.namespace == namespace)
                && after.as_ref().is_none_or(|(_, start)| place(key) > *start)
                && labels.iter().all(|term| holds(term, &label(object, &term.0)))
                && fields.iter().all(|term| holds(term, &field(object, &term.0)))
        });
        let mut items = Vec::new();
        let mut last = None;
        for (key, object) in matching.by_ref().take(limit.unwrap_or(usize::MAX)) {
            let mut object = State::shown(object, kind, version);
            if let (true, Some(map)) = (kind.builtin, object.as_object_mut()) {
                map.remove("apiVersion");
                map.remove("kind");
            }
            items.push(object);
            last = Some(key);
        }
        let rest = matching.count();
        let at = after.map_or(self.version, |(version, _)| version);
        let mut metadata = json!({"resourceVersion": at.to_string()});
        // Lists of custom objects always have the key.
        if !kind.builtin {
            metadata["continue"] = "".into();
        }
        if let (Some(last), true) = (last, rest > 0) {
            metadata["continue"] = token(at, &place(last)).into();
            if labels.is_empty() && fields.is_empty() {
                metadata["remainingItemCount"] = rest.into();
            }
        }
        Ok(json!({
            "apiVersion": kind.api_version(&version.name), "kind": kind.list_kind,
            "metadata": metadata, "items": items,
        }))
    }

    fn check_version(&self, request: &Request) -> Result<(), Status> {
        let Some(asked) = request.parameter("resourceVersion").filter(|text| !text.is_empty()) else {
            return Ok(());
        };
        let Ok(number) = asked.parse::<u64>() else {
            return Err(Status::bad_request(format!(
                "invalid resource version: resourceVersion: Invalid value: {asked:?}: strconv.ParseUint: parsing \
                 {asked:?}: invalid syntax"
            )));
        };
        if number > self.version {
            return Err(Status::too_large_version(number, self.version));
        }
        let exact = request.parameter("resourceVersionMatch").as_deref() == Some("Exact");
        if exact && number != self.version {
            return Err(Status::gone("The resourceVersion for the provided list is too old."));
        }
        Ok(())
    }

    /// Where a `continue` token goes on.
    fn start(&self, token: &str) -> Result<(u64, String), Status> {
        let bad = || Status::bad_request("invalid continue token: continue key is not valid");
        let raw = URL_SAFE_NO_PAD.decode(token).map_err(|_| bad())?;
        let value: Value = serde_json::from_slice(&raw).map_err(|_| bad())?;
        let start = value["start"].as_str().ok_or_else(bad)?.trim_end_matches('\0').to_owned();
        let version = value["rv"].as_i64().ok_or_else(bad)?;
        match u64::try_from(version) {
            // -1 is the token of an inconsistent continuation.
            Err(_) => Ok((self.version, start)),
            Ok(version) if version <= self.compacted => {
                let fresh = json!({"v": "meta.k8s.io/v1", "rv": -1, "start": format!("{start}\0")});
                Err(Status::expired_continue(&URL_SAFE_NO_PAD.encode(fresh.to_string())))
            }
            Ok(version) => Ok((version, start)),
        }
    }
}

fn token(version: u64, place: &str) -> String {
    let token = json!({"v": "meta.k8s.io/v1", "rv": version, "start": format!("{place}\0")});
    URL_SAFE_NO_PAD.encode(token.to_string())
}

/// Sorts as keys do: no name has a byte below `/`'s neighbour that could mix namespaces up.
fn place(key: &Key) -> String {
    format!("{}\u{1}{}", key.namespace, key.name)
}

/// One term: key, wanted values (`None`: any), and whether it must hold.
type Term = (String, Option<String>, bool);

fn selector(text: &str) -> Result<Vec<Term>, Status> {
    text.split(',')
        .filter(|term| !term.trim().is_empty())
        .map(|term| {
            let term = term.trim();
            let (key, value, wanted) = if let Some((key, value)) = term.split_once("!=") {
                (key, Some(value), false)
            } else if let Some((key, value)) = term.split_once("==").or_else(|| term.split_once('=')) {
                (key, Some(value), true)
            } else if let Some(key) = term.strip_prefix('!') {
                (key, None, false)
            } else {
                (term, None, true)
            };
            if key.trim().is_empty() {
                let found = if term.starts_with("==") { "==" } else { "=" };
                let message = format!("found '{found}', expected: !, identifier, or 'end of string'");
                return Err(Status::bad_request(message));
            }
            Ok((key.trim().to_owned(), value.map(|value| value.trim().to_owned()), wanted))
        })
        .collect()
}

fn holds((_, wanted, positive): &Term, actual: &Option<String>) -> bool {
    let equal = match wanted {
        None => actual.is_some(),
        Some(wanted) => actual.as_ref() == Some(wanted),
    };
    equal == *positive
}

fn label(object: &Value, key: &str) -> Option<String> {
    object["metadata"]["labels"].get(key).and_then(Value::as_str).map(str::to_owned)
}

fn field(object: &Value, key: &str) -> Option<String> {
    Some(match key {
        "metadata.name" => meta::text(object, "name").to_owned(),
        "metadata.namespace" => meta::text(object, "namespace").to_owned(),
        _ => object["type"].as_str().unwrap_or_default().to_owned(),
    })
}
