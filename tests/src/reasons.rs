//! The reasons on the condition of a CR.

/// All that the shipped hooks may write.
pub fn reasons() -> Vec<&'static str> {
    [framework::REASONS, openstack_hook::REASONS, template_workloads::errors::REASONS].concat()
}

/// A crate whose reasons are not in the list, or a list without one of its own, would be missed by every test that
/// asks for them.
#[test]
fn every_constant_of_a_reason_is_among_them() {
    let mut found = Vec::new();
    for folder in ["crates", "hooks"] {
        crate::walk(&crate::repository(folder), &mut |path| {
            if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(path).expect("a source");
                let constants = text.split("const REASON_").skip(1);
                found.extend(constants.map(|rest| rest.split('"').nth(1).unwrap_or_default().to_owned()));
            }
        });
    }
    let mut known = reasons();
    found.sort_unstable();
    known.sort_unstable();
    assert_eq!(found, known);
}
