//! Where the API server is, and who we are.

mod entry;
mod in_cluster;
mod kubeconfig;

use std::path::{Path, PathBuf};

use rest::Secret;

use crate::Error;

/// Where a pod finds its token, its namespace and the authority of the API server.
const SERVICE_ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// Reads an environment variable.
type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

/// How to reach an API server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The URL, `https://…` or `http://…`, perhaps with a path.
    pub server: String,
    /// The namespace when none is named.
    pub namespace: String,
    /// The credentials besides a client certificate, which is in `options`.
    pub auth: Auth,
    /// TLS, proxy and time limits.
    pub options: rest::Options,
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
    /// [`Error::Config`] if there is none, or something in it is missing or not supported (`exec` and
    /// `auth-provider`, for two); [`Error::File`] if a file that it names cannot be read.
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
            None => kubeconfig::config(env),
        }
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
#[path = "tests.rs"]
mod tests;
