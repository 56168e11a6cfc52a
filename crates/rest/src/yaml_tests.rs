use super::*;
use serde_json::json;

fn problem(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn documents() {
    for (text, value) in [
        ("", json!(null)),
        ("# only a comment\n", json!(null)),
        ("a: 1\nb: [x, 2.5, true, ~]\n", json!({"a": 1, "b": ["x", 2.5, true, null]})),
        ("{\"a\": {\"b\": \"c\"}}", json!({"a": {"b": "c"}})),
        ("a: |\n  one\n  two\n", json!({"a": "one\ntwo\n"})),
        ("a: -7\nb: 18446744073709551615\n", json!({"a": -7, "b": 18_446_744_073_709_551_615_u64})),
        ("1: a\ntrue: b\n2.5: c\n", json!({"1": "a", "true": "b", "2.5": "c"})),
        ("---\na: 1\n", json!({"a": 1})),
        ("\u{feff}a: 1\r\nb: 2\r\n", json!({"a": 1, "b": 2})),
    ] {
        assert_eq!(parse(text).unwrap(), value, "{text}");
    }
}

#[test]
fn scalars_of_yaml_1_1_stay_strings() {
    let text = "a: yes\nb: no\nc: on\nd: off\ne: y\nf: 2026-01-01\ng: 1_000\nh: 1:30\n";
    let value = json!({"a": "yes", "b": "no", "c": "on", "d": "off", "e": "y", "f": "2026-01-01",
        "g": "1_000", "h": "1:30"});
    assert_eq!(parse(text).unwrap(), value);
}

#[test]
fn merge_keys_are_applied_and_own_keys_win() {
    let text = "base: &base\n  a: 1\n  b: 1\none:\n  <<: *base\n  b: 2\ntwo:\n  <<: [{a: 3}, *base]\n";
    let value = parse(text).unwrap();
    assert_eq!(value["one"], json!({"a": 1, "b": 2}));
    assert_eq!(value["two"], json!({"a": 3, "b": 1}));
    assert_eq!(
        problem("a:\n  <<: 1\n"),
        "not valid YAML: a merge key (<<) takes a mapping or a list of mappings"
    );
}

#[test]
fn errors_name_the_place_and_never_the_content() {
    for (text, expected) in [
        ("hunter2: a\nhunter2: b\n", "not valid YAML: a key occurs twice in one mapping (line 1, column 1)"),
        ("a:\n  hunter2: [1\n", "not valid YAML: its syntax is wrong (line 3, column 1)"),
        (
            "password: hunter2: x\n",
            "not valid YAML: a \"key: value\" stands where none can be: is the \
            indentation right, is a value with \": \" quoted? (line 1, column 18)",
        ),
        (
            "password: @hunter2\n",
            "not valid YAML: a character stands where none such can begin a value: tabs \
            do not indent, @ and ` need quotes (line 1, column 11)",
        ),
        ("a: *hunter2\n", "not valid YAML: an alias has no anchor (line 1, column 4)"),
        ("a: hunter2\n---\nb: 1\n", "not valid YAML: there is more than one document"),
        ("a: !secret hunter2\n", "not valid YAML: tags are not supported"),
        ("a: .inf\n", "not valid YAML: JSON has no number for infinity or not-a-number"),
        ("[hunter2]: a\n", "not valid YAML: a key is neither a string nor a number nor a boolean"),
        ("1: hunter2\n\"1\": a\n", "not valid YAML: a key occurs twice in one mapping, once as a string"),
    ] {
        let shown = problem(text);
        assert_eq!(shown, expected, "{text}");
        assert!(!shown.contains("hunter2"));
    }
}

#[test]
fn hostile_documents_end_soon() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let before = format!("*a{}", level - 1);
        bomb.push_str(&format!("a{level}: &a{level} [{}]\n", vec![before; 9].join(", ")));
    }
    assert!(problem(&bomb).contains("aliases multiply"), "{}", problem(&bomb));
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    assert!(problem(&deep).contains("nested too deeply"), "{}", problem(&deep));
}
