//! Rules of Secrets.

use base64::engine::general_purpose::STANDARD;
use base64::{DecodeError, Engine};
use serde_json::{Map, Value};

use crate::kube::kind::Kind;
use crate::kube::meta::{self, json_type};
use crate::kube::status::{Cause, Status};

const FIELDS: [&str; 6] = ["apiVersion", "kind", "metadata", "type", "data", "immutable"];

/// Brings a Secret into its stored form: `stringData` becomes `data`, the type defaults to `Opaque`.
///
/// # Errors
/// 400 for values that are no text or no base64, 422 for bad keys and for changes of what is immutable.
pub(crate) fn normalise(kind: &Kind, new: &mut Value, old: Option<&Value>) -> Result<(), Status> {
    let name = meta::text(new, "name").to_owned();
    let Some(map) = new.as_object_mut() else { return Ok(()) };
    let mut data = texts(map.remove("data"), "data")?;
    if let Some(broken) = broken_base64(&serde_json::json!({"data": data})) {
        return Err(decode_error(&broken));
    }
    for (key, value) in texts(map.remove("stringData"), "stringData")? {
        data.insert(key, STANDARD.encode(value.as_str().unwrap_or_default()).into());
    }
    map.retain(|key, value| FIELDS.contains(&key.as_str()) && !value.is_null());
    if !data.is_empty() {
        map.insert("data".into(), data.clone().into());
    }
    map.entry("type").or_insert_with(|| "Opaque".into());

    let mut causes = Vec::new();
    causes.extend(data.keys().filter_map(|key| bad_key(key, "data")));
    if new["type"] == "kubernetes.io/tls" {
        for key in ["tls.crt", "tls.key"].into_iter().filter(|key| !data.contains_key(*key)) {
            causes.push(Cause::new("FieldValueRequired", &format!("data[{key}]"), "Required value"));
        }
    }
    if let Some(old) = old {
        if old["type"] != new["type"] {
            let message = format!("Invalid value: {}: field is immutable", new["type"]);
            causes.push(Cause::new("FieldValueInvalid", "type", message));
        }
        if old["immutable"] == true && old["data"] != new["data"] {
            let message = "Forbidden: field is immutable when `immutable` is set";
            causes.push(Cause::new("FieldValueForbidden", "data", message));
        }
    }
    if causes.is_empty() { Ok(()) } else { Err(Status::invalid(kind, &name, &causes)) }
}

/// What is wrong with a key of `data`, in Secrets and ConfigMaps.
pub(crate) fn bad_key(key: &str, field: &str) -> Option<Cause> {
    let fits = !key.is_empty()
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    let message = format!(
        "Invalid value: {key:?}: a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. \
         'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
    );
    (!fits).then(|| Cause::new("FieldValueInvalid", &format!("{field}[{key}]"), message))
}

/// Where the base64 of a Secret's `data` breaks, as Go says it.
pub(crate) fn broken_base64(secret: &Value) -> Option<String> {
    secret["data"].as_object()?.values().find_map(|value| {
        let at = match STANDARD.decode(value.as_str()?).err()? {
            DecodeError::InvalidByte(at, _) | DecodeError::InvalidLastSymbol { offset: at, .. } => at,
            DecodeError::InvalidLength(at) => at,
            DecodeError::InvalidPadding => value.as_str().map_or(0, str::len),
        };
        Some(format!("illegal base64 data at input byte {at}"))
    })
}

fn texts(value: Option<Value>, field: &str) -> Result<Map<String, Value>, Status> {
    let mut map = match value {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(map)) => map,
        Some(other) => {
            let go = if field == "data" { "map[string][]uint8" } else { "map[string]string" };
            return Err(unmarshal(&other, field, go));
        }
    };
    for value in map.values_mut() {
        if value.is_null() {
            *value = "".into();
        }
        if !value.is_string() {
            return Err(unmarshal(value, field, if field == "data" { "[]uint8" } else { "string" }));
        }
    }
    Ok(map)
}

fn unmarshal(value: &Value, field: &str, go: &str) -> Status {
    let what = json_type(value);
    decode_error(&format!("json: cannot unmarshal {what} into Go struct field Secret.{field} of type {go}"))
}

fn decode_error(text: &str) -> Status {
    Status::bad_request(format!("Secret in version \"v1\" cannot be handled as a Secret: {text}"))
}
