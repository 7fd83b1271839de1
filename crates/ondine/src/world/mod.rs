//! The whole simulated state, and its step.

mod plan;
mod watch;

pub(crate) use plan::wanted_substeps;
pub use watch::Failure;

use crate::contact::broad::Group;
use crate::contact::objects::{self as object_contact, Grain};
use crate::contact::pushes::{self, Announced, AsWall, Crowd, Push};
use crate::contact::unlike::{Kind, REACH, Unlike};
use crate::digest;
use crate::frame::{Frame, Ledger, Particles};
use crate::health::{self, Budget};
use crate::liquid::coefficients::Coefficients;
use crate::liquid::load::Load;
use crate::liquid::material::{Material, sound_within};
use crate::liquid::mixture::{Mixture, Part};
use crate::liquid::pairing::mixtures;
use crate::liquid::{Liquid, Phase, Surroundings};
use crate::objects::{Bodies, Body, GROWTH, Meshes, Solid};
use crate::parallel;
use crate::particles::Carry;
use crate::rest::{self, Rest};
use crate::scene::{self, Fault, Scene, Severity};
use glam::DVec3;
use plan::{Plan, Step};
use serde::{Deserialize, Serialize};
use watch::{Culprit, Moving, is_beyond, runaway};

/// The whole simulated state and nothing else: cloning it, or writing it out, is a checkpoint.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct World {
    /// The scene, with the values that events and tracks have given it so far.
    pub(crate) scene: Scene,
    /// After the scene: `restore.rs` reads both first.
    pub(crate) bodies: Bodies,
    pub(crate) frame: u32,
    /// Events that have happened.
    pub(crate) events_done: u32,
    /// Steps taken for the last frame.
    substeps: u32,
    pub(crate) liquids: Vec<Liquid>,
    /// For how long all has been still.
    pub(crate) rest: Rest,
    /// What it has been given, and so what it may have.
    pub(crate) budget: Budget,
    /// Liquids that mix, in the order of the first of each.
    #[serde(skip)]
    mixtures: Vec<Mixture>,
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
        let solids = bodies.solids(&scene);
        let liquids = scene.liquid.iter().map(|l| Liquid::new(l, &scene, &solids)).collect();
        let mut world = World {
            scene,
            frame: 0,
            events_done: 0,
            substeps: 0,
            liquids,
            bodies,
            rest: Rest::default(),
            budget: Budget::default(),
            mixtures: Vec::new(),
            unlike: Unlike::default(),
        };
        world.begin_budget();
        Ok(world)
    }

    /// The scene, with the values that events and tracks have given it so far.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Frames advanced so far.
    pub fn frame_index(&self) -> u32 {
        self.frame
    }

    /// The liquids, in the order of the scene.
    pub fn liquids(&self) -> &[Liquid] {
        &self.liquids
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
        self.put_in_order();
        let plan = self.plan();
        self.swell(&plan);
        self.note_budget(&plan);
        let dt = (1.0 / self.scene.fps as f64 / plan.substeps as f64) as f32;
        for i in 0..plan.substeps {
            let time = start + i as f64 / (plan.substeps as f64 * self.scene.fps as f64);
            let viscous_dt = match i % plan.viscous_every {
                0 => dt * plan.viscous_every.min(plan.substeps - i) as f32,
                _ => 0.0,
            };
            let step = Step { time, dt, viscous_dt, loads: &plan.loads, watch };
            self.substep(&step)?;
        }
        self.check_joints()?;
        self.check_room()?;
        self.part_liquids(&plan);
        self.substeps = plan.substeps;
        self.frame += 1;
        if self.rest.look(&self.scene, &self.liquids, &plan.loads, &self.bodies) {
            self.liquids.iter_mut().for_each(Liquid::halt);
            self.bodies.halt();
        }
        Ok(())
    }

    /// Whether nothing happens in the frame that begins at `start`: all is at rest, and nothing disturbs it (`rest.rs`).
    fn sleeps_on(&mut self, start: f64) -> bool {
        if !self.rest.is_reached(&self.scene) {
            return false;
        }
        let end = start + 1.0 / self.scene.fps as f64;
        if rest::is_disturbed(&self.scene, self.events_done, &self.bodies, [start, end]) {
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

    /// One step: the table of contents of the physics.
    fn substep(&mut self, step: &Step) -> Result<(), Failure> {
        self.follow_timeline(step.time);
        self.bodies.go_ahead(&self.scene, step.time + step.dt as f64, step.dt);
        self.budget.note_driven(self.bodies.led(&self.scene));
        self.make_room(step.dt);
        let solids = self.bodies.solids(&self.scene);
        let around = Surroundings {
            dt: step.dt,
            viscous_dt: step.viscous_dt,
            watch: step.watch,
            time: step.time,
            gravity: self.scene.gravity.into(),
            solids: &solids,
            free: self.bodies.free().count(),
            planar: self.scene.planar(),
        };
        self.emit_and_drain(&around);
        let walls = self.predict(&around, step.loads);
        (step.watch)(Phase::Contact);
        self.push_unlike_apart();
        let groups: Vec<Vec<Group>> = self.liquids.iter().map(|l| Group::all(&l.particles)).collect();
        let announced = self.estimate_pushes(&around, &groups, &walls);
        let limit = self.budget.fastest();
        let advanced = self.bodies.advance(&self.scene, &announced, step.dt, limit);
        advanced.map_err(|n| self.failure_of_object(n, &around))?;
        let moved = self.bodies.solids(&self.scene);
        let taken = self.resolve_contacts(&around, &groups, &moved);
        self.bodies.settle(&announced, &taken);
        (step.watch)(Phase::Other);
        self.finish(&around, step.loads)
    }

    /// Objects that have just been brought back grow, where there is liquid.
    fn make_room(&mut self, dt: f32) {
        let (liquids, scene) = (&self.liquids, &self.scene);
        let deepest = |solid: &Solid| {
            let all = liquids.iter().zip(&scene.liquid);
            // A little more, so that none begins in touch.
            all.map(|(liquid, scene)| liquid.deepest_in(solid, 0.5 * scene.spacing)).fold(0.0, f32::max)
        };
        if self.bodies.appear(scene, dt, deepest) {
            self.budget.note_driven(GROWTH);
        }
    }

    /// Events and tracks due now.
    fn follow_timeline(&mut self, time: f64) {
        let Self { scene, events_done, .. } = self;
        // Half a step early is as right as half a step late; equal times must count as reached.
        let due = time as f32 + 1e-6;
        while let Some(event) = scene.event.get(*events_done as usize).filter(|e| e.at <= due).cloned() {
            for (path, value) in event.set {
                scene.set_live(&path, value);
            }
            *events_done += 1;
        }
        for t in 0..scene.track.len() {
            let Some(value) = scene.track[t].value(time as f32) else { continue };
            let path = std::mem::take(&mut scene.track[t].path);
            if let Some(scalar) = scene.live(&path) {
                scalar.store(value);
            }
            scene.track[t].path = path;
        }
    }

    fn emit_and_drain(&mut self, around: &Surroundings) {
        for (n, (liquid, scene)) in self.liquids.iter_mut().zip(&self.scene.liquid).enumerate() {
            liquid.drain(scene, &self.scene, around.time);
            self.budget.give(liquid.emit(scene, around));
            self.budget.give(liquid.drip(n, scene, &self.scene, around));
        }
    }

    /// Particles that are near each other stand near each other, and lists are new with every frame: a run that goes on from a
    /// checkpoint has no others.
    fn put_in_order(&mut self) {
        let planar = self.scene.planar();
        for (liquid, scene) in self.liquids.iter_mut().zip(&self.scene.liquid) {
            if scene.thesis.is_none() {
                liquid.sort(scene.reach(planar), planar, Carry::All);
            }
        }
        self.mixtures.iter_mut().for_each(Mixture::forget);
    }

    /// Liquids take the room that they need under their own weight.
    fn swell(&mut self, plan: &Plan) {
        let frame_dt = 1.0 / self.scene.fps;
        for ((liquid, scene), &load) in self.liquids.iter_mut().zip(&self.scene.liquid).zip(&plan.loads) {
            if scene.thesis.is_none() {
                let c = sound_within(scene, liquid.packing(), load, frame_dt / plan.substeps as f32);
                liquid.swell_to(((load.head + load.cohesion) / (c * c)).min(MOST_SWELL), frame_dt);
            }
        }
    }

    /// Each liquid up to its predicted positions. Returns what free objects get as walls.
    fn predict(&mut self, around: &Surroundings, loads: &[Load]) -> Vec<Push> {
        for (liquid, scene) in self.liquids.iter_mut().zip(&self.scene.liquid) {
            match scene.thesis {
                Some(_) => liquid.predict(&Coefficients::new(scene, liquid.packing()), around),
                None => liquid.accelerate(around.dt * around.gravity),
            }
        }
        let mixed = mixtures(&self.scene.liquid, self.scene.planar());
        let count = mixed.iter().flatten().max().map_or(0, |last| last + 1);
        self.mixtures.resize_with(count, Mixture::default);
        let Self { liquids, scene, mixtures, bodies, .. } = self;
        let each = mixtures
            .iter_mut()
            .enumerate()
            .map(|(n, mixture)| mixture.act(&mut parts(liquids, scene, &mixed, n, loads, around.dt), around));
        let (pushes, changes) = share(&pushes::sum(each, around.free), bodies, around);
        for (n, mixture) in mixtures.iter_mut().enumerate() {
            mixture.carry(&mut parts(liquids, scene, &mixed, n, loads, around.dt), &changes);
        }
        self.go_on(&mixed, around);
        pushes
    }

    /// Liquids of the default method go on to their predicted positions.
    fn go_on(&mut self, mixed: &[Option<usize>], around: &Surroundings) {
        for ((liquid, scene), mixture) in self.liquids.iter_mut().zip(&self.scene.liquid).zip(mixed) {
            let Some(n) = *mixture else { continue };
            liquid.guide(scene, around);
            liquid.go_on(&Coefficients::new(scene, liquid.packing()), around);
            if liquid.is_bonded() {
                self.mixtures[n].forget();
            }
        }
    }

    /// Liquids of different weight part, where they lie the wrong way round.
    fn part_liquids(&mut self, plan: &Plan) {
        let frame_dt = 1.0 / self.scene.fps;
        let mixed = mixtures(&self.scene.liquid, self.scene.planar());
        let Self { liquids, scene, mixtures, frame, .. } = self;
        for (n, mixture) in mixtures.iter_mut().enumerate() {
            let mut parts = parts(liquids, scene, &mixed, n, &plan.loads, frame_dt / plan.substeps as f32);
            if parts.len() > 1 {
                mixture.part(&mut parts, scene.gravity.into(), frame_dt, *frame);
            }
        }
    }

    /// 000 Algorithm 7 lines 5 to 9: on objects moved ahead, nothing else moves.
    fn estimate_pushes(
        &mut self,
        around: &Surroundings,
        groups: &[Vec<Group>],
        walls: &[Push],
    ) -> Vec<Announced> {
        let crowds: Vec<Crowd> = (self.liquids.iter().zip(&self.scene.liquid).enumerate())
            .map(|(n, (liquid, scene))| Crowd {
                particles: &liquid.particles,
                groups: &groups[n],
                grain: grain(n, scene, around.planar),
            })
            .collect();
        let announce = |body: &mut Body, n: usize| {
            let solid = around.solids.iter().find(|s| s.free == Some(n as u32));
            solid.map_or(Announced::default(), |solid| {
                pushes::announce(body, solid, &crowds, walls[n], around.planar, around.dt)
            })
        };
        self.bodies.free_mut().enumerate().map(|(n, body)| announce(body, n)).collect()
    }

    /// Liquids that are not of one mixture keep apart.
    fn push_unlike_apart(&mut self) {
        let planar = self.scene.planar();
        let mixed = mixtures(&self.scene.liquid, self.scene.planar());
        let mut kinds: Vec<Kind> = (self.liquids.iter_mut().zip(&self.scene.liquid).enumerate())
            .map(|(n, (liquid, scene))| Kind {
                position: &mut liquid.particles.position,
                group: mixed[n].unwrap_or(mixed.len() + n) as u32,
                mass: Liquid::particle_mass(scene, planar) as f32,
                reach: REACH * scene.reach(planar),
            })
            .collect();
        self.unlike.push_apart(&mut kinds, planar);
    }

    /// 000 Algorithm 7 lines 12 to 15. Returns what free objects get for it.
    fn resolve_contacts(
        &mut self,
        around: &Surroundings,
        groups: &[Vec<Group>],
        solids: &[Solid],
    ) -> Vec<Push> {
        let liquids = self.liquids.iter_mut().zip(&self.scene.liquid).enumerate();
        let each = liquids.map(|(n, (liquid, scene))| {
            let grain = grain(n, scene, around.planar);
            object_contact::resolve(
                &mut liquid.particles,
                &groups[n],
                solids,
                grain,
                around.planar,
                around.dt,
                around.free,
            )
        });
        pushes::sum(each, around.free)
    }

    fn finish(&mut self, around: &Surroundings, loads: &[Load]) -> Result<(), Failure> {
        let (mut all, most) = (Moving::default(), self.budget.fastest());
        for (n, &load) in loads.iter().enumerate() {
            let mass = Liquid::particle_mass(&self.scene.liquid[n], around.planar);
            let motion = self.liquids[n].finish(around.dt, mass);
            let limit = runaway(&self.scene.liquid[n], load).min(most);
            if is_beyond(motion.fastest, limit) {
                return Err(self.failure_of_liquid(n, limit, around));
            }
            self.budget.give(health::fall(&motion, around.gravity, around.dt));
            all.add(Culprit::Liquid(n), &motion);
        }
        for (n, motion) in self.bodies.motions(around.planar) {
            self.budget.give(health::fall(&motion, around.gravity, around.dt));
            all.add(Culprit::Object(n), &motion);
        }
        self.check_energy(&all, around)
    }

    /// Time since the start [s].
    pub fn time(&self) -> f64 {
        self.frame as f64 / self.scene.fps as f64
    }

    /// What can be seen now.
    pub fn frame(&self) -> Frame {
        let particles = (self.liquids.iter().zip(&self.scene.liquid))
            .map(|(liquid, scene)| {
                let unit = liquid.density_unit(scene);
                let p = &liquid.particles;
                Particles {
                    name: scene.name.clone(),
                    radius: 0.5 * scene.spacing,
                    color: scene.color,
                    position: p.position.iter().map(Into::into).collect(),
                    velocity: p.velocity.iter().map(Into::into).collect(),
                    density: p.density.iter().map(|d| unit * d).collect(),
                    id: p.id.clone(),
                }
            })
            .collect();
        Frame { index: self.frame, time: self.time(), particles, objects: self.bodies.poses(&self.scene) }
    }

    /// What can be measured now.
    pub fn ledger(&self) -> Ledger {
        let solids = self.bodies.solids(&self.scene);
        let systems = (self.liquids.iter().zip(&self.scene.liquid))
            .map(|(liquid, scene)| liquid.ledger(scene, &self.scene, &solids))
            .collect();
        let hash = format!("{:016x}", self.hash());
        let objects = self.bodies.ledger(&self.scene);
        Ledger { frame: self.frame, time: self.time(), substeps: self.substeps, hash, systems, objects }
    }

    /// A hash of all that a checkpoint holds: equal states have equal hashes, on every machine and with any number of threads. Only the
    /// meshes that the scene names, which are large and never change, are left out.
    pub fn hash(&self) -> u64 {
        let Self {
            scene,
            bodies,
            frame,
            events_done,
            substeps,
            liquids,
            rest,
            budget,
            mixtures: _,
            unlike: _,
        } = self;
        let scene = Scene { meshes: Meshes::default(), ..scene.clone() };
        digest::hash(&((scene, frame, events_done, substeps), (bodies, liquids, rest, budget)))
    }
}

/// Most that a liquid swells: what is squeezed more than this is squeezed.
const MOST_SWELL: f32 = 0.1;

/// What the particles of liquid number `n` are, to contact.
fn grain(n: usize, liquid: &scene::Liquid, planar: bool) -> Grain {
    // In the source particles touch walls at half their spacing; by default pressure keeps them there, and contact only what is thrown.
    let radius = liquid.spacing * if liquid.thesis.is_some() { 0.5 } else { 0.25 };
    Grain { radius, mass: Liquid::particle_mass(liquid, planar), liquid: n }
}

/// What each free object takes of what it gets as a wall, and by how much the velocity of the liquid on it changes for the rest.
fn share(walls: &[AsWall], bodies: &mut Bodies, around: &Surroundings) -> (Vec<Push>, Vec<DVec3>) {
    let shared = |(wall, body): (&AsWall, &mut Body)| {
        let Some(laden) = body.laden(wall.crowd) else { return (wall.push, DVec3::ZERO) };
        wall.shared(&laden, laden.mass * around.dt as f64 * around.gravity.as_dvec3())
    };
    walls.iter().zip(bodies.free_mut()).map(shared).unzip()
}

/// The liquids of mixture number `n`, for a step of `dt`.
fn parts<'a>(
    liquids: &'a mut [Liquid],
    scene: &Scene,
    mixed: &[Option<usize>],
    n: usize,
    loads: &[Load],
    dt: f32,
) -> Vec<Part<'a>> {
    let planar = scene.planar();
    let part = |(number, ((liquid, scene), load)): (usize, ((&'a mut Liquid, &scene::Liquid), &Load))| {
        let (packing, swell) = (liquid.packing(), liquid.swell());
        let c = sound_within(scene, packing, *load, dt);
        let material = Material::new(scene, packing, *load, c, dt, planar, swell);
        let (spacing, speed, viscosity) = (scene.spacing, load.speed, scene.viscosity.linear);
        Part { number, liquid, material, spacing, speed, viscosity }
    };
    let all = liquids.iter_mut().zip(&scene.liquid).zip(loads).enumerate().zip(mixed);
    all.filter(|(_, m)| **m == Some(n)).map(|(all, _)| part(all)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::PLAIN_ONLY;
    use crate::scene::{Arrangement, Fill, Object, Preset, Shape};
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
        world.liquids[1].particles.velocity.set(5, Vec3::NAN);
        let id = world.liquids[1].particles.id[5];
        let failure = world.advance().expect_err("it must stop");
        assert_eq!((failure.system.as_str(), failure.particle), ("liquid.mud", Some(id)));
    }

    /// A pool whose particles begin to fly at a speed that each of them might have, but not all.
    #[test]
    fn energy_from_nowhere_stops_the_run() {
        let mut world = floating();
        (0..5).for_each(|_| world.advance().expect("a healthy frame"));
        let velocity = &mut world.liquids[0].particles.velocity;
        (0..velocity.len()).for_each(|i| velocity.set(i, Vec3::Y * if i % 2 == 0 { 60.0 } else { -60.0 }));
        let failure = world.advance().expect_err("it must stop");
        assert_eq!(failure.system, "liquid.water");
        assert!(failure.what.contains("energy that nothing gave it"), "{failure}");
    }
}
