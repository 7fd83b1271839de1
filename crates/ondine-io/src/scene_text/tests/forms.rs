//! The form of every value: keys, types, lengths, ranges, shapes, and what may be left out.

use super::*;

#[test]
fn unknown_keys_get_a_suggestion_or_the_list() {
    assert_eq!(
        fault("[[liquid]]\nname = \"a\"\nviscosity = { liner = 3 }"),
        "3: liquid.a.viscosity.liner: there is no key `liner` here (did you mean `linear`?)"
    );
    assert!(fault("camera = { wetness = 1 }").contains("(use one of: at, look_at, angle, aperture)"));
    assert!(fault("camera = { position = 1 }").contains("(it is called `at` here)"));
}

#[test]
fn wrong_types_say_what_is_wanted() {
    assert_eq!(
        fault("title = 3"),
        "1: title: expected a text, found a whole number (write for example \"Untitled\")"
    );
    assert!(fault("seed = 1.5").contains("expected a whole number, found a number"));
    assert!(fault("gravity = 9.81").contains("expected an array of 3 values"));
    assert!(fault("liquid = 3").contains("expected an array, found a whole number"));
    assert!(fault("fps = 2000-01-01").contains("found a date"));
    assert!(fault("camera = 3").contains("expected a table"));
    assert!(fault("duration = { from = 1 }").contains("or keyframes: { keys = [[0, 1], [2, 5]] }"));
}

#[test]
fn vectors_have_a_length() {
    assert_eq!(
        fault("gravity = [0, 1]"),
        "1: gravity: needs 3 values, found 2 (write for example [0, -9.81, 0])"
    );
    assert!(fault("gravity = [0, \"down\", 0]").contains("gravity.1: expected a number"));
}

#[test]
fn numbers_keep_to_their_range() {
    assert!(fault("fps = 0").contains("must be at least 1 and at most 1000"));
    assert!(fault("dimension = 4").contains("must be at least 2 and at most 3"));
    assert!(fault("seed = 4294967296").contains("at most 4294967295"));
    assert!(fault("seed = -1").contains("at least 0"));
    assert!(fault("seed = 99999999999999999999").contains("expected a whole number"));
    for endless in ["nan", "inf", "1e39", "1e999", "0xfffffffffffffffffffffffffffffffff"] {
        assert!(fault(&format!("gravity = [0, {endless}, 0]")).contains("gravity.1: is not a finite number"));
    }
}

#[test]
fn whole_numbers_are_numbers() {
    assert_eq!(scene("duration = 6\nfps = 0x10").fps, 16.0);
    assert_eq!(scene("gravity = [0, -9, 1_0]").gravity, [0.0, -9.0, 10.0]);
}

#[test]
fn required_keys_are_asked_for() {
    assert_eq!(fault("[[liquid]]\nspacing = 0.1"), "1: liquid.0: `name` is missing (add `name = \"NAME\"`)");
    assert_eq!(
        fault("[[object]]\nname = \"floor\""),
        "1: object.floor: `shape` is missing (add `shape = { half_space = { normal = [0, 1, 0] } }`)"
    );
    assert_eq!(faults("[kill_box]").len(), 2);
}

#[test]
fn shapes_are_one_of_a_set() {
    let shape = |text: &str| fault(&format!("[[object]]\nname = \"o\"\nshape = {text}"));
    assert!(shape("{ spere = { radius = 1 } }").contains("did you mean `sphere`?"));
    assert!(shape("{ pyramid = 1 }").contains("use one of: half_space, box,"));
    assert!(shape("{ mesh = \"stool.obj\" }").contains("write for example { file = \"stool.obj\" }"));
    assert!(shape("\"sphere\"").contains("write { sphere = { radius = 1 } }"));
    assert!(shape("{}").contains("exactly one of"));
    assert!(shape("{ sphere = { radius = 1 }, box = { size = [1, 1, 1] } }").contains("found 2"));
    assert!(
        shape("{ sphere = { radius = 0 } }").contains("object.o.shape.sphere.radius: must be at least 1e-6")
    );
    assert!(shape("{ sphere = { } }").contains("`radius` is missing"));
}

#[test]
fn names_with_values_and_without_are_told_apart() {
    let text = "[liquid]\nname = \"a\"\nemitter = { shape = { disc = 1 } }";
    assert!(fault(text).contains("`disc` has no values of its own (write \"disc\")"));
}

#[test]
fn paths_of_events_need_quotes() {
    let text = "[[event]]\nat = 1\nset = { liquid.honey.density = 1 }";
    assert!(fault(text).contains("put the whole path in quotes: \"liquid.honey.density\" = 1"));
    let text = "[[event]]\nat = 1\nset = { \"gravity.y\" = { keys = [[0, 1]] } }";
    assert!(fault(text).contains("found a table"));
    let text = "[[event]]\nat = 1\nset = { \"a.b\" = \"x\" }";
    assert!(fault(text).contains("expected a number or true or false or an array of 3 values, found a text"));
}

#[test]
fn one_table_stands_for_a_list() {
    let one = scene(
        "[liquid]\nname = \"a\"\nfill = { shape = { sphere = { radius = 1 } } }\n[drain]\nname = \"d\"\nshape = { box = { size = [1, 1, 1] } }",
    );
    let many = scene(
        "[[liquid]]\nname = \"a\"\nfill = [{ shape.sphere.radius = 1 }]\n[[drain]]\nname = \"d\"\nshape.box.size = [1, 1, 1]",
    );
    assert_eq!(one, many);
    assert!(
        fault("[liquid]\nname = \"a\"\nemitter = { radius = 0 }")
            .contains("liquid.a.emitter.0.radius: must be")
    );
}
