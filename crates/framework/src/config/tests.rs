use super::*;

const CRD: [(&str, &str); 3] = [
    ("P_CRD_API_VERSION", "example.com/v1"),
    ("P_CRD_KIND", "Widget"),
    ("P_CRD_RESOURCE", "widgets.example.com"),
];

fn env(more: &[(&str, &str)]) -> Env {
    Env::from_pairs(CRD.iter().chain(more).copied())
}

fn error(more: &[(&str, &str)]) -> String {
    HookConfig::from_env("P", "widgets", &env(more)).unwrap_err().to_string()
}

#[test]
fn defaults_are_those_of_the_chart() {
    let config = HookConfig::from_env("P", "widgets", &env(&[])).unwrap();
    assert_eq!((config.ready_retries, config.ready_delay), (30, Duration::from_secs(10)));
    assert_eq!((config.prune, config.prune_limit, config.dry_run), (false, 10, false));
    assert_eq!(config.bindings.catch_up_crontab.as_deref(), Some("* * * * *"));
    assert_eq!(config.bindings.sync_crontab, None);
    assert_eq!(config.bindings.watch, Watch::All);
    assert!(!config.bindings.has_catch_up(), "without statuses a run cannot catch up");
}

#[test]
fn a_bad_value_names_the_variable_and_the_value() {
    for (name, value, said) in [
        ("P_READY_RETRIES", "0", "P_READY_RETRIES: must be a whole number of 1 or more, not \"0\""),
        ("P_READY_DELAY", "nan", "P_READY_DELAY: must be 0 to 3600 seconds, not \"nan\""),
        ("P_PRUNE", "True", "P_PRUNE: must be true or false, not \"True\""),
        ("P_STATUS_ENABLED", "", "P_STATUS_ENABLED: must be true or false, not \"\""),
        ("P_CRD_API_VERSION", "v1", "P_CRD_API_VERSION: must be <group>/<version>, not \"v1\""),
        ("P_CRD_RESOURCE", ".x", "P_CRD_RESOURCE: must be <plural>.<group>, not \".x\""),
        ("P_CRD_KIND", " ", "P_CRD_KIND: is required but not set"),
        ("P_SYNC_CRONTAB", "*/0 * * * *", "P_SYNC_CRONTAB: has a bad minute \"*/0\""),
        ("P_CATCH_UP_CRONTAB", "soon", "P_CATCH_UP_CRONTAB: has 1 fields"),
        ("WATCH_NAMESPACES", "a,*", "WATCH_NAMESPACES: \"*\" is not the name of a namespace"),
        ("WATCH_NAMESPACES", ",", "WATCH_NAMESPACES: names no namespace"),
        ("POD_NAMESPACE", "A_b", "POD_NAMESPACE: \"A_b\" is not the name of a namespace"),
    ] {
        let text = error(&[(name, value)]);
        assert!(text.starts_with(said), "{text}");
    }
}

#[test]
fn a_missing_crd_variable_is_named() {
    let text = HookConfig::from_env("P", "widgets", &Env::default()).unwrap_err().to_string();
    assert_eq!(text, "P_CRD_API_VERSION: is required but not set");
}

#[test]
fn bindings_do_not_read_what_only_a_run_needs() {
    let env = env(&[("P_PRUNE", "maybe"), ("P_READY_RETRIES", "-1"), ("P_DRY_RUN", "x")]);
    assert!(Bindings::from_env("P", "widgets", &env).is_ok());
}

#[test]
fn the_watched_namespaces_come_from_the_first_that_is_set() {
    let watch = |pairs: &[(&str, &str)]| Bindings::from_env("P", "widgets", &env(pairs)).unwrap().watch;
    let names = |names: &[&str]| Watch::Names(names.iter().map(|name| (*name).to_owned()).collect());
    assert_eq!(watch(&[("POD_NAMESPACE", "a")]), names(&["a"]));
    assert_eq!(watch(&[("POD_NAMESPACE", "a"), ("WATCH_NAMESPACES", "b, c d")]), names(&["b", "c", "d"]));
    assert_eq!(watch(&[("POD_NAMESPACE", "a"), ("WATCH_NAMESPACES", "*")]), Watch::All);
    assert_eq!(watch(&[("POD_NAMESPACE", "")]), Watch::All);
}

#[test]
fn a_blank_crontab_is_none() {
    let bindings =
        Bindings::from_env("P", "w", &env(&[("P_CATCH_UP_CRONTAB", " "), ("P_STATUS_ENABLED", "true")]))
            .unwrap();
    assert_eq!(bindings.catch_up_crontab, None);
    assert!(!bindings.has_catch_up());
}
