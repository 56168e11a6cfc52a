//! The plugin against a simulated Neutron, request by request.

mod bench;
mod convergence;
mod faults;
mod ownership;
mod sight;
