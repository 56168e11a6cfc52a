//! The Networking API v2.0 (Neutron): flavors and service profiles.

mod flavors;
mod service_profiles;

pub use flavors::{Flavor, FlavorUpdate, NewFlavor};
pub use service_profiles::{NewServiceProfile, ServiceProfile, ServiceProfileUpdate};

use crate::session::{self, Session};
use crate::{Error, paging};
use rest::{Method, Request, Response};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use std::fmt;

/// How often a list is begun anew because what its pages hang on was deleted meanwhile.
const LIST_ATTEMPTS: usize = 3;

/// The Networking API of a session. Made by [`Session::network`].
pub struct Network<'a> {
    session: &'a Session,
    base: String,
}

/// Without the URL: an endpoint override may carry `user:password@`.
impl fmt::Debug for Network<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").field("session", &self.session).finish_non_exhaustive()
    }
}

// Here and not beside the session, so that services know the session and not the other way round.
impl Session {
    /// The Networking API.
    ///
    /// # Errors
    /// Those of [`endpoint`](Session::endpoint).
    pub fn network(&self) -> Result<Network<'_>, Error> {
        Ok(Network { session: self, base: self.endpoint("network")? })
    }
}

impl Network<'_> {
    fn url(&self, path: &str) -> String {
        format!("{}/{path}", self.base)
    }

    /// A whole list, page by page if the server's limit makes it so.
    fn list<T: DeserializeOwned>(&self, collection: &'static str) -> Result<Vec<T>, Error> {
        for _ in 0..LIST_ATTEMPTS {
            if let Some(values) = self.list_once(collection)? {
                let request = session::name(Method::Get, &self.url(collection));
                return values.into_iter().map(|value| typed(value, collection, &request)).collect();
            }
        }
        Err(self.pages(collection, "what is in it is being deleted at the same time"))
    }

    /// `None` if the list broke off.
    fn list_once(&self, collection: &'static str) -> Result<Option<Vec<Value>>, Error> {
        let mut all = Vec::new();
        let mut guard = paging::Guard::default();
        let mut query = None;
        loop {
            let url = match &query {
                None => self.url(collection),
                Some(query) => format!("{}?{query}", self.url(collection)),
            };
            let response = self.session.call(&Request::get(&url))?;
            let mut page = json_of(&response, Method::Get, &url)?;
            let next =
                paging::next_query(&page, collection).map_err(|problem| self.pages(collection, problem))?;
            let Some(Value::Array(values)) = page.get_mut(collection).map(Value::take) else {
                return Err(unexpected(Method::Get, &url, format!("the list `{collection}` is missing")));
            };
            // Neutron answers a marker that no longer exists with an empty page (measured), which
            // looks like the end of the list. A list that misses something must not be acted on.
            let marker = query.as_deref().and_then(paging::marker).filter(|_| values.is_empty());
            if let Some(marker) = marker
                && !self.exists(collection, marker)?
            {
                return Ok(None);
            }
            all.extend(values);
            match next {
                None => return Ok(Some(all)),
                Some(next) => {
                    guard.enter(&next).map_err(|problem| self.pages(collection, problem))?;
                    query = Some(next);
                }
            }
        }
    }

    fn exists(&self, collection: &str, id: &str) -> Result<bool, Error> {
        // The id comes from a URL: it is already encoded.
        match self.session.call(&Request::get(self.url(&format!("{collection}/{id}")))) {
            Ok(_) => Ok(true),
            Err(error) if error.is_not_found() => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn show<T: DeserializeOwned>(&self, path: &str, key: &'static str) -> Result<T, Error> {
        self.exchange(&Request::get(self.url(path)), key)
    }

    fn create<T: DeserializeOwned>(&self, path: &str, key: &'static str, value: &Value) -> Result<T, Error> {
        let request = Request::post(self.url(path)).json(&json!({ key: value }));
        self.exchange(&request, key).map_err(|error| match error {
            // It is there, but we don't know its id.
            Error::Unexpected { ref request, .. } => {
                Error::OutcomeUnknown { request: request.clone(), cause: Box::new(error) }
            }
            error => error,
        })
    }

    fn update<T: DeserializeOwned>(&self, path: &str, key: &'static str, value: &Value) -> Result<T, Error> {
        self.exchange(&Request::put(self.url(path)).json(&json!({ key: value })), key)
    }

    fn delete(&self, path: &str) -> Result<(), Error> {
        self.session.call(&Request::delete(self.url(path))).map(drop)
    }

    fn exchange<T: DeserializeOwned>(&self, request: &Request, key: &'static str) -> Result<T, Error> {
        let response = self.session.call(request)?;
        let mut body = json_of(&response, request.method, &request.url)?;
        match body.get_mut(key).map(Value::take) {
            Some(value) => typed(value, key, &session::name(request.method, &request.url)),
            None => Err(unexpected(request.method, &request.url, format!("the key `{key}` is missing"))),
        }
    }

    fn pages(&self, collection: &str, problem: &'static str) -> Error {
        Error::Pages { request: session::name(Method::Get, &self.url(collection)), problem }
    }
}

fn json_of(response: &Response, method: Method, url: &str) -> Result<Value, Error> {
    response.json().map_err(|error| unexpected(method, url, error.to_string()))
}

fn typed<T: DeserializeOwned>(value: Value, what: &str, request: &str) -> Result<T, Error> {
    T::deserialize(value).map_err(|_| Error::Unexpected {
        request: request.to_owned(),
        // serde's text could quote the value.
        problem: format!("what stands in `{what}` has not the fields of the API"),
    })
}

fn unexpected(method: Method, url: &str, problem: String) -> Error {
    Error::Unexpected { request: session::name(method, url), problem }
}

/// An id as a path segment. An empty one would address the whole collection, a dot another thing.
fn segment(id: &str, noun: &'static str) -> Result<String, Error> {
    if matches!(id, "" | "." | "..") {
        return Err(Error::Id { noun, id: id.to_owned() });
    }
    Ok(rest::encode(id))
}

/// Neutron stores a null for what was never set.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(value: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(value)?.unwrap_or_default())
}

/// `enabled` counts as true unless it is false.
fn or_true<'de, D: Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    Ok(Option::deserialize(value)?.unwrap_or(true))
}

fn yes() -> bool {
    true
}
