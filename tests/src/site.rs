//! A site: one Kubernetes API, one or more clouds, and the router-flavors hook between them.

use std::ops::{Deref, DerefMut};

use devcloud::{DevCloud, Entry, Options, Service};
use serde_json::{Value, json};

use crate::hook_site::{HookSite, Served};
use crate::{Neutron, Outcome};

/// The kind that the site is about.
pub const KIND: &str = "NeutronRouterFlavor";
/// Its hook's binding.
pub const BINDING: &str = "neutron-router-flavors";
/// Its hook's environment prefix.
pub const PREFIX: &str = "NEUTRON_ROUTER_FLAVOR";
/// The namespace of the CRs.
pub const NAMESPACE: &str = "openstack";
/// The Secret with the `clouds.yaml`.
pub const SECRET: &str = "infrasetup";

/// A driver that every Neutron with plugin `router` takes.
const DRIVER: &str = "neutron.services.l3_router.service_providers.single_node.SingleNodeDriver";

/// What the chart says of the hook.
pub const SERVED: Served = Served {
    hook: "router-flavors",
    prefix: PREFIX,
    binding: BINDING,
    api_version: "neutron.understack.rackspace.net/v1alpha1",
    kind: KIND,
    plural: "neutronrouterflavors",
    namespace: NAMESPACE,
};

/// A [`HookSite`] of router-flavors, with clouds: devcloud's own, named `devcloud`, or those of a `clouds.yaml`.
pub struct Site {
    base: HookSite,
    clouds_yaml: String,
}

impl Deref for Site {
    type Target = HookSite;

    fn deref(&self) -> &HookSite {
        &self.base
    }
}

impl DerefMut for Site {
    fn deref_mut(&mut self) -> &mut HookSite {
        &mut self.base
    }
}

impl Site {
    /// A site whose cloud is devcloud's.
    pub fn new() -> Self {
        Self::with(Options::default())
    }

    /// The same, with options.
    ///
    /// # Panics
    /// If devcloud cannot be started.
    pub fn with(options: Options) -> Self {
        let dev = DevCloud::start(options).expect("devcloud starts");
        let clouds_yaml = dev.clouds_yaml();
        Self::over(dev, clouds_yaml)
    }

    /// A site over the clouds of this `clouds.yaml`, with devcloud's Kubernetes.
    ///
    /// # Panics
    /// If devcloud cannot be started.
    pub fn real(clouds_yaml: &str) -> Self {
        let dev = DevCloud::start(Options::default()).expect("devcloud starts");
        Self::over(dev, clouds_yaml.to_owned())
    }

    fn over(dev: DevCloud, clouds_yaml: String) -> Self {
        let mut site = Self { base: HookSite::over(dev, &SERVED), clouds_yaml: String::new() };
        site.use_clouds(&clouds_yaml);
        site
    }

    /// Puts another `clouds.yaml` into the Secret. None of its secrets, old or new, may be in any output.
    ///
    /// # Panics
    /// If it is not YAML.
    pub fn use_clouds(&mut self, clouds_yaml: &str) {
        clouds_yaml.clone_into(&mut self.clouds_yaml);
        self.apply(DevCloud::clouds_secret(NAMESPACE, SECRET, clouds_yaml));
        let clouds = rest::yaml::parse(clouds_yaml).expect("clouds.yaml is YAML");
        for cloud in clouds["clouds"].as_object().into_iter().flat_map(|clouds| clouds.values()) {
            for key in ["password", "application_credential_secret", "token"] {
                self.hook.forbid(cloud["auth"][key].as_str().unwrap_or_default());
            }
        }
        let secret = self.dev.kube().get("Secret", NAMESPACE, SECRET).unwrap_or_default();
        // Its beginning gives the whole away, wherever a text may be cut.
        self.hook.forbid(
            secret["data"]["clouds.yaml"].as_str().and_then(|text| text.get(..40)).unwrap_or_default(),
        );
    }

    /// The `clouds.yaml` in force.
    pub fn clouds_yaml(&self) -> &str {
        &self.clouds_yaml
    }

    /// The view from outside of one of the clouds.
    pub fn neutron(&self, cloud: &str) -> Neutron {
        Neutron::login(&self.clouds_yaml, cloud)
    }

    /// [`HookSite::full`], which `Site::full` would not name.
    pub fn full(&self) -> Outcome {
        self.base.full()
    }

    /// [`HookSite::tick`], which `Site::tick` would not name.
    pub fn tick(&self) -> Outcome {
        self.base.tick()
    }

    /// The writes to Neutron among [`HookSite::writes`].
    pub fn neutron_writes(&self) -> Vec<Entry> {
        self.writes().into_iter().filter(|entry| entry.service == Service::Neutron).collect()
    }
}

impl Default for Site {
    fn default() -> Self {
        Self::new()
    }
}

/// A CR for the flavor `name` at the cloud `cloud`, with `more` merged over it.
pub fn flavor_cr(name: &str, cloud: &str, more: Value) -> Value {
    let mut cr = json!({
        "apiVersion": "neutron.understack.rackspace.net/v1alpha1",
        "kind": KIND,
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {
            "cloudCredentialsRef": {"secretName": SECRET, "cloudName": cloud},
            "name": name,
            "service_profiles": [{"driver": DRIVER, "meta_info": {"vni_alloc": "auto"}}],
        },
    });
    merge(&mut cr, more);
    cr
}

/// Merges JSON objects, deeply; null replaces.
pub fn merge(into: &mut Value, more: Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => {
            for (key, value) in more {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, more) => *into = more,
    }
}
