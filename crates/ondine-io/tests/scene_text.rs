//! Properties of scene text that hold for any scene and any text.

mod any_scene;

use any_scene::scene;
use ondine::Severity;
use ondine_io::scene_text::{Override, Source, parse, write};
use proptest::collection::vec;
use proptest::prelude::*;

const VALID: &str = r#"
title = "Honey on a stool"
gravity = [0, { keys = [[0, -9.81], [2, 0]], interpolation = "smooth" }, 0]
kill_box = { min = [-1, -1, -1], max = [1, 1, 1] }
[[liquid]]
name = "honey"
material = "honey"
spacing = 0.01
viscosity.linear = 4
fill = { shape = { box = { size = [0.1, 0.2, 0.1] } }, at = [0, 1, 0] }
emitter = { shape = "disc", radius = 0.02, at = [0, 0.6, 0], velocity = [0, -0.5, 0], stop = 5.0 }
[[object]]
name = "floor"
shape.half_space.normal = [0, 1, 0]
[[event]]
at = 4.0
set = { "liquid.honey.springs.stiffness" = 0.0, "object.floor.enabled" = false }
[[track]]
path = "liquid.honey.viscosity.linear"
keys = [[0, 1], [2, 5]]
"#;

fn source(text: String) -> Source {
    Source::new("property", text)
}

/// Parses, and checks what holds for every answer.
fn parse_anything(text: String, overrides: &[Override]) {
    let source = source(text);
    let faults = match parse(&source, overrides) {
        Ok((_, warnings)) => warnings,
        Err(faults) => {
            assert!(faults.iter().any(|l| l.fault.severity == Severity::Error));
            faults
        }
    };
    for located in faults {
        assert!(!located.fault.reason.is_empty() && !located.fault.remedy.is_empty(), "{located:?}");
        assert!(located.span.is_none_or(|span| source.text.get(span).is_some()));
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in any::<String>()) {
        parse_anything(text, &[]);
    }

    #[test]
    fn no_text_of_known_words_panics(
        words in vec(prop_oneof![
            prop::sample::select(VALID.split_inclusive(['\n', ' ', '=', '{', '[', ','] as [char; 6]).collect::<Vec<_>>())
                .prop_map(String::from),
            "[a-z]{1,3}|[0-9]{1,20}|[=.,\"\\[\\]{}\n]",
        ], 0..40),
    ) {
        parse_anything(words.concat(), &[]);
    }

    #[test]
    fn no_damage_to_a_scene_panics(
        damage in vec((any::<prop::sample::Index>(), 0usize..6, vec(any::<u8>(), 0..4)), 1..6),
    ) {
        let mut bytes = VALID.as_bytes().to_vec();
        for (at, gone, with) in damage {
            let start = at.index(bytes.len() + 1);
            let end = (start + gone).min(bytes.len());
            bytes.splice(start..end, with);
        }
        parse_anything(String::from_utf8_lossy(&bytes).into_owned(), &[]);
    }

    #[test]
    fn no_value_in_the_wrong_place_panics(
        line in 1usize..VALID.lines().count(),
        value in prop::sample::select(vec![
            "1", "-1", "nan", "1e999", "\"x\"", "true", "[]", "{}", "[[]]", "[1, 2, 3]", "{ keys = [] }",
            "{ keys = 3 }", "{ keys = [[0, 1]] }", "{ name = \"a\" }", "2000-01-01", "{ box = {} }", "99999999999999999999",
        ]),
    ) {
        let lines = VALID.lines().enumerate().map(|(i, text)| match text.split_once(" = ") {
            Some((key, _)) if i == line => format!("{key} = {value}\n"),
            _ => format!("{text}\n"),
        });
        parse_anything(lines.collect(), &[]);
    }

    #[test]
    fn no_override_panics(
        path in "[a-z.0-3]{0,30}|(liquid|object|event|track|gravity|camera|kill_box)\\.(honey|floor|0|1|x|min)(\\.[a-z]{1,9}){0,2}",
        value in any::<String>(),
    ) {
        parse_anything(VALID.into(), &[Override { path, value }]);
    }

    #[test]
    fn what_is_written_is_read_back(scene in scene()) {
        let faults = scene.faults();
        prop_assert!(faults.iter().all(|f| f.severity != Severity::Error), "{faults:#?}");
        let text = write(&scene);
        match parse(&source(text.clone()), &[]) {
            Ok((back, _)) => prop_assert_eq!(back, scene, "{}", text),
            Err(faults) => prop_assert!(false, "{faults:#?}\n{text}"),
        }
    }
}
