//! Request bodies: which attributes there are, and what may be in them.

use serde_json::{Map, Value};

use crate::http::{Request, Response};
use crate::neutron::errors::Error;
use crate::neutron::text::{self, python};

/// Service types of the plugins that are loaded (measured set-up); the case counts.
const SERVICE_TYPES: [&str; 12] = [
    "L3_ROUTER_NAT",
    "CORE",
    "FLAVORS",
    "QOS",
    "PORTFORWARDING",
    "NETWORK_SEGMENT_RANGE",
    "trunk",
    "segments",
    "revision_plugin",
    "timestamp",
    "TAG",
    "auto-allocated-topology",
];

/// What an attribute's value must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// A text without spaces around it or control characters, at most 255 long, nothing past U+FFFF.
    Name,
    /// A text of at most so many characters.
    Text(usize),
    /// The same, or null.
    TextOrNull(usize),
    /// Anything that reads as a boolean; null means the default.
    Boolean,
    ServiceType,
    Uuid,
    Uuids,
    Anything,
}

/// One attribute of a resource.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attribute {
    pub(crate) name: &'static str,
    pub(crate) rule: Rule,
    pub(crate) post: bool,
    pub(crate) put: bool,
    pub(crate) required: bool,
}

/// An attribute for POST and PUT.
pub(crate) const fn writable(name: &'static str, rule: Rule) -> Attribute {
    Attribute { name, rule, post: true, put: true, required: false }
}

/// An attribute for POST alone.
pub(crate) const fn fixed(name: &'static str, rule: Rule) -> Attribute {
    Attribute { name, rule, post: true, put: false, required: false }
}

/// An attribute that only answers have.
pub(crate) const fn read_only(name: &'static str) -> Attribute {
    Attribute { name, rule: Rule::Anything, post: false, put: false, required: false }
}

/// A resource's names and attributes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schema {
    pub(crate) resource: &'static str,
    pub(crate) collection: &'static str,
    pub(crate) attributes: &'static [Attribute],
}

/// The body of a request, parsed; null if it is empty.
pub(crate) fn parse(request: &Request) -> Result<Value, Error> {
    if request.body.is_empty() {
        return match request.method.as_str() {
            "PUT" => Err(Error::new(400, "BadRequest", "Bad body request: Invalid format: b''.")),
            _ => Ok(Value::Null),
        };
    }
    serde_json::from_slice(&request.body).map_err(|_| {
        Error::new(400, "MalformedRequestBody", "Malformed request body: Cannot understand JSON.")
    })
}

impl Schema {
    /// The attributes in the body of a POST (`create`) or PUT, checked and converted; absent ones stay absent.
    pub(crate) fn read(&self, body: &Value, create: bool) -> Result<Map<String, Value>, Error> {
        let empty = match body {
            Value::Null => true,
            Value::Object(map) => map.is_empty(),
            Value::Array(items) => items.is_empty(),
            _ => false,
        };
        if empty {
            return Err(Error::bad_request("Resource body required"));
        }
        if body.get(self.collection).is_some() {
            return Err(Error::bad_request("Bulk operation not supported"));
        }
        let Some(given) = body.get(self.resource).filter(|given| !given.is_null()) else {
            return Err(Error::bad_request(format!("Unable to find '{}' in request body", self.resource)));
        };
        let Value::Object(given) = given else {
            return Err(Error::bad_request(format!("Object '{}' contains invalid data", self.resource)));
        };
        self.attributes_of(given, create)
    }

    /// What a POST to a single resource is told: the 405 comes last, after a body that names the resource was
    /// checked as that of a create, and so was the caller (measured).
    pub(crate) fn refuse_post(
        &self,
        request: &Request,
        may_create: impl FnOnce() -> Result<(), Error>,
    ) -> Result<Response, Error> {
        if !request.body.is_empty() {
            let body: Map<String, Value> = serde_json::from_slice(&request.body)
                .map_err(|_| Error::bad_request("Body contains invalid data"))?;
            if body.contains_key(self.resource) {
                self.read(&body.into(), true)?;
                may_create()?;
            }
        }
        Err(Error::method_not_allowed())
    }

    pub(crate) fn attributes_of(
        &self,
        given: &Map<String, Value>,
        create: bool,
    ) -> Result<Map<String, Value>, Error> {
        self.recognize(given)?;
        for attribute in self.attributes {
            let present = given.contains_key(attribute.name);
            if create && attribute.required && !present {
                return Err(Error::bad_request(format!(
                    "Failed to parse request. Required attribute '{}' not specified",
                    attribute.name
                )));
            }
            if create && present && !attribute.post {
                return Err(Error::bad_request(format!(
                    "Attribute '{}' not allowed in POST",
                    attribute.name
                )));
            }
            if !create && present && !attribute.put {
                let message = format!("Cannot update read-only attribute {}", attribute.name);
                return Err(Error::bad_request(message));
            }
        }
        let mut read = Map::new();
        for attribute in self.attributes {
            if let Some(value) = given.get(attribute.name) {
                read.insert(attribute.name.to_owned(), attribute.rule.read(attribute.name, value)?);
            }
        }
        Ok(read)
    }

    fn recognize(&self, given: &Map<String, Value>) -> Result<(), Error> {
        let mut unknown: Vec<&str> = given
            .keys()
            .map(String::as_str)
            .filter(|key| !self.attributes.iter().any(|attribute| attribute.name == *key))
            .collect();
        // The one is always filled in from the other, and both are named.
        if unknown.iter().any(|key| matches!(*key, "tenant_id" | "project_id")) {
            unknown.retain(|key| !matches!(*key, "tenant_id" | "project_id"));
            unknown.extend(["tenant_id", "project_id"]);
        }
        if unknown.is_empty() {
            return Ok(());
        }
        Err(Error::bad_request(format!("Unrecognized attribute(s) '{}'", unknown.join(", "))))
    }
}

impl Rule {
    fn read(self, name: &str, value: &Value) -> Result<Value, Error> {
        let no_string = || Error::invalid(name, &format!("'{}' is not a valid string.", python(value)));
        match self {
            Self::Anything => {}
            Self::Name => {
                let text = value.as_str().ok_or_else(no_string)?;
                if text.trim() != text || text.chars().any(char::is_control) || text::beyond_utf8mb3(text) {
                    return Err(no_string());
                }
                length(name, text, 255)?;
            }
            Self::Text(max) => length(name, value.as_str().ok_or_else(no_string)?, max)?,
            Self::TextOrNull(max) => {
                if !value.is_null() {
                    length(name, value.as_str().ok_or_else(no_string)?, max)?;
                }
            }
            Self::Boolean => {
                if value.is_null() {
                    return Ok(Value::Null);
                }
                let wrong =
                    || Error::invalid_input(&format!("'{}' cannot be converted to boolean", python(value)));
                return text::boolean(value).map(Value::Bool).ok_or_else(wrong);
            }
            Self::ServiceType => {
                if !value.as_str().is_some_and(|text| SERVICE_TYPES.contains(&text)) {
                    let message = format!("Invalid service type: {}.", python(value));
                    return Err(Error::new(400, "InvalidServiceType", message));
                }
            }
            Self::Uuid => uuid(name, value)?,
            Self::Uuids => match value {
                Value::Array(items) => items.iter().try_for_each(|item| uuid(name, item))?,
                other => return Err(Error::invalid(name, &format!("'{}' is not a list.", python(other)))),
            },
        }
        Ok(value.clone())
    }
}

fn length(name: &str, text: &str, max: usize) -> Result<(), Error> {
    if text.chars().count() <= max {
        return Ok(());
    }
    Err(Error::invalid(name, &format!("'{text}' exceeds maximum length of {max}.")))
}

fn uuid(name: &str, value: &Value) -> Result<(), Error> {
    let digits = value.as_str().map(|text| text.replace('-', "")).unwrap_or_default();
    if digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(());
    }
    Err(Error::invalid(name, &format!("'{}' is not a valid UUID.", python(value))))
}
