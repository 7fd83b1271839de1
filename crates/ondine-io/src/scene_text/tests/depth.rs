//! Shapes and tables in one another: how deep they may be, and that nothing deeper does harm.

use super::*;

/// A ball in shapes, so many deep in all; `before` and `after` stand around what is in a shape.
fn nested(before: &str, after: &str, depth: usize) -> String {
    let (before, after) = (before.repeat(depth - 1), after.repeat(depth - 1));
    let shape = format!("{before}{{ sphere = {{ radius = 1 }} }}{after}");
    format!("[object]\nname = \"a\"\nmotion = \"moving\"\nshape = {shape}")
}

fn moulds(depth: usize) -> String {
    nested("{ mould = { of = ", " } }", depth)
}

fn unions(depth: usize) -> String {
    nested("{ union = { of = [{ shape = ", " }] } }", depth)
}

#[test]
fn depth_has_an_end_and_says_so() {
    for shape in [moulds, unions] {
        assert!(parse(&source(&shape(16)), &[]).is_ok());
        let told = fault(&shape(17));
        assert!(told.starts_with("4: object.a.shape.") && told.contains("more than 16 deep"), "{told}");
        for depth in [40, 1000, 100_000] {
            let told = fault(&shape(depth));
            assert!(told.starts_with("4: "), "{told}");
        }
    }
}

/// TOML counts dotted keys and tables apart: together they could be 6400 deep.
#[test]
fn dotted_keys_do_not_go_deeper() {
    let dots = vec!["a"; 70].join(".");
    let text = format!("{}1{}", format!("{dots} = {{ ").repeat(70) + "a = ", " }".repeat(70));
    assert!(fault(&text).contains("more than 80 deep"), "{}", fault(&text));
    let set = faults_with("", &[&format!("camera={{ {text} }}")]);
    assert!(set[0].contains("expected a table"), "{set:?}");
}

#[test]
fn what_is_as_deep_as_may_be_can_be_written() {
    let scene = scene(&unions(16));
    assert_eq!(super::scene(&write(&scene)), scene);
}
