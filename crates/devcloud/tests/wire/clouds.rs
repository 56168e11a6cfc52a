use devcloud::{DevCloud, Options};
use serde_json::json;

use crate::client::Lab;
use crate::kube_objects::widget;

fn widget_of(namespace: &str, name: &str, spec: serde_json::Value) -> serde_json::Value {
    let mut object = widget(name, spec);
    object["metadata"]["namespace"] = namespace.into();
    object
}

#[test]
fn two_clouds_share_nothing() {
    let (one, two) = (Lab::new(), Lab::new());
    let flavor = json!({"name": "f", "service_type": "L3_ROUTER_NAT"});
    let (a, b) = (one.cloud.neutron().add_flavor(flavor.clone()), two.cloud.neutron().add_flavor(flavor));
    assert_ne!(a["id"], b["id"]);
    let mut session = one.neutron("admin");
    session.token = two.token("admin");
    assert_eq!(session.get("/v2.0/flavors").status, 401);
    let text = DevCloud::clouds_yaml_for(&[("one", &one.cloud), ("two", &two.cloud)]);
    for name in ["one", "one-member", "two", "two-reader", "two-nobody"] {
        assert!(text.contains(&format!("  \"{name}\":\n")), "{name}");
    }
    assert!(text.contains(&format!("auth_url: {}/v3\n", two.cloud.keystone_url())));
}

#[test]
fn a_seed_repeats_the_ids() {
    let ids = || {
        let cloud = DevCloud::start(Options { seed: Some(5), ..Options::default() }).unwrap();
        let flavor = cloud.neutron().add_flavor(json!({"service_type": "QOS"}));
        (flavor["id"].clone(), cloud.keystone().add_user("u", "p", "demo", &["reader"]))
    };
    assert_eq!(ids(), ids());
}

#[test]
fn openstack_over_tls() {
    let lab = Lab::with(Options { openstack_tls: true, ..Options::default() });
    assert!(lab.cloud.neutron_url().starts_with("https://"));
    assert_eq!(lab.neutron("admin").get("/v2.0/flavors").status, 200);
    let catalog = lab.login("admin").json()["token"]["catalog"].clone();
    assert!(catalog.to_string().contains(&lab.cloud.neutron_url()));
}

#[test]
fn a_dropped_cloud_refuses_connections() {
    let cloud = DevCloud::start(Options::default()).unwrap();
    let address = cloud.neutron_url().replace("http://", "");
    let idle = std::net::TcpStream::connect(&address).unwrap();
    drop(cloud);
    assert!(std::net::TcpStream::connect(&address).is_err());
    let mut rest = Vec::new();
    let read = std::io::Read::read_to_end(&mut &idle, &mut rest);
    assert!(read.is_err() || rest.is_empty(), "the idle connection is closed");
}

#[test]
fn in_process_writes_follow_the_rules() {
    let lab = Lab::new();
    let kube = lab.cloud.kube();
    kube.define(crate::kube_objects::crd());
    let mut object = widget_of("n", "w", json!({"size": 1}));
    object["status"] = json!({"phase": "p"});
    let made = kube.create(object);
    assert_eq!(made["status"]["phase"], "p", "a create keeps the status here");
    let refused = kube.try_create(widget_of("n", "w", json!({"size": 1}))).unwrap_err();
    assert_eq!(refused["reason"], "AlreadyExists");
    let applied = kube.apply(widget_of("n", "w", json!({"size": 2})));
    assert_eq!((&applied["metadata"]["generation"], &applied["status"]), (&json!(2), &made["status"]));
    let (status, patched) = kube.call(
        "PATCH",
        "/apis/example.com/v1/namespaces/n/widgets/w",
        Some(&json!({"metadata": {"finalizers": ["example.com/x"]}})),
    );
    assert_eq!((status, &patched["metadata"]["finalizers"]), (200, &json!(["example.com/x"])));
    let applied = kube.apply(widget_of("n", "w", json!({"size": 3})));
    assert_eq!(applied["metadata"]["finalizers"], json!(["example.com/x"]), "kept where not mentioned");
    let marked = kube.delete("widgets", "n", "w");
    assert!(marked["metadata"]["deletionTimestamp"].is_string());
    let unchecked = kube.store_unchecked(widget_of("n", "odd", json!({"size": "many", "nosuch": 1})));
    assert_eq!(kube.get("Widget", "n", "odd"), Some(unchecked.clone()));
    assert_eq!(unchecked["spec"], json!({"size": "many", "nosuch": 1}));
    assert_eq!(kube.list("Widget").len(), 2);
    assert_eq!(lab.cloud.journal(), []);
}

#[test]
fn snapshots_compare_whole_states() {
    let lab = Lab::new();
    let neutron = lab.cloud.neutron();
    let before = neutron.snapshot();
    let flavor = neutron.add_flavor(json!({"service_type": "QOS"}));
    assert_ne!(neutron.snapshot(), before);
    let (status, _) =
        neutron.call("DELETE", &format!("/v2.0/flavors/{}", flavor["id"].as_str().unwrap()), None);
    assert_eq!((status, neutron.snapshot()), (204, before));
}
