//! The CRDs are what the hooks read and write.
//!
//! A new hook adds its kind to [`READ`], with its [`agreement::Kind`]. Everything else here looks at all files in the
//! chart's `crds` folder.

mod agreement;
mod objects;
mod samples;
mod schema;
mod shape;
mod status;
mod structural;

use std::collections::BTreeSet;

use openstack_sync_tests::crd_files;
use serde_json::json;

use crate::agreement::Kind;

/// Kinds whose objects no hook reads.
const NOT_READ: &[&str] = &["OpenstackPlaceholder"];
/// Kinds that are not about OpenStack.
const WITHOUT_CLOUD: &[&str] = &["TemplateWorkload"];
/// Holds the CRD of a kind against its hook.
type Check = fn(&'static str);
/// The other kinds.
const READ: &[(&str, Check)] =
    &[("NeutronRouterFlavor", check_router_flavors), ("TemplateWorkload", check_template_workloads)];

#[test]
fn each_hook_reads_what_its_crd_describes() {
    let mut left: BTreeSet<&str> =
        READ.iter().map(|(kind, _)| *kind).chain(NOT_READ.iter().copied()).collect();
    for (file, crd) in crd_files() {
        let kind = crd["spec"]["names"]["kind"].as_str().expect("a kind");
        assert!(left.remove(kind), "{file}: {kind} is neither in READ nor in NOT_READ");
        if let Some((kind, check)) = READ.iter().find(|(read, _)| *read == kind) {
            check(kind);
        }
    }
    assert!(left.is_empty(), "no CRD defines {left:?}");
}

fn check_router_flavors(kind: &'static str) {
    Kind {
        name: kind,
        plugin: router_flavors::RouterFlavors,
        credentials: Some("cloudCredentialsRef"),
        full_spec: json!({
            "cloudCredentialsRef": {"secretName": "infrasetup", "cloudName": "devcloud"},
            "name": "firewall",
            "service_type": "L3_ROUTER_NAT",
            "is_enabled": false,
            "description": "Routers on hardware firewalls",
            "service_profiles": [{
                "driver": "neutron.services.l3_router.service_providers.ha.HaDriver",
                "description": "Large ones",
                "is_enabled": false,
                "meta_info": {"resource_class": "firewall.large", "vni_alloc": "auto"},
            }],
        }),
        crd_alone: &[
            "/cloudCredentialsRef/cloudName maxLength",
            "/cloudCredentialsRef/secretName maxLength",
            "/name pattern",
            "/service_profiles/0/driver pattern",
            // The hook passes meta_info on as it is.
            "/service_profiles/0/meta_info/resource_class type",
            "/service_profiles/0/meta_info/resource_class maxLength",
            "/service_profiles/0/meta_info/resource_class minLength",
            "/service_profiles/0/meta_info/resource_class pattern",
            "/service_profiles/0/meta_info/vni_alloc type",
            "/service_profiles/0/meta_info/vni_alloc enum",
        ],
        hook_alone: &["/description maxLength"],
    }
    .check();
}

fn check_template_workloads(kind: &'static str) {
    Kind {
        name: kind,
        plugin: template_workloads::TemplateWorkloads::default(),
        credentials: None,
        full_spec: json!({
            "templateRef": {"name": "hello", "namespace": "openshift"},
            "targetNamespace": "workloads",
            "parameters": {"NAME": "hello"},
            "parametersFrom": [{"parameter": "PASSWORD", "secretName": "hello-parameters", "key": "password"}],
            "deletionPolicy": "Orphan",
            "adopt": true,
        }),
        // Names that Kubernetes or OpenShift would not take: the API server says so, or finds nothing.
        crd_alone: &[
            "/parametersFrom/0/key maxLength",
            "/parametersFrom/0/key pattern",
            "/parametersFrom/0/parameter maxLength",
            "/parametersFrom/0/parameter pattern",
            "/parametersFrom/0/secretName maxLength",
            "/parametersFrom/0/secretName pattern",
            "/targetNamespace maxLength",
            "/targetNamespace pattern",
            "/templateRef/name maxLength",
            "/templateRef/name pattern",
            "/templateRef/namespace maxLength",
            "/templateRef/namespace pattern",
        ],
        hook_alone: &[],
    }
    .check();
}

/// The exception in numbers: the CRD of the previous implementation took 1024 characters, so CRs may be stored
/// that have more than the marker leaves room for.
#[test]
fn a_description_leaves_room_for_the_marker() {
    let read = |length: usize| {
        let spec =
            json!({"name": "n", "description": "x".repeat(length), "service_profiles": [{"driver": "a.B"}]});
        serde_json::from_value::<router_flavors::config::Spec>(spec).map_err(|error| error.to_string())
    };
    let crd = schema::crd("NeutronRouterFlavor");
    let described = &schema::root(&crd)["properties"]["spec"]["properties"]["description"];
    assert_eq!(described["maxLength"], 1024);
    assert!(described["description"].as_str().unwrap().contains("more than 988 "));
    assert!(read(988).is_ok());
    assert_eq!(read(989).unwrap_err(), "description has 989 characters: at most 988 are possible");
}

/// What kinds have in common is written out in every file, since a CRD can refer to nothing: the status, and the
/// credentials of those that are about OpenStack.
#[test]
fn kinds_share_the_credentials_and_the_status() {
    let files = crd_files();
    let common = schema::crd("NeutronRouterFlavor");
    for (file, crd) in &files {
        let (one, other) = (schema::root(&common), schema::root(crd));
        let kind = crd["spec"]["names"]["kind"].as_str().expect("a kind");
        for key in ["required", "properties"] {
            let at = format!("/properties/spec/properties/cloudCredentialsRef/{key}");
            let wanted = one.pointer(&at).filter(|_| !WITHOUT_CLOUD.contains(&kind));
            assert_eq!(other.pointer(&at), wanted, "{file}: cloudCredentialsRef");
        }
        for (key, node) in schema::properties(&one["properties"]["status"]) {
            assert_eq!(
                other["properties"]["status"]["properties"].get(key),
                Some(node),
                "{file}: status.{key}"
            );
        }
    }
}
