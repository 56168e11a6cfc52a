//! Blocking HTTP with TLS, timeouts, a retry policy, redaction and size limits.
