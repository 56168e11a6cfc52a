//! Secrets of a group's namespace, read when a plugin asks for them.

use std::cell::OnceCell;

use crate::error::PluginError;

/// The Kubernetes client, built at its first use: a run that has nothing to do reads no kubeconfig and no
/// service account file.
#[derive(Debug, Default)]
pub struct LazyKube {
    client: OnceCell<Result<kube::Client, kube::Error>>,
}

impl LazyKube {
    /// Nothing is read yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A client that is there already, for programs with a configuration of their own.
    pub fn with_client(client: kube::Client) -> Self {
        Self { client: OnceCell::from(Ok(client)) }
    }

    /// The client.
    ///
    /// # Errors
    /// [`PluginError::cr`] with the reason why there is no usable configuration; the same each time.
    pub fn get(&self) -> Result<&kube::Client, PluginError> {
        match self.client.get_or_init(kube::Client::connect) {
            Ok(client) => Ok(client),
            Err(error) => Err(PluginError::cr(format!("no Kubernetes API: {error}"))),
        }
    }
}

/// The Secrets of one namespace.
#[derive(Debug)]
pub struct Secrets<'a> {
    kube: &'a LazyKube,
    namespace: &'a str,
}

impl<'a> Secrets<'a> {
    /// The Secrets of `namespace`.
    pub fn new(kube: &'a LazyKube, namespace: &'a str) -> Self {
        Self { kube, namespace }
    }

    /// The namespace of the group.
    pub fn namespace(&self) -> &str {
        self.namespace
    }

    /// The Kubernetes client, for plugins whose other side is Kubernetes itself.
    ///
    /// # Errors
    /// As [`LazyKube::get`].
    pub fn kube(&self) -> Result<&'a kube::Client, PluginError> {
        self.kube.get()
    }

    /// Reads the Secret `name`; one request.
    ///
    /// # Errors
    /// [`PluginError::not_ready`] if the API server gave no usable answer, else [`PluginError::group`] that
    /// names the Secret and its namespace.
    pub fn get(&self, name: &str) -> Result<kube::SecretData, PluginError> {
        let namespace = self.namespace;
        self.kube()?.secret(namespace, name).map_err(|error| {
            if error.is_not_found() {
                return PluginError::group(
                    crate::error::REASON_RECONCILE_ERROR,
                    format!("secret {name:?} does not exist in namespace {namespace:?}"),
                );
            }
            let message = format!("cannot read secret {name:?} in namespace {namespace:?}: {error}");
            if error.is_unavailable() {
                PluginError::not_ready(message)
            } else {
                PluginError::group(crate::error::REASON_RECONCILE_ERROR, message)
            }
        })
    }
}
