//! A run that blows up: said clearly, status 2, and nothing lost.

use crate::bakery::{Bakery, Outcome};
use std::fs;

/// A nozzle that spits a hundred times faster than the speed of sound that the frame was planned for.
const EVENT: &str = r#"
[[event]]
at = 0.21
set = { "liquid.water.emitter.0.velocity" = [0, -9000, 0] }
"#;

#[test]
fn a_runaway_stops_the_run_and_the_checkpoint_stands() -> Outcome {
    let bakery = Bakery::new()?;
    let scene = fs::read_to_string(bakery.path("tiny.toml"))?;
    fs::write(bakery.path("tiny.toml"), format!("{scene}{EVENT}"))?;
    let named = ["liquid.water", "ran away", "frame 7", "particle", "Likely cause", "last good checkpoint"];
    bakery.ondine("bake tiny.toml --export none").with(2).saying(&named);
    let hashes = bakery.hashes("out")?;
    assert_eq!(hashes.len(), 7, "frames 0 to 6 are good");
    // What stands can be gone on from: it fails again, at the same place.
    bakery.ondine("bake --resume -o out --export none").with(2).saying(&named);
    assert_eq!(bakery.hashes("out")?, hashes);
    Ok(())
}

/// A cube that one joint ties to the world and another to a cart that drives away.
const TORN: &str = r#"
title = "Torn"
duration = 4
fps = 30

[[object]]
name = "cube"
shape = { box = { size = [0.2, 0.2, 0.2] } }
motion = "free"

[[object]]
name = "cart"
shape = { box = { size = [0.1, 0.1, 0.1] } }
at = [0, 1, 0]
motion = "moving"
velocity = [2, 0, 0]

[[joint]]
name = "anchor"
kind = "ball"
object = "cube"
at = [0, 0, 0]

[[joint]]
name = "rope"
kind = "ball"
object = "cube"
to = "cart"
at = [0, 0, 0]
"#;

#[test]
fn what_objects_and_joints_do_wrong_stops_the_run() -> Outcome {
    let bakery = Bakery::new()?;
    fs::write(bakery.path("torn.toml"), TORN)?;
    let named = ["joint.", "torn apart", "frame", "Likely cause", "room to move", "last good checkpoint"];
    bakery.ondine("bake torn.toml --export none").with(2).saying(&named);
    Ok(())
}
