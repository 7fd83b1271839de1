//! Amounts beyond the machine, physics beyond the steps, and what has no effect at all.

use super::*;

#[test]
fn amounts_beyond_any_machine_are_errors() {
    let cases: &[Case] = &[
        (
            |s| s.liquid[0].fill[0].shape = Shape::Box { size: [20.0; 3] },
            "liquid.water.fill.0.shape",
            "particles",
        ),
        (
            |s| s.liquid[0].fill[0].shape = Shape::Cylinder { radius: 1e-3, height: 1e6 },
            "liquid.water.fill.0.shape",
            "particles",
        ),
        (|s| s.liquid[0].spacing = 20.0, "liquid.water.fill.0.shape", "at most 0.05,"),
        (|s| s.liquid[0].fill[0].at[0] = 1e5, "liquid.water.fill.0.at", "too far"),
        (|s| s.liquid[0].emitter[0].at[0] = 1e5, "liquid.water.emitter.0.at", "too far"),
        (|s| s.liquid[0].emitter[0].radius = 1e3, "liquid.water.emitter.0", "particles a second"),
        (
            |s| s.event.push(event("liquid.water.emitter.0.velocity.y", Value::Number(1e4))),
            "liquid.water.emitter.0",
            "particles a second",
        ),
        (|s| s.liquid[0].thesis = Some(Thesis::default()), "liquid.water.thesis.h", "neighbours"),
        (
            |s| (s.liquid[0].model, s.liquid[0].sph.h) = (LiquidModel::Sph, Some(0.01)),
            "liquid.water.sph.h",
            "not feel",
        ),
        (
            |s| {
                (s.liquid[0].model, s.liquid[0].thesis) =
                    (LiquidModel::Sph, Some(Thesis { h: 0.04, ..Thesis::default() }))
            },
            "liquid.water.model",
            "one only",
        ),
        (
            |s| s.liquid.push(Liquid { name: "b".into(), spacing: 0.5, ..Default::default() }),
            "liquid.b.spacing",
            "finest",
        ),
    ];
    let mut scene = good();
    scene.liquid[0].emitter[0].radius = 0.2;
    scene.liquid[0].emitter[0].at[1] = 0.6;
    scene.object.truncate(1);
    scene.event.clear();
    assert_found(scene, cases, Severity::Error);
}

#[test]
fn what_has_no_effect_is_warned_of() {
    let cases: &[Case] = &[
        (
            |s| s.liquid.push(Liquid { name: "b".into(), ..Default::default() }),
            "liquid.b",
            "neither fill nor emitter",
        ),
        (
            |s| {
                (s.drain, s.kill_box, s.duration) = (vec![], None, 86_400.0);
                s.liquid[0].emitter[0].stop = None;
            },
            "liquid.water.emitter.0",
            "nothing takes them away",
        ),
        (|s| s.liquid[0].springs.plasticity = 1.0, "liquid.water.springs.plasticity", "no effect"),
        (|s| s.liquid[0].springs.yield_ratio = 0.1, "liquid.water.springs.yield_ratio", "no effect"),
        (|s| s.object[1].shape = Shape::Box { size: [1.0, 0.005, 1.0] }, "object.post.shape", "thin"),
        (|s| s.event[0].at = 9.0, "event.0.at", "ends at 4 s"),
        (
            |s| (s.liquid[0].emitter[0].start, s.liquid[0].emitter[0].stop) = (9.0, None),
            "liquid.water.emitter.0.start",
            "ends at 4 s",
        ),
        (|s| s.drain[0].start = 9.0, "drain.sink.start", "ends at 4 s"),
        (|s| s.camera = Some(Camera { at: [0.0; 3], ..Default::default() }), "camera.look_at", "very point"),
    ];
    assert_found(good(), cases, Severity::Warning);
}

#[test]
fn physics_beyond_the_steps_is_warned_of() {
    fn thesis(scene: &mut Scene, thesis: Thesis) {
        scene.liquid[0].thesis = Some(Thesis { h: 0.04, k: 1.0, k_near: 1.0, ..thesis });
    }
    fn sph(scene: &mut Scene, sph: Sph) {
        (scene.liquid[0].model, scene.liquid[0].sph) = (LiquidModel::Sph, sph);
    }
    fn none() -> Thesis {
        Thesis::default()
    }
    let cases: &[Case] = &[
        (|s| s.liquid[0].stiffness = Some(1e9), "liquid.water.stiffness", "max_substeps"),
        (|s| s.liquid[0].stiffness = Some(100.0), "liquid.water.stiffness", "remove it"),
        (|s| s.liquid[0].surface_tension = 1e5, "liquid.water.surface_tension", "mercury"),
        (|s| s.liquid[0].springs.stiffness = 1e9, "liquid.water.springs.stiffness", "write at most"),
        (|s| s.max_substeps = 3, "max_substeps", "expect"),
        (
            |s| s.liquid[0].thesis = Some(Thesis { h: 0.04, k: 100.0, ..none() }),
            "liquid.water.thesis.k",
            "at most 3.6",
        ),
        (|s| s.liquid[0].thesis = Some(Thesis { h: 0.04, ..none() }), "liquid.water.thesis.k_near", "0.2"),
        (
            |s| thesis(s, Thesis { h: 0.01, k_spring: 1e4, ..none() }),
            "liquid.water.thesis.k_spring",
            "above 1",
        ),
        (|s| thesis(s, Thesis { sigma: 1e4, ..none() }), "liquid.water.thesis.sigma", "passes"),
        (|s| thesis(s, Thesis { beta: 1e4, ..none() }), "liquid.water.thesis.beta", "above 10"),
        (|s| thesis(s, Thesis { alpha: 1.0, ..none() }), "liquid.water.thesis.alpha", "no springs"),
        (
            |s| thesis(s, Thesis { substeps: 500, ..none() }),
            "liquid.water.thesis.substeps",
            "max_substeps = 500",
        ),
        (|s| s.liquid[0].thesis = Some(Thesis { h: 0.01, ..none() }), "liquid.water.thesis.h", "not feel"),
        (|s| sph(s, Sph { k: Some(10.0), ..Sph::default() }), "liquid.water.sph.k", "like a gas"),
        (|s| sph(s, Sph { k: Some(1e9), ..Sph::default() }), "max_substeps", "dfsph"),
        (|s| s.liquid[0].sph.k = Some(1e3), "liquid.water.sph.k", "no effect"),
    ];
    assert_found(good(), cases, Severity::Warning);
}

#[test]
fn liquids_of_unlike_reach_are_warned_of() {
    let oil = |spacing| Liquid { name: "oil".into(), spacing, ..Preset::Oil.liquid() };
    let mut alike = good();
    alike.liquid.push(oil(0.02));
    alike.liquid.push(Liquid { name: "coarse".into(), ..oil(0.04) });
    assert!(alike.faults().iter().all(|f| !f.reason.contains("push each other")), "{:?}", alike.faults());
    let mut unlike = good();
    unlike.liquid.push(oil(0.06));
    let is_told = |f: &Fault| f.path == "liquid.oil.spacing" && f.severity == Severity::Warning;
    assert!(unlike.faults().iter().any(is_told), "{:?}", unlike.faults());
}
