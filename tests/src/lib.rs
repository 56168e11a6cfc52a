//! What the tests, the demo and the runs against real servers share: sites with a Kubernetes API, clouds where
//! there is need of them, and the real hook binaries, run as processes the way shell-operator runs them.
//!
//! * [`binaries`] builds and finds the hook binaries;
//! * [`Hook`] runs one with a clean environment; [`Outcome`] is what came of it;
//! * [`Neutron`] looks at a cloud over HTTP, devcloud's or a real one;
//! * [`HookSite`] puts them together: apply a CR, run the hook, look; [`Site`] is that of router-flavors, with clouds;
//! * [`workloads`] has the site of template-workloads;
//! * [`scenarios`] do that for all that users do;
//! * [`kubernetes`] does it under a real control plane.

#![allow(clippy::needless_pass_by_value, reason = "tests hand over json! literals")]

pub mod binaries;
mod golden;
mod hook;
mod hook_site;
pub mod kubernetes;
mod neutron;
mod reasons;
mod repository;
mod rights;
pub mod scenarios;
mod site;
mod tools;
pub mod workloads;

pub use golden::golden;
pub use hook::{Hook, Outcome, high_water};
pub use hook_site::{HookSite, Served};
pub use neutron::Neutron;
pub use reasons::reasons;
pub use repository::{CRDS, crd_files, crds, repository, walk, yaml};
pub use rights::{Right, rights};
pub use site::{BINDING, KIND, NAMESPACE, PREFIX, SECRET, SERVED, Site, flavor_cr, merge};
pub use tools::finds_nothing;
