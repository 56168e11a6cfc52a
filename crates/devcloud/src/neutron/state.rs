//! What Neutron keeps.

use serde_json::{Value, json};

#[derive(Debug, Clone)]
pub(crate) struct Flavor {
    pub(crate) id: String,
    pub(crate) name: String,
    /// A text or null.
    pub(crate) description: Value,
    pub(crate) service_type: String,
    pub(crate) enabled: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Profile {
    pub(crate) id: String,
    pub(crate) description: Value,
    pub(crate) driver: String,
    pub(crate) enabled: bool,
    /// A text or null.
    pub(crate) metainfo: Value,
}

#[derive(Debug, Clone)]
pub(crate) struct Router {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) project: String,
    pub(crate) admin_state_up: bool,
    pub(crate) flavor: Option<String>,
    pub(crate) ha: bool,
    pub(crate) distributed: bool,
    pub(crate) created: String,
    pub(crate) updated: String,
    pub(crate) revision: u64,
}

/// In the order of creation.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) flavors: Vec<Flavor>,
    pub(crate) profiles: Vec<Profile>,
    pub(crate) routers: Vec<Router>,
    /// Flavor id, profile id.
    pub(crate) bindings: Vec<(String, String)>,
}

impl State {
    /// A flavor as answers show it: six keys.
    pub(crate) fn flavor(&self, flavor: &Flavor) -> Value {
        json!({
            "id": flavor.id, "name": flavor.name, "description": flavor.description,
            "service_type": flavor.service_type, "enabled": flavor.enabled,
            "service_profiles": self.bound(&flavor.id),
        })
    }

    /// The profiles of a flavor. The real order is that of a set: neither that of binding nor that of ids.
    pub(crate) fn bound(&self, flavor: &str) -> Vec<String> {
        let mut ids: Vec<String> =
            self.bindings.iter().filter(|(id, _)| id == flavor).map(|(_, profile)| profile.clone()).collect();
        ids.sort_by_key(|id| id.chars().rev().collect::<String>());
        ids
    }

    pub(crate) fn is_bound(&self, profile: &str) -> bool {
        self.bindings.iter().any(|(_, id)| id == profile)
    }
}

impl Profile {
    /// A profile as answers show it: five keys, no list of its flavors.
    pub(crate) fn shown(&self) -> Value {
        json!({
            "id": self.id, "description": self.description, "driver": self.driver, "enabled": self.enabled,
            "metainfo": self.metainfo,
        })
    }
}

impl Router {
    /// A router as answers show it; `ha` and `distributed` are for admins.
    pub(crate) fn shown(&self, admin: bool) -> Value {
        let mut router = json!({
            "id": self.id, "name": self.name, "tenant_id": self.project, "project_id": self.project,
            "admin_state_up": self.admin_state_up, "status": "ACTIVE", "external_gateway_info": null,
            "description": self.description, "availability_zones": [], "availability_zone_hints": [], "routes": [],
            "flavor_id": self.flavor, "tags": [], "created_at": self.created, "updated_at": self.updated,
            "revision_number": self.revision,
        });
        if admin {
            router["ha"] = self.ha.into();
            router["distributed"] = self.distributed.into();
        }
        router
    }
}
