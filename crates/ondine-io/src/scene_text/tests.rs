//! What `parse` makes of scenes, right and wrong.

use super::*;
use ondine::scene::{Interpolation, Preset, Shape};

const HONEY: &str = r#"title = "Honey on a floor"
duration = 6

[[liquid]]
name = "honey"
material = "honey"
spacing = 0.01
emitter = { shape = "disc", radius = 0.02, at = [0, 0.6, 0], velocity = [0, -0.5, 0], stop = 5.0 }

[[object]]
name = "floor"
shape = { half_space = { normal = [0, 1, 0] } }

[[event]]
at = 4.0
set = { "liquid.honey.springs.stiffness" = 2, "object.floor.enabled" = false, gravity = [0, 1, 0] }
"#;

fn source(text: &str) -> Source {
    Source::new("test", text)
}

fn set(assignments: &[&str]) -> Vec<Override> {
    assignments.iter().map(|a| a.parse().unwrap()).collect()
}

/// What a text means, whatever the engine would say of it.
fn scene(text: &str) -> Scene {
    scene_with(text, &[])
}

fn scene_with(text: &str, assignments: &[&str]) -> Scene {
    understand(text, &set(assignments)).unwrap().0
}

/// Every fault as "line: path: reason (remedy)".
fn faults_with(text: &str, assignments: &[&str]) -> Vec<String> {
    let faults = parse(&source(text), &set(assignments)).unwrap_err();
    faults.iter().map(|l| format!("{}: {}", l.line.unwrap_or(0), l.fault)).collect()
}

fn faults(text: &str) -> Vec<String> {
    faults_with(text, &[])
}

fn fault(text: &str) -> String {
    let faults = faults(text);
    assert_eq!(faults.len(), 1, "{faults:#?}");
    faults[0].clone()
}

#[test]
fn a_scene_is_read() {
    let scene = scene(HONEY);
    assert_eq!((scene.title.as_str(), scene.duration), ("Honey on a floor", 6.0));
    let honey = &scene.liquid[0];
    assert_eq!((honey.spacing, honey.density), (0.01, Preset::Honey.liquid().density));
    assert_eq!(honey.emitter[0].velocity, [0.0, -0.5, 0.0]);
    assert_eq!(scene.object[0].shape, Shape::HalfSpace { normal: [0.0, 1.0, 0.0] });
    assert_eq!(scene.event[0].set.len(), 3);
}

#[test]
fn nothing_is_a_scene() {
    assert_eq!(scene(""), Scene::default());
}

mod places {
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
    fn all_faults_come_at_once_in_order() {
        let text =
            "fsp = 30\nduration = -1\n[[liquid]]\nname = \"a\"\nmaterial = \"hony\"\nspacing = \"fine\"\n";
        assert_eq!(
            faults(text),
            [
                "1: fsp: there is no key `fsp` here (did you mean `fps`?)",
                "2: duration: must be above 0 and at most 86400 (write for example 4)",
                "5: liquid.a.material: `hony` is not known here (did you mean `honey`?)",
                "6: liquid.a.spacing: expected a number, found a text (write for example 0.02)",
            ]
        );
    }

    #[test]
    fn the_engine_s_faults_find_their_places() {
        let text = "fps = { keys = [[0, 1]] }\n[[track]]\npath = \"gravity.y\"\nkeys = [[0, 1]]\n[liquid]\nname = \"a\"";
        let (_, places) = understand(text, &set(&["liquid.a.spacing=2"])).unwrap();
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
                "0: there is no liquid in the scene and no object that moves: nothing would happen (add [[liquid]] with a name, and a [[liquid.fill]] or a [[liquid.emitter]]; or an [[object]] with motion = \"free\")"
            ]
        );
        let (_, warnings) =
            parse(&source("[liquid]\nname = \"a\"\n[[event]]\nat = 9\nset = {}"), &[]).unwrap();
        let places: Vec<_> = warnings.iter().map(|w| (w.line, w.fault.path.as_str())).collect();
        assert_eq!(places, [(Some(1), "liquid.a"), (Some(4), "event.0.at")]);
    }

    #[test]
    fn columns_count_characters() {
        let faults = parse(&source("\"é\" = 1\ncamera = { \"é\" = 2, angel = 3 }"), &[]).unwrap_err();
        assert_eq!((faults[2].line, faults[2].column), (Some(2), Some(21)));
    }
}

mod forms {
    use super::*;

    #[test]
    fn unknown_keys_get_a_suggestion_or_the_list() {
        assert_eq!(
            fault("[[liquid]]\nname = \"a\"\nviscosity = { liner = 3 }"),
            "3: liquid.a.viscosity.liner: there is no key `liner` here (did you mean `linear`?)"
        );
        assert!(fault("camera = { position = 1 }").contains("(use one of: at, look_at, angle)"));
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
            assert!(
                fault(&format!("gravity = [0, {endless}, 0]")).contains("gravity.1: is not a finite number")
            );
        }
    }

    #[test]
    fn whole_numbers_are_numbers() {
        assert_eq!(scene("duration = 6\nfps = 0x10").fps, 16.0);
        assert_eq!(scene("gravity = [0, -9, 1_0]").gravity, [0.0, -9.0, 10.0]);
    }

    #[test]
    fn required_keys_are_asked_for() {
        assert_eq!(
            fault("[[liquid]]\nspacing = 0.1"),
            "1: liquid.0: `name` is missing (add `name = \"NAME\"`)"
        );
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
            shape("{ sphere = { radius = 0 } }").contains("object.o.shape.sphere.radius: must be above 0")
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
        assert!(
            fault(text).contains("expected a number or true or false or an array of 3 values, found a text")
        );
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
}

mod objects {
    use super::*;
    use ondine::scene::{Adhesion, JointKind, Model, Motion, Part};

    const WHEEL: &str = r#"
[[liquid]]
name = "honey"
material = "honey"
fill = { shape = { mould = { of = { model = { of = "rabbit", height = 0.3 } } } }, at = [3, 0, 0] }
[[object]]
name = "wheel"
motion = "free"
mass = 2
adhesion.honey = { pull = 20 }
[object.shape.union]
smooth = 0.01
[[object.shape.union.of]]
shape = { cylinder = { radius = 0.1, height = 0.1 } }
rotate = [90, 0, 0]
[[object.shape.union.of]]
shape.difference.of = [{ shape.sphere.radius = 0.1 }, { shape.sphere.radius = 0.1, at = [0.1, 0, 0], scale = 2 }]
[[object]]
name = "gate"
shape.box.size = [0.1, 1, 1]
motion = "moving"
at = [2, { keys = [[0, 1], [2, 3]] }, 0]
[joint]
name = "pin"
kind = "hinge"
object = "wheel"
at = [0, 0, 0]
"#;

    #[test]
    fn shapes_of_shapes_are_read() {
        let scene = scene(WHEEL);
        let Shape::Union(blend) = &scene.object[0].shape else { panic!() };
        assert_eq!((blend.of.len(), blend.smooth, blend.of[0].rotate), (2, 0.01, [90.0, 0.0, 0.0]));
        let Shape::Difference(inner) = &blend.of[1].shape else { panic!() };
        let bite = Part { scale: 2.0, ..Part::new(Shape::Sphere { radius: 0.1 }, [0.1, 0.0, 0.0]) };
        assert_eq!(inner.of[1], bite);
        let Shape::Mould { of } = &scene.liquid[0].fill[0].shape else { panic!() };
        assert_eq!(**of, Shape::Model { of: Model::Rabbit, height: 0.3 });
        assert_eq!(scene.object[0].adhesion["honey"], Adhesion { pull: 20.0, range: None });
        assert_eq!((scene.object[0].motion, scene.object[0].mass), (Motion::Free, Some(2.0)));
        assert_eq!((scene.joint[0].kind, scene.joint[0].axis), (JointKind::Hinge, [0.0, 0.0, 1.0]));
        assert!(parse(&source(WHEEL), &[]).is_ok());
        assert_eq!(super::scene(&write(&scene)), scene);
    }

    #[test]
    fn a_moving_object_may_be_keyframed_in_place() {
        let scene = scene(WHEEL);
        assert_eq!((scene.object[1].at, scene.track[0].path.as_str()), ([2.0, 1.0, 0.0], "object.gate.at.1"));
        let fixed = WHEEL.replace("motion = \"moving\"\n", "");
        assert!(
            fault(&fixed).contains("cannot change during a run (write motion = \"moving\" in the object")
        );
        let whole = WHEEL.replace("at = [2, { keys = [[0, 1], [2, 3]] }, 0]", "at = { keys = [[0, 1]] }");
        assert!(fault(&whole).contains("give keyframes to each component that changes"));
    }

    #[test]
    fn faults_deep_in_a_shape_are_found() {
        let wrong = WHEEL.replace("scale = 2", "scale = 0");
        let path = "object.wheel.shape.union.of.1.shape.difference.of.1.scale";
        assert!(fault(&wrong).contains(&format!("{path}: must be above 0")));
        let torus =
            WHEEL.replace("shape.sphere.radius = 0.1, at", "shape.torus = { radius = 1, tube = 2 }, at");
        let told = fault(&torus);
        assert!(
            told.starts_with("17: object.wheel.shape.union.of.1.shape.difference.of.1.shape.torus.tube"),
            "{told}"
        );
    }

    #[test]
    fn one_part_may_stand_alone() {
        let one = "[object]\nname = \"a\"\nshape.union.of = { shape.sphere.radius = 1 }";
        let many = "[object]\nname = \"a\"\nshape.union.of = [{ shape.sphere.radius = 1 }]";
        assert_eq!(scene(one), scene(many));
    }

    #[test]
    fn adhesion_is_by_the_name_of_a_liquid() {
        let with = |adhesion: &str| fault(&WHEEL.replace("adhesion.honey = { pull = 20 }", adhesion));
        assert!(
            with("adhesion = 3").contains(
                "expected a table, found a whole number (write for example { NAME = { pull = 20 } })"
            )
        );
        assert!(with("adhesion.honey = 3").contains("write for example { pull = 20 }"));
        assert!(with("adhesion.honey = {}").contains("`pull` is missing (add `pull = 20`)"));
        assert!(with("adhesion.honey = { pul = 3, pull = 3 }").contains("did you mean `pull`?"));
        assert!(
            with("adhesion.hony = { pull = 3 }").contains("object.wheel.adhesion.hony: there is no liquid")
        );
    }

    #[test]
    fn overrides_reach_into_shapes_and_adhesion() {
        let scene = scene_with(
            WHEEL,
            &[
                "object.wheel.adhesion.honey.pull=5",
                "object.wheel.shape.union.of.0.shape.cylinder.radius=0.3",
                "object.wheel.shape.union.of.1.shape.difference.of.1.at.y=4",
                "object.wheel.motion=fixed",
                "joint.pin.limits=[-1, 1]",
                "liquid.honey.fill.0.shape.mould.of.model.of=stool",
            ],
        );
        assert_eq!(scene.object[0].adhesion["honey"].pull, 5.0);
        assert_eq!((scene.object[0].motion, scene.joint[0].limits), (Motion::Fixed, Some([-1.0, 1.0])));
        let text = write(&scene);
        assert!(text.contains("radius = 0.3") && text.contains("\"stool\""), "{text}");
        let nearest = |path: &str| faults_with(WHEEL, &[&format!("{path}=1")]).remove(0);
        assert!(
            nearest("object.wheel.adhesion.honey.pul")
                .contains("nearest is `object.wheel.adhesion.honey.pull`")
        );
        assert!(
            nearest("object.wheel.shape.union.of.0.shape.cylinder.radios")
                .contains("nearest is `object.wheel.shape.union.of.0.shape.cylinder.radius`")
        );
    }

    /// A shape in moulds, so many deep in all.
    fn moulds(depth: usize) -> String {
        let (before, after) = ("{ mould = { of = ".repeat(depth - 1), " } }".repeat(depth - 1));
        format!(
            "[object]\nname = \"a\"\nmotion = \"moving\"\nshape = {before}{{ sphere = {{ radius = 1 }} }}{after}"
        )
    }

    fn unions(depth: usize) -> String {
        let (before, after) = ("{ union = { of = [{ shape = ".repeat(depth - 1), " }] } }".repeat(depth - 1));
        format!(
            "[object]\nname = \"a\"\nmotion = \"moving\"\nshape = {before}{{ sphere = {{ radius = 1 }} }}{after}"
        )
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
}

mod presets {
    use super::*;

    #[test]
    fn a_liquid_starts_from_its_material() {
        for preset in Preset::ALL {
            let name = serde_json::to_value(preset).unwrap();
            let liquid = scene(&format!("[liquid]\nname = \"a\"\nmaterial = {name}")).liquid.remove(0);
            assert_eq!(liquid, ondine::scene::Liquid { name: "a".into(), ..preset.liquid() });
        }
        assert_eq!(scene("[liquid]\nname = \"a\"").liquid[0].material, Preset::Water);
    }

    #[test]
    fn tables_are_merged_key_by_key() {
        let syrup = Preset::Syrup.liquid();
        let liquid = &scene("[liquid]\nname = \"a\"\nmaterial = \"syrup\"\nsprings.plasticity = 1").liquid[0];
        assert_eq!(liquid.springs, ondine::scene::Springs { plasticity: 1.0, ..syrup.springs });
        assert_eq!(liquid.viscosity, syrup.viscosity);
    }

    /// Text cannot say "none": were a preset to give an optional value, `write` could not take it away.
    #[test]
    fn no_preset_gives_an_optional_value() {
        for preset in Preset::ALL {
            let liquid = preset.liquid();
            assert!(liquid.stiffness.is_none() && liquid.thesis.is_none() && liquid.lifetime.is_none());
        }
    }
}

mod keyframes {
    use super::*;

    #[test]
    fn numbers_may_follow_a_curve() {
        let scene = scene(
            r#"
            gravity = [0, { keys = [[0, -9.81], [1, 0]] }, 0]
            [[track]]
            path = "liquid.a.density"
            keys = [[0, 1]]
            [[liquid]]
            name = "a"
            viscosity.linear = { keys = [[0, 1], [2, 5]], interpolation = "smooth" }
            lifetime = { keys = [[0, 3]] }
            [[liquid]]
            name = "b"
            emitter = { velocity = [0, 0, { keys = [[0, 1]] }] }
            "#,
        );
        assert_eq!(scene.gravity, [0.0, -9.81, 0.0]);
        assert_eq!(scene.liquid[0].viscosity.linear, 1.0);
        assert_eq!(scene.liquid[0].lifetime, Some(3.0));
        let paths: Vec<_> = scene.track.iter().map(|t| t.path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "liquid.a.density",
                "gravity.1",
                "liquid.a.viscosity.linear",
                "liquid.a.lifetime",
                "liquid.b.emitter.0.velocity.2"
            ]
        );
        assert_eq!(scene.track[2].interpolation, Interpolation::Smooth);
        assert_eq!(scene.track[2].keys, [[0.0, 1.0], [2.0, 5.0]]);
        let mut live = scene.clone();
        assert!(scene.track.iter().all(|track| live.live(&track.path).is_some()));
    }

    #[test]
    fn bad_keys_are_reported() {
        let with = |keys: &str| fault(&format!("fps = {{ keys = {keys} }}"));
        assert!(with("[]").contains("fps: there are no keys (write pairs"));
        assert!(with("[[0, 1], [2, 5], [1, 5]]").contains("time 1 is not after the key before it, at 2"));
        assert!(with("[[0, 1], [0, 2]]").contains("increasing order"));
        assert!(with("[[0, nan]]").contains("fps.keys.0.1: is not a finite number"));
        assert!(with("[[0, 1], [1, 0]]").contains("fps: must be at least 1 and at most 1000"));
        assert!(with("[[0, 1, 2]]").contains("needs 2 values, found 3"));
        assert!(with("[[0, 1]], interpolation = \"smoth\"").contains("did you mean `smooth`?"));
        assert!(with("[[0, 1]], interpolate = \"smooth\"").contains("there is no key `interpolate`"));
    }

    #[test]
    fn only_numbers_can_be_keyframed() {
        assert!(fault("seed = { keys = [[0, 1]] }").contains("expected a whole number, found a table"));
    }
}

mod overrides {
    use super::*;

    #[test]
    fn text_becomes_an_override() {
        let over: Override = " a.b = [1, 2] = 3".parse().unwrap();
        assert_eq!((over.path.as_str(), over.value.as_str()), ("a.b", "[1, 2] = 3"));
        assert!("no assignment".parse::<Override>().unwrap_err().to_string().contains("PATH=VALUE"));
        assert!("=3".parse::<Override>().is_err());
    }

    #[test]
    fn overrides_reach_every_scalar() {
        let assignments = [
            "title=Two words",
            "fps=24",
            "gravity.1=-3",
            "liquid.honey.spacing=0.05",
            "liquid.0.viscosity.linear=4",
            "liquid.honey.material=lava",
            "liquid.honey.color.2=1",
            "liquid.honey.emitter.0.radius=0.5",
            "liquid.honey.emitter.0.at.x=2",
            "object.floor.enabled=false",
            "object.floor.shape.half_space.normal.0=1",
            "event.0.set.liquid.honey.springs.stiffness=9",
            "camera.angle=50",
            "kill_box={ min = [0, 0, 0], max = [1, 1, 1] }",
        ];
        let scene = scene_with(HONEY, &assignments);
        let honey = &scene.liquid[0];
        assert_eq!((scene.title.as_str(), scene.fps), ("Two words", 24.0));
        assert_eq!(scene.gravity, [0.0, -3.0, 0.0]);
        assert_eq!((honey.spacing, honey.viscosity.linear, honey.material), (0.05, 4.0, Preset::Lava));
        let lava = Preset::Lava.liquid();
        assert_eq!((honey.density, honey.color), (lava.density, [lava.color[0], lava.color[1], 1.0]));
        assert_eq!((honey.emitter[0].radius, honey.emitter[0].at), (0.5, [2.0, 0.6, 0.0]));
        assert!(!scene.object[0].enabled);
        assert_eq!(scene.object[0].shape, Shape::HalfSpace { normal: [1.0, 1.0, 0.0] });
        assert_eq!(scene.event[0].set["liquid.honey.springs.stiffness"], ondine::scene::Value::Number(9.0));
        assert_eq!(scene.camera.unwrap().angle, 50.0);
        assert_eq!(scene.kill_box.unwrap().max, [1.0; 3]);
    }

    #[test]
    fn overrides_may_keyframe() {
        let scene = scene_with(HONEY, &["gravity.1={ keys = [[0, 1], [2, 5]] }"]);
        assert_eq!((scene.gravity[1], scene.track[0].path.as_str()), (1.0, "gravity.1"));
    }

    #[test]
    fn the_later_override_wins() {
        assert_eq!(scene_with("", &["fps=1", "fps=2"]).fps, 2.0);
    }

    #[test]
    fn a_path_that_leads_nowhere_gets_the_nearest() {
        assert_eq!(
            faults_with(HONEY, &["liquid.hony.spacing=1"]),
            [
                "0: liquid.hony.spacing: the scene has no value `liquid.hony.spacing` (from --set liquid.hony.spacing=1) \
              (the nearest is `liquid.honey.spacing`)"
            ]
        );
        let nearest = |path: &str| faults_with(HONEY, &[&format!("{path}=1")]).remove(0);
        assert!(nearest("honey.spacing").contains("nearest is `liquid.honey.spacing`"));
        assert!(
            nearest("liquid.honey.viscosty.linear").contains("nearest is `liquid.honey.viscosity.linear`")
        );
        assert!(nearest("gravity.3").contains("nearest is `gravity.0`"));
        assert!(
            nearest("liquid.honey.emitter.1.radius").contains("nearest is `liquid.honey.emitter.0.radius`")
        );
        assert!(nearest("kill_boxx.min.0").contains("nearest is `kill_box.min.0`"));
    }

    #[test]
    fn wrong_values_say_where_they_come_from() {
        let wrong = |assignment: &str| {
            let faults = faults_with(HONEY, &[assignment]);
            assert_eq!(faults.len(), 1, "{faults:#?}");
            assert!(
                faults[0].starts_with("0: ") && faults[0].contains(&format!("(from --set {assignment})"))
            );
            faults[0].clone()
        };
        assert!(wrong("liquid.honey.spacing=-1").contains("must be above 0"));
        assert!(wrong("liquid.honey.spacing=fine").contains("expected a number, found `fine`"));
        assert!(wrong("liquid.honey.material=hony").contains("did you mean `honey`?"));
        assert!(wrong("title=3").contains("expected a text"));
        assert!(wrong("gravity=[1, 2]").contains("needs 3 values"));
        assert!(wrong("camera={ angel = 3 }").contains("did you mean `angle`?"));
        assert!(wrong("kill_box={ min = [0, 0, 0] }").contains("`max` is missing"));
    }

    #[test]
    fn a_part_of_a_vector_without_default_is_refused() {
        let faults = faults_with("", &["kill_box.min.0=1"]);
        assert!(faults.iter().any(|f| f.contains("give the whole vector")), "{faults:#?}");
    }
}

mod round_trips {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let scene = scene(HONEY);
        let text = write(&scene);
        assert!(text.contains("surface_tension = 0.056"), "{text}");
        assert_eq!(super::scene(&text), scene);
        assert_eq!(super::scene(&write(&Scene::default())), Scene::default());
    }
}
