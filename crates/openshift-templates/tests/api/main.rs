//! The five functions against a scripted API server: what is sent, in which order, and what becomes of the
//! answers.

mod connect;
mod create;
mod select;
mod support;
