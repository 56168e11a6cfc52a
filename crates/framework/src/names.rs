//! Names that are interface: other programs, runbooks, the chart and the previous implementation know them.

/// Keeps a CR until its resources are gone.
pub const FINALIZER: &str = "openstack-sync.understack.rackspace.net/finalizer";
/// Annotation: a sorted JSON array of the credentials (names only) that hold resources of the CR.
pub const APPLIED_ANNOTATION: &str = "openstack-sync.understack.rackspace.net/applied";
/// Annotation: `"true"` gives up what the CR holds where its credentials can no longer be used.
pub const ABANDON_ANNOTATION: &str = "openstack-sync.understack.rackspace.net/abandon";
/// What the chart sets for every hook that has a CRD, without prefix, whether the hook reads it or not.
pub(crate) const CHART_VARIABLES: [&str; 4] =
    ["CRD_API_VERSION", "CRD_KIND", "CRD_RESOURCE", "STATUS_ENABLED"];
