//! What `--set` does to a scene.

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
    assert!(nearest("liquid.honey.viscosty.linear").contains("nearest is `liquid.honey.viscosity.linear`"));
    assert!(nearest("gravity.3").contains("nearest is `gravity.0`"));
    assert!(nearest("liquid.honey.emitter.1.radius").contains("nearest is `liquid.honey.emitter.0.radius`"));
    assert!(nearest("kill_boxx.min.0").contains("nearest is `kill_box.min.0`"));
}

#[test]
fn wrong_values_say_where_they_come_from() {
    let wrong = |assignment: &str| {
        let faults = faults_with(HONEY, &[assignment]);
        assert_eq!(faults.len(), 1, "{faults:#?}");
        assert!(faults[0].starts_with("0: ") && faults[0].contains(&format!("(from --set {assignment})")));
        faults[0].clone()
    };
    assert!(wrong("liquid.honey.spacing=-1").contains("must be at least 1e-6"));
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
