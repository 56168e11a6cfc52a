//! CRs that are given up: our marker goes if the cloud answers, the finalizer goes in any case.

use super::Run;
use crate::plan::{GroupKey, Planned, Task};
use crate::plugin::SyncPlugin;

impl<P: SyncPlugin> Run<'_, P> {
    /// Lets go of the deleting CRs that their owners gave up.
    pub(super) fn abandon_all(&mut self, crs: &mut [Planned<P>]) {
        for index in 0..crs.len() {
            if !matches!(crs[index].task, Task::Abandon) {
                continue;
            }
            let name = crs[index].record.display_name();
            if !self.complete {
                log::warn!(cr = name.as_str(); "{name} is abandoned, but a list given by hand does not show \
                     who else claims its name: it stays");
                self.report.waiting += 1;
                continue;
            }
            let Ok(reading) = crs[index].reading.clone() else { continue };
            let held = |claim: &str| {
                crs.iter().any(|other| {
                    other.holds_claim()
                        && other.reading.as_ref().is_ok_and(|other| other.claim.as_deref() == Some(claim))
                })
            };
            if let Some(claim) = reading.claim.as_deref().filter(|claim| held(claim)) {
                log::warn!(cr = name.as_str();
                    "{name} is abandoned, but another CR claims {} {claim:?}: it keeps our marker", P::NOUN);
            } else if let Some(claim) = reading.claim.as_deref() {
                self.abandoned.insert(claim.to_owned());
                for at in reading.holding() {
                    let key = GroupKey { namespace: crs[index].record.cr.namespace.clone(), at };
                    if let Err(why) = self.abandon(&key, claim) {
                        log::warn!(cr = name.as_str();
                            "{name} is abandoned, but {} {claim:?} at {key} keeps our marker, so that a later \
                             prune may take it: {why}", P::NOUN);
                    }
                }
            }
            self.release(&mut crs[index]);
        }
    }

    fn abandon(&mut self, key: &GroupKey<P::Credentials>, claim: &str) -> Result<(), String> {
        let connected = self.groups.connect(key).map_err(|unusable| unusable.message)?;
        self.plugin.abandon(&mut connected.group(&mut self.writes), claim).map_err(|error| error.log_text())
    }
}
