//! Discovery documents, unaggregated: enough for clients to find kinds.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::kube::status::{Refusal, Status};
use crate::kube::store::State;

/// `GET /version`
pub(crate) fn version() -> Value {
    json!({
        "major": "1", "minor": "36", "gitVersion": "v1.36.2", "gitCommit": "devcloud", "gitTreeState": "clean",
        "buildDate": "2026-08-21T00:00:00Z", "goVersion": "go1.26.6", "compiler": "gc", "platform": "linux/amd64",
    })
}

/// `GET /api`
pub(crate) fn core(address: &str) -> Value {
    json!({
        "kind": "APIVersions", "versions": ["v1"],
        "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": address}],
    })
}

impl State {
    /// `GET /apis`
    pub(crate) fn groups(&self) -> Value {
        let names: BTreeSet<&str> =
            self.kinds.iter().map(|kind| kind.group.as_str()).filter(|group| !group.is_empty()).collect();
        let groups: Vec<Value> = names.into_iter().filter_map(|name| self.group_item(name)).collect();
        json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})
    }

    /// `GET /apis/<group>`
    pub(crate) fn group(&self, name: &str) -> Result<Value, Refusal> {
        let mut group = self.group_item(name).ok_or(Refusal::NoPage)?;
        group["kind"] = "APIGroup".into();
        group["apiVersion"] = "v1".into();
        Ok(group)
    }

    fn group_item(&self, name: &str) -> Option<Value> {
        let mut versions: Vec<&str> = Vec::new();
        for kind in self.kinds.iter().filter(|kind| kind.group == name) {
            for version in &kind.versions {
                if !versions.contains(&version.name.as_str()) {
                    versions.push(&version.name);
                }
            }
        }
        let item = |version: &str| json!({"groupVersion": format!("{name}/{version}"), "version": version});
        let first = item(versions.first()?);
        let all: Vec<Value> = versions.into_iter().map(item).collect();
        Some(json!({"name": name, "versions": all, "preferredVersion": first}))
    }

    /// `GET /api/v1` and `GET /apis/<group>/<version>`
    pub(crate) fn resources(&self, group: &str, version: &str) -> Result<Value, Refusal> {
        let mut resources = Vec::new();
        let mut known_group = false;
        for kind in self.kinds.iter().filter(|kind| kind.group == group) {
            known_group = true;
            let Some(served) = kind.version(version) else { continue };
            let mut item = json!({
                "name": kind.plural, "singularName": kind.singular, "namespaced": kind.namespaced,
                "kind": kind.kind, "verbs": ["create", "delete", "get", "list", "patch", "update"],
            });
            if !kind.short_names.is_empty() {
                item["shortNames"] = json!(kind.short_names);
            }
            resources.push(item);
            if served.status {
                resources.push(json!({
                    "name": format!("{}/status", kind.plural), "singularName": "", "namespaced": kind.namespaced,
                    "kind": kind.kind, "verbs": ["get", "patch", "update"],
                }));
            }
        }
        match (known_group, resources.is_empty()) {
            (false, _) => Err(Refusal::NoPage),
            (true, true) => Err(Status::no_resource().into()),
            (true, false) => {
                let name = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
                let mut list =
                    json!({"kind": "APIResourceList", "groupVersion": name, "resources": resources});
                if !group.is_empty() {
                    list["apiVersion"] = "v1".into();
                }
                Ok(list)
            }
        }
    }
}

/// `GET /openapi/v3`: an index of the documents below.
pub(crate) fn openapi_index(state: &State) -> Value {
    let mut paths = serde_json::Map::new();
    for kind in &state.kinds {
        for version in &kind.versions {
            let path = match kind.group.as_str() {
                "" => format!("api/{}", version.name),
                group => format!("apis/{group}/{}", version.name),
            };
            // Clients cache by the hash: the cluster's resourceVersion moves with every change of a CRD.
            let url = format!("/openapi/v3/{path}?hash={}", state.version);
            paths.insert(path, json!({"serverRelativeURL": url}));
        }
    }
    json!({"paths": paths})
}

/// `GET /openapi/v3/<path>`: no schemas, only that the server checks fields by itself (`fieldValidation`), which is
/// what kubectl asks before it sends a manifest.
pub(crate) fn openapi(state: &State, group: &str, version: &str) -> Value {
    let mut paths = serde_json::Map::new();
    for kind in state.kinds.iter().filter(|kind| kind.group == group && kind.version(version).is_some()) {
        let root =
            if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") };
        let place = if kind.namespaced { "/namespaces/{namespace}" } else { "" };
        let parameter = json!({"name": "fieldValidation", "in": "query", "schema": {"type": "string"}});
        let identity = json!({"group": group, "version": version, "kind": kind.kind});
        let patch = json!({
            "parameters": [parameter], "x-kubernetes-group-version-kind": identity,
            "responses": {"200": {"description": "OK"}},
        });
        paths.insert(format!("{root}{place}/{}/{{name}}", kind.plural), json!({"patch": patch}));
    }
    let info = json!({"title": "devcloud", "version": "v1.36.2"});
    json!({"openapi": "3.0.0", "info": info, "paths": paths, "components": {"schemas": {}}})
}
