//! Plots of what bakes have measured.

use crate::bakery::{Bakery, Outcome};
use std::fs;

const BLOCK: &str = r#"
title = "A block & a spring"
duration = 0.5

[[object]]
name = "block"
shape = { box = { size = [0.2, 0.2, 0.2] } }
motion = "free"
mass = 1

[[spring]]
name = "coil"
object = "block"
to_at = [0, 1, 0]
"#;

fn baked() -> Result<Bakery, Box<dyn std::error::Error>> {
    let bakery = Bakery::new()?;
    fs::write(bakery.path("block.toml"), BLOCK)?;
    bakery.ondine("bake block.toml --export none").with(0);
    bakery.ondine("bake block.toml -o stiff --set spring.coil.stiffness=400 --export none").with(0);
    Ok(bakery)
}

#[test]
fn columns_are_listed_with_their_units() -> Outcome {
    let bakery = baked()?;
    let said = bakery.ondine("plot out --list").with(0);
    said.saying(&["object.block.at.y [m]", "spring.coil.energy [J]", "spring.coil.tension [N]", "substeps"]);
    Ok(())
}

#[test]
fn one_bake_and_several_are_drawn() -> Outcome {
    let bakery = baked()?;
    bakery.ondine("plot out").with(0).saying(&["out/plot.svg"]);
    let svg = fs::read_to_string(bakery.path("out/plot.svg"))?;
    for part in [
        "<svg",
        "A block &amp; a spring",
        "time [s]",
        "object.block.kinetic_energy",
        "spring.coil.energy",
        "[J]",
    ] {
        assert!(svg.contains(part), "{part} is not in the plot");
    }
    bakery.ondine("plot out stiff --columns object.*.at.y,substeps -o both.svg --size 640x400").with(0);
    let svg = fs::read_to_string(bakery.path("both.svg"))?;
    for part in
        ["width=\"640\"", "out: object.block.at.y", "stiff: object.block.at.y", "at.y [m]", "substeps"]
    {
        assert!(svg.contains(part), "{part} is not in the plot");
    }
    assert!(svg.matches("<polyline").count() > 8);
    bakery.ondine("plot out --columns object.block.at.y -o height.png --size 320x200").with(0);
    let png = fs::read(bakery.path("height.png"))?;
    assert_eq!((&png[1..4], &png[16..24]), (&b"PNG"[..], &[0, 0, 1, 64, 0, 0, 0, 200][..]));
    Ok(())
}

#[test]
fn what_cannot_be_plotted_is_told_with_a_remedy() -> Outcome {
    let bakery = baked()?;
    bakery
        .ondine("plot out --columns object.blok.at.y")
        .with(1)
        .saying(&["did you mean \"object.block.at.y\"?"]);
    bakery.ondine("plot out --columns zebra").with(1).saying(&["no column \"zebra\"", "--list"]);
    bakery.ondine("plot out -o plot.pdf").with(1).saying(&["neither an .svg nor a .png", "end the name"]);
    bakery.ondine("plot nowhere").with(1).saying(&["nowhere"]);
    bakery.ondine("plot").with(1).saying(&["DIR"]);
    Ok(())
}
