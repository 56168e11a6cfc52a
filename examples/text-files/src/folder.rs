//! The other side: a folder, and which of its files are ours. A hook for a service has a client here.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use framework::{PluginError, REASON_RECONCILE_ERROR};
use serde_json::Value;

/// The first line of every file of ours; a file without it is never touched.
const MARKER: &str = "# managed by text-files\n";

/// What is in a folder: path and text. What cannot be read as text has none, and so no marker.
pub(crate) type Files = BTreeMap<PathBuf, String>;

/// A name that stays inside its folder. Hidden files are left out: [`write()`] uses them.
pub(crate) fn file_name(value: &Value) -> Result<String, PluginError> {
    match value.as_str() {
        Some(name) if !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0']) => {
            Ok(name.to_owned())
        }
        _ => Err(PluginError::invalid_spec(format!("spec.name {value} is not the name of a file"))),
    }
}

/// The folder's one real path, so that two ways to name it are seen to be one folder.
pub(crate) fn open(folder: &str) -> Result<PathBuf, PluginError> {
    fs::canonicalize(folder).map_err(|error| unusable(Path::new(folder), &error))
}

/// Reads the folder once; a run works on this.
pub(crate) fn list(folder: &Path) -> Result<Files, PluginError> {
    let paths = fs::read_dir(folder).and_then(|entries| {
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()
    });
    let paths = paths.map_err(|error| unusable(folder, &error))?;
    let text = |path: &PathBuf| fs::read_to_string(path).unwrap_or_default();
    Ok(paths.into_iter().map(|path| (path.clone(), text(&path))).collect())
}

/// The whole content of a file of ours.
pub(crate) fn mark(text: &str) -> String {
    format!("{MARKER}{text}")
}

/// Whether a file must be written to hold this content.
///
/// # Errors
/// It is there and not ours.
pub(crate) fn must_write(files: &Files, path: &Path, content: &str) -> Result<bool, PluginError> {
    match files.get(path) {
        Some(now) if now == content => Ok(false),
        Some(now) if !now.starts_with(MARKER) => {
            Err(PluginError::cr(format!("{} has no marker: it is left alone", path.display())))
        }
        _ => Ok(true),
    }
}

/// The files of ours, by name: all that may ever be deleted.
pub(crate) fn ours(files: &Files) -> Vec<(String, PathBuf)> {
    let marked = files.iter().filter(|(_, content)| content.starts_with(MARKER));
    marked.filter_map(|(path, _)| Some((path.file_name()?.to_str()?.to_owned(), path.clone()))).collect()
}

/// What tells one file from all others.
#[expect(clippy::ptr_arg, reason = "`select` hands over what `ours` gave it")]
pub(crate) fn id(path: &PathBuf) -> String {
    path.display().to_string()
}

/// Where a name is in the folder; `None` if the folder is empty, which tells nothing.
pub(crate) fn paths(files: &Files, name: &str) -> Option<Vec<String>> {
    let found = files.keys().filter(|path| path.file_name().is_some_and(|found| found == name));
    (!files.is_empty()).then(|| found.map(id).collect())
}

/// Writes a file as a whole: a run that is cut off leaves the old content or the new, never half of it.
pub(crate) fn write(path: &Path, content: &str) -> Result<(), PluginError> {
    let mut part = std::ffi::OsString::from(".");
    part.push(path.file_name().unwrap_or_default());
    let part = path.with_file_name(part);
    let written = fs::write(&part, content).and_then(|()| fs::rename(&part, path));
    written.map_err(|error| failed("write", path, &error))
}

/// Deletes a file; one that is gone already is fine.
pub(crate) fn delete(path: &Path) -> Result<(), PluginError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed("delete", path, &error)),
        _ => Ok(()),
    }
}

/// Concerns every CR of the folder.
fn unusable(folder: &Path, error: &io::Error) -> PluginError {
    PluginError::group(REASON_RECONCILE_ERROR, format!("{}: {error}", folder.display()))
}

/// Concerns one CR.
fn failed(verb: &str, path: &Path, error: &io::Error) -> PluginError {
    PluginError::cr(format!("cannot {verb} {}: {error}", path.display()))
}
