//! The kinds that are there without a CRD: a table, and for some of them a few rules of their own.

mod defaults;
mod fields;
mod rules;

pub(crate) use defaults::{allot, fill, keep};
pub(crate) use rules::{check, decode_fault, parameter_names};

use crate::kube::kind::{Kind, Version};

/// Group, version, kind, plural, short names, and what is special: `namespaced`, `status` (a subresource),
/// `generation` (counted), `all` (in that category).
const KINDS: [(&str, &str, &str, &str, &str, &str); 36] = [
    ("", "v1", "ConfigMap", "configmaps", "cm", "namespaced"),
    ("", "v1", "Endpoints", "endpoints", "ep", "namespaced"),
    ("", "v1", "LimitRange", "limitranges", "limits", "namespaced"),
    ("", "v1", "Namespace", "namespaces", "ns", "status"),
    ("", "v1", "PersistentVolume", "persistentvolumes", "pv", "status"),
    ("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", "pvc", "namespaced status"),
    ("", "v1", "Pod", "pods", "po", "namespaced status generation all"),
    ("", "v1", "ReplicationController", "replicationcontrollers", "rc", "namespaced status generation all"),
    ("", "v1", "ResourceQuota", "resourcequotas", "quota", "namespaced status"),
    ("", "v1", "Secret", "secrets", "", "namespaced"),
    ("", "v1", "Service", "services", "svc", "namespaced status all"),
    ("", "v1", "ServiceAccount", "serviceaccounts", "sa", "namespaced"),
    (
        "apiextensions.k8s.io",
        "v1",
        "CustomResourceDefinition",
        "customresourcedefinitions",
        "crd crds",
        "generation",
    ),
    ("apps", "v1", "DaemonSet", "daemonsets", "ds", "namespaced status generation all"),
    ("apps", "v1", "Deployment", "deployments", "deploy", "namespaced status generation all"),
    ("apps", "v1", "ReplicaSet", "replicasets", "rs", "namespaced status generation all"),
    ("apps", "v1", "StatefulSet", "statefulsets", "sts", "namespaced status generation all"),
    (
        "apps.openshift.io",
        "v1",
        "DeploymentConfig",
        "deploymentconfigs",
        "dc",
        "namespaced status generation all",
    ),
    (
        "autoscaling",
        "v2",
        "HorizontalPodAutoscaler",
        "horizontalpodautoscalers",
        "hpa",
        "namespaced status all",
    ),
    ("batch", "v1", "CronJob", "cronjobs", "cj", "namespaced status generation all"),
    ("batch", "v1", "Job", "jobs", "", "namespaced status generation all"),
    ("build.openshift.io", "v1", "BuildConfig", "buildconfigs", "bc", "namespaced all"),
    ("image.openshift.io", "v1", "ImageStream", "imagestreams", "is", "namespaced status generation all"),
    ("networking.k8s.io", "v1", "Ingress", "ingresses", "ing", "namespaced status generation"),
    ("networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", "netpol", "namespaced generation"),
    ("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", "pdb", "namespaced status generation"),
    ("rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", "", ""),
    ("rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", "clusterrolebindings", "", ""),
    ("rbac.authorization.k8s.io", "v1", "Role", "roles", "", "namespaced"),
    ("rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings", "", "namespaced"),
    ("route.openshift.io", "v1", "Route", "routes", "", "namespaced status generation all"),
    ("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", "pc", "generation"),
    ("storage.k8s.io", "v1", "StorageClass", "storageclasses", "sc", ""),
    ("template.openshift.io", "v1", "BrokerTemplateInstance", "brokertemplateinstances", "", ""),
    ("template.openshift.io", "v1", "Template", "templates", "", "namespaced"),
    ("template.openshift.io", "v1", "TemplateInstance", "templateinstances", "", "namespaced status"),
];

/// The kinds that are there from the start.
pub(crate) fn kinds() -> Vec<Kind> {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    KINDS
        .iter()
        .map(|&(group, version, kind, plural, short, special)| {
            let has = |word: &str| special.split_whitespace().any(|special| special == word);
            Kind {
                group: group.to_owned(),
                kind: kind.to_owned(),
                list_kind: format!("{kind}List"),
                plural: plural.to_owned(),
                singular: kind.to_lowercase(),
                short_names: words(short),
                categories: if has("all") { words("all") } else { Vec::new() },
                namespaced: has("namespaced"),
                builtin: true,
                generation: has("generation"),
                versions: vec![Version {
                    name: version.to_owned(),
                    schema: fields::schema(group, kind),
                    status: has("status"),
                }],
                created: None,
            }
        })
        .collect()
}

/// True for core/v1 Secrets.
pub(crate) fn is_secret(kind: &Kind) -> bool {
    kind.group.is_empty() && kind.kind == "Secret"
}
