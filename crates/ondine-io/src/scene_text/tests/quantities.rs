//! Numbers with units of their own.

use super::*;
use crate::scene_text::form::Rule;
use crate::scene_text::reading::unit_at;
use crate::scene_text::schema;

#[test]
fn a_scene_with_units_is_the_scene_without() {
    let plain = r#"
        duration = 2
        gravity = [0, -9.81, 0]
        [liquid]
        name = "a"
        spacing = 0.005
        density = 1500
        surface_tension = 0.04
        contact_angle = 60
        viscosity = { linear = { keys = [[0, 0.01], [1.5, 2]] } }
        [[object]]
        name = "b"
        shape = { box = { size = [0.1, 0.2, 0.0254] } }
        spin = [0, 0, 60]
        [[object]]
        name = "c"
        shape = { sphere = { radius = 0.05 } }
        [[joint]]
        name = "hinge"
        kind = "hinge"
        object = "b"
        at = [0, 0, 0]
        limits = [-45, 90]
        [[joint]]
        name = "slider"
        kind = "slider"
        object = "c"
        at = [0, 0, 0]
        limits = [-0.1, 0.2]
        speed = 0.01
        [[event]]
        at = 0.5
        set = { "liquid.a.density" = 1200, "liquid.a.viscosity.linear" = 0.5, "gravity" = [0, -1.5, 0], "liquid.a.lifetime" = 0.25 }
        [[track]]
        path = "gravity.x"
        keys = [[0.25, 1.25], [0.75, 2.5]]
        [[track]]
        path = "liquid.a.surface_tension"
        keys = [[1, 0.0625]]
    "#;
    let mut measured = plain.to_string();
    for (number, quantity) in [
        ("duration = 2", "duration = \"2000 ms\""),
        ("-9.81", "\"-981 cm/s2\""),
        ("0.005", "\"5mm\""),
        ("1500", "\"1.5 g/cm³\""),
        ("0.04", "\"40 mN/m\""),
        ("= 60", "= \"60 deg\""),
        ("[0, 0.01], [1.5, 2]", "[\"0s\", \"10 cP\"], [\"1500 ms\", \"2 Pa s\"]"),
        ("[0.1, 0.2, 0.0254]", "[\"10 cm\", 0.2, \"1 in\"]"),
        ("[0, 0, 60]", "[0, 0, \"10 rpm\"]"),
        ("radius = 0.05", "radius = \"5e-2m\""),
        ("[-45, 90]", "[\"-45°\", \"0.25 turn\"]"),
        ("[-0.1, 0.2]", "[\"-10 cm\", \"200 mm\"]"),
        ("speed = 0.01", "speed = \"1 cm/s\""),
        ("at = 0.5", "at = \"500 ms\""),
        ("= 1200", "= \"1.2 g/cm3\""),
        ("= 0.5", "= \"5 P\""),
        ("-1.5", "\"-150 cm/s²\""),
        ("= 0.25", "= \"250ms\""),
        ("[0.25, 1.25], [0.75, 2.5]", "[\"250 ms\", \"125 cm/s2\"], [0.75, \"2500 mm/s2\"]"),
        ("0.0625", "\"62.5 mN/m\""),
    ] {
        assert!(measured.contains(number), "{number}");
        measured = measured.replacen(number, quantity, 1);
    }
    assert_eq!(scene(&measured), scene(plain));
}

#[test]
fn overrides_may_have_units() {
    let assignments =
        ["liquid.honey.spacing=5 mm", "liquid.honey.emitter.0.at.x=\"2cm\"", "gravity.y=-981cm/s2"];
    let scene = scene_with(HONEY, &assignments);
    let honey = &scene.liquid[0];
    assert_eq!((honey.spacing, honey.emitter[0].at[0], scene.gravity[1]), (0.005, 0.02, -9.81));
}

#[test]
fn what_is_wrong_with_a_quantity_is_told_in_its_place() {
    let text = r#"duration = "5kg"
fps = "24 furlongs"
seed = "5 m"
[liquid]
name = "a"
spacing = "-2 mm"
color = ["3 cm", 0, 0]
viscosity = { linear = { keys = [[0, "5 m"], [1, 2]] } }
[[object]]
name = "b"
shape = { box = { size = [1, "2 L", 1] } }
motion = "free"
[[joint]]
name = "j"
kind = "hinge"
object = "b"
at = [0, 0, 0]
limits = ["-5cm", 0]
[[track]]
path = "liquid.a.density"
keys = [[0, "1 g/cm2"]]
[[track]]
path = "liquid.a.compression"
keys = [[0, "1 m"]]
[[event]]
at = 1
set = { "object.b.at.x" = "5 kg", "gravity" = [0, "-5 m/s", 0], "object.b.friction" = "1 m", "object.b.enabled" = "on" }
"#;
    assert_eq!(
        faults(text),
        [
            "1: duration: `kg` measures something else than s (write for example 4, which is in s)",
            "2: fps: there is no unit `furlongs` (write for example 30, which is in 1/s)",
            "3: seed: expected a whole number, found a text (write for example 1)",
            "6: liquid.a.spacing: must be at least 1e-6 and at most 1000 (write for example 0.02)",
            "7: liquid.a.color.0: takes a number without a unit (write for example 1)",
            "8: liquid.a.viscosity.linear.keys.0.1: `m` measures something else than Pa·s (write for example 1, \
             which is in Pa·s)",
            "11: object.b.shape.box.size.1: `L` measures something else than m (write for example 1, which is in m)",
            "18: joint.j.limits.0: `cm` measures something else than ° (write for example 1, which is in °)",
            "21: track.0.keys.0.1: `g/cm2` measures something else than kg/m³ (write for example 1, which is in kg/m³)",
            "24: track.1.keys.0.1: takes a number without a unit (write for example 1)",
            "27: event.0.set.object.b.at.x: `kg` measures something else than m (write for example 1, which is in m)",
            "27: event.0.set.gravity.1: `m/s` measures something else than m/s² (write for example 1, which is in m/s²)",
            "27: event.0.set.object.b.friction: takes a number without a unit (write for example 1)",
            "27: event.0.set.object.b.enabled: expected a number or true or false or an array of 3 values, found a \
             text (write for example 1)",
        ]
    );
    let fault =
        &faults("[liquid]\nname = \"a\"\n[[event]]\nat = 1\nset = { \"liquid.a.densty\" = \"1 g/cm3\" }")[0];
    assert!(fault.contains("densty") && fault.contains("liquid.a.density"), "{fault}");
    let fault = &faults_with(HONEY, &["liquid.honey.spacing=5kg"])[0];
    assert!(fault.contains("liquid.honey.spacing: `kg` measures something else than m"), "{fault}");
}

/// A value whose unit is not found would be taken for one that is not there.
#[test]
fn whatever_changes_during_a_run_is_known() {
    let scene = scene(
        r#"
        camera = { at = [1, 1, 1] }
        [[liquid]]
        name = "a"
        thesis = {}
        emitter = { at = [0, 1, 0], velocity = [0, -1, 0], radius = 0.1 }
        drops = { shape = { box = { size = [1, 1, 1] } }, rate = 5, at = [0, 5, 0] }
        [[object]]
        name = "b"
        motion = "moving"
        shape = { sphere = { radius = 0.05 } }
        adhesion = { a = { pull = 1, range = 0.1 } }
    "#,
    );
    let unit = |path: &str| unit_at(Rule::root(&schema::RULES), path);
    let paths = scene.live_paths();
    assert!(["camera", "emitter", "drops", "thesis", "adhesion"].iter().all(|k| paths.join(" ").contains(k)));
    let unknown: Vec<_> = paths.iter().filter(|path| unit(path).is_none()).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    assert_eq!(unit("liquid.a.emitter.0.velocity.x"), Some(Some("m/s".into())));
    assert_eq!(unit("object.b.enabled"), Some(None));
    assert_eq!(unit("liquid.a.densty"), None);
}
