//! What a Deployment asks of a kubelet, as far as the chart uses it. Anything else panics: it would be ignored here,
//! and not in a cluster.

use std::collections::BTreeMap;

use serde_json::Value;

/// The pod of a Deployment.
#[derive(Debug, Clone, PartialEq)]
pub struct Pod {
    /// Namespace of the pod.
    pub namespace: String,
    /// Name of its service account.
    pub account: String,
    /// Whether the account's token is mounted.
    pub token: bool,
    /// Names of its emptyDirs.
    pub empty_dirs: Vec<String>,
    /// Group that owns them.
    pub fs_group: Option<u32>,
    /// Run one after the other, first.
    pub init: Vec<Container>,
    /// The one container.
    pub main: Container,
}

/// One container.
#[derive(Debug, Clone, PartialEq)]
pub struct Container {
    /// `command`; empty: the image's entry point.
    pub command: Vec<String>,
    /// `args`.
    pub args: Vec<String>,
    /// Its environment, resolved.
    pub env: BTreeMap<String, String>,
    /// Name of an emptyDir, and where it is mounted.
    pub mounts: Vec<(String, String)>,
    /// `runAsUser`; the image's is root.
    pub user: u32,
    /// `runAsGroup`.
    pub group: u32,
    /// `fsGroup` of the pod, which all its processes have besides.
    pub fs_group: Option<u32>,
    /// `readOnlyRootFilesystem`.
    pub read_only_root: bool,
    /// Whether all capabilities are dropped and none can be gained.
    pub unprivileged: bool,
    /// `resources.limits.memory`, in KiB.
    pub memory_limit: Option<u64>,
    /// The probes, by name, as they are.
    pub probes: BTreeMap<String, Value>,
    /// Ports by name.
    pub ports: BTreeMap<String, u16>,
}

impl Pod {
    /// The pod of this Deployment, as read from the API server.
    ///
    /// # Panics
    /// If it asks for something unknown here, or that a kubelet would refuse.
    pub fn of(deployment: &Value) -> Self {
        let namespace = text(&deployment["metadata"]["namespace"]);
        let spec = &deployment["spec"]["template"]["spec"];
        only(
            spec,
            "automountServiceAccountToken containers dnsPolicy enableServiceLinks initContainers priorityClassName \
             restartPolicy schedulerName securityContext serviceAccount serviceAccountName \
             terminationGracePeriodSeconds volumes",
        );
        let shared = &spec["securityContext"];
        only(shared, "runAsNonRoot runAsUser runAsGroup fsGroup fsGroupChangePolicy seccompProfile");
        let empty_dirs = items(&spec["volumes"])
            .map(|volume| {
                only(volume, "name emptyDir");
                text(&volume["name"])
            })
            .collect();
        let container = |one: &Value| Container::of(one, shared, &namespace, &deployment["metadata"]["name"]);
        let main: Vec<Container> = items(&spec["containers"]).map(container).collect();
        let [main] = main.try_into().expect("one container");
        Self {
            account: text(&spec["serviceAccountName"]),
            token: spec["automountServiceAccountToken"] != false,
            empty_dirs,
            fs_group: number(&shared["fsGroup"]),
            init: items(&spec["initContainers"]).map(container).collect(),
            main,
            namespace,
        }
    }
}

impl Container {
    fn of(spec: &Value, shared: &Value, namespace: &str, deployment: &Value) -> Self {
        only(
            spec,
            "name image imagePullPolicy command args env ports volumeMounts resources securityContext livenessProbe \
             readinessProbe startupProbe terminationMessagePath terminationMessagePolicy",
        );
        let own = &spec["securityContext"];
        only(
            own,
            "allowPrivilegeEscalation capabilities privileged readOnlyRootFilesystem runAsGroup runAsNonRoot runAsUser \
             seccompProfile",
        );
        let setting = |key: &str| if own[key].is_null() { shared[key].clone() } else { own[key].clone() };
        let user = number(&setting("runAsUser")).unwrap_or(0);
        assert!(
            setting("runAsNonRoot") != true || user != 0,
            "a kubelet refuses root with runAsNonRoot: {spec}"
        );
        let strings = |key: &str| items(&spec[key]).map(text).collect();
        let env = items(&spec["env"])
            .map(|entry| (text(&entry["name"]), variable(entry, namespace, deployment)))
            .collect();
        let mounts = items(&spec["volumeMounts"])
            .map(|mount| {
                only(mount, "name mountPath");
                (text(&mount["name"]), text(&mount["mountPath"]))
            })
            .collect();
        let probes = ["livenessProbe", "readinessProbe", "startupProbe"]
            .into_iter()
            .filter_map(|key| Some((key.to_owned(), spec.get(key)?.clone())))
            .collect();
        let ports = items(&spec["ports"])
            .map(|port| (text(&port["name"]), number(&port["containerPort"]).expect("a port")))
            .map(|(name, port)| (name, u16::try_from(port).expect("a port")))
            .collect();
        Self {
            command: strings("command"),
            args: strings("args"),
            env,
            mounts,
            user,
            group: number(&setting("runAsGroup")).unwrap_or(0),
            fs_group: number(&shared["fsGroup"]),
            read_only_root: own["readOnlyRootFilesystem"] == true,
            unprivileged: own["capabilities"]["drop"] == serde_json::json!(["ALL"])
                && own["capabilities"]["add"].is_null()
                && own["allowPrivilegeEscalation"] == false,
            memory_limit: spec["resources"]["limits"]["memory"].as_str().map(|text| {
                let mebibytes = text.strip_suffix("Mi").and_then(|number| number.parse::<u64>().ok());
                mebibytes.unwrap_or_else(|| panic!("not known here: {text}")) * 1024
            }),
            probes,
            ports,
        }
    }
}

/// The value of one entry of `env`.
fn variable(entry: &Value, namespace: &str, deployment: &Value) -> String {
    only(entry, "name value valueFrom");
    let source = &entry["valueFrom"];
    if source.is_null() {
        let value = entry["value"].as_str().unwrap_or_default();
        assert!(!value.contains("$("), "references to variables are not resolved here: {entry}");
        return value.to_owned();
    }
    only(source, "fieldRef");
    match source["fieldRef"]["fieldPath"].as_str().unwrap_or_default() {
        "metadata.namespace" => namespace.to_owned(),
        "metadata.name" => format!("{}-0", text(deployment)),
        other => panic!("the field {other} is not known here"),
    }
}

/// Panics if an object has a key that is not among these words.
fn only(object: &Value, known: &str) {
    for key in object.as_object().into_iter().flat_map(|object| object.keys()) {
        assert!(known.split_whitespace().any(|word| word == key), "not known here: {key} in {object}");
    }
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64().map(|number| number.try_into().expect("a small number"))
}
