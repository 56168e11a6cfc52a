//! Discovery documents: what clients find kinds by.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::http::{Request, Response};
use crate::kube::kind::{Kind, Version};
use crate::kube::status::{Refusal, Status};
use crate::kube::store::State;
use crate::kube::templates;

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
        let groups: Vec<Value> =
            self.group_names().into_iter().filter_map(|name| self.group_item(name)).collect();
        json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})
    }

    /// The kinds that discovery knows of by now.
    fn discovered(&self) -> impl Iterator<Item = &Kind> {
        self.kinds.iter().map(|kind| &**kind).filter(|kind| !kind.is_unknown())
    }

    fn group_names(&self) -> BTreeSet<&str> {
        self.discovered().map(|kind| kind.group.as_str()).filter(|group| !group.is_empty()).collect()
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
        for kind in self.discovered().filter(|kind| kind.group == name) {
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
        if !self.discovered().any(|kind| kind.group == group) {
            return Err(Refusal::NoPage);
        }
        let mut resources = Vec::new();
        for served in self.served(group, version) {
            let mut item = json!({
                "name": served.name, "singularName": served.singular, "namespaced": served.namespaced,
                "kind": served.kind, "verbs": served.verbs,
            });
            for (key, names) in [("shortNames", &served.short_names), ("categories", &served.categories)] {
                if !names.is_empty() {
                    item[key] = json!(names);
                }
            }
            resources.push(item);
            if served.status {
                resources.push(json!({
                    "name": format!("{}/status", served.name), "singularName": "", "namespaced": served.namespaced,
                    "kind": served.kind, "verbs": STATUS_VERBS,
                }));
            }
        }
        if resources.is_empty() {
            return Err(Status::no_resource().into());
        }
        let name = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
        let mut list = json!({"kind": "APIResourceList", "groupVersion": name, "resources": resources});
        if !group.is_empty() {
            list["apiVersion"] = "v1".into();
        }
        Ok(list)
    }

    /// What a version of a group serves, by name.
    fn served(&self, group: &str, version: &str) -> Vec<Served> {
        let mut served: Vec<Served> = self
            .discovered()
            .filter(|kind| kind.group == group)
            .filter_map(|kind| Some(Served::new(kind, kind.version(version)?)))
            .collect();
        if group == templates::GROUP {
            served.push(Served {
                name: templates::PLURAL.into(),
                singular: "processedtemplate".into(),
                kind: "Template".into(),
                namespaced: true,
                builtin: true,
                verbs: &["create"],
                short_names: Vec::new(),
                categories: Vec::new(),
                status: false,
            });
        }
        served.sort_by(|a, b| a.name.cmp(&b.name));
        served
    }

    fn aggregated_group(&self, name: &str) -> Value {
        let group = self.group_item(name).unwrap_or(Value::Null);
        let mut versions = Vec::new();
        for version in group["versions"].as_array().into_iter().flatten() {
            let version = version["version"].as_str().unwrap_or_default();
            let resources: Vec<Value> =
                self.served(name, version).iter().map(|served| served.aggregated(name, version)).collect();
            versions.push(json!({"version": version, "resources": resources, "freshness": "Current"}));
        }
        let metadata = if name.is_empty() { json!({}) } else { json!({"name": name}) };
        json!({"metadata": metadata, "versions": versions})
    }
}

const STATUS_VERBS: [&str; 3] = ["get", "patch", "update"];

/// One served resource, as both forms of discovery tell it.
struct Served {
    name: String,
    singular: String,
    kind: String,
    namespaced: bool,
    builtin: bool,
    verbs: &'static [&'static str],
    short_names: Vec<String>,
    categories: Vec<String>,
    status: bool,
}

impl Served {
    fn new(kind: &Kind, version: &Version) -> Self {
        // Told as a real server tells them; watches are answered with 405 here.
        let verbs: &[&str] = if kind.builtin {
            &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
        } else {
            &["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"]
        };
        Self {
            name: kind.plural.clone(),
            singular: kind.singular.clone(),
            kind: kind.kind.clone(),
            namespaced: kind.namespaced,
            builtin: kind.builtin,
            verbs,
            short_names: kind.short_names.clone(),
            categories: kind.categories.clone(),
            status: version.status,
        }
    }

    fn aggregated(&self, group: &str, version: &str) -> Value {
        // Kinds without a CRD leave the group out (measured).
        let (group, version) = if self.builtin { ("", "") } else { (group, version) };
        let response = json!({"group": group, "version": version, "kind": self.kind});
        let mut item = json!({
            "resource": self.name, "responseKind": response, "singularResource": self.singular, "verbs": self.verbs,
            "scope": if self.namespaced { "Namespaced" } else { "Cluster" },
        });
        for (key, names) in [("shortNames", &self.short_names), ("categories", &self.categories)] {
            if !names.is_empty() {
                item[key] = json!(names);
            }
        }
        if self.status {
            let status = json!({"subresource": "status", "responseKind": response, "verbs": STATUS_VERBS});
            item["subresources"] = json!([status]);
        }
        item
    }
}

/// `GET /api` and `GET /apis` of a client that asks for the aggregated form; `None` for any other request.
pub(crate) fn aggregated(state: &State, request: &Request, parts: &[&str]) -> Option<Response> {
    const FORM: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let asked = request.header("accept").unwrap_or_default().replace(' ', "");
    let items: Vec<Value> = match parts {
        _ if !asked.split(',').any(|form| form == FORM) => return None,
        ["api"] => vec![state.aggregated_group("")],
        ["apis"] => state.group_names().into_iter().map(|name| state.aggregated_group(name)).collect(),
        _ => return None,
    };
    let list = json!({
        "kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items,
    });
    Some(Response::text(200, FORM, &list.to_string()).with_header("Vary", "Accept"))
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
