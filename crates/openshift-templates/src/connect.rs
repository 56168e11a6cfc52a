//! How a client comes to its cluster.

use std::path::PathBuf;

use kube::{Config, Source};

use crate::{Client, Error, Timeouts};

/// Where the cluster is, and how it is talked to. The default is what `kubectl` would use: the files of
/// `KUBECONFIG`, else `~/.kube/config`, at their current context, with TLS verification.
///
/// ```
/// use openshift_templates::ConnectOptions;
///
/// let pod = ConnectOptions { in_cluster: true, ..ConnectOptions::default() };
/// let staging = ConnectOptions {
///     kubeconfig: Some("/etc/scheduler/kubeconfig".into()),
///     context: Some("staging".to_owned()),
///     ..ConnectOptions::default()
/// };
/// assert_eq!(pod.timeouts, staging.timeouts);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectOptions {
    /// This kubeconfig alone. Default: the usual search.
    pub kubeconfig: Option<PathBuf>,
    /// This context of the kubeconfig. Default: its current one.
    pub context: Option<String>,
    /// The ServiceAccount of the pod that this program runs in, instead of a kubeconfig. Default: no, and a
    /// pod is never assumed.
    pub in_cluster: bool,
    /// Whether the server's certificate is verified: `Some(true)` whatever the kubeconfig says, `Some(false)`
    /// switches it off. Default: on, unless the kubeconfig itself says `insecure-skip-tls-verify: true`.
    pub verify_tls: Option<bool>,
    /// How long requests may take. Default: 10 s to connect, 60 s for each request.
    pub timeouts: Timeouts,
}

/// Makes a client. Files are read; nothing is sent, nothing is written, and no credential plugin is run: that
/// happens with the first request. A kubeconfig is never written back.
///
/// # Errors
/// [`Error::Argument`] if both in-cluster and a kubeconfig or context are asked for, or an option is empty or
/// zero; [`Error::Kube`] if there is no configuration, or one that cannot be used.
///
/// ```no_run
/// use openshift_templates::{ConnectOptions, connect};
///
/// let client = connect(&ConnectOptions { in_cluster: true, ..ConnectOptions::default() })?;
/// # Ok::<(), openshift_templates::Error>(())
/// ```
pub fn connect(options: &ConnectOptions) -> Result<Client, Error> {
    let ConnectOptions { kubeconfig, context, in_cluster, verify_tls, timeouts } = options;
    timeouts.check()?;
    if *in_cluster && (kubeconfig.is_some() || context.is_some()) {
        let problem = "a kubeconfig or context is given as well: choose one".to_owned();
        return Err(Error::argument("in-cluster", problem));
    }
    if kubeconfig.as_ref().is_some_and(|path| path.as_os_str().is_empty()) {
        return Err(Error::argument("kubeconfig", "the path is empty".to_owned()));
    }
    if context.as_deref() == Some("") {
        return Err(Error::argument("context", "it is empty".to_owned()));
    }
    let source = Source { kubeconfig: kubeconfig.clone(), context: context.clone(), in_cluster: *in_cluster };
    let config = configured(Config::load_from(&source)?, *verify_tls, *timeouts);
    Ok(Client::new(kube::Client::new(config)?, *timeouts))
}

/// What the caller wants, over what was found; for a kubeconfig and for a pod alike.
fn configured(mut config: Config, verify_tls: Option<bool>, timeouts: Timeouts) -> Config {
    if let Some(verify) = verify_tls {
        config.options.insecure = !verify;
    }
    config.options.connect_timeout = timeouts.connect;
    config.options.timeout = timeouts.request;
    config.options.user_agent = concat!("openshift-templates/", env!("CARGO_PKG_VERSION")).to_owned();
    config
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// The configuration of a pod whose files are in `folder`.
    fn pod(folder: &std::path::Path) -> Config {
        std::fs::write(folder.join("token"), "t").unwrap();
        let env = |name: &str| (name == "KUBERNETES_SERVICE_HOST").then(|| "10.96.0.1".to_owned());
        let source = Source { in_cluster: true, ..Source::default() };
        Config::load_from_and(&source, &env, folder).unwrap()
    }

    #[test]
    fn in_a_pod_too_certificates_are_verified_unless_that_is_switched_off() {
        let folder = tempfile::tempdir().unwrap();
        for (verify_tls, insecure) in [(None, false), (Some(true), false), (Some(false), true)] {
            let config = configured(pod(folder.path()), verify_tls, Timeouts::default());
            assert_eq!(config.options.insecure, insecure, "{verify_tls:?}");
        }
    }

    #[test]
    fn the_time_limits_are_ours_and_not_those_of_the_library_below() {
        let folder = tempfile::tempdir().unwrap();
        let limits = |timeouts| {
            let options = configured(pod(folder.path()), None, timeouts).options;
            (options.connect_timeout.as_secs(), options.timeout.as_secs())
        };
        assert_eq!(limits(Timeouts::default()), (10, 60));
        let other = Timeouts { connect: Duration::from_secs(3), request: Duration::from_secs(7) };
        assert_eq!(limits(other), (3, 7));
    }
}
