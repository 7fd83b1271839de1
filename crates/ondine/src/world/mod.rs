//! The whole simulated state, and its step.

mod edits;
mod systems;
mod timeline;
mod view;
mod watch;

pub use view::{Hit, Impact, Nearby, Party, SystemView, Vectors};
pub use watch::Failure;

use crate::contact::broad::Group;
use crate::contact::floater::Floater;
use crate::contact::impulse::{self, Impulse};
use crate::contact::objects as object_contact;
use crate::contact::points::Points;
use crate::contact::prediction::{self, Predicted};
use crate::contact::unlike::Unlike;
use crate::digest;
use crate::frame::{Frame, Ledger, Pose};
use crate::health::Budget;
use crate::objects::{Bodies, Cling, Collider, GROWTH};
use crate::parallel;
use crate::rest::{self, Rest};
use crate::scene::{Fault, Motion, Recorded, Scene, Severity, added};
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
    /// The scene as it was written, its events in order of time, without its edits.
    pub(crate) scene: Scene,
    /// All edits, in order of frames: the scene's own and those that were made since.
    pub(crate) edits: Vec<Recorded>,
    /// Edits that have happened.
    pub(crate) edits_done: u32,
    /// After the scene and its edits: `restore.rs` reads these first.
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
        let edits = std::mem::take(&mut scene.edit);
        let bodies = Bodies::new(&scene);
        let systems = Systems::new(&scene, &bodies.colliders(&[]));
        let mut world = World {
            live: Live::new(&scene),
            scene,
            edits,
            edits_done: 0,
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

    /// The scene as it was written, its events in order of time; its edits are in [`World::edits`].
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Frames advanced so far.
    pub fn frame_index(&self) -> u32 {
        self.frame
    }

    /// Advances by one frame (1/fps), in as many substeps as it takes. A game with a fixed step of its own sets the scene's `fps` to one over
    /// that step. On failure the world is not to be used: see [`World::advance_or_keep`].
    pub fn advance(&mut self) -> Result<(), Failure> {
        self.advance_watched(&|_| ())
    }

    /// As [`World::advance`], telling `watch` which part of a step begins: the engine has no clock, its caller may.
    pub fn advance_watched(&mut self, watch: &(dyn Fn(Phase) + Sync)) -> Result<(), Failure> {
        parallel::enter(|| self.advance_inside(watch))
    }

    /// As [`World::advance`], but a failure leaves the world as it was before, with the edits that were to happen
    /// ([`World::withdraw_edits`] takes them back). It works on a copy: that is what it costs.
    pub fn advance_or_keep(&mut self) -> Result<(), Failure> {
        let mut next = self.clone();
        next.advance()?;
        *self = next;
        Ok(())
    }

    /// Goes on to a later frame; of an earlier one, begin with a new world. What follows from the time alone (effects on parabolas and paths
    /// of their own, among objects that are fixed) goes there at once, to the same bits as frame by frame; all else frame by frame.
    pub fn seek(&mut self, frame: u32) -> Result<(), Failure> {
        if frame > self.frame + 1 && self.follows_from_time() {
            self.jump(frame - 1);
        }
        (self.frame..frame).try_for_each(|_| self.advance())
    }

    /// Whether all in it follows from the time alone, from now on.
    fn follows_from_time(&self) -> bool {
        let seen = |path: &str| path.starts_with("camera.");
        let events = self.scene.event.iter().flat_map(|event| event.set.keys());
        let mut paths = events.chain(self.scene.track.iter().map(|track| &track.path));
        paths.all(|path| seen(path))
            && self.edits.len() == self.edits_done as usize
            && self.scene.drain.is_empty()
            && self.scene.kill_box.is_none()
            && self.bodies.objects().all(|object| object.motion == Motion::Fixed)
            && self.systems.all().iter().all(|system| system.follows_from_time())
    }

    /// Goes to a frame at once.
    fn jump(&mut self, to: u32) {
        let (time, end) = (self.time(), to as f64 / self.scene.fps as f64);
        self.bodies.wake(&self.scene);
        let Self { scene, edits, edits_done, bodies, systems, live, .. } = self;
        let (colliders, planar) = (bodies.colliders(&clings(systems)), scene.planar());
        let step = Step {
            time,
            dt: (end - time) as f32,
            gravity: live.gravity.into(),
            wind: live.wind.into(),
            planar,
            scene,
            edits: &edits[..*edits_done as usize],
            colliders: &colliders,
            free: 0,
            watch: &|_| (),
        };
        systems.all_mut().into_iter().for_each(|system| system.seek(&step, end));
        self.frame = to;
    }

    fn advance_inside(&mut self, watch: &dyn Fn(Phase)) -> Result<(), Failure> {
        let start = self.time();
        self.bodies.wake(&self.scene);
        self.apply_edits();
        if self.sleeps_on(start) {
            return Ok(());
        }
        self.bodies.begin_frame();
        let steps = self.plan();
        self.systems.show_surfaces();
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
        let Self { scene, edits, edits_done, bodies, systems, budget, live, unlike, .. } = self;
        let (gravity, wind) = (live.gravity.into(), live.wind.into());
        let (planar, edits) = (scene.planar(), &edits[..*edits_done as usize]);
        let alone = Step { time, dt, gravity, wind, planar, scene, edits, colliders: &[], free: 0, watch };
        go_ahead(bodies, systems, budget, &alone);
        let clings = clings(systems);
        let (colliders, mut floaters) =
            (colliders(bodies, systems, &clings), floaters(bodies, systems, &alone));
        let step = Step { colliders: &colliders, free: floaters.len(), ..alone };
        systems.all_mut().into_iter().for_each(|system| budget.give(system.emit_and_drain(&step)));
        let walls = predict(systems, &mut floaters, &step);
        watch(Phase::Contact);
        let mut points = points(systems, &step);
        unlike.push_apart(&mut points, step.planar);
        let groups: Vec<Vec<Group>> = points.iter().map(|p| Group::all(p.position, p.previous)).collect();
        let mut predicted = predict_impulses(&mut floaters, &points, &groups, &walls, &step);
        move_rigid_parts(systems, bodies, &floaters, &mut predicted, &step);
        bodies.note_crowds(&floaters);
        let held = bodies.spring_energy();
        if let Err(n) = bodies.advance(&predicted, &step, budget.fastest()) {
            return Err(watch::failure_of_object(n, self.frame + 1, bodies, systems, &step));
        }
        budget.give(held - bodies.spring_energy());
        let moved = self::colliders(bodies, systems, &clings);
        let taken = resolve_contacts(&mut self::points(systems, &step), &groups, &moved, &step);
        defer(systems, bodies, &predicted, &taken, &step);
        watch(Phase::Other);
        watch::finish(systems, bodies, budget, self.frame + 1, &step, &moved)
    }

    /// After the last step of a frame.
    fn end_frame(&mut self, watch: &dyn Fn(Phase)) -> Result<(), Failure> {
        let Self { scene, edits, edits_done, bodies, systems, live, frame, .. } = self;
        let colliders = bodies.colliders(&clings(systems));
        let time = (*frame + 1) as f64 / scene.fps as f64;
        let (planar, free) = (scene.planar(), bodies.floaters().len());
        let step = Step {
            time,
            dt: 0.0,
            gravity: live.gravity.into(),
            wind: live.wind.into(),
            planar,
            scene,
            edits: &edits[..*edits_done as usize],
            colliders: &colliders,
            free,
            watch,
        };
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
        let particles =
            self.systems.all().iter().flat_map(|system| system.frame(self.scene.planar())).collect();
        let to_come = added(&self.edits[self.edits_done as usize..]).map(Pose::of_nothing);
        let objects = self.bodies.poses().into_iter().chain(to_come).collect();
        Frame { index: self.frame, time: self.time(), particles, objects }
    }

    /// What can be measured now.
    pub fn ledger(&self) -> Ledger {
        let (colliders, gravity) = (self.bodies.colliders(&[]), self.live.gravity.into());
        let systems = self.systems.all();
        let measures = systems.iter().flat_map(|s| s.ledger(gravity, self.scene.planar(), &colliders));
        Ledger {
            frame: self.frame,
            time: self.time(),
            substeps: self.substeps,
            hash: format!("{:016x}", self.hash()),
            systems: measures.collect(),
            objects: self.bodies.ledger(gravity),
            springs: self.bodies.spring_ledger(),
        }
    }

    /// A hash of all that a checkpoint holds: equal states have equal hashes, on every machine and with any number of threads. Left out
    /// are the meshes that the scene names, which are large and never change, what it is called and how long it goes on, and the edits
    /// that are still to come: a session and the scene that was recorded of it agree at every frame.
    pub fn hash(&self) -> u64 {
        let Self { edits: _, edits_done, bodies, frame, events_done, substeps, live, systems, rest, .. } =
            self;
        let Self { scene: written, budget, unlike: _, .. } = self;
        let Scene { title, duration, meshes, .. } = Scene::default();
        let scene = Scene { title, duration, meshes, ..written.clone() };
        let given = (scene, self.edits_so_far(), edits_done);
        digest::hash(&(given, (frame, events_done, substeps, live), (bodies, systems, rest, budget)))
    }
}

/// What objects must know of all systems' members to hold on to them, in the order of their points.
fn clings(systems: &Systems) -> Vec<Cling> {
    systems.all().iter().flat_map(|system| system.clings()).collect()
}

/// 000 Algorithm 7 line 3: all that is rigid goes ahead. Objects that have just been brought back grow, where there is anything in them.
fn go_ahead(bodies: &mut Bodies, systems: &mut Systems, budget: &mut Budget, step: &Step) {
    budget.note_given(bodies.go_ahead(step));
    budget.note_driven(bodies.led(step.planar));
    let deepest = |collider: &Collider| {
        systems.all().iter().map(|system| system.depth_in(collider)).fold(0.0, f32::max)
    };
    if bodies.appear(step.dt, deepest) {
        budget.note_driven(GROWTH);
    }
    let boxes = systems.all().map(|system| system.bounds());
    for (n, system) in systems.all_mut().into_iter().enumerate() {
        let others = boxes.iter().enumerate().filter(|(other, _)| *other != n);
        let among: Vec<_> = others.filter_map(|(_, bounds)| *bounds).collect();
        system.go_ahead(step, &among);
    }
}

/// All that points meet: objects, then the rigid parts of systems.
fn colliders(bodies: &Bodies, systems: &Systems, clings: &[Cling]) -> Vec<Collider> {
    let (mut all, mut first) = (bodies.colliders(clings), bodies.free().count());
    for system in systems.all() {
        let parts = system.colliders(clings, first as u32);
        first += parts.len();
        all.extend(parts);
    }
    all
}

/// All that is free, in the same order.
fn floaters(bodies: &Bodies, systems: &Systems, step: &Step) -> Vec<Floater> {
    let parts = systems.all().into_iter().flat_map(|system| system.floaters(step.planar));
    bodies.floaters().into_iter().chain(parts).collect()
}

/// What of all systems can be touched.
fn points<'a>(systems: &'a mut Systems, step: &Step) -> Vec<Points<'a>> {
    systems.all_mut().into_iter().flat_map(|system| system.points(step.planar)).collect()
}

/// Each system up to its predicted positions. Returns what free things get as walls.
fn predict(systems: &mut Systems, floaters: &mut [Floater], step: &Step) -> Vec<Impulse> {
    let each = systems.all_mut().map(|system| system.predict(step, floaters));
    impulse::sum(each, step.free)
}

/// 000 Algorithm 7 lines 5 to 9: on what has moved ahead, nothing else moves.
fn predict_impulses(
    floaters: &mut [Floater],
    points: &[Points],
    groups: &[Vec<Group>],
    walls: &[Impulse],
    step: &Step,
) -> Vec<Predicted> {
    let free = step.colliders.iter().filter_map(|c| c.free.map(|n| (n as usize, c)));
    let mut predicted = vec![Predicted::default(); floaters.len()];
    for (n, collider) in free {
        predicted[n] = prediction::predict(&mut floaters[n], collider, points, groups, walls[n], step);
    }
    predicted
}

/// The rigid parts of systems move; what they give free objects comes to what those get throughout the step.
fn move_rigid_parts(
    systems: &mut Systems,
    bodies: &Bodies,
    floaters: &[Floater],
    predicted: &mut [Predicted],
    step: &Step,
) {
    let mut first = bodies.free().count();
    for system in systems.all_mut() {
        let own = first..first + system.floaters(step.planar).len();
        first = own.end;
        let pushed: Vec<_> = own.map(|n| (floaters[n], predicted[n])).collect();
        let given = system.advance(&pushed, bodies, step);
        predicted.iter_mut().zip(given).for_each(|(predicted, given)| predicted.walls += given);
    }
}

/// What points took beyond what was predicted, from objects and then from rigid parts of systems, is kept for later.
fn defer(
    systems: &mut Systems,
    bodies: &mut Bodies,
    predicted: &[Predicted],
    taken: &[Impulse],
    step: &Step,
) {
    bodies.defer_difference(predicted, taken);
    let more: Vec<Impulse> = taken.iter().zip(predicted).map(|(taken, p)| *taken - p.contact).collect();
    let mut first = bodies.free().count();
    for system in systems.all_mut() {
        let own = first..first + system.floaters(step.planar).len();
        first = own.end;
        system.defer(&more[own]);
    }
}

/// 000 Algorithm 7 lines 12 to 15. Returns what free objects get for it.
fn resolve_contacts(
    points: &mut [Points],
    groups: &[Vec<Group>],
    colliders: &[Collider],
    step: &Step,
) -> Vec<Impulse> {
    let all = points.iter_mut().zip(groups).enumerate();
    let each = all.map(|(n, (points, groups))| object_contact::resolve(points, n, groups, colliders, step));
    impulse::sum(each, step.free)
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
