//! Neutron's paging: `<collection>_links` with `rel: next`.

use serde_json::Value;
use std::collections::BTreeSet;

/// More pages than any list has: 100 million things by Neutron's usual 1,000 each.
const MOST: usize = 100_000;

/// The query of the next page, if there is one. Only the query of the link counts: its host is
/// what the server believes to be called, which is wrong behind some proxies.
///
/// `Err` if the links are no list, or there is one without a query.
pub(crate) fn next_query(page: &Value, collection: &str) -> Result<Option<String>, &'static str> {
    let links = match page.get(format!("{collection}_links")) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Array(links)) => links,
        // Not the last page: what is missing of a list would be made again.
        Some(_) => return Err("the links to other pages are not a list"),
    };
    let next = links.iter().find(|link| link["rel"] == "next");
    let Some(next) = next else { return Ok(None) };
    match next["href"].as_str().and_then(|href| href.split_once('?')) {
        Some((_, query)) if !query.is_empty() => Ok(Some(query.to_owned())),
        _ => Err("the link to the next page has no query"),
    }
}

/// The `marker` of a query: the id after which the page starts.
pub(crate) fn marker(query: &str) -> Option<&str> {
    query.split('&').find_map(|part| part.strip_prefix("marker="))
}

/// Stops a list that goes round in circles.
#[derive(Debug, Default)]
pub(crate) struct Guard(BTreeSet<String>);

impl Guard {
    /// To be called with each page's query; `Err` if it came before.
    pub(crate) fn enter(&mut self, query: &str) -> Result<(), &'static str> {
        let place = marker(query).unwrap_or(query);
        if !self.0.insert(place.to_owned()) {
            return Err("the server links to a page that was already read");
        }
        if self.0.len() > MOST { Err("it has too many pages") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn page(href: &str) -> Value {
        json!({"flavors": [], "flavors_links": [{"rel": "previous", "href": "http://h/?limit=3&page_reverse=True"}, {"rel": "next", "href": href}]})
    }

    #[test]
    fn only_the_query_of_the_next_link_counts() {
        let next = next_query(&page("http://wrong.host/v2.0/flavors?limit=3&marker=abc"), "flavors");
        assert_eq!(next, Ok(Some("limit=3&marker=abc".to_owned())));
        assert_eq!(next_query(&page("http://h/v2.0/flavors?limit=3"), "service_profiles"), Ok(None));
        assert_eq!(next_query(&json!({"flavors": []}), "flavors"), Ok(None));
        assert!(next_query(&page("http://h/v2.0/flavors"), "flavors").is_err());
        assert!(next_query(&page("http://h/v2.0/flavors?"), "flavors").is_err());
        assert!(next_query(&json!({"flavors": [], "flavors_links": {"rel": "next"}}), "flavors").is_err());
    }

    #[test]
    fn a_last_page_has_a_previous_link_only() {
        let last = json!({"flavors": [], "flavors_links": [{"rel": "previous", "href": "http://h/v2.0/flavors?limit=3&page_reverse=True"}]});
        assert_eq!(next_query(&last, "flavors"), Ok(None));
    }

    #[test]
    fn a_marker_counts_once_whatever_stands_around_it() {
        let mut guard = Guard::default();
        assert_eq!(guard.enter("limit=3&marker=a"), Ok(()));
        assert_eq!(guard.enter("limit=3&marker=b"), Ok(()));
        assert!(guard.enter("marker=a&limit=3").is_err());
        assert_eq!(marker("limit=3&marker=a"), Some("a"));
        assert_eq!(marker("limit=3"), None);
    }
}
