//! What is bad in a context, a CR, a Secret, a cloud or a variable: each is named on one clear line, costs exit
//! code 1 and nothing else. No resource is deleted, the other CRs go on, and a second run over the same state
//! writes nothing.
//!
//! The world of each case ([`world`]) has a CR that can be served, a managed flavor and a managed profile that
//! nobody claims (a full run without doubt deletes both), and things made by hand.

mod clouds;
mod contexts;
mod crs;
mod variables;
mod world;
