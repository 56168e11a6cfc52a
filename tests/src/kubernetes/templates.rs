//! The Template API in the control plane: devcloud's, as an aggregated server.

use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use devcloud::TemplateApi;
use serde_json::json;

use super::control_plane::HOME;
use super::{ControlPlane, Kind};

/// Templates.
pub const TEMPLATE: Kind = Kind { api: "/apis/template.openshift.io/v1", plural: "templates" };
/// What renders them.
pub const PROCESSED: Kind = Kind { api: TEMPLATE.api, plural: "processedtemplates" };

const SERVICE: &str = "template-api";

/// Has the API server serve `template.openshift.io/v1`, until the tests end. kube-apiserver authenticates, asks RBAC
/// and writes its audit log, as for any other kind; what is behind it is devcloud's, see [`TemplateApi`].
///
/// # Panics
/// If it does not come up.
#[track_caller]
pub fn serve_templates(plane: &ControlPlane) {
    static SERVED: OnceLock<TemplateApi> = OnceLock::new();
    SERVED.get_or_init(|| start(plane));
}

fn start(plane: &ControlPlane) -> TemplateApi {
    // Where kube-apiserver says by what authority it can be known.
    let authority = plane.kubectl(&[
        "--namespace=kube-system",
        "get",
        "configmap/extension-apiserver-authentication",
        r"--output=jsonpath={.data.requestheader-client-ca-file}",
    ]);
    let name = format!("{SERVICE}.{HOME}.svc");
    let api = TemplateApi::start(&authority, &[name]).expect("the Template API starts");
    let (group, version) = ("template.openshift.io", "v1");
    let registered = format!("{version}.{group}");
    let objects = json!({"apiVersion": "v1", "kind": "List", "items": [
        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": SERVICE, "namespace": HOME},
         "spec": {"type": "ExternalName", "externalName": "localhost"}},
        {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": registered}, "spec": {
            "group": group, "version": version, "groupPriorityMinimum": 9900, "versionPriority": 15,
            "service": {"name": SERVICE, "namespace": HOME, "port": api.port()},
            "caBundle": STANDARD.encode(api.ca_pem()),
        }},
    ]});
    plane.kubectl_with_input(&["apply", "--filename", "-"], &objects.to_string());
    plane.kubectl(&[
        "wait",
        "--for=condition=Available",
        "--timeout=90s",
        &format!("apiservice/{registered}"),
    ]);
    api
}
