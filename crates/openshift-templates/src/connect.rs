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
    let mut config = Config::load_from(&source)?;
    if let Some(verify) = verify_tls {
        config.options.insecure = !verify;
    }
    config.options.connect_timeout = timeouts.connect;
    config.options.timeout = timeouts.request;
    config.options.user_agent = concat!("openshift-templates/", env!("CARGO_PKG_VERSION")).to_owned();
    Ok(Client::new(kube::Client::new(config)?, *timeouts))
}
