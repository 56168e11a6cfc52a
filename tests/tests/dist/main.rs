//! The binaries that the image ships, as `make dist` makes them: static, stripped, and at work in a root directory
//! that holds nothing but the binary and what a pod is given. And the image, put together from its Dockerfile.
//!
//! What needs the binaries (and root) is ignored here and run by `make dist`.

mod dns;
mod dockerfile;
mod elf;
mod image;
mod root;

use devcloud::{DevCloud, Options, shell_operator};
use openstack_sync_tests::{Hook, NAMESPACE, Outcome, SECRET, Site, flavor_cr};
use serde_json::{Value, json};

use crate::dns::Dns;
use crate::root::Root;

/// Where a pod finds its service account.
const ACCOUNT: &str = "var/run/secrets/kubernetes.io/serviceaccount";
/// As the kubelet writes it into a pod of the namespace `openstack`.
const OF_A_POD: &str =
    "search openstack.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n";

/// A site whose Keystone and Neutron are reached by TLS and by name alone, and one CR.
struct World {
    site: Site,
    dns: Dns,
    resolv_conf: String,
}

impl World {
    /// Keystone and Neutron under these names; `known` are those that the name server knows.
    fn new(keystone: &str, neutron: &str, known: &[&str], tcp_only: bool, more: &str) -> Self {
        let tls_names = vec![keystone.to_owned(), neutron.to_owned()];
        let mut site = Site::with(Options { openstack_tls: true, tls_names, ..Options::default() });
        let by_name = |name: &str, url: String| url.replace("127.0.0.1", name);
        site.dev.keystone().set_endpoint("network", &by_name(neutron, site.dev.neutron_url()));
        let clouds =
            site.clouds_yaml().replace(&site.dev.keystone_url(), &by_name(keystone, site.dev.keystone_url()));
        site.use_clouds(&clouds);
        site.apply(flavor_cr("gold", "devcloud", json!({})));
        let dns = Dns::start(known, tcp_only);
        let resolv_conf = dns.resolv_conf(more);
        let world = Self { site, dns, resolv_conf };
        world.set_ca(true);
        world
    }

    /// Names that are complete and known.
    fn plain() -> Self {
        let names = ["keystone.test", "neutron.test"];
        Self::new(names[0], names[1], &names, false, "")
    }

    /// Whether the Secret has the authority's certificate.
    fn set_ca(&self, there: bool) {
        let mut secret = DevCloud::clouds_secret(NAMESPACE, SECRET, self.site.clouds_yaml());
        if there {
            secret["stringData"]["cacert"] = Value::from(self.site.dev.ca_pem());
        }
        self.site.apply(secret);
    }

    /// A root directory with what a pod has: `resolv.conf` and the service account. And the context file.
    fn root(&self, hook: &str, elements: &[Value]) -> Root {
        let root = Root::with(hook);
        root.put("etc/resolv.conf", &self.resolv_conf);
        root.put(&format!("{ACCOUNT}/token"), self.site.dev.kube().token());
        root.put(&format!("{ACCOUNT}/ca.crt"), self.site.dev.ca_pem());
        root.put(&format!("{ACCOUNT}/namespace"), NAMESPACE);
        root.put("context.json", &shell_operator::file(elements));
        root
    }

    /// The environment of a pod.
    fn in_pod(&self) -> Hook {
        let mut hook = self.site.hook.clone();
        let url = self.site.dev.kube_url();
        let (host, port) =
            url.strip_prefix("https://").and_then(|rest| rest.split_once(':')).expect("host and port");
        hook.unset("KUBECONFIG").set("KUBERNETES_SERVICE_HOST", host).set("KUBERNETES_SERVICE_PORT", port);
        hook.set("BINDING_CONTEXT_PATH", "/context.json");
        hook
    }

    /// A full run of router-flavors as in a pod.
    fn full(&self) -> Outcome {
        let root = self.root("router-flavors", &[self.site.periodic()]);
        root.run(&self.in_pod(), "router-flavors", &[])
    }

    /// The flavor is in Neutron, and its CR is Synced.
    #[track_caller]
    fn expect_synced(&self) {
        let flavors = self.site.dev.neutron().flavors();
        assert_eq!(flavors.iter().map(|flavor| &flavor["name"]).collect::<Vec<_>>(), ["gold"]);
        let verdict = self.site.verdict("gold");
        assert!(verdict.starts_with("Synced (Reconciled)"), "{verdict}");
    }
}

#[test]
#[ignore = "needs static binaries: make dist"]
fn no_binary_needs_a_library_or_has_symbols() {
    for binary in root::binaries() {
        elf::assert_static_and_stripped(&binary);
    }
}

#[test]
#[ignore = "needs static binaries and root: make dist"]
fn config_is_answered_in_an_empty_root() {
    for binary in root::binaries() {
        let name = binary.file_name().and_then(|name| name.to_str()).expect("a name");
        let root = Root::with(name);
        assert_eq!(root.files(), [name]);
        let outcome = root.run(&Hook::new("placeholder"), name, &["--config"]).expect(0);
        let document: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
        assert!(document["onStartup"].is_number(), "{name} is disabled: {document}");
    }
}

#[test]
#[ignore = "needs static binaries and root: make dist"]
fn router_flavors_works_with_nothing_but_what_a_pod_has() {
    let world = World::plain();
    let root = world.root("router-flavors", &[world.site.periodic()]);
    let account = ["ca.crt", "namespace", "token"].map(|file| format!("{ACCOUNT}/{file}"));
    let others = ["context.json", "etc/resolv.conf", "router-flavors"].map(str::to_owned);
    assert_eq!(root.files(), [&others[..], &account].concat(), "and nothing else");
    root.run(&world.in_pod(), "router-flavors", &[]).expect(0);
    world.expect_synced();
    for name in ["udp keystone.test", "udp neutron.test"] {
        assert!(world.dns.asked().iter().any(|asked| asked == name), "{:?}", world.dns.asked());
    }
    world.site.dev.clear_journal();
    world.full().expect(0);
    assert!(world.site.writes().is_empty(), "the second run finds all as it should be");
}

#[test]
#[ignore = "needs static binaries and root: make dist"]
fn the_placeholder_works_with_nothing_but_what_a_pod_has() {
    let world = World::plain();
    let root = world.root("placeholder", &[json!({"binding": "probe", "type": "Schedule"})]);
    let mut hook = world.in_pod();
    hook.set("OPENSTACK_PLACEHOLDER_ENABLED", "true");
    hook.set("OPENSTACK_PLACEHOLDER_DEFAULT_SECRET", SECRET);
    hook.set("OPENSTACK_PLACEHOLDER_DEFAULT_CLOUD", "devcloud");
    let outcome = root.run(&hook, "placeholder", &[]).expect(0);
    assert!(outcome.says(&["openstack/infrasetup/devcloud", "accepts"]), "{}", outcome.stderr);
}

#[test]
#[ignore = "needs static binaries and root: make dist"]
fn a_kubeconfig_will_do_and_its_server_may_be_a_name() {
    let names = ["keystone.test", "neutron.test", "kubernetes.test"];
    let world = World::new(names[0], names[1], &names, false, "");
    let root = Root::with("router-flavors");
    root.put("etc/resolv.conf", &world.resolv_conf);
    // The certificate is for localhost, which no name server here knows.
    let kubeconfig = world.site.dev.kubeconfig().replace(
        "server: https://127.0.0.1:",
        "tls-server-name: localhost\n    server: https://kubernetes.test:",
    );
    root.put("kubeconfig", &kubeconfig);
    let mut hook = world.site.hook.clone();
    hook.set("KUBECONFIG", "/kubeconfig").set("BINDING_CONTEXT_PATH", "/context.json");
    root.put("context.json", &shell_operator::file(&[world.site.periodic()]));
    root.run(&hook, "router-flavors", &[]).expect(0);
    world.expect_synced();
    assert!(world.dns.asked().contains(&"udp kubernetes.test".to_owned()), "{:?}", world.dns.asked());
}

#[test]
#[ignore = "needs static binaries and root: make dist"]
fn short_names_are_completed_as_in_a_pod() {
    // One is found by the second entry of `search`; the other is complete, but has too few dots to be tried first.
    let known = ["keystone.identity.svc.cluster.local", "neutron.openstack.svc.cluster.local"];
    let world = World::new("keystone.identity", known[1], &known, false, OF_A_POD);
    world.full().expect(0);
    world.expect_synced();
    let asked = world.dns.asked();
    for name in ["keystone.identity.openstack.svc.cluster.local", known[0], known[1]] {
        assert!(asked.contains(&format!("udp {name}")), "{name} is not in {asked:?}");
    }
    assert!(!asked.contains(&"udp keystone.identity".to_owned()), "found before: {asked:?}");
}

#[test]
#[ignore = "needs static binaries and root: make dist"]
fn an_answer_too_long_for_udp_comes_over_tcp() {
    let names = ["keystone.test", "neutron.test"];
    let world = World::new(names[0], names[1], &names, true, "");
    world.full().expect(0);
    world.expect_synced();
    assert!(world.dns.asked().contains(&"tcp keystone.test".to_owned()), "{:?}", world.dns.asked());
}

#[test]
#[ignore = "needs static binaries and root: make dist"]
fn without_the_ca_in_the_secret_no_certificate_is_trusted() {
    let world = World::plain();
    world.set_ca(false);
    world.full().expect(1);
    let verdict = world.site.verdict("gold");
    assert!(verdict.starts_with("Failed (ReconcileError): OpenStack connection failed: "), "{verdict}");
    assert!(verdict.contains("certificate"), "{verdict}");
    assert!(world.site.dev.neutron().flavors().is_empty());
    world.set_ca(true);
    world.full().expect(0);
    world.expect_synced();
}

#[test]
#[ignore = "needs static binaries and root: make dist"]
fn a_name_that_nobody_knows_fails_the_crs_with_a_text_that_says_so() {
    let mut world = World::new("keystone.test", "neutron.test", &["neutron.test"], false, OF_A_POD);
    world.site.hook.set("NEUTRON_ROUTER_FLAVOR_READY_RETRIES", "1");
    world.full().expect(1);
    let verdict = world.site.verdict("gold");
    assert!(verdict.starts_with("Failed (ReconcileError): OpenStack connection failed: "), "{verdict}");
    assert!(verdict.contains("keystone.test"), "{verdict}");
    assert!(world.dns.asked().contains(&"udp keystone.test".to_owned()), "{:?}", world.dns.asked());
}
