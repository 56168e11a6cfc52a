//! Makes the objects of one CR what its Template says.
//!
//! The order is what makes it safe to be cut off anywhere: everything is looked at before anything is written; what is
//! about to be made is remembered before it is; what left the Template goes last, and is forgotten when it is gone.

use framework::{Cr, Group, Outcome, PluginError};
use openshift_templates::{Reference, TemplateInputs};

use crate::TemplateWorkloads;
use crate::boundary::check_kind;
use crate::errors::{invalid_template, plan_error};
use crate::inventory::Inventory;
use crate::ownership::Owner;
use crate::removal::{Fate, Removal, remove};
use crate::spec::{DeletionPolicy, Spec};
use crate::wanted::{self, Wanted};
use crate::{objects, parameters};

/// See the module.
///
/// # Errors
/// Whatever is in the way. Nothing was written if it was found before the first apply.
pub fn reconcile(
    plugin: &TemplateWorkloads,
    group: &mut Group<'_, TemplateWorkloads>,
    cr: &Cr<Spec>,
) -> Result<Outcome<Inventory>, PluginError> {
    if cr.uid.is_empty() {
        return Err(PluginError::cr(
            "it has no metadata.uid, which marks its objects: give it as `kubectl get -o json` prints it",
        ));
    }
    let inputs = inputs(plugin, group, cr)?;
    let inventory = Inventory::read(&cr.status).map_err(PluginError::cr)?;
    if let Some(object) = inventory.outside(&inputs.namespace) {
        return Err(PluginError::invalid_spec(format!(
            "{object} was made in another namespace than spec.targetNamespace, which cannot be changed: change it \
             back, and make a new TemplateWorkload for the other namespace"
        )));
    }
    let inputs = TemplateInputs { parameters: parameters::resolve(group.conn, &cr.spec)?, ..inputs };
    let mut wanted = Vec::new();
    for planned in group.conn.client.plan(&inputs).map_err(plan_error)? {
        check_kind(&planned.target)?;
        let live = objects::look(&group.conn.client, &planned.target)?;
        wanted.push(Wanted::new(planned, live, &cr.uid)?);
    }
    if wanted.is_empty() && !inventory.objects.is_empty() {
        // As a list that came back empty must not empty a cloud.
        return Err(invalid_template(format!(
            "the template has no objects any more, and {} were made of it: on its word alone nothing is deleted; if they \
             shall go, delete the TemplateWorkload",
            inventory.objects.len()
        )));
    }
    wanted::check(&wanted, &cr.uid, cr.spec.adopt, &inventory)?;
    let left = inventory.left(wanted.iter().map(|wanted| &wanted.planned));
    let known = wanted::inventory(&wanted, &cr.uid, &left);
    // Before anything is made or taken over, the CR must still be what it was when it was read, too.
    if known != inventory || wanted.iter().any(|wanted| !wanted.is_ours(&cr.uid)) {
        group.remember(&known)?;
    }

    let name = cr.display_name();
    let owner = Owner { uid: &cr.uid, name: &name };
    let mut made = Vec::new();
    for Wanted { planned, live } in &wanted {
        made.push(objects::apply(&group.conn.client, group.writes, planned, &owner, live.as_ref())?);
    }
    clean_up(plugin, group, cr, &owner, made, &left)
}

/// The Template and the target namespace, both within the boundary; no parameters yet.
fn inputs(
    plugin: &TemplateWorkloads,
    group: &Group<'_, TemplateWorkloads>,
    cr: &Cr<Spec>,
) -> Result<TemplateInputs, PluginError> {
    let (spec, own) = (&cr.spec, group.conn.namespace.as_str());
    let target = plugin.boundary.check("spec.targetNamespace", spec.target_namespace.as_deref(), own)?;
    let stored =
        plugin.boundary.check("spec.templateRef.namespace", spec.template.namespace.as_deref(), own)?;
    Ok(TemplateInputs::new(spec.template.name.as_str(), target).template_namespace(stored))
}

/// What left the Template goes, as far as it may.
fn clean_up(
    plugin: &TemplateWorkloads,
    group: &mut Group<'_, TemplateWorkloads>,
    cr: &Cr<Spec>,
    owner: &Owner<'_>,
    made: Vec<Reference>,
    left: &[Reference],
) -> Result<Outcome<Inventory>, PluginError> {
    let applied = made.iter().filter_map(|reference| reference.uid.clone()).collect();
    let how = Removal::of(cr.spec.deletion_policy, plugin.prune);
    let (mut stays, mut notes) = (Vec::new(), Vec::new());
    let mut failed = None;
    for (reference, outcome) in remove(group, owner, left, how, &applied) {
        match outcome {
            Ok(Fate::Gone) => {}
            Ok(Fate::Stays(why)) => {
                notes.push(format!("{reference} left the template and stays: {why}"));
                stays.push(reference);
            }
            Err(error) => failed = failed.or(Some((reference, error))),
        }
    }
    if let Some((reference, error)) = failed {
        let message = format!("{reference} left the template and is not removed: {error}");
        let made =
            if error.is_not_ready() { PluginError::not_ready(message) } else { PluginError::cr(message) };
        return Err(made.with_source(error));
    }
    if !plugin.prune {
        let what = match cr.spec.deletion_policy {
            DeletionPolicy::Delete => "its objects will stay when it is deleted",
            DeletionPolicy::Orphan => "its objects will keep our label and field manager when it is deleted",
        };
        notes.insert(0, format!("{what}: {}_PRUNE is false", crate::HOOK.prefix));
    }
    stays.reverse();
    Ok(Outcome { notes, status: Inventory { objects: made.into_iter().chain(stays).collect() } })
}
