//! One simulated cloud: three services on loopback.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::faults::{Action, Fault, Faults};
use crate::http::{Handler, Request, Response};
use crate::journal::{Entry, Journal, Service};
use crate::keystone::Keystone;
use crate::kube::Kube;
use crate::neutron::Neutron;
use crate::random::Ids;
use crate::server::{Outcome, Serve, Server};
use crate::tls::Identity;

/// How a cloud is to be.
#[derive(Debug, Clone)]
pub struct Options {
    /// Neutron's `pagination_max_limit`: no answer has more items; default none.
    pub page_limit: Option<usize>,
    /// How long a token lives; default one hour.
    pub token_life: Duration,
    /// How long every answer takes at least; default zero.
    pub latency: Duration,
    /// As on MariaDB: filters ignore case, accents and trailing spaces, lists come by id, emoji in a description are
    /// a 500. Default false: as on SQLite, exact and in the order of creation.
    pub case_blind: bool,
    /// Keystone and Neutron over TLS, with the certificate of [`DevCloud::ca_pem`]; default false.
    pub openstack_tls: bool,
    /// DNS names that the certificate of the TLS servers is for as well, beside localhost, 127.0.0.1 and ::1. URLs
    /// have the address all the same: who makes a name lead here puts it into them. Default none.
    pub tls_names: Vec<String>,
    /// More L3 service providers than Neutron's own four: name and class path.
    pub providers: Vec<(String, String)>,
    /// Makes ids repeatable. Default `None`: random, so that no two clouds share an id.
    pub seed: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            page_limit: None,
            token_life: Duration::from_secs(3600),
            latency: Duration::ZERO,
            case_blind: false,
            openstack_tls: false,
            tls_names: Vec::new(),
            providers: Vec::new(),
            seed: None,
        }
    }
}

/// A running cloud; dropping it stops its servers and closes their connections.
pub struct DevCloud {
    kube: Arc<Kube>,
    keystone: Arc<Keystone>,
    neutron: Arc<Neutron>,
    journal: Arc<Journal>,
    faults: Arc<Faults>,
    ca_pem: String,
    tls: bool,
    kube_server: Server,
    keystone_server: Server,
    neutron_server: Server,
}

/// A user that `clouds.yaml` can name.
const USERS: [(&str, &str, &str, &str); 4] = [
    ("", "admin", "admin-secret", "admin"),
    ("-member", "demo", "demo-secret", "demo"),
    ("-reader", "viewer", "viewer-secret", "demo"),
    ("-nobody", "nobody", "nobody-secret", "demo"),
];

impl DevCloud {
    /// Starts the three services on free ports of 127.0.0.1.
    ///
    /// # Errors
    /// If a socket, a thread or a certificate cannot be made, the latter for one of the names, too.
    pub fn start(options: Options) -> io::Result<Self> {
        let Options {
            page_limit,
            token_life,
            latency,
            case_blind,
            openstack_tls,
            tls_names,
            providers,
            seed,
        } = options;
        let ids = |salt: u64| Ids::new(seed.map(|seed| seed.wrapping_mul(3).wrapping_add(salt)));
        let identity = Identity::generate(&tls_names, None)?;
        let kube = Arc::new(Kube::new(ids(0)));
        let keystone = Arc::new(Keystone::new(ids(1), token_life));
        let neutron = Neutron::new(ids(2), Arc::clone(&keystone), case_blind, page_limit, &providers);
        let neutron = Arc::new(neutron);
        let journal = Arc::new(Journal::default());
        let faults = Arc::new(Faults::default());
        let gate = |service: Service, inner: Arc<dyn Handler>| {
            let gate = Gate {
                service,
                inner,
                journal: Arc::clone(&journal),
                faults: Arc::clone(&faults),
                keystone: Arc::clone(&keystone),
                latency,
            };
            let serve: Arc<Serve> = Arc::new(move |request: &Request| gate.pass(request));
            serve
        };
        let openstack_config = openstack_tls.then(|| Arc::clone(&identity.server));
        let kube_server = Server::start(Some(identity.server), gate(Service::Kubernetes, kube.clone()))?;
        let keystone_server =
            Server::start(openstack_config.clone(), gate(Service::Keystone, keystone.clone()))?;
        let neutron_server = Server::start(openstack_config, gate(Service::Neutron, neutron.clone()))?;
        let cloud = Self {
            kube,
            keystone,
            neutron,
            journal,
            faults,
            ca_pem: identity.ca_pem,
            tls: openstack_tls,
            kube_server,
            keystone_server,
            neutron_server,
        };
        cloud.keystone.publish(&cloud.keystone_url(), &cloud.neutron_url());
        Ok(cloud)
    }

    /// The Kubernetes API server's state.
    pub fn kube(&self) -> &Kube {
        &self.kube
    }

    /// Keystone's state.
    pub fn keystone(&self) -> &Keystone {
        &self.keystone
    }

    /// Neutron's state.
    pub fn neutron(&self) -> &Neutron {
        &self.neutron
    }

    /// `https://127.0.0.1:<port>`
    pub fn kube_url(&self) -> String {
        format!("https://{}", self.kube_server.address())
    }

    /// Keystone's URL without `/v3`.
    pub fn keystone_url(&self) -> String {
        format!("{}://{}", self.scheme(), self.keystone_server.address())
    }

    /// Neutron's URL without `/v2.0`, as it is in the catalogue.
    pub fn neutron_url(&self) -> String {
        format!("{}://{}", self.scheme(), self.neutron_server.address())
    }

    fn scheme(&self) -> &'static str {
        if self.tls { "https" } else { "http" }
    }

    /// The certificate (PEM) of the authority behind every TLS socket of this cloud.
    pub fn ca_pem(&self) -> &str {
        &self.ca_pem
    }

    /// A kubeconfig (YAML) with one context, the authority's certificate, a bearer token, and namespace `default`.
    pub fn kubeconfig(&self) -> String {
        format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: devcloud\nclusters:\n- name: devcloud\n  cluster:\n    \
             server: {}\n    certificate-authority-data: {}\ncontexts:\n- name: devcloud\n  context:\n    cluster: \
             devcloud\n    user: devcloud\n    namespace: default\nusers:\n- name: devcloud\n  user:\n    token: {}\n",
            self.kube_url(),
            STANDARD.encode(&self.ca_pem),
            self.kube.token(),
        )
    }

    /// Writes [`DevCloud::kubeconfig`] to a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_kubeconfig(&self, path: &Path) -> io::Result<()> {
        std::fs::write(path, self.kubeconfig())
    }

    /// A `clouds.yaml` with `devcloud` (admin), `devcloud-member`, `devcloud-reader` and `devcloud-nobody` (a role
    /// of no meaning). With TLS, the authority is not in it: see [`DevCloud::ca_pem`].
    pub fn clouds_yaml(&self) -> String {
        Self::clouds_yaml_for(&[("devcloud", self)])
    }

    /// The same with another name: `<name>`, `<name>-member` and so on.
    pub fn clouds_yaml_named(&self, name: &str) -> String {
        Self::clouds_yaml_for(&[(name, self)])
    }

    /// One `clouds.yaml` for several clouds: each has four entries, as in [`DevCloud::clouds_yaml`].
    pub fn clouds_yaml_for(clouds: &[(&str, &Self)]) -> String {
        let mut text = "clouds:\n".to_owned();
        for (name, cloud) in clouds {
            for (suffix, user, password, project) in USERS {
                let name = Value::from(format!("{name}{suffix}"));
                text.push_str(&format!(
                    "  {name}:\n    region_name: RegionOne\n    identity_api_version: 3\n    auth:\n      auth_url: \
                     {}/v3\n      username: {user}\n      password: {password}\n      project_name: {project}\n      \
                     user_domain_name: Default\n      project_domain_name: Default\n",
                    cloud.keystone_url(),
                ));
            }
        }
        text
    }

    /// A Secret with a `clouds.yaml` key, as CRs name it; for [`Kube::create`] or [`Kube::apply`].
    pub fn clouds_secret(namespace: &str, name: &str, clouds_yaml: &str) -> Value {
        serde_json::json!({
            "apiVersion": "v1", "kind": "Secret", "metadata": {"namespace": namespace, "name": name},
            "stringData": {"clouds.yaml": clouds_yaml},
        })
    }

    /// The requests since the start or the last [`DevCloud::clear_journal`], in the order of arrival.
    pub fn journal(&self) -> Vec<Entry> {
        self.journal.entries()
    }

    /// Empties the journal.
    pub fn clear_journal(&self) {
        self.journal.clear();
    }

    /// Puts a fault in force, after those that are.
    pub fn inject(&self, fault: Fault) {
        self.faults.inject(fault);
    }

    /// Takes all faults back.
    pub fn clear_faults(&self) {
        self.faults.clear();
    }
}

/// What every request passes: journal, faults, latency.
struct Gate {
    service: Service,
    inner: Arc<dyn Handler>,
    journal: Arc<Journal>,
    faults: Arc<Faults>,
    keystone: Arc<Keystone>,
    latency: Duration,
}

impl Gate {
    fn pass(&self, request: &Request) -> Outcome {
        let number = self.journal.open(self.service, request);
        if !self.latency.is_zero() {
            thread::sleep(self.latency);
        }
        let response = match self.faults.take(self.service, request) {
            Some(Action::CutBefore) => return Outcome::Cut,
            Some(Action::CutAfter) => {
                self.inner.handle(request);
                return Outcome::Cut;
            }
            Some(Action::Answer { status, body, headers }) => answer(status, &body, &headers),
            Some(Action::Forbid { user, verb }) => self
                .inner
                .refuse(request, &user, verb.as_deref())
                .unwrap_or_else(|| self.inner.handle(request)),
            Some(Action::Delay(time)) => {
                thread::sleep(time);
                self.inner.handle(request)
            }
            Some(Action::ExpireTokens) => {
                self.keystone.expire_tokens();
                self.inner.handle(request)
            }
            None => self.inner.handle(request),
        };
        self.journal.close(number, response.status);
        Outcome::Answer(response)
    }
}

fn answer(status: u16, body: &Value, headers: &[(String, String)]) -> Response {
    let media = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let response = match body {
        Value::Null => Response::empty(status),
        Value::String(text) => {
            Response::text(status, media.map_or("text/html", |(_, media)| media.as_str()), text)
        }
        json => Response::json(status, json),
    };
    let others = headers.iter().filter(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
    others.fold(response, |response, (name, value)| response.with_header(name, value))
}
