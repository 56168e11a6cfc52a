//! Whose an object is. Pure.

use openshift_templates::Reference;
use serde_json::{Value, json};

/// The label that says whose an object is: the uid of its CR.
pub const OWNER_LABEL: &str = "openstack-sync.understack.rackspace.net/owner";

/// The annotation on an object that was let go: the `namespace/name` of the CR.
pub const RELEASED_BY: &str = "openstack-sync.understack.rackspace.net/released-by";

/// The field manager of that annotation: the server takes it from our user agent.
const RELEASE_MANAGER: &str = "openstack-sync";

/// The field manager of the CR with this uid. (At most 128 bytes, says the API; a uid has 36.)
pub fn field_manager(uid: &str) -> String {
    format!("template-workloads/{uid}")
}

/// A CR as the owner of objects.
#[derive(Debug, Clone, Copy)]
pub struct Owner<'a> {
    /// Its `metadata.uid`.
    pub uid: &'a str,
    /// Its `namespace/name`.
    pub name: &'a str,
}

/// An object in the cluster, as far as it matters who owns it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// `metadata.uid`.
    pub uid: String,
    /// `metadata.resourceVersion`.
    pub resource_version: String,
    /// The value of [`OWNER_LABEL`].
    pub owner: Option<String>,
    /// Whether it is being deleted.
    pub is_deleting: bool,
    /// `metadata.managedFields`, as they are.
    pub managed_fields: Vec<Value>,
}

impl Live {
    /// Reads an object; `None` without a uid or a resourceVersion: no API server answers so.
    pub fn read(object: &Value) -> Option<Self> {
        let metadata = &object["metadata"];
        let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        Some(Self {
            uid: text(&metadata["uid"])?,
            resource_version: text(&metadata["resourceVersion"])?,
            owner: metadata["labels"].get(OWNER_LABEL).map(|owner| text(owner).unwrap_or_default()),
            is_deleting: !metadata["deletionTimestamp"].is_null(),
            managed_fields: metadata["managedFields"].as_array().cloned().unwrap_or_default(),
        })
    }

    /// Whether the CR with this uid may apply to this object; `adopt` lets it take one without an owner, unless it is
    /// the one that was `made`, by its uid: then somebody took the label off.
    ///
    /// # Errors
    /// Why not, to stand behind the object's name.
    pub fn may_be_applied_by(&self, uid: &str, adopt: bool, made: Option<&str>) -> Result<(), String> {
        match &self.owner {
            Some(owner) if owner == uid => Ok(()),
            None if made == Some(self.uid.as_str()) => Err(format!(
                "was ours, until somebody took the label {OWNER_LABEL} off: put it back, with the value {uid}, or take \
                 the object out of the template"
            )),
            None if adopt => Ok(()),
            None => {
                Err("exists and is not ours: set adopt: true to take it over, or give the template's object \
                         another name"
                    .to_owned())
            }
            Some(owner) => Err(format!(
                "belongs to another TemplateWorkload (uid {owner}); if that one is gone, take the label {OWNER_LABEL} \
                 off the object"
            )),
        }
    }

    /// Whether this is what the CR with this `uid` made under `reference`.
    ///
    /// # Errors
    /// Why not, to stand behind the object's name.
    pub fn is_what_was_made(&self, uid: &str, reference: &Reference) -> Result<(), &'static str> {
        if self.owner.as_deref() != Some(uid) {
            return Err("does not carry our label (any more)");
        }
        if reference.uid.as_ref().is_some_and(|made| *made != self.uid) {
            return Err("is another object of this name than the one that was made");
        }
        Ok(())
    }

    /// The merge patch that takes our marks off: the label, and our place among the managers, which would stand
    /// in the way of the next owner. It is for this very version of the object, of this `apiVersion`.
    ///
    /// What remains is an annotation that says who let it go, and its manager, which is sent along so that the list is
    /// not empty: of an object without managers the server gives all fields to `before-first-apply` at the next apply
    /// (measured), and that one never gives one up.
    pub fn release(&self, uid: &str, api_version: &str, by: &str) -> Value {
        let manager = field_manager(uid);
        let others = self.managed_fields.iter().filter(|entry| entry["manager"] != manager.as_str());
        let ours = json!({
            "manager": RELEASE_MANAGER,
            "operation": "Update",
            "apiVersion": api_version,
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:metadata": {"f:annotations": {format!("f:{RELEASED_BY}"): {}}}},
        });
        let others = others.filter(|entry| entry["manager"] != RELEASE_MANAGER).cloned();
        json!({"metadata": {
            "resourceVersion": self.resource_version,
            "labels": {OWNER_LABEL: null},
            "annotations": {RELEASED_BY: by},
            "managedFields": others.chain([ours]).collect::<Vec<_>>(),
        }})
    }
}

/// No object has this version: an etcd counts from 1, and its first write makes it 2.
const VERSION_OF_NONE: &str = "1";

/// Puts the marks on what is to be applied: the label, and the uid of the object that was seen, if there is one,
/// so that it can be no other (measured: another uid is refused, and so is an object that is gone). If there was
/// none, a version that no object has, so that it is made or nothing is done (measured: 201 if there is none, and 409 if
/// there is one meanwhile).
///
/// # Errors
/// What is wrong with the object.
pub fn mark(object: &mut Value, uid: &str, live: Option<&Live>) -> Result<(), &'static str> {
    let metadata = object["metadata"].as_object_mut().ok_or("metadata is not a map")?;
    let labels = metadata.entry("labels").or_insert(Value::Null);
    if labels.is_null() {
        *labels = json!({});
    }
    let labels = labels.as_object_mut().ok_or("metadata.labels is not a map")?;
    labels.insert(OWNER_LABEL.to_owned(), uid.into());
    match live {
        Some(live) => metadata.insert("uid".to_owned(), live.uid.as_str().into()),
        None => metadata.insert("resourceVersion".to_owned(), VERSION_OF_NONE.into()),
    };
    Ok(())
}

#[cfg(test)]
mod tests;
