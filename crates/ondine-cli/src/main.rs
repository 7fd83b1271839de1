//! The `ondine` program.
fn main() {}
