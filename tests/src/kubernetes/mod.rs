//! What the runs under a real control plane share: a real kube-apiserver, the chart installed by the real Helm, and
//! the real shell-operator, started as the installed Deployment says. There is no node: [`Operator`] is the kubelet.
//!
//! * [`ControlPlane`]: objects of the API server, as cluster-admin;
//! * [`Release`]: the chart in a namespace of its own;
//! * [`pod`]: what the installed Deployment asks of a kubelet;
//! * [`sandbox`]: a container as far as our programs can tell: own root, own processes, no rights;
//! * [`Operator`]: shell-operator in it, its log, its runs and its metrics;
//! * [`predecessor`]: what the previous implementation leaves behind;
//! * [`audit`]: what a service account asked of the API server;
//! * [`serve_templates`]: OpenShift's Template API, behind the API server;
//! * [`Stage`]: all of these and a real cloud, for one scenario of router-flavors;
//! * [`Workshop`]: the same without a cloud, for one of template-workloads.

pub mod audit;
mod by_hand;
mod contexts;
mod control_plane;
mod helm;
mod log;
mod metrics;
mod operator;
pub mod pod;
mod pods;
pub mod predecessor;
pub mod sandbox;
mod servers;
mod stage;
mod templates;
mod verdict;
mod wait;
mod workshop;

pub use by_hand::{ByHand, image_with};
pub use contexts::Contexts;
pub use control_plane::{ControlPlane, Kind, NRF, TW};
pub use helm::Release;
pub use log::{Log, Run};
pub use metrics::Metrics;
pub use operator::Operator;
pub use servers::CloudServers;
pub use stage::{NEVER, OFTEN, PREFIX, Stage, play};
pub use templates::{PROCESSED, TEMPLATE, serve_templates};
pub use verdict::{is_finalized, verdict};
pub use wait::{LIMIT, eventually, eventually_within};
pub use workshop::{Workshop, play_workloads};

/// A folder or file that the runner names in a variable.
///
/// # Panics
/// If the variable is not set.
fn given(variable: &str) -> std::path::PathBuf {
    std::env::var_os(variable).unwrap_or_else(|| panic!("{variable} must be set: make e2e-kubernetes")).into()
}
