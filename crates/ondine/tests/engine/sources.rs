//! Where liquid comes from and where it goes: emitters, drains, lifetimes, the kill box.

use crate::scenes::*;
use glam::Vec3;
use ondine::scene::{
    Bounds, Drain, Drops, DropsFrom, Emitter, EmitterShape, Event, Object, Preset, Shape, Value,
};
use ondine::{Scene, World};

/// A weightless jet.
fn jet(fps: f32, dimension: u32, emitter: Emitter) -> Scene {
    let mut water = liquid("water", Preset::Water, 0.02);
    water.emitter = vec![emitter];
    Scene { fps, ..weightless(dimension, water) }
}

/// What flows is density × area × speed, whatever the shape of the nozzle and the frame rate.
#[test]
fn emitters_give_the_flow_they_promise() {
    let speed = 2.0;
    let round = disc(0.06, [0.0; 3], [0.0, -speed, 0.0]);
    let nozzle = Emitter {
        shape: EmitterShape::Rectangle,
        size: [0.08, 0.12],
        velocity: [speed * 0.6, 0.0, speed * 0.8],
        ..round.clone()
    };
    let slit = Emitter { velocity: [speed * 0.6, speed * 0.8, 0.0], ..round.clone() };
    let areas = [(3, round, std::f64::consts::PI * 0.0036), (3, nozzle, 0.0096), (2, slit, 0.12)];
    for (dimension, emitter, area) in areas {
        for fps in [24.0, 60.0] {
            // A hundred layers; the first leaves at once.
            let seconds = 1.0;
            let world = after(&jet(fps, dimension, emitter.clone()), (seconds * fps as f64) as u32);
            let wanted = 1000.0 * area * speed as f64 * seconds;
            let mass = measure(&world, 0).mass;
            println!("{dimension}D at {fps}: {mass} kg for {wanted}");
            assert!((mass / wanted - 1.0).abs() < 0.02, "{dimension}D at {fps}: {mass} kg for {wanted}");
        }
    }
}

/// Layers leave evenly, however steps and frames fall: nobody is crowded in the first 0.15 m, which the emitter makes, nor
/// in the plane farther down. (The front, and in space the skin, are surface tension's.)
#[test]
fn a_free_jet_is_evenly_spaced_at_any_frame_rate() {
    for (dimension, reach) in [(2, 0.3), (3, 0.15)] {
        for fps in [24.0, 30.0, 60.0] {
            let scene = jet(fps, dimension, disc(0.06, [0.0; 3], [1.02, -1.36, 0.0]));
            let world = after(&scene, (0.3 * fps) as u32);
            let points = positions(&world);
            let gaps = nearest(&points);
            let near: Vec<f32> = (points.iter().zip(&gaps))
                .filter(|(p, _)| distance(p, &[0.0; 3]) < reach)
                .map(|(_, gap)| gap / 0.02)
                .collect();
            let least = near.iter().fold(f32::INFINITY, |a, b| a.min(*b));
            println!("{dimension}D at {fps}: {} particles, nearest {least} spacings", near.len());
            assert!(near.len() > 80);
            assert!(least > 0.5, "{dimension}D at {fps}: {least} spacings");
        }
    }
}

/// A nozzle that is open from 0.13 s to 0.389 s lets 0.518 m of a jet of 2 m/s pass, 25.9 layers of ten,
/// the middle of which stands 1.481 m away at 1 s. Nothing acts on their centre, whatever they do to each other, but for the
/// nozzle: what leaves it is denser than settled liquid by a little, and pushes off from what is still inside.
#[test]
fn emitters_open_and_close_when_told() {
    let emitter = Emitter { start: 0.13, stop: Some(0.389), ..disc(0.1, [0.0; 3], [0.0, -2.0, 0.0]) };
    for fps in [24.0, 30.0, 60.0] {
        let mut world = world(&jet(fps, 2, emitter.clone()));
        advance(&mut world, (0.12 * fps) as u32);
        assert_eq!(measure(&world, 0).particles, 0, "closed before its time");
        advance(&mut world, fps as u32 - (0.12 * fps) as u32);
        let now = measure(&world, 0);
        assert_eq!((now.particles, now.emitted), (259, 259), "at {fps}");
        assert!((now.center[1] - -1.481).abs() < 0.01, "the centre is at {} at {fps}", now.center[1]);
    }
}

/// A weightless lattice that drifts to the right at 1 m/s, too loose for its particles to notice each other.
fn drift(change: impl Fn(&mut Scene)) -> Scene {
    let mut dust = liquid("dust", Preset::Water, 0.1);
    dust.surface_tension = 0.0;
    let all: Vec<_> = (0..100)
        .map(|i| ([-0.05 - 0.5 * (i % 10) as f32, 0.5 * (i / 10) as f32, 0.0], [1.0, 0.0, 0.0]))
        .collect();
    dust.fill = particles(0.1, &all);
    let mut scene = weightless(2, dust);
    change(&mut scene);
    scene
}

/// Columns of ten stand at −0.05, −0.55, …: after n half seconds n of them are past x = 0.
#[test]
fn drains_and_kill_boxes_take_who_enters_or_leaves_and_nobody_else() {
    let drained = drift(|scene| {
        let shape = Shape::Box { size: [1.0, 20.0, 1.0] };
        scene.drain = vec![Drain {
            name: "drain".into(),
            shape,
            at: [0.5, 0.0, 0.0],
            rotate: [0.0; 3],
            start: 0.0,
            stop: None,
        }];
    });
    let boxed = drift(|scene| {
        scene.kill_box = Some(Bounds { min: [-9.0; 3], max: [0.0, 9.0, 9.0] });
    });
    for scene in [drained, boxed] {
        let mut world = world(&scene);
        for gone in 0..=6 {
            let now = measure(&world, 0);
            assert_eq!((now.particles, now.removed), (100 - 10 * gone, 10 * gone));
            assert_eq!(now.emitted, now.particles + now.removed);
            let mut ids = world.frame().particles[0].id.clone();
            ids.sort_unstable();
            let wanted: Vec<u32> = (0..100).filter(|i| i % 10 >= gone as u32).collect();
            assert_eq!(ids, wanted, "those ahead have gone, with their names");
            advance(&mut world, 15);
        }
    }
}

/// A drain takes only while it is open.
#[test]
fn drains_open_and_close_when_told() {
    let scene = drift(|scene| {
        scene.drain = vec![Drain {
            name: "drain".into(),
            shape: Shape::Box { size: [0.3, 20.0, 1.0] },
            at: [0.15, 0.0, 0.0],
            rotate: [0.0; 3],
            start: 0.9,
            stop: Some(2.0),
        }];
    });
    // Columns enter at 0.05, 0.55, 1.05, 1.55, 2.05 … and need 0.3 s to pass: those of 1.05 and 1.55 find it open.
    let now = measure(&after(&scene, 120), 0);
    assert_eq!((now.particles, now.removed), (80, 20));
}

/// A jet whose particles live 0.2 s holds 0.2 s of flow, for ever.
#[test]
fn particles_die_at_their_age() {
    let mut scene = jet(30.0, 2, disc(0.1, [0.0; 3], [0.0, -1.5, 0.0]));
    scene.liquid[0].lifetime = Some(0.2);
    let mut world = after(&scene, 15);
    for _ in 0..15 {
        advance(&mut world, 1);
        let now = measure(&world, 0);
        // 0.3 m of jet: 15 layers of ten, give or take the one that is leaving.
        assert!((140..=160).contains(&now.particles), "{}", now.particles);
        assert_eq!(now.emitted, now.particles + now.removed);
    }
    assert!(measure(&world, 0).removed > 500);
}

/// An event that raises the stiffness from 0 bonds the liquid; one that lowers it to 0 sets it free.
#[test]
fn events_switch_springs_on_and_off() {
    let mut gel = liquid("gel", Preset::Jelly, 0.05);
    gel.springs.stiffness = 0.0;
    gel.fill = vec![block([0.5; 3], [0.0; 3])];
    let set = |at: f32, value: f32| Event {
        at,
        set: [("liquid.gel.springs.stiffness".to_string(), Value::Number(value))].into(),
    };
    let scene = Scene { event: vec![set(0.4, 0.0), set(0.2, 4000.0)], ..weightless(2, gel) };
    let mut world = world(&scene);
    let mut counts = Vec::new();
    for _ in 0..18 {
        advance(&mut world, 1);
        counts.push(measure(&world, 0).springs);
    }
    assert!(counts[..6].iter().all(|&n| n == 0), "{counts:?}");
    assert!(counts[6..12].iter().all(|&n| n > 300), "{counts:?}");
    assert!(counts[12..].iter().all(|&n| n == 0), "{counts:?}");
}

fn rain(drops: Drops, planar: bool) -> Scene {
    let mut liquid = Preset::Water.liquid();
    (liquid.name, liquid.spacing, liquid.drops) = ("rain".into(), 0.01, vec![drops]);
    Scene {
        dimension: if planar { 2 } else { 3 },
        gravity: [0.0; 3],
        duration: 4.0,
        liquid: vec![liquid],
        ..Scene::default()
    }
}

fn drops(shape: Shape, from: DropsFrom) -> Drops {
    Drops { from, ..Drops::new(shape, 50.0) }
}

/// So many drops a second as asked, everywhere in a shape, the same whatever the frames.
#[test]
fn drops_come_at_their_rate_and_everywhere() {
    for planar in [false, true] {
        let shape = Shape::Box { size: [4.0, 2.0, 4.0] };
        let scene = rain(drops(shape, DropsFrom::Volume), planar);
        let run = |fps: f32| {
            let mut world = World::new(&Scene { fps, ..scene.clone() }).expect("a sound scene");
            (0..(4.0 * fps) as u32).for_each(|_| world.advance().expect("it goes on"));
            world.frame().particles[0].position.clone()
        };
        let all = run(30.0);
        assert!(all.len().abs_diff(200) <= 2, "{} drops in 4 s", all.len());
        assert!(all.iter().all(|p| p[0].abs() < 2.01 && p[1].abs() < 1.01 && p[2].abs() < 2.01));
        let left = all.iter().filter(|p| p[0] < 0.0).count();
        assert!((70..130).contains(&left), "{left} of 200 in the left half");
        assert!(all.iter().all(|p| !planar || p[2] == 0.0));
        let finer = run(120.0);
        assert!(finer.len().abs_diff(all.len()) <= 1);
        let same = all.iter().filter(|p| finer.contains(p)).count();
        assert!(same + 8 > all.len(), "{same} of {} are where they were", all.len());
    }
}

/// A ball sweats: drops of several particles begin outside of it, and leave it at the speed that is asked for.
#[test]
fn drops_leave_a_surface_outwards() {
    let mut sweat = drops(Shape::Sphere { radius: 0.5 }, DropsFrom::Surface);
    (sweat.radius, sweat.outward) = (Some(0.02), 0.3);
    let mut scene = rain(sweat, false);
    scene.object.push(Object::new("ball", Shape::Sphere { radius: 0.5 }, [0.0; 3]));
    let mut world = World::new(&scene).expect("a sound scene");
    (0..30).for_each(|_| world.advance().expect("it goes on"));
    let frame = world.frame();
    let water = &frame.particles[0];
    // 4/3 π 2³ = 33.5 particles a drop.
    assert!((40 * 33..=51 * 34).contains(&water.id.len()), "{}", water.id.len());
    assert_eq!(world.ledger().systems[0].leaks, 0);
    let mut outward = 0.0;
    for (p, v) in water.position.iter().zip(&water.velocity) {
        let (p, v) = (Vec3::from(*p), Vec3::from(*v));
        assert!(p.length() > 0.5 && p.length() < 1.0, "{p}");
        outward += v.dot(p.normalize()) / water.id.len() as f32;
    }
    // Drops tremble, and some meet.
    assert!((outward / 0.3 - 1.0).abs() < 0.05, "{outward}");
}

/// Where there is no room a drop is left out: a small shape that is full stays as it is, and nothing bursts.
#[test]
fn drops_without_room_are_left_out() {
    let mut many = drops(Shape::Box { size: [0.03; 3] }, DropsFrom::Volume);
    many.rate = 1000.0;
    let mut world = World::new(&rain(many, false)).expect("a sound scene");
    (0..30).for_each(|_| world.advance().expect("it goes on"));
    let ledger = &world.ledger().systems[0];
    assert!(ledger.particles < 120 && ledger.max_speed < 0.5, "{} at {}", ledger.particles, ledger.max_speed);
}
