use devcloud::Options;
use serde_json::{Value, json};

use crate::client::{Lab, Session, bad_request, refused};

fn lab(options: Options, names: &[&str]) -> Lab {
    let lab = Lab::with(options);
    for name in names {
        lab.cloud.neutron().add_flavor(json!({"name": name, "service_type": "L3_ROUTER_NAT"}));
    }
    lab
}

fn names(session: &Session<'_>, query: &str) -> Vec<String> {
    let answer = session.get(&format!("/v2.0/flavors{query}"));
    assert_eq!(answer.status, 200, "{query}: {}", answer.body);
    answer.json()["flavors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["name"].as_str().unwrap().to_owned())
        .collect()
}

fn ids(lab: &Lab) -> Vec<String> {
    lab.cloud.neutron().flavors().iter().map(crate::client::id).collect()
}

#[test]
fn filters() {
    let lab = lab(Options::default(), &["beta", "alpha", "", "Alpha", "ALPHA"]);
    let session = lab.neutron("admin");
    let off = json!({"name": "off", "service_type": "QOS", "enabled": false, "description": "d"});
    lab.cloud.neutron().add_flavor(off);
    let all = ["beta", "alpha", "", "Alpha", "ALPHA", "off"];
    for (query, wanted) in [
        ("", &all[..]),
        ("?name=alpha", &["alpha"]),
        ("?name=BETA", &[]),
        ("?name=beta%20", &[]),
        ("?name=beta&name=off", &["beta", "off"]),
        ("?name=bet*", &[]),
        ("?name=", &[""]),
        ("?enabled=no", &["off"]),
        ("?enabled=True", &all[..5]),
        ("?service_type=QOS&name=off", &["off"]),
        ("?service_type=qos", &[]),
        ("?description=d", &["off"]),
    ] {
        assert_eq!(names(&session, query), wanted, "{query}");
    }
    assert_eq!(session.get("/v2.0/flavors").json().as_object().unwrap().len(), 1, "no links without a limit");
    refused(
        &session.get("/v2.0/flavors?enabled=foo"),
        400,
        "InvalidInput",
        "Invalid input for operation: 'foo' cannot be converted to boolean.",
    );
    for key in ["colour", "is_enabled", "project_id", "service_profiles"] {
        let answer = session.get(&format!("/v2.0/flavors?{key}=x"));
        bad_request(&answer, &format!("['{key}'] is invalid attribute for filtering"));
    }
    let empty: Vec<Value> = vec![json!({}); 6];
    assert_eq!(session.get("/v2.0/flavors?fields=nosuch").json(), json!({"flavors": empty}));
}

#[test]
fn sorting() {
    let lab = lab(Options::default(), &["beta", "alpha", "a b", "", "ALPHA"]);
    let session = lab.neutron("admin");
    assert_eq!(names(&session, "?sort_key=name&sort_dir=asc"), ["", "ALPHA", "a b", "alpha", "beta"]);
    assert_eq!(names(&session, "?sort_key=name&sort_dir=desc"), ["beta", "alpha", "a b", "ALPHA", ""]);
    let pairs = "?sort_key=enabled&sort_dir=asc&sort_key=name&sort_dir=desc";
    assert_eq!(names(&session, pairs), ["beta", "alpha", "a b", "ALPHA", ""]);
    for (query, message) in [
        ("sort_key=name", "The number of sort_keys and sort_dirs must be same"),
        (
            "sort_key=name&sort_dir=up",
            "['up'] is invalid value for sort_dirs, valid value is 'asc' and 'desc'",
        ),
        ("sort_key=nosuch&sort_dir=asc", "['nosuch'] is invalid attribute for sort_keys"),
    ] {
        bad_request(&session.get(&format!("/v2.0/flavors?{query}")), message);
    }
}

#[test]
fn pages_and_their_links() {
    let lab = lab(Options::default(), &["a", "b", "c", "d", "e", "f"]);
    let (session, ids) = (lab.neutron("admin"), ids(&lab));
    let base = format!("{}/v2.0/flavors", lab.cloud.neutron_url());
    let page = |query: &str| session.get(&format!("/v2.0/flavors?{query}")).json();
    let next = |query: &str, id: &str| json!({"rel": "next", "href": format!("{base}?{query}&marker={id}")});
    let previous = |query: &str, id: &str| json!({"rel": "previous", "href": format!("{base}?{query}&marker={id}&page_reverse=True")});

    let first = page("limit=3");
    assert_eq!(first["flavors"].as_array().unwrap().len(), 3);
    assert_eq!(first["flavors_links"], json!([next("limit=3", &ids[2]), previous("limit=3", &ids[0])]));
    // the last page is full, so it has a next, which is empty
    let last = page(&format!("limit=3&marker={}", ids[2]));
    assert_eq!(last["flavors_links"], json!([next("limit=3", &ids[5]), previous("limit=3", &ids[3])]));
    let beyond = page(&format!("limit=3&marker={}", ids[5]));
    let back = json!([{"rel": "previous", "href": format!("{base}?limit=3&page_reverse=True")}]);
    assert_eq!(beyond, json!({"flavors": [], "flavors_links": back}));
    // a page that is not full has none
    let short = page(&format!("limit=4&marker={}", ids[3]));
    assert_eq!(short["flavors"].as_array().unwrap().len(), 2);
    assert_eq!(short["flavors_links"], json!([previous("limit=4", &ids[4])]));
    // an unknown marker is an empty list
    for marker in ["nosuch", crate::client::NOBODY] {
        assert_eq!(page(&format!("limit=3&marker={marker}"))["flavors"], json!([]));
    }
    // filters and fields are kept, and the marker works although the id is not shown
    let fields = page("limit=2&fields=name&enabled=true");
    assert_eq!(fields["flavors"], json!([{"name": "a"}, {"name": "b"}]));
    assert_eq!(fields["flavors_links"][0], next("limit=2&fields=name&enabled=true", &ids[1]));
    // backwards
    let reverse = page(&format!("limit=2&page_reverse=True&marker={}", ids[4]));
    assert_eq!(reverse["flavors"][0]["name"], "c");
    // no limit: everything, a marker is ignored
    for query in ["limit=0".to_owned(), format!("marker={}", ids[2])] {
        let whole = page(&query);
        assert_eq!(whole["flavors"].as_array().unwrap().len(), 6, "{query}");
        assert_eq!(whole.get("flavors_links"), None, "{query}");
    }
    for (given, said) in [("-1", "-1"), ("x", "x"), ("1.5", "1.5"), ("", "")] {
        let answer = session.get(&format!("/v2.0/flavors?limit={given}"));
        let message = format!("Bad limit request: Limit must be an integer 0 or greater and not '{said}'.");
        refused(&answer, 400, "BadRequest", &message);
    }
}

#[test]
fn links_follow_host_and_forwarded_proto() {
    let lab = lab(Options::default(), &["a"]);
    let session = lab.neutron("admin");
    let headers = [("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "elsewhere")];
    let answer = session.ask_with("GET", "/v2.0/flavors?limit=1", &headers, "").json();
    let wanted = lab.cloud.neutron_url().replace("http://", "https://");
    assert!(answer["flavors_links"][0]["href"].as_str().unwrap().starts_with(&wanted));
}

#[test]
fn a_server_side_limit_pages_without_being_asked() {
    let lab = lab(Options { page_limit: Some(2), ..Options::default() }, &["a", "b", "c"]);
    let session = lab.neutron("admin");
    let base = lab.cloud.neutron_url();
    let mut path = "/v2.0/flavors".to_owned();
    let (mut seen, mut requests) = (Vec::new(), 0);
    loop {
        let page = session.get(&path).json();
        requests += 1;
        seen.extend(
            page["flavors"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap().to_owned()),
        );
        let links = page["flavors_links"].as_array().unwrap().clone();
        let Some(next) = links.iter().find(|link| link["rel"] == "next") else { break };
        path = next["href"].as_str().unwrap().strip_prefix(&base).unwrap().to_owned();
        assert!(!path.contains("limit"), "{path}");
    }
    assert_eq!((seen, requests), (vec!["a".to_owned(), "b".into(), "c".into()], 2));
    assert_eq!(names(&session, "?limit=9").len(), 2, "the smaller of both counts");
}

#[test]
fn the_blind_database_finds_too_much_and_lists_by_id() {
    let lab =
        lab(Options { case_blind: true, ..Options::default() }, &["alpha", "Alpha", "ALPHA", "beta", "žluť"]);
    let session = lab.neutron("admin");
    assert_eq!(names(&session, "?name=alpha").len(), 3);
    assert_eq!(names(&session, "?name=BETA"), ["beta"]);
    assert_eq!(names(&session, "?name=beta%20"), ["beta"]);
    assert_eq!(names(&session, "?name=zlut"), ["žluť"]);
    assert_eq!(names(&session, "?service_type=l3_router_nat").len(), 5);
    assert_eq!(names(&session, "?sort_key=name&sort_dir=asc"), ["ALPHA", "Alpha", "alpha", "beta", "žluť"]);
    let mut sorted = ids(&lab);
    sorted.sort();
    let listed = session.get("/v2.0/flavors").json();
    let listed: Vec<String> = listed["flavors"].as_array().unwrap().iter().map(crate::client::id).collect();
    assert_eq!(listed, sorted);
}
