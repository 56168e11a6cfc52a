//! Objects of OpenShift Templates come, change and go: as a program of one's own has it, with the library
//! `openshift-templates`, then as custom resources have it, with the hook `template-workloads`.

mod hook;
mod library;
mod site;

use crate::teller::{Step, Teller};
use site::Site;

pub(crate) fn play() -> Step {
    let site = Site::begin();
    let teller = Teller::begin();
    let by_hand = site.make_by_hand();
    library::all(&teller, &site)?;
    hook::all(&teller, &site)?;
    teller.check(site.hand_made() == by_hand, "what was made by hand should be untouched")?;
    teller.say("\nThe ConfigMap hand-made is as it was before the first step.");
    teller.end();
    println!("What the hook does, and what it takes to use it: docs/template-workloads.md");
    Ok(())
}
