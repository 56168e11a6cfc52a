//! Which system calls a hook makes.

use std::process::Command;

use openstack_sync_tests::Hook;

/// Calls that begin a connection, a thread or a process.
const FORBIDDEN: [&str; 12] = [
    "socket",
    "socketpair",
    "connect",
    "bind",
    "listen",
    "sendto",
    "recvfrom",
    "clone",
    "clone3",
    "fork",
    "vfork",
    "ptrace",
];

/// Calls that open or change a file by its name.
const OPENING: [&str; 9] =
    ["open", "openat", "openat2", "creat", "mkdir", "rename", "renameat2", "unlink", "unlinkat"];

/// Runs the hook under strace, which must see nothing of what is forbidden, and no file but the loader's own and
/// what the standard library asks the kernel in `/proc` and `/sys`.
///
/// Where strace cannot be run at all it says so and checks nothing; with `REQUIRE_STRACE=1` that is a failure.
pub(crate) fn check(hook: &Hook, arguments: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("calls");
    let mut strace = Command::new("strace");
    strace.args(["--follow-forks", "--quiet=all", "--signal=none", "--output"]).arg(&path);
    strace.arg(hook.program());
    let skip = |why: &str| {
        assert!(std::env::var_os("REQUIRE_STRACE").is_none(), "strace cannot be run: {why}");
        println!("SKIPPED: strace cannot be run: {why}");
    };
    let output = match hook.prepare(strace, arguments).output() {
        Err(error) => return skip(&error.to_string()),
        Ok(output) => output,
    };
    let calls = std::fs::read_to_string(&path).unwrap_or_default();
    if calls.is_empty() {
        return skip(&String::from_utf8_lossy(&output.stderr));
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let name = hook.program().display();
    let mut written = false;
    for line in calls.lines() {
        let Some((call, rest)) = read(line) else { continue };
        written |= call == "write" && rest.starts_with("1,");
        assert!(!FORBIDDEN.contains(&call), "{name} {arguments:?}: {line}");
        if OPENING.contains(&call) {
            assert!(is_the_systems_own(rest), "{name} {arguments:?} opens a file: {line}");
        }
    }
    assert!(written, "{name} {arguments:?}: no write to standard output was seen:\n{calls}");
}

/// The name of a call and what stands behind its parenthesis; each line begins with a process id.
fn read(line: &str) -> Option<(&str, &str)> {
    let (call, rest) = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ').split_once('(')?;
    Some((call, rest))
}

fn is_the_systems_own(rest: &str) -> bool {
    let path = rest.split('"').nth(1).unwrap_or_default();
    let library = path.contains(".so") && ["/lib", "/usr/lib"].iter().any(|start| path.starts_with(start));
    library || path.starts_with("/etc/ld.so") || path.starts_with("/proc/") || path.starts_with("/sys/")
}
