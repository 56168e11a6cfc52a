//! What the OpenStack hooks share: credentials, sessions, network readiness.
