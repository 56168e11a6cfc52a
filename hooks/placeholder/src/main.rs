//! Hook.
fn main() {}
