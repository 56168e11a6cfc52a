//! What a plugin prints.

use std::time::SystemTime;

use rest::{Secret, Timestamp};
use serde_json::Value;

/// The credentials of an ExecCredential: a token, a certificate with its key, or both.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) token: Option<Secret>,
    /// Certificate and key in one PEM text.
    pub(crate) identity: Option<Secret>,
    /// When to ask again. Without it the credentials are good until the server refuses them.
    pub(crate) expires: Option<SystemTime>,
}

impl Answer {
    /// Reads the plugin's output; an error says what is wrong with it, and not what it is.
    pub(super) fn read(output: &[u8], api_version: &str) -> Result<Answer, &'static str> {
        let object: Value = serde_json::from_slice(output)
            .map_err(|_| "did not print JSON: run it by hand to see what it says")?;
        if object["kind"] != "ExecCredential" {
            return Err("did not print an ExecCredential");
        }
        if object["apiVersion"] != api_version {
            return Err(
                "answered with another apiVersion than the kubeconfig's: change the apiVersion there",
            );
        }
        let status = &object["status"];
        let text = |field: &str| match &status[field] {
            Value::Null => Ok(None),
            Value::String(text) => Ok(Some(text.as_str()).filter(|text| !text.is_empty())),
            _ => Err("answered with a status that has something else than strings in it"),
        };
        let identity = match (text("clientCertificateData")?, text("clientKeyData")?) {
            (None, None) => None,
            (Some(certificate), Some(key)) => Some(Secret::new(format!("{certificate}\n{key}"))),
            _ => return Err("answered with a client certificate or its key only: both are needed"),
        };
        let token = text("token")?.map(Secret::new);
        if token.is_none() && identity.is_none() {
            return Err("answered with neither a token nor a client certificate");
        }
        let expires = text("expirationTimestamp")?
            .map(|text| {
                Timestamp::parse(text)
                    .and_then(Timestamp::system_time)
                    .ok_or("answered with an expirationTimestamp that is not RFC 3339")
            })
            .transpose()?;
        Ok(Answer { token, identity, expires })
    }
}
