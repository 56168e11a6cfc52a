//! The instructions of our Dockerfile.

use std::fs;

use openstack_sync_tests::repository;

/// Where it is.
pub(crate) const DOCKERFILE: &str = "components/openstack-sync-image/Dockerfile";

/// One instruction: `COPY`, and what follows it.
#[derive(Debug)]
pub(crate) struct Instruction {
    pub(crate) word: String,
    pub(crate) rest: String,
}

/// All of them in order, without comments and line breaks, and with the defaults of `ARG`s in place.
///
/// # Panics
/// If it cannot be read.
pub(crate) fn instructions() -> Vec<Instruction> {
    let text = fs::read_to_string(repository(DOCKERFILE)).expect("a Dockerfile");
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    let text = lines.join("\n").replace("\\\n", " ");
    let mut arguments: Vec<(String, String)> = Vec::new();
    let mut all = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let rest = arguments
            .iter()
            .fold(rest.trim().to_owned(), |rest, (name, value)| rest.replace(&format!("${{{name}}}"), value));
        if let ("ARG", Some((name, value))) = (word, rest.split_once('=')) {
            arguments.push((name.to_owned(), value.to_owned()));
        }
        all.push(Instruction { word: word.to_owned(), rest });
    }
    all
}

/// Those of the last stage, whose first is its `FROM`: they are what is in the image.
pub(crate) fn last_stage() -> Vec<Instruction> {
    let mut all = instructions();
    let from = all.iter().rposition(|instruction| instruction.word == "FROM").expect("a stage");
    all.split_off(from)
}
