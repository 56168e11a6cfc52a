//! The site that the demo plays on, and what there is to see.

use framework::table;
use openstack_sync_tests::{KIND, Neutron, Outcome, Site};
use serde_json::Value;

use crate::teller::{Step, Teller};

/// The site and the teller.
pub(crate) struct Story {
    pub(crate) site: Site,
    pub(crate) neutron: Neutron,
    pub(crate) teller: Teller,
}

impl Story {
    pub(crate) fn begin() -> Self {
        let teller = Teller::begin();
        let site = Site::new();
        println!("A development cloud is up on loopback:");
        println!("  Kubernetes  {}", site.dev.kube_url());
        println!("  Keystone    {}", site.dev.keystone_url());
        println!("  Neutron     {}", site.dev.neutron_url());
        println!("The hook below is the real binary, run as shell-operator would run it (PRUNE is on).");
        let neutron = site.neutron("devcloud");
        Self { site, neutron, teller }
    }

    /// Shows a run of the hook, and checks its exit code.
    pub(crate) fn ran(&self, how: &str, outcome: &Outcome, code: i32) -> Step {
        self.teller.ran(&format!("router-flavors   # {how}"), outcome, code)
    }

    /// Shows what there is: flavors and CRs.
    pub(crate) fn show(&self) {
        let profiles = self.neutron.profiles();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let driver = |id: &Value| {
            let profile = profiles.iter().find(|profile| profile["id"] == *id);
            let path = profile.map(|profile| text(&profile["driver"])).unwrap_or_default();
            path.rsplit('.').next().unwrap_or_default().to_owned()
        };
        let mut flavors: Vec<[String; 4]> = self
            .neutron
            .flavors()
            .iter()
            .map(|flavor| {
                let bound = flavor["service_profiles"].as_array().cloned().unwrap_or_default();
                let drivers: Vec<String> = bound.iter().map(driver).collect();
                [
                    text(&flavor["name"]),
                    flavor["enabled"].to_string(),
                    drivers.join(", "),
                    text(&flavor["description"]),
                ]
            })
            .collect();
        flavors.sort();
        println!("\n{}", table(["FLAVOR", "ENABLED", "PROFILES", "DESCRIPTION"], &flavors));
        let crs: Vec<[String; 4]> = self
            .site
            .dev
            .kube()
            .list(KIND)
            .iter()
            .map(|cr| {
                let going = cr["metadata"].get("deletionTimestamp").is_some();
                [
                    text(&cr["metadata"]["name"]),
                    text(&cr["status"]["syncStatus"]) + if going { ", deleting" } else { "" },
                    text(&cr["status"]["conditions"][0]["reason"]),
                    text(&cr["status"]["message"]),
                ]
            })
            .collect();
        println!("{}", table(["CUSTOM RESOURCE", "STATUS", "REASON", "MESSAGE"], &crs));
    }

    /// Checks the status of a CR: the beginning of `Synced (Reconciled): message`.
    pub(crate) fn expect_verdict(&self, name: &str, begins: &str) -> Step {
        let verdict = self.site.cr(name).map(|_| self.site.verdict(name)).unwrap_or_default();
        self.teller
            .check(verdict.starts_with(begins), &format!("{name} should be {begins:?}, and is {verdict:?}"))
    }

    /// Checks how many flavors have a name.
    pub(crate) fn expect_flavors(&self, name: &str, count: usize) -> Step {
        let found = self.neutron.named(name).len();
        self.teller
            .check(found == count, &format!("{count} flavors named {name:?} were expected, not {found}"))
    }
}
