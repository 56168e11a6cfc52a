//! Loopback simulators of Kubernetes, Keystone and Neutron for development and tests.
