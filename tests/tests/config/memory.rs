//! The peak memory of a process that says one thing and ends.

use std::fs::{OpenOptions, read_to_string};
use std::io::{ErrorKind, PipeWriter, Read as _, Write as _, pipe};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::Command;
use std::time::{Duration, Instant};

use openstack_sync_tests::{Hook, high_water};

/// `O_NONBLOCK` of Linux.
const NONBLOCKING: i32 = 0o4000;

/// Runs the hook up to its write to standard output and answers its peak resident memory until then, in KiB.
///
/// Standard output is a full pipe: the process sleeps in its write, with nothing left to do but to end, and can
/// be looked at. What the kernel tells of a process that has ended begins with the memory of whoever forked it.
pub(crate) fn peak_at_output(hook: &Hook, arguments: &[&str]) -> u64 {
    let (mut reader, writer) = pipe().expect("a pipe");
    fill(&writer);
    let mut command = hook.prepare(Command::new(hook.program()), arguments);
    let mut child = command.stdout(writer).spawn().expect("the hook starts");
    // It holds the other handle of the pipe's end.
    drop(command);
    let (status, begin) = (format!("/proc/{}/status", child.id()), Instant::now());
    let peak = loop {
        let text =
            read_to_string(&status).expect("the hook is there: it cannot end before its output is read");
        if text.lines().any(|line| line.starts_with("State:\tS")) {
            break high_water(&text).expect("a peak");
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "the hook writes nothing: {text}");
        std::thread::sleep(Duration::from_millis(1));
    };
    let mut said = String::new();
    reader.read_to_string(&mut said).expect("the pipe's content");
    assert!(child.wait().expect("the hook ends").success());
    assert!(said.ends_with("}\n"), "{}", said.trim_start());
    peak
}

/// Fills a pipe through a handle of its own that does not wait.
fn fill(writer: &PipeWriter) {
    let path = format!("/proc/self/fd/{}", writer.as_raw_fd());
    let mut impatient =
        OpenOptions::new().write(true).custom_flags(NONBLOCKING).open(path).expect("a handle");
    // To the last byte: a write of up to a page is done whole or not at all.
    for size in [4096, 1] {
        let lines = vec![b'\n'; size];
        loop {
            match impatient.write(&lines) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => panic!("the pipe cannot be filled: {error}"),
            }
        }
    }
}
