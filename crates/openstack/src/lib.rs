//! clouds.yaml, a Keystone session, and typed calls by service.
