//! Credential plugins: programs that hand out a token or a client certificate (client.authentication.k8s.io).

mod answer;
mod run;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rest::{Options, Proxy, Roots, Secret};
use serde_json::{Map, Value, json};

pub(crate) use answer::Answer;

use crate::Error;

/// As long as a person needs to log in with a browser.
const PATIENCE: Duration = Duration::from_secs(60);

/// A credential plugin, as the `exec` of a kubeconfig's user describes it.
///
/// It is run when a request first needs credentials, again when those it gave have expired, and once more when
/// the server answers 401. It gets 60 s and no terminal. What it prints is never passed on: its errors have to
/// be looked at by running it by hand. [`Debug`](fmt::Debug) shows neither arguments nor environment.
#[derive(Clone, PartialEq, Eq)]
pub struct Exec {
    /// For errors: `/home/me/.kube/config: user "admin": exec`.
    pub(crate) at: String,
    pub(crate) command: PathBuf,
    pub(crate) args: Vec<Secret>,
    /// Besides the environment of this process.
    pub(crate) env: Vec<(String, Secret)>,
    pub(crate) api_version: String,
    pub(crate) install_hint: Option<String>,
    /// With `provideClusterInfo` what the cluster's entry holds for plugins, perhaps null.
    pub(crate) cluster_config: Option<Value>,
}

impl Exec {
    /// Runs the plugin for this server.
    pub(crate) fn run(&self, server: &str, options: &Options) -> Result<Answer, Error> {
        log::debug!("{}: running {:?}", self.at, self.command);
        let output = run::run(self, &self.info(server, options).to_string(), PATIENCE)?;
        Answer::read(&output, &self.api_version).map_err(|problem| self.error(problem, None))
    }

    /// What goes into `KUBERNETES_EXEC_INFO`.
    fn info(&self, server: &str, options: &Options) -> Value {
        let mut spec = Map::from_iter([("interactive".to_owned(), false.into())]);
        if let Some(config) = &self.cluster_config {
            spec.insert("cluster".to_owned(), cluster(server, options, config));
        }
        json!({"kind": "ExecCredential", "apiVersion": self.api_version, "spec": spec})
    }

    fn error(&self, problem: impl Into<String>, source: Option<io::Error>) -> Error {
        let (command, problem) = (self.command.display().to_string(), problem.into());
        Error::Plugin { at: self.at.clone(), command, problem, source }
    }
}

/// The cluster's entry as plugins see it; fields without a value are left out.
fn cluster(server: &str, options: &Options, config: &Value) -> Value {
    let mut cluster = Map::new();
    let mut put = |name: &str, value: Value| cluster.insert(name.to_owned(), value);
    put("server", server.into());
    if let Some(name) = &options.tls_server_name {
        put("tls-server-name", name.as_str().into());
    }
    if options.insecure {
        put("insecure-skip-tls-verify", true.into());
    }
    if let Roots::Only(pem) = &options.roots {
        put("certificate-authority-data", STANDARD.encode(pem).into());
    }
    if let Proxy::Url(url) = &options.proxy {
        put("proxy-url", url.as_str().into());
    }
    if !config.is_null() {
        put("config", config.clone());
    }
    Value::Object(cluster)
}

impl fmt::Debug for Exec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exec").field("at", &self.at).field("command", &self.command).finish_non_exhaustive()
    }
}
