//! One run of a hook binary.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A hook binary with its environment. Nothing of the caller's environment is passed on.
#[derive(Debug, Clone)]
pub struct Hook {
    program: PathBuf,
    env: BTreeMap<String, String>,
}

/// How a run ended and what it said.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The exit code; -1 if a signal ended it.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Hook {
    /// The hook called `name`, such as `router-flavors`.
    pub fn new(name: &str) -> Self {
        Self { program: crate::binaries::hook(name), env: BTreeMap::new() }
    }

    /// Sets a variable.
    pub fn set(&mut self, name: &str, value: &str) -> &mut Self {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Removes a variable.
    pub fn unset(&mut self, name: &str) -> &mut Self {
        self.env.remove(name);
        self
    }

    /// Runs it with these arguments.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        let output = Command::new(&self.program)
            .args(arguments)
            .env_clear()
            .envs(&self.env)
            .stdin(Stdio::null())
            .output()
            .unwrap_or_else(|error| panic!("{}: {error}", self.program.display()));
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Outcome {
            code: output.status.code().unwrap_or(-1),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Outcome {
    /// Panics with the whole output unless the run ended with this code.
    ///
    /// # Panics
    /// If the code is another.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// The summary line, without its level.
    pub fn summary(&self) -> &str {
        self.stderr.lines().rev().find(|line| line.contains(" requests, ")).unwrap_or_default()
    }

    /// Whether a line of the log holds all of these words.
    pub fn says(&self, words: &[&str]) -> bool {
        self.stderr.lines().any(|line| words.iter().all(|word| line.contains(word)))
    }
}
