//! The shell scripts of the pod, in every POSIX shell that is here. In the image it is that of busybox.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output};

use crate::read;

/// Runs a script as the pod does, in each shell, and answers what each of them said.
fn run(script: &str, folder: &Path, arguments: &[&str]) -> Vec<(i32, String)> {
    let text = read(script);
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap_or_default());
    let shells = [&["sh"][..], &["dash"], &["busybox", "sh"], &["bash", "--posix"]];
    let said = shells.iter().filter_map(|shell| {
        let mut command = Command::new(shell[0]);
        command.args(&shell[1..]).args(["-c", &text, "name"]);
        command.args(arguments.iter().map(|name| folder.join(name)));
        command.env("PATH", &path).env("SHELL_OPERATOR_HOOKS_DIR", folder.join("hooks"));
        command.env("TMPDIR", folder.join("tmp"));
        let Output { status, stdout, stderr } = command.output().ok()?;
        let said = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        Some((status.code().unwrap_or(-1), said.replace(&format!("{}/", folder.display()), "")))
    });
    let said: Vec<_> = said.collect();
    assert!(!said.is_empty(), "there is no shell here");
    said
}

fn executable(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A folder of hooks, good ones and others.
fn hooks() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let answers = r#"[ "$*" = --config ] && echo '{"configVersion": "v1", "onStartup": 1}'"#;
    for (name, text) in [
        ("hooks/good", answers),
        ("hooks/below/good too", answers),
        ("hooks/fails", "echo half an answer; echo the reason >&2; exit 3"),
        ("hooks/silent", "exit 0"),
        ("elsewhere/good", answers),
    ] {
        executable(folder.path(), name, text);
    }
    fs::write(folder.path().join("hooks/plain"), answers).unwrap();
    // The same as the kernel sees it: it does not know by what to run this.
    fs::write(folder.path().join("hooks/no interpreter"), answers).unwrap();
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.path().join("hooks/no interpreter"), mode).unwrap();
    for name in ["hooks/folder", "tmp"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    folder
}

#[test]
fn good_hooks_pass_without_a_word() {
    let folder = hooks();
    for said in run("files/verify-hooks.sh", folder.path(), &["hooks/good", "hooks/below/good too"]) {
        assert_eq!(said, (0, String::new()));
    }
}

#[test]
fn every_hook_that_fails_is_named() {
    let folder = hooks();
    let wrong = [
        "hooks/absent",
        "hooks/folder",
        "hooks/plain",
        "hooks/no interpreter",
        "hooks/good",
        "hooks/fails",
        "hooks/silent",
        "elsewhere/good",
    ];
    let wanted = "\
        verify-hooks: hooks/absent: is not in the image\n\
        verify-hooks: hooks/folder: is not in the image\n\
        verify-hooks: hooks/plain: is not executable\n\
        verify-hooks: hooks/no interpreter: is neither a script with #! in its first line nor an ELF binary\n\
        the reason\n\
        verify-hooks: hooks/fails: --config ended with exit code 3, or took more than 30 seconds\n\
        verify-hooks: hooks/silent: --config printed nothing\n\
        verify-hooks: elsewhere/good: is not below hooks, where shell-operator looks for hooks\n";
    for (code, said) in run("files/verify-hooks.sh", folder.path(), &wrong) {
        assert_eq!((code, said.as_str()), (1, wanted));
    }
}

#[test]
fn a_binary_is_a_hook_too() {
    let folder = hooks();
    // Prints its arguments.
    symlink("/bin/echo", folder.path().join("hooks/binary")).unwrap();
    for said in run("files/verify-hooks.sh", folder.path(), &["hooks/binary"]) {
        assert_eq!(said, (0, String::new()));
    }
}

/// The real `timeout`, which waits less.
#[test]
fn a_hook_that_does_not_end_on_sigterm_is_killed() {
    let folder = hooks();
    executable(folder.path(), "hooks/stubborn", "trap '' TERM; while :; do sleep 1; done");
    let timeout =
        r#"[ "$1 $2 $3" = '-k 5 30' ] || exit 9; shift 3; PATH=${PATH#*:} exec timeout -k 1 1 "$@""#;
    executable(folder.path(), "bin/timeout", timeout);
    for (code, said) in run("files/verify-hooks.sh", folder.path(), &["hooks/stubborn", "hooks/absent"]) {
        assert_eq!(code, 1);
        assert!(said.contains("stubborn: --config ended with exit code 137, or took more than"), "{said}");
        assert!(said.contains("hooks/absent"), "the next one is looked at: {said}");
    }
}

/// The child lives until the test ends it.
#[test]
fn a_child_that_holds_the_output_does_not_hold_the_check() {
    let folder = hooks();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let text = format!("echo '{{}}'; (exec 2>&-; read word <'{}') &", pipe.display());
    executable(folder.path(), "hooks/parent", &text);
    for said in run("files/verify-hooks.sh", folder.path(), &["hooks/parent"]) {
        assert_eq!(said, (0, String::new()));
        // To open both ends waits for nobody.
        fs::File::options().read(true).write(true).open(&pipe).unwrap().write_all(b"go\n").unwrap();
    }
}

#[test]
fn nothing_is_left_in_the_folder_of_temporary_files() {
    let folder = hooks();
    run("files/verify-hooks.sh", folder.path(), &["hooks/good", "hooks/fails", "hooks/silent"]);
    assert_eq!(fs::read_dir(folder.path().join("tmp")).unwrap().count(), 0);
}

/// The real scripts ask the real shell-operator; here a page of its metrics, as it was seen, stands in for it.
fn metrics(folder: &Path, lines: &str) {
    let page = format!(
        "# TYPE shell_operator_hook_enable_kubernetes_bindings_success gauge\n{lines}\n\
         shell_operator_tasks_queue_length{{queue=\"main\"}} 0\n"
    );
    fs::write(folder.join("page"), page).unwrap();
    executable(folder, "bin/curl", &format!("cat {}", folder.join("page").display()));
}

#[test]
fn ready_is_when_each_hook_watches() {
    let folder = hooks();
    let line = |hook: &str, value| {
        format!("shell_operator_hook_enable_kubernetes_bindings_success{{hook=\"{hook}\"}} {value}\n")
    };
    let ready = |lines: &str| {
        metrics(folder.path(), lines);
        run("files/ready.sh", folder.path(), &["hooks/good"])
    };
    for said in ready(&line("good", 1)) {
        assert_eq!(said, (0, String::new()));
    }
    // Another hook, which need not watch, but tries to.
    for (code, said) in ready(&(line("good", 1) + &line("other", 0))) {
        assert_eq!(code, 1);
        assert!(said.contains("cannot watch") && said.contains("hook=\"other\""), "{said}");
    }
    for (code, said) in ready(&line("good", 0)) {
        assert_eq!(code, 1);
        assert!(said.contains("cannot watch") && said.contains("hook=\"good\""), "{said}");
    }
    for lines in [String::new(), line("goodness", 1)] {
        for said in ready(&lines) {
            assert_eq!(said, (1, "not ready: good is not watching yet\n".to_owned()), "{lines}");
        }
    }
}

#[test]
fn not_ready_while_nobody_answers() {
    let folder = hooks();
    executable(folder.path(), "bin/curl", "echo 'curl: (7) Could not connect' >&2; exit 7");
    for said in run("files/ready.sh", folder.path(), &["hooks/good"]) {
        assert_eq!(said, (1, "not ready: curl: (7) Could not connect\n".to_owned()));
    }
}

/// `ALL_PROXY` may stand in the values: the hooks go through it to their cloud.
#[test]
fn ready_asks_no_proxy() {
    let folder = hooks();
    metrics(folder.path(), "shell_operator_hook_enable_kubernetes_bindings_success{hook=\"good\"} 1\n");
    let page = folder.path().join("page");
    let curl = format!(r#"case "$*" in *"--noproxy * "*) cat '{}' ;; *) exit 5 ;; esac"#, page.display());
    executable(folder.path(), "bin/curl", &curl);
    for said in run("files/ready.sh", folder.path(), &["hooks/good"]) {
        assert_eq!(said, (0, String::new()));
    }
}
