//! Blocking HTTP with TLS, timeouts, a retry policy, redaction and size limits.
//!
//! A [`Client`] sends a [`Request`] under a [`Retry`] policy and returns a [`Response`] for every HTTP status,
//! redirects included: which status is an error is for the crate to say that knows the service. [`Error`] is
//! what comes back when there is no HTTP answer, and its text is the same from run to run.
//!
//! ```no_run
//! use rest::{Client, Options, Request, Retry};
//!
//! let client = Client::new(Options::default())?;
//! let request = Request::get("https://example.com/v2.0/flavors").query("limit", "100").secret_header("X-Auth-Token", "t0ken");
//! let retry = Retry::new(rest::RETRY_BUDGET, &[429, 502, 503, 504]);
//! let response = client.send(&request, &retry)?;
//! println!("{} {}", response.status, response.text());
//! # Ok::<(), rest::Error>(())
//! ```
//!
//! The modules: [`yaml`] reads YAML into JSON values, [`summary`] makes a server's answer fit into an error
//! text, [`encode`] percent-encodes what goes into a URL, [`Timestamp`] is a moment as
//! RFC 3339 writes it.

mod cause;
mod client;
mod date;
mod error;
mod options;
mod pem;
mod pin;
mod request;
mod response;
mod retry;
mod secret;
mod text;
mod time;
mod tls;
mod url;
pub mod yaml;

pub use client::{Client, request_count};
pub use error::Error;
pub use options::{Options, Proxy, Roots};
pub use request::{Header, Method, Request};
pub use response::Response;
pub use retry::{Clock, RETRY_BUDGET, Retry};
pub use secret::Secret;
pub use text::summary;
pub use time::Timestamp;
pub use url::{encode, without_login};
