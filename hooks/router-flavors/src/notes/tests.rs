use serde_json::json;

use super::*;
use crate::samples::{profile, spec};

#[test]
fn a_bound_profile_that_differs_is_named_field_by_field() {
    let mut drifted = profile("p1", true);
    let wanted = &spec(&json!({})).service_profiles[0];
    assert!(drift(&drifted, wanted).is_empty());
    drifted.stored.description = None;
    assert_eq!(drift(&drifted, wanted), ["service profile p1 description: have='' want='p'"]);
    drifted.stored.enabled = false;
    assert_eq!(
        drift(&drifted, wanted),
        [
            "service profile p1 is_enabled: have=False want=True",
            "service profile p1 description: have='' want='p'"
        ]
    );
    // What is foreign lacks the marks; that is no difference in a field of the spec.
    assert!(drift(&profile("p2", false), wanted).is_empty());
}

#[test]
fn of_several_profiles_the_effective_one_is_named() {
    let (managed, foreign, third) = (profile("b", true), profile("a", false), profile("c", true));
    let (mut disabled, mut lost) = (profile("0", true), profile("00", false));
    (disabled.stored.enabled, lost.stored.enabled) = (false, false);
    let plain = "flavor \"gold\" has 2 service profiles: the server uses only the one with the lowest id";
    let table: [(Vec<&Profile>, Option<String>); 6] = [
        (vec![], None),
        (vec![&disabled], None),
        (vec![&third, &managed], Some(format!("{plain}, b"))),
        (vec![&managed, &foreign], Some(format!("WARNING: {plain}, a, which is not managed"))),
        (
            vec![&managed, &disabled],
            Some(format!("WARNING: {plain}, 0, which is disabled: no router can be created")),
        ),
        (
            vec![&lost, &managed],
            Some(format!(
                "WARNING: {plain}, 00, which is not managed and is disabled: no router can be created"
            )),
        ),
    ];
    for (bound, note) in table {
        assert_eq!(effective("gold", &bound), note);
    }
}

#[test]
fn texts_look_as_python_shows_them() {
    let table = [
        ("", "''"),
        ("plain", "'plain'"),
        ("it's", "\"it's\""),
        ("it's \"so\"", "'it\\'s \"so\"'"),
        ("a\\b\n", "'a\\\\b\\n'"),
    ];
    for (value, shown) in table {
        assert_eq!(text(value), shown);
    }
}
