//! Service profiles (extension `flavors`): the driver behind a flavor. They have no name.

use super::{Network, or_default, or_true, segment, yes};
use crate::Error;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A service profile as the server has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ServiceProfile {
    /// The id, a UUID.
    pub id: String,
    /// The class path of a provider; empty if the profile has only `metainfo`.
    #[serde(default, deserialize_with = "or_default")]
    pub driver: String,
    /// The description, up to 1,024 characters.
    #[serde(default)]
    pub description: Option<String>,
    /// True if the server does not say.
    #[serde(default = "yes", deserialize_with = "or_true")]
    pub enabled: bool,
    /// Any text, by convention JSON; the server does not read it.
    #[serde(default)]
    pub metainfo: Option<String>,
}

/// A service profile to create. Driver or metainfo must not be empty.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct NewServiceProfile<'a> {
    /// The class path of a configured provider.
    pub driver: &'a str,
    /// The description.
    pub description: &'a str,
    /// JSON as text: an object instead of a text is a 500 (measured). Up to 4,096 characters.
    pub metainfo: &'a str,
    /// Whether it is enabled.
    pub enabled: bool,
}

/// What to change of a service profile; `None` stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ServiceProfileUpdate {
    /// The new description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The new state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// The new metainfo, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metainfo: Option<String>,
}

impl ServiceProfileUpdate {
    /// True if nothing is to change.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Network<'_> {
    /// All service profiles that may be seen, in the server's order. All roles but an
    /// administrator see an empty list instead of an error (measured).
    ///
    /// # Errors
    /// Those of a call, and [`Error::Pages`] if the list does not end.
    pub fn service_profiles(&self) -> Result<Vec<ServiceProfile>, Error> {
        self.list("service_profiles")
    }

    /// Creates a service profile.
    ///
    /// # Errors
    /// 404 `ServiceProfileDriverNotFound` if no provider has this driver;
    /// [`Error::is_outcome_unknown`] if it may exist now.
    pub fn create_service_profile(&self, profile: &NewServiceProfile<'_>) -> Result<ServiceProfile, Error> {
        self.create("service_profiles", "service_profile", &json!(profile))
    }

    /// Changes a service profile that is bound to no flavor and returns it as it is then.
    ///
    /// # Errors
    /// [`Error::is_conflict`] (`ServiceProfileInUse`) if it is bound, [`Error::is_not_found`] if it is gone.
    pub fn update_service_profile(
        &self,
        id: &str,
        update: &ServiceProfileUpdate,
    ) -> Result<ServiceProfile, Error> {
        self.update(&path(id)?, "service_profile", &json!(update))
    }

    /// Deletes a service profile that is bound to no flavor.
    ///
    /// # Errors
    /// [`Error::is_conflict`] (`ServiceProfileInUse`) if it is bound, [`Error::is_not_found`] if it is gone.
    pub fn delete_service_profile(&self, id: &str) -> Result<(), Error> {
        self.delete(&path(id)?)
    }
}

fn path(id: &str) -> Result<String, Error> {
    Ok(format!("service_profiles/{}", segment(id, "service profile")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nulls_and_absent_keys_have_a_meaning() {
        let profile: ServiceProfile =
            serde_json::from_value(json!({"id": "p1", "driver": "", "description": null, "metainfo": null}))
                .unwrap();
        assert!(profile.enabled);
        assert_eq!((profile.driver.as_str(), profile.description, profile.metainfo), ("", None, None));
    }

    #[test]
    fn only_what_changes_is_sent() {
        assert!(ServiceProfileUpdate::default().is_empty());
        let update = ServiceProfileUpdate { metainfo: Some("{}".to_owned()), ..Default::default() };
        assert_eq!(json!(update), json!({"metainfo": "{}"}));
    }
}
