//! Where the API server is, and who we are.

mod entry;
mod exec;
mod in_cluster;
mod kubeconfig;

use std::fmt;
use std::path::{Path, PathBuf};

use rest::{Secret, without_login};

use crate::{Error, Exec};

/// Where a pod finds its token, its namespace and the authority of the API server.
const SERVICE_ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// Reads an environment variable.
type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

/// How to reach an API server. `Debug` shows no credentials, not even those in the server's URL.
#[derive(Clone)]
pub struct Config {
    /// The URL, `https://…` or `http://…`, perhaps with a path.
    pub server: String,
    /// The namespace when none is named.
    pub namespace: String,
    /// The credentials besides a client certificate, which is in `options`.
    pub auth: Auth,
    /// TLS, proxy and time limits. `insecure` is what the kubeconfig says (`insecure-skip-tls-verify`), and
    /// false in a pod; `connect_timeout` and `timeout` are the defaults of [`rest::Options`]. All may be
    /// changed before a [`Client`](crate::Client) is made.
    pub options: rest::Options,
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("server", &without_login(&self.server))
            .field("namespace", &self.namespace)
            .field("auth", &self.auth)
            .field("options", &self.options)
            .finish()
    }
}

/// What goes into the `Authorization` header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Auth {
    /// Nothing.
    None,
    /// A bearer token.
    Token(Secret),
    /// A bearer token in a file that is replaced from time to time.
    TokenFile(PathBuf),
    /// User and password.
    Basic {
        /// The user.
        username: String,
        /// The password.
        password: Secret,
    },
    /// What a credential plugin hands out: a bearer token, a client certificate, or both.
    Exec(Box<Exec>),
}

/// Where a configuration is looked for. Default: in the usual kubeconfig, at its current context, and never in
/// a pod.
///
/// ```
/// use kube::Source;
///
/// let pod = Source { in_cluster: true, ..Source::default() };
/// let staging = Source { context: Some("staging".to_owned()), ..Source::default() };
/// assert_ne!(pod, staging);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// This file alone; `None` for the files of `KUBECONFIG` merged, or `$HOME/.kube/config`.
    pub kubeconfig: Option<PathBuf>,
    /// This context of the kubeconfig; `None` for its current one.
    pub context: Option<String>,
    /// The pod's service account instead. Cannot be combined with the other two.
    pub in_cluster: bool,
}

impl Config {
    /// The configuration that this process's environment points to; see [`from_env`](Config::from_env).
    ///
    /// # Errors
    /// As [`from_env`](Config::from_env).
    pub fn load() -> Result<Config, Error> {
        Config::from_env(&|name| std::env::var(name).ok())
    }

    /// In a pod (`KUBERNETES_SERVICE_HOST` is set and the service account's token is mounted) that one, else
    /// the kubeconfig: the files of `KUBECONFIG` merged, or `$HOME/.kube/config`, at their current context.
    ///
    /// # Errors
    /// [`Error::Config`] if there is none, or something in it is missing or not supported (`auth-provider` and
    /// impersonation); [`Error::File`] if a file that it names cannot be read.
    pub fn from_env(env: &dyn Fn(&str) -> Option<String>) -> Result<Config, Error> {
        Config::from_env_and(env, Path::new(SERVICE_ACCOUNT))
    }

    /// [`from_env`](Config::from_env) with another place for the service account's files.
    ///
    /// # Errors
    /// As [`from_env`](Config::from_env).
    pub fn from_env_and(env: Env<'_>, service_account: &Path) -> Result<Config, Error> {
        match in_cluster::config(env, service_account)? {
            Some(config) => Ok(config),
            None => kubeconfig::config(env, &Source::default(), true),
        }
    }

    /// The configuration of this source and no other. Nothing is written and no plugin is run.
    ///
    /// # Errors
    /// [`Error::Config`] if it is not there, something in it is missing or not supported, or `source` asks for
    /// both pod and kubeconfig; [`Error::File`] if the file of `source`, or one that it names, cannot be read.
    pub fn load_from(source: &Source) -> Result<Config, Error> {
        let env = |name: &str| std::env::var(name).ok();
        Config::load_from_and(source, &env, Path::new(SERVICE_ACCOUNT))
    }

    /// [`load_from`](Config::load_from) with another environment, and another place for the service account's
    /// files.
    ///
    /// # Errors
    /// As [`load_from`](Config::load_from).
    pub fn load_from_and(source: &Source, env: Env<'_>, service_account: &Path) -> Result<Config, Error> {
        if !source.in_cluster {
            return kubeconfig::config(env, source, false);
        }
        let error =
            |problem: &str| Error::Config { at: "in-cluster".to_owned(), problem: problem.to_owned() };
        if source.kubeconfig.is_some() || source.context.is_some() {
            return Err(error("a kubeconfig or context is named too: choose one of the two"));
        }
        in_cluster::config(env, service_account)?.ok_or_else(|| {
            error(
                "KUBERNETES_SERVICE_HOST is not set or the service account's token is not mounted: \
                 this works in a pod only",
            )
        })
    }
}

/// The token in a file.
pub(crate) fn read_token(path: &Path) -> Result<Secret, Error> {
    let token = read(path, "bearer token")?;
    match token.trim() {
        "" => Err(Error::Config {
            at: path.display().to_string(),
            problem: "the file holds no token: is it mounted?".to_owned(),
        }),
        token => Ok(Secret::new(token)),
    }
}

/// A text file; `what` says in an error what it is for.
fn read(path: &Path, what: &str) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|source| Error::File {
        what: what.to_owned(),
        path: path.display().to_string(),
        source,
    })
}

/// A text file that may be missing.
fn read_if_there(path: &Path, what: &str) -> Result<Option<String>, Error> {
    match read(path, what) {
        Err(Error::File { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => Ok(None),
        outcome => outcome.map(Some),
    }
}

#[cfg(test)]
mod tests;
