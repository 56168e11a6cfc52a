//! A session against a small HTTP server in the same process.

mod calls;
mod login;
mod support;
mod unreachable;
