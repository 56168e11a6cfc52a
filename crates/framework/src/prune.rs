//! What may be deleted: the framework decides it, the plugin carries it out.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::cr::Cr;

/// What happens to a CR's resources when the CR goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CleanupPolicy {
    /// Nothing: the resource outlives its CR. `prune` is never called.
    None,
    /// Leftovers are swept in full runs, named resources stay. No finalizer.
    BestEffort,
    /// The CR's resources go with it; a finalizer keeps the CR until they are gone.
    Finalized,
}

impl CleanupPolicy {
    /// Whether live CRs carry our finalizer.
    pub fn uses_finalizer(self) -> bool {
        self == Self::Finalized
    }
}

/// A CR whose resources leave one group: it was deleted, or moved to other credentials.
#[derive(Debug, Clone)]
pub struct Leaving {
    /// The CR, with its raw spec: what no longer parses must still be able to go.
    pub cr: Cr<Value>,
    /// Its claim.
    pub claim: Option<String>,
}

/// What one group may delete in this run.
#[derive(Debug)]
pub struct PruneRequest<'a> {
    /// The policy in force: [`CleanupPolicy::BestEffort`] or [`CleanupPolicy::Finalized`].
    pub policy: CleanupPolicy,
    /// The CRs that leave this group and may go now.
    pub leaving: &'a [Leaving],
    /// Claims of those that no live CR holds: they may go, without limit.
    pub released: &'a BTreeSet<String>,
    /// Claims that may mean this cloud and are held by someone: untouchable.
    pub claimed: &'a BTreeSet<String>,
    /// Managed names that nobody claims: `None` leaves them, `Some(n)` lets this group's go if that makes at
    /// most `n` in the whole run, and else holds all of them.
    pub unclaimed_limit: Option<usize>,
    /// Whether managed leftovers without a name (such as unbound service profiles) may be swept even if
    /// nothing else is deleted. True in full runs without doubt.
    pub sweep: bool,
    /// Ids of the unclaimed that were selected in this run, over all groups: the limit is the run's.
    pub(crate) unclaimed_gone: &'a RefCell<BTreeSet<String>>,
    /// Names that the limit held back in this group.
    pub(crate) held: RefCell<Vec<String>>,
}

/// The decision of [`PruneRequest::select`].
#[derive(Debug)]
pub struct Selection<R> {
    /// To be deleted, with their names.
    pub go: Vec<(String, R)>,
    /// Unclaimed, but more than the limit allows: named in the log, nothing else.
    pub held: Vec<(String, R)>,
}

impl PruneRequest<'_> {
    /// The one place that decides which of the managed named resources go.
    ///
    /// `managed` must hold resources that carry the plugin's marker and nothing else, with their names; `id` is
    /// what tells one from another, over all clouds. A claimed name never goes; a released one always does; an
    /// unclaimed one only within the limit. What is held makes the run fail and is listed by the framework.
    pub fn select<R>(&self, managed: Vec<(String, R)>, id: impl Fn(&R) -> String) -> Selection<R> {
        let (mut go, mut unclaimed) = (Vec::new(), Vec::new());
        for (name, resource) in managed {
            if self.claimed.contains(&name) {
                continue;
            }
            if self.released.contains(&name) {
                go.push((name, resource));
            } else {
                unclaimed.push((name, resource));
            }
        }
        let mut gone = self.unclaimed_gone.borrow_mut();
        // Another group of the same cloud may have taken some of them already: they count once.
        let all: BTreeSet<String> =
            unclaimed.iter().map(|(_, resource)| id(resource)).chain(gone.iter().cloned()).collect();
        match self.unclaimed_limit {
            Some(limit) if all.len() <= limit => {
                *gone = all;
                go.append(&mut unclaimed);
                Selection { go, held: Vec::new() }
            }
            Some(_) => {
                self.held.borrow_mut().extend(unclaimed.iter().map(|(name, _)| name.clone()));
                Selection { go, held: unclaimed }
            }
            None => Selection { go, held: Vec::new() },
        }
    }
}

/// What a plugin's `prune` could not finish. Empty means that everything it was asked for is gone.
#[derive(Debug, Default)]
pub struct Pruned {
    pub(crate) claims: BTreeMap<String, String>,
    pub(crate) crs: BTreeMap<String, String>,
    pub(crate) all: Option<String>,
}

impl Pruned {
    /// The resource that `claim` names is still there; `why` reads well after "waiting: ". Keeps the
    /// finalizers of the leaving CRs with that claim.
    pub fn keep_claim(&mut self, claim: impl Into<String>, why: impl Into<String>) {
        self.claims.entry(claim.into()).or_insert_with(|| why.into());
    }

    /// The same for one leaving CR by its uid.
    pub fn keep_cr(&mut self, uid: impl Into<String>, why: impl Into<String>) {
        self.crs.entry(uid.into()).or_insert_with(|| why.into());
    }

    /// The same for every leaving CR of the group.
    pub fn keep_all(&mut self, why: impl Into<String>) {
        self.all.get_or_insert(why.into());
    }

    /// Why this leaving CR must wait, if it must.
    pub(crate) fn why_kept(&self, leaving: &Leaving) -> Option<&str> {
        self.crs
            .get(&leaving.cr.uid)
            .or_else(|| leaving.claim.as_ref().and_then(|claim| self.claims.get(claim)))
            .or(self.all.as_ref())
            .map(String::as_str)
    }

    /// Everything that was kept, for the log.
    pub(crate) fn reasons(&self) -> BTreeSet<&str> {
        self.crs.values().chain(self.claims.values()).chain(self.all.as_ref()).map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn go(
        limit: Option<usize>,
        released: &[&str],
        claimed: &[&str],
        managed: &[&str],
    ) -> (Vec<String>, usize) {
        let (released, claimed) = (set(released), set(claimed));
        let gone = RefCell::default();
        let request =
            PruneRequest { released: &released, claimed: &claimed, unclaimed_limit: limit, ..request(&gone) };
        let selection = request
            .select(managed.iter().map(|name| ((*name).to_owned(), *name)).collect(), ToString::to_string);
        assert_eq!(request.held.borrow().len(), selection.held.len());
        (selection.go.into_iter().map(|(name, _)| name).collect(), selection.held.len())
    }

    fn request(gone: &RefCell<BTreeSet<String>>) -> PruneRequest<'_> {
        const NOTHING: &BTreeSet<String> = &BTreeSet::new();
        PruneRequest {
            policy: CleanupPolicy::Finalized,
            leaving: &[],
            released: NOTHING,
            claimed: NOTHING,
            unclaimed_limit: Some(3),
            sweep: false,
            unclaimed_gone: gone,
            held: RefCell::default(),
        }
    }

    #[test]
    fn the_limit_counts_resources_of_all_groups_and_each_of_them_once() {
        let gone = RefCell::default();
        let select = |ids: &[u32]| {
            let managed = ids.iter().map(|id| ("same".to_owned(), *id)).collect();
            request(&gone).select(managed, ToString::to_string).go.len()
        };
        assert_eq!(select(&[1, 2]), 2);
        assert_eq!(select(&[1, 2]), 2, "the same cloud through other credentials");
        assert_eq!(select(&[3, 4]), 0, "the same names in another cloud");
        assert_eq!(select(&[3]), 1);
    }

    #[test]
    fn released_names_go_whatever_the_limit() {
        assert_eq!(go(None, &["a", "b"], &[], &["a", "b", "c"]), (vec!["a".into(), "b".into()], 0));
        assert_eq!(go(Some(0), &["a"], &[], &["a"]), (vec!["a".into()], 0));
    }

    #[test]
    fn claimed_names_never_go() {
        assert_eq!(go(Some(10), &["a"], &["a", "b"], &["a", "b"]), (vec![], 0));
    }

    #[test]
    fn unclaimed_names_go_all_or_not_at_all() {
        assert_eq!(go(None, &[], &[], &["x"]), (vec![], 0));
        assert_eq!(go(Some(2), &[], &[], &["x", "y"]), (vec!["x".into(), "y".into()], 0));
        assert_eq!(go(Some(1), &["a"], &[], &["x", "y", "a"]), (vec!["a".into()], 2));
    }

    #[test]
    fn a_kept_cr_is_found_by_uid_claim_or_group() {
        let cr = Cr {
            namespace: "n".into(),
            name: "x".into(),
            uid: "u".into(),
            generation: None,
            created: String::new(),
            spec: Value::Null,
            status: Value::Null,
        };
        let leaving = Leaving { cr, claim: Some("a".into()) };
        let mut pruned = Pruned::default();
        assert_eq!(pruned.why_kept(&leaving), None);
        pruned.keep_all("everything");
        assert_eq!(pruned.why_kept(&leaving), Some("everything"));
        pruned.keep_claim("a", "the claim");
        assert_eq!(pruned.why_kept(&leaving), Some("the claim"));
        pruned.keep_cr("u", "the CR");
        assert_eq!(pruned.why_kept(&leaving), Some("the CR"));
    }
}
