//! What the documents say is true: links lead somewhere, tables are complete, and commands work.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use openstack_sync_tests::binaries;
use openstack_sync_tests::{Hook, Site, reasons, repository};
use serde_json::Value;

/// What precedes a block of commands that tests do not run, and says why.
const NOT_RUN: &str = "<!-- not run by tests: ";

fn read(path: &str) -> String {
    fs::read_to_string(repository(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every Markdown file of the repository, as a path in it.
fn documents() -> Vec<PathBuf> {
    let root = repository(".").canonicalize().unwrap();
    let (mut folders, mut found) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let (path, name) =
                entry.map(|entry| (entry.path(), entry.file_name().into_string().unwrap())).unwrap();
            let ignored = name == "target" || (name.starts_with('.') && name != ".ci");
            if path.is_dir() && !path.is_symlink() && !ignored {
                folders.push(path);
            } else if name.ends_with(".md") {
                found.push(path.strip_prefix(&root).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// The lines outside fenced blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// The targets of the links in a text.
fn links(text: &str) -> Vec<&str> {
    let parts = prose(text).flat_map(|line| line.split("](").skip(1));
    parts.filter_map(|rest| rest.split(')').next()).collect()
}

/// The anchors of its headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let titles = prose(text).filter(|line| line.starts_with('#'));
    titles
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
            title.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
        })
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let documents = documents();
    for needed in ["README.md", "CHANGELOG.md", "docs/architecture.md", "docs/writing-a-hook.md"] {
        assert!(documents.iter().any(|path| path == Path::new(needed)), "{needed} is missing");
    }
    for document in documents {
        let from = repository(".").join(&document);
        let text = fs::read_to_string(&from).unwrap();
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let to = if path.is_empty() { from.clone() } else { from.with_file_name("").join(path) };
            assert!(to.exists(), "{}: {link} leads nowhere", document.display());
            if !anchor.is_empty() {
                let there = anchors(&fs::read_to_string(&to).unwrap());
                assert!(there.contains(anchor), "{}: {link}: no such heading", document.display());
            }
        }
    }
}

/// The cells of the table rows whose first cell is a text in backticks that `is_key` takes, by that text.
fn rows(text: &str, is_key: impl Fn(&str) -> bool) -> BTreeMap<String, Vec<String>> {
    let lines = prose(text).filter_map(|line| line.strip_prefix("| `")?.strip_suffix('|'));
    let split = lines.filter_map(|line| line.split_once("` |"));
    split
        .filter(|(key, _)| is_key(key))
        .map(|(key, rest)| (key.to_owned(), rest.split('|').map(|cell| cell.trim().to_owned()).collect()))
        .collect()
}

/// Each variable of a hook's `--help` and its default.
fn variables(hook: &str) -> BTreeMap<String, String> {
    let help = Hook::new(hook).run(&["--help"]).expect(0).stdout;
    let mut lines = help.lines().skip_while(|line| !line.starts_with("VARIABLE"));
    let header = lines.next().expect("a table of variables");
    let (default, now) = (header.find("DEFAULT").unwrap(), header.find("NOW").unwrap());
    let rows = lines.take_while(|line| !line.is_empty());
    rows.map(|line| (line[..default].trim().to_owned(), line[default..now].trim().to_owned())).collect()
}

#[test]
fn the_tables_of_variables_are_those_of_help() {
    let readme = read("README.md");
    let section = |title: &str| {
        let text = readme.split_once(&format!("### {title}\n")).expect("a heading").1;
        let end = text.find("\n### ").unwrap_or(text.len());
        rows(&text[..end], |key| key.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
    };
    for hook in binaries::shipped() {
        // What all hooks share is in the first of the tables.
        let elsewhere = if hook == "router-flavors" {
            &[][..]
        } else {
            &["BINDING_CONTEXT_PATH", "LOG_LEVEL", "LOG_FORMAT"]
        };
        let (documented, mut real) = (section(hook), variables(hook));
        assert!(real.len() > 6, "{real:?}");
        real.retain(|name, _| !elsewhere.contains(&name.as_str()));
        let names = |keys: Vec<&String>| keys.into_iter().cloned().collect::<BTreeSet<_>>();
        assert_eq!(names(documented.keys().collect()), names(real.keys().collect()), "{hook}");
        for (name, default) in real {
            assert_eq!(documented[&name][0], default, "default of {name}");
            assert!(!documented[&name][1].is_empty(), "meaning of {name}");
        }
    }
}

#[test]
fn the_tables_of_reasons_are_complete() {
    for document in ["README.md", "docs/operations.md"] {
        let documented = rows(&read(document), |key| key.starts_with(|c: char| c.is_ascii_uppercase()));
        for reason in reasons() {
            assert!(documented.contains_key(reason), "{reason} is not in the table of {document}");
        }
    }
}

#[test]
fn make_targets_are_those_of_the_makefile() {
    let makefile = read("Makefile");
    let described = makefile.lines().filter(|line| line.contains(":") && line.contains("## "));
    let real: BTreeSet<&str> = described.filter_map(|line| line.split(':').next()).collect();
    let readme = read("README.md");
    let documented = rows(&readme, |key| key.starts_with("make "));
    let names: BTreeSet<&str> = documented.keys().filter_map(|key| key.strip_prefix("make ")).collect();
    assert_eq!(names, real.into_iter().filter(|target| !target.starts_with('\t')).collect());
    for document in documents() {
        let text = read(&document.display().to_string());
        for rest in text.split("`make ").skip(1) {
            let target = rest.split(['`', ' ']).next().unwrap_or_default();
            assert!(names.contains(target), "{}: no target {target:?}", document.display());
        }
    }
}

#[test]
fn the_cr_in_the_readme_becomes_what_the_readme_says() {
    let readme = read("README.md");
    let block = readme.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let site = Site::new();
    site.apply(rest::yaml::parse(block).unwrap());
    site.full().expect(0);
    let neutron = site.neutron("devcloud");
    let flavor = neutron.flavor("firewall");
    for key in ["name", "service_type", "enabled", "description"] {
        let value = flavor[key].as_str().map_or_else(|| flavor[key].to_string(), str::to_owned);
        assert!(readme.contains(&format!("`{key}: {value}`")), "{key}: {value}");
    }
    let profiles = neutron.profiles_of(&flavor);
    let metainfo: Value = serde_json::from_str(profiles[0]["metainfo"].as_str().unwrap()).unwrap();
    let marks: Vec<_> =
        metainfo.as_object().unwrap().iter().filter(|(key, _)| key.starts_with('_')).collect();
    assert_eq!((profiles.len(), marks.len()), (1, 3));
    assert!(marks.iter().any(|(key, value)| {
        readme.contains(&format!("`{key}: {}`", value.as_str().unwrap_or_default()))
    }));
}

/// The commands of a document that are to be run, in order. The others must say why they are not.
fn commands(path: &str) -> String {
    let text = read(path);
    let (mut script, mut before, mut open) = (String::new(), "", None);
    for line in text.lines() {
        match (open, line) {
            (None, "```sh") => open = Some(!before.starts_with(NOT_RUN)),
            (Some(_), "```") => open = None,
            (Some(true), line) => script = format!("{script}{line}\n"),
            _ => {}
        }
        before = line;
    }
    script
}

/// Runs a document's commands at the root of the repository, with these programs on the path and a home and
/// temporary folder of their own.
fn walk_through(document: &str, programs: &[&str]) {
    for tool in ["kubectl", "jq"] {
        let found = Command::new("sh").args(["-c", &format!("command -v {tool}")]).output().unwrap();
        if !found.status.success() {
            // Said aloud: the document is only checked where its readers' tools are.
            eprintln!("NOT RUN: the commands of {document} need {tool}, which is not here");
            return;
        }
    }
    let folders: BTreeSet<PathBuf> =
        programs.iter().map(|name| binaries::hook(name).parent().unwrap().to_owned()).collect();
    let mut paths: Vec<PathBuf> = folders.into_iter().collect();
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let scratch = tempfile::tempdir().unwrap();
    let commands = commands(document);
    assert!(commands.lines().count() > 10, "{document} has commands to run: {commands:?}");
    let script = format!("set -euo pipefail\ntrap 'kill $(jobs -p)' EXIT\nset -x\n{commands}");
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(repository("."))
        .env_clear()
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env("HOME", scratch.path())
        .env("TMPDIR", scratch.path())
        .output()
        .unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{document}: {}\n{stdout}\n{stderr}", output.status);
}

#[test]
fn the_commands_of_the_readme_work() {
    walk_through("README.md", &["router-flavors", "placeholder", "devcloud"]);
}

#[test]
fn the_commands_for_template_workloads_work() {
    walk_through("docs/template-workloads.md", &["template-workloads", "devcloud"]);
}

#[test]
fn the_commands_for_writers_of_hooks_work() {
    walk_through("docs/writing-a-hook.md", &["text-files", "devcloud"]);
}

/// Whoever uses the library reads there which Rust it takes.
#[test]
fn the_library_says_which_rust_it_needs() {
    let manifest = read("Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap();
    let said = format!("It needs Rust {} or newer.", version.trim_matches('"'));
    assert!(read("crates/openshift-templates/README.md").contains(&said), "{said}");
}
