//! Booleans the way PyYAML, and therefore every existing `clouds.yaml`, spells them.

use serde_json::Value;

/// Reads a boolean of YAML 1.1: `true`, `false`, `yes`, `no`, `on`, `off` in lower, upper or
/// capital case, quoted or not, and `1` and `0`. `None` for anything else.
///
/// Our YAML reader follows version 1.2, where `no` is a string.
pub(crate) fn boolean(value: &Value) -> Option<bool> {
    let text = match value {
        Value::Bool(value) => return Some(*value),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_ascii_lowercase(),
        _ => return None,
    };
    match text.as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_spelling_of_yaml_1_1() {
        for yes in [json!(true), json!("yes"), json!("Yes"), json!("ON"), json!("True"), json!(1), json!("1")]
        {
            assert_eq!(boolean(&yes), Some(true), "{yes}");
        }
        for no in [json!(false), json!("no"), json!("NO"), json!("Off"), json!("false"), json!(0)] {
            assert_eq!(boolean(&no), Some(false), "{no}");
        }
        for neither in [json!("y"), json!(""), json!("/etc/ssl/ca.pem"), json!(2), json!([]), json!(null)] {
            assert_eq!(boolean(&neither), None, "{neither}");
        }
    }
}
