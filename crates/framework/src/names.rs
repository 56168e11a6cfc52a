//! Names on CRs that are interface: other programs, runbooks and the previous implementation know them.

/// Keeps a CR until its resources are gone.
pub const FINALIZER: &str = "openstack-sync.understack.rackspace.net/finalizer";
/// Annotation: a sorted JSON array of the credentials (names only) that hold resources of the CR.
pub const APPLIED_ANNOTATION: &str = "openstack-sync.understack.rackspace.net/applied";
/// Annotation: `"true"` gives up what the CR holds where its credentials can no longer be used.
pub const ABANDON_ANNOTATION: &str = "openstack-sync.understack.rackspace.net/abandon";
