//! What the server refuses in objects of built-in kinds (measured, where a text is quoted).

use serde_json::{Value, json};

use crate::kube::kind::Kind;
use crate::kube::meta::json_type;
use crate::kube::secrets::bad_key;
use crate::kube::status::Cause;

const MIB: usize = 1024 * 1024;

/// What is wrong with an object; `old` is the stored one, if there is one.
pub(crate) fn check(kind: &Kind, new: &Value, old: Option<&Value>) -> Vec<Cause> {
    match (kind.group.as_str(), kind.kind.as_str()) {
        ("", "ConfigMap") => config_map(new, old),
        ("", "Service") => service(new, old),
        ("", "PersistentVolumeClaim") => claim(new, old),
        ("apps", "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet") => workload(new, old),
        ("batch", "Job") => job(new, old),
        ("rbac.authorization.k8s.io", "RoleBinding" | "ClusterRoleBinding") => binding(new, old),
        ("route.openshift.io", "Route") => {
            required(&new["spec"]["to"]["name"], "spec.to.name").into_iter().collect()
        }
        ("template.openshift.io", "Template") => parameter_names(new),
        _ => Vec::new(),
    }
}

fn invalid(field: &str, value: &Value, why: &str) -> Cause {
    Cause::new("FieldValueInvalid", field, format!("Invalid value: {value}: {why}"))
}

fn required(value: &Value, field: &str) -> Option<Cause> {
    let missing = value.as_str().unwrap_or_default().is_empty();
    missing.then(|| Cause::new("FieldValueRequired", field, "Required value"))
}

fn config_map(new: &Value, old: Option<&Value>) -> Vec<Cause> {
    let mut causes = Vec::new();
    let mut size = 0;
    for field in ["data", "binaryData"] {
        for (key, value) in new[field].as_object().into_iter().flatten() {
            causes.extend(bad_key(key, field));
            size += value.as_str().map_or(0, str::len);
        }
    }
    if size > MIB {
        causes.push(Cause::new(
            "FieldValueTooLong",
            "[]",
            format!("Too long: may not be more than {MIB} bytes"),
        ));
    }
    if old.is_some_and(|old| old["immutable"] == true && old["data"] != new["data"]) {
        let message = "Forbidden: field is immutable when `immutable` is set";
        causes.push(Cause::new("FieldValueForbidden", "data", message));
    }
    causes
}

fn service(new: &Value, old: Option<&Value>) -> Vec<Cause> {
    let spec = &new["spec"];
    let mut causes = Vec::new();
    let needs_ports = spec["type"] != "ExternalName" && spec["clusterIP"] != "None";
    if needs_ports && spec["ports"].as_array().is_none_or(Vec::is_empty) {
        causes.push(Cause::new("FieldValueRequired", "spec.ports", "Required value"));
    }
    let had = old.map_or("", |old| old["spec"]["clusterIP"].as_str().unwrap_or_default());
    if !had.is_empty() && spec["clusterIP"] != had {
        causes.push(invalid("spec.clusterIPs[0]", &json!([spec["clusterIP"]]), "may not change once set"));
    }
    causes
}

fn claim(new: &Value, old: Option<&Value>) -> Vec<Cause> {
    let fixed = |claim: &Value| {
        let mut spec = claim["spec"].clone();
        if let Some(spec) = spec.as_object_mut() {
            spec.remove("resources");
            spec.remove("volumeAttributesClassName");
        }
        spec
    };
    if old.is_none_or(|old| fixed(old) == fixed(new)) {
        return Vec::new();
    }
    // The real message goes on with a difference of Go structures.
    let message = "Forbidden: spec is immutable after creation except resources.requests and \
                   volumeAttributesClassName for bound claims";
    vec![Cause::new("FieldValueForbidden", "spec", message)]
}

fn workload(new: &Value, old: Option<&Value>) -> Vec<Cause> {
    let mut causes = Vec::new();
    let selector = &new["spec"]["selector"];
    let labels = &new["spec"]["template"]["metadata"]["labels"];
    if selector.is_null() {
        causes.push(Cause::new("FieldValueRequired", "spec.selector", "Required value"));
    }
    let wanted = selector["matchLabels"].as_object();
    if wanted.into_iter().flatten().any(|(key, value)| labels.get(key) != Some(value)) {
        let shown = if labels.is_null() { json!({}) } else { labels.clone() };
        let why = "`selector` does not match template `labels`";
        causes.push(invalid("spec.template.metadata.labels", &shown, why));
    }
    if old.is_some_and(|old| old["spec"]["selector"] != *selector) {
        causes.push(invalid("spec.selector", selector, "field is immutable"));
    }
    causes
}

fn job(new: &Value, old: Option<&Value>) -> Vec<Cause> {
    let (new, old) = (&new["spec"]["template"], old.map(|old| &old["spec"]["template"]));
    // The real message quotes the template as a Go structure.
    let changed = old.is_some_and(|old| old != new);
    changed.then(|| invalid("spec.template", new, "field is immutable")).into_iter().collect()
}

fn binding(new: &Value, old: Option<&Value>) -> Vec<Cause> {
    let role = &new["roleRef"];
    if old.is_none_or(|old| old["roleRef"] == *role) {
        return Vec::new();
    }
    let shown = json!({"APIGroup": role["apiGroup"], "Kind": role["kind"], "Name": role["name"]});
    vec![invalid("roleRef", &shown, "cannot change roleRef")]
}

/// The rule for the names of a template's parameters, the same for stored and for processed templates.
pub(crate) fn parameter_names(template: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    for (index, parameter) in template["parameters"].as_array().into_iter().flatten().enumerate() {
        let (field, name) = (format!("parameters[{index}].name"), &parameter["name"]);
        let text = name.as_str().unwrap_or_default();
        if text.is_empty() {
            causes.push(Cause::new("FieldValueRequired", &field, "Required value"));
        } else if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            causes.push(invalid(&field, name, "does not match ^[a-zA-Z0-9_]+$"));
        }
    }
    causes
}

/// How Go's decoder says that a value has the wrong type: the first such value in an object that came by POST or PUT.
pub(crate) fn decode_fault(kind: &Kind, object: &Value, schema: &Value) -> Option<String> {
    let known = schema["properties"].as_object()?;
    known.iter().find_map(|(name, schema)| wrong(object.get(name)?, schema, &kind.kind, name))
}

fn wrong(value: &Value, schema: &Value, holder: &str, path: &str) -> Option<String> {
    let (wanted, fits) = match schema["type"].as_str()? {
        "string" => ("string", value.is_string()),
        "integer" => ("int32", value.is_number()),
        "boolean" => ("bool", value.is_boolean()),
        "array" if value.is_array() => {
            let items = value.as_array()?;
            let holder = singular(path.rsplit('.').next().unwrap_or(path));
            return items.iter().find_map(|item| wrong(item, &schema["items"], &holder, path));
        }
        "array" => ("[]", value.is_null()),
        _ if !value.is_object() => ("map[string]string", value.is_null()),
        _ => {
            let map = value.as_object()?;
            let inner = if path == "spec" { format!("{holder}Spec") } else { holder.to_owned() };
            let inner = if path.ends_with("template.spec") { "PodSpec".to_owned() } else { inner };
            return map.iter().find_map(|(key, value)| match &schema["properties"][key] {
                Value::Null => wrong(value, schema.get("additionalProperties")?, holder, path),
                schema => wrong(value, schema, &inner, &format!("{path}.{key}")),
            });
        }
    };
    let json = json_type(value);
    (!fits && !value.is_null()).then(|| {
        format!("json: cannot unmarshal {json} into Go struct field {holder}.{path} of type {wanted}")
    })
}

/// The Go type of a list's items, by the list's name; close enough where it was not measured.
fn singular(list: &str) -> String {
    let one = match list {
        "env" => return "EnvVar".to_owned(),
        "ports" => return "ContainerPort".to_owned(),
        "initContainers" => "container",
        other => other.strip_suffix('s').unwrap_or(other),
    };
    one[..1].to_uppercase() + &one[1..]
}
