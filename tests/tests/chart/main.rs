//! The chart, rendered by the real Helm: golden files, values that must be refused, and what the rendered objects
//! mean for the real hooks.
//!
//! What needs Helm is ignored unless asked for: `make chart` runs it all. The golden files are
//! `tests/golden/chart/*.yaml`. After a change that is meant: `make chart SNAPSHOTS=overwrite`

mod documents;
mod golden;
mod helm;
mod hooks;
mod names;
mod pod;
mod rbac;
mod refused;
mod scripts;

use openstack_sync_tests::repository;

/// The chart's folder.
const CHART: &str = "components/openstack-sync-operator";

/// A file of the chart.
fn read(path: &str) -> String {
    let path = repository(CHART).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of the files in a folder of the chart, in order.
fn list(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(repository(CHART).join(folder)).expect("a folder of the chart");
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
