//! The image, without a container engine: its Dockerfile's rules, what the build sees, and what is in `/hooks`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use openstack_sync_tests::binaries::shipped;
use openstack_sync_tests::{finds_nothing, repository, walk};
use serde_json::Value;

use crate::dockerfile::{DOCKERFILE, instructions, last_stage};
use crate::root::binaries;

/// The folder in the stage `build` that build.sh fills.
const BUILT: &str = "/out/";

#[test]
fn images_are_named_by_exact_tags() {
    let bases: Vec<String> =
        instructions().into_iter().filter(|line| line.word == "FROM").map(|line| line.rest).collect();
    assert_eq!(
        bases,
        ["docker.io/library/rust:1.95.0-alpine3.22 AS build", "ghcr.io/flant/shell-operator:v1.20.2"]
    );
    // The toolchain in the image is not older than what the workspace asks for.
    let manifest = fs::read_to_string(repository("Cargo.toml")).expect("a manifest");
    assert!(manifest.contains("rust-version = \"1.95\""), "raise the Rust of {DOCKERFILE} as well");
}

#[test]
fn the_image_adds_hooks_to_its_base_and_starts_as_the_base_does() {
    let stage = last_stage();
    let of = |word: &str| {
        let lines = stage.iter().filter(|line| line.word == word);
        lines.map(|line| line.rest.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of("COPY"), [format!("--from=build {BUILT} /hooks/")]);
    // uid and gid as numbers, and not 0; the chart has the same.
    assert_eq!(of("USER"), ["65532:65532"]);
    for word in ["ENTRYPOINT", "CMD", "RUN", "ADD", "WORKDIR", "VOLUME", "SHELL"] {
        assert!(of(word).is_empty(), "{word} in the last stage");
    }
    for label in ["title", "description", "licenses", "version"] {
        let key = format!("org.opencontainers.image.{label}=");
        assert!(of("LABEL").iter().any(|labels| labels.contains(&key)), "no label {key}");
    }
    let last_build = instructions().into_iter().rev().find(|line| line.word == "RUN").expect("a RUN");
    assert_eq!(last_build.rest, "./components/openstack-sync-image/build.sh /out", "as make dist does");
}

#[test]
fn hadolint_finds_nothing() {
    finds_nothing(Command::new("hadolint").arg(repository(DOCKERFILE)), DOCKERFILE);
}

/// Whether `.dockerignore` lets this path through to the build: the last rule that matches it or a folder above
/// it counts.
fn is_sent(path: &str, rules: &str) -> bool {
    let lines = rules.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.fold(true, |sent, line| {
        let (pattern, negated) = line.strip_prefix('!').map_or((line, false), |pattern| (pattern, true));
        let hit = Path::new(path).ancestors().any(|part| match pattern.strip_prefix("**/") {
            Some(name) => part.ends_with(name),
            None => pattern == "*" || part == Path::new(pattern),
        });
        if hit { negated } else { sent }
    })
}

#[test]
fn the_build_sees_the_workspace_and_nothing_that_is_large_or_secret() {
    let rules = fs::read_to_string(repository(".dockerignore")).expect(".dockerignore");
    for path in
        ["target/release/x", ".git/config", "tests/e2e/.work/x", "crates/rest/target/x", "clouds.yaml"]
    {
        assert!(!is_sent(path, &rules), "{path} is sent to the build");
    }
    // What is sent is a workspace that cargo takes as it is: no member is missing, the lock file fits.
    let context = tempfile::tempdir().expect("a folder");
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(repository("."))
        .output()
        .expect("git");
    // What was deleted is listed until that is committed.
    let listed = String::from_utf8_lossy(&listed.stdout);
    for path in listed.lines().filter(|path| is_sent(path, &rules) && repository(path).exists()) {
        let to = context.path().join(path);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::copy(repository(path), to).expect("a copy");
    }
    let script = context.path().join("components/openstack-sync-image/build.sh");
    assert!(fs::metadata(script).expect("build.sh").permissions().mode() & 0o111 != 0);
    let output = Command::new(option_env!("CARGO").unwrap_or("cargo"))
        .args(["metadata", "--locked", "--offline", "--format-version=1"])
        .current_dir(context.path())
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for hook in shipped() {
        let packages = metadata["packages"].as_array().expect("packages");
        assert!(packages.iter().any(|package| package["name"] == *hook), "{hook} is not in the build");
    }
}

/// Puts together what the last stage copies, as the builder would.
fn assemble(root: &Path) {
    // The base has it, empty.
    fs::create_dir(root.join("hooks")).expect("a folder");
    for line in last_stage().iter().filter(|line| line.word == "COPY") {
        let words: Vec<&str> = line.rest.split_whitespace().collect();
        let ["--from=build", BUILT, to] = words[..] else { panic!("COPY {}: not known here", line.rest) };
        let to = root.join(to.trim_start_matches('/'));
        for binary in binaries() {
            // Modes are kept, by COPY as by this.
            fs::copy(&binary, to.join(binary.file_name().expect("a name"))).expect("a copy");
        }
    }
}

/// What shell-operator does with a file below its hooks folder (`pkg/utils/file`, v1.20.2).
fn is_run_by_shell_operator(path: &Path, folder: &Path) -> bool {
    let below = path.strip_prefix(folder).expect("it is below");
    let hidden = |part: &Path| part.to_string_lossy().starts_with('.') || part == Path::new("lib");
    let folders = below.parent().into_iter().flat_map(Path::iter);
    let skipped = ["yaml", "json", "md", "txt"];
    let extension = below.extension().map(|ending| ending.to_string_lossy().into_owned());
    !folders.map(Path::new).any(hidden)
        && !below.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
        && !extension.is_some_and(|ending| skipped.contains(&ending.as_str()))
        && fs::symlink_metadata(path).expect("it is there").permissions().mode() & 0o111 != 0
}

#[test]
#[ignore = "needs static binaries: make dist"]
fn the_image_holds_each_hook_and_nothing_else_that_shell_operator_would_run() {
    let root = tempfile::tempdir().expect("a folder");
    assemble(root.path());
    let folder = root.path().join("hooks");
    let mut files: Vec<PathBuf> = Vec::new();
    walk(root.path(), &mut |path| files.push(path.to_owned()));
    files.sort();
    let wanted: Vec<PathBuf> = shipped().iter().map(|name| folder.join(name)).collect();
    assert_eq!(files, wanted, "each hook once, and no other file");
    for path in &files {
        assert!(is_run_by_shell_operator(path, &folder), "{} would not be found", path.display());
        let meta = fs::symlink_metadata(path).expect("it is there");
        assert!(meta.is_file());
        assert_eq!(meta.permissions().mode() & 0o7777, 0o755, "{}", path.display());
        // As at shell-operator's start: in the hooks folder, and here with no variable at all.
        let output =
            Command::new(path).arg("--config").env_clear().current_dir(&folder).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(document["configVersion"], "v1", "{document}");
    }
}
