//! A source that is named explicitly.

use super::*;

const TWO_CONTEXTS: &str = "current-context: a\n\
    clusters: [{name: a, cluster: {server: 'https://a'}}, {name: b, cluster: {server: 'https://b'}}]\n\
    contexts: [{name: a, context: {cluster: a}}, {name: b, context: {cluster: b, namespace: m1}}]\n";

impl Case {
    fn load(&self, source: &Source) -> Result<Config, Error> {
        let env =
            |name: &str| self.env.iter().find(|(other, _)| *other == name).map(|(_, value)| value.clone());
        Config::load_from_and(source, &env, &self.path("serviceaccount"))
    }

    fn source_error(&self, source: &Source) -> String {
        let directory = self.directory.path().to_str().unwrap();
        self.load(source).unwrap_err().to_string().replace(directory, "DIR")
    }
}

fn in_cluster() -> Source {
    Source { in_cluster: true, ..Source::default() }
}

fn context(name: &str) -> Source {
    Source { context: Some(name.to_owned()), ..Source::default() }
}

#[test]
fn the_usual_kubeconfig_even_in_a_pod() {
    let case = in_pod().file("config", TWO_CONTEXTS).kubeconfig(&["config"]);
    assert_eq!(case.load(&Source::default()).unwrap().server, "https://a");
    assert_eq!(case.load(&in_cluster()).unwrap().server, "https://10.96.0.1:443");
}

#[test]
fn a_context_in_place_of_the_current_one() {
    let case = Case::new().file("config", TWO_CONTEXTS).kubeconfig(&["config"]);
    let config = case.load(&context("b")).unwrap();
    assert_eq!((config.server.as_str(), config.namespace.as_str()), ("https://b", "m1"));
    let expected =
        "DIR/config: the context asked for is \"c\", which is not among the contexts: \"a\", \"b\"";
    assert_eq!(case.source_error(&context("c")), expected);
}

#[test]
fn a_kubeconfig_in_place_of_the_usual_ones() {
    let usual = "current-context: u\nclusters: [{name: u, cluster: {server: 'https://u'}}]\n\
                 contexts: [{name: u, context: {cluster: u}}]\n";
    let case = Case::new().file("usual", usual).file("other", TWO_CONTEXTS).kubeconfig(&["usual"]);
    let other = Source { kubeconfig: Some(case.path("other")), ..Source::default() };
    assert_eq!(case.load(&other).unwrap().server, "https://a");
    let both = Source { context: Some("b".to_owned()), ..other };
    assert_eq!(case.load(&both).unwrap().server, "https://b");
    // Nothing of the usual files is mixed in.
    let elsewhere = Source { context: Some("u".to_owned()), ..both };
    assert!(case.source_error(&elsewhere).starts_with("DIR/other: the context asked for is \"u\""));
    let missing = Source { kubeconfig: Some(case.path("missing")), ..Source::default() };
    assert_eq!(case.source_error(&missing), "cannot read DIR/missing (kubeconfig): entity not found");
}

#[test]
fn what_is_not_there_is_an_error_and_nothing_else_is_tried() {
    let not_in_a_pod = "in-cluster: KUBERNETES_SERVICE_HOST is not set or the service account's token is not \
                        mounted: this works in a pod only";
    let case = Case::new().file("config", TWO_CONTEXTS).kubeconfig(&["config"]);
    assert_eq!(case.source_error(&in_cluster()), not_in_a_pod);
    let case = in_pod();
    let expected = "neither KUBECONFIG nor HOME is set: name a kubeconfig";
    assert_eq!(case.source_error(&Source::default()), format!("kubeconfig: {expected}"));
    let expected = "kubeconfig: there is no DIR/x: set KUBECONFIG, or name a kubeconfig";
    assert_eq!(case.kubeconfig(&["x"]).source_error(&Source::default()), expected);
}

#[test]
fn pod_and_kubeconfig_exclude_each_other() {
    let file = Source { kubeconfig: Some("config".into()), ..Source::default() };
    for source in [context("a"), file] {
        let text = in_pod().source_error(&Source { in_cluster: true, ..source });
        assert_eq!(text, "in-cluster: a kubeconfig or context is named too: choose one of the two");
    }
}
