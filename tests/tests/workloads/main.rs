//! template-workloads against devcloud, as whoever looks from outside sees it: statuses, objects, requests, exit codes
//! and logs.

mod accidents;
mod beside;
mod boundaries;
mod changed;
mod conflict;
mod created;
mod cut;
mod deleted;
mod foreign;
mod forged;
mod hand;
mod parameters;
mod random;
mod secrets;
mod stale;
mod web;
