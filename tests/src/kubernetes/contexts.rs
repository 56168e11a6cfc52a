//! The binding contexts that shell-operator gave to hooks. It keeps the files with `DEBUG_KEEP_TMP_FILES`.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The contexts of all runs of one hook so far, oldest first.
#[derive(Debug, Clone)]
pub struct Contexts {
    all: Vec<Vec<Value>>,
    largest: u64,
}

impl Contexts {
    pub(super) fn read(folder: &Path, hook: &str) -> Self {
        let start = format!("hook-{hook}-binding-context-");
        let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        let mut files: Vec<(std::time::SystemTime, PathBuf)> = entries
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(&start))
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        files.sort();
        let sizes = files.iter().filter_map(|(_, path)| Some(path.metadata().ok()?.len()));
        let largest = sizes.max().unwrap_or_default();
        // One that is just being written cannot be parsed yet.
        let parse = |path: &PathBuf| serde_json::from_slice(&std::fs::read(path).ok()?).ok();
        Self { all: files.iter().filter_map(|(_, path)| parse(path)).collect(), largest }
    }

    /// How many elements each run got.
    pub fn lengths(&self) -> Vec<usize> {
        self.all.iter().map(Vec::len).collect()
    }

    /// The size of the largest file, in bytes.
    pub fn largest(&self) -> u64 {
        self.largest
    }

    /// The runs.
    pub fn runs(&self) -> &[Vec<Value>] {
        &self.all
    }

    /// The elements that are events of this kind: `Added`, `Modified`, `Deleted`.
    pub fn events(&self, word: &str) -> Vec<&Value> {
        self.all.iter().flatten().filter(|element| element["watchEvent"] == word).collect()
    }
}
