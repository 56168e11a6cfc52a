//! Golden files: what was said once and looked at, to the letter.

use crate::repository;

/// Compares a text with the golden file of this name in `tests/golden`, or writes it with `SNAPSHOTS=overwrite`.
///
/// # Panics
/// If they differ, or there is no such file.
#[track_caller]
pub fn golden(name: &str, text: &str) {
    let path = repository(&format!("tests/golden/{name}"));
    if std::env::var("SNAPSHOTS").is_ok_and(|word| word == "overwrite") {
        std::fs::write(&path, text).expect("a golden file can be written");
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let differs = text.lines().zip(wanted.lines()).enumerate().find(|(_, (is, was))| is != was);
    assert!(text == wanted, "{name} is not what is in {}; first at {differs:?}", path.display());
}
