//! Turns a stored OpenShift Template into running objects, and removes them again.
//!
//! Five functions: [`connect`](connect()), and of its [`Client`] [`process`](Client::process),
//! [`create`](Client::create), [`get`](Client::get) and [`delete`](Client::delete). They block. The server
//! substitutes the parameters; the objects are applied with server-side apply. Nothing is kept between two
//! calls, here or elsewhere: what one process created, another one finds again from the same
//! [`TemplateInputs`], after a restart too. Linking this crate contacts nothing and reads nothing.
//!
//! ```no_run
//! use openshift_templates::{ConnectOptions, TemplateInputs, connect};
//!
//! let client = connect(&ConnectOptions::default())?;
//! let job = TemplateInputs::new("batch-job", "jobs")
//!     .template_namespace("templates")
//!     .parameter("NAME", "report-7")
//!     .parameter("PARALLEL", 4);
//!
//! for reference in client.create(&job)? {
//!     println!("{reference}");
//! }
//! for object in client.get(&job)? {
//!     println!("{} {}", object["metadata"]["name"], object["status"]);
//! }
//! client.delete(&job)?;
//! # Ok::<(), openshift_templates::Error>(())
//! ```
//!
//! Before the first write, every object is checked: it has a name of its own, its kind is served and lives in
//! namespaces, and it is in the target namespace. Conflicts with other managers, and what to do after a
//! failure, are the caller's to decide: [`Error`] says what was done. A program that wants to have a word
//! between the check and the write uses [`plan`](Client::plan) and [`apply`](Client::apply).
//!
//! Permissions, assumptions and limits are in the crate's README.

mod client;
mod connect;
mod create;
mod delete;
mod error;
mod get;
mod inputs;
mod names;
mod nearest;
mod operation;
mod parameters;
mod plan;
mod process;
mod reference;
mod secrets;
mod target;

pub use client::{Client, Timeouts};
pub use connect::{ConnectOptions, connect};
pub use create::FIELD_MANAGER;
pub use error::Error;
pub use inputs::{Selection, TemplateInputs};
/// The Kubernetes client underneath: its errors and resources are part of this interface.
pub use kube;
pub use operation::{Operation, OperationError};
pub use parameters::{ParameterFault, ParameterProblem};
pub use plan::Planned;
pub use process::TEMPLATE_API;
pub use reference::Reference;
pub use target::Target;

/// The examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
