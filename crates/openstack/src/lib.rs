//! `clouds.yaml`, a Keystone session, and typed calls by service.
//!
//! [`Cloud::from_yaml`] reads one cloud, [`Session::new`] connects to it, and
//! [`Session::network`] gives the calls of the Networking API. Nothing here knows Kubernetes.
//!
//! ```no_run
//! # fn main() -> Result<(), openstack::Error> {
//! # let clouds_yaml = "";
//! let cloud = openstack::Cloud::from_yaml(clouds_yaml, "understack", None)?;
//! let session = openstack::Session::new(cloud)?;
//! for flavor in session.network()?.flavors()? {
//!     println!("{} {}", flavor.id, flavor.name);
//! }
//! # Ok(())
//! # }
//! ```

mod answer;
mod catalog;
mod cloud;
mod error;
mod identity;
mod message;
pub mod network;
mod paging;
mod service_types;
mod session;

pub use answer::Answer;
pub use cloud::Cloud;
pub use error::{Error, NoAnswer};
pub use session::Session;
