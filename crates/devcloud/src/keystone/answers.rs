//! Keystone's error bodies (measured on 30.0.0).

use serde_json::{Value, json};

use crate::http::{Request, Response};

const MALFORMED: &str = "The server could not comply with the request since it is either malformed or otherwise \
                         incorrect. The client is assumed to be in error.";

/// `{"error": {"code", "message", "title"}}`
pub(crate) fn error(status: u16, message: &str) -> Response {
    let title = match status {
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        _ => "Internal Server Error",
    };
    Response::ascii_json(status, &json!({"error": {"code": status, "message": message, "title": title}}))
}

/// The one 401 for wrong passwords, unknown users, missing roles, and bad tokens alike.
pub(crate) fn unauthorized(base: &str) -> Response {
    let www = format!("Keystone uri=\"{base}/v3\"");
    error(401, "The request you have made requires authentication.").with_header("WWW-Authenticate", &www)
}

/// `Expecting to find <what> in <place>. The server could not comply …`
pub(crate) fn expecting(what: &str, place: &str) -> Response {
    error(400, &format!("Expecting to find {what} in {place}. {MALFORMED}"))
}

/// Another 400 that ends in the usual sentences.
pub(crate) fn malformed(message: &str) -> Response {
    error(400, &format!("{message} {MALFORMED}"))
}

pub(crate) fn forbidden(action: &str) -> Response {
    error(403, &format!("You are not authorized to perform the requested action: {action}."))
}

/// `Could not find <what>: <id>.`
pub(crate) fn not_found(what: &str, id: &str) -> Response {
    error(404, &format!("Could not find {what}: {id}."))
}

/// A token that Keystone never issued, where the token is what is asked about.
pub(crate) fn unknown_token() -> Response {
    error(404, "Could not recognize Fernet token")
}

/// The same for one that is revoked, or whose time is over.
pub(crate) fn invalid_token() -> Response {
    error(404, "Failed to validate token")
}

/// The `links` beside a list: nothing is paged, and the own one keeps its query.
pub(crate) fn list_links(base: &str, request: &Request) -> Value {
    json!({"self": format!("{base}{}", request.target), "next": null, "previous": null})
}

/// The web framework's own page for a path that nothing serves.
pub(crate) fn no_page() -> Response {
    let page = "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n<p>The requested \
                URL was not found on the server. If you entered the URL manually please check your spelling and try \
                again.</p>\n";
    Response::text(404, "text/html; charset=utf-8", page)
}

/// An application credential that asks for a scope.
pub(crate) fn scope_refused(base: &str) -> Response {
    let message =
        "Error authenticating with application credential: Application credentials cannot request a scope.";
    let body: Value = json!({
        "error": {"code": 401, "identity": {}, "message": message, "title": "Unauthorized"},
    });
    Response::ascii_json(401, &body).with_header("WWW-Authenticate", &format!("Keystone uri=\"{base}/v3\""))
}
