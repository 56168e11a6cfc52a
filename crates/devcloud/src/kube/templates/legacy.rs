//! Kinds that once were in the group-less `v1` are moved to their groups, also after a substitution (measured for
//! Route, DeploymentConfig, BuildConfig, ImageStream, Template and RoleBinding).

use serde_json::Value;

const GROUPS: [(&str, &[&str]); 10] = [
    (
        "apps.openshift.io",
        &["DeploymentConfig", "DeploymentConfigRollback", "DeploymentLog", "DeploymentRequest"],
    ),
    (
        "authorization.openshift.io",
        &["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "RoleBindingRestriction"],
    ),
    ("build.openshift.io", &["Build", "BuildConfig", "BuildLog", "BuildRequest"]),
    (
        "image.openshift.io",
        &[
            "Image",
            "ImageSignature",
            "ImageStream",
            "ImageStreamImport",
            "ImageStreamMapping",
            "ImageStreamTag",
        ],
    ),
    ("project.openshift.io", &["Project", "ProjectRequest"]),
    ("quota.openshift.io", &["AppliedClusterResourceQuota", "ClusterResourceQuota"]),
    ("route.openshift.io", &["Route"]),
    ("security.openshift.io", &["SecurityContextConstraints"]),
    ("template.openshift.io", &["BrokerTemplateInstance", "Template", "TemplateInstance"]),
    ("user.openshift.io", &["Group", "Identity", "User", "UserIdentityMapping"]),
];

/// Writes apiVersion and kind anew; what is no string becomes empty (measured).
pub(super) fn regroup(object: &mut Value) {
    let text = |key: &str| object[key].as_str().unwrap_or_default().to_owned();
    let (mut api_version, mut kind) = (text("apiVersion"), text("kind"));
    if api_version.matches('/').count() > 1 {
        // No group and version: Go's parser gives up on all of it.
        (api_version, kind) = (String::new(), String::new());
    }
    let group = GROUPS.iter().find(|(_, kinds)| kinds.contains(&kind.as_str()));
    if let (Some((group, _)), "v1") = (group, api_version.as_str()) {
        api_version = format!("{group}/v1");
    }
    object["apiVersion"] = api_version.into();
    object["kind"] = kind.into();
}
