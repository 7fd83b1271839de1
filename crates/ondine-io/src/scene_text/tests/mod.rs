//! What `parse` makes of scenes, right and wrong.

mod depth;
mod forms;
mod keyframes;
mod objects;
mod overrides;
mod places;
mod presets;
mod quantities;
mod values;

use super::*;
use ondine::scene::{Preset, Shape};

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
    let understood = understand(text, &set(assignments)).ok().unwrap();
    assert!(understood.faults.is_empty(), "{:?}", understood.faults);
    understood.scene
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

/// A fault of the text does not hide those that only the engine finds: names given twice, numbers out of range, joints of nothing.
#[test]
fn all_faults_are_told_at_once() {
    let text = r#"nonsense = 3
[[object]]
name = "tank"
color = [255, 0, 0]
shape = { container = { size = [1, 1, 1] } }
[[object]]
name = "Tank"
shape = { sphere = { radius = "wide" } }
[[liquid]]
name = "NUL"
fill = { box = { size = [1, 1, 1] } }
[[joint]]
name = "j"
kind = "ball"
object = "nobody"
at = [0, 0, 0]
"#;
    let told = faults(text);
    for (line, part) in [
        (1, "no key `nonsense`"),
        (4, "must be at least 0 and at most 1"),
        (7, "another object called"),
        (8, "radius"),
        (10, "some systems keep for themselves"),
        (11, "no key `box` here"),
        (15, "nobody"),
    ] {
        let is_told = told.iter().any(|f| f.starts_with(&format!("{line}: ")) && f.contains(part));
        assert!(is_told, "{part} is not in {told:#?}");
    }
}

/// Of very many faults the first are told, and their number.
#[test]
fn very_many_faults_are_counted() {
    let one = |i: usize| {
        format!("[[object]]\nname = \"o{i}\"\ndensity = -1\nshape = {{ sphere = {{ radius = 1 }} }}\n")
    };
    let text: String = (0..20_000).map(one).collect();
    let told = faults(&text);
    assert!(told.len() == MOST_TOLD + 1, "{}", told.len());
    assert!(told.iter().any(|f| f.contains("more faults than those told here")), "{told:#?}");
    let all = parse(&Source::new("many.toml", text), &[]).expect_err("faults");
    assert_eq!(all.iter().map(|l| l.count).sum::<usize>(), 20_000);
}

#[test]
fn nothing_is_a_scene() {
    assert_eq!(scene(""), Scene::default());
}

#[test]
fn what_is_written_is_read_back() {
    let scene = scene(HONEY);
    let text = write(&scene);
    assert!(text.contains("surface_tension = 0.056"), "{text}");
    assert_eq!(self::scene(&text), scene);
    assert_eq!(self::scene(&write(&Scene::default())), Scene::default());
}
