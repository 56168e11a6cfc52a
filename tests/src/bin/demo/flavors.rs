//! Router flavors appear, change and go as custom resources do.

mod steps;
mod story;

use crate::teller::Step;
use story::Story;

pub(crate) fn play() -> Step {
    let story = Story::begin();
    steps::all(&story)?;
    story.teller.end();
    Ok(())
}
