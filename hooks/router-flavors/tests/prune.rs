//! What goes when a CR goes: the hook as a process, on a simulated cluster and cloud.

use std::process::Command;

use devcloud::{Action, DevCloud, Fault, Options, Service, shell_operator};
use serde_json::{Value, json};
use tempfile::TempDir;

const BINDING: &str = "neutron-router-flavors";
const GROUP: &str = "neutron.understack.rackspace.net";
const KIND: &str = "NeutronRouterFlavor";
const DRIVER: &str = "neutron.services.l3_router.service_providers.single_node.SingleNodeDriver";
const MARK: &str = "[understack-router-flavor-operator]";

/// A cluster with the CRD and one Secret, and a cloud.
struct Site {
    cloud: DevCloud,
    directory: TempDir,
}

impl Site {
    fn new() -> Self {
        let site =
            Self { cloud: DevCloud::start(Options::default()).unwrap(), directory: TempDir::new().unwrap() };
        let open = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        site.cloud.kube().define(json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": format!("neutronrouterflavors.{GROUP}")},
            "spec": {
                "group": GROUP, "scope": "Namespaced",
                "names": {"kind": KIND, "listKind": format!("{KIND}List"), "plural": "neutronrouterflavors",
                    "singular": "neutronrouterflavor"},
                "versions": [{"name": "v1alpha1", "served": true, "storage": true, "subresources": {"status": {}},
                    "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": open, "status": open}}}}],
            },
        }));
        let secret = DevCloud::clouds_secret("openstack", "creds", &site.cloud.clouds_yaml());
        site.cloud.kube().create(secret);
        site.cloud.write_kubeconfig(&site.directory.path().join("kubeconfig")).unwrap();
        site
    }

    fn apply(&self, name: &str, vni_alloc: &str) {
        self.cloud.kube().apply(json!({
            "apiVersion": format!("{GROUP}/v1alpha1"), "kind": KIND,
            "metadata": {"namespace": "openstack", "name": name},
            "spec": {"name": name, "cloudCredentialsRef": {"secretName": "creds", "cloudName": "devcloud"},
                "service_profiles": [{"driver": DRIVER, "meta_info": {"vni_alloc": vni_alloc}}]},
        }));
    }

    fn delete(&self, name: &str) {
        self.cloud.kube().delete(KIND, "openstack", name);
    }

    /// Runs the hook; true if it exits with 0.
    fn run(&self, prune: bool, schedule: &str) -> bool {
        self.cloud.clear_journal();
        let context = shell_operator::schedule(self.cloud.kube(), KIND, BINDING, schedule);
        let file = self.directory.path().join("context.json");
        std::fs::write(&file, shell_operator::file(&[context])).unwrap();
        let variables = [
            ("ENABLED", "true"),
            ("CRD_API_VERSION", &format!("{GROUP}/v1alpha1")),
            ("CRD_KIND", KIND),
            ("CRD_RESOURCE", &format!("neutronrouterflavors.{GROUP}")),
            ("STATUS_ENABLED", "true"),
            ("PRUNE", if prune { "true" } else { "false" }),
            ("READY_RETRIES", "1"),
        ];
        let output = Command::new(env!("CARGO_BIN_EXE_router-flavors"))
            .env_clear()
            .env("BINDING_CONTEXT_PATH", &file)
            .env("KUBECONFIG", self.directory.path().join("kubeconfig"))
            .env("POD_NAMESPACE", "openstack")
            .envs(variables.map(|(name, value)| (format!("NEUTRON_ROUTER_FLAVOR_{name}"), value)))
            .output()
            .unwrap();
        // Shown if the test fails.
        println!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        output.status.success()
    }

    fn full(&self) -> bool {
        self.run(true, "periodic sync")
    }

    fn catch_up(&self) -> bool {
        self.run(true, "catch-up")
    }

    fn flavor(&self, name: &str) -> Option<Value> {
        self.cloud.neutron().flavors().into_iter().find(|flavor| flavor["name"] == name)
    }

    fn profiles(&self) -> usize {
        self.cloud.neutron().profiles().len()
    }

    /// `None` if the CR is gone.
    fn message(&self, name: &str) -> Option<String> {
        let cr = self.cloud.kube().get(KIND, "openstack", name)?;
        Some(cr["status"]["message"].as_str().unwrap_or_default().to_owned())
    }

    fn refuse(&self, method: &str, path: &str, status: u16, kind: &str) {
        let body = json!({"NeutronError": {"type": kind, "message": "injected", "detail": ""}});
        self.cloud.inject(Fault::new(Service::Neutron, path, Action::answer(status, body)).method(method));
    }
}

/// A site where `gold` and `silver` are in place, beside a flavor and a profile made by hand.
fn gold_and_silver(gold: &str, silver: &str) -> Site {
    let site = Site::new();
    site.apply("gold", gold);
    site.apply("silver", silver);
    let neutron = site.cloud.neutron();
    neutron.add_flavor(
        json!({"name": "theirs", "service_type": "L3_ROUTER_NAT", "description": format!("not {MARK} ours")}),
    );
    neutron.add_profile(json!({"driver": DRIVER, "description": "theirs"}));
    assert!(site.full());
    site
}

#[test]
fn a_flavor_and_its_profile_go_with_the_cr_and_nothing_else() {
    let site = gold_and_silver("auto", "off");
    let kept = [site.flavor("silver"), site.flavor("theirs")];
    site.delete("gold");
    assert!(site.catch_up());
    assert_eq!((site.flavor("gold"), site.message("gold")), (None, None));
    assert_eq!([site.flavor("silver"), site.flavor("theirs")], kept);
    assert_eq!(site.profiles(), 2);
}

#[test]
fn a_profile_that_another_flavor_has_stays() {
    let site = gold_and_silver("auto", "auto");
    assert_eq!(site.profiles(), 2);
    site.delete("gold");
    assert!(site.catch_up());
    assert_eq!((site.flavor("gold"), site.profiles()), (None, 2));
}

#[test]
fn a_flavor_in_use_keeps_its_cr_until_the_routers_are_gone() {
    let site = gold_and_silver("auto", "off");
    let flavor = site.flavor("gold").unwrap();
    let router = site.cloud.neutron().add_router(flavor["id"].as_str(), "r");
    let managed = r#"{"_understack_router_flavor_operator":"managed"}"#;
    site.cloud.neutron().add_profile(json!({"driver": DRIVER, "metainfo": managed}));
    site.delete("gold");
    assert!(!site.catch_up());
    assert_eq!(site.profiles(), 4, "nothing was deleted, so no orphan is looked for");
    site.delete("silver");
    assert!(!site.catch_up());
    assert_eq!(site.message("gold").as_deref(), Some("waiting: flavor \"gold\" is in use by routers"));
    assert_eq!(site.flavor("gold"), Some(flavor));
    assert_eq!((site.flavor("silver"), site.message("silver")), (None, None), "held back by nobody");
    site.cloud.neutron().delete_router(router["id"].as_str().unwrap());
    assert!(site.catch_up());
    assert_eq!((site.flavor("gold"), site.message("gold"), site.profiles()), (None, None, 1));
}

#[test]
fn a_flavor_that_lost_its_marker_is_somebody_elses() {
    let site = gold_and_silver("auto", "off");
    let id = site.flavor("gold").unwrap()["id"].as_str().unwrap().to_owned();
    let (status, _) = site.cloud.neutron().call(
        "PUT",
        &format!("/v2.0/flavors/{id}"),
        Some(&json!({"flavor": {"description": format!("{MARK} mine now")}})),
    );
    assert_eq!(status, 200);
    site.delete("gold");
    assert!(site.catch_up());
    assert!(site.flavor("gold").is_some());
    assert_eq!((site.message("gold"), site.profiles()), (None, 3));
}

#[test]
fn a_cleanup_that_was_cut_off_is_finished_by_the_next_run() {
    for action in ["flavor", "profile"] {
        let site = gold_and_silver("auto", "off");
        site.delete("gold");
        let path = if action == "flavor" { "/v2.0/flavors/*" } else { "/v2.0/service_profiles/*" };
        site.refuse("DELETE", path, 500, "HTTPInternalServerError");
        assert!(!site.catch_up());
        assert!(site.message("gold").unwrap().starts_with("waiting: "), "{:?}", site.message("gold"));
        site.cloud.clear_faults();
        assert!(site.catch_up());
        assert_eq!((site.flavor("gold"), site.message("gold"), site.profiles()), (None, None, 2), "{action}");
    }
}

#[test]
fn what_is_gone_already_is_no_failure() {
    let site = gold_and_silver("auto", "off");
    site.delete("gold");
    // The deletion is done, its answer is lost, and the repeated request finds nothing.
    for path in ["/v2.0/flavors/*", "/v2.0/service_profiles/*"] {
        site.cloud.inject(Fault::new(Service::Neutron, path, Action::CutAfter).method("DELETE").times(1));
    }
    assert!(site.catch_up());
    assert_eq!((site.flavor("gold"), site.message("gold"), site.profiles()), (None, None, 2));
}

#[test]
fn one_flavor_that_cannot_be_deleted_holds_back_its_own_cr_only() {
    let site = gold_and_silver("auto", "off");
    site.delete("gold");
    site.delete("silver");
    let gold = site.flavor("gold").unwrap()["id"].as_str().unwrap().to_owned();
    site.refuse("DELETE", &format!("/v2.0/flavors/{gold}"), 400, "HTTPBadRequest");
    assert!(!site.catch_up());
    assert!(site.message("gold").unwrap().contains("HTTPBadRequest"), "{:?}", site.message("gold"));
    assert_eq!((site.flavor("silver"), site.message("silver")), (None, None));
}

#[test]
fn a_conflict_that_is_no_use_is_told_in_the_servers_words() {
    for (path, other) in
        [("/v2.0/flavors/*", "FlavorInUse"), ("/v2.0/service_profiles/*", "ServiceProfileInUse")]
    {
        let site = gold_and_silver("auto", "off");
        site.delete("gold");
        site.refuse("DELETE", path, 409, "StaleDataError");
        assert!(!site.catch_up());
        let message = site.message("gold").unwrap();
        assert!(
            message.starts_with("waiting: ") && message.contains("409 StaleDataError: injected"),
            "{message}"
        );
        assert!(!message.contains("in use"), "{message}");
        site.cloud.clear_faults();
        site.refuse("DELETE", path, 409, other);
        assert!(!site.catch_up());
        assert!(site.message("gold").unwrap().contains("is in use"), "{:?}", site.message("gold"));
    }
}

#[test]
fn a_profile_in_use_again_keeps_the_finalizer() {
    let site = gold_and_silver("auto", "off");
    site.delete("gold");
    site.refuse("DELETE", "/v2.0/service_profiles/*", 409, "ServiceProfileInUse");
    assert!(!site.catch_up());
    let message = site.message("gold").unwrap();
    assert!(message.starts_with("waiting: service profile ") && message.ends_with(" is in use"), "{message}");
}

#[test]
fn without_prune_flavors_outlive_their_crs_and_only_orphans_are_swept() {
    let site = Site::new();
    site.apply("gold", "auto");
    let neutron = site.cloud.neutron();
    let managed = r#"{"_understack_router_flavor_operator":"managed"}"#;
    let orphan = neutron.add_profile(json!({"driver": DRIVER, "metainfo": managed}));
    let bound = neutron.add_profile(json!({"driver": DRIVER, "metainfo": managed, "description": "bound"}));
    let qos = neutron.add_flavor(json!({"name": "q", "service_type": "QOS", "description": MARK}));
    neutron.bind(qos["id"].as_str().unwrap(), bound["id"].as_str().unwrap());
    neutron.add_profile(json!({"driver": DRIVER, "description": "theirs"}));
    neutron.add_flavor(json!({"name": "unclaimed", "service_type": "L3_ROUTER_NAT", "description": MARK}));
    assert!(site.run(false, "periodic sync"));
    assert!(!neutron.profiles().contains(&orphan) && neutron.profiles().contains(&bound));
    assert_eq!((site.profiles(), neutron.flavors().len()), (3, 3));
    site.delete("gold");
    assert_eq!(site.message("gold"), None, "no finalizer");
    assert!(site.run(false, "periodic sync"));
    assert_eq!((site.profiles(), neutron.flavors().len()), (3, 3));
}

#[test]
fn a_flavor_of_an_earlier_name_goes_in_a_full_run_unless_somebody_claims_it() {
    let site = gold_and_silver("auto", "off");
    let mut cr = site.cloud.kube().get(KIND, "openstack", "gold").unwrap();
    cr["spec"]["name"] = json!("platinum");
    site.cloud.kube().apply(cr);
    assert!(site.catch_up());
    assert!(site.flavor("gold").is_some() && site.flavor("platinum").is_some());
    assert!(site.full());
    assert!(site.flavor("gold").is_none() && site.flavor("platinum").is_some());
    assert!(site.flavor("silver").is_some() && site.flavor("theirs").is_some());
    assert_eq!(site.profiles(), 3);
    assert!(site.full());
    let writes =
        site.cloud.journal().into_iter().filter(|entry| entry.is_write() && !entry.is_login()).count();
    assert_eq!((writes, site.cloud.journal().len()), (0, 4), "Secret, token, two lists");
}
