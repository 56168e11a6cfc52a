//! Lists, page by page.

use rest::Request;
use serde_json::Value;

use crate::client::describe;
use crate::{Client, Error, Resource};

/// Objects per page, as kubectl has it.
const PAGE: &str = "500";
/// Far more pages than an API server holds.
const MOST_PAGES: usize = 10_000;

impl Client {
    /// All objects of a resource, in one namespace or (`None`) in all, in the server's order. Where the server
    /// leaves `apiVersion` and `kind` out of the items (it does for its own types), they are filled in.
    ///
    /// A namespace that does not exist has an empty list. When the list expires between two pages (410), it is
    /// begun again, once.
    ///
    /// # Errors
    /// As [`get`](Client::get); [`Error::Endless`] if the server's continue tokens go in a circle.
    pub fn list(&self, resource: &Resource, namespace: Option<&str>) -> Result<Vec<Value>, Error> {
        let what = describe("list", resource, namespace, None);
        let url = self.url(&resource.collection(namespace)?);
        match self.pages(&what, &url) {
            Err((error, true)) if error.is_gone() => {
                log::debug!("{error}: beginning again");
                self.pages(&what, &url)
            }
            outcome => outcome,
        }
        .map_err(|(error, _)| error)
    }

    /// One pass; an error comes with whether it was met on a later page than the first.
    fn pages(&self, what: &str, url: &str) -> Result<Vec<Value>, (Error, bool)> {
        let mut items = Vec::new();
        let mut token = String::new();
        for page in 0..MOST_PAGES {
            let mut request = Request::get(url).query("limit", PAGE);
            if !token.is_empty() {
                request = request.query("continue", &token);
            }
            let mut list = self.object(what.to_owned(), request).map_err(|error| (error, page > 0))?;
            append(&mut items, &mut list)
                .map_err(|expected| (Error::Answer { request: what.to_owned(), expected }, page > 0))?;
            let next = list["metadata"]["continue"].as_str().unwrap_or_default();
            if next.is_empty() {
                return Ok(items);
            }
            if next == token {
                return Err((endless(what, "the server sent the same continue token twice"), true));
            }
            token = next.to_owned();
        }
        Err((endless(what, "it has more than 10000 pages"), true))
    }
}

fn endless(what: &str, problem: &'static str) -> Error {
    Error::Endless { request: what.to_owned(), problem }
}

/// Moves the items of a page over.
fn append(items: &mut Vec<Value>, list: &mut Value) -> Result<(), &'static str> {
    let kind = list["kind"].as_str().and_then(|kind| kind.strip_suffix("List")).map(str::to_owned);
    let version = list["apiVersion"].as_str().map(str::to_owned);
    let page = match list["items"].take() {
        Value::Array(page) => page,
        // Go writes an empty slice as null.
        Value::Null if kind.is_some() => Vec::new(),
        _ => return Err("a list"),
    };
    for mut item in page {
        let Some(object) = item.as_object_mut() else { return Err("a list of objects") };
        for (name, value) in [("apiVersion", &version), ("kind", &kind)] {
            if let Some(value) = value {
                object.entry(name).or_insert_with(|| Value::String(value.clone()));
            }
        }
        items.push(item);
    }
    Ok(())
}
