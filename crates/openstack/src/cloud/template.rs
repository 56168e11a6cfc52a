//! The two kinds of placeholders in URLs: `{region_name}`, known at once, and `%(project_id)s`,
//! known after the login.

use super::entry::Entry;
use crate::Error;

/// Fills `{region_name}` in.
///
/// # Errors
/// [`Error::Cloud`] if the entry has no region or the text has another placeholder.
pub(crate) fn region(entry: &Entry, key: &str, text: String) -> Result<String, Error> {
    if !text.contains(['{', '}']) {
        return Ok(text);
    }
    let filled = match &entry.region {
        Some(region) => text.replace("{region_name}", region),
        None if text.contains("{region_name}") => {
            return Err(entry.problem(format!("{key} needs {{region_name}}, but region_name is missing")));
        }
        None => text,
    };
    if filled.contains(['{', '}']) {
        return Err(entry.problem(format!("{key} has a placeholder other than {{region_name}}")));
    }
    Ok(filled)
}

/// True if [`token`] has something to fill in.
pub(crate) fn needs_token(url: &str) -> bool {
    url.contains("%(") || url.contains("$(")
}

/// Fills `%(project_id)s`, `%(tenant_id)s` and `%(user_id)s` in (also with `$`, as in Keystone's
/// own endpoint templates). `Err` has the name of the placeholder that stays open.
pub(crate) fn token(url: &str, project_id: Option<&str>, user_id: Option<&str>) -> Result<String, String> {
    let mut result = url.to_owned();
    for (name, value) in [("project_id", project_id), ("tenant_id", project_id), ("user_id", user_id)] {
        for sign in ['%', '$'] {
            let placeholder = format!("{sign}({name})s");
            if result.contains(&placeholder) {
                result = result.replace(&placeholder, value.ok_or(placeholder.as_str())?);
            }
        }
    }
    if needs_token(&result) {
        return Err("one other than %(project_id)s, %(tenant_id)s and %(user_id)s".to_owned());
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_in_what_the_token_says() {
        let url = |text| token(text, Some("p1"), Some("u1"));
        assert_eq!(url("http://h/v1/AUTH_%(project_id)s"), Ok("http://h/v1/AUTH_p1".to_owned()));
        assert_eq!(url("http://h/$(tenant_id)s/%(user_id)s"), Ok("http://h/p1/u1".to_owned()));
        assert_eq!(url("http://h/plain"), Ok("http://h/plain".to_owned()));
        assert!(url("http://h/%(nosuch)s").is_err());
        assert_eq!(token("http://h/%(project_id)s", None, None), Err("%(project_id)s".to_owned()));
    }
}
