//! What the tests, the demo and the runs against real servers share: a [`Site`] with a Kubernetes API, one or
//! more clouds and the real hook binaries, run as processes the way shell-operator runs them.
//!
//! * [`binaries`] builds and finds the hook binaries;
//! * [`Hook`] runs one with a clean environment; [`Outcome`] is what came of it;
//! * [`Neutron`] looks at a cloud over HTTP, devcloud's or a real one;
//! * [`Site`] puts them together: apply a CR, run the hook, look;
//! * [`scenarios`] do that for all that users do;
//! * [`kubernetes`] does it under a real control plane.

#![allow(clippy::needless_pass_by_value, reason = "tests hand over json! literals")]

pub mod binaries;
mod golden;
mod hook;
pub mod kubernetes;
mod neutron;
mod reasons;
mod repository;
mod rights;
pub mod scenarios;
mod site;
mod tools;

pub use golden::golden;
pub use hook::{Hook, Outcome, high_water};
pub use neutron::Neutron;
pub use reasons::reasons;
pub use repository::{CRDS, crd_files, crds, repository, walk, yaml};
pub use rights::{Right, rights};
pub use site::{BINDING, KIND, NAMESPACE, PREFIX, SECRET, Site, flavor_cr, merge};
pub use tools::finds_nothing;
