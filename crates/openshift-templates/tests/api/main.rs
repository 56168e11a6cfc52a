//! The five functions against a scripted API server: what is sent, in which order, and what becomes of the
//! answers.

mod connect;
mod create;
mod odd;
mod recorded;
mod select;
mod support;
