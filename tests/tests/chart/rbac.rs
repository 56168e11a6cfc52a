//! Rights: what the enabled hooks use, and no more.

use std::collections::{BTreeMap, BTreeSet};

use openstack_sync_tests::{Right, repository, rights};
use serde_json::{Value, json};

use crate::helm::{NAMESPACE, RELEASE, Rendered, example, render};

const FLAVORS: &str = "plugins.neutronRouterFlavors=true";
const PLACEHOLDER: &str = "plugins.openstackPlaceholder=true";

type Rights = BTreeSet<Right>;

/// The namespaces with a Role, after a look at each binding: it binds that Role to the service account.
fn roles(rendered: &Rendered) -> BTreeMap<String, Rights> {
    let (roles, bindings) = (rendered.of_kind("Role"), rendered.of_kind("RoleBinding"));
    assert_eq!(roles.len(), bindings.len());
    let pairs = roles.iter().zip(bindings);
    pairs
        .map(|(role, binding)| {
            assert_eq!(role["metadata"], binding["metadata"]);
            check_binding(role, binding, rendered);
            (role["metadata"]["namespace"].as_str().expect("a namespace").to_owned(), rights(role))
        })
        .collect()
}

fn check_binding(role: &Value, binding: &Value, rendered: &Rendered) {
    let account = &rendered.pod()["serviceAccountName"];
    let subject = json!([{"kind": "ServiceAccount", "name": account, "namespace": NAMESPACE}]);
    assert_eq!(binding["subjects"], subject);
    assert_eq!(binding["roleRef"]["kind"], role["kind"]);
    assert_eq!(binding["roleRef"]["name"], role["metadata"]["name"]);
}

/// The table in the README, under "Rights".
fn documented() -> Rights {
    let readme = std::fs::read_to_string(repository("README.md")).unwrap();
    let table = readme.split_once("| API group |").expect("the table of rights").1;
    let mut all = Rights::new();
    for line in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<String> = line.split('|').map(|cell| cell.trim().replace('`', "")).collect();
        let group = cells[1].replace("(core)", "");
        all.extend(cells[3].split(", ").map(|verb| (group.clone(), cells[2].clone(), verb.to_owned())));
    }
    all
}

fn secrets_only() -> Rights {
    Rights::from([(String::new(), "secrets".to_owned(), "get".to_owned())])
}

#[test]
#[ignore = "needs helm: make chart"]
fn router_flavors_gets_what_the_readme_says() {
    let documented = documented();
    assert_eq!(documented.len(), 6, "{documented:?}");
    let one = render(&["--set", FLAVORS]);
    assert_eq!(roles(&one), BTreeMap::from([(NAMESPACE.to_owned(), documented.clone())]));
    assert!(one.of_kind("ClusterRole").is_empty());
    assert_eq!(one.one("Role")["metadata"]["name"], RELEASE);
}

#[test]
#[ignore = "needs helm: make chart"]
fn a_hook_that_is_off_has_no_rights() {
    let nothing = render(&[]);
    for kind in ["Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"] {
        assert!(nothing.of_kind(kind).is_empty(), "{kind}");
    }
    let none = render(&["--set", FLAVORS, "--set", "rbac.create=false"]);
    assert!(none.of_kind("Role").is_empty());
}

#[test]
#[ignore = "needs helm: make chart"]
fn the_placeholder_may_read_secrets_of_its_own_namespace_and_nothing_else() {
    let own = BTreeMap::from([(NAMESPACE.to_owned(), secrets_only())]);
    for more in ["replicaCount=1", "rbac.clusterWide=true", "watchNamespaces={a,b}"] {
        let rendered = render(&["--set", PLACEHOLDER, "--set", more]);
        assert_eq!(roles(&rendered), own, "{more}");
        assert!(rendered.of_kind("ClusterRole").is_empty(), "{more}");
    }
}

#[test]
#[ignore = "needs helm: make chart"]
fn each_watched_namespace_has_a_role() {
    let both = render(&["-f", &example("several-namespaces.yaml")]);
    let all = documented();
    let wanted = [("site-a", all.clone()), ("site-b", all.clone()), (NAMESPACE, secrets_only())];
    assert_eq!(roles(&both), wanted.map(|(name, rights)| (name.to_owned(), rights)).into());
    let own_too = render(&["--set", FLAVORS, "--set", PLACEHOLDER, "--set", "watchNamespaces={openstack,b}"]);
    let wanted = ["b", NAMESPACE].map(|name| (name.to_owned(), all.clone()));
    assert_eq!(roles(&own_too), wanted.into());
}

#[test]
#[ignore = "needs helm: make chart"]
fn cluster_wide_is_one_cluster_role_of_a_name_of_its_own() {
    let rendered = render(&["--set", "rbac.clusterWide=true", "--set", FLAVORS, "--set", PLACEHOLDER]);
    let (role, binding) = (rendered.one("ClusterRole"), rendered.one("ClusterRoleBinding"));
    assert_eq!(rights(role), documented());
    check_binding(role, binding, &rendered);
    assert_eq!(role["metadata"]["name"], format!("{NAMESPACE}:{RELEASE}"));
    assert_eq!(role["metadata"]["namespace"], Value::Null);
    assert!(rendered.of_kind("Role").is_empty());
}

#[test]
#[ignore = "needs helm: make chart"]
fn named_secrets_are_the_only_ones() {
    let rendered = render(&["-f", &example("several-namespaces.yaml")]);
    for role in rendered.of_kind("Role") {
        let rule = &role["rules"][0];
        assert_eq!(
            (&rule["resources"], &rule["resourceNames"]),
            (&json!(["secrets"]), &json!(["infrasetup"]))
        );
    }
    let rendered = render(&["--set", FLAVORS]);
    assert_eq!(rendered.one("Role")["rules"][0]["resourceNames"], Value::Null);
}

/// Rules of one's own are taken word for word, behind the Secrets and before what hooks need.
#[test]
#[ignore = "needs helm: make chart"]
fn further_rules_are_verbatim() {
    let rules =
        ["rbac.rules[0].apiGroups={batch}", "rbac.rules[0].resources={jobs}", "rbac.rules[0].verbs={get}"];
    let set = rules.join(",");
    let rendered = render(&["--set", FLAVORS, "--set", &set]);
    let rule = json!({"apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["get"]});
    let all = rendered.one("Role")["rules"].as_array().unwrap().clone();
    assert_eq!((all.len(), &all[1]), (4, &rule));
    // They stand for themselves, with no hook of the chart on.
    assert_eq!(render(&["--set", &set]).one("Role")["rules"], json!([rule]));
}

#[test]
#[ignore = "needs helm: make chart"]
fn the_service_account_is_made_or_named() {
    let account = |more: &[&str]| {
        let rendered = render(more);
        let made = rendered.of_kind("ServiceAccount").len();
        (rendered.pod()["serviceAccountName"].as_str().unwrap().to_owned(), made)
    };
    assert_eq!(account(&[]), (RELEASE.to_owned(), 1));
    assert_eq!(account(&["--set", "serviceAccount.name=x"]), ("x".to_owned(), 1));
    assert_eq!(account(&["--set", "serviceAccount.create=false"]), ("default".to_owned(), 0));
    assert_eq!(account(&["--set", "serviceAccount.create=false,serviceAccount.name=x"]), ("x".to_owned(), 0));
}
