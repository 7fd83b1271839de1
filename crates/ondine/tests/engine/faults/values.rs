//! Numbers and names, each on its own.

use super::*;

#[test]
fn numbers_out_of_range_are_errors() {
    let cases: &[Case] = &[
        (|s| s.fps = f32::NAN, "fps", "finite"),
        (|s| s.gravity[1] = f32::NEG_INFINITY, "gravity.1", "finite"),
        (|s| s.liquid[0].fill[0].at[2] = f32::NAN, "liquid.water.fill.0.at.2", "finite"),
        (|s| s.duration = 0.0, "duration", "out of range"),
        (|s| s.fps = 2000.0, "fps", "from 1 to 1000"),
        (|s| s.dimension = 4, "dimension", "from 2 to 3"),
        (|s| s.max_substeps = 0, "max_substeps", "from 1 to 10000"),
        (|s| s.liquid[0].spacing = 0.0, "liquid.water.spacing", "out of range"),
        (|s| s.liquid[0].density = -1.0, "liquid.water.density", "kg/m³"),
        (|s| s.liquid[0].support = Some(5.0), "liquid.water.support", "from 1.5 to 4"),
        (|s| s.liquid[0].compression = 0.0, "liquid.water.compression", "from 0.001 to 0.5"),
        (|s| s.liquid[0].stiffness = Some(0.0), "liquid.water.stiffness", "Pa"),
        (|s| s.liquid[0].springs.yield_ratio = 1.0, "liquid.water.springs.yield_ratio", "0.9"),
        (|s| s.liquid[0].viscosity.linear = -1.0, "liquid.water.viscosity.linear", "Pa·s"),
        (|s| s.liquid[0].lifetime = Some(0.0), "liquid.water.lifetime", "out of range"),
        (|s| s.liquid[0].color[0] = 2.0, "liquid.water.color.0", "from 0 to 1"),
        (
            |s| s.liquid[0].thesis = Some(Thesis { gamma: 2.0, h: 0.04, ..Default::default() }),
            "liquid.water.thesis.gamma",
            "0.9",
        ),
        (|s| s.liquid[0].emitter[0].radius = -1.0, "liquid.water.emitter.0.radius", "out of range"),
        (|s| s.liquid[0].emitter[0].velocity[1] = -2e4, "liquid.water.emitter.0.velocity.1", "m/s"),
        (|s| s.object[0].friction = 1.5, "object.floor.friction", "from 0 to 1"),
        (|s| s.object[1].at[0] = 2e6, "object.post.at.0", "1000000 m"),
        (
            |s| s.object[1].shape = Shape::Box { size: [1.0, -1.0, 1.0] },
            "object.post.shape.box.size.1",
            "out of range",
        ),
        (
            |s| s.drain[0].shape = Shape::Sphere { radius: 0.0 },
            "drain.sink.shape.sphere.radius",
            "out of range",
        ),
        (|s| s.kill_box = Some(Bounds { min: [f32::NAN; 3], max: [1.0; 3] }), "kill_box.min.0", "finite"),
        (|s| s.camera = Some(Camera { angle: 0.0, ..Default::default() }), "camera.angle", "from 1 to 150"),
        (|s| s.camera = Some(Camera { aperture: -1.0, ..Default::default() }), "camera.aperture", "1000 m"),
        (|s| s.light.sun_size = f32::NAN, "light.sun_size", "finite"),
        (|s| s.light.sky_strength = -1.0, "light.sky_strength", "from 0 to 1000"),
        (|s| s.light.sun = Some([0.0; 3]), "light.sun", "no direction"),
        (|s| s.lamp.push(Lamp { strength: -1.0, ..Default::default() }), "lamp.0.strength", "out of range"),
        (|s| s.lamp.push(Lamp { towards: [0.0; 3], ..Default::default() }), "lamp.0.towards", "no direction"),
        (|s| s.liquid[0].look.index = 0.5, "liquid.water.look.index", "from 1 to 4"),
        (|s| s.liquid[0].look.depth = 0.0, "liquid.water.look.depth", "out of range"),
        (|s| s.object[1].roughness = 2.0, "object.post.roughness", "from 0 to 1"),
    ];
    assert_found(good(), cases, Severity::Error);
}

#[test]
fn names_that_paths_cannot_use_are_errors() {
    let cases: &[Case] = &[
        (|s| s.liquid[0].name.clear(), "liquid.0.name", "no name"),
        (|s| s.liquid.push(s.liquid[0].clone()), "liquid.1.name", "another liquid"),
        (|s| s.object[1].name = "floor".into(), "object.1.name", "another object"),
        (|s| s.object[0].name = "the.floor".into(), "object.0.name", "dot"),
        (|s| s.drain[0].name = " sink".into(), "drain.0.name", "blank"),
    ];
    assert_found(good(), cases, Severity::Error);
}
