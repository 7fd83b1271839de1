//! Numbers with units of their own.

use super::*;

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
        set = { "liquid.a.density" = 1200 }
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
keys = [[0, "1 g/cm3"]]
"#;
    assert_eq!(
        faults(text),
        [
            "1: duration: `kg` measures something else than s (write for example 4, which is in s)",
            "2: fps: there is no unit `furlongs` (write for example 30, which is in 1/s)",
            "3: seed: expected a whole number, found a text (write for example 1)",
            "6: liquid.a.spacing: must be above 0 and at most 1000 (write for example 0.02)",
            "7: liquid.a.color.0: takes a number without a unit (write for example 1)",
            "8: liquid.a.viscosity.linear.keys.0.1: `m` measures something else than Pa·s (write for example 1, \
             which is in Pa·s)",
            "11: object.b.shape.box.size.1: `L` measures something else than m (write for example 1, which is in m)",
            "18: joint.j.limits.0: `cm` measures something else than ° (write for example 1, which is in °)",
            "21: track.0.keys.0.1: takes a number without a unit (write for example 1)",
        ]
    );
    let fault = &faults_with(HONEY, &["liquid.honey.spacing=5kg"])[0];
    assert!(fault.contains("liquid.honey.spacing: `kg` measures something else than m"), "{fault}");
}
