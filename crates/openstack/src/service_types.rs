//! The official names of services and their aliases (OpenStack service-types-authority).

/// Official type first, then its aliases, in the authority's order. Types without an alias
/// (network, identity, compute …) need no line.
const ALIASES: [&[&str]; 9] = [
    &["baremetal", "bare-metal"],
    &["block-storage", "volumev3", "volumev2", "volume", "block-store"],
    &["clustering", "resource-cluster", "cluster"],
    &["container-infrastructure-management", "container-infrastructure", "container-infra"],
    &["message", "messaging"],
    &["object-store", "object-storage"],
    &["optimization", "infra-optim"],
    &["shared-file-system", "sharev2", "share"],
    &["workflow", "workflowv2"],
];

/// All names of a service: the official one, then the aliases. A type that is not known is its
/// own only name.
pub(crate) fn all(service_type: &str) -> Vec<String> {
    let known = ALIASES.iter().find(|names| names.contains(&service_type));
    known.map_or_else(
        || vec![service_type.to_owned()],
        |names| names.iter().map(|name| (*name).to_owned()).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alias_leads_to_the_official_name_first() {
        assert_eq!(all("bare-metal"), ["baremetal", "bare-metal"]);
        assert_eq!(all("baremetal"), ["baremetal", "bare-metal"]);
        assert_eq!(all("network"), ["network"]);
        assert_eq!(all("acme"), ["acme"]);
    }
}
