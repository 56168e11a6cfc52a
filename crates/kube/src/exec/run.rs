//! Running a plugin.

use std::io::{self, Read};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rest::summary;

use super::Exec;
use crate::Error;

/// Far more than credentials need, in bytes.
const MOST_OUTPUT: u64 = 1 << 20;
/// Of an `installHint`, in characters.
const LONGEST_HINT: usize = 400;
/// Between two looks whether a plugin has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// The plugin's output, if it ends well within the limit.
pub(super) fn run(exec: &Exec, info: &str, patience: Duration) -> Result<Vec<u8>, Error> {
    let deadline = Instant::now() + patience;
    let mut child = spawn(exec, info)?;
    let pipe = child.stdout.take();
    // On a thread of its own: a pipe has no time limit, and a plugin can leave a process behind that holds it.
    let reader = thread::spawn(move || read(pipe));
    let Some(status) = wait(&mut child, deadline, || reader.is_finished()) else {
        let limit = patience.as_secs();
        return Err(exec.error(format!("did not end within {limit} s: run it by hand to see why"), None));
    };
    let output = reader
        .join()
        .unwrap_or_else(|_| Ok(Vec::new()))
        .map_err(|error| exec.error("wrote what cannot be read", Some(error)))?;
    if output.len() as u64 > MOST_OUTPUT {
        return Err(exec.error("printed far more than credentials", None));
    }
    if !status.success() {
        // "exit status: 1", "signal: 9 (SIGKILL)"
        return Err(exec.error(format!("ended with {status}: run it by hand to see why"), None));
    }
    Ok(output)
}

fn spawn(exec: &Exec, info: &str) -> Result<Child, Error> {
    Command::new(&exec.command)
        .args(exec.args.iter().map(|arg| arg.expose()))
        .envs(exec.env.iter().map(|(name, value)| (name, value.expose())))
        .env("KUBERNETES_EXEC_INFO", info)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|source| {
            let hint = exec.install_hint.as_deref().map(|hint| format!("; {}", summary(hint, LONGEST_HINT)));
            let hint = hint.unwrap_or_default();
            exec.error(format!("cannot be run: {}{hint}", source.kind()), Some(source))
        })
}

/// Reads to the end, or one byte further than anything may be.
fn read(pipe: Option<ChildStdout>) -> io::Result<Vec<u8>> {
    let mut output = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(MOST_OUTPUT + 1).read_to_end(&mut output)?;
    }
    Ok(output)
}

/// How it ended, once its output is read too; `None` if that takes too long. Then it is killed.
fn wait(child: &mut Child, deadline: Instant, is_read: impl Fn() -> bool) -> Option<ExitStatus> {
    loop {
        if is_read()
            && let Ok(Some(status)) = child.try_wait()
        {
            return Some(status);
        }
        if Instant::now() >= deadline {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        thread::sleep(PAUSE);
    }
}
