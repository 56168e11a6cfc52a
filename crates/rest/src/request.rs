//! A request, as data.

use std::fmt;

use serde_json::Value;

use crate::{Secret, url};

/// The HTTP methods in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// `GET`
    Get,
    /// `HEAD`
    Head,
    /// `POST`
    Post,
    /// `PUT`
    Put,
    /// `PATCH`
    Patch,
    /// `DELETE`
    Delete,
}

impl Method {
    /// As it goes over the wire: `GET`.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Head => "HEAD",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Patch => "PATCH",
            Method::Delete => "DELETE",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The value of a header: plain, or kept out of logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Header {
    /// May be logged.
    Plain(String),
    /// Is logged as `[redacted]`.
    Secret(Secret),
}

impl Header {
    /// The value as it is sent.
    pub fn expose(&self) -> &str {
        match self {
            Header::Plain(value) => value,
            Header::Secret(value) => value.expose(),
        }
    }
}

/// One request. It can be sent any number of times.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// An absolute `http://` or `https://` URL, with its query.
    pub url: String,
    /// Headers in the order they were added.
    pub headers: Vec<(String, Header)>,
    /// The body. It is never logged.
    pub body: Option<Vec<u8>>,
}

impl Request {
    /// A request without headers and body.
    pub fn new(method: Method, url: impl Into<String>) -> Request {
        Request { method, url: url.into(), headers: Vec::new(), body: None }
    }

    /// `GET url`
    pub fn get(url: impl Into<String>) -> Request {
        Request::new(Method::Get, url)
    }

    /// `HEAD url`
    pub fn head(url: impl Into<String>) -> Request {
        Request::new(Method::Head, url)
    }

    /// `POST url`
    pub fn post(url: impl Into<String>) -> Request {
        Request::new(Method::Post, url)
    }

    /// `PUT url`
    pub fn put(url: impl Into<String>) -> Request {
        Request::new(Method::Put, url)
    }

    /// `PATCH url`
    pub fn patch(url: impl Into<String>) -> Request {
        Request::new(Method::Patch, url)
    }

    /// `DELETE url`
    pub fn delete(url: impl Into<String>) -> Request {
        Request::new(Method::Delete, url)
    }

    /// Adds `name=value` to the query, both percent-encoded.
    #[must_use]
    pub fn query(mut self, name: &str, value: &str) -> Request {
        self.url.push(if self.url.contains('?') { '&' } else { '?' });
        self.url.push_str(&url::encode(name));
        self.url.push('=');
        self.url.push_str(&url::encode(value));
        self
    }

    /// Sets a header that may be logged, in place of one of the same name.
    #[must_use]
    pub fn header(self, name: impl Into<String>, value: impl Into<String>) -> Request {
        self.set(name.into(), Header::Plain(value.into()))
    }

    /// Sets a header whose value is kept out of logs (a token), in place of one of the same name.
    #[must_use]
    pub fn secret_header(self, name: impl Into<String>, value: impl Into<Secret>) -> Request {
        self.set(name.into(), Header::Secret(value.into()))
    }

    /// Sets the body and `Content-Type: application/json`.
    #[must_use]
    pub fn json(self, body: &Value) -> Request {
        self.json_as("application/json", body)
    }

    /// Sets the body and another content type of JSON syntax, such as `application/merge-patch+json`.
    #[must_use]
    pub fn json_as(mut self, content_type: &str, body: &Value) -> Request {
        self.body = Some(body.to_string().into_bytes());
        self.header("Content-Type", content_type)
    }

    fn set(mut self, name: String, value: Header) -> Request {
        self.headers.retain(|(other, _)| !other.eq_ignore_ascii_case(&name));
        self.headers.push((name, value));
        self
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("url", &url::without_login(&self.url))
            .field("headers", &self.headers)
            .field("body_bytes", &self.body.as_ref().map(Vec::len))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_header_set_twice_keeps_the_second_value() {
        let request = Request::post("http://h/").json(&json!({})).header("content-type", "text/plain");
        assert_eq!(request.headers, [("content-type".to_owned(), Header::Plain("text/plain".to_owned()))]);
    }

    #[test]
    fn query_is_encoded_and_appended() {
        let request = Request::get("http://h/p?a=1").query("name", "x&y").query("limit", "2");
        assert_eq!(request.url, "http://h/p?a=1&name=x%26y&limit=2");
    }

    #[test]
    fn debug_shows_no_secret_and_no_body() {
        let request = Request::post("http://me:hunter2@h/")
            .secret_header("X-Auth-Token", "hunter2")
            .header("Accept", "application/json")
            .json(&json!({"password": "hunter2"}));
        let text = format!("{request:?}");
        assert!(!text.contains("hunter2"), "{text}");
        assert!(
            text.contains("Accept") && text.contains("[redacted]") && text.contains("body_bytes"),
            "{text}"
        );
    }
}
