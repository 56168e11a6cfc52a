//! What the answers of a simulated cloud mean for a CR and its group.

use devcloud::{Action, DevCloud, Fault, Options, Service};
use framework::PluginError;
use openstack::{Cloud, Session};
use openstack_hook::{plugin_error, write_error};
use serde_json::json;

fn session(cloud: &DevCloud, name: &str) -> Session {
    Session::new(Cloud::from_yaml(&cloud.clouds_yaml(), name, None).unwrap()).unwrap()
}

fn start() -> DevCloud {
    DevCloud::start(Options::default()).unwrap()
}

/// `group <reason>`, `not ready` or `cr`.
fn reach(error: &PluginError) -> String {
    match error {
        error if error.is_group() => format!("group {}", error.reason()),
        error if error.is_not_ready() => "not ready".to_owned(),
        error if error.is_invalid_spec() => "invalid spec".to_owned(),
        _ => "cr".to_owned(),
    }
}

/// Lists the flavors of a cloud that was spoilt.
fn list(spoil: impl FnOnce(&DevCloud)) -> PluginError {
    let cloud = start();
    spoil(&cloud);
    let session = session(&cloud, "devcloud");
    let listed = session.network().and_then(|network| network.flavors());
    plugin_error(listed.unwrap_err())
}

#[test]
fn a_refused_login_stops_the_group() {
    let error = list(|cloud| cloud.keystone().set_password("admin", "changed"));
    assert_eq!(reach(&error), "group LoginRefused");
    assert!(error.request_id().is_some_and(|id| error.log_text().contains(id)), "{}", error.log_text());
    assert!(!error.to_string().contains("req-"), "{error}");
    let expired = list(|cloud| {
        let unauthorized =
            Action::answer(401, json!({"error": {"code": 401, "title": "Unauthorized", "message": "no"}}));
        cloud.inject(Fault::new(Service::Neutron, "", unauthorized));
    });
    assert_eq!(reach(&expired), "group LoginRefused");
}

#[test]
fn what_the_catalogue_lacks_stops_the_group() {
    for error in [
        list(|cloud| cloud.keystone().drop_service("network")),
        list(|cloud| cloud.keystone().set_region("network", "Elsewhere")),
        list(|cloud| cloud.keystone().drop_interface("network", "public")),
    ] {
        assert_eq!(reach(&error), "group ReconcileError", "{error}");
        assert!(error.to_string().contains("network"), "{error}");
    }
}

#[test]
fn what_may_come_back_is_worth_waiting_for() {
    for status in [500, 501] {
        let answer = Action::answer(status, json!(null));
        let error = list(|cloud| cloud.inject(Fault::new(Service::Neutron, "", answer).times(1)));
        assert_eq!(reach(&error), "not ready", "{status} {error}");
    }
}

#[test]
fn a_missing_right_stops_the_group_and_names_the_rule() {
    let cloud = start();
    let session = session(&cloud, "devcloud-member");
    let network = session.network().unwrap();
    let flavor = openstack::network::NewFlavor {
        name: "gold",
        service_type: "L3_ROUTER_NAT",
        description: "",
        enabled: true,
    };
    let error = write_error(network.create_flavor(&flavor).unwrap_err());
    assert_eq!(reach(&error), "group PolicyRefused");
    assert!(error.to_string().contains("rule:create_flavor"), "{error}");
}

#[test]
fn an_answer_to_a_write_is_about_one_cr() {
    let cloud = start();
    let session = session(&cloud, "devcloud");
    let network = session.network().unwrap();
    let missing = "00000000-0000-0000-0000-000000000000";
    for error in [network.bind(missing, missing), network.delete_flavor(missing)] {
        let error = write_error(error.unwrap_err());
        assert_eq!(reach(&error), "cr", "{error}");
    }
    // The 500 to the same binding would be worth waiting for if it were the answer to a list.
    assert_eq!(reach(&plugin_error(network.bind(missing, missing).unwrap_err())), "not ready");
    cloud.inject(Fault::new(Service::Neutron, "", Action::CutAfter).method("POST"));
    assert_eq!(reach(&write_error(network.bind(missing, missing).unwrap_err())), "not ready");
}
