//! Whatever Template, CR, people and network do, in whatever order: nothing of others changes, nothing of ours is left.

use std::collections::{BTreeMap, BTreeSet};

use devcloud::{Action, Fault, Service};
use openstack_sync_tests::workloads::{KIND, NAMESPACE, WorkloadSite, owner};
use proptest::prelude::*;
use serde_json::{Value, json};
use template_workloads::ownership::OWNER_LABEL;

/// A value that is no part of any text of ours, so that it can be looked for.
const PASSWORD: &str = "hunter2-hunter2";

/// One thing that happens.
#[derive(Debug, Clone)]
enum Step {
    /// The Template has these objects now.
    Template(Vec<Value>),
    /// The CR is as this says: the parameter, the policy, whether it adopts.
    Workload(&'static str, &'static str, bool),
    /// Somebody takes the owner label off the object with this number among ours.
    TakeLabel(usize),
    /// Somebody deletes one of ours.
    TakeAway(usize),
    /// Somebody deletes one of ours, and makes another one under its name, with a copy of our label or without.
    MakeAgain(usize, bool),
    /// A run, full or not, with a fault at this request, if there is that many.
    Run { full: bool, fault: Option<(usize, u8)> },
}

/// Kinds and names overlap, so that objects leave, come back and meet others.
fn object() -> impl Strategy<Value = Value> {
    let kind = prop_oneof![
        4 => Just(("v1", "ConfigMap")), 2 => Just(("v1", "Secret")), 2 => Just(("kubevirt.io/v1", "VirtualMachine"))
    ];
    let name =
        prop_oneof![6 => "[a-d]".prop_map(|name| format!("${{A}}-{name}")), 1 => Just("foreign".to_owned())];
    (kind, name, "[xyz]").prop_map(|((api_version, kind), name, text)| {
        let mut object = json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": name}});
        match kind {
            "ConfigMap" => object["data"] = json!({"one": text, "two": "${B}"}),
            "Secret" => object["stringData"] = json!({"one": text, "two": "${B}"}),
            _ => object["spec"] = json!({"one": text, "two": ["${B}"]}),
        }
        object
    })
}

fn objects() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(object(), 0..5).prop_map(|mut objects| {
        let mut seen = BTreeSet::new();
        objects.retain(|object| seen.insert(format!("{} {}", object["kind"], object["metadata"]["name"])));
        objects
    })
}

fn workload() -> impl Strategy<Value = Step> {
    (prop_oneof![Just("p"), Just("q")], prop_oneof![Just("Delete"), Just("Orphan")], any::<bool>())
        .prop_map(|(name, policy, adopt)| Step::Workload(name, policy, adopt))
}

fn step() -> impl Strategy<Value = Step> {
    let run = (any::<bool>(), prop::option::of((0_usize..16, 0_u8..4)));
    prop_oneof![
        3 => objects().prop_map(Step::Template),
        2 => workload(),
        1 => (0_usize..5).prop_map(Step::TakeLabel),
        1 => (0_usize..5).prop_map(Step::TakeAway),
        1 => (0_usize..5, any::<bool>()).prop_map(|(which, labelled)| Step::MakeAgain(which, labelled)),
        5 => run.prop_map(|(full, fault)| Step::Run { full, fault }),
    ]
}

fn fault(at: usize, kind: u8) -> Fault {
    let status = |code: u16, reason: &str| {
        Action::answer(
            code,
            json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": reason,
                "reason": reason, "details": {}, "code": code}),
        )
    };
    let action = match kind {
        0 => Action::CutBefore,
        1 => Action::CutAfter,
        2 => status(403, "Forbidden"),
        _ => status(409, "Conflict"),
    };
    Fault::new(Service::Kubernetes, "", action).skip(at).times(1)
}

fn uid(object: &Value) -> &str {
    object["metadata"]["uid"].as_str().expect("a uid")
}

struct World {
    site: WorkloadSite,
    /// What is of others, by name: it must stay what it is, and grows with what people make or take.
    others: BTreeMap<String, Value>,
    /// Uids of what people made with a copy of our label, and no run has taken up yet: it is not what we made, and is
    /// left alone when its name leaves the Template.
    copies: BTreeSet<String>,
}

impl World {
    fn new() -> Self {
        let mut site = WorkloadSite::new();
        site.hook.forbid(PASSWORD);
        for namespace in ["elsewhere", NAMESPACE] {
            site.namespace(namespace);
            for (name, labels) in
                [("foreign", json!({"app": "x"})), ("taken", json!({OWNER_LABEL: "another"}))]
            {
                let metadata = json!({"name": name, "namespace": namespace, "labels": labels});
                site.apply(json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": "b"}}));
                // `foreign` may be adopted where it is a ConfigMap of the target namespace; a Secret is there as well.
                site.apply(json!({"apiVersion": "v1", "kind": "Secret", "metadata": metadata}));
            }
        }
        site.template("web", json!([]), json!([{"name": "A", "value": "p"}, {"name": "B", "value": "b"}]));
        site.workload("shop", json!({"parameters": {"A": "p", "B": PASSWORD}}));
        let others = site.objects();
        Self { site, others, copies: BTreeSet::new() }
    }

    fn ours(&self) -> Vec<(String, Value)> {
        self.site.owned(&self.site.uid("shop")).into_iter().collect()
    }

    /// Whoever is in the target namespace without an owner may be adopted, if the CR says so now or said so.
    fn forget_what_may_be_adopted(&mut self) {
        let target = format!(" {NAMESPACE}/");
        self.others.retain(|name, object| {
            !name.contains(&target) || owner(object).is_some() || name.ends_with("/passwords")
        });
    }

    fn path(name: &str) -> String {
        let (kind, name) = name.split_once(' ').expect("a kind");
        let name = name.rsplit('/').next().expect("a name");
        let (root, plural) = match kind {
            "ConfigMap" => ("/api/v1", "configmaps"),
            "Secret" => ("/api/v1", "secrets"),
            _ => ("/apis/kubevirt.io/v1", "virtualmachines"),
        };
        format!("{root}/namespaces/{NAMESPACE}/{plural}/{name}")
    }

    fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let (status, answer) = self.site.dev.kube().call(method, path, body);
        assert!(status < 300, "{method} {path}: {answer}");
        answer
    }

    fn take(&mut self, step: &Step) {
        let adopts = self.site.cr("shop").is_some_and(|cr| cr["spec"]["adopt"] == true);
        match step {
            Step::Template(objects) => {
                let parameters = json!([{"name": "A", "value": "p"}, {"name": "B", "value": "b"}]);
                self.site.template("web", json!(objects), parameters);
            }
            Step::Workload(name, policy, adopt) => {
                self.site.workload("shop", json!({"parameters": {"A": name, "B": PASSWORD}, "deletionPolicy": policy, "adopt": adopt}));
                if *adopt {
                    self.forget_what_may_be_adopted();
                }
            }
            Step::TakeLabel(which) => {
                let ours = self.ours();
                if let Some((name, _)) = ours.get(*which) {
                    let patch = json!({"metadata": {"labels": {OWNER_LABEL: null}}});
                    let object = self.call("PATCH", &Self::path(name), Some(&patch));
                    if !adopts {
                        self.others.insert(name.clone(), object);
                    }
                }
            }
            Step::TakeAway(which) => {
                let ours = self.ours();
                if let Some((name, _)) = ours.get(*which) {
                    self.call("DELETE", &Self::path(name), None);
                }
            }
            Step::MakeAgain(which, labelled) => {
                let ours = self.ours();
                let Some((name, old)) = ours.get(*which) else { return };
                self.call("DELETE", &Self::path(name), None);
                let metadata = &old["metadata"];
                let mut new = json!({"apiVersion": old["apiVersion"], "kind": old["kind"],
                    "metadata": {"name": metadata["name"], "namespace": metadata["namespace"]}});
                if *labelled {
                    new["metadata"]["labels"] = metadata["labels"].clone();
                }
                let made = self.site.dev.kube().create(new);
                if *labelled {
                    self.copies.insert(uid(&made).to_owned());
                } else if !adopts {
                    self.others.insert(name.clone(), made);
                }
            }
            Step::Run { full, fault: at } => {
                if let Some((at, kind)) = at {
                    self.site.dev.inject(fault(*at, *kind));
                }
                let outcome = if *full { self.site.full() } else { self.site.tick() };
                self.site.dev.clear_faults();
                let code = outcome.code;
                assert!(code == 0 || code == 1, "{}", outcome.stderr);
                self.site.checked(outcome, code);
            }
        }
    }

    /// What must be true at any time.
    fn check(&mut self, when: &str) {
        let now = self.site.objects();
        for (name, object) in &self.others {
            assert_eq!(now.get(name), Some(object), "{when}: {name}");
        }
        let target = format!(" {NAMESPACE}/");
        for (name, object) in &now {
            let is_new = !self.others.contains_key(name);
            assert!(!is_new || name.contains(&target), "{when}: {name} is outside of the target: {object}");
        }
        if let Some(cr) = self.site.cr("shop") {
            let named = self.site.inventory("shop");
            let entries = cr["status"]["objects"].as_array().into_iter().flatten();
            for taken_up in entries.filter_map(|entry| entry["uid"].as_str()) {
                self.copies.remove(taken_up);
            }
            let ours = self.site.owned(uid(&cr)).into_iter();
            for (name, _) in ours.filter(|(_, object)| !self.copies.contains(uid(object))) {
                assert!(
                    named.iter().any(|entry| entry.ends_with(&name)),
                    "{when}: {name} is not in {named:?}"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_nothing_of_others_changes_and_nothing_of_ours_is_left(
        steps in prop::collection::vec(step(), 1..14),
        keep in any::<bool>(),
    ) {
        let mut world = World::new();
        for (number, step) in steps.iter().enumerate() {
            world.take(step);
            world.check(&format!("after {number}, {step:?}"));
        }
        // Without faults it comes to rest, whether it can be served or not.
        let look = |site: &WorkloadSite| (site.objects(), site.dev.kube().list(KIND));
        world.site.full();
        let first = world.site.full();
        let (code, before) = (first.code, look(&world.site));
        world.site.checked(first, code);
        let outcome = world.site.full_run(code);
        prop_assert_eq!(look(&world.site), before, "it is at rest: {}", outcome.stderr);
        world.check("at rest");

        let uid = world.site.uid("shop");
        let policy = if keep { "Orphan" } else { "Delete" };
        let mut cr = world.site.cr("shop").expect("the CR");
        cr["spec"]["deletionPolicy"] = policy.into();
        world.site.apply(cr);
        // What somebody made again with our label under a name of ours, and no run has seen, is not what we made.
        let known = world.site.status("shop")["objects"].clone();
        let is_known = |object: &Value| {
            let entries = known.as_array().into_iter().flatten();
            entries.filter(|entry| entry["name"] == object["metadata"]["name"] && entry["kind"] == object["kind"])
                .any(|entry| entry["uid"].is_null() || entry["uid"] == object["metadata"]["uid"])
        };
        let owned = world.site.owned(&uid);
        world.site.delete("shop");
        world.site.tick_run(0);
        prop_assert_eq!(world.site.cr("shop"), None);
        world.check("in the end");
        let left = world.site.objects();
        for (name, object) in owned.iter().filter(|(_, object)| is_known(object)) {
            match left.get(name) {
                None => prop_assert!(!keep, "{} is gone", name),
                Some(now) => {
                    prop_assert!(keep, "{} is left", name);
                    prop_assert_eq!(owner(now), None);
                    prop_assert_eq!(&now["metadata"]["uid"], &object["metadata"]["uid"]);
                }
            }
        }
    }
}
