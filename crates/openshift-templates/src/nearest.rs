//! Which name was meant.

/// Nobody mistypes a longer one, and comparing takes the product of both lengths.
const LONGEST: usize = 64;
/// No template has more parameters.
const MOST_CANDIDATES: usize = 1000;

/// The candidate that is nearest to `name`, the first of several; `None` if none is near: at most a third of
/// the longer of the two may differ, and something must be the same. Case does not count. Names of more than 64
/// bytes, and all candidates after the thousandth, are not looked at.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let wanted = letters(name);
    candidates
        .into_iter()
        .take(MOST_CANDIDATES)
        .filter(|candidate| candidate.len() <= LONGEST)
        .map(|candidate| {
            let letters = letters(candidate);
            let longer = wanted.len().max(letters.len());
            (distance(&wanted, &letters), longer, candidate)
        })
        .filter(|&(distance, longer, _)| distance <= longer.div_ceil(3) && distance < longer)
        .min_by_key(|&(distance, ..)| distance)
        .map(|(.., candidate)| candidate)
}

fn letters(text: &str) -> Vec<char> {
    text.to_lowercase().chars().collect()
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour to make one text the
/// other (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn between(a: &str, b: &str) -> usize {
        distance(&letters(a), &letters(b))
    }

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("name", "name", 0),
            ("NAME", "name", 0),
            ("replica", "replicas", 1),
            ("kitten", "sitting", 3),
            ("nmae", "name", 1),
            ("ab", "ba", 1),
        ] {
            assert_eq!(between(a, b), expected, "{a:?} {b:?}");
        }
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        let declared = ["NAME", "REPLICAS", "IMAGE", "IMAGE_TAG"];
        for (name, expected) in [
            ("REPLICA", Some("REPLICAS")),
            ("replicas", Some("REPLICAS")),
            ("NMAE", Some("NAME")),
            ("IMG", Some("IMAGE")),
            ("IMAGETAG", Some("IMAGE_TAG")),
            ("MEMORY", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, declared), expected, "{name:?}");
        }
        assert_eq!(nearest("A", ["B"]), None, "nothing in common");
        assert_eq!(nearest("NODE3", ["NODE1", "NODE2"]), Some("NODE1"), "the first of two");
        assert_eq!(nearest("A", []), None);
        let long = "A".repeat(LONGEST + 1);
        assert_eq!(nearest(&long, [long.as_str()]), None, "longer than any name");
        assert_eq!(nearest(&long[1..], [long.as_str()]), None);
    }

    proptest! {
        #[test]
        fn a_distance_is_a_distance(a in "[a-c]{0,6}", b in "[a-c]{0,6}") {
            prop_assert_eq!(between(&a, &b), between(&b, &a));
            prop_assert_eq!(between(&a, &b) == 0, a == b);
            prop_assert!(between(&a, &b) <= a.len().max(b.len()));
        }

        #[test]
        fn one_slip_is_always_found(name in "[A-Z]{4,12}", at in 0usize..4, letter in "[A-Z_]") {
            let mut slipped = name.clone();
            slipped.insert_str(at, &letter);
            prop_assert_eq!(nearest(&slipped, [name.as_str()]), Some(name.as_str()));
        }
    }
}
