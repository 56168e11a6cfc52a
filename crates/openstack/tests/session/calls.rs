//! The calls of the Networking API: paths, bodies, pages, and what is never sent twice.

use crate::support::{Received, Reply, Server, neutron, session, token};
use openstack::network::{FlavorUpdate, NewFlavor, NewServiceProfile, ServiceProfileUpdate};
use serde_json::{Value, json};

const LOGIN: &str = "POST /v3/auth/tokens";
const PROFILE: NewServiceProfile<'static> =
    NewServiceProfile { driver: "a.b", description: "d", metainfo: "{}", enabled: true };
const FLAVOR: NewFlavor<'static> =
    NewFlavor { name: "n", service_type: "L3_ROUTER_NAT", description: "d", enabled: false };

/// A server that answers logins itself.
fn start(answer: impl Fn(&Received, usize) -> Reply + Send + 'static) -> Server {
    Server::start(move |url, request, before| match request.line.as_str() {
        LOGIN => token(url, before),
        _ => answer(request, before),
    })
}

fn sent(server: &Server) -> Vec<(String, Value)> {
    let calls = server.received().into_iter().filter(|request| request.line != LOGIN);
    calls.map(|request| (request.line, request.body)).collect()
}

#[test]
fn paths_and_bodies() {
    let server = start(|request, _| match request.line.split(' ').next() {
        Some("DELETE") => Reply::Json(204, json!(null)),
        _ if request.line.ends_with("/f1/service_profiles") => {
            Reply::Json(201, json!({"service_profile": {"id": "f1"}}))
        }
        _ if request.line.contains("service_profiles") => Reply::Json(
            200,
            json!({"service_profile": {"id": "p1", "driver": "a.b", "enabled": true, "metainfo": "{}"}}),
        ),
        _ => Reply::Json(200, json!({"flavor": {"id": "f1", "name": "n", "service_profiles": ["p1"]}})),
    });
    let session = session(&server);
    let network = session.network().unwrap();
    assert_eq!(network.flavor("f1").unwrap().service_profiles, ["p1"]);
    network.create_flavor(&FLAVOR).unwrap();
    let update = FlavorUpdate { description: Some("new".to_owned()), ..FlavorUpdate::default() };
    network.update_flavor("f1", &update).unwrap();
    network.delete_flavor("f1").unwrap();
    assert_eq!(network.create_service_profile(&PROFILE).unwrap().metainfo.as_deref(), Some("{}"));
    let update = ServiceProfileUpdate { enabled: Some(false), ..ServiceProfileUpdate::default() };
    network.update_service_profile("p1", &update).unwrap();
    network.delete_service_profile("p1").unwrap();
    network.bind("f1", "p1").unwrap();
    network.unbind("f1", "p1").unwrap();
    let flavor = json!({"flavor": {"name": "n", "service_type": "L3_ROUTER_NAT", "description": "d", "enabled": false}});
    let profile =
        json!({"service_profile": {"driver": "a.b", "description": "d", "metainfo": "{}", "enabled": true}});
    let expected = [
        ("GET /v2.0/flavors/f1", json!(null)),
        ("POST /v2.0/flavors", flavor),
        ("PUT /v2.0/flavors/f1", json!({"flavor": {"description": "new"}})),
        ("DELETE /v2.0/flavors/f1", json!(null)),
        ("POST /v2.0/service_profiles", profile),
        ("PUT /v2.0/service_profiles/p1", json!({"service_profile": {"enabled": false}})),
        ("DELETE /v2.0/service_profiles/p1", json!(null)),
        ("POST /v2.0/flavors/f1/service_profiles", json!({"service_profile": {"id": "p1"}})),
        ("DELETE /v2.0/flavors/f1/service_profiles/p1", json!(null)),
    ];
    assert_eq!(sent(&server), expected.map(|(line, body)| (line.to_owned(), body)));
}

/// Neutron's page of two out of `ids`, after the marker of the request, with a link whose host is wrong.
fn page(request: &Received, ids: &[&str]) -> Reply {
    let marker = request.line.split_once("marker=").map(|(_, marker)| marker);
    let start = match marker {
        None => 0,
        // An unknown marker gives an empty list (measured).
        Some(marker) => ids.iter().position(|id| *id == marker).map_or(ids.len(), |at| at + 1),
    };
    let ids: Vec<_> = ids[start..].iter().take(2).collect();
    let mut links = vec![
        json!({"rel": "previous", "href": "http://wrong.invalid/v2.0/flavors?limit=2&page_reverse=True"}),
    ];
    if ids.len() == 2 {
        links.push(json!({"rel": "next", "href": format!("http://wrong.invalid/v2.0/flavors?limit=2&marker={}", ids[1])}));
    }
    let flavors: Vec<_> = ids.iter().map(|id| json!({ "id": id })).collect();
    Reply::Json(200, json!({"flavors": flavors, "flavors_links": links}))
}

fn ids(server: &Server) -> Result<Vec<String>, openstack::Error> {
    let session = session(server);
    let flavors = session.network()?.flavors()?;
    Ok(flavors.into_iter().map(|flavor| flavor.id).collect())
}

#[test]
fn a_list_is_read_to_its_end_from_our_own_url() {
    let server = start(|request, _| page(request, &["a", "b", "c"]));
    assert_eq!(ids(&server).unwrap(), ["a", "b", "c"]);
    assert_eq!(server.lines()[1..], ["GET /v2.0/flavors", "GET /v2.0/flavors?limit=2&marker=b"]);
}

#[test]
fn an_empty_last_page_is_believed_only_if_its_marker_is_still_there() {
    let server = start(|request, _| match request.line.as_str() {
        "GET /v2.0/flavors/b" => Reply::Json(200, json!({"flavor": {"id": "b"}})),
        _ => page(request, &["a", "b"]),
    });
    assert_eq!(ids(&server).unwrap(), ["a", "b"]);
    let expected = ["GET /v2.0/flavors", "GET /v2.0/flavors?limit=2&marker=b", "GET /v2.0/flavors/b"];
    assert_eq!(server.lines()[1..], expected);
}

#[test]
fn a_list_whose_marker_is_deleted_meanwhile_is_read_anew() {
    let server = start(|request, before| match request.line.as_str() {
        "GET /v2.0/flavors/b" => neutron(404, "FlavorNotFound", "Flavor b could not be found."),
        "GET /v2.0/flavors" if before == 0 => page(request, &["a", "b", "c", "d", "e"]),
        _ => page(request, &["a", "c", "d"]),
    });
    // Taking the empty page for the end would lose c and d.
    assert_eq!(ids(&server).unwrap(), ["a", "c", "d"]);
}

#[test]
fn a_list_that_goes_round_in_circles_is_an_error() {
    let server = start(|_, _| {
        let links = json!([{"rel": "next", "href": "http://h/v2.0/flavors?limit=1&marker=a"}]);
        Reply::Json(200, json!({"flavors": [{"id": "a"}], "flavors_links": links}))
    });
    assert_eq!(
        ids(&server).unwrap_err().to_string(),
        "GET /v2.0/flavors: the list cannot be read to its end: the server links to a page that was already read"
    );
    assert_eq!(server.lines().len(), 3);
}

#[test]
fn an_answer_without_the_list_is_not_an_empty_list() {
    let server = start(|_, _| Reply::Json(200, json!({"resources": []})));
    assert_eq!(
        ids(&server).unwrap_err().to_string(),
        "GET /v2.0/flavors: unexpected answer: the list `flavors` is missing"
    );
}

#[test]
fn a_post_whose_answer_is_lost_is_not_repeated() {
    let server = start(|_, _| Reply::Cut);
    let session = session(&server);
    let network = session.network().unwrap();
    let error = network.create_flavor(&FLAVOR).unwrap_err();
    assert!(
        error.to_string().starts_with("POST /v2.0/flavors: outcome unknown: the connection to"),
        "{error}"
    );
    assert!(error.is_outcome_unknown() && error.is_transport() && error.is_unavailable());
    let error = network.bind("f1", "p1").unwrap_err();
    assert!(error.is_outcome_unknown(), "{error}");
    assert_eq!(sent(&server).len(), 2);
}

#[test]
fn what_a_gateway_or_half_an_answer_says_of_a_post_leaves_its_outcome_open() {
    let server = start(|request, _| match request.line.as_str() {
        "POST /v2.0/flavors" => {
            Reply::With(504, "Content-Type", "text/html".to_owned(), "<h1>Gateway Time-out</h1>".to_owned())
        }
        _ => Reply::Json(201, json!({"other": 1})),
    });
    let session = session(&server);
    let network = session.network().unwrap();
    let error = network.create_flavor(&FLAVOR).unwrap_err();
    assert_eq!(error.to_string(), "POST /v2.0/flavors: outcome unknown: 504: Gateway Time-out");
    assert!(error.is_outcome_unknown() && error.is_unavailable() && !error.is_transport());
    let error = network.create_service_profile(&PROFILE).unwrap_err();
    let text = "POST /v2.0/service_profiles: outcome unknown: the key `service_profile` is missing";
    assert_eq!(error.to_string(), text);
    assert_eq!(sent(&server).len(), 2);
}

#[test]
fn a_refused_post_is_known_not_to_be_done() {
    let server = start(|_, _| neutron(503, "ServiceProfileDisabled", "Service Profile is not enabled."));
    let error = session(&server).network().unwrap().create_flavor(&FLAVOR).unwrap_err();
    assert_eq!(
        error.to_string(),
        "POST /v2.0/flavors: 503 ServiceProfileDisabled: Service Profile is not enabled."
    );
    assert!(!error.is_outcome_unknown() && error.is_unavailable());
    assert_eq!(sent(&server).len(), 1);
}

#[test]
fn what_may_be_repeated_is() {
    let server = start(|request, before| match (request.line.as_str(), before) {
        ("GET /v2.0/flavors/f1", 0) => Reply::Cut,
        ("PUT /v2.0/flavors/f1", 0) => Reply::With(429, "Retry-After", "0".to_owned(), String::new()),
        ("DELETE /v2.0/flavors/f1", 0) => Reply::Json(503, json!({})),
        ("DELETE /v2.0/flavors/f1", _) => Reply::Json(204, json!(null)),
        _ => Reply::Json(200, json!({"flavor": {"id": "f1"}})),
    });
    let session = session(&server);
    let network = session.network().unwrap();
    network.flavor("f1").unwrap();
    network.update_flavor("f1", &FlavorUpdate::default()).unwrap();
    network.delete_flavor("f1").unwrap();
    assert_eq!(sent(&server).len(), 6);
}

#[test]
fn error_texts_and_what_they_mean() {
    let server = start(|request, _| match request.line.as_str() {
        "PUT /v2.0/flavors/f1" => neutron(409, "FlavorInUse", "Flavor f1 is used by some service instance."),
        "DELETE /v2.0/flavors/f1" => neutron(404, "FlavorNotFound", "Flavor f1 could not be found."),
        "DELETE /v2.0/service_profiles/p1" => {
            neutron(404, "HTTPNotFound", "The resource could not be found.")
        }
        "POST /v2.0/flavors" => {
            neutron(403, "PolicyNotAuthorized", "rule:create_flavor is disallowed by policy")
        }
        "GET /v2.0/flavors/f1" => {
            Reply::With(404, "Content-Type", "text/html".to_owned(), "<h1>404</h1>".to_owned())
        }
        _ => neutron(500, "HTTPInternalServerError", "Request Failed: token t0ken0 and more"),
    });
    let session = session(&server);
    let network = session.network().unwrap();
    let used = network.update_flavor("f1", &FlavorUpdate::default()).unwrap_err();
    assert_eq!(
        used.to_string(),
        "PUT /v2.0/flavors/f1: 409 FlavorInUse: Flavor f1 is used by some service instance."
    );
    assert!(used.is_conflict() && used.error_type() == Some("FlavorInUse") && used.status() == Some(409));
    assert_eq!(used.request_id(), Some("req-1b4a0d7c-0d52-4a5e-8a1c-3f5f7a6f6a10"));
    let gone = network.delete_flavor("f1").unwrap_err();
    assert!(gone.is_not_found() && !gone.is_hidden() && !gone.is_unauthorized(), "{gone}");
    let hidden = network.delete_service_profile("p1").unwrap_err();
    assert!(hidden.is_hidden() && !hidden.is_not_found(), "{hidden}");
    let policy = network.create_flavor(&FLAVOR).unwrap_err();
    assert!(policy.is_policy() && policy.is_forbidden() && !policy.is_login_refused(), "{policy}");
    let page = network.flavor("f1").unwrap_err();
    assert!(!page.is_not_found() && !page.is_hidden() && page.status() == Some(404), "{page}");
    let quoting = network.unbind("f1", "p1").unwrap_err();
    assert!(
        !quoting.to_string().contains("t0ken0") && !format!("{quoting:?}").contains("t0ken0"),
        "{quoting:?}"
    );
    assert!(quoting.is_unavailable());
}

#[test]
fn ids_that_would_address_something_else_are_not_sent() {
    let server = start(|_, _| Reply::Json(204, json!(null)));
    let session = session(&server);
    let network = session.network().unwrap();
    assert_eq!(network.delete_flavor("").unwrap_err().to_string(), "\"\" is not the id of a flavor");
    assert!(network.unbind("f1", "..").is_err());
    assert_eq!(sent(&server), []);
    network.delete_flavor("a/b").unwrap();
    assert_eq!(sent(&server)[0].0, "DELETE /v2.0/flavors/a%2Fb");
}
