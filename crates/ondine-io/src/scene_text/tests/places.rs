//! Faults come all at once, each with its place.

use super::*;

#[test]
fn a_syntax_error_is_the_only_fault() {
    let text = "title = \"é\"\nfsp = 3\nduration = six\n";
    let faults = parse(&source(text), &[]).unwrap_err();
    assert_eq!(faults.len(), 1);
    assert_eq!((faults[0].line, faults[0].column), (Some(3), Some(12)));
    assert_eq!(&text[faults[0].span.clone().unwrap()], "six");
    assert!(faults[0].fault.reason.contains("not TOML"));
}

#[test]
fn a_number_without_a_digit_before_its_point_is_told_how_to_be_written() {
    for (text, written) in [("fps = .5\n", "write 0.5"), ("gravity = [0, -.25, 0]\n", "write -0.25")] {
        let faults = parse(&source(text), &[]).unwrap_err();
        assert!(faults[0].fault.remedy.ends_with(written), "{}", faults[0].fault.remedy);
    }
}

#[test]
fn all_faults_come_at_once_in_order() {
    let text = "fsp = 30\nduration = -1\n[[liquid]]\nname = \"a\"\nmaterial = \"hony\"\nspacing = \"fine\"\n";
    assert_eq!(
        faults(text),
        [
            "1: fsp: there is no key `fsp` here (did you mean `fps`?)",
            "2: duration: must be at least 1e-6 and at most 86400 (write for example 4)",
            "5: liquid.a.material: `hony` is not known here (did you mean `honey`?)",
            "6: liquid.a.spacing: expected a number, found a text (write for example 0.02)",
        ]
    );
}

#[test]
fn the_engine_s_faults_find_their_places() {
    let text =
        "fps = { keys = [[0, 1]] }\n[[track]]\npath = \"gravity.y\"\nkeys = [[0, 1]]\n[liquid]\nname = \"a\"";
    let Understood { places, .. } = understand(text, &set(&["liquid.a.spacing=2"])).ok().unwrap();
    let place = |path: &str| match places.of(path) {
        Place::Text(span) => &text[span.clone()],
        Place::Whole => "whole",
        Place::Set(_) => "set",
    };
    assert_eq!(place("track.0.path"), "\"gravity.y\"");
    assert_eq!(place("track.1.path"), "{ keys = [[0, 1]] }");
    assert_eq!(place("track.2.path"), "[[track]]");
    assert_eq!(place("liquid.a.viscosity"), "[liquid]");
    assert_eq!(place("liquid.a.spacing"), "set");
    assert_eq!(place(""), "whole");
}

#[test]
fn the_engine_s_errors_and_warnings_are_told() {
    let text = "[liquid]\nname = \"a\"\n[[event]]\nat = 9\nset = { \"liquid.a.densty\" = 2, \"liquid.a.spacing\" = 1 }";
    let told = super::faults(text);
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(told[0].starts_with("5: event.0.set.liquid.a.densty: "), "{told:#?}");
    assert!(told[0].contains("did you mean `liquid.a.density`?"), "{told:#?}");
    assert!(told[1].contains("`liquid.a.spacing` cannot change during a run"), "{told:#?}");
    assert_eq!(
        super::faults(""),
        [
            "0: there is nothing in the scene that moves: nothing would happen (add [[liquid]] with a name, and a [[liquid.fill]] or a [[liquid.emitter]]; or [[balls]]; or an [[object]] with motion = \"free\")"
        ]
    );
    let (_, warnings) = parse(&source("[liquid]\nname = \"a\"\n[[event]]\nat = 9\nset = {}"), &[]).unwrap();
    let places: Vec<_> = warnings.iter().map(|w| (w.line, w.fault.path.as_str())).collect();
    assert_eq!(places, [(Some(1), "liquid.a"), (Some(4), "event.0.at")]);
}

#[test]
fn columns_count_characters() {
    let faults = parse(&source("\"é\" = 1\ncamera = { \"é\" = 2, angel = 3 }"), &[]).unwrap_err();
    assert_eq!((faults[2].line, faults[2].column), (Some(2), Some(21)));
}
