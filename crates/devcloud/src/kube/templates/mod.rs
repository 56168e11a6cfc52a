//! The Template API: `POST …/processedtemplates` (measured on openshift-apiserver). Nothing is stored by it.

mod generate;
mod label;
mod legacy;
mod namespace;
mod process;
mod substitute;

use serde_json::Value;

use crate::http::{Request, Response};
use crate::kube::kind::{Kind, Version};
use crate::kube::status::{Cause, Refusal, Status};
use crate::kube::store::State;
use crate::kube::target::{Target, manager};
use crate::kube::templates::process::process;
use crate::kube::write::{Options, Part, Written, prune};
use crate::kube::{Kube, apply, body, builtin, meta};

/// The group of the API.
pub(super) const GROUP: &str = "template.openshift.io";
/// The resource that processes.
pub(super) const PLURAL: &str = "processedtemplates";

/// Why a template is not processed.
#[derive(Debug)]
enum Failure {
    /// 422 with these causes.
    Invalid(Vec<Cause>),
    /// The real server panics there: 500 in plain text.
    Panic,
}

/// Answers what goes to `processedtemplates`.
pub(super) fn answer(
    kube: &Kube,
    state: &State,
    request: &Request,
    target: &Target,
) -> Result<Response, Refusal> {
    let kind = state.kind(GROUP, "templates").ok_or_else(Status::no_resource)?;
    let version = kind.version(&target.version).ok_or_else(Status::no_resource)?;
    if target.namespace.is_empty() || !target.name.is_empty() {
        return Err(Status::no_resource().into());
    }
    if request.method != "POST" {
        return Err(Status::method_not_allowed().into());
    }
    let template = body::decode(&kind, version, request)?;
    let asked = meta::text(&template, "namespace");
    if !asked.is_empty() && asked != target.namespace {
        return Err(Status::other_namespace().into());
    }
    if !state.has_namespace(&target.namespace) {
        return Err(Status::no_namespace(&target.namespace).into());
    }
    let options = Options {
        strict: request.parameter("fieldValidation").as_deref() == Some("Strict"),
        ..Options::default()
    };
    let (template, warnings) =
        admitted(&kind, version, template, &target.namespace, &manager(request), options)?;
    let name = meta::text(&template, "name").to_owned();
    let causes = builtin::parameter_names(&template);
    let processed =
        if causes.is_empty() { process(template, kube.ids()) } else { Err(Failure::Invalid(causes)) };
    match processed {
        Ok(object) => Ok(body::written(201, &Written { object, warnings })),
        Err(Failure::Invalid(causes)) => Err(Status::invalid(&kind, &name, &causes).into()),
        Err(Failure::Panic) => {
            let text = "This request caused apiserver to panic. Look in the logs for details.\n";
            Ok(Response::text(500, "text/plain; charset=utf-8", text))
        }
    }
}

/// The template as the server takes it in: unknown fields gone, its metadata that of an object that is not there yet,
/// its fields owned by whoever sent it.
fn admitted(
    kind: &Kind,
    version: &Version,
    mut template: Value,
    namespace: &str,
    manager: &str,
    options: Options<'_>,
) -> Result<(Value, Vec<String>), Status> {
    let warnings = prune(kind, version, &mut template, options)?;
    if let Some(metadata) = template["metadata"].as_object_mut() {
        for key in ["uid", "creationTimestamp"] {
            metadata.remove(key);
        }
    }
    if template["metadata"].get("managedFields").is_none() {
        apply::updated(kind, version, None, &mut template, manager, Part::Main, None);
    }
    template["metadata"]["namespace"] = namespace.into();
    Ok((template, warnings))
}
