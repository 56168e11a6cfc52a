//! The configuration of a pod.

use std::path::Path;

use rest::{Options, Roots};

use super::{Auth, Config, Env, read_if_there};
use crate::Error;

/// `None` outside of a pod, and in a pod without a token (`automountServiceAccountToken: false`).
pub(super) fn config(env: Env<'_>, directory: &Path) -> Result<Option<Config>, Error> {
    let token = directory.join("token");
    let Some(host) = env("KUBERNETES_SERVICE_HOST").filter(|host| !host.is_empty()) else { return Ok(None) };
    if !token.exists() {
        return Ok(None);
    }
    let port = env("KUBERNETES_SERVICE_PORT").filter(|port| !port.is_empty()).unwrap_or("443".to_owned());
    let roots = match read_if_there(&directory.join("ca.crt"), "authority of the API server")? {
        Some(pem) => Roots::Only(pem.into_bytes()),
        None => Roots::System,
    };
    let namespace = read_if_there(&directory.join("namespace"), "namespace of the pod")?;
    Ok(Some(Config {
        server: format!("https://{}:{port}", bracketed(&host)),
        namespace: namespace
            .map(|text| text.trim().to_owned())
            .filter(|name| !name.is_empty())
            .unwrap_or("default".to_owned()),
        auth: Auth::TokenFile(token),
        options: Options { roots, ..Options::default() },
    }))
}

/// An IPv6 address needs brackets in a URL.
fn bracketed(host: &str) -> String {
    if host.contains(':') && !host.starts_with('[') { format!("[{host}]") } else { host.to_owned() }
}
