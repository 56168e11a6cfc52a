//! A small blocking Kubernetes client.
