//! Neutron's fixed documents.

use serde_json::{Value, json};

use crate::http::Response;

/// `GET /`, for which no token is needed.
pub(crate) fn versions(base: &str) -> Value {
    let link = json!({"rel": "self", "href": format!("{base}/v2.0/")});
    json!({"versions": [{"id": "v2.0", "status": "CURRENT", "links": [link]}]})
}

/// `GET /v2.0/`: core resources alone.
pub(crate) fn resources(base: &str) -> Value {
    let resource = |name: &str| {
        let collection = format!("{name}s");
        let link = json!({"rel": "self", "href": format!("{base}/v2.0/{collection}")});
        json!({"name": name, "collection": collection, "links": [link]})
    };
    let resources = ["network", "subnet", "subnetpool", "port"].map(resource);
    json!({"resources": resources})
}

/// The extensions that matter to callers of this simulator: see [`crate::Neutron`].
pub(crate) fn extensions() -> Vec<Value> {
    [
        (
            "flavors",
            "Neutron Service Flavors",
            "Flavor specification for Neutron advanced services.",
            "2015-09-17T10:00:00-00:00",
        ),
        ("l3-flavors", "Router Flavor Extension", "Flavor support for routers.", "2016-05-17T00:00:00-00:00"),
        ("service-type", "Neutron Service Type Management", "API for retrieving service providers.", "2013-01-20T00:00:00-00:00"),
        ("router", "Neutron L3 Router", "Router abstraction.", "2012-07-20T10:00:00-00:00"),
        ("pagination", "Pagination support", "Extension that indicates that pagination is enabled.", "2016-06-12T00:00:00-00:00"),
        ("sorting", "Sorting support", "Extension that indicates that sorting is enabled.", "2016-06-12T00:00:00-00:00"),
        ("filter-validation", "Filter parameters validation", "Provides validation on filter parameters.", "2018-03-21T10:00:00-00:00"),
        ("empty-string-filtering", "Empty String Filtering Extension", "Allow filtering by attributes with empty string value", "2018-05-01T10:00:00-00:00"),
        ("revision-if-match", "If-Match constraints based on revision_number", "Extension indicating that If-Match based on revision_number is supported.", "2016-12-11T00:00:00-00:00"),
    ]
    .into_iter()
    .map(|(alias, name, description, updated)| {
        json!({"name": name, "alias": alias, "description": description, "updated": updated, "links": []})
    })
    .collect()
}

/// The framework's own 404.
pub(crate) fn html_not_found() -> Response {
    let page = "<html>\n <head>\n  <title>404 Not Found</title>\n </head>\n <body>\n  <h1>404 Not Found</h1>\n  The \
                resource could not be found.<br /><br />\n\n\n\n </body>\n</html>";
    Response::text(404, "text/html; charset=UTF-8", page)
}

/// The token middleware's 401: Keystone's shape, and its URL without `/v3`.
pub(crate) fn unauthorized(keystone: &str) -> Response {
    let message = "The request you have made requires authentication.";
    let body = json!({"error": {"code": 401, "title": "Unauthorized", "message": message}});
    Response::ascii_json(401, &body).with_header("WWW-Authenticate", &format!("Keystone uri=\"{keystone}\""))
}
