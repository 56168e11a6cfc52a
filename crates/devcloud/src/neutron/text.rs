//! Texts as Python prints them and as MariaDB compares them.

use serde_json::Value;

/// `str()` of a JSON value in Python.
pub(crate) fn python(value: &Value) -> String {
    match value {
        Value::Null => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(repr).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let pairs: Vec<String> =
                map.iter().map(|(key, value)| format!("'{key}': {}", repr(value))).collect();
            format!("{{{}}}", pairs.join(", "))
        }
    }
}

fn repr(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{text}'"),
        other => python(other),
    }
}

/// What a boolean attribute or filter takes: `None` for anything else.
pub(crate) fn boolean(value: &Value) -> Option<bool> {
    match python(value).trim().to_lowercase().as_str() {
        "1" | "t" | "true" | "on" | "y" | "yes" => Some(true),
        "0" | "f" | "false" | "off" | "n" | "no" => Some(false),
        _ => None,
    }
}

/// True if both are one text: byte by byte, or as `utf8mb3_general_ci` sees it.
pub(crate) fn same(a: &str, b: &str, blind: bool) -> bool {
    if blind { fold(a) == fold(b) } else { a == b }
}

/// Case, accents and trailing spaces do not count.
fn fold(text: &str) -> String {
    text.trim_end_matches(' ').chars().flat_map(char::to_lowercase).filter_map(base).collect()
}

/// The letter without its accent, for the Latin letters; combining accents vanish.
fn base(character: char) -> Option<char> {
    Some(match character {
        '\u{300}'..='\u{36f}' => return None,
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ĥ' => 'h',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => 'i',
        'ĵ' => 'j',
        'ķ' => 'k',
        'ĺ' | 'ļ' | 'ľ' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ō' | 'ŏ' | 'ő' => 'o',
        'ŕ' | 'ŗ' | 'ř' => 'r',
        'ß' | 'ś' | 'ŝ' | 'ş' | 'š' => 's',
        'ţ' | 'ť' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ŵ' => 'w',
        'ý' | 'ÿ' | 'ŷ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        other => other,
    })
}

/// True for what utf8mb3 cannot store: emoji and all else past U+FFFF.
pub(crate) fn beyond_utf8mb3(text: &str) -> bool {
    text.chars().any(|character| character > '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_blind_collation_is_blind() {
        for (a, b) in [("beta", "BETA"), ("zlut", "žluť"), ("beta", "beta "), ("", "  "), ("É", "e")] {
            assert!(same(a, b, true), "{a} {b}");
            assert!(!same(a, b, false), "{a} {b}");
        }
        for (a, b) in [("beta", " beta"), ("beta", "beta2"), ("a", "ø")] {
            assert!(!same(a, b, true), "{a} {b}");
        }
    }

    #[test]
    fn values_are_printed_as_python_does() {
        let value = json!({"a": [1, "x", null, true]});
        assert_eq!(python(&value), "{'a': [1, 'x', None, True]}");
    }

    #[test]
    fn booleans_are_read_leniently_but_not_too_much() {
        for yes in [json!(true), json!("True"), json!(1), json!("yes"), json!(" on ")] {
            assert_eq!(boolean(&yes), Some(true), "{yes}");
        }
        for no in [json!(false), json!("0"), json!("off")] {
            assert_eq!(boolean(&no), Some(false), "{no}");
        }
        for bad in [json!(2), json!("foo"), json!(null), json!([])] {
            assert_eq!(boolean(&bad), None, "{bad}");
        }
    }
}
