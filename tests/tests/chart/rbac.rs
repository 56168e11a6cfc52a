//! Rights: what the enabled hooks use, and no more.

use std::collections::{BTreeMap, BTreeSet};

use openstack_sync_tests::{Right, repository, rights};
use serde_json::{Value, json};

use crate::helm::{NAMESPACE, RELEASE, Rendered, example, render};

const FLAVORS: &str = "plugins.neutronRouterFlavors=true";
const PLACEHOLDER: &str = "plugins.openstackPlaceholder=true";
const TEMPLATES: &str = "plugins.templateWorkloads=true";

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

/// Nothing about the objects that it makes: their kinds are the site's to grant.
fn of_template_workloads() -> Rights {
    let (group, templates) = ("openshift.understack.rackspace.net", "template.openshift.io");
    let cr = ["get", "list", "watch", "patch"].map(|verb| (group, "templateworkloads", verb));
    let others = [
        ("", "secrets", "get"),
        (group, "templateworkloads/status", "patch"),
        (templates, "templates", "get"),
        (templates, "processedtemplates", "create"),
    ];
    let all = cr.into_iter().chain(others);
    all.map(|(group, resource, verb)| (group.to_owned(), resource.to_owned(), verb.to_owned())).collect()
}

#[test]
#[ignore = "needs helm: make chart"]
fn template_workloads_gets_its_own_rules_where_it_watches() {
    let each = render(&["--set", TEMPLATES, "--set", "watchNamespaces={a,b}"]);
    let wanted = ["a", "b"].map(|name| (name.to_owned(), of_template_workloads()));
    assert_eq!(roles(&each), wanted.into());
    let wide = render(&["--set", TEMPLATES, "--set", "rbac.clusterWide=true"]);
    assert_eq!(rights(wide.one("ClusterRole")), of_template_workloads());
    assert!(wide.of_kind("Role").is_empty());
    let both = render(&["--set", TEMPLATES, "--set", FLAVORS]);
    let all: Rights = of_template_workloads().union(&documented()).cloned().collect();
    assert_eq!(roles(&both), BTreeMap::from([(NAMESPACE.to_owned(), all)]));
}

/// What the example adds is a line for each kind that its Templates make, with the verbs that the hook uses.
#[test]
#[ignore = "needs helm: make chart"]
fn the_kinds_that_templates_make_are_granted_beside() {
    let rendered = render(&["-f", &example("template-workloads.yaml")]);
    let values = rest::yaml::parse(&crate::read("examples/template-workloads.yaml")).unwrap();
    let own = values["rbac"]["rules"].as_array().unwrap();
    for rule in own {
        assert_eq!(rule["verbs"], json!(["get", "create", "patch", "delete"]));
    }
    let role = rendered.one("Role");
    let (own, granted) = (own.len(), role["rules"].as_array().unwrap());
    assert_eq!(granted[1..=own], *values["rbac"]["rules"].as_array().unwrap());
    let others = [&granted[..1], &granted[own + 1..]].concat();
    assert_eq!(rights(&json!({"rules": others})), of_template_workloads());
}

/// The rules of a hook are there while it is on, whatever its access.
#[test]
#[ignore = "needs helm: make chart"]
fn rules_of_a_hook_come_and_go_with_it() {
    let rule = |name: &str, verb: &str| {
        let at = format!("pluginData.{name}.hook.rules[0]");
        format!("{at}.apiGroups={{batch}},{at}.resources={{jobs}},{at}.verbs={{{verb}}}")
    };
    let jobs = json!({"apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["get"]});
    let mine = format!("{},pluginData.mine.hook.path=/hooks/mine", rule("mine", "get"));
    let off = render(&["--set", &format!("plugins.mine=false,{mine}")]);
    assert!(off.of_kind("Role").is_empty());
    let on = format!("plugins.mine=true,{mine}");
    assert_eq!(render(&["--set", &on]).one("Role")["rules"], json!([jobs]));
    let elsewhere = render(&["--set", &on, "--set", PLACEHOLDER, "--set", "watchNamespaces={a}"]);
    let jobs_get = Rights::from([("batch".to_owned(), "jobs".to_owned(), "get".to_owned())]);
    let wanted = [("a", jobs_get), (NAMESPACE, secrets_only())];
    assert_eq!(roles(&elsewhere), wanted.map(|(name, rights)| (name.to_owned(), rights)).into());
    // A rule that two hooks have stands once.
    let second =
        format!("plugins.other=true,pluginData.other.hook.path=/hooks/other,{}", rule("other", "get"));
    assert_eq!(render(&["--set", &on, "--set", &second]).one("Role")["rules"], json!([jobs]));
    // A list takes the place of the default, and null takes it away.
    let other = render(&["--set", TEMPLATES, "--set", &rule("templateWorkloads", "list")]);
    let mut wanted = of_template_workloads();
    wanted.retain(|(group, ..)| group != "template.openshift.io");
    let none = render(&["--set", TEMPLATES, "--set", "pluginData.templateWorkloads.hook.rules=null"]);
    assert_eq!(rights(none.one("Role")), wanted);
    wanted.insert(("batch".to_owned(), "jobs".to_owned(), "list".to_owned()));
    assert_eq!(rights(other.one("Role")), wanted);
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
