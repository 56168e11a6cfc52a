//! What shell-operator says: one JSON object per line.

use std::path::PathBuf;

use serde_json::Value;

use super::eventually;

/// The log of one operator, over all its restarts.
#[derive(Debug, Clone)]
pub struct Log {
    path: PathBuf,
}

/// One run of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The hook, such as `router-flavors`.
    pub hook: String,
    /// The binding that came first, or `onStartup`.
    pub binding: String,
    /// `true`: exit code 0. `None`: not ended yet.
    pub ok: Option<bool>,
}

impl Log {
    pub(super) fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// All of it.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.path).unwrap_or_default()).into_owned()
    }

    /// Its last lines.
    pub fn tail(&self) -> String {
        let text = self.text();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(40)..].join("\n")
    }

    /// The lines that are JSON.
    pub fn lines(&self) -> Vec<Value> {
        self.text().lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Whether a line holds all of these words.
    pub fn says(&self, words: &[&str]) -> bool {
        self.text().lines().any(|line| words.iter().all(|word| line.contains(word)))
    }

    /// The runs so far. One hook runs once at a time, since all its bindings share a queue.
    pub fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for line in self.lines() {
            let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
            let hook = text("hook");
            let binding = [text("binding"), text("event")].into_iter().find(|word| !word.is_empty());
            let binding = binding.unwrap_or_default();
            let ok = match line["msg"].as_str().unwrap_or_default() {
                "Execute hook" => None,
                "Hook executed successfully" => Some(true),
                "Hook failed, but allowed to fail" | "Hook failed. Will retry after delay." => Some(false),
                _ => continue,
            };
            match ok {
                None => runs.push(Run { hook, binding, ok }),
                // What was killed has no end: the last one counts.
                Some(_) => {
                    if let Some(run) = runs.iter_mut().rev().find(|run| run.hook == hook) {
                        run.ok = ok;
                    }
                }
            }
        }
        runs
    }

    /// The runs of one hook that have ended.
    pub fn ended(&self, hook: &str) -> Vec<Run> {
        self.runs().into_iter().filter(|run| run.hook == hook && run.ok.is_some()).collect()
    }

    /// Waits for that many more runs of one hook to end, of those that `counts`; answers all that ended meanwhile.
    ///
    /// # Panics
    /// If they do not.
    #[track_caller]
    pub fn after(&self, hook: &str, count: usize, counts: impl Fn(&Run) -> bool) -> Vec<Run> {
        let before = self.ended(hook).len();
        eventually(|| {
            let now = self.ended(hook).split_off(before);
            let so_far = now.iter().filter(|run| counts(run)).count();
            if so_far >= count { Ok(now) } else { Err(format!("{so_far} of {count} more runs of {hook}")) }
        })
    }
}
