//! The real shell-operator, in the pod that the chart describes.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output};

use rest::{Client, Options, Proxy, Request, Retry};
use tempfile::TempDir;

use super::pod::{Container, Pod};
use super::sandbox::Sandbox;
use super::{Contexts, ControlPlane, Log, Metrics, eventually};

/// One pod. Dropping it kills it.
pub struct Operator {
    /// What the Deployment asked for.
    pub pod: Pod,
    /// What it says.
    pub log: Log,
    sandbox: Sandbox,
    child: Option<Child>,
    folder: TempDir,
    http: Client,
}

impl Operator {
    /// Starts the pod of this Deployment, with other `hooks` than the image's if given, and waits until it is ready.
    ///
    /// # Panics
    /// If an init container fails, or it does not get ready.
    #[track_caller]
    pub fn start(plane: &ControlPlane, deployment: &serde_json::Value, hooks: Option<&Path>) -> Self {
        let mut operator = Self::prepare(plane, deployment, hooks);
        for output in operator.init() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "an init container failed: {said}");
        }
        operator.resume();
        operator
    }

    /// The pod, of which nothing runs yet.
    ///
    /// # Panics
    /// As [`Pod::of`].
    #[track_caller]
    pub fn prepare(plane: &ControlPlane, deployment: &serde_json::Value, hooks: Option<&Path>) -> Self {
        let pod = Pod::of(deployment);
        let sandbox = Sandbox::new(plane, &pod, hooks);
        let folder = tempfile::tempdir().expect("a folder");
        let http = Client::new(Options { proxy: Proxy::None, ..Options::default() }).expect("a client");
        Self { log: Log::at(folder.path().join("log")), pod, sandbox, child: None, folder, http }
    }

    /// Runs the init containers, up to the first that fails; answers what came of each.
    ///
    /// # Panics
    /// If one cannot be started.
    pub fn init(&self) -> Vec<Output> {
        let mut outputs: Vec<Output> = Vec::new();
        for container in &self.pod.init {
            if outputs.iter().all(|output| output.status.success()) {
                outputs.push(self.sandbox.command(container, &[]).output().expect("a sandbox"));
            }
        }
        outputs
    }

    /// Starts the main container, again if it ended, and waits until it is ready.
    ///
    /// # Panics
    /// If it does not get ready.
    #[track_caller]
    pub fn resume(&mut self) {
        self.spawn();
        eventually(|| {
            if let Some(status) = self.child.as_mut().and_then(|child| child.try_wait().expect("a child")) {
                panic!("shell-operator ended with {status}:\n{}", self.log.tail());
            }
            let ready = ["startupProbe", "readinessProbe"].into_iter().try_for_each(|name| self.probe(name));
            ready.map_err(|why| format!("not ready: {why}\n{}", self.log.tail()))
        });
    }

    fn spawn(&mut self) {
        assert!(self.child.is_none(), "it runs already");
        for port in self.pod.main.ports.values() {
            // As shell-operator will: while another one listens, it would be asked in its stead.
            let free = std::net::TcpListener::bind(("0.0.0.0", *port));
            free.unwrap_or_else(|error| panic!("port {port}: {error}; does another shell-operator run?"));
        }
        let path = self.folder.path().join("log");
        let log: File = OpenOptions::new().create(true).append(true).open(path).expect("a log");
        let more = [("DEBUG_KEEP_TMP_FILES", "true")];
        let mut command = self.sandbox.command(&self.pod.main, &more);
        command.stdout(log.try_clone().expect("a log")).stderr(log);
        self.child = Some(command.spawn().expect("a sandbox"));
    }

    /// Asks as a kubelet would, once. A probe that the chart does not have passes.
    ///
    /// # Errors
    /// Why it does not pass.
    pub fn probe(&self, name: &str) -> Result<(), String> {
        let Some(probe) = self.pod.main.probes.get(name) else { return Ok(()) };
        let port = |value: &serde_json::Value| {
            let named = value.as_str().map(|name| self.pod.main.ports[name]);
            value.as_u64().and_then(|port| port.try_into().ok()).or(named).expect("a port")
        };
        if let Some(get) = probe.get("httpGet") {
            let path = get["path"].as_str().unwrap_or("/");
            let answer = self.get(port(&get["port"]), path)?;
            return if answer.is_success() { Ok(()) } else { Err(format!("{path}: {}", answer.status)) };
        }
        let words = probe["exec"]["command"].as_array().unwrap_or_else(|| panic!("not known here: {probe}"));
        let words: Vec<String> = words.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect();
        let pid = self.process().ok_or("it is not there yet")?;
        let output = self.sandbox.exec(&self.pod.main, pid, &words).output().expect("nsenter");
        let said =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(()) } else { Err(said) }
    }

    /// What a command inside the container says, such as `shell-operator queue list`.
    ///
    /// # Panics
    /// If it fails.
    #[track_caller]
    pub fn exec(&self, words: &[&str]) -> String {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let output = self.sandbox.exec(&self.pod.main, self.pid(), &words).output().expect("nsenter");
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// What an endpoint of its HTTP server answers, `/metrics` or `/metrics/hooks`.
    ///
    /// # Panics
    /// If it does not answer.
    #[track_caller]
    pub fn metrics(&self, path: &str) -> Metrics {
        let port = *self.pod.main.ports.values().next().expect("a port");
        let answer = self.get(port, path).unwrap_or_else(|why| panic!("{path}: {why}\n{}", self.log.tail()));
        Metrics { text: answer.text().into_owned() }
    }

    fn get(&self, port: u16, path: &str) -> Result<rest::Response, String> {
        let request = Request::get(format!("http://127.0.0.1:{port}{path}"));
        self.http.send(&request, &Retry::never()).map_err(|error| error.to_string())
    }

    /// The contexts that a hook was given so far by this pod.
    pub fn contexts(&self, hook: &str) -> Contexts {
        Contexts::read(&self.outside("SHELL_OPERATOR_TMP_DIR"), hook)
    }

    /// The place on this side of what a variable of the main container names.
    ///
    /// # Panics
    /// If it is not in an emptyDir.
    pub fn outside(&self, variable: &str) -> PathBuf {
        let main: &Container = &self.pod.main;
        let path = main.env.get(variable).unwrap_or_else(|| panic!("no {variable} in the Deployment"));
        let found = self.sandbox.outside(main, path);
        found.unwrap_or_else(|| panic!("{variable}={path} is in no emptyDir"))
    }

    /// The most memory that shell-operator ever had, in KiB.
    ///
    /// # Panics
    /// If it does not run.
    pub fn high_water(&self) -> u64 {
        high_water_of(self.pid()).expect("it runs")
    }

    /// The most memory that the hook which runs at this moment ever had, in KiB.
    pub fn hook_high_water(&self) -> Option<u64> {
        // Any thread of it may have started the hook.
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.pid())).ok()?;
        threads.filter_map(Result::ok).find_map(|thread| {
            let children = std::fs::read_to_string(thread.path().join("children")).ok()?;
            let pids = children.split_whitespace().filter_map(|pid| pid.parse().ok());
            pids.filter_map(high_water_of).max()
        })
    }

    /// The process id of shell-operator.
    ///
    /// # Panics
    /// If it does not run.
    pub fn pid(&self) -> u32 {
        self.process().expect("it runs")
    }

    /// The child of the sandbox's first process.
    fn process(&self) -> Option<u32> {
        let child_of = |pid: u32| -> Option<u32> {
            let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).ok()?;
            children.split_whitespace().next()?.parse().ok()
        };
        child_of(child_of(self.child.as_ref()?.id())?)
    }

    /// Ends the container as a lost node or the kernel's memory killer does, with whatever hooks it runs.
    ///
    /// # Panics
    /// If it does not run.
    pub fn kill(&mut self) {
        self.signal("KILL");
    }

    /// Ends it as a kubelet does first; answers how shell-operator ended.
    ///
    /// # Panics
    /// If it does not run, or does not end.
    pub fn terminate(&mut self) -> ExitStatus {
        self.signal("TERM")
    }

    fn signal(&mut self, signal: &str) -> ExitStatus {
        let pid = self.pid().to_string();
        let status = Command::new("kill").args(["-s", signal, &pid]).status();
        assert!(status.expect("kill").success(), "process {pid} is gone:\n{}", self.log.tail());
        let mut child = self.child.take().expect("it runs");
        // With the first process the kernel ends all others of the container, and then only reports it.
        eventually(|| child.try_wait().expect("a child").ok_or_else(|| format!("SIG{signal}: it goes on")))
    }
}

fn high_water_of(pid: u32) -> Option<u64> {
    crate::high_water(&std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?)
}

impl Drop for Operator {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the end of shell-operator's log:\n{}", self.log.tail());
        }
        if let Some(mut child) = self.child.take() {
            child.kill().ok();
            child.wait().ok();
            // What is killed with it is gone a little later; its port is needed again.
            for port in self.pod.main.ports.values() {
                let is_free = || std::net::TcpListener::bind(("0.0.0.0", *port)).is_ok();
                (0..100).find(|_| {
                    is_free() || {
                        std::thread::sleep(std::time::Duration::from_millis(100));
                        false
                    }
                });
            }
        }
    }
}
