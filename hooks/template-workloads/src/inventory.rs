//! `status.objects`: what a CR may have made. Pure.
//!
//! It never says less than there is. An object is entered before it is made, without a uid while nobody knows one;
//! it is taken out after its deletion was accepted, after it was let go, or if it turned out not to be ours. With it,
//! everything that a CR made is found again without its Template.

use openshift_templates::{Planned, Reference};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The objects, those of the Template first, in the order in which they are made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inventory {
    /// Their references. One without a uid may or may not be there.
    pub objects: Vec<Reference>,
}

impl Inventory {
    /// Reads the inventory out of a status.
    ///
    /// # Errors
    /// What is wrong with it: then nobody knows what there is.
    pub fn read(status: &Value) -> Result<Self, String> {
        let objects = match status.get("objects") {
            None | Some(Value::Null) => return Ok(Self::default()),
            Some(objects) => Vec::<Reference>::deserialize(objects),
        };
        let objects = objects.map_err(|error| {
            format!(
                "status.objects cannot be read ({error}): correct it, or remove it if there are no objects"
            )
        })?;
        Ok(Self { objects })
    }

    /// An object that is not in the namespace `target`.
    pub fn outside(&self, target: &str) -> Option<&Reference> {
        self.objects.iter().find(|object| object.namespace != target)
    }

    /// The uid under which an object was made, if it was and is remembered.
    pub fn uid_of(&self, reference: &Reference) -> Option<&str> {
        self.objects.iter().find(|object| same(object, reference))?.uid.as_deref()
    }

    /// The objects that are no longer `planned`, in their order.
    pub fn left<'p>(&self, planned: impl Iterator<Item = &'p Planned> + Clone) -> Vec<Reference> {
        let is_planned =
            |object: &&Reference| planned.clone().any(|planned| same(object, &planned.target.reference));
        self.objects.iter().filter(|object| !is_planned(object)).cloned().collect()
    }
}

/// Whether two references mean one object: its version may be another one.
fn same(one: &Reference, other: &Reference) -> bool {
    let group = |reference: &Reference| {
        reference.api_version.rsplit_once('/').map_or(String::new(), |(group, _)| group.to_owned())
    };
    (&one.kind, &one.namespace, &one.name) == (&other.kind, &other.namespace, &other.name)
        && group(one) == group(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use openshift_templates::Target;
    use openshift_templates::kube::Resource;
    use serde_json::json;

    fn reference(api_version: &str, kind: &str, name: &str) -> Reference {
        let (api_version, kind, name) = (api_version.into(), kind.into(), name.into());
        Reference { api_version, kind, namespace: "n".into(), name, uid: Some("u".into()) }
    }

    fn planned(api_version: &str, kind: &str, name: &str) -> Planned {
        let reference = Reference { uid: None, ..reference(api_version, kind, name) };
        Planned { target: Target { reference, resource: Resource::core("x") }, object: json!({}) }
    }

    #[test]
    fn an_inventory_reads_back_and_none_is_empty() {
        let inventory = Inventory { objects: vec![reference("v1", "Secret", "a")] };
        assert_eq!(Inventory::read(&serde_json::to_value(&inventory).unwrap()), Ok(inventory));
        for status in [json!(null), json!({}), json!({"objects": null})] {
            assert_eq!(Inventory::read(&status), Ok(Inventory::default()));
        }
        for status in [json!({"objects": {}}), json!({"objects": [{"kind": "Secret"}]})] {
            assert!(Inventory::read(&status).unwrap_err().starts_with("status.objects cannot be read ("));
        }
    }

    #[test]
    fn what_left_is_told_by_group_kind_and_name() {
        let inventory = Inventory {
            objects: vec![
                reference("v1", "Secret", "a"),
                reference("batch/v1beta1", "CronJob", "b"),
                reference("extensions/v1beta1", "Ingress", "c"),
                reference("v1", "ConfigMap", "a"),
            ],
        };
        let now = [
            planned("v1", "Secret", "a"),
            planned("batch/v1", "CronJob", "b"),
            planned("networking.k8s.io/v1", "Ingress", "c"),
        ];
        let left: Vec<_> = inventory.left(now.iter()).iter().map(ToString::to_string).collect();
        assert_eq!(left, ["extensions/v1beta1 Ingress n/c", "v1 ConfigMap n/a"]);
    }

    #[test]
    fn an_object_is_found_under_another_version() {
        let inventory = Inventory { objects: vec![reference("batch/v1beta1", "CronJob", "b")] };
        assert_eq!(inventory.uid_of(&reference("batch/v1", "CronJob", "b")), Some("u"));
        assert_eq!(inventory.uid_of(&reference("batch/v1", "Job", "b")), None);
    }

    #[test]
    fn objects_of_another_namespace_are_seen() {
        let inventory = Inventory { objects: vec![reference("v1", "Secret", "a")] };
        assert_eq!(inventory.outside("n"), None);
        assert_eq!(inventory.outside("other").map(ToString::to_string).as_deref(), Some("v1 Secret n/a"));
    }
}
