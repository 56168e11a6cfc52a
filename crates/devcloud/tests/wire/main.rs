//! The simulators over their sockets, held to what was measured on real servers.

// Bodies are made where they are sent: `&json!(…)` at every call would be noise.
#![allow(clippy::needless_pass_by_value)]

mod client;
mod clouds;
mod faults;
mod keystone;
mod keystone_credentials;
mod kube_access;
mod kube_apply;
mod kube_delete;
mod kube_list;
mod kube_objects;
mod kube_recorded;
mod kube_status;
mod kube_templates;
mod kube_validation;
mod neutron_bindings;
mod neutron_flavors;
mod neutron_lists;
mod neutron_pages;
mod neutron_policy;
mod neutron_profiles;
mod neutron_routers;
mod shell_operator;
mod template_api;
