//! A root directory with nothing in it but what a test puts there.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use openstack_sync_tests::binaries::{GIVEN, given_folder};
use openstack_sync_tests::{Hook, Outcome, walk};
use tempfile::TempDir;

/// The user and group that the chart and the image name.
const USER: u32 = 65532;

/// The binaries that `make dist` made, sorted.
///
/// # Panics
/// If the variable that names their folder is not set, or there are none.
pub(crate) fn binaries() -> Vec<PathBuf> {
    let folder = given_folder().unwrap_or_else(|| panic!("{GIVEN} must be set: make dist"));
    let mut paths = Vec::new();
    walk(&folder, &mut |path| paths.push(path.to_owned()));
    assert!(!paths.is_empty(), "there is nothing in {}: make dist", folder.display());
    paths.sort();
    paths
}

/// The root directory of one process.
pub(crate) struct Root {
    folder: TempDir,
}

impl Root {
    /// One that holds this hook and nothing else.
    ///
    /// # Panics
    /// If it was not built, or this is not root.
    pub(crate) fn with(hook: &str) -> Self {
        assert!(
            is_root(),
            "a root directory of its own takes root: use make dist, which finds a way without"
        );
        let root = Self { folder: tempfile::tempdir().expect("a folder") };
        open_up(root.folder.path(), 0o755);
        let binary = binaries().into_iter().find(|path| path.ends_with(hook));
        let binary = binary.unwrap_or_else(|| panic!("{hook} is not there: make dist"));
        fs::copy(binary, root.folder.path().join(hook)).expect("a copy");
        root
    }

    /// Puts a file there that everybody can read.
    pub(crate) fn put(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        let mut folder = self.folder.path().to_owned();
        for part in path.parent().and_then(|parent| parent.strip_prefix(&folder).ok()).into_iter().flatten() {
            folder.push(part);
            if !folder.exists() {
                fs::create_dir(&folder).expect("a folder");
                open_up(&folder, 0o755);
            }
        }
        fs::write(&path, text).expect("a file");
        open_up(&path, 0o644);
    }

    /// Every file in it, as paths from the root, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        walk(self.folder.path(), &mut |path| {
            let path = path.strip_prefix(self.folder.path()).expect("it is below");
            files.push(path.display().to_string());
        });
        files.sort();
        files
    }

    /// Runs the binary `name` in it with the environment of `hook`, as the user that the image has.
    ///
    /// # Panics
    /// If it prints a secret, or chroot cannot be started.
    pub(crate) fn run(&self, hook: &Hook, name: &str, arguments: &[&str]) -> Outcome {
        let mut command = Command::new("/usr/sbin/chroot");
        if has_user(USER) {
            command.arg(format!("--userspec={USER}:{USER}"));
        }
        command.arg(self.folder.path()).arg(format!("/{name}"));
        hook.run_by(command, arguments)
    }
}

fn open_up(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("our own file");
}

/// Files of this process belong to its user.
fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0)
}

/// Whether there is such a user: in a user namespace of an ordinary user there is root alone.
fn has_user(user: u32) -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    map.lines().any(|line| {
        let numbers: Vec<u64> = line.split_whitespace().flat_map(str::parse).collect();
        matches!(numbers[..], [from, _, count] if (from..from + count).contains(&u64::from(user)))
    })
}
