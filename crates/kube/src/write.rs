//! Writes that are done once: create, server-side apply, delete.

use rest::Request;
use serde_json::{Value, json};

use crate::client::describe;
use crate::{Client, Error, Resource};

/// How an object is deleted. Default: as the server does it for this kind, whatever object has the name.
///
/// ```
/// use kube::DeleteOptions;
///
/// let this_one = DeleteOptions { uid: Some("7e3b0978".to_owned()), ..DeleteOptions::default() };
/// assert_ne!(this_one, DeleteOptions::default());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeleteOptions {
    /// Whether what the object owns is deleted by the garbage collector afterwards, whatever the kind's own
    /// default is (`propagationPolicy: Background`).
    pub background: bool,
    /// Delete only the object with this `metadata.uid`; another one of the same name is a
    /// [conflict](Error::is_conflict).
    pub uid: Option<String>,
    /// Delete the object only as it is in this `metadata.resourceVersion`; a changed one is a
    /// [conflict](Error::is_conflict).
    pub resource_version: Option<String>,
}

impl DeleteOptions {
    fn body(&self) -> Value {
        let mut body = json!({"apiVersion": "v1", "kind": "DeleteOptions"});
        if self.background {
            body["propagationPolicy"] = "Background".into();
        }
        if let Some(uid) = &self.uid {
            body["preconditions"]["uid"] = uid.as_str().into();
        }
        if let Some(version) = &self.resource_version {
            body["preconditions"]["resourceVersion"] = version.as_str().into();
        }
        body
    }
}

/// JSON that is the same as YAML, as which the server reads an apply. In YAML some characters end a line, so that the
/// blanks around them are lost, and others are not allowed (measured); they occur in texts only, where both
/// languages have the same escape for them.
fn as_yaml(json: &str) -> String {
    let is_special = |letter: char| {
        matches!(letter, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
    };
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        if is_special(letter) {
            out.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            out.push(letter);
        }
    }
    out
}

impl Client {
    /// Posts an object to a collection and returns the answer: the object as it was created, or what a
    /// create-only resource makes of it. Never repeated; see [`Error::is_outcome_unknown`].
    ///
    /// # Errors
    /// As [`get`](Client::get); of [`Error::Refused`], [`is_already_exists`](Error::is_already_exists) and
    /// [`is_invalid`](Error::is_invalid). The text of a refusal shows what the server said only where that
    /// cannot quote the object.
    ///
    /// ```no_run
    /// use kube::{Client, Resource};
    /// use serde_json::json;
    ///
    /// let review = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"});
    /// let reviews = Resource::new("authentication.k8s.io", "v1", "selfsubjectreviews");
    /// let answer = Client::connect()?.post(&reviews, None, &review)?;
    /// println!("{}", answer["status"]["userInfo"]["username"]);
    /// # Ok::<(), kube::Error>(())
    /// ```
    pub fn post(&self, resource: &Resource, namespace: Option<&str>, object: &Value) -> Result<Value, Error> {
        let name = object["metadata"]["name"].as_str();
        let what = describe("create", resource, namespace, name);
        let request = Request::post(self.url(&resource.collection(namespace)?)).json(object);
        self.once(what, request).map_err(Error::discreet)
    }

    /// Creates or changes an object by server-side apply: `object` is what `field_manager` wants of it, with
    /// `apiVersion`, `kind` and `metadata.name`; what the manager owned and no longer wants is removed. A field
    /// that another manager has set otherwise is a [field conflict](Error::is_field_conflict); it is never
    /// taken over by force. Returns the whole object. Never repeated; see [`Error::is_outcome_unknown`].
    ///
    /// An apply that changes nothing leaves `metadata.resourceVersion` as it was (measured).
    ///
    /// # Errors
    /// As [`post`](Client::post), and [`Error::Name`] for an empty field manager. A wrong type or an unknown
    /// field is a 500 (measured), which [`is_invalid`](Error::is_invalid) knows.
    ///
    /// ```no_run
    /// use kube::{Client, Resource};
    /// use serde_json::json;
    ///
    /// let settings = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"},
    ///     "data": {"colour": "blue"}});
    /// let client = Client::connect()?;
    /// let live = client.apply(&Resource::core("configmaps"), Some("jobs"), "settings", &settings, "me")?;
    /// println!("{}", live["metadata"]["uid"]);
    /// # Ok::<(), kube::Error>(())
    /// ```
    pub fn apply(
        &self,
        resource: &Resource,
        namespace: Option<&str>,
        name: &str,
        object: &Value,
        field_manager: &str,
    ) -> Result<Value, Error> {
        let what = describe("apply", resource, namespace, Some(name));
        if field_manager.is_empty() {
            return Err(Error::Name { what: "field manager", value: String::new() });
        }
        let mut request = Request::patch(self.url(&resource.object(namespace, name)?))
            .query("fieldManager", field_manager)
            .header("Content-Type", "application/apply-patch+yaml");
        request.body = Some(as_yaml(&object.to_string()).into_bytes());
        self.once(what, request).map_err(Error::discreet)
    }

    /// Deletes an object, or, if it has finalizers, asks for it to be deleted. Never repeated; see
    /// [`Error::is_outcome_unknown`].
    ///
    /// # Errors
    /// As [`get`](Client::get): an object that is not there is [`is_not_found`](Error::is_not_found), one with
    /// another uid [`is_conflict`](Error::is_conflict); [`Error::Answer`] for an answer that is neither the
    /// object nor a `Status` of success (measured: the one if something holds the object, the other if it is
    /// gone). The text of a refusal is as [`post`](Client::post)'s: a webhook that refuses sees the object.
    ///
    /// ```no_run
    /// use kube::{Client, DeleteOptions, Resource};
    ///
    /// let client = Client::connect()?;
    /// match client.delete(&Resource::core("configmaps"), Some("jobs"), "settings", &DeleteOptions::default()) {
    ///     Err(error) if !error.names_object("settings") => return Err(error),
    ///     _ => println!("it is gone, or will be when its finalizers are"),
    /// }
    /// # Ok::<(), kube::Error>(())
    /// ```
    pub fn delete(
        &self,
        resource: &Resource,
        namespace: Option<&str>,
        name: &str,
        options: &DeleteOptions,
    ) -> Result<(), Error> {
        let what = describe("delete", resource, namespace, Some(name));
        let request = Request::delete(self.url(&resource.object(namespace, name)?)).json(&options.body());
        let answer = self.once(what.clone(), request).map_err(Error::discreet)?;
        let done = answer["kind"] == "Status" && answer["status"] == "Success";
        if done || answer["metadata"]["name"] == name {
            return Ok(());
        }
        Err(Error::Answer { request: what, expected: "the object or a Status of success" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_apply_is_the_same_in_json_and_in_yaml() {
        for (text, written) in [
            ("plain \u{e4}\u{a0}\u{feff}\u{1f600}", "\"plain \u{e4}\u{a0}\u{feff}\u{1f600}\""),
            ("\n\u{1b}\"\\", r#""\n\u001b\"\\""#),
            ("a \u{85} b", r#""a \u0085 b""#),
            ("\u{7f}\u{80}\u{9f}", r#""\u007f\u0080\u009f""#),
            ("\u{2028}\u{2029}\u{fffe}\u{ffff}", r#""\u2028\u2029\ufffe\uffff""#),
        ] {
            let yaml = as_yaml(&Value::from(text).to_string());
            assert_eq!(yaml, written);
            assert_eq!(serde_json::from_str::<Value>(&yaml).unwrap(), text);
        }
    }
}
