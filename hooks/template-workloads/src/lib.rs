//! Keeps the objects of OpenShift Templates equal to `TemplateWorkload` resources.
//!
//! # The resource
//!
//! A **Template** is stored in the cluster and has objects with `${PARAMETERS}` in them. A `TemplateWorkload`
//! names one, gives it parameters, some out of Secrets, and a **target namespace**: the server fills them in, and
//! what comes out is applied there, with server-side apply and without force. The pod's own account does it, so
//! the Template and the target are in the namespace of the CR, or in one that the site lists: a tenant must not
//! borrow the operator's rights.
//!
//! A **marker** says what is ours: the label [`OWNER_LABEL`](ownership::OWNER_LABEL) with the uid of the CR. An
//! object that is there without it is refused, or, with `adopt`, taken over if it has no owner at all. The
//! **inventory**, `status.objects`, says what there may be: it is written before the first object is. What has no
//! marker is never deleted, nor what another object of the same name has become of: a uid tells.
//!
//! # The code
//!
//! [`spec`] reads the CR, [`boundary`] says where it may work, [`ownership`], [`inventory`] and [`wanted`] decide; all of
//! that is pure. [`parameters`] reads Secrets, [`objects`] reads and writes the objects, [`reconcile`] and
//! [`removal`] say in which order. One CR with N objects of G groups and versions, and parameters out of S Secrets,
//! costs 2 + S + G + 2 N requests in a full run, and none in between.

pub mod boundary;
pub mod errors;
pub mod inventory;
pub mod objects;
pub mod ownership;
pub mod parameters;
pub mod reconcile;
pub mod removal;
pub mod spec;
pub mod wanted;

use std::fmt;

use framework::{
    CleanupPolicy, Cr, Env, Error, Group, HookConfig, Outcome, PluginError, PruneRequest, Pruned, Secrets,
    SyncHook, SyncPlugin, Variable,
};
use openshift_templates::{Client, TEMPLATE_API};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::boundary::Boundary;
use crate::inventory::Inventory;
use crate::spec::Spec;

/// What the framework must know of this hook besides the plugin.
pub const HOOK: SyncHook = SyncHook {
    name: "template-workloads",
    about: "keeps the objects of OpenShift Templates equal to TemplateWorkload resources",
    prefix: "TEMPLATE_WORKLOAD",
    binding: "template-workloads",
};

/// The variable with the namespaces beside its own that a CR may name.
const NAMESPACES: &str = "TEMPLATE_WORKLOAD_NAMESPACES";
const STATUS_ENABLED: &str = "TEMPLATE_WORKLOAD_STATUS_ENABLED";

/// The plugin, with what the site allows. By default that is the CR's own namespace, and no deletion.
#[derive(Debug, Clone, Default)]
pub struct TemplateWorkloads {
    /// In which namespaces the CRs may work.
    pub boundary: Boundary,
    /// Whether anything may be deleted: `TEMPLATE_WORKLOAD_PRUNE`.
    pub prune: bool,
}

/// Whose rights are used: one account for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Account {
    /// The service account of the pod, or, by hand, the user of the kubeconfig.
    #[serde(rename = "pod")]
    Pod,
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("pod")
    }
}

/// One namespace with CRs, and the way into the cluster.
#[derive(Debug)]
pub struct Conn {
    /// The cluster.
    pub client: Client,
    /// The namespace of the CRs, where their Secrets are.
    pub namespace: String,
}

impl SyncPlugin for TemplateWorkloads {
    const NOUN: &'static str = "template workload";
    const SERVICE: &'static str = "Kubernetes";
    type Spec = Spec;
    type Credentials = Account;
    type Conn = Conn;
    type Cache = ();
    type Status = Inventory;

    fn variables(&self) -> Vec<Variable> {
        vec![Variable {
            name: NAMESPACES.to_owned(),
            default: "none",
            about: "namespaces, beside its own, that a CR may name for its Template and its objects",
        }]
    }

    fn configure(&mut self, config: &HookConfig, env: &Env) -> Result<(), Error> {
        if !config.bindings.status_enabled {
            return Err(Error::Variable {
                name: STATUS_ENABLED.to_owned(),
                problem: "must be true: what a CR has made is remembered in its status".to_owned(),
            });
        }
        self.boundary = Boundary::new(env.namespaces(NAMESPACES)?);
        self.prune = config.prune;
        Ok(())
    }

    fn credentials(&self, _: &Value) -> Result<Account, PluginError> {
        Ok(Account::Pod)
    }

    fn cleanup_policy(&self, prune: bool) -> CleanupPolicy {
        if prune { CleanupPolicy::Finalized } else { CleanupPolicy::None }
    }

    fn connect(&self, secrets: &Secrets<'_>, _: &Account) -> Result<Conn, PluginError> {
        let client = Client::from_kube(secrets.kube()?.clone());
        Ok(Conn { client, namespace: secrets.namespace().to_owned() })
    }

    /// Nothing to wait for: what the API server answers to the first request of a CR is about that CR.
    fn wait_for_api(&self, _: &Conn, (): &mut ()) -> Result<(), PluginError> {
        Ok(())
    }

    /// Whether the cluster lets us in and has the Template API. No right is needed for that.
    fn check(&self, conn: &Conn) -> Result<(), PluginError> {
        match conn.client.kube().discover(TEMPLATE_API) {
            Err(error) if error.is_not_found() => {
                Err(PluginError::cr(format!("the cluster does not serve {TEMPLATE_API}: is it OpenShift?")))
            }
            answer => answer.map(drop).map_err(errors::request_error),
        }
    }

    fn reconcile(
        &self,
        group: &mut Group<'_, Self>,
        cr: &Cr<Spec>,
    ) -> Result<Outcome<Inventory>, PluginError> {
        reconcile::reconcile(self, group, cr)
    }

    /// Needs neither the Template nor its parameters: the inventory says what there may be.
    fn prune(&self, group: &mut Group<'_, Self>, request: &PruneRequest<'_>) -> Result<Pruned, PluginError> {
        let mut pruned = Pruned::default();
        for leaving in request.leaving {
            if let Err(why) = removal::remove_all(&self.boundary, group, &leaving.cr) {
                pruned.keep_cr(&leaving.cr.uid, why);
            }
        }
        Ok(pruned)
    }
}
