//! POST, and what else makes an object.

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use serde_json::Value;

use crate::kube::kind::{Kind, Version};
use crate::kube::status::Status;
use crate::kube::store::{Key, State};
use crate::kube::write::{Options, Part, Written, check, prune};
use crate::kube::{apply, builtin, crd, meta, secrets};
use crate::random::Ids;
use crate::time;

impl State {
    pub(crate) fn create(
        &mut self,
        ids: &Ids,
        kind: &Arc<Kind>,
        version: &Version,
        namespace: &str,
        mut object: Value,
        options: Options<'_>,
    ) -> Result<Written, Status> {
        let metadata = &object["metadata"];
        match metadata["namespace"].as_str() {
            Some(other) if kind.namespaced && !other.is_empty() && other != namespace => {
                return Err(Status::other_namespace());
            }
            _ => {}
        }
        if kind.namespaced && !self.has_namespace(namespace) {
            return Err(Status::no_namespace(namespace));
        }
        if metadata["resourceVersion"].as_str().is_some_and(|text| !text.is_empty()) {
            return Err(Status::internal("resourceVersion should not be set on objects to be created"));
        }
        let managed = object["metadata"].get("managedFields").filter(|_| options.applied).cloned();
        let mut warnings = prune(kind, version, &mut object, options)?;
        for key in meta::SYSTEM {
            if let Some(metadata) = object["metadata"].as_object_mut() {
                metadata.remove(key);
            }
        }
        if let (true, Some(map)) = (version.status, object.as_object_mut()) {
            map.remove("status");
        }
        let prefix = meta::text(&object, "generateName");
        if !prefix.is_empty() && meta::text(&object, "name").is_empty() {
            object["metadata"]["name"] = format!("{prefix}{}", ids.suffix()).into();
        }
        if builtin::is_secret(kind) {
            secrets::normalise(kind, &mut object, None)?;
        }
        let name = meta::text(&object, "name").to_owned();
        if self.is_terminating(namespace) && kind.namespaced {
            return Err(Status::terminating(kind, &name, namespace));
        }
        check(kind, version, &name, &object, None)?;
        let key = Key::new(kind, namespace, &name);
        if self.objects.contains_key(&key) {
            return Err(Status::already_exists(kind, &name));
        }
        warnings.extend(meta::finalizer_warnings(&object));
        object["apiVersion"] = kind.api_version(&version.name).into();
        object["kind"] = kind.kind.clone().into();
        match managed {
            Some(managed) => object["metadata"]["managedFields"] = managed,
            None if options.applied => {}
            None => apply::updated(kind, version, None, &mut object, options.manager(), Part::Main, None),
        }
        object["metadata"]["uid"] = ids.uuid().into();
        object["metadata"]["creationTimestamp"] = time::seconds(SystemTime::now()).into();
        if kind.namespaced {
            object["metadata"]["namespace"] = namespace.into();
        }
        if kind.generation {
            object["metadata"]["generation"] = 1.into();
        }
        if kind.builtin {
            builtin::allot(kind, version, ids, &mut object);
        }
        let defined = self.before_store(kind, &name, &mut object, options)?;
        if !options.dry_run {
            if let Some(defined) = defined {
                self.serve(defined);
            }
            object = self.put(key, object);
        }
        Ok(Written { object, warnings })
    }

    /// What a write of a CRD brings with it: its status, and the kind to be served.
    pub(super) fn before_store(
        &self,
        kind: &Kind,
        name: &str,
        object: &mut Value,
        options: Options<'_>,
    ) -> Result<Option<Kind>, Status> {
        if !kind.builtin || kind.plural != "customresourcedefinitions" {
            return Ok(None);
        }
        let known = self.kinds.iter().find(|known| known.resource() == name);
        let created = match known {
            Some(known) => known.created,
            None if options.at_once => None,
            None => Some(Instant::now()),
        };
        let defined = crd::kind(object, created).map_err(|causes| Status::invalid(kind, name, &causes))?;
        object["status"] = crd::established(&defined);
        Ok(Some(defined))
    }
}
