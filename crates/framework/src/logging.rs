//! Log lines: text for people on stderr, or one JSON object per line on stdout for shell-operator.
//!
//! shell-operator takes JSON lines apart (`level`, `msg`, flat keys), keeps the whole stderr as the text of a
//! failure, and cuts lines at 10,000 characters; hence the choice of streams and the limit.

use std::io::Write as _;

use env_logger::{Builder, Target};
use log::kv::{Error as KvError, Key, Value as KvValue, VisitSource};
use log::{LevelFilter, Record};
use serde_json::{Map, Value};

use crate::env::Env;
use crate::error::Error;

/// Longest message of a JSON line, in characters: escaping may double it.
const MESSAGE_LIMIT: usize = 4000;

/// Crates whose lower levels tell nothing about a hook and may show headers.
const QUIET: [&str; 7] = ["reqwest", "hyper", "hyper_util", "rustls", "tokio", "mio", "want"];

/// How logs look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Logging {
    pub(crate) level: LevelFilter,
    pub(crate) json: bool,
}

impl Default for Logging {
    fn default() -> Self {
        Self { level: LevelFilter::Info, json: false }
    }
}

impl Logging {
    /// Reads `LOG_LEVEL` (default info) and `LOG_FORMAT` (`text` or `json`, default text).
    pub(crate) fn from_env(env: &Env) -> Result<Self, Error> {
        let level = match env.text("LOG_LEVEL").map(str::to_lowercase).as_deref() {
            None => LevelFilter::Info,
            Some("trace" | "notset") => LevelFilter::Trace,
            Some("debug") => LevelFilter::Debug,
            Some("info") => LevelFilter::Info,
            Some("warn" | "warning") => LevelFilter::Warn,
            Some("error" | "critical" | "fatal") => LevelFilter::Error,
            Some(other) => {
                return Err(Error::variable(
                    "LOG_LEVEL",
                    format!("must be trace, debug, info, warning or error, not {other:?}"),
                ));
            }
        };
        let json = match env.text("LOG_FORMAT") {
            None | Some("text") => false,
            Some("json") => true,
            Some(other) => {
                return Err(Error::variable("LOG_FORMAT", format!("must be text or json, not {other:?}")));
            }
        };
        Ok(Self { level, json })
    }

    /// Starts logging. `stdout_is_taken` keeps JSON lines off stdout, where a table will be printed.
    pub(crate) fn start(self, stdout_is_taken: bool) {
        let mut builder = Builder::new();
        builder.filter_level(self.level);
        for module in QUIET {
            builder.filter_module(module, self.level.min(LevelFilter::Warn));
        }
        builder.target(if self.json && !stdout_is_taken { Target::Stdout } else { Target::Stderr });
        if self.json {
            builder.format(|out, record| writeln!(out, "{}", json_line(record)));
        } else {
            builder.format(|out, record| {
                writeln!(out, "{}: {}", record.level(), one_line(&record.args().to_string()))
            });
        }
        // A second start in one process (tests) keeps the first logger.
        let _ = builder.try_init();
    }
}

fn one_line(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r")
}

struct Flat<'a>(&'a mut Map<String, Value>);

impl<'kvs> VisitSource<'kvs> for Flat<'_> {
    fn visit_pair(&mut self, key: Key<'kvs>, value: KvValue<'kvs>) -> Result<(), KvError> {
        let text = value.to_string();
        if !text.is_empty() {
            self.0.insert(key.to_string(), Value::String(text));
        }
        Ok(())
    }
}

fn json_line(record: &Record<'_>) -> Value {
    let mut line = Map::new();
    // Nothing here can fail: the visitor never does.
    let _ = record.key_values().visit(&mut Flat(&mut line));
    line.insert("level".to_owned(), Value::String(record.level().as_str().to_lowercase()));
    let message: String = record.args().to_string().chars().take(MESSAGE_LIMIT).collect();
    line.insert("msg".to_owned(), Value::String(message));
    Value::Object(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Logging, String> {
        Logging::from_env(&Env::from_pairs(pairs.iter().copied())).map_err(|error| error.to_string())
    }

    #[test]
    fn levels_and_formats_are_words() {
        assert_eq!(read(&[]), Ok(Logging::default()));
        assert_eq!(
            read(&[("LOG_LEVEL", "WARNING"), ("LOG_FORMAT", "json")]),
            Ok(Logging { level: LevelFilter::Warn, json: true })
        );
        assert!(read(&[("LOG_LEVEL", "loud")]).unwrap_err().starts_with("LOG_LEVEL: "));
        assert!(read(&[("LOG_FORMAT", "xml")]).unwrap_err().starts_with("LOG_FORMAT: "));
    }

    #[test]
    fn a_json_line_is_one_flat_object_of_bounded_length() {
        let text = "a\n\"b\"".repeat(5000);
        let pairs = [("cr", "n/x"), ("request_id", "")];
        let args = format_args!("{text}");
        let record = Record::builder().level(log::Level::Warn).args(args).key_values(&pairs).build();
        let line = json_line(&record).to_string();
        assert!(line.len() < 10_000 && !line.contains('\n'));
        let line: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&line["level"], &line["cr"]), (&Value::from("warn"), &Value::from("n/x")));
        assert_eq!(line.get("request_id"), None, "an empty value is no key");
    }
}
