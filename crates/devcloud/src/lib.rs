//! Loopback simulators of Kubernetes, Keystone and Neutron for development and tests.
//!
//! They answer as the real servers do, also where those are odd: **a simulator that is nicer than Neutron is a bug.**
//! What a real server was measured to answer, body, code and text, is what is answered here; what is not simulated
//! is said in the documentation of [`Kube`], [`Keystone`] and [`Neutron`].
//!
//! ```
//! use devcloud::{DevCloud, Options};
//!
//! let cloud = DevCloud::start(Options::default())?;
//! let flavor = cloud.neutron().add_flavor(serde_json::json!({"name": "small", "service_type": "L3_ROUTER_NAT"}));
//! assert_eq!(flavor["service_profiles"], serde_json::json!([]));
//! assert!(cloud.clouds_yaml().contains(&cloud.keystone_url()));
//! assert!(cloud.journal().is_empty(), "what is done in process is not in the journal");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Several clouds are several [`DevCloud`]s; [`DevCloud::clouds_yaml_for`] names them in one file.

mod cloud;
mod faults;
mod go_json;
mod http;
mod journal;
mod keystone;
mod kube;
mod neutron;
mod random;
mod server;
pub mod shell_operator;
mod template_api;
mod time;
mod tls;

pub use cloud::{DevCloud, Options};
pub use faults::{Action, Fault};
pub use journal::{Entry, Service};
pub use keystone::Keystone;
pub use kube::Kube;
pub use neutron::Neutron;
pub use template_api::TemplateApi;
