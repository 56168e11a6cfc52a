//! The hook binaries: built once per test process, next to the test itself.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The path of a hook's binary, such as `router-flavors`; builds all of them at the first call.
///
/// # Panics
/// If they cannot be built.
pub fn hook(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| build(&own_folder())).join(name)
}

/// The same of the release build, whatever the test itself was built as.
///
/// # Panics
/// If they cannot be built.
pub fn released(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| build(&own_folder().with_file_name("release"))).join(name)
}

/// `target/<profile>`
fn own_folder() -> PathBuf {
    let mut folder = std::env::current_exe().expect("a test knows its own path");
    // target/<profile>/deps/<test>, or target/<profile>/<program>
    folder.pop();
    if folder.ends_with("deps") {
        folder.pop();
    }
    folder
}

fn build(folder: &Path) -> PathBuf {
    let mut cargo = Command::new(option_env!("CARGO").unwrap_or("cargo"));
    cargo.args(["build", "--quiet", "--locked", "--package", "router-flavors", "--package", "placeholder"]);
    cargo.current_dir(crate::repository("."));
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    if let Some(target) = folder.parent() {
        cargo.env("CARGO_TARGET_DIR", target);
    }
    let status = cargo.status().expect("cargo can be started");
    assert!(status.success(), "the hooks cannot be built: {status}");
    folder.to_owned()
}
