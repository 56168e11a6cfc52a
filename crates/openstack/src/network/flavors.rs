//! Flavors (extension `flavors`), and which service profiles are bound to them.

use super::{Network, or_default, or_true, segment, yes};
use crate::Error;
use rest::Request;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const NOUN: &str = "flavor";

/// A flavor as the server has it. Names are not unique.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Flavor {
    /// The id, a UUID.
    pub id: String,
    /// The name, up to 255 characters; may be empty.
    #[serde(default, deserialize_with = "or_default")]
    pub name: String,
    /// The description, up to 1,024 characters.
    #[serde(default)]
    pub description: Option<String>,
    /// What the flavor is for, e.g. `L3_ROUTER_NAT`. It cannot be changed.
    #[serde(default, deserialize_with = "or_default")]
    pub service_type: String,
    /// True if the server does not say.
    #[serde(default = "yes", deserialize_with = "or_true")]
    pub enabled: bool,
    /// The ids of the bound service profiles, in no order.
    #[serde(default, deserialize_with = "or_default")]
    pub service_profiles: Vec<String>,
}

/// A flavor to create.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct NewFlavor<'a> {
    /// The name.
    pub name: &'a str,
    /// What it is for; the server knows the types of its loaded plugins only.
    pub service_type: &'a str,
    /// The description.
    pub description: &'a str,
    /// Whether it is enabled.
    pub enabled: bool,
}

/// What to change of a flavor; `None` stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FlavorUpdate {
    /// The new name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The new description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The new state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

impl FlavorUpdate {
    /// True if nothing is to change.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Network<'_> {
    /// All flavors that may be seen, of any service type, in the server's order. Some roles see
    /// an empty list instead of an error (measured).
    ///
    /// # Errors
    /// Those of a call, and [`Error::Pages`] if the list does not end.
    pub fn flavors(&self) -> Result<Vec<Flavor>, Error> {
        self.list("flavors")
    }

    /// Whether an empty list of flavors can be believed. Roles that see no flavors see no service
    /// providers either (measured; the default policies are the same), and a Neutron with routers
    /// always has some.
    ///
    /// # Errors
    /// Those of a call.
    pub fn sees_service_providers(&self) -> Result<bool, Error> {
        let request = Request::get(self.url("service-providers"));
        let providers: Vec<Value> = self.exchange(&request, "service_providers")?;
        Ok(!providers.is_empty())
    }

    /// One flavor.
    ///
    /// # Errors
    /// [`Error::is_not_found`] if there is none with this id.
    pub fn flavor(&self, id: &str) -> Result<Flavor, Error> {
        self.show(&path(id)?, "flavor")
    }

    /// Creates a flavor. It has no service profiles yet: the API ignores them here.
    ///
    /// # Errors
    /// [`Error::is_outcome_unknown`] if it may exist now; 400 for a name or type the server refuses.
    pub fn create_flavor(&self, flavor: &NewFlavor<'_>) -> Result<Flavor, Error> {
        self.create("flavors", "flavor", &json!(flavor))
    }

    /// Changes a flavor (a PUT merges) and returns it as it is then.
    ///
    /// # Errors
    /// [`Error::is_not_found`] if there is none with this id.
    pub fn update_flavor(&self, id: &str, update: &FlavorUpdate) -> Result<Flavor, Error> {
        self.update(&path(id)?, "flavor", &json!(update))
    }

    /// Deletes a flavor; its bindings go with it, the service profiles stay.
    ///
    /// # Errors
    /// [`Error::is_conflict`] (`FlavorInUse`) if routers use it, [`Error::is_not_found`] if it is gone.
    pub fn delete_flavor(&self, id: &str) -> Result<(), Error> {
        self.delete(&path(id)?)
    }

    /// Binds a service profile to a flavor.
    ///
    /// # Errors
    /// [`Error::is_conflict`] (`FlavorServiceProfileBindingExists`) if it is bound already; 500 if
    /// one of the two does not exist (measured); [`Error::is_outcome_unknown`] if it may be bound now.
    pub fn bind(&self, flavor_id: &str, profile_id: &str) -> Result<(), Error> {
        let url = self.url(&format!("{}/service_profiles", path(flavor_id)?));
        let body = json!({ "service_profile": { "id": profile_id } });
        // The body of the answer has the flavor's id where the profile's should be: nothing to read.
        self.session.call(&Request::post(url).json(&body)).map(drop)
    }

    /// Takes a service profile from a flavor, whether routers use the flavor or not.
    ///
    /// # Errors
    /// [`Error::is_not_found`] (`FlavorServiceProfileBindingNotFound`) if it is not bound.
    pub fn unbind(&self, flavor_id: &str, profile_id: &str) -> Result<(), Error> {
        let profile = segment(profile_id, "service profile")?;
        self.delete(&format!("{}/service_profiles/{profile}", path(flavor_id)?))
    }
}

fn path(id: &str) -> Result<String, Error> {
    Ok(format!("flavors/{}", segment(id, NOUN)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nulls_and_absent_keys_have_a_meaning() {
        let flavor: Flavor = serde_json::from_value(json!({
            "id": "f1", "name": null, "description": null, "service_type": "L3_ROUTER_NAT", "service_profiles": null,
        }))
        .unwrap();
        assert!(flavor.enabled);
        assert_eq!((flavor.name.as_str(), flavor.description, flavor.service_profiles), ("", None, vec![]));
        let off: Flavor =
            serde_json::from_value(json!({"id": "f1", "enabled": false, "description": ""})).unwrap();
        assert!(!off.enabled);
        assert_eq!(off.description.as_deref(), Some(""));
        assert!(serde_json::from_value::<Flavor>(json!({"name": "no id"})).is_err());
    }

    #[test]
    fn only_what_changes_is_sent() {
        assert!(FlavorUpdate::default().is_empty());
        let update = FlavorUpdate { enabled: Some(false), ..FlavorUpdate::default() };
        assert!(!update.is_empty());
        assert_eq!(json!(update), json!({"enabled": false}));
    }

    #[test]
    fn an_id_stays_one_segment() {
        assert_eq!(path("a/b?c").unwrap(), "flavors/a%2Fb%3Fc");
        assert_eq!(path("").unwrap_err().to_string(), "\"\" is not the id of a flavor");
    }
}
