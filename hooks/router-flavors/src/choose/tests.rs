use serde_json::json;

use super::*;
use crate::samples::{flavor as ours, foreign_flavor as foreign, profile as sample, spec};

/// What [`flavor`] says: an id, `create`, or the error.
fn chosen(flavors: &[Flavor]) -> String {
    match flavor(flavors, "gold") {
        Ok(FlavorChoice::Take(flavor)) => flavor.id.clone(),
        Ok(FlavorChoice::Create) => "create".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_name_means_the_managed_flavor_or_the_only_one() {
    let renamed = |name: &str| Flavor { name: name.to_owned(), ..ours("x", &[]) };
    let qos = Flavor { service_type: "QOS".to_owned(), ..ours("q", &[]) };
    let table = [
        (vec![], "create"),
        (vec![ours("a", &[])], "a"),
        (vec![foreign("a", &[])], "a"),
        (vec![foreign("a", &[]), ours("b", &[]), foreign("c", &[])], "b"),
        // What a case-blind and accent-blind server gives for the name is not it.
        (vec![renamed("GOLD"), renamed("góld"), renamed("gold ")], "create"),
        (vec![qos.clone()], "create"),
        (vec![qos, foreign("a", &[])], "a"),
        (
            vec![foreign("b", &[]), foreign("a", &[])],
            "2 flavors are named \"gold\" (a, b): rename or delete all but one of them",
        ),
        (
            vec![ours("b", &[]), foreign("c", &[]), ours("a", &[])],
            "2 flavors are named \"gold\" (a, b): all carry the ownership marker: take it off all but one of them",
        ),
    ];
    for (flavors, expected) in table {
        assert_eq!(chosen(&flavors), expected);
    }
}

#[test]
fn only_what_differs_in_a_flavor_is_written() {
    let described = |text: Option<&str>| Flavor { description: text.map(str::to_owned), ..ours("a", &[]) };
    let gold = Some("shiny [understack-router-flavor-operator]".to_owned());
    let table = [
        (ours("a", &[]), json!({}), FlavorUpdate::default()),
        // The previous implementation may have left white space before the marker.
        (described(Some("shiny\n [understack-router-flavor-operator]")), json!({}), FlavorUpdate::default()),
        (
            ours("a", &[]),
            json!({"is_enabled": false}),
            FlavorUpdate { enabled: Some(false), ..Default::default() },
        ),
        (
            described(Some("shiny")),
            json!({}),
            FlavorUpdate { description: gold.clone(), ..Default::default() },
        ),
        (described(None), json!({}), FlavorUpdate { description: gold.clone(), ..Default::default() }),
        (
            described(Some("old [understack-router-flavor-operator]")),
            json!({}),
            FlavorUpdate { description: gold, ..Default::default() },
        ),
        (
            ours("a", &[]),
            json!({"description": "", "is_enabled": false}),
            FlavorUpdate {
                name: None,
                description: Some("[understack-router-flavor-operator]".to_owned()),
                enabled: Some(false),
            },
        ),
    ];
    for (flavor, more, update) in table {
        assert_eq!(flavor_update(&flavor, &spec(&more)), update, "{flavor:?} {more}");
    }
}

/// What [`profile`] says for the flavor `f`, which has the profiles `here`; `there` are those of another
/// flavor, of another service type.
fn picked(profiles: &[Profile], here: &[&str], there: &[&str]) -> String {
    let other = Flavor { service_type: "QOS".to_owned(), ..foreign("other", there) };
    let flavors = [ours("f", here), other];
    match profile(profiles, &flavors, Some(&flavors[0]), &spec(&json!({})).service_profiles[0]) {
        ProfileChoice::Managed(profile) => format!("managed {}", profile.id()),
        ProfileChoice::Foreign(profile) => format!("foreign {}", profile.id()),
        ProfileChoice::Adopt(profile) => format!("adopt {}", profile.id()),
        ProfileChoice::Create => "create".to_owned(),
    }
}

#[test]
fn profiles_are_chosen_in_the_order_of_the_rules() {
    let managed = |id| sample(id, true);
    let foreign = |id| sample(id, false);
    type Row = (Vec<Profile>, &'static [&'static str], &'static [&'static str], &'static str);
    let table: [Row; 15] = [
        (vec![], &[], &[], "create"),
        // Managed and bound here, before a managed one with a lower id.
        (vec![managed("1"), managed("3"), managed("2")], &["3", "2"], &[], "managed 2"),
        (vec![managed("2"), managed("1")], &[], &[], "managed 1"),
        (vec![managed("2"), managed("1")], &[], &["1"], "managed 1"),
        // Managed, before foreign and bound here.
        (vec![managed("2"), foreign("1")], &["1"], &[], "managed 2"),
        (vec![foreign("2"), foreign("1"), foreign("0")], &["2", "1"], &[], "foreign 1"),
        (vec![foreign("1")], &["1"], &["1"], "foreign 1"),
        // Bound here, before unbound.
        (vec![foreign("1"), foreign("2")], &["2"], &[], "foreign 2"),
        (vec![foreign("1")], &[], &[], "adopt 1"),
        (vec![foreign("1"), foreign("2")], &[], &["1"], "adopt 2"),
        // Two that could be adopted: a guess; neither is touched.
        (vec![foreign("1"), foreign("2")], &[], &[], "create"),
        // Bound elsewhere, by a flavor of any type.
        (vec![foreign("1")], &[], &["1"], "create"),
        (vec![other_driver(managed("1")), other_driver(foreign("2"))], &["1", "2"], &[], "create"),
        (vec![other_content(managed("1")), other_content(foreign("2"))], &["1", "2"], &[], "create"),
        (vec![other_content(managed("1")), managed("2")], &["1"], &[], "managed 2"),
    ];
    for (profiles, here, there, expected) in table {
        let ids: Vec<_> = profiles.iter().map(|profile| (profile.id(), profile.meta.managed)).collect();
        assert_eq!(picked(&profiles, here, there), expected, "{ids:?} here {here:?} there {there:?}");
    }
}

#[test]
fn before_the_flavor_exists_nothing_is_bound_to_it() {
    let flavors = [foreign("other", &["1"])];
    let profiles = [sample("1", false), sample("2", true)];
    let wanted = &spec(&json!({})).service_profiles[0];
    assert_eq!(profile(&profiles, &flavors, None, wanted), ProfileChoice::Managed(&profiles[1]));
    assert_eq!(profile(&profiles[..1], &flavors, None, wanted), ProfileChoice::Create);
}

fn other_driver(profile: Profile) -> Profile {
    let mut stored = profile.stored;
    stored.driver = stored.driver.to_uppercase();
    Profile::new(stored)
}

fn other_content(profile: Profile) -> Profile {
    let mut stored = profile.stored;
    stored.metainfo = stored.metainfo.map(|text| text.replace("auto", "off"));
    Profile::new(stored)
}

#[test]
fn only_what_differs_in_a_profile_is_written() {
    let wanted = &spec(&json!({})).service_profiles[0];
    assert!(profile_update(&sample("1", true), wanted).is_empty());
    let mut padded = sample("1", true);
    padded.stored.description = Some("p\n".to_owned());
    assert!(profile_update(&padded, wanted).is_empty());
    let adopted = ServiceProfileUpdate { metainfo: Some(wanted.metainfo.clone()), ..Default::default() };
    assert_eq!(profile_update(&sample("1", false), wanted), adopted);
    let mut drifted = sample("1", true);
    (drifted.stored.enabled, drifted.stored.description) = (false, None);
    let corrected =
        ServiceProfileUpdate { description: Some("p".to_owned()), enabled: Some(true), metainfo: None };
    assert_eq!(profile_update(&drifted, wanted), corrected);
}
