//! The servers of a cloud that `tests/e2e/openstack/up.sh` brought up, which a scenario stops and starts.

use std::path::PathBuf;
use std::process::Command;

use super::given;
use crate::repository;

/// Names the folder of the first cloud: `up.sh`'s `ROOT`.
const CLOUD_ROOT: &str = "OPENSTACK_SYNC_E2E_CLOUD_ROOT";

/// The servers of the first cloud. Neutron runs when this is dropped, whatever happened.
pub struct CloudServers {
    root: PathBuf,
    stopped: bool,
}

impl CloudServers {
    /// Those of the runner's first cloud.
    ///
    /// # Panics
    /// If it names none.
    pub fn first() -> Self {
        Self { root: given(CLOUD_ROOT), stopped: false }
    }

    /// Ends Neutron: connections are refused from then on.
    ///
    /// # Panics
    /// If it cannot be ended.
    pub fn stop_neutron(&mut self) {
        self.stopped = true;
        let script = format!(
            ". {}; RUN={}/run; alive neutron && stop neutron",
            repository("tests/e2e/lib/processes.sh").display(),
            self.root.display()
        );
        let status = Command::new("bash").args(["-c", &script]).status();
        assert!(status.expect("bash").success(), "neutron of {} did not run", self.root.display());
    }

    /// Starts it again, on the same port and with the same database.
    ///
    /// # Panics
    /// If it does not come up.
    pub fn start_neutron(&mut self) {
        let database = std::fs::read_to_string(self.root.join("run/db")).expect("a cloud of up.sh");
        let output = Command::new(repository("tests/e2e/openstack/up.sh"))
            .env("ROOT", &self.root)
            .env("DB", database.trim())
            .output()
            .expect("up.sh");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        self.stopped = false;
    }
}

impl Drop for CloudServers {
    fn drop(&mut self) {
        if self.stopped && !std::thread::panicking() {
            self.start_neutron();
        } else if self.stopped {
            let root = &self.root;
            Command::new(repository("tests/e2e/openstack/up.sh")).env("ROOT", root).output().ok();
        }
    }
}
