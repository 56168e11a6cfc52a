//! The little that is done to URLs here.

use std::fmt::Write;

/// Percent-encodes a path segment or a query value: all but `A-Z a-z 0-9 - . _ ~` (RFC 3986, 2.3), so that a
/// `/`, `?`, `&` or blank in it cannot address something else.
///
/// A segment of `.` or `..` cannot be protected by encoding (URL parsers fold `%2e%2e` too): refuse it.
pub fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// `url` without `user:password@`, for logs and errors.
pub fn without_login(url: &str) -> String {
    let Some(start) = url.find("://").map(|at| at + 3) else { return url.to_owned() };
    let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |at| start + at);
    match url[start..end].rfind('@') {
        Some(at) => format!("{}{}", &url[..start], &url[start + at + 1..]),
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encode_leaves_only_unreserved_characters() {
        for (text, encoded) in [
            ("router-flavor_1.x~", "router-flavor_1.x~"),
            ("a/b", "a%2Fb"),
            ("a b?c&d=e#f%", "a%20b%3Fc%26d%3De%23f%25"),
            ("ä", "%C3%A4"),
            ("", ""),
        ] {
            assert_eq!(encode(text), encoded);
        }
    }

    #[test]
    fn without_login_drops_user_and_password_only() {
        for (url, shown) in [
            ("https://host:1/v3", "https://host:1/v3"),
            ("https://me:pa@ss@host/v3?x=a@b", "https://host/v3?x=a@b"),
            ("https://host/a@b", "https://host/a@b"),
            ("host/a@b", "host/a@b"),
        ] {
            assert_eq!(without_login(url), shown);
        }
    }
}
