//! What is known of the fields of built-in kinds: types, defaults, and which lists merge by keys. A kind without rows,
//! and an `open` object, may hold anything.
//!
//! A path's parts are fields; `*` stands for any key, `[]` for the items of a list. What a place holds: `string`,
//! `int`, `bool`, `any`, `open` (an object with more than the rows say), `closed`, `atomic` (an object that is one value), `list`
//! (a list that is one value), `set`, `list K,L` (items known by K and L), each with an optional default after `=`.

use serde_json::{Map, Value, json};

type Rows = &'static [(&'static str, &'static str)];

/// What every pod has, below the place where it is.
const POD: Rows = &[
    ("", "open"),
    ("restartPolicy", "string =\"Always\""),
    ("terminationGracePeriodSeconds", "int =30"),
    ("dnsPolicy", "string =\"ClusterFirst\""),
    ("schedulerName", "string =\"default-scheduler\""),
    ("securityContext", "open ={}"),
    ("nodeSelector", "atomic"),
    ("serviceAccountName", "string"),
    ("volumes", "list name"),
    ("imagePullSecrets", "list name"),
    ("hostAliases", "list ip"),
    ("topologySpreadConstraints", "list topologyKey,whenUnsatisfiable"),
    ("containers", "list name"),
    ("initContainers", "list name"),
];

const CONTAINER: Rows = &[
    ("name", "string"),
    ("image", "string"),
    ("command", "list"),
    ("args", "list"),
    ("workingDir", "string"),
    ("imagePullPolicy", "string"),
    ("resources", "open ={}"),
    ("terminationMessagePath", "string =\"/dev/termination-log\""),
    ("terminationMessagePolicy", "string =\"File\""),
    ("env", "list name"),
    ("env[].name", "string"),
    ("env[].value", "string"),
    ("ports", "list containerPort,protocol"),
    ("ports[].name", "string"),
    ("ports[].containerPort", "int"),
    ("ports[].protocol", "string =\"TCP\""),
    ("volumeMounts", "list mountPath"),
    ("volumeDevices", "list devicePath"),
];

/// What workloads with a pod template have in common.
const WORKLOAD: Rows = &[
    ("spec", "open"),
    ("spec.selector", "atomic"),
    ("spec.template", "open"),
    ("spec.template.metadata", "open"),
    ("spec.template.metadata.labels.*", "string"),
    ("spec.template.metadata.annotations.*", "string"),
    ("status", "open"),
    ("status.conditions", "list type"),
];

const DEPLOYMENT: Rows = &[
    ("spec.replicas", "int =1"),
    ("spec.revisionHistoryLimit", "int =10"),
    ("spec.progressDeadlineSeconds", "int =600"),
    (
        "spec.strategy",
        "open ={\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":\"25%\",\"maxUnavailable\":\"25%\"}}",
    ),
];

const STATEFUL_SET: Rows =
    &[("spec.replicas", "int =1"), ("spec.serviceName", "string"), ("spec.volumeClaimTemplates", "list")];

const JOB: Rows = &[
    ("spec.parallelism", "int =1"),
    ("spec.completions", "int =1"),
    ("spec.backoffLimit", "int =6"),
    ("spec.completionMode", "string =\"NonIndexed\""),
    ("spec.podReplacementPolicy", "string =\"TerminatingOrFailed\""),
    ("spec.suspend", "bool =false"),
    ("spec.manualSelector", "bool =false"),
];

const CONFIG_MAP: Rows = &[("data.*", "string"), ("binaryData.*", "string"), ("immutable", "bool")];

const SECRET: Rows =
    &[("data.*", "string"), ("stringData.*", "string"), ("type", "string"), ("immutable", "bool")];

const SERVICE: Rows = &[
    ("spec", "open"),
    ("spec.type", "string =\"ClusterIP\""),
    ("spec.sessionAffinity", "string =\"None\""),
    ("spec.internalTrafficPolicy", "string =\"Cluster\""),
    ("spec.selector", "atomic"),
    ("spec.ports", "list port,protocol"),
    ("spec.ports[].name", "string"),
    ("spec.ports[].port", "int"),
    ("spec.ports[].protocol", "string =\"TCP\""),
    ("spec.ports[].targetPort", "any"),
    ("spec.ports[].nodePort", "int"),
    ("status", "open"),
    ("status.conditions", "list type"),
];

const SERVICE_ACCOUNT: Rows =
    &[("secrets", "list name"), ("imagePullSecrets", "list"), ("automountServiceAccountToken", "bool")];

const CLAIM: Rows = &[
    ("spec", "open"),
    ("spec.accessModes", "list"),
    ("spec.volumeMode", "string =\"Filesystem\""),
    ("spec.storageClassName", "string"),
    ("spec.selector", "atomic"),
    ("status", "open"),
    ("status.conditions", "list type"),
];

const NAMESPACE: Rows = &[("spec", "open"), ("spec.finalizers", "list"), ("status", "open")];

const ROLE: Rows = &[("rules", "list"), ("aggregationRule", "atomic")];

const BINDING: Rows = &[("roleRef", "atomic"), ("subjects", "list")];

const ROUTE: Rows = &[
    ("spec", "open"),
    ("spec.host", "string"),
    ("spec.path", "string"),
    ("spec.wildcardPolicy", "string =\"None\""),
    ("spec.to", "open"),
    ("spec.to.kind", "string =\"Service\""),
    ("spec.to.name", "string"),
    ("spec.to.weight", "int =100"),
    ("spec.alternateBackends", "list"),
    ("status", "open"),
];

const TEMPLATE: Rows = &[
    ("message", "string"),
    ("labels.*", "string"),
    ("objects", "list"),
    ("parameters", "list"),
    ("parameters[]", "closed"),
    ("parameters[].name", "string"),
    ("parameters[].displayName", "string"),
    ("parameters[].description", "string"),
    ("parameters[].value", "string"),
    ("parameters[].generate", "string"),
    ("parameters[].from", "string"),
    ("parameters[].required", "bool"),
];

/// The schema of a kind; `None` where anything may be.
pub(crate) fn schema(group: &str, kind: &str) -> Option<Value> {
    let (pod, tables): (Option<&str>, &[Rows]) = match (group, kind) {
        ("", "ConfigMap") => (None, &[CONFIG_MAP]),
        ("", "Secret") => (None, &[SECRET]),
        ("", "Service") => (None, &[SERVICE]),
        ("", "ServiceAccount") => (None, &[SERVICE_ACCOUNT]),
        ("", "PersistentVolumeClaim") => (None, &[CLAIM]),
        ("", "Namespace") => (None, &[NAMESPACE]),
        ("", "Pod") => (Some("spec"), &[&[("status", "open"), ("status.conditions", "list type")]]),
        ("apps", "Deployment") => (Some("spec.template.spec"), &[WORKLOAD, DEPLOYMENT]),
        ("apps", "StatefulSet") => (Some("spec.template.spec"), &[WORKLOAD, STATEFUL_SET]),
        ("apps", "DaemonSet") => (Some("spec.template.spec"), &[WORKLOAD]),
        ("apps", "ReplicaSet") => (Some("spec.template.spec"), &[WORKLOAD, &[("spec.replicas", "int =1")]]),
        ("batch", "Job") => (Some("spec.template.spec"), &[WORKLOAD, JOB]),
        ("rbac.authorization.k8s.io", "Role" | "ClusterRole") => (None, &[ROLE]),
        ("rbac.authorization.k8s.io", _) => (None, &[BINDING]),
        ("route.openshift.io", "Route") => (None, &[ROUTE]),
        ("template.openshift.io", "Template") => (None, &[TEMPLATE]),
        _ => return None,
    };
    let mut schema = json!({"type": "object"});
    for (path, what) in tables.iter().copied().flatten() {
        put(&mut schema, path, what);
    }
    if let Some(pod) = pod {
        for (path, what) in POD {
            put(&mut schema, &join(pod, path), what);
        }
        for list in ["containers", "initContainers"] {
            for (path, what) in CONTAINER {
                put(&mut schema, &format!("{pod}.{list}[].{path}"), what);
            }
        }
    }
    Some(schema)
}

fn join(place: &str, path: &str) -> String {
    if path.is_empty() { place.to_owned() } else { format!("{place}.{path}") }
}

fn put(schema: &mut Value, path: &str, what: &str) {
    let mut at = schema;
    for part in path.split('.') {
        let (name, items) = part.strip_suffix("[]").map_or((part, false), |name| (name, true));
        at = if name == "*" { &mut at["additionalProperties"] } else { &mut at["properties"][name] };
        if items {
            at = &mut at["items"];
        }
        if at.is_null() {
            *at = json!({"type": "object"});
        }
    }
    let (what, default) = what.split_once('=').map_or((what, None), |(what, default)| (what, Some(default)));
    let mut words = what.split_whitespace();
    let keywords = match (words.next().unwrap_or_default(), words.next()) {
        ("list", Some(keys)) => {
            let keys: Vec<&str> = keys.split(',').collect();
            json!({
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
                "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            })
        }
        ("list", None) => json!({"type": "array", "items": {"x-kubernetes-preserve-unknown-fields": true}}),
        ("closed", _) => json!({"type": "object", "x-kubernetes-preserve-unknown-fields": null}),
        ("set", _) => json!({"type": "array", "x-kubernetes-list-type": "set"}),
        ("open", _) => json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true}),
        ("atomic", _) => json!({
            "type": "object", "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-map-type": "atomic",
        }),
        ("any", _) => json!({"x-kubernetes-preserve-unknown-fields": true, "type": null}),
        ("int", _) => json!({"type": "integer"}),
        ("bool", _) => json!({"type": "boolean"}),
        (plain, _) => json!({"type": plain}),
    };
    let Value::Object(node) = at else { return };
    node.extend(keywords.as_object().cloned().unwrap_or_else(Map::new));
    node.retain(|_, value| !value.is_null());
    if let Some(default) = default.and_then(|text| serde_json::from_str(text).ok()) {
        node.insert("default".into(), default);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_make_schemas() {
        let schema = schema("apps", "Deployment").unwrap();
        let spec = &schema["properties"]["spec"]["properties"];
        assert_eq!(spec["replicas"], json!({"type": "integer", "default": 1}));
        assert_eq!(spec["strategy"]["default"]["rollingUpdate"]["maxSurge"], "25%");
        let containers = &spec["template"]["properties"]["spec"]["properties"]["containers"];
        assert_eq!(containers["x-kubernetes-list-map-keys"], json!(["name"]));
        let ports = &containers["items"]["properties"]["ports"];
        assert_eq!(ports["x-kubernetes-list-map-keys"], json!(["containerPort", "protocol"]));
        assert_eq!(ports["items"]["properties"]["protocol"]["default"], "TCP");
    }

    #[test]
    fn kinds_without_rows_are_open() {
        assert_eq!(schema("build.openshift.io", "BuildConfig"), None);
    }
}
