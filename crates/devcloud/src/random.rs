//! Identifiers: unlike each other, and repeatable from a seed.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// A source of identifiers (SplitMix64). Good enough for a simulator, not for secrets.
#[derive(Debug)]
pub(crate) struct Ids(AtomicU64);

impl Ids {
    /// `None` draws a seed from the process's own entropy, so that two clouds never share an id.
    pub(crate) fn new(seed: Option<u64>) -> Self {
        Self(AtomicU64::new(seed.unwrap_or_else(|| RandomState::new().build_hasher().finish())))
    }

    fn next(&self) -> u64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut z = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 32 hexadecimal digits, as Keystone's ids are.
    pub(crate) fn hex(&self) -> String {
        format!("{:016x}{:016x}", self.next(), self.next())
    }

    /// A version 4 UUID.
    pub(crate) fn uuid(&self) -> String {
        let hex = self.hex();
        format!("{}-{}-4{}-a{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..])
    }

    /// `bytes` bytes of URL-safe base64 text.
    pub(crate) fn text(&self, bytes: usize) -> String {
        let raw: Vec<u8> =
            (0..bytes.div_ceil(8)).flat_map(|_| self.next().to_le_bytes()).take(bytes).collect();
        URL_SAFE_NO_PAD.encode(raw)
    }

    /// A number below `bound`, which is not zero.
    pub(crate) fn below(&self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap_or(0)
    }

    /// Five characters as `generateName` appends them.
    pub(crate) fn suffix(&self) -> String {
        const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
        let mut number = self.next();
        let mut out = String::new();
        for _ in 0..5 {
            let index = usize::try_from(number % LETTERS.len() as u64).unwrap_or(0);
            out.push(char::from(LETTERS[index]));
            number /= LETTERS.len() as u64;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_and_none_does_not() {
        assert_eq!(Ids::new(Some(7)).uuid(), Ids::new(Some(7)).uuid());
        assert_ne!(Ids::new(None).uuid(), Ids::new(None).uuid());
    }

    #[test]
    fn ids_have_the_shapes_of_the_real_ones() {
        let ids = Ids::new(Some(1));
        let uuid = ids.uuid();
        assert_eq!(uuid.len(), 36);
        assert_eq!(uuid.split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
        assert_eq!(ids.hex().len(), 32);
        assert_eq!(ids.text(64).len(), 86);
        assert_eq!(ids.suffix().len(), 5);
    }
}
