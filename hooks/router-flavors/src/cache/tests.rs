use super::*;
use crate::samples::{flavor, foreign_flavor, profile};

fn cache(flavors: Vec<Flavor>, profiles: Vec<Profile>) -> Cache {
    Cache { flavors: Some(flavors), profiles: Some(profiles), ..Cache::default() }
}

fn qos(flavor: Flavor) -> Flavor {
    Flavor { service_type: "QOS".to_owned(), ..flavor }
}

#[test]
fn ids_tell_clouds_apart_only_if_something_was_listed() {
    assert_eq!(Cache::default().ids("gold"), None);
    assert_eq!(cache(vec![], vec![]).ids("gold"), None);
    let mut listed = cache(vec![qos(flavor("q", &[])), foreign_flavor("a", &[]), flavor("b", &[])], vec![]);
    assert_eq!(listed.ids("gold"), Some(vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!(listed.ids("Gold"), Some(vec![]));
    // What is not known for sure any more still tells whose cloud this is.
    listed.distrust();
    assert_eq!(listed.ids("gold"), Some(vec!["a".to_owned(), "b".to_owned()]));
}

#[test]
fn only_router_flavors_are_ours() {
    assert!(is_ours(&flavor("a", &[])));
    assert!(!is_ours(&foreign_flavor("a", &[])));
    assert!(!is_ours(&qos(flavor("a", &[]))));
}

#[test]
fn an_orphan_is_managed_unbound_and_unused() {
    let profiles = ["5", "4", "3", "2", "1"].map(|id| profile(id, id != "3")).to_vec();
    let mut cache = cache(vec![flavor("a", &["1"]), qos(foreign_flavor("q", &["2"]))], profiles);
    let orphans =
        |cache: &Cache| cache.orphans().iter().map(|profile| profile.id().to_owned()).collect::<Vec<_>>();
    assert_eq!(orphans(&cache), ["4", "5"]);
    cache.choose("4");
    assert_eq!(orphans(&cache), ["5"]);
    cache.drop_flavor("a");
    assert_eq!(orphans(&cache), ["1", "5"]);
    cache.set_bound("q", "2", false);
    cache.drop_profile("1");
    assert_eq!(orphans(&cache), ["2", "5"]);
}

#[test]
fn a_choice_outlives_the_lists() {
    let mut cache = cache(vec![], vec![profile("1", true)]);
    cache.choose("1");
    cache.distrust();
    cache.put_profile(profile("1", true));
    assert!(cache.orphans().is_empty());
}

#[test]
fn a_profile_that_is_bound_but_not_listed_stops_the_group() {
    let flavors = [flavor("a", &["1", "3"]), qos(foreign_flavor("q", &["2"]))];
    let listed = |ids: &[&str]| ids.iter().map(|id| profile(id, true)).collect::<Vec<_>>();
    assert!(check_all_seen(&flavors, &listed(&["1", "2", "3"])).is_ok());
    assert!(check_all_seen(&[], &[]).is_ok());
    for (seen, named) in [(&["1", "3"][..], "2"), (&["2"], "1"), (&[], "1")] {
        let error = check_all_seen(&flavors, &listed(seen)).unwrap_err();
        assert!(error.is_group() && error.reason() == "PolicyRefused");
        let text = error.to_string();
        assert!(text.starts_with(&format!("flavor \"gold\" has service profile {named}, but")), "{text}");
        assert!(text.contains("get_service_profile"), "{text}");
    }
}
