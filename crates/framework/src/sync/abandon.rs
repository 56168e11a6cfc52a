//! CRs that are given up: our marker goes if the cloud answers, the finalizer goes in any case.

use std::collections::BTreeSet;

use super::Run;
use super::cleanup::Holder;
use super::fate::Fate;
use crate::plan::{GroupKey, Planned, Task};
use crate::plugin::SyncPlugin;

impl<P: SyncPlugin> Run<'_, P> {
    /// Lets go of the deleting CRs that their owners gave up.
    pub(super) fn abandon_all(&mut self, crs: &mut [Planned<P>], holders: &[Holder<P::Credentials>]) {
        let mut given_up = BTreeSet::new();
        for (index, planned) in crs.iter_mut().enumerate() {
            if !matches!(planned.task, Task::Abandon) {
                continue;
            }
            let name = planned.record.display_name();
            if !self.complete {
                log::warn!(cr = name.as_str(); "{name} is abandoned, but a list given by hand does not show \
                     who else claims its name: it stays");
                self.report.waiting += 1;
                continue;
            }
            let Ok(reading) = &planned.reading else { continue };
            if let Some(claim) = reading.claim.as_deref() {
                for at in reading.holding() {
                    let key = GroupKey { namespace: planned.record.cr.namespace.clone(), at };
                    if let Err(why) = self.abandon(index, &key, claim, holders) {
                        log::warn!(cr = name.as_str();
                            "{name} is abandoned, but {} {claim:?} at {key} keeps our marker, so that a later \
                             prune may take it: {why}", P::NOUN);
                    }
                }
                given_up.insert(claim.to_owned());
            }
            self.release(planned);
        }
        // Only now: two CRs of one name may both be given up.
        self.abandoned = given_up;
    }

    fn abandon(
        &mut self,
        index: usize,
        key: &GroupKey<P::Credentials>,
        claim: &str,
        holders: &[Holder<P::Credentials>],
    ) -> Result<(), String> {
        match self.fate_of(index, key, claim, holders) {
            Fate::Released => {}
            Fate::Protected => return Err("another CR claims it".to_owned()),
            Fate::Kept(block) => return Err(block.why),
        }
        let connected = self.groups.connect(key).map_err(|unusable| unusable.message)?;
        self.plugin.abandon(&mut connected.group(&mut self.writes), claim).map_err(|error| error.log_text())
    }
}
