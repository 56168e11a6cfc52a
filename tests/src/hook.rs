//! One run of a hook binary.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// How every token of Keystone begins.
const TOKEN: &str = "gAAAA";

/// A hook binary with its environment. Nothing of the caller's environment is passed on.
///
/// No run may print a secret: whatever it was asked to do, a run whose output holds a Keystone token or one of
/// the texts of [`Hook::forbid`] panics.
#[derive(Debug, Clone)]
pub struct Hook {
    program: PathBuf,
    env: BTreeMap<String, String>,
    secrets: BTreeSet<String>,
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
        Self::at(crate::binaries::hook(name))
    }

    /// The same as it is shipped: the release build, which is made if need be.
    pub fn released(name: &str) -> Self {
        Self::at(crate::binaries::released(name))
    }

    /// The same with the binary at this path.
    pub fn at(program: PathBuf) -> Self {
        Self { program, env: BTreeMap::new(), secrets: BTreeSet::new() }
    }

    /// The same environment and secrets with another binary.
    #[must_use]
    pub fn with_program_of(&self, other: &Self) -> Self {
        Self { program: other.program.clone(), ..self.clone() }
    }

    /// No output of any run may hold this text. Texts of fewer than six characters are ignored: they would be
    /// found by chance.
    pub fn forbid(&mut self, secret: &str) -> &mut Self {
        if secret.len() >= 6 {
            self.secrets.insert(secret.to_owned());
        }
        self
    }

    /// The texts that no output may hold.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(String::as_str)
    }

    /// Sets a variable.
    pub fn set(&mut self, name: &str, value: &str) -> &mut Self {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.env.get(name).map(String::as_str)
    }

    /// Removes a variable.
    pub fn unset(&mut self, name: &str) -> &mut Self {
        self.env.remove(name);
        self
    }

    /// The binary.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Makes `command` what would run with this environment, without standard input.
    pub fn prepare(&self, mut command: Command, arguments: &[&str]) -> Command {
        command.args(arguments).env_clear().envs(&self.env).stdin(Stdio::null());
        command
    }

    /// Runs it with these arguments.
    ///
    /// # Panics
    /// If it cannot be started, or prints a secret.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_by(Command::new(&self.program), arguments)
    }

    /// Runs what `command` starts in its place, with this environment and these further arguments.
    ///
    /// # Panics
    /// As [`Hook::run`].
    pub fn run_by(&self, command: Command, arguments: &[&str]) -> Outcome {
        self.watch(self.prepare(command, arguments), |_| ()).0
    }

    /// Runs it with this text as its standard input.
    ///
    /// # Panics
    /// As [`Hook::run`].
    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> Outcome {
        let write = |child: &mut Child| {
            let pipe = child.stdin.take().map(|mut pipe| pipe.write_all(input.as_bytes()));
            // A hook that does not read its input is not this function's business.
            drop(pipe);
        };
        let mut command = self.prepare(Command::new(&self.program), arguments);
        command.stdin(Stdio::piped());
        self.watch(command, write).0
    }

    /// Runs it and answers its peak resident memory in KiB as well, as seen until a millisecond before its end.
    /// (`wait4` would not do: its figure begins with that of the process that forks.)
    ///
    /// # Panics
    /// As [`Hook::run`], and where there is no `/proc`.
    pub fn run_measured(&self, arguments: &[&str]) -> (Outcome, u64) {
        let command = self.prepare(Command::new(&self.program), arguments);
        let (outcome, sampler) = self.watch(command, |child| {
            let status = format!("/proc/{}/status", child.id());
            std::thread::spawn(move || {
                let mut peak = 0;
                while let Some(now) = std::fs::read_to_string(&status).ok().and_then(|text| high_water(&text))
                {
                    peak = peak.max(now);
                    std::thread::sleep(Duration::from_millis(1));
                }
                peak
            })
        });
        (outcome, sampler.join().expect("the sampler ends"))
    }

    /// Runs a prepared command to its end. All runs come here.
    fn watch<T>(&self, mut command: Command, meanwhile: impl FnOnce(&mut Child) -> T) -> (Outcome, T) {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let name = command.get_program().display().to_string();
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{name}: {error}"));
        let beside = meanwhile(&mut child);
        let outcome = Outcome::of(child.wait_with_output().unwrap_or_else(|error| panic!("{name}: {error}")));
        for secret in self.secrets.iter().map(String::as_str).chain([TOKEN]) {
            assert!(!outcome.stdout.contains(secret), "a secret is on stdout:\n{}", outcome.stdout);
            assert!(!outcome.stderr.contains(secret), "a secret is on stderr:\n{}", outcome.stderr);
        }
        (outcome, beside)
    }
}

/// The peak resident memory in a `/proc/<pid>/status`, in KiB; `None` once the process has ended.
pub fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

impl Outcome {
    fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

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
