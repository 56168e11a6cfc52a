//! The life of CRs under a real control plane, the real shell-operator, the chart installed by the real Helm, and real
//! Keystone and Neutron: `make e2e-kubernetes`, which sets the variables that the harness reads, with
//! `-- --ignored --test-threads 1`: each scenario empties the cloud and deletes all CRs first, and all operators listen
//! on the port that the chart fixes.

mod by_hand;
mod credentials;
mod hooks;
mod life;
mod namespaces;
mod outage;
mod prune;
mod scale;
mod server;
mod template_api;
mod workloads;
mod zz_audit;
