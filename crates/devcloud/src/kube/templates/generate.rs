//! Generated values: `generate: expression`.

use std::sync::LazyLock;

use regex::Regex;

use crate::kube::templates::Failure;
use crate::random::Ids;

const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const NUMERALS: &str = "0123456789";
const SYMBOLS: &str = "~!@#$%^&*()-_+={}[]\\|<,>.?/\"';:`";

/// The longest value that one construct makes.
const LONGEST: u64 = 255;

/// A class and how often: `[a-z0-9]{8}`.
static CONSTRUCT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(\[[a-zA-Z0-9\-\\]+\])\{([0-9]+)\}").ok());
/// What a class must have in it.
static CLASS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\[(\\w|\\d|\\a|\\A)|([a-zA-Z0-9]-[a-zA-Z0-9])+\]").ok());
/// The parts of a class.
static RANGE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\\?[a-zA-Z0-9]-?[a-zA-Z0-9]?").ok());

/// Why no value was generated.
pub(super) enum Refused {
    /// This is wrong with the expression.
    Because(String),
    /// The real server panics.
    Panic,
}

impl Refused {
    /// As a failure of the whole template, where it is one.
    pub(super) fn reason(self) -> Result<String, Failure> {
        match self {
            Self::Because(reason) => Ok(reason),
            Self::Panic => Err(Failure::Panic),
        }
    }
}

/// A value for an expression; text outside of constructs stays as it is.
///
/// A range leaves its last character out: `[0-9]` never gives 9 (measured).
pub(super) fn generate(expression: &str, ids: &Ids) -> Result<String, Refused> {
    let mut value = expression.to_owned();
    let Some(construct) = CONSTRUCT.as_ref() else { return Ok(value) };
    while let Some(found) = construct.captures(&value) {
        let (whole, class) = (found[0].to_owned(), found[1].to_owned());
        if !CLASS.as_ref().is_some_and(|regex| regex.is_match(&class)) {
            return Err(Refused::Because(format!("malformed expresion syntax: {class}")));
        }
        // As Go's Atoi, which stops at the largest number.
        let length = found[2].parse().unwrap_or(i64::MAX.unsigned_abs());
        if !(1..=LONGEST).contains(&length) {
            return Err(Refused::Because(format!(
                "range must be within [1-{LONGEST}] characters ({length})"
            )));
        }
        let alphabet = alphabet(&class)?;
        if alphabet.is_empty() {
            return Err(Refused::Panic);
        }
        let drawn: String = (0..length).map(|_| alphabet[ids.below(alphabet.len())]).collect();
        value = value.replacen(&whole, &drawn, 1);
    }
    Ok(value)
}

fn alphabet(class: &str) -> Result<Vec<char>, Refused> {
    let all = format!("{LETTERS}{NUMERALS}{SYMBOLS}");
    let mut out: Vec<char> = Vec::new();
    for range in RANGE.iter().flat_map(|regex| regex.find_iter(class)) {
        let range = range.as_str();
        let first = range.chars().next().unwrap_or_default();
        let last = range.chars().last().unwrap_or_default();
        let characters = match (first, last) {
            ('\\', 'w') => format!("{LETTERS}{NUMERALS}_"),
            ('\\', 'd') => NUMERALS.to_owned(),
            ('\\', 'a') => format!("{LETTERS}{NUMERALS}"),
            ('\\', 'A') => SYMBOLS.to_owned(),
            _ => between(&all, first, last)?,
        };
        for character in characters.chars() {
            if !out.contains(&character) {
                out.push(character);
            }
        }
    }
    Ok(out)
}

/// Half open: `last` itself is left out (measured).
fn between(all: &str, first: char, last: char) -> Result<String, Refused> {
    match (all.find(first), all.rfind(last)) {
        (Some(from), Some(to)) if from <= to => Ok(all[from..to].to_owned()),
        _ => Err(Refused::Because(format!("invalid range specified: {first}-{last}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The alphabets that were measured.
    #[test]
    fn ranges_leave_their_last_character_out() {
        for (class, wanted) in [
            ("[0-9]", "012345678"),
            ("[0-1]", "0"),
            ("[1-3]", "12"),
            ("[a-z]", "abcdefghijklmnopqrstuvwxy"),
            ("[A-Z]", "ABCDEFGHIJKLMNOPQRSTUVWXY"),
            ("[a-zA-Z0-9]", "012345678ABCDEFGHIJKLMNOPQRSTUVWXYabcdefghijklmnopqrstuvwxy"),
            ("[a-f0-9]", "012345678abcde"),
            ("[A-F0-9]", "012345678ABCDE"),
            ("[\\w]", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"),
            ("[\\d]", "0123456789"),
            ("[\\a]", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
            ("[\\A]", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
            ("[a-Z]", "ABCDEFGHIJKLMNOPQRSTUVWXYabcdefghijklmnopqrstuvwxyz"),
        ] {
            let Ok(mut letters) = alphabet(class) else { panic!("{class} is refused") };
            letters.sort_unstable();
            assert_eq!(letters.iter().collect::<String>(), wanted, "{class}");
        }
    }

    #[test]
    fn refused_expressions_say_why() {
        let ids = Ids::new(Some(1));
        for (expression, wanted) in [
            ("[A-z]{250}", "invalid range specified: A-z"),
            ("[0-z]{250}", "invalid range specified: 0-z"),
            ("[z-a]{5}", "invalid range specified: z-a"),
            ("[a-z]{500}", "range must be within [1-255] characters (500)"),
            ("[a-z]{0}", "range must be within [1-255] characters (0)"),
            ("[abc]{5}", "malformed expresion syntax: [abc]"),
        ] {
            match generate(expression, &ids) {
                Err(Refused::Because(why)) => assert_eq!(why, wanted, "{expression}"),
                _ => panic!("{expression} is not refused"),
            }
        }
        assert!(matches!(generate("[a-a]{3}", &ids), Err(Refused::Panic)));
    }

    #[test]
    fn what_is_no_construct_stays() {
        let ids = Ids::new(Some(1));
        for text in ["plain", "[a-z]", "[a-z_]{5}", "${B}"] {
            assert!(matches!(generate(text, &ids), Ok(value) if value == text), "{text}");
        }
        let Ok(value) = generate("user-[a-z0-9]{8}.[A-Z]{2}", &ids) else { panic!("refused") };
        assert_eq!((value.len(), &value[..5], &value[13..14]), (16, "user-", "."));
    }
}
