//! Requests and answers as the simulated services see them: no sockets here.

use serde_json::Value;

/// One HTTP request, read completely.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The request target as sent: path and query.
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// The first header of this name; the case of the name does not count.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The target without its query.
    pub(crate) fn path(&self) -> &str {
        self.target.split_once('?').map_or(self.target.as_str(), |(path, _)| path)
    }

    /// The query as decoded pairs, in the order sent.
    pub(crate) fn query(&self) -> Vec<(String, String)> {
        let Some((_, query)) = self.target.split_once('?') else { return Vec::new() };
        query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
                (percent_decode(&key.replace('+', " ")), percent_decode(&value.replace('+', " ")))
            })
            .collect()
    }

    /// The first value of a query parameter.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        self.query().into_iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The path's decoded parts between the slashes, empty ones left out.
    pub(crate) fn segments(&self) -> Vec<String> {
        self.path().split('/').filter(|part| !part.is_empty()).map(percent_decode).collect()
    }

    /// The `Host` header, for links in answers.
    pub(crate) fn host(&self) -> &str {
        self.header("host").unwrap_or("127.0.0.1")
    }

    /// The media type of the body, without parameters; empty if none is named.
    pub(crate) fn media_type(&self) -> &str {
        self.header("content-type").and_then(|text| text.split(';').next()).unwrap_or("").trim()
    }
}

/// One HTTP answer.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Response {
    /// A JSON answer, in UTF-8.
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::text(status, "application/json", &body.to_string())
    }

    /// A JSON answer as Go's `encoding/json` writes it.
    pub(crate) fn go_json(status: u16, body: &Value) -> Self {
        Self::text(status, "application/json", &crate::go_json::text(body))
    }

    /// A JSON answer as Python's `json` writes it: everything beyond ASCII escaped.
    pub(crate) fn ascii_json(status: u16, body: &Value) -> Self {
        Self::text(status, "application/json", &escape_non_ascii(&body.to_string()))
    }

    /// An answer of any media type.
    pub(crate) fn text(status: u16, media_type: &str, body: &str) -> Self {
        let headers = vec![("Content-Type".to_owned(), media_type.to_owned())];
        Self { status, headers, body: body.as_bytes().to_vec() }
    }

    /// An answer without a body and without a Content-Type.
    pub(crate) fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new() }
    }

    /// The same answer with one more header.
    pub(crate) fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The body as JSON; null if it is something else.
    pub(crate) fn value(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }
}

/// Something that answers requests. It never panics on what a client sends.
pub(crate) trait Handler: Send + Sync + 'static {
    /// Performs the request.
    fn handle(&self, request: &Request) -> Response;

    /// The refusal of a user without the right to `verb` (`None`: to anything), as this service words it; `None` if
    /// the request does not need that right, or the service has no such rights.
    fn refuse(&self, _request: &Request, _user: &str, _verb: Option<&str>) -> Option<Response> {
        None
    }
}

/// Decodes `%XX`; what is not valid UTF-8 becomes U+FFFD.
pub(crate) fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        match (bytes[at], code.and_then(|pair| u8::from_str_radix(pair, 16).ok())) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Encodes a query as Python's `urlencode` does.
pub(crate) fn query_encode(pairs: &[(String, String)]) -> String {
    let encode = |text: &str| {
        let mut out = String::new();
        for byte in text.bytes() {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'.' | b'-' | b'~' => {
                    out.push(char::from(byte));
                }
                b' ' => out.push('+'),
                other => out.push_str(&format!("%{other:02X}")),
            }
        }
        out
    };
    pairs
        .iter()
        .map(|(key, value)| format!("{}={}", encode(key), encode(value)))
        .collect::<Vec<_>>()
        .join("&")
}

fn escape_non_ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        if character.is_ascii() {
            out.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(target: &str) -> Request {
        Request { method: "GET".into(), target: target.into(), headers: Vec::new(), body: Vec::new() }
    }

    #[test]
    fn targets_are_taken_apart_and_decoded() {
        let request = request("/v2.0//flavors/a%2Fb?name=x+y&name=%C5%BE&flag&=");
        assert_eq!(request.path(), "/v2.0//flavors/a%2Fb");
        assert_eq!(request.segments(), ["v2.0", "flavors", "a/b"]);
        let query = request.query();
        assert_eq!(query[0], ("name".into(), "x y".into()));
        assert_eq!(query[1], ("name".into(), "ž".into()));
        assert_eq!(query[2], ("flag".into(), String::new()));
        assert_eq!(request.parameter("name").as_deref(), Some("x y"));
    }

    #[test]
    fn broken_escapes_stay_as_they_are() {
        assert_eq!(percent_decode("100%"), "100%");
        assert_eq!(percent_decode("%zz%4"), "%zz%4");
        assert_eq!(percent_decode("%ff"), "\u{fffd}");
    }

    #[test]
    fn ascii_json_escapes_by_utf16_units() {
        let body = Response::ascii_json(200, &serde_json::json!({"a": "ž😀"})).body;
        assert_eq!(String::from_utf8(body).unwrap(), r#"{"a":"\u017e\ud83d\ude00"}"#);
    }

    #[test]
    fn queries_are_encoded_like_python_does() {
        let pairs = [("name".to_owned(), "a b/ž".to_owned()), ("limit".to_owned(), "3".to_owned())];
        assert_eq!(query_encode(&pairs), "name=a+b%2F%C5%BE&limit=3");
    }
}
