//! A container, as far as our programs can tell. Needs root, like a kubelet.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::pod::{Container, Pod};
use super::{ControlPlane, given};
use crate::binaries::GIVEN;
use crate::repository;

/// Where the account of a pod is mounted.
const ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";
/// The image's `PATH`.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// What the containers of one pod share.
pub struct Sandbox {
    folder: TempDir,
    binds: Vec<(PathBuf, String, bool)>,
    env: BTreeMap<String, String>,
}

impl Sandbox {
    /// The folders of this pod: its emptyDirs and its account, with a new token. `hooks` replaces the image's.
    ///
    /// # Panics
    /// If they cannot be made.
    pub fn new(plane: &ControlPlane, pod: &Pod, hooks: Option<&Path>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir(&path).expect("a folder");
            path
        };
        at("root");
        let volumes = at("volumes");
        for name in &pod.empty_dirs {
            let path = volumes.join(name);
            std::fs::create_dir(&path).expect("a folder");
            // As a kubelet makes them: for everyone, and of the pod's group.
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o2777);
            std::os::unix::fs::chown(&path, None, pod.fs_group).expect("root");
            std::fs::set_permissions(&path, mode).expect("root");
        }
        let hooks = hooks.map_or_else(|| given(GIVEN), Path::to_owned);
        let mut binds = vec![
            (hooks, "/hooks".to_owned(), false),
            (super::helm::tool("shell-operator"), "/shell-operator".to_owned(), false),
        ];
        if pod.token {
            let account = at("account");
            let files = [
                ("token", plane.create_token(&pod.namespace, &pod.account)),
                ("namespace", pod.namespace.clone()),
                ("ca.crt", std::fs::read_to_string(plane.ca()).expect("a certificate")),
            ];
            for (name, text) in files {
                std::fs::write(account.join(name), text).expect("a file");
            }
            binds.push((account, ACCOUNT.to_owned(), false));
        }
        let (host, port) = plane.address();
        let env = [
            ("PATH", PATH),
            ("HOME", "/"),
            ("SHELL_OPERATOR_HOOKS_DIR", "/hooks"),
            ("LOG_TYPE", "json"),
            ("KUBERNETES_SERVICE_HOST", host),
            ("KUBERNETES_SERVICE_PORT", port),
        ];
        Self { folder, binds, env: env.map(|(name, value)| (name.to_owned(), value.to_owned())).into() }
    }

    /// The file or folder on this side of a path inside a container.
    pub fn outside(&self, container: &Container, path: &str) -> Option<PathBuf> {
        container.mounts.iter().find_map(|(volume, mounted)| {
            let rest = Path::new(path).strip_prefix(mounted).ok()?;
            Some(self.volume(volume).join(rest))
        })
    }

    /// A command that is this container, with `more` in its environment.
    ///
    /// # Panics
    /// If there is no script.
    pub fn command(&self, container: &Container, more: &[(&str, &str)]) -> Command {
        // The first is for a test that ends without its destructors: nothing may go on.
        let mut command = Command::new("/usr/bin/setpriv");
        command.args([
            "--pdeathsig",
            "KILL",
            "/usr/bin/unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
        ]);
        command.arg(repository("tests/src/kubernetes/sandbox.sh"));
        command.arg(self.folder.path().join("root"));
        command.arg(if container.read_only_root { "ro" } else { "rw" });
        let mounts = container.mounts.iter().map(|(volume, path)| (self.volume(volume), path.clone(), true));
        for (source, target, writable) in self.binds.iter().cloned().chain(mounts) {
            command.arg(format!("{}:{target}:{}", source.display(), if writable { "rw" } else { "ro" }));
        }
        command.arg("--").args(rights(container)).arg("--");
        if container.command.is_empty() {
            command.arg("/shell-operator");
            if container.args.is_empty() {
                command.arg("start");
            }
        }
        command.args(&container.command).args(&container.args);
        self.environment(&mut command, container);
        command.envs(more.iter().copied());
        command
    }

    /// A command inside this container, whose first process is `pid`.
    pub fn exec(&self, container: &Container, pid: u32, words: &[String]) -> Command {
        let mut command = Command::new("/usr/bin/nsenter");
        command.args(["--target", &pid.to_string(), "--mount", "--pid", "--root", "--wd"]);
        command.arg("/usr/bin/setpriv").args(rights(container)).args(words);
        self.environment(&mut command, container);
        command
    }

    fn environment(&self, command: &mut Command, container: &Container) {
        command.env_clear().envs(&self.env).envs(&container.env).stdin(std::process::Stdio::null());
    }

    fn volume(&self, name: &str) -> PathBuf {
        self.folder.path().join("volumes").join(name)
    }
}

/// Who a container's processes are, for setpriv.
fn rights(container: &Container) -> Vec<String> {
    let groups = container.fs_group.map_or("--clear-groups".to_owned(), |group| format!("--groups={group}"));
    let mut rights =
        vec![format!("--reuid={}", container.user), format!("--regid={}", container.group), groups];
    if container.unprivileged {
        rights.extend(["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"].map(str::to_owned));
    }
    rights
}
