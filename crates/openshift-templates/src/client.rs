//! The client, and how long it waits.

use std::fmt;
use std::time::Duration;

use crate::Error;

/// How long a request may take.
///
/// ```
/// use std::time::Duration;
/// use openshift_templates::Timeouts;
///
/// let timeouts = Timeouts { request: Duration::from_secs(5), ..Timeouts::default() };
/// assert_eq!(timeouts.connect, Duration::from_secs(10));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For making a connection, TLS included. Default: 10 s.
    pub connect: Duration,
    /// For one request, from its start to the last byte of the answer. Default: 60 s.
    pub request: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts { connect: Duration::from_secs(10), request: Duration::from_secs(60) }
    }
}

impl Timeouts {
    pub(crate) fn check(self) -> Result<(), Error> {
        for (argument, duration) in [("connect timeout", self.connect), ("request timeout", self.request)] {
            if duration.is_zero() {
                return Err(Error::argument(argument, "it is zero: give a positive duration".to_owned()));
            }
        }
        Ok(())
    }
}

/// A connection to one cluster, to be used for any number of operations, from any number of threads. It holds
/// no state about templates or objects.
///
/// Reads are repeated for up to 20 s while the server is overloaded (429), away (502, 503, 504) or cannot be
/// connected to; everything else is sent once. A request that got no answer in time is never repeated.
///
/// ```no_run
/// use openshift_templates::{ConnectOptions, TemplateInputs, connect};
///
/// let client = connect(&ConnectOptions::default())?;
/// let references = client.create(&TemplateInputs::new("web", "jobs").parameter("NAME", "web-1"))?;
/// # Ok::<(), openshift_templates::Error>(())
/// ```
#[derive(Clone)]
pub struct Client {
    pub(crate) kube: kube::Client,
    timeouts: Option<Timeouts>,
}

impl Client {
    pub(crate) fn new(kube: kube::Client, timeouts: Timeouts) -> Client {
        Client { kube, timeouts: Some(timeouts) }
    }

    /// A client over a connection that was made elsewhere, with that one's time limits and repetitions.
    ///
    /// ```no_run
    /// let kube = openshift_templates::kube::Client::connect()?;
    /// let client = openshift_templates::Client::from_kube(kube);
    /// # Ok::<(), openshift_templates::Error>(())
    /// ```
    pub fn from_kube(kube: kube::Client) -> Client {
        Client { kube, timeouts: None }
    }

    /// The Kubernetes client underneath, for what this one does not do.
    ///
    /// ```no_run
    /// # use openshift_templates::{ConnectOptions, connect};
    /// let client = connect(&ConnectOptions::default())?;
    /// println!("{}", client.kube().default_namespace());
    /// # Ok::<(), openshift_templates::Error>(())
    /// ```
    pub fn kube(&self) -> &kube::Client {
        &self.kube
    }

    /// The same client with other time limits, for one operation or more. It shares the credentials; it shares
    /// the connections, too, if only the limit for requests is another.
    ///
    /// # Errors
    /// [`Error::Argument`] for a limit of zero; [`Error::Kube`] if no client can be built.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # use openshift_templates::{ConnectOptions, TemplateInputs, Timeouts, connect};
    /// # let (client, inputs) = (connect(&ConnectOptions::default())?, TemplateInputs::new("web", "jobs"));
    /// let patient = Timeouts { request: Duration::from_secs(300), ..Timeouts::default() };
    /// client.with_timeouts(patient)?.create(&inputs)?;
    /// # Ok::<(), openshift_templates::Error>(())
    /// ```
    pub fn with_timeouts(&self, timeouts: Timeouts) -> Result<Client, Error> {
        timeouts.check()?;
        let mut kube = self.kube.with_timeout(timeouts.request);
        if self.timeouts.is_none_or(|now| now.connect != timeouts.connect) {
            kube = kube.with_connect_timeout(timeouts.connect)?;
        }
        Ok(Client::new(kube, timeouts))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("kube", &self.kube).field("timeouts", &self.timeouts).finish()
    }
}
