//! Golden files: what the chart renders, to the letter.

use openstack_sync_tests::repository;

use crate::helm::{self, example};
use crate::{CHART, list};

/// Compares a text with the golden file of this name.
#[track_caller]
fn golden(name: &str, text: &str) {
    openstack_sync_tests::golden(&format!("chart/{name}"), text);
}

#[test]
#[ignore = "needs helm: make chart"]
fn golden_default() {
    golden("default.yaml", &helm::text(&[]));
}

#[test]
#[ignore = "needs helm: make chart"]
fn golden_of_each_example() {
    for name in list("examples") {
        golden(&name, &helm::text(&["-f", &example(&name)]));
    }
}

/// The notes are not part of `helm template`, and `helm install --dry-run` wants a cluster. So they are rendered in a
/// copy of the chart, where they are an object.
#[test]
#[ignore = "needs helm: make chart"]
fn golden_notes() {
    let copy = tempfile::tempdir().unwrap();
    for folder in ["templates", "files", "crds"] {
        std::fs::create_dir(copy.path().join(folder)).unwrap();
        for name in list(folder) {
            let file = format!("{folder}/{name}");
            std::fs::copy(repository(CHART).join(&file), copy.path().join(&file)).unwrap();
        }
    }
    for name in ["Chart.yaml", "values.yaml", "values.schema.json"] {
        std::fs::copy(repository(CHART).join(name), copy.path().join(name)).unwrap();
    }
    std::fs::rename(copy.path().join("templates/NOTES.txt"), copy.path().join("files/NOTES.txt")).unwrap();
    let template = "notes: {{ tpl (.Files.Get \"files/NOTES.txt\") . | toJson }}\n";
    std::fs::write(copy.path().join("templates/notes.yaml"), template).unwrap();
    for name in ["default.yaml", "all-hooks.yaml", "cluster-wide.yaml", "several-namespaces.yaml"] {
        let (values, more) = (example(name), ["--show-only", "templates/notes.yaml"]);
        let arguments =
            if name == "default.yaml" { more.to_vec() } else { [&more[..], &["-f", &values]].concat() };
        let text = helm::try_render(copy.path(), &arguments).unwrap_or_else(|said| panic!("{said}"));
        let notes = rest::yaml::parse(text.trim_start_matches("---\n")).unwrap()["notes"].clone();
        golden(&name.replace(".yaml", ".notes.txt"), notes.as_str().unwrap());
    }
}

#[test]
#[ignore = "needs helm: make chart"]
fn lint_is_content() {
    helm::lint(&[]);
    for name in list("examples") {
        helm::lint(&["-f", &example(&name)]);
    }
}
