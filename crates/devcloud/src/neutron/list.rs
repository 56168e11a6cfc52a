//! Lists: filters, sorting, paging, fields.
//!
//! Paging is emulated by the server for these resources: it reads all, sorts, then takes a slice, with the odd
//! results that are measured: an unknown marker is an empty page, `previous` is on the first page too, and a full
//! last page has a `next`.

use std::cmp::Ordering;

use serde_json::{Map, Value, json};

use crate::http::{Request, query_encode};
use crate::neutron::errors::Error;
use crate::neutron::text::{self, same};

/// What a collection can be filtered by; booleans are `true`.
pub(crate) struct Collection {
    pub(crate) name: &'static str,
    pub(crate) filters: &'static [(&'static str, bool)],
}

/// The server's settings that lists depend on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) case_blind: bool,
    pub(crate) page_limit: Option<usize>,
}

const CONTROL: [&str; 6] = ["fields", "sort_key", "sort_dir", "limit", "marker", "page_reverse"];

impl Collection {
    /// The answer's body. `items` are in the order of creation. The page is cut from all of them, and linked when
    /// those that the caller may not see are out: a page of nothing visible has no `next` (measured).
    pub(crate) fn answer(
        &self,
        items: Vec<Value>,
        visible: impl Fn(&Value) -> bool,
        request: &Request,
        settings: Settings,
    ) -> Result<Value, Error> {
        let query = request.query();
        let mut items = self.filter(items, &query, settings.case_blind)?;
        if settings.case_blind {
            items.sort_by(|a, b| compare(&a["id"], &b["id"]));
        }
        self.sort(&mut items, &query)?;
        let limit = limit(&query, settings.page_limit)?;
        let mut body = Map::new();
        if let Some(limit) = limit {
            items = page(items, limit, &query);
        }
        items.retain(visible);
        if let Some(limit) = limit {
            let base = format!("{}{}", base(request), request.path());
            body.insert(format!("{}_links", self.name), links(&items, limit, &query, &base));
        }
        let fields = values(&query, "fields");
        let shown: Vec<Value> = items.into_iter().map(|item| only_fields(item, &fields)).collect();
        body.insert(self.name.to_owned(), shown.into());
        Ok(body.into())
    }

    fn filter(
        &self,
        items: Vec<Value>,
        query: &[(String, String)],
        blind: bool,
    ) -> Result<Vec<Value>, Error> {
        let mut wanted: Vec<(&str, Vec<Value>)> = Vec::new();
        let mut unknown: Vec<String> = Vec::new();
        for (key, value) in query.iter().filter(|(key, _)| !CONTROL.contains(&key.as_str())) {
            let Some((name, boolean)) = self.filters.iter().find(|(name, _)| name == key) else {
                if !unknown.iter().any(|known| known[1..known.len() - 1] == *key) {
                    unknown.push(format!("'{key}'"));
                }
                continue;
            };
            let mut value = Value::String(value.clone());
            if *boolean {
                let text = text::python(&value);
                let wrong = || Error::invalid_input(&format!("'{text}' cannot be converted to boolean"));
                value = text::boolean(&value).ok_or_else(wrong)?.into();
            }
            match wanted.iter_mut().find(|(known, _)| known == name) {
                Some((_, values)) => values.push(value),
                None => wanted.push((name, vec![value])),
            }
        }
        if !unknown.is_empty() {
            let message = format!("[{}] is invalid attribute for filtering", unknown.join(", "));
            return Err(Error::bad_request(message));
        }
        let holds = |item: &Value, key: &str, value: &Value| match (&item[key], value) {
            (Value::String(have), Value::String(want)) => same(have, want, blind),
            (have, want) => have == want,
        };
        Ok(items
            .into_iter()
            .filter(|item| {
                wanted.iter().all(|(key, values)| values.iter().any(|value| holds(item, key, value)))
            })
            .collect())
    }

    fn sort(&self, items: &mut [Value], query: &[(String, String)]) -> Result<(), Error> {
        let (keys, directions) = (values(query, "sort_key"), values(query, "sort_dir"));
        if keys.len() != directions.len() {
            return Err(Error::bad_request("The number of sort_keys and sort_dirs must be same"));
        }
        let quoted =
            |bad: Vec<&String>| bad.iter().map(|text| format!("'{text}'")).collect::<Vec<_>>().join(", ");
        let bad: Vec<&String> =
            keys.iter().filter(|key| !self.filters.iter().any(|(name, _)| name == key)).collect();
        if !bad.is_empty() {
            let message = format!("[{}] is invalid attribute for sort_keys", quoted(bad));
            return Err(Error::bad_request(message));
        }
        let bad: Vec<&String> =
            directions.iter().filter(|text| !matches!(text.as_str(), "asc" | "desc")).collect();
        if !bad.is_empty() {
            let message =
                format!("[{}] is invalid value for sort_dirs, valid value is 'asc' and 'desc'", quoted(bad));
            return Err(Error::bad_request(message));
        }
        items.sort_by(|a, b| {
            keys.iter().zip(&directions).fold(Ordering::Equal, |so_far, (key, direction)| {
                let order = compare(&a[key], &b[key]);
                so_far.then(if direction == "desc" { order.reverse() } else { order })
            })
        });
        Ok(())
    }
}

/// By code point for texts, false before true; null first.
fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        _ => a.as_str().cmp(&b.as_str()),
    }
}

fn values(query: &[(String, String)], name: &str) -> Vec<String> {
    query
        .iter()
        .filter(|(key, value)| key == name && !value.is_empty())
        .map(|(_, value)| value.clone())
        .collect()
}

fn first<'q>(query: &'q [(String, String)], name: &str) -> Option<&'q str> {
    query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

fn limit(query: &[(String, String)], max: Option<usize>) -> Result<Option<usize>, Error> {
    let asked = match first(query, "limit") {
        None => None,
        Some(text) => Some(text.parse::<usize>().map_err(|_| {
            let message =
                format!("Bad limit request: Limit must be an integer 0 or greater and not '{text}'.");
            Error::new(400, "BadRequest", message)
        })?),
    };
    let asked = asked.filter(|&limit| limit > 0);
    Ok(match max {
        Some(max) => Some(asked.map_or(max, |limit| limit.min(max))),
        None => asked,
    })
}

/// Python's slices: a negative start counts from the end.
fn page(items: Vec<Value>, limit: usize, query: &[(String, String)]) -> Vec<Value> {
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut at = -1;
    if let Some(marker) = first(query, "marker").filter(|marker| !marker.is_empty()) {
        // Nothing found leaves the index at the last item.
        at = items.iter().position(|item| item["id"] == marker).map_or(length - 1, |at| at as i64);
    }
    let (start, end) =
        if reversed(query) { (at - limit, at) } else { (at + 1, at.saturating_add(limit).saturating_add(1)) };
    let clamp = |index: i64| if index < 0 { (index + length).max(0) } else { index.min(length) };
    let (start, end) = (clamp(start), clamp(end));
    let take = usize::try_from(end - start).unwrap_or(0);
    items.into_iter().skip(usize::try_from(start).unwrap_or(0)).take(take).collect()
}

fn reversed(query: &[(String, String)]) -> bool {
    first(query, "page_reverse").is_some_and(|text| text.eq_ignore_ascii_case("true") || text == "1")
}

fn links(items: &[Value], limit: usize, query: &[(String, String)], base: &str) -> Value {
    let full = items.len() >= limit;
    let link = |relation: &str, edge: Option<&Value>| {
        let mut pairs: Vec<(String, String)> =
            query.iter().filter(|(key, _)| key != "marker" && key != "page_reverse").cloned().collect();
        if let Some(id) = edge.and_then(|item| item["id"].as_str()) {
            pairs.push(("marker".into(), id.to_owned()));
        }
        if relation == "previous" {
            pairs.push(("page_reverse".into(), "True".into()));
        }
        json!({"rel": relation, "href": format!("{base}?{}", query_encode(&pairs))})
    };
    let mut links = Vec::new();
    if full || reversed(query) {
        links.push(link("next", items.last()));
    }
    if full || !reversed(query) {
        links.push(link("previous", items.first()));
    }
    links.into()
}

/// Scheme and host as the client sees them; `X-Forwarded-Host` does not count (measured).
pub(crate) fn base(request: &Request) -> String {
    let scheme = request.header("x-forwarded-proto").unwrap_or("http");
    format!("{scheme}://{}", request.host())
}

/// Of an item, what `fields` names; all of it if nothing is named.
pub(crate) fn only_fields(item: Value, fields: &[String]) -> Value {
    match item {
        Value::Object(map) if !fields.is_empty() => {
            map.into_iter().filter(|(key, _)| fields.contains(key)).collect::<Map<_, _>>().into()
        }
        other => other,
    }
}

/// The `fields` of a request.
pub(crate) fn fields(request: &Request) -> Vec<String> {
    values(&request.query(), "fields")
}
