//! The API server, as cluster-admin.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use rest::{Client, Options, Proxy, RETRY_BUDGET, Request, Retry, Roots, Secret};
use serde_json::{Value, json};

use super::given;

/// Names the folder of a running control plane: `kubeconfig`, `ca.crt`, `server`, `audit.log`.
const CONTROL_PLANE: &str = "OPENSTACK_SYNC_E2E_CONTROL_PLANE";
/// Where the account of the tests lives.
pub(super) const HOME: &str = "openstack-sync-e2e";

/// Where objects of one kind are.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Path of the group's version, such as `/apis/apps/v1`.
    pub api: &'static str,
    /// Plural, in the path.
    pub plural: &'static str,
}

/// CRs of router-flavors.
pub const NRF: Kind =
    Kind { api: "/apis/neutron.understack.rackspace.net/v1alpha1", plural: "neutronrouterflavors" };
/// CRs of template-workloads.
pub const TW: Kind =
    Kind { api: "/apis/openshift.understack.rackspace.net/v1alpha1", plural: "templateworkloads" };

impl Kind {
    /// ConfigMaps.
    pub const CONFIG_MAP: Kind = Kind { api: "/api/v1", plural: "configmaps" };
    /// Secrets.
    pub const SECRET: Kind = Kind { api: "/api/v1", plural: "secrets" };
    /// Services.
    pub const SERVICE: Kind = Kind { api: "/api/v1", plural: "services" };
    /// Jobs.
    pub const JOB: Kind = Kind { api: "/apis/batch/v1", plural: "jobs" };
    /// Deployments.
    pub const DEPLOYMENT: Kind = Kind { api: "/apis/apps/v1", plural: "deployments" };

    fn path(self, namespace: &str, name: &str) -> String {
        let Self { api, plural } = self;
        format!("{api}/namespaces/{namespace}/{plural}/{name}")
    }
}

/// A running API server. Every method panics if it does not get what it wants: these are tests.
pub struct ControlPlane {
    folder: PathBuf,
    server: String,
    client: Client,
    token: Secret,
}

impl ControlPlane {
    /// The control plane of this run, which all scenarios share.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<ControlPlane> = OnceLock::new();
        SHARED.get_or_init(Self::connect)
    }

    fn connect() -> Self {
        let folder = given(CONTROL_PLANE);
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let server =
            String::from_utf8(read("server")).expect("a URL").trim().trim_end_matches('/').to_owned();
        let options =
            Options { roots: Roots::Only(read("ca.crt")), proxy: Proxy::None, ..Options::default() };
        let client = Client::new(options).expect("a client");
        let mut plane = Self { folder, server, client, token: Secret::new("") };
        plane.token = Secret::new(plane.own_token());
        plane
    }

    /// A service account with all rights, so that this works however the kubeconfig logs in, and so that the audit
    /// log tells the tests from what they test.
    fn own_token(&self) -> String {
        let account = json!({"kind": "ServiceAccount", "name": "tests", "namespace": HOME});
        let objects = json!({"apiVersion": "v1", "kind": "List", "items": [
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": HOME}},
            {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "tests", "namespace": HOME}},
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
             "metadata": {"name": HOME}, "subjects": [account],
             "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"}},
        ]});
        self.kubectl_with_input(&["apply", "--filename", "-"], &objects.to_string());
        self.create_token(HOME, "tests")
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file with the authority of the server's certificate.
    pub fn ca(&self) -> PathBuf {
        self.folder.join("ca.crt")
    }

    /// The kubeconfig of cluster-admin.
    pub fn kubeconfig(&self) -> PathBuf {
        self.folder.join("kubeconfig")
    }

    /// The server's URL.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Host and port of the server.
    pub fn address(&self) -> (&str, &str) {
        let authority = self.server.strip_prefix("https://").expect("an https URL");
        authority.rsplit_once(':').expect("a URL with a port")
    }

    /// A token for a service account, from the TokenRequest API, as a kubelet gets it for a pod.
    pub fn create_token(&self, namespace: &str, account: &str) -> String {
        self.kubectl(&["create", "token", account, "--namespace", namespace, "--duration", "24h"])
            .trim()
            .to_owned()
    }

    /// A kubeconfig of a service account, as JSON, with its namespace.
    pub fn kubeconfig_of(&self, namespace: &str, account: &str) -> Value {
        let cluster = json!({"server": self.server(), "certificate-authority": self.ca()});
        let user = json!({"token": self.create_token(namespace, account)});
        let context = json!({"cluster": "c", "user": "u", "namespace": namespace});
        json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "x",
            "clusters": [{"name": "c", "cluster": cluster}],
            "users": [{"name": "u", "user": user}],
            "contexts": [{"name": "x", "context": context}],
        })
    }

    /// What kubectl prints.
    #[track_caller]
    pub fn kubectl(&self, arguments: &[&str]) -> String {
        self.kubectl_with_input(arguments, "")
    }

    /// The same with something to read.
    #[track_caller]
    pub fn kubectl_with_input(&self, arguments: &[&str], input: &str) -> String {
        let mut child = Command::new("kubectl")
            .arg("--kubeconfig")
            .arg(self.kubeconfig())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("kubectl can be started");
        let mut pipe = child.stdin.take().expect("a pipe");
        // kubectl may end without having read all of it; then it says why.
        pipe.write_all(input.as_bytes()).ok();
        drop(pipe);
        let output = child.wait_with_output().expect("kubectl ends");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "kubectl {arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// Creates an object or makes it what `object` says, as a field manager of its own (server-side apply).
    #[track_caller]
    pub fn apply(&self, kind: Kind, object: &Value) -> Value {
        let text =
            |key: &str| object["metadata"][key].as_str().unwrap_or_else(|| panic!("no {key}: {object}"));
        let path = format!("{}?fieldManager=tests&force=true", kind.path(text("namespace"), text("name")));
        self.must(Request::patch(self.url(&path)).json_as("application/apply-patch+yaml", object))
    }

    /// Creates an object; answers the status code and the body.
    pub fn try_create(&self, kind: Kind, object: &Value) -> (u16, Value) {
        let namespace = object["metadata"]["namespace"].as_str().unwrap_or_default();
        let path = kind.path(namespace, "");
        self.send(Request::post(self.url(path.trim_end_matches('/'))).json(object))
    }

    /// Replaces an object (PUT); answers the status code and the body.
    pub fn try_replace(&self, kind: Kind, object: &Value) -> (u16, Value) {
        let text = |key: &str| object["metadata"][key].as_str().unwrap_or_default();
        self.send(Request::put(self.url(&kind.path(text("namespace"), text("name")))).json(object))
    }

    /// Creates an object; answers it as stored.
    #[track_caller]
    pub fn create(&self, kind: Kind, object: &Value) -> Value {
        let (status, answer) = self.try_create(kind, object);
        assert_eq!(status, 201, "{answer}");
        answer
    }

    /// An object, if it is there.
    #[track_caller]
    pub fn get(&self, kind: Kind, namespace: &str, name: &str) -> Option<Value> {
        let (status, answer) = self.send(Request::get(self.url(&kind.path(namespace, name))));
        assert!(status == 200 || status == 404, "{status} {answer}");
        (status == 200).then_some(answer)
    }

    /// The objects of one namespace, or of all.
    #[track_caller]
    pub fn list(&self, kind: Kind, namespace: Option<&str>) -> Vec<Value> {
        let path = match namespace {
            Some(namespace) => kind.path(namespace, "").trim_end_matches('/').to_owned(),
            None => format!("{}/{}", kind.api, kind.plural),
        };
        let (status, answer) = self.send(Request::get(self.url(&path)));
        // Before the first release is installed there is no such kind.
        assert!(status == 200 || status == 404, "{status} {answer}");
        answer["items"].as_array().cloned().unwrap_or_default()
    }

    /// Changes an object by a merge patch; answers it.
    #[track_caller]
    pub fn merge(&self, kind: Kind, namespace: &str, name: &str, patch: &Value) -> Value {
        let url = self.url(&kind.path(namespace, name));
        self.must(Request::patch(url).json_as("application/merge-patch+json", patch))
    }

    /// The same on its status.
    #[track_caller]
    pub fn merge_status(&self, kind: Kind, namespace: &str, name: &str, patch: &Value) -> Value {
        let (status, answer) = self.try_merge_status(kind, namespace, name, patch);
        assert!(status < 300, "status of {name}: {status} {answer}");
        answer
    }

    /// The same; answers the status code and the body.
    pub fn try_merge_status(&self, kind: Kind, namespace: &str, name: &str, patch: &Value) -> (u16, Value) {
        let url = self.url(&format!("{}/status", kind.path(namespace, name)));
        self.send(Request::patch(url).json_as("application/merge-patch+json", patch))
    }

    /// Deletes an object, in the background; it need not be there.
    #[track_caller]
    pub fn delete(&self, kind: Kind, namespace: &str, name: &str) {
        let (status, answer) = self.send(Request::delete(self.url(&kind.path(namespace, name))));
        assert!(status < 300 || status == 404, "{status} {answer}");
    }

    /// Deletes all objects of a kind in all namespaces, whatever their finalizers.
    #[track_caller]
    pub fn clear(&self, kind: Kind) {
        for object in self.list(kind, None) {
            let text = |key: &str| object["metadata"][key].as_str().unwrap_or_default().to_owned();
            let (namespace, name) = (text("namespace"), text("name"));
            if object["metadata"]["finalizers"].is_array() {
                self.merge(kind, &namespace, &name, &json!({"metadata": {"finalizers": null}}));
            }
            self.delete(kind, &namespace, &name);
        }
    }

    #[track_caller]
    fn must(&self, request: Request) -> Value {
        let what = format!("{} {}", request.method.as_str(), request.url);
        let (status, answer) = self.send(request);
        assert!(status < 300, "{what}: {status} {answer}");
        answer
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.server)
    }

    fn send(&self, request: Request) -> (u16, Value) {
        let bearer = format!("Bearer {}", self.token.expose());
        let request = request.secret_header("Authorization", bearer);
        // Of a kind whose CRD has just come: its storage is being set up, and nothing was done.
        let retry = Retry::new(RETRY_BUDGET, &[429]);
        let answer = self.client.send(&request, &retry).expect("the API server answers");
        (answer.status, answer.json().unwrap_or_default())
    }
}
