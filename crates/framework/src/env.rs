//! Environment variables and the few forms in which they are read.
//!
//! A value that cannot be used is an error that names the variable and quotes the value, never silently the
//! default: the forms are those of the previous implementation, made strict at their edges.

use std::collections::BTreeMap;

use crate::error::Error;

/// A snapshot of the environment, so that everything behind it is a pure function.
#[derive(Debug, Clone, Default)]
pub struct Env {
    values: BTreeMap<String, String>,
}

impl Env {
    /// The environment of this process. What is not UTF-8 is kept with replacement characters: a value that
    /// cannot be used must be an error, not the default.
    pub fn process() -> Self {
        let text = |raw: std::ffi::OsString| raw.to_string_lossy().into_owned();
        let values = std::env::vars_os().map(|(name, value)| (text(name), text(value))).collect();
        Self { values }
    }

    /// An environment made of these pairs.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let values = pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { values }
    }

    /// The names of all that are set, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// The value as it is, if the variable is set.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// The trimmed value, if it is set and not blank.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).map(str::trim).filter(|value| !value.is_empty())
    }

    /// A value that must be there.
    ///
    /// # Errors
    /// [`Error::Variable`] if it is unset or blank.
    pub fn required(&self, name: &str) -> Result<&str, Error> {
        self.text(name).ok_or_else(|| Error::variable(name, "is required but not set"))
    }

    /// Exactly `true` or `false`; unset is `default`.
    ///
    /// # Errors
    /// [`Error::Variable`] for anything else, the empty string included.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool, Error> {
        match self.get(name) {
            None => Ok(default),
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            Some(other) => Err(Error::variable(name, format!("must be true or false, not {other:?}"))),
        }
    }

    /// A whole number of at least `min`; unset is `default`. Surrounding whitespace, a sign and `_` between
    /// digits are accepted, as Python's `int()` does.
    ///
    /// # Errors
    /// [`Error::Variable`] for anything else.
    pub fn integer(&self, name: &str, default: u32, min: u32) -> Result<u32, Error> {
        let Some(raw) = self.get(name) else { return Ok(default) };
        let bad = || Error::variable(name, format!("must be a whole number of {min} or more, not {raw:?}"));
        let text = raw.trim();
        let separated = text.split('_').all(|digits| !digits.is_empty());
        let value: u32 = text.replace('_', "").parse().map_err(|_| bad())?;
        if separated && value >= min { Ok(value) } else { Err(bad()) }
    }

    /// Names of namespaces, separated by commas or white space; unset or blank is none.
    ///
    /// # Errors
    /// [`Error::Variable`] for what is not the name of a namespace (an RFC 1123 label), `*` included.
    pub fn namespaces(&self, name: &str) -> Result<Vec<String>, Error> {
        let separators = |c: char| c == ',' || c.is_whitespace();
        let list = self.get(name).unwrap_or_default().split(separators).filter(|part| !part.is_empty());
        list.map(|part| {
            if kube::is_namespace(part) {
                return Ok(part.to_owned());
            }
            Err(Error::variable(name, format!("{part:?} is not the name of a namespace")))
        })
        .collect()
    }

    /// A duration in seconds, 0 to 3600, fractions allowed; unset is `default`.
    ///
    /// # Errors
    /// [`Error::Variable`] for anything else, `nan` and `inf` included.
    pub fn seconds(&self, name: &str, default: f64) -> Result<std::time::Duration, Error> {
        let bad = |raw: &str| Error::variable(name, format!("must be 0 to 3600 seconds, not {raw:?}"));
        let value = match self.get(name) {
            None => default,
            Some(raw) => raw.trim().parse().map_err(|_| bad(raw))?,
        };
        // `contains` is false for nan.
        if (0.0..=3600.0).contains(&value) {
            Ok(std::time::Duration::from_secs_f64(value))
        } else {
            Err(bad(self.get(name).unwrap_or_default()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_exactly_true_or_false() {
        for (value, want) in [("true", Some(true)), ("false", Some(false))] {
            assert_eq!(Env::from_pairs([("X", value)]).flag("X", !want.unwrap()).ok(), want);
        }
        for bad in ["", "True", "1", "yes", " true", "FALSE"] {
            let error = Env::from_pairs([("X", bad)]).flag("X", false).unwrap_err().to_string();
            assert_eq!(error, format!("X: must be true or false, not {bad:?}"));
        }
        assert!(Env::default().flag("X", true).unwrap());
    }

    #[test]
    fn integers_accept_what_python_does_within_bounds() {
        for (value, want) in [("30", 30), (" 7 ", 7), ("+5", 5), ("1_000", 1000)] {
            assert_eq!(Env::from_pairs([("X", value)]).integer("X", 1, 1).unwrap(), want, "{value:?}");
        }
        for bad in ["", "0", "-1", "1.5", "_1", "1__0", "x", "99999999999"] {
            let error = Env::from_pairs([("X", bad)]).integer("X", 1, 1).unwrap_err().to_string();
            assert_eq!(error, format!("X: must be a whole number of 1 or more, not {bad:?}"));
        }
    }

    #[test]
    fn seconds_refuse_what_cannot_be_slept() {
        let read = |value| Env::from_pairs([("X", value)]).seconds("X", 10.0);
        assert_eq!(read(" 0.5 ").unwrap().as_millis(), 500);
        assert_eq!(Env::default().seconds("X", 10.0).unwrap().as_secs(), 10);
        for bad in ["nan", "inf", "-1", "", "ten", "1e9"] {
            assert!(read(bad).unwrap_err().to_string().contains(&format!("not {bad:?}")), "{bad}");
        }
    }

    #[test]
    fn required_values_may_not_be_blank() {
        assert!(Env::from_pairs([("X", "  ")]).required("X").is_err());
        assert_eq!(Env::from_pairs([("X", " a ")]).required("X").unwrap(), "a");
    }
}
