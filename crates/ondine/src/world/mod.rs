//! The whole simulated state, and its step.

mod systems;
mod timeline;
mod watch;

pub use watch::Failure;

use crate::contact::broad::Group;
use crate::contact::objects as object_contact;
use crate::contact::points::Points;
use crate::contact::pushes::{self, Announced, Push};
use crate::contact::unlike::Unlike;
use crate::digest;
use crate::frame::{Frame, Ledger};
use crate::health::Budget;
use crate::objects::{Bodies, Body, Cling, GROWTH, Meshes, Solid};
use crate::parallel;
use crate::rest::{self, Rest};
use crate::scene::{Fault, Scene, Severity};
use crate::step::{Phase, Step};
use crate::system::Ahead;
use serde::{Deserialize, Serialize};
use systems::Systems;
use timeline::Live;

/// Longest step of free objects [s]: contacts and joints among them drift in longer ones.
const LONGEST_RIGID: f32 = 1.0 / 120.0;

/// The whole simulated state and nothing else: cloning it, or writing it out, is a checkpoint.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct World {
    /// The scene as it was written, its events in order of time.
    pub(crate) scene: Scene,
    /// After the scene: `restore.rs` reads both first.
    pub(crate) bodies: Bodies,
    pub(crate) frame: u32,
    /// Events that have happened.
    pub(crate) events_done: u32,
    /// Steps taken for the last frame.
    substeps: u32,
    /// What events and tracks have changed so far, beyond bodies and systems.
    pub(crate) live: Live,
    pub(crate) systems: Systems,
    /// For how long all has been still.
    pub(crate) rest: Rest,
    /// What it has been given, and so what it may have.
    pub(crate) budget: Budget,
    #[serde(skip)]
    unlike: Unlike,
}

impl World {
    /// Builds the world at time 0. All errors of the scene at once, if there are any.
    pub fn new(scene: &Scene) -> Result<World, Vec<Fault>> {
        let faults: Vec<Fault> =
            scene.faults().into_iter().filter(|f| f.severity == Severity::Error).collect();
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut scene = scene.clone();
        // Events act in order of time, those of one instant in order of writing.
        scene.event.sort_by(|a, b| a.at.total_cmp(&b.at));
        let bodies = Bodies::new(&scene);
        let systems = Systems::new(&scene, &bodies.solids(&[]));
        let mut world = World {
            live: Live::new(&scene),
            scene,
            frame: 0,
            events_done: 0,
            substeps: 0,
            systems,
            bodies,
            rest: Rest::default(),
            budget: Budget::default(),
            unlike: Unlike::default(),
        };
        world.begin_budget();
        Ok(world)
    }

    /// The scene as it was written, its events in order of time.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Frames advanced so far.
    pub fn frame_index(&self) -> u32 {
        self.frame
    }

    /// Advances by one frame (1/fps), in as many substeps as it takes. On failure the world is not to be used.
    pub fn advance(&mut self) -> Result<(), Failure> {
        self.advance_watched(&|_| ())
    }

    /// As [`World::advance`], telling `watch` which part of a step begins: the engine has no clock, its caller may.
    pub fn advance_watched(&mut self, watch: &(dyn Fn(Phase) + Sync)) -> Result<(), Failure> {
        parallel::enter(|| self.advance_inside(watch))
    }

    fn advance_inside(&mut self, watch: &dyn Fn(Phase)) -> Result<(), Failure> {
        let start = self.time();
        self.bodies.wake(&self.scene);
        if self.sleeps_on(start) {
            return Ok(());
        }
        self.bodies.begin_frame();
        let steps = self.plan();
        let dt = (1.0 / self.scene.fps as f64 / steps as f64) as f32;
        for i in 0..steps {
            let time = start + i as f64 / (steps as f64 * self.scene.fps as f64);
            self.substep(time, dt, watch)?;
        }
        self.check_joints()?;
        self.end_frame(watch)?;
        self.substeps = steps;
        self.frame += 1;
        if self.rest.look(&self.scene, self.live.gravity, &self.systems.all(), &self.bodies) {
            self.systems.all_mut().into_iter().for_each(|system| system.halt());
            self.bodies.halt();
        }
        Ok(())
    }

    /// Whether nothing happens in the frame that begins at `start`: all is at rest, and nothing disturbs it (`rest.rs`).
    fn sleeps_on(&mut self, start: f64) -> bool {
        if !self.rest.is_reached(&self.scene) {
            return false;
        }
        let span = [start, start + 1.0 / self.scene.fps as f64];
        if rest::is_disturbed(&self.scene, self.events_done, &self.systems.all(), &self.bodies, span) {
            self.rest = Rest::default();
            return false;
        }
        // The camera may move all the same.
        self.follow_timeline(start);
        self.bodies.begin_frame();
        self.substeps = 0;
        self.frame += 1;
        true
    }

    /// Cuts the next frame into as many steps as whoever needs most, and tells everyone.
    fn plan(&mut self) -> u32 {
        let (dt, planar, gravity) = (1.0 / self.scene.fps, self.scene.planar(), self.live.gravity.into());
        let fall = glam::Vec3::length(gravity) * dt;
        let any_free = self.bodies.any_free();
        let ahead = Ahead { dt, gravity, planar, fastest: self.bodies.fastest(planar, fall), any_free };
        let wanted = self.systems.all_mut().map(|system| system.plan(&ahead));
        let rigid = if any_free { (dt / LONGEST_RIGID).ceil() as u32 } else { 1 };
        let steps = wanted.into_iter().fold(rigid, u32::max).min(self.scene.max_substeps);
        self.systems.all_mut().into_iter().for_each(|system| system.begin_frame(&ahead, steps));
        self.note_budget(1.0 / (self.scene.fps * steps as f32));
        steps
    }

    /// One step: the table of contents of the physics.
    fn substep(&mut self, time: f64, dt: f32, watch: &dyn Fn(Phase)) -> Result<(), Failure> {
        self.follow_timeline(time);
        let Self { scene, bodies, systems, budget, live, unlike, .. } = self;
        let (planar, free) = (scene.planar(), bodies.free().count());
        let alone = Step { time, dt, gravity: live.gravity.into(), planar, scene, solids: &[], free, watch };
        bodies.go_ahead(&alone);
        budget.note_driven(bodies.led(planar));
        make_room(bodies, systems, budget, dt);
        let clings = clings(systems);
        let solids = bodies.solids(&clings);
        let step = Step { solids: &solids, ..alone };
        systems.all_mut().into_iter().for_each(|system| budget.give(system.emit_and_drain(&step)));
        let walls = predict(systems, bodies, &step);
        watch(Phase::Contact);
        let mut points: Vec<Points> = systems.all_mut().into_iter().flat_map(|s| s.points(planar)).collect();
        unlike.push_apart(&mut points, planar);
        let groups: Vec<Vec<Group>> = points.iter().map(|p| Group::all(p.position, p.previous)).collect();
        let announced = estimate_pushes(bodies, &points, &groups, &walls, &step);
        if let Err(n) = bodies.advance(&announced, &step, budget.fastest()) {
            return Err(watch::failure_of_object(n, self.frame + 1, bodies, systems, &step));
        }
        let moved = bodies.solids(&clings);
        let taken = resolve_contacts(&mut points, &groups, &moved, &step);
        bodies.settle(&announced, &taken);
        watch(Phase::Other);
        watch::finish(systems, bodies, budget, self.frame + 1, &step)
    }

    /// After the last step of a frame.
    fn end_frame(&mut self, watch: &dyn Fn(Phase)) -> Result<(), Failure> {
        let Self { scene, bodies, systems, live, frame, .. } = self;
        let solids = bodies.solids(&clings(systems));
        let time = (*frame + 1) as f64 / scene.fps as f64;
        let (planar, free) = (scene.planar(), bodies.free().count());
        let step =
            Step { time, dt: 0.0, gravity: live.gravity.into(), planar, scene, solids: &solids, free, watch };
        for system in systems.all_mut() {
            system.end_frame(&step, *frame).map_err(|ailment| Failure::of(ailment, *frame + 1, time))?;
        }
        Ok(())
    }

    /// Time since the start [s].
    pub fn time(&self) -> f64 {
        self.frame as f64 / self.scene.fps as f64
    }

    /// What can be seen now.
    pub fn frame(&self) -> Frame {
        let particles = self.systems.all().iter().flat_map(|system| system.frame()).collect();
        Frame { index: self.frame, time: self.time(), particles, objects: self.bodies.poses() }
    }

    /// What can be measured now.
    pub fn ledger(&self) -> Ledger {
        let (solids, gravity) = (self.bodies.solids(&[]), self.live.gravity.into());
        let systems = self.systems.all();
        let measures = systems.iter().flat_map(|s| s.ledger(gravity, self.scene.planar(), &solids));
        Ledger {
            frame: self.frame,
            time: self.time(),
            substeps: self.substeps,
            hash: format!("{:016x}", self.hash()),
            systems: measures.collect(),
            objects: self.bodies.ledger(gravity),
        }
    }

    /// A hash of all that a checkpoint holds: equal states have equal hashes, on every machine and with any number of threads. Only the
    /// meshes that the scene names, which are large and never change, are left out.
    pub fn hash(&self) -> u64 {
        let Self { scene, bodies, frame, events_done, substeps, live, systems, rest, budget, unlike: _ } =
            self;
        let scene = Scene { meshes: Meshes::default(), ..scene.clone() };
        digest::hash(&((scene, frame, events_done, substeps, live), (bodies, systems, rest, budget)))
    }
}

/// What objects must know of all systems' members to hold on to them, in the order of their points.
fn clings(systems: &Systems) -> Vec<Cling> {
    systems.all().iter().flat_map(|system| system.clings()).collect()
}

/// Objects that have just been brought back grow, where there is anything in them.
fn make_room(bodies: &mut Bodies, systems: &Systems, budget: &mut Budget, dt: f32) {
    let deepest =
        |solid: &Solid| systems.all().iter().map(|system| system.depth_in(solid)).fold(0.0, f32::max);
    if bodies.appear(dt, deepest) {
        budget.note_driven(GROWTH);
    }
}

/// Each system up to its predicted positions. Returns what free objects get as walls.
fn predict(systems: &mut Systems, bodies: &mut Bodies, step: &Step) -> Vec<Push> {
    let each = systems.all_mut().map(|system| system.predict(step, bodies));
    pushes::sum(each, step.free)
}

/// 000 Algorithm 7 lines 5 to 9: on objects moved ahead, nothing else moves.
fn estimate_pushes(
    bodies: &mut Bodies,
    points: &[Points],
    groups: &[Vec<Group>],
    walls: &[Push],
    step: &Step,
) -> Vec<Announced> {
    let announce = |body: &mut Body, n: usize| {
        let solid = step.solids.iter().find(|s| s.free == Some(n as u32));
        solid.map_or(Announced::default(), |solid| {
            pushes::announce(body, solid, points, groups, walls[n], step)
        })
    };
    bodies.free_mut().enumerate().map(|(n, body)| announce(body, n)).collect()
}

/// 000 Algorithm 7 lines 12 to 15. Returns what free objects get for it.
fn resolve_contacts(
    points: &mut [Points],
    groups: &[Vec<Group>],
    solids: &[Solid],
    step: &Step,
) -> Vec<Push> {
    let all = points.iter_mut().zip(groups).enumerate();
    let each = all.map(|(n, (points, groups))| object_contact::resolve(points, n, groups, solids, step));
    pushes::sum(each, step.free)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::PLAIN_ONLY;
    use crate::scene::{self, Arrangement, Fill, Object, Preset, Shape};
    use glam::Vec3;
    use std::sync::atomic::Ordering;

    /// Two liquids, one with springs, in a box.
    fn busy(dimension: u32) -> World {
        let fill = |x| Fill {
            shape: Shape::Box { size: [0.3, 0.4, 0.2] },
            at: [x, 0.25, 0.0],
            rotate: [0.0; 3],
            velocity: [-3.0 * x, 0.0, 0.0],
            arrangement: Arrangement::Relaxed,
        };
        let liquid = |name: &str, material: Preset, x| scene::Liquid {
            name: name.into(),
            spacing: if dimension == 2 { 0.02 } else { 0.04 },
            fill: vec![fill(x)],
            ..material.liquid()
        };
        let tank =
            Object::new("tank", Shape::Container { size: [1.0, 1.0, 0.25], open: false }, [0.0, 0.5, 0.0]);
        let liquids = vec![liquid("water", Preset::Water, -0.2), liquid("mud", Preset::Mud, 0.2)];
        let scene = Scene { dimension, liquid: liquids, object: vec![tank], ..Scene::default() };
        World::new(&scene).expect("a sound scene")
    }

    /// Which lanes run cannot be seen in the result (see `lanes.rs`).
    #[test]
    fn wide_and_plain_lanes_give_the_same_world() {
        for dimension in [2, 3] {
            let hashes = |plain: bool| {
                PLAIN_ONLY.store(plain, Ordering::Relaxed);
                let mut world = busy(dimension);
                let all: Vec<u64> =
                    (0..8).map(|_| world.advance().map(|()| world.hash()).expect("a step")).collect();
                PLAIN_ONLY.store(false, Ordering::Relaxed);
                all
            };
            let plain = hashes(true);
            assert_ne!(plain[6], plain[7], "something happens");
            assert_eq!(plain, hashes(false));
        }
    }

    /// A pool with a wooden cube on it.
    fn floating() -> World {
        let cube = Object {
            motion: scene::Motion::Free,
            ..Object::new("cube", Shape::Box { size: [0.2; 3] }, [0.0, 0.7, 0.0])
        };
        let mut scene = busy(3).scene;
        scene.object.push(cube);
        World::new(&scene).expect("a sound scene")
    }

    /// An object that is no number, or much too fast, is told by its name, before the rigid solver or the liquid gets to see it.
    #[test]
    fn objects_that_break_down_are_told_by_name() {
        for (speed, said) in
            [(f32::NAN, "no longer a number"), (f32::INFINITY, "no longer a number"), (5000.0, "ran away")]
        {
            let mut world = floating();
            world.advance().expect("a healthy frame");
            for body in world.bodies.free_mut() {
                body.velocity.x = speed;
            }
            let failure = world.advance().expect_err("it must stop");
            assert_eq!((failure.system.as_str(), failure.particle, failure.frame), ("object.cube", None, 2));
            assert!(failure.what.contains(said), "{failure}");
        }
    }

    /// A particle that is no number is told itself, not the object that it pushed.
    #[test]
    fn a_broken_particle_is_told_before_what_it_touches() {
        let mut world = floating();
        world.systems.liquids.all[1].particles.velocity.set(5, Vec3::NAN);
        let id = world.systems.liquids.all[1].particles.id[5];
        let failure = world.advance().expect_err("it must stop");
        assert_eq!((failure.system.as_str(), failure.particle), ("liquid.mud", Some(id)));
    }

    /// A pool whose particles begin to fly at a speed that each of them might have, but not all.
    #[test]
    fn energy_from_nowhere_stops_the_run() {
        let mut world = floating();
        (0..5).for_each(|_| world.advance().expect("a healthy frame"));
        let velocity = &mut world.systems.liquids.all[0].particles.velocity;
        (0..velocity.len()).for_each(|i| velocity.set(i, Vec3::Y * if i % 2 == 0 { 60.0 } else { -60.0 }));
        let failure = world.advance().expect_err("it must stop");
        assert_eq!(failure.system, "liquid.water");
        assert!(failure.what.contains("energy that nothing gave it"), "{failure}");
    }
}
