//! The binaries under test, built next to the test itself.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, OnceLock};

/// The variable that names a folder (by an absolute path) with the shipped hooks, to be used as they are there: the
/// static ones, for instance.
pub const GIVEN: &str = "OPENSTACK_SYNC_E2E_HOOKS";

/// The names of the hooks that are shipped, sorted: those of the folders in `hooks/`.
///
/// # Panics
/// If that folder cannot be read.
pub fn shipped() -> &'static [String] {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| crate::repository::names("hooks"));
    &NAMES
}

/// The folder that [`GIVEN`] names, if it is set.
pub fn given_folder() -> Option<PathBuf> {
    std::env::var_os(GIVEN).map(PathBuf::from)
}

/// The path of a binary of this repository, built if need be.
///
/// The shipped hooks are built together, at the first call for one of them. Anything else, such as an
/// example hook or `devcloud`, is built apart from them and at each call: what it needs of a dependency must
/// not get into the hooks.
///
/// Where there is a [`given_folder`], the shipped hooks are those in it.
///
/// # Panics
/// If it cannot be built.
pub fn hook(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    if shipped().iter().any(|hook| hook == name) {
        let built = || build(&own_folder(), &packages(shipped()));
        FOLDER.get_or_init(|| given_folder().unwrap_or_else(built)).join(name)
    } else {
        build(&own_folder(), &["--package", name]).join(name)
    }
}

/// The path of a shipped hook's release build, whatever the test itself was built as. As for [`hook`], that in
/// the [`given_folder`], if there is one.
///
/// # Panics
/// If they cannot be built.
pub fn released(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let built = || build(&own_folder().with_file_name("release"), &packages(shipped()));
    FOLDER.get_or_init(|| given_folder().unwrap_or_else(built)).join(name)
}

/// The path of an example program of a package of this repository, which is built if need be.
///
/// # Panics
/// If it cannot be built.
pub fn example(package: &str, name: &str) -> PathBuf {
    build(&own_folder(), &["--package", package, "--example", name]).join("examples").join(name)
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

fn packages(names: &[String]) -> Vec<&str> {
    names.iter().flat_map(|name| ["--package", name.as_str()]).collect()
}

fn build(folder: &Path, what: &[&str]) -> PathBuf {
    let mut cargo = Command::new(option_env!("CARGO").unwrap_or("cargo"));
    // What the outer cargo told this test about its package would make build scripts that look at it (ring's)
    // run anew, and with them everything be built again: here, and once more by the next outer cargo.
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_", "CARGO_PRIMARY_"]
            .iter()
            .any(|start| name.starts_with(start))
        {
            cargo.env_remove(&*name);
        }
    }
    cargo.args(["build", "--quiet", "--locked"]);
    cargo.args(what);
    cargo.current_dir(crate::repository("."));
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    if let Some(target) = folder.parent() {
        cargo.env("CARGO_TARGET_DIR", target);
    }
    let status = cargo.status().expect("cargo can be started");
    assert!(status.success(), "{what:?} cannot be built: {status}");
    folder.to_owned()
}
