//! How long a run over many CRs takes. A figure to print, not a bar: it depends on the machine.

use serde_json::json;

use super::World;
use super::world::counts;

/// Makes `count` CRs, then prints how long the first run and an unchanged full run take.
pub fn print_times(w: &mut World, count: usize) {
    for number in 0..count {
        w.apply(&format!("flavor-{number:04}"), json!({}));
    }
    let first = w.full(0);
    let unchanged = w.full(0);
    assert_eq!(counts(&unchanged), (4, 0), "{}", unchanged.stderr);
    println!("the first run: {}", first.summary());
    println!("an unchanged full run: {}", unchanged.summary());
}
