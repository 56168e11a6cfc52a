//! An answer, read to its end.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use crate::Error;

/// An HTTP answer of any status, with its whole body.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// Header names in lower case, in the order they came. Values that are no text are left out.
    pub headers: Vec<(String, String)>,
    /// The body as it came.
    pub body: Vec<u8>,
}

impl Response {
    /// The first header of this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(other, _)| other.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// [`Error::Json`] with line and column, without the content.
    pub fn json(&self) -> Result<Value, Error> {
        serde_json::from_slice(&self.body).map_err(|error| Error::Json {
            problem: if self.body.is_empty() { "it is empty" } else { json_problem(&error) },
            line: error.line(),
            column: error.column(),
        })
    }

    /// The body as text; bytes that are no UTF-8 are replaced.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }

    /// Whether the status is 200 to 299.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// serde_json's own text may quote the document.
fn json_problem(error: &serde_json::Error) -> &'static str {
    if error.is_eof() { "it ends too early" } else { "its syntax is wrong" }
}

/// Shows neither body nor header values: a token comes back as a header.
impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("headers", &names)
            .field("body_bytes", &self.body.len())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn response(body: &str) -> Response {
        Response {
            status: 200,
            headers: vec![("x-subject-token".into(), "hunter2".into())],
            body: body.into(),
        }
    }

    #[test]
    fn json_and_headers() {
        let response = response(r#"{"a": 1}"#);
        assert_eq!(response.json().unwrap(), json!({"a": 1}));
        assert_eq!(response.header("X-Subject-Token"), Some("hunter2"));
        assert_eq!(response.header("missing"), None);
        assert!(!format!("{response:?}").contains("hunter2"));
    }

    #[test]
    fn a_json_error_names_the_place_and_not_the_content() {
        for (body, text) in [
            ("", "the answer is not JSON: it is empty (line 1, column 0)"),
            ("{\"a\":\n hunter2}", "the answer is not JSON: its syntax is wrong (line 2, column 2)"),
            ("{\"a\": 1", "the answer is not JSON: it ends too early (line 1, column 7)"),
        ] {
            assert_eq!(response(body).json().unwrap_err().to_string(), text);
        }
    }

    #[test]
    fn success_is_2xx() {
        for (status, success) in
            [(199, false), (200, true), (204, true), (299, true), (302, false), (404, false)]
        {
            assert_eq!(Response { status, ..Response::default() }.is_success(), success);
        }
    }
}
