use super::*;
use proptest::prelude::*;
use serde_json::json;

fn template(parameters: Value) -> Value {
    json!({"kind": "Template", "metadata": {"name": "t"}, "objects": [{"a": "${A}"}], "parameters": parameters})
}

fn given(pairs: Value) -> BTreeMap<String, Value> {
    serde_json::from_value(pairs).unwrap()
}

fn problems(parameters: Value, pairs: Value) -> Vec<String> {
    let problems = overridden(&template(parameters), &given(pairs)).unwrap_err();
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn scalars_become_text() {
    for (value, expected) in [
        (json!("text"), "text"),
        (json!(""), ""),
        (json!("${B}"), "${B}"),
        (json!(true), "true"),
        (json!(false), "false"),
        (json!(0), "0"),
        (json!(-3), "-3"),
        (json!(i64::MIN), "-9223372036854775808"),
        (json!(u64::MAX), "18446744073709551615"),
        (json!(1.5), "1.5"),
        (json!(0.1_f64 + 0.2), "0.30000000000000004"),
    ] {
        let declared = template(json!([{"name": "A", "value": "default"}]));
        let copy = overridden(&declared, &given(json!({"A": value}))).unwrap();
        assert_eq!(copy["parameters"], json!([{"name": "A", "value": expected}]));
    }
}

#[test]
fn an_override_is_not_generated_and_the_rest_stays() {
    let declared = template(json!([
        {"name": "A", "generate": "expression", "from": "[a-z]{8}", "required": true, "description": "d"},
        {"name": "B", "value": "keep"},
    ]));
    let before = declared.clone();
    let copy = overridden(&declared, &given(json!({"A": "x"}))).unwrap();
    let expected = json!([
        {"name": "A", "value": "x", "required": true, "description": "d"},
        {"name": "B", "value": "keep"},
    ]);
    assert_eq!(copy, template(expected));
    assert_eq!(declared, before, "the original is not touched");
}

#[test]
fn an_empty_override_is_an_empty_value_and_no_wish_for_a_generated_one() {
    let declared = template(json!([{"name": "A", "generate": "expression", "from": "[a-z]{8}"}]));
    let copy = overridden(&declared, &given(json!({"A": ""}))).unwrap();
    assert_eq!(copy["parameters"], json!([{"name": "A", "value": ""}]));
}

#[test]
fn a_name_that_is_declared_twice_is_set_twice() {
    let declared = template(json!([{"name": "A", "value": "first"}, {"name": "A", "value": "second"}]));
    let copy = overridden(&declared, &given(json!({"A": "x"}))).unwrap();
    assert_eq!(copy["parameters"], json!([{"name": "A", "value": "x"}, {"name": "A", "value": "x"}]));
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    let declared =
        json!([{"name": "REPLICAS"}, {"name": "PASSWORD", "generate": "expression", "from": "[a-z]{8}"}]);
    let given = json!({"REPLICA": 3, "REPLICAS": null, "LIST": [1], "passwrd": {"a": "hunter2"}});
    assert_eq!(
        problems(declared, given),
        [
            "\"LIST\" is a list; give a string, a boolean, an integer or a finite float",
            "\"REPLICA\" is not a parameter of the template; did you mean \"REPLICAS\"?",
            "\"REPLICAS\" is null or not finite; leave it out to keep the template's default",
            "\"passwrd\" is an object; give a string, a boolean, an integer or a finite float; \
             did you mean \"PASSWORD\"?",
            "\"PASSWORD\" would be generated anew each time; give it a value",
        ]
    );
}

/// A few minutes, once: each name was looked for in all of the others.
#[test]
fn thousands_of_names_are_soon_compared() {
    let names = |prefix: &str| (0..30_000).map(|n| format!("{prefix}_{n:05}")).collect::<Vec<_>>();
    let long = "A".repeat(400_000);
    let mut declared: Vec<_> =
        names("A_NAME_WITH_MANY_LETTERS").iter().map(|name| json!({"name": name})).collect();
    declared.push(json!({"name": long}));
    let mut given: BTreeMap<_, _> =
        names("A_NAME_OF_MANY_LETTERS").into_iter().map(|name| (name, json!("x"))).collect();
    given.insert(format!("{long}B"), json!("x"));
    let problems = overridden(&template(json!(declared)), &given).unwrap_err();
    assert_eq!(problems.len(), given.len());
    let suggested = problems.iter().filter(|problem| problem.suggestion.is_some()).count();
    assert_eq!(suggested, MOST_SUGGESTIONS - 1, "the first, AAA…, is too long");
}

#[test]
fn a_null_is_no_wish_for_a_generated_value() {
    let declared = json!([{"name": "A", "generate": "expression", "from": "[a-z]{8}"}]);
    let text = problems(declared, json!({"A": null}));
    assert_eq!(text, ["\"A\" is null or not finite; leave it out to keep the template's default"]);
    assert_eq!(Value::from(f64::NAN), Value::Null, "this is why the text speaks of both");
}

#[test]
fn generators() {
    for (parameter, refused) in [
        (json!({"name": "A", "generate": "expression", "from": "[a-z]{8}"}), true),
        (json!({"name": "A", "generate": "expression", "from": "[a-z]{8}", "value": ""}), true),
        (json!({"name": "A", "generate": "expression", "from": "[a-z]{8}", "value": null}), true),
        (json!({"name": "A", "generate": "expression"}), true),
        (json!({"name": "A", "generate": "nope", "from": "x"}), true),
        (json!({"name": "A", "generate": "expression", "from": "[a-z]{8}", "value": "keep"}), false),
        (json!({"name": "A", "generate": "", "from": "[a-z]{8}"}), false),
        (json!({"name": "A", "generate": null}), false),
        (json!({"name": "A", "required": true}), false), // the server refuses it
        (json!({"name": "A"}), false),
    ] {
        let declared = template(json!([parameter]));
        assert_eq!(overridden(&declared, &BTreeMap::new()).is_err(), refused, "{declared}");
        assert!(overridden(&declared, &given(json!({"A": "x"}))).is_ok(), "{declared}");
    }
}

#[test]
fn a_template_may_have_no_parameters() {
    for declared in [template(json!(null)), template(json!([])), json!({"kind": "Template"})] {
        assert_eq!(overridden(&declared, &BTreeMap::new()).unwrap(), declared);
        let problems = overridden(&declared, &given(json!({"A": 1}))).unwrap_err();
        assert_eq!(problems[0].to_string(), "\"A\" is not a parameter of the template");
    }
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        ".{0,8}".prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::num::f64::NORMAL.prop_map(Value::from),
    ]
}

proptest! {
    /// Whatever is declared and given: either all of it is in the copy, or nothing is sent, and no value is in
    /// the text of the error.
    #[test]
    fn all_or_an_error_without_values(
        declared in prop::collection::vec(("[A-D]", any::<bool>(), "[xy]{0,2}"), 0..5),
        given in prop::collection::btree_map("[A-E]", scalar(), 0..4),
    ) {
        let declared = template(declared.iter().map(|(name, generated, value)| {
            if *generated {
                json!({"name": name, "value": value, "generate": "expression", "from": "[0-9]{9}"})
            } else {
                json!({"name": name, "value": value})
            }
        }).collect());
        match overridden(&declared, &given) {
            Ok(copy) => {
                for parameter in copy["parameters"].as_array().unwrap() {
                    let name = parameter["name"].as_str().unwrap();
                    match given.get(name) {
                        Some(value) => {
                            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                            prop_assert_eq!(&parameter["value"], &text);
                            prop_assert!(parameter.get("generate").is_none());
                        }
                        None => prop_assert!(parameter["generate"].is_null() || parameter["value"] != ""),
                    }
                }
                prop_assert_eq!(&copy["objects"], &declared["objects"]);
            }
            Err(problems) => prop_assert!(!problems.is_empty()),
        }
    }

    #[test]
    fn a_float_comes_back_as_it_was(number in prop::num::f64::NORMAL) {
        let text = text(&Value::from(number)).unwrap();
        prop_assert_eq!(text.parse::<f64>().unwrap(), number);
    }

    #[test]
    fn no_problem_quotes_a_value(names in prop::collection::btree_set("[A-E]{1,3}", 1..4)) {
        let given: BTreeMap<_, _> = names.into_iter().map(|name| (name, json!(["hunter2", {"a": 4711}]))).collect();
        let problems = overridden(&template(json!([{"name": "A"}])), &given).unwrap_err();
        let text = format!("{problems:?} {}", problems[0]);
        prop_assert!(!text.contains("hunter2") && !text.contains("4711"), "{}", text);
    }
}
