//! The simulator held to the recorded answers of a real Keystone and Neutron: `tests/e2e/parity` asks both the same
//! requests and compares the answers. Needs `python3` (3.11 or later), no network.
//!
//! A test takes about ten seconds, most of them waiting for an application credential to expire.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use devcloud::{DevCloud, Options};

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/e2e/parity")
}

/// Runs Python, without leaving compiled modules in the source tree; panics with its output if it fails.
#[track_caller]
fn python(arguments: &[&str]) {
    let output = Command::new("python3").arg("-B").args(arguments).output().expect("python3 is installed");
    let (said, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}\n{said}\n{complained}", output.status);
}

#[track_caller]
fn answers_as(recorded: &str, options: Options) {
    let cloud = DevCloud::start(options).unwrap();
    let clouds = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("parity-{recorded}.yaml"));
    fs::write(&clouds, cloud.clouds_yaml()).unwrap();
    let script = scripts().join("parity.py");
    let recording = scripts().join("recorded").join(recorded).with_extension("json");
    let where_to_ask = format!("{}:devcloud", clouds.display());
    python(&[
        &script.to_string_lossy(),
        "--against",
        &recording.to_string_lossy(),
        "--clouds",
        &where_to_ask,
        "--label",
        "devcloud",
    ]);
}

#[test]
fn answers_as_on_sqlite() {
    answers_as("sqlite", Options::default());
}

#[test]
fn answers_as_on_mariadb() {
    answers_as("mariadb", Options { case_blind: true, ..Options::default() });
}

#[test]
fn the_comparison_can_tell() {
    python(&["-m", "unittest", "discover", "--start-directory", &scripts().to_string_lossy()]);
}
