use super::*;
use serde_json::json;

/// Two regions; the orders are mixed on purpose.
fn catalog() -> Catalog {
    let endpoint = |interface: &str, region: &str, url: Value| json!({"id": "e", "interface": interface, "region_id": region, "region": region, "url": url});
    let catalog = json!([
        {"type": "identity", "name": "keystone", "id": "s1", "endpoints": [endpoint("public", "A", json!("http://k/v3/"))]},
        {"type": "network", "name": "neutron", "id": "s2", "endpoints": [
            endpoint("internal", "B", json!("http://b.internal")),
            endpoint("public", "B", json!("http://b.public/")),
            endpoint("public", "A", json!("http://a.public")),
            endpoint("admin", "A", json!(null)),
        ]},
        {"type": "bare-metal", "name": "ironic", "endpoints": [endpoint("public", "A", json!("http://old"))]},
        {"type": "image", "endpoints": [endpoint("publicURL", "A", json!("http://image"))]},
        {"type": "dns", "name": "designate", "endpoints": []},
    ]);
    Catalog::read(Some(&catalog)).unwrap()
}

fn wanted(types: &[&str], interfaces: &[&str], region: Option<&str>) -> Service {
    let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Service {
        types: texts(types),
        endpoint_override: None,
        interfaces: texts(interfaces),
        region: region.map(str::to_owned),
        service_name: None,
    }
}

#[test]
fn region_then_the_first_interface() {
    for (types, interfaces, region, url) in [
        (&["network"][..], &["public"][..], Some("A"), "http://a.public"),
        (&["network"], &["public"], Some("B"), "http://b.public"),
        (&["network"], &["internal", "public"], Some("B"), "http://b.internal"),
        (&["network"], &["internal", "public"], Some("A"), "http://a.public"),
        (&["network"], &["admin", "public"], Some("A"), "http://a.public"), // admin has no URL
        (&["network"], &["internal"], None, "http://b.internal"),           // in one region only
        (&["baremetal", "bare-metal"], &["public"], None, "http://old"),
        (&["image"], &["public"], Some("A"), "http://image"),
        (&["identity"], &["public"], None, "http://k/v3"),
    ] {
        assert_eq!(catalog().url(&wanted(types, interfaces, region)).unwrap(), url);
    }
}

#[test]
fn the_exact_type_wins_over_an_alias() {
    let catalog = json!([
        {"type": "bare-metal", "endpoints": [{"interface": "public", "url": "http://alias"}]},
        {"type": "baremetal", "endpoints": [{"interface": "public", "url": "http://exact"}]},
    ]);
    let catalog = Catalog::read(Some(&catalog)).unwrap();
    assert_eq!(
        catalog.url(&wanted(&["baremetal", "bare-metal"], &["public"], None)).unwrap(),
        "http://exact"
    );
}

#[test]
fn each_thing_that_can_be_missing_has_its_text() {
    for (types, interfaces, region, text) in [
        (
            &["share"][..],
            &["public"][..],
            None,
            "the service catalogue has no \"share\" service; it has: bare-metal, dns, identity, image, network",
        ),
        (
            &["network"],
            &["public"],
            Some("C"),
            "the \"network\" service has no endpoint in region \"C\"; it is in: A, B",
        ),
        (
            &["network"],
            &["admin", "x"],
            Some("B"),
            "the \"network\" service has no admin or x endpoint; it has: internal, public",
        ),
        (&["dns"], &["public"], Some("A"), "the \"dns\" service has no public endpoint; it has: nothing"),
        (
            &["network"],
            &["public"],
            None,
            "the \"network\" service is in more than one region (A, B): set region_name in clouds.yaml",
        ),
    ] {
        assert_eq!(catalog().url(&wanted(types, interfaces, region)).unwrap_err().to_string(), text);
    }
    let unscoped = Catalog::read(None).unwrap().url(&wanted(&["network"], &["public"], None)).unwrap_err();
    assert_eq!(
        unscoped.to_string(),
        "the token has no service catalogue: it is not scoped; name a project in clouds.yaml"
    );
    assert!(!unscoped.is_unavailable() && !unscoped.is_not_found());
}

#[test]
fn a_service_name_counts_where_there_are_names() {
    let named = |service_type: &str, name: &str| Service {
        service_name: Some(name.to_owned()),
        ..wanted(&[service_type], &["public"], Some("A"))
    };
    assert_eq!(catalog().url(&named("network", "neutron")).unwrap(), "http://a.public");
    assert_eq!(catalog().url(&named("image", "whatever")).unwrap(), "http://image");
    let text = catalog().url(&named("network", "quantum")).unwrap_err().to_string();
    assert_eq!(text, "the service catalogue has no \"network\" service named \"quantum\"; it has: neutron");
}

#[test]
fn another_form_is_refused_without_being_quoted() {
    let v2 = json!([{"name": "hunter2", "endpoints_links": []}]);
    assert_eq!(Catalog::read(Some(&v2)).unwrap_err(), "the catalogue has another form than v3's");
}
