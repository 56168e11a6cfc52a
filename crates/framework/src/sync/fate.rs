//! What may happen to the claim of a CR that leaves a group, when others may mean the same resource. Pure.

use super::block::Block;

/// What may happen to a claim.
#[derive(Debug, PartialEq)]
pub(super) enum Fate {
    /// Nobody else means this resource: it goes.
    Released,
    /// Somebody else describes it, or there is nothing of this name: nothing goes, and the CR may.
    Protected,
    /// It cannot be told: nothing goes, and the CR waits.
    Kept(Block),
}

/// What one group sees of a claim.
#[derive(Debug)]
pub(super) enum Seen {
    /// The ids of what carries the name; none if there is nothing of it.
    Ids(Vec<String>),
    /// An empty list, of which nobody can say whether the credentials just see too little.
    Nothing,
    /// The group cannot be used.
    Unusable(Block),
}

/// Decides by comparing ids: URLs don't tell, since one cloud has public and internal ones.
///
/// `what` names the resource (`router flavor "gold"`), `here` is the group that is left, and `others` are the
/// other groups in which a CR holds the claim.
pub(super) fn fate(what: &str, here: Seen, others: &[(String, Seen)]) -> Fate {
    if others.is_empty() {
        return Fate::Released;
    }
    let here = match here {
        Seen::Ids(ids) if ids.is_empty() => return Fate::Protected,
        Seen::Ids(ids) => ids,
        Seen::Nothing => {
            return Fate::Kept(Block::unsure(format!(
                "{what} may still be there: the list is empty, and the credentials may just see too little"
            )));
        }
        Seen::Unusable(block) => return Fate::Kept(block),
    };
    let same = |seen: &Seen| matches!(seen, Seen::Ids(there) if here.iter().any(|id| there.contains(id)));
    if others.iter().any(|(_, seen)| same(seen)) {
        return Fate::Protected;
    }
    for (group, seen) in others {
        match seen {
            Seen::Ids(_) => {}
            Seen::Nothing => {
                return Fate::Kept(Block::unsure(format!(
                    "{what} is also claimed by {group}, which lists nothing to compare with"
                )));
            }
            Seen::Unusable(block) => {
                return Fate::Kept(
                    block.within(&format!("{what} is also claimed by {group}, which cannot be compared")),
                );
            }
        }
    }
    Fate::Released
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::REASON_LOGIN_REFUSED;

    fn ids(ids: &[&str]) -> Seen {
        Seen::Ids(ids.iter().map(|id| (*id).to_owned()).collect())
    }

    fn decide(here: Seen, others: Vec<Seen>) -> &'static str {
        let others: Vec<_> = others.into_iter().map(|seen| ("n/b".to_owned(), seen)).collect();
        match fate("widget \"a\"", here, &others) {
            Fate::Released => "released",
            Fate::Protected => "protected",
            Fate::Kept(_) => "kept",
        }
    }

    #[test]
    fn a_claim_that_nobody_else_holds_is_released_whatever_is_seen() {
        assert_eq!(decide(ids(&["1"]), vec![]), "released");
        assert_eq!(decide(Seen::Nothing, vec![]), "released");
    }

    #[test]
    fn the_same_id_is_the_same_cloud() {
        assert_eq!(decide(ids(&["1"]), vec![ids(&["1"])]), "protected");
        assert_eq!(decide(ids(&["1"]), vec![ids(&["2"]), ids(&["1", "3"])]), "protected");
        assert_eq!(decide(ids(&["1"]), vec![Seen::Nothing, ids(&["1"])]), "protected");
    }

    #[test]
    fn other_ids_or_none_of_the_name_are_another_cloud() {
        assert_eq!(decide(ids(&["1"]), vec![ids(&["2"]), ids(&[])]), "released");
    }

    #[test]
    fn nothing_of_the_name_here_is_nothing_to_delete() {
        assert_eq!(decide(ids(&[]), vec![ids(&["2"])]), "protected");
    }

    #[test]
    fn what_cannot_be_compared_is_kept() {
        assert_eq!(decide(Seen::Nothing, vec![ids(&["1"])]), "kept");
        assert_eq!(decide(ids(&["1"]), vec![Seen::Nothing]), "kept");
        assert_eq!(decide(ids(&["1"]), vec![Seen::Unusable(Block::unsure("down"))]), "kept");
        assert_eq!(decide(Seen::Unusable(Block::unsure("down")), vec![ids(&["1"])]), "kept");
    }

    #[test]
    fn a_refused_login_keeps_its_reason() {
        let refused = Seen::Unusable(Block::because(REASON_LOGIN_REFUSED, "no".to_owned()));
        let Fate::Kept(block) = fate("widget \"a\"", ids(&["1"]), &[("n/b".to_owned(), refused)]) else {
            panic!("it cannot be compared")
        };
        assert_eq!(block.reason, REASON_LOGIN_REFUSED);
        assert_eq!(block.why, "widget \"a\" is also claimed by n/b, which cannot be compared: no");
    }
}
