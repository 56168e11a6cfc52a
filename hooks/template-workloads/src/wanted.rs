//! What a Template wants, beside what there is of it. Pure.

use framework::PluginError;
use openshift_templates::{Planned, Reference};

use crate::errors::{REASON_FOREIGN_OBJECT, invalid_template};
use crate::inventory::Inventory;
use crate::ownership::{Live, mark};

/// An object that will be applied, with the marks of its CR, and what there is of it.
#[derive(Debug)]
pub struct Wanted {
    /// What is applied.
    pub planned: Planned,
    /// What was seen; `None` if there is none of this name.
    pub live: Option<Live>,
}

impl Wanted {
    /// Puts the marks of the CR with this uid on what is planned.
    ///
    /// # Errors
    /// `InvalidTemplate` if it cannot carry them.
    pub fn new(mut planned: Planned, live: Option<Live>, uid: &str) -> Result<Self, PluginError> {
        mark(&mut planned.object, uid, live.as_ref())
            .map_err(|problem| invalid_template(format!("{}: {problem}", planned.target.reference)))?;
        Ok(Self { planned, live })
    }

    fn reference(&self) -> &Reference {
        &self.planned.target.reference
    }

    /// Whether it is there, and carries the label of the CR with this uid.
    pub fn is_ours(&self, uid: &str) -> bool {
        self.live.as_ref().is_some_and(|live| live.owner.as_deref() == Some(uid))
    }

    fn is_seen_as(&self, uid: &str) -> bool {
        self.live.as_ref().is_some_and(|live| live.uid == uid)
    }
}

/// Whether the CR with this uid may apply all of it. Each object is looked at before one is refused: whoever has to
/// mend it wants to know of all.
///
/// # Errors
/// `ForeignObject` for what is not ours; `InvalidTemplate` if two of them are one object, as of a kind that two API
/// groups serve: the second apply would undo the first; and a plain failure while one of them is being deleted.
pub fn check(wanted: &[Wanted], uid: &str, adopt: bool, inventory: &Inventory) -> Result<(), PluginError> {
    let seen = || wanted.iter().filter_map(|one| Some((one.reference(), one.live.as_ref()?)));
    let foreign: Vec<_> = seen()
        .filter_map(|(reference, live)| {
            let why = live.may_be_applied_by(uid, adopt, inventory.uid_of(reference)).err()?;
            Some(format!("{reference} {why}"))
        })
        .collect();
    if !foreign.is_empty() {
        return Err(PluginError::cr(foreign.join("; ")).with_reason(REASON_FOREIGN_OBJECT));
    }
    let is_twice = |live: &Live| wanted.iter().filter(|one| one.is_seen_as(&live.uid)).count() > 1;
    let twice: Vec<_> =
        seen().filter(|(_, live)| is_twice(live)).map(|(reference, _)| reference.to_string()).collect();
    if !twice.is_empty() {
        return Err(invalid_template(format!(
            "one object is described more than once: {}",
            twice.join(", ")
        )));
    }
    // What is applied to it would go with it.
    match seen().find(|(_, live)| live.is_deleting) {
        Some((reference, _)) => {
            Err(PluginError::cr(format!("{reference} is being deleted; it is made again when it is gone")))
        }
        None => Ok(()),
    }
}

/// What is to be remembered before any of it is applied by the CR with this uid: all of it, and what `left`. An object
/// that is about to be adopted is not what was made yet, so its uid is not known.
pub fn inventory(wanted: &[Wanted], uid: &str, left: &[Reference]) -> Inventory {
    let known = wanted.iter().map(|one| Reference {
        uid: one.live.as_ref().filter(|_| one.is_ours(uid)).map(|live| live.uid.clone()),
        ..one.reference().clone()
    });
    Inventory { objects: known.chain(left.iter().cloned()).collect() }
}

#[cfg(test)]
mod tests {
    use openshift_templates::Target;
    use openshift_templates::kube::Resource;
    use serde_json::json;

    use super::*;
    use crate::ownership::OWNER_LABEL;

    /// Whom an object belongs to, if there is one; `!` for one that is being deleted.
    fn wanted(name: &str, uid: &str, owner: Option<&str>) -> Wanted {
        let reference = Reference {
            api_version: "v1".into(),
            kind: "Secret".into(),
            namespace: "n".into(),
            name: name.into(),
            uid: None,
        };
        let live = owner.map(|owner| {
            let mut metadata = json!({"uid": uid, "resourceVersion": "7", "labels": {}});
            if let Some(owner) = Some(owner.trim_end_matches('!')).filter(|owner| !owner.is_empty()) {
                metadata["labels"][OWNER_LABEL] = owner.into();
            }
            if owner.ends_with('!') {
                metadata["deletionTimestamp"] = "2026-11-29T13:30:07Z".into();
            }
            Live::read(&json!({"metadata": metadata})).unwrap()
        });
        let object = json!({"metadata": {"name": name}});
        let planned = Planned { target: Target { reference, resource: Resource::core("secrets") }, object };
        Wanted::new(planned, live, "cr").unwrap()
    }

    fn told(wanted: &[Wanted], adopt: bool) -> String {
        match check(wanted, "cr", adopt, &Inventory::default()) {
            Ok(()) => "fine".to_owned(),
            Err(error) => format!("{}: {error}", error.reason()),
        }
    }

    #[test]
    fn what_is_ours_or_not_there_may_be_applied() {
        assert_eq!(told(&[wanted("a", "1", Some("cr")), wanted("b", "2", None)], false), "fine");
        assert_eq!(told(&[wanted("a", "1", Some(""))], true), "fine");
        assert_eq!(told(&[], false), "fine");
    }

    #[test]
    fn all_that_are_foreign_are_named_before_anything_else_is_said() {
        let all = [
            wanted("a", "1", Some("cr!")),
            wanted("b", "2", Some("")),
            wanted("c", "3", Some("other")),
            wanted("d", "3", Some("cr")),
        ];
        let text = told(&all, false);
        assert!(text.starts_with("ForeignObject: v1 Secret n/b exists and is not ours"), "{text}");
        assert!(text.contains("; v1 Secret n/c belongs to another TemplateWorkload (uid other)"), "{text}");
    }

    #[test]
    fn one_object_under_two_names_of_its_kind_and_one_that_goes_are_not_applied() {
        let twice = [wanted("a", "1", Some("cr")), wanted("b", "1", Some("cr")), wanted("c", "2", None)];
        assert_eq!(
            told(&twice, false),
            "InvalidTemplate: one object is described more than once: v1 Secret n/a, v1 Secret n/b"
        );
        assert_eq!(
            told(&[wanted("a", "1", Some("cr!"))], false),
            "ReconcileError: v1 Secret n/a is being deleted; it is made again when it is gone"
        );
    }

    #[test]
    fn a_uid_is_remembered_of_what_is_ours_already() {
        let left = [Reference { uid: Some("9".into()), ..wanted("z", "", None).reference().clone() }];
        let all = [wanted("a", "1", Some("cr")), wanted("b", "2", Some("")), wanted("c", "3", None)];
        let uids: Vec<_> = inventory(&all, "cr", &left).objects.into_iter().map(|one| one.uid).collect();
        assert_eq!(uids, [Some("1".to_owned()), None, None, Some("9".to_owned())]);
    }
}
