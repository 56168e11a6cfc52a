//! What people do with the hooks: run one by hand, and put their own beside them.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::pod::Pod;
use super::{ControlPlane, Release, given};
use crate::binaries::GIVEN;
use crate::{Hook, Outcome};

/// A hook of the image with the environment of the pod, outside of it, with the rights of its service account.
pub struct ByHand {
    hook: Hook,
    folder: TempDir,
}

impl ByHand {
    /// The hook called `name`, with the environment of the installed Deployment.
    ///
    /// # Panics
    /// If there is none.
    pub fn new(plane: &ControlPlane, release: &Release, name: &str) -> Self {
        let pod = Pod::of(&release.deployment());
        let folder = tempfile::tempdir().expect("a folder");
        let kubeconfig = plane.kubeconfig_of(&pod.namespace, &pod.account);
        let path = folder.path().join("kubeconfig");
        std::fs::write(&path, kubeconfig.to_string()).expect("a file");
        let mut hook = Hook::at(given(GIVEN).join(name));
        for (name, value) in &pod.main.env {
            hook.set(name, value);
        }
        hook.set("LOG_FORMAT", "text").set("KUBECONFIG", &path.display().to_string());
        Self { hook, folder }
    }

    /// Sets a variable.
    pub fn set(&mut self, name: &str, value: &str) {
        self.hook.set(name, value);
    }

    /// Runs it over a context or a list, with these arguments as well.
    ///
    /// # Panics
    /// If it prints a secret.
    pub fn run(&self, context: &Value, arguments: &[&str]) -> Outcome {
        let path = self.folder.path().join("context.json");
        std::fs::write(&path, context.to_string()).expect("a file");
        let path = path.display().to_string();
        let all: Vec<&str> =
            ["--binding-context", &path].into_iter().chain(arguments.iter().copied()).collect();
        self.hook.run(&all)
    }
}

/// A folder as the image's `/hooks`, with one more executable, `name`, that is this script.
///
/// # Panics
/// If it cannot be made.
pub fn image_with(name: &str, script: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for entry in std::fs::read_dir(given(GIVEN)).expect("a folder").filter_map(Result::ok) {
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).expect("a copy");
    }
    let path = folder.path().join(name);
    std::fs::write(&path, script).expect("a file");
    make_readable(&path);
    make_readable(&PathBuf::from(folder.path()));
    folder
}

/// 0755: whoever runs in the container owns nothing here.
fn make_readable(path: &Path) {
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(path, mode).expect("own files");
}
