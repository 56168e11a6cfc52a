//! The example hook of docs/writing-a-hook.md: its real binary, a folder, and `TextFile` resources.

use std::fs;
use std::path::PathBuf;

use devcloud::{DevCloud, Options, shell_operator};
use openstack_sync_tests::{Hook, Outcome, repository, yaml};
use serde_json::{Value, json};
use tempfile::TempDir;

const KIND: &str = "TextFile";
const NAMESPACE: &str = "notes";
const SOURCE: &str = "examples/text-files/src/main.rs";
const MARKER: &str = "# managed by text-files\n";

/// A cluster with the CRD, a folder, and the hook with PRUNE on.
struct Desk {
    dev: DevCloud,
    hook: Hook,
    scratch: TempDir,
}

impl Desk {
    fn new() -> Self {
        let dev = DevCloud::start(Options::default()).expect("devcloud starts");
        dev.kube().define(yaml("examples/text-files/crd.yaml"));
        let scratch = tempfile::tempdir().expect("a folder");
        let kubeconfig = scratch.path().join("kubeconfig");
        dev.write_kubeconfig(&kubeconfig).expect("a kubeconfig");
        let mut hook = Hook::new("text-files");
        for (name, value) in [
            ("TEXT_FILE_ENABLED", "true"),
            ("TEXT_FILE_CRD_API_VERSION", "example.com/v1"),
            ("TEXT_FILE_CRD_KIND", KIND),
            ("TEXT_FILE_CRD_RESOURCE", "textfiles.example.com"),
            ("TEXT_FILE_STATUS_ENABLED", "true"),
            ("TEXT_FILE_PRUNE", "true"),
            ("KUBECONFIG", &kubeconfig.display().to_string()),
        ] {
            hook.set(name, value);
        }
        let desk = Self { dev, hook, scratch };
        fs::create_dir(desk.folder("desk")).expect("a folder");
        desk
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder("desk").join(name)
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.file(name)).ok()
    }

    /// Applies the CR `name` for the file `name`.
    fn apply(&self, folder: &str, name: &str, text: &str) {
        self.dev.kube().apply(json!({
            "apiVersion": "example.com/v1",
            "kind": KIND,
            "metadata": {"name": name.replace(['.', '_'], "-"), "namespace": NAMESPACE},
            "spec": {"folder": self.folder(folder), "name": name, "text": text},
        }));
    }

    fn cr(&self, name: &str) -> Option<Value> {
        self.dev.kube().get(KIND, NAMESPACE, name)
    }

    fn verdict(&self, name: &str) -> (String, String) {
        let status = self.cr(name).unwrap_or_else(|| panic!("no CR {name}"))["status"].clone();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (text(&status["conditions"][0]["reason"]), text(&status["message"]))
    }

    fn run(&self, schedule: &str, arguments: &[&str]) -> Outcome {
        let element = shell_operator::schedule(self.dev.kube(), KIND, "text-files", schedule);
        let context = self.scratch.path().join("context.json");
        fs::write(&context, shell_operator::file(&[element])).expect("a file");
        self.hook.clone().set("BINDING_CONTEXT_PATH", &context.display().to_string()).run(arguments)
    }

    fn full(&self) -> Outcome {
        self.run("periodic sync", &[])
    }
}

#[test]
fn a_file_appears_changes_and_goes_with_its_cr() {
    let desk = Desk::new();
    desk.apply("desk", "a.txt", "one\n");
    desk.run("catch-up", &[]).expect(0);
    assert_eq!(desk.read("a.txt"), Some(format!("{MARKER}one\n")));
    assert_eq!(desk.verdict("a-txt"), ("Reconciled".into(), "Successfully reconciled text file".into()));
    assert_eq!(desk.cr("a-txt").unwrap()["metadata"]["finalizers"], json!([framework::FINALIZER]));

    // Changed by hand: drift, which a full run puts right.
    fs::write(desk.file("a.txt"), format!("{MARKER}scribble")).unwrap();
    desk.full().expect(0);
    assert_eq!(desk.read("a.txt"), Some(format!("{MARKER}one\n")));

    desk.apply("desk", "a.txt", "two\n");
    desk.run("catch-up", &[]).expect(0);
    assert_eq!(desk.read("a.txt"), Some(format!("{MARKER}two\n")));
    let again = desk.full().expect(0);
    assert!(again.summary().contains(" 0 writes"), "{}", again.stderr);

    desk.dev.kube().delete(KIND, NAMESPACE, "a-txt");
    assert!(desk.cr("a-txt").is_some(), "the finalizer keeps it");
    desk.run("catch-up", &[]).expect(0);
    assert_eq!((desk.read("a.txt"), desk.cr("a-txt")), (None, None));
    assert_eq!(fs::read_dir(desk.folder("desk")).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_file_made_by_hand_is_left_alone() {
    let desk = Desk::new();
    fs::write(desk.file("hand.txt"), "mine\n").unwrap();
    fs::write(desk.file("bytes"), [0xff, 0xfe]).unwrap();
    fs::create_dir(desk.file("sub")).unwrap();
    for name in ["hand.txt", "bytes", "sub"] {
        desk.apply("desk", name, "ours\n");
    }
    desk.apply("desk", "good.txt", "good\n");
    desk.full().expect(1);
    for name in ["hand-txt", "bytes", "sub"] {
        let (reason, message) = desk.verdict(name);
        assert_eq!(reason, "ReconcileError", "{name}: {message}");
        assert!(message.ends_with("has no marker: it is left alone"), "{message}");
        desk.dev.kube().delete(KIND, NAMESPACE, name);
    }
    assert_eq!(desk.read("good.txt"), Some(format!("{MARKER}good\n")), "the others are served");
    desk.full().expect(0);
    assert_eq!(desk.read("hand.txt").as_deref(), Some("mine\n"));
    assert_eq!(fs::read(desk.file("bytes")).unwrap(), [0xff, 0xfe]);
    assert!(desk.file("sub").is_dir());
    assert_eq!(desk.dev.kube().list(KIND).len(), 1, "the CRs are gone: there was nothing of theirs");
}

#[test]
fn unclaimed_files_go_up_to_the_limit() {
    let mut desk = Desk::new();
    desk.apply("desk", "kept.txt", "kept\n");
    fs::write(desk.file("hand.txt"), "mine\n").unwrap();
    for index in 0..11 {
        fs::write(desk.file(&format!("old-{index}.txt")), MARKER).unwrap();
    }
    let held = desk.full().expect(1);
    assert!(held.says(&["11 unclaimed", "TEXT_FILE_PRUNE_LIMIT=10"]), "{}", held.stderr);
    assert_eq!(fs::read_dir(desk.folder("desk")).unwrap().count(), 13);
    desk.hook.set("TEXT_FILE_PRUNE_LIMIT", "11");
    desk.full().expect(0);
    assert_eq!(fs::read_dir(desk.folder("desk")).unwrap().count(), 2);
    assert!(desk.read("hand.txt").is_some() && desk.read("kept.txt").is_some());
}

#[test]
fn one_name_in_two_folders_is_two_files() {
    let desk = Desk::new();
    fs::create_dir(desk.folder("drawer")).unwrap();
    desk.apply("desk", "a.txt", "desk\n");
    let mut other = desk.cr("a-txt").unwrap();
    other["metadata"] = json!({"name": "other", "namespace": NAMESPACE});
    other["spec"]["folder"] = json!(desk.folder("drawer"));
    desk.dev.kube().apply(other);
    desk.full().expect(0);
    let drawer = desk.folder("drawer").join("a.txt");
    assert!(desk.read("a.txt").is_some() && drawer.is_file());
    desk.dev.kube().delete(KIND, NAMESPACE, "a-txt");
    desk.run("catch-up", &[]).expect(0);
    assert!(desk.read("a.txt").is_none() && drawer.is_file(), "only the file of the deleted CR goes");
}

#[test]
fn a_dry_run_and_a_missing_folder_write_nothing() {
    let desk = Desk::new();
    desk.apply("desk", "a.txt", "one\n");
    let plan = desk.run("periodic sync", &["--dry-run"]).expect(0);
    assert!(plan.stdout.lines().any(|line| line.starts_with("write ") && line.contains("a.txt")));
    assert_eq!(desk.read("a.txt"), None);

    desk.apply("nowhere", "b.txt", "one\n");
    desk.full().expect(1);
    assert!(desk.verdict("b-txt").1.starts_with("Folder connection failed: "), "{:?}", desk.verdict("b-txt"));
    assert!(desk.read("a.txt").is_some());
    assert!(!desk.folder("nowhere").exists());
}

#[test]
fn a_name_that_leaves_the_folder_is_refused_although_the_schema_would_not_let_it_in() {
    let desk = Desk::new();
    let spec = json!({"folder": desk.folder("desk"), "name": "../out.txt", "text": "x"});
    let metadata = json!({"name": "out", "namespace": NAMESPACE, "uid": "u", "generation": 1});
    desk.dev.kube().store_unchecked(
        json!({"apiVersion": "example.com/v1", "kind": KIND, "metadata": metadata, "spec": spec}),
    );
    desk.full().expect(1);
    assert_eq!(desk.verdict("out").0, "InvalidSpec");
    assert!(!desk.scratch.path().join("out.txt").exists());
}

#[test]
fn the_document_shows_the_file_as_it_is() {
    let source = fs::read_to_string(repository(SOURCE)).unwrap();
    let lines = source.lines().count();
    assert!(lines < 60, "{SOURCE} has {lines} lines; the promise is fewer than 60");
    let document = fs::read_to_string(repository("docs/writing-a-hook.md")).unwrap();
    let block = document.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(block, Some(source.as_str()), "the first rust block of docs/writing-a-hook.md is {SOURCE}");
}
