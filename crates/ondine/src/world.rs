//! The whole simulated state, and its step.

use crate::contact::objects::{self as object_contact, Grain};
use crate::contact::pushes::{self, Announced, AsWall, Crowd, Push};
use crate::contact::unlike::{Kind, REACH, Unlike};
use crate::frame::{Frame, Ledger, Particles};
use crate::hash::StateHash;
use crate::health::{self, Budget};
use crate::liquid::coefficients::{Coefficients, Load, stack};
use crate::liquid::material::{Material, Packing, STABLE_SOUND, sound_speed, sound_within};
use crate::liquid::mixture::{Mixture, Part};
use crate::liquid::pairing::mixtures;
use crate::liquid::viscosity::EXPLICIT;
use crate::liquid::{Liquid, Motion, Phase, Surroundings};
use crate::objects::{Bodies, Body, GROWTH, Solid};
use crate::parallel;
use crate::particles::Carry;
use crate::rest::{self, Rest};
use crate::scene::{self, Fault, Scene, Severity};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

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

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{system}: {what} at {time:.4} s (frame {frame}{}). Likely cause: {cause}", of(*particle))]
pub struct Failure {
    /// What failed, by its kind and name: `liquid.water`, `object.boat`, `joint.hinge`.
    pub system: String,
    /// Id of the particle it was first seen on, in a liquid.
    pub particle: Option<u32>,
    /// Frame being computed.
    pub frame: u32,
    /// Time [s].
    pub time: f64,
    /// What was seen.
    pub what: String,
    /// What probably led to it, and the knob to turn.
    pub cause: String,
}

/// ", particle 7".
fn of(particle: Option<u32>) -> String {
    particle.map_or(String::new(), |id| format!(", particle {id}"))
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
        let announced = self.estimate_pushes(&around, &walls);
        let limit = self.budget.fastest();
        let advanced = self.bodies.advance(&self.scene, &announced, step.dt, limit);
        advanced.map_err(|n| self.failure_of_object(n, &around))?;
        let moved = self.bodies.solids(&self.scene);
        let taken = self.resolve_contacts(&around, &moved);
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
        for (liquid, scene) in self.liquids.iter_mut().zip(&self.scene.liquid) {
            liquid.drain(scene, &self.scene, around.time);
            self.budget.give(liquid.emit(scene, around));
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
        let Self { liquids, scene, mixtures, .. } = self;
        let each = mixtures
            .iter_mut()
            .enumerate()
            .map(|(n, mixture)| mixture.act(&mut parts(liquids, scene, &mixed, n, loads, around.dt), around));
        let (pushes, changes) = share(&pushes::sum(each, around.free), around);
        for (n, mixture) in mixtures.iter_mut().enumerate() {
            mixture.carry(&mut parts(liquids, scene, &mixed, n, loads, around.dt), around, &changes);
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
    fn estimate_pushes(&mut self, around: &Surroundings, walls: &[Push]) -> Vec<Announced> {
        let crowds: Vec<Crowd> = (self.liquids.iter().zip(&self.scene.liquid).enumerate())
            .map(|(n, (liquid, scene))| Crowd {
                particles: &liquid.particles,
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
    fn resolve_contacts(&mut self, around: &Surroundings, solids: &[Solid]) -> Vec<Push> {
        let liquids = self.liquids.iter_mut().zip(&self.scene.liquid).enumerate();
        let each = liquids.map(|(n, (liquid, scene))| {
            let grain = grain(n, scene, around.planar);
            object_contact::resolve(
                &mut liquid.particles,
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

    /// Stops what has more energy than it can have been given.
    fn check_energy(&mut self, all: &Moving, around: &Surroundings) -> Result<(), Failure> {
        let most = self.budget.most_energy(all.mass);
        if all.energy <= most {
            self.budget.forget(all.energy, around.dt as f64);
            return Ok(());
        }
        let mut failure = match all.culprit {
            Culprit::Liquid(n) => self.failure_of_liquid(n, f32::MAX, around),
            Culprit::Object(n) => self.failure_of_object(n, around),
        };
        failure.what = format!(
            "it moves with an energy that nothing gave it ({:.3e} J in all, where {most:.3e} J would be much)",
            all.energy
        );
        Err(failure)
    }

    /// What is there at the start was given.
    fn begin_budget(&mut self) {
        let planar = self.scene.planar();
        let liquids = self.liquids.iter().zip(&self.scene.liquid);
        let liquids = liquids.map(|(liquid, scene)| liquid.motion(Liquid::particle_mass(scene, planar)));
        let all: Vec<Motion> = liquids.chain(self.bodies.motions(planar).map(|(_, m)| m)).collect();
        let made = all.iter().map(|m| m.fastest).fold(0.0, f32::max);
        self.budget.give(all.iter().map(|m| m.energy).sum());
        self.budget.note(self.scene.gravity.into(), made, 0.0);
    }

    /// What the scene gives from now on, as far as it is known before a frame.
    fn note_budget(&mut self, plan: &Plan) {
        let dt = 1.0 / (self.scene.fps * plan.substeps as f32);
        let inner = self.scene.liquid.iter().zip(&plan.loads);
        let inner = inner.map(|(liquid, load)| health::inner_speed(liquid, &self.scene, *load, dt));
        let inner = inner.fold(0.0, f32::max);
        let made = health::emitted_speed(&self.scene);
        self.budget.note(self.scene.gravity.into(), made, inner);
        self.budget.note_driven(self.bodies.motors(&self.scene));
        let liquids = self.liquids.iter().filter_map(Liquid::bounds);
        liquids.chain(self.bodies.bounds()).for_each(|bounds| self.budget.note_reach(bounds));
    }

    fn failure_of_liquid(&self, n: usize, limit: f32, around: &Surroundings) -> Failure {
        let (liquid, scene) = (&self.liquids[n], &self.scene.liquid[n]);
        let speeds: Vec<f32> = liquid.particles.velocity.iter().map(Vec3::length).collect();
        let fastest = || (0..speeds.len()).max_by(|&a, &b| speeds[a].total_cmp(&speeds[b]));
        let worst = speeds.iter().position(|&speed| is_beyond(speed, limit)).or_else(fastest).unwrap_or(0);
        let what = match speeds.get(worst).copied().unwrap_or(0.0) {
            speed if speed.is_finite() => format!("a particle ran away at {speed:.0} m/s"),
            _ => "a particle's position is no longer a number".to_string(),
        };
        let cause = if scene.thesis.is_some() {
            "the source parameters are too stiff for the step; lower thesis.k, k_near or k_spring, or raise thesis.substeps".into()
        } else if let Some(by) = self.squeezed_by(n) {
            format!("it is squeezed by {by}; {LEAVE_ROOM}")
        } else {
            "the liquid is squeezed where it has no room, or max_substeps is too low for its speed; raise max_substeps or compression".into()
        };
        Failure {
            system: format!("liquid.{}", scene.name),
            particle: liquid.particles.id.get(worst).copied(),
            frame: self.frame + 1,
            time: around.time + around.dt as f64,
            what,
            cause,
        }
    }

    /// The objects that are there, with their names and whether they move as they are told.
    fn named_solids(&self) -> Vec<(Solid, &str, bool)> {
        let there = self.scene.object.iter().filter(|o| o.enabled);
        let solids = self.bodies.solids(&self.scene).into_iter().zip(there);
        solids.map(|(s, o)| (s, o.name.as_str(), o.motion == scene::Motion::Moving)).collect()
    }

    /// The objects around the densest part of liquid number `n`, if it is squeezed there and one of them is driven.
    fn squeezed_by(&self, n: usize) -> Option<String> {
        let (liquid, scene) = (&self.liquids[n], &self.scene.liquid[n]);
        let density = &liquid.particles.density;
        let densest = (0..density.len()).max_by(|&a, &b| density[a].total_cmp(&density[b]))?;
        let p = liquid.particles.position.get(densest);
        let reach = 2.0 * scene.reach(self.scene.planar());
        let mut near = self.named_solids();
        near.retain(|(solid, ..)| solid.at_least(p) < reach && solid.distance(p) < reach);
        let squeezed = density[densest] > SQUEEZED * liquid.packing().rest;
        let driven = near.iter().any(|(_, _, moving)| *moving);
        (squeezed && driven).then(|| named(near.iter().map(|(_, name, _)| *name)))
    }

    /// Where an object that is driven closes on others, liquid in between has no room left: it would end up inside of them.
    fn check_room(&self) -> Result<(), Failure> {
        if self.scene.object.iter().all(|o| o.motion != scene::Motion::Moving) {
            return Ok(());
        }
        let solids = self.named_solids();
        let is_in = |s: &Solid, p: Vec3, skin: f32| s.at_least(p) < skin && s.distance(p) < skin;
        for (liquid, scene) in self.liquids.iter().zip(&self.scene.liquid) {
            let (mut pinched, mut by) = (0, Vec::new());
            for p in liquid.particles.position.iter() {
                if !solids.iter().any(|(s, ..)| is_in(s, p, 0.0)) {
                    continue;
                }
                let around = |(_, (s, ..)): &(usize, &(Solid, &str, bool))| is_in(s, p, 0.5 * scene.spacing);
                let near: Vec<usize> = solids.iter().enumerate().filter(around).map(|(i, _)| i).collect();
                if near.len() > 1 && near.iter().any(|&i| solids[i].2) {
                    pinched += 1;
                    by.extend(near);
                }
            }
            if pinched > PINCHED {
                by.sort_unstable();
                by.dedup();
                let by = named(by.into_iter().map(|i| solids[i].1));
                let what = format!("{pinched} particles have no room left between {by}");
                let time = self.time() + 1.0 / self.scene.fps as f64;
                let cause = format!("{by} close on each other; {LEAVE_ROOM}");
                return Err(self.failure_of(format!("liquid.{}", scene.name), what, &cause, time));
            }
        }
        Ok(())
    }

    /// Object number `n` is no longer a number or runs away; unless a liquid made it so, it is told itself.
    fn failure_of_object(&self, n: usize, around: &Surroundings) -> Failure {
        let is_broken = |l: &Liquid| l.particles.position.iter().any(|p| !p.is_finite());
        if let Some(n) = self.liquids.iter().position(is_broken) {
            let failure = self.failure_of_liquid(n, f32::MAX, around);
            return Failure { what: "a particle's position is no longer a number".into(), ..failure };
        }
        let speed = self.bodies.speed(n);
        let what = match speed.is_finite() {
            true => format!("it ran away at {speed:.0} m/s"),
            false => "its position is no longer a number".to_string(),
        };
        let cause = "it is caught between objects or joints that leave it no room, or it is too light or too small for what pushes it; \
                     give it room, make it heavier or larger, or raise max_substeps";
        self.failure_of(
            format!("object.{}", self.scene.object[n].name),
            what,
            cause,
            around.time + around.dt as f64,
        )
    }

    /// A joint whose ends are far apart holds nothing any more.
    fn check_joints(&self) -> Result<(), Failure> {
        let Some((n, gap)) = self.bodies.torn(&self.scene) else { return Ok(()) };
        let cause = "it pulls at what cannot follow, or at what is much heavier than what it holds; \
                     leave its objects room to move, or raise max_substeps";
        let time = self.time() + 1.0 / self.scene.fps as f64;
        let what = format!("it is torn apart, its ends are {gap:.2} m from each other");
        Err(self.failure_of(format!("joint.{}", self.scene.joint[n].name), what, cause, time))
    }

    fn failure_of(&self, system: String, what: String, cause: &str, time: f64) -> Failure {
        Failure { system, particle: None, frame: self.frame + 1, time, what, cause: cause.into() }
    }

    /// Steps for the next frame, and what each liquid must withstand during it.
    fn plan(&self) -> Plan {
        let frame_dt = 1.0 / self.scene.fps;
        let gravity = Vec3::from(self.scene.gravity);
        let load = |(liquid, scene): (&Liquid, _)| liquid.load(scene, gravity, frame_dt);
        let mut loads: Vec<Load> = self.liquids.iter().zip(&self.scene.liquid).map(load).collect();
        // Liquid takes on the speed of what hits it.
        let fall = gravity.length() * frame_dt;
        let fastest = self.bodies.fastest(&self.scene, fall);
        for load in &mut loads {
            (load.speed, load.impact) = (load.speed.max(fastest), load.impact.max(fastest));
        }
        stack(&mut loads, &self.scene.liquid);
        let all = || self.liquids.iter().zip(&self.scene.liquid).zip(&loads);
        let wanted = all().map(|((l, scene), load)| wanted_substeps(scene, l.packing(), *load, frame_dt));
        let rigid = if self.bodies.any_free() { (frame_dt / LONGEST_RIGID).ceil() as u32 } else { 1 };
        let substeps = wanted.max().unwrap_or(1).max(rigid).min(self.scene.max_substeps);
        let dt = frame_dt / substeps as f32;
        // What liquid and free objects share changes velocities after viscosity has seen them: in bursts it would shake both for ever.
        let most = if self.bodies.any_free() { 1 } else { MOST_VISCOUS };
        let every = all().map(|((l, scene), load)| viscous_every(scene, l.packing(), *load, dt));
        Plan { substeps, viscous_every: every.fold(most, u32::min), loads }
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

    /// The same, or what of it is no longer a number: such a measure is worth nothing.
    pub fn measured(&self) -> Result<Ledger, Failure> {
        let ledger = self.ledger();
        let Some(system) = ledger.broken() else { return Ok(ledger) };
        Err(Failure {
            system,
            particle: None,
            frame: self.frame,
            time: self.time(),
            what: "what is measured of it is no longer a number".into(),
            cause: "it is farther away, heavier or faster than numbers can tell; keep masses, places and speeds within what can be seen".into(),
        })
    }

    /// A hash of the whole state: equal states have equal hashes, on every machine and with any number of threads.
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::default();
        hash.add(self.frame);
        hash.add(self.events_done);
        for liquid in &self.liquids {
            liquid.hash(&mut hash);
        }
        self.bodies.add_to(&mut hash);
        self.rest.add_to(&mut hash);
        hash.finish()
    }
}

/// "object.left and object.right".
fn named<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<String> = names.map(|name| format!("object.{name}")).collect();
    all.join(" and ")
}

/// What to do about objects that close on liquid.
const LEAVE_ROOM: &str = "stop what moves before it closes, let the liquid out, or drain it";
/// Density over that at rest from which a liquid is squeezed.
const SQUEEZED: f32 = 1.2;
/// Particles between objects that close, from which a run is stopped: fewer are told as leaks.
const PINCHED: usize = 10;

/// What moves in a world.
#[derive(Clone, Copy, Debug)]
enum Culprit {
    Liquid(usize),
    Object(usize),
}

/// All that moves, and which part of it has the most energy.
#[derive(Debug)]
struct Moving {
    mass: f64,
    energy: f64,
    most: f64,
    culprit: Culprit,
}

impl Default for Moving {
    fn default() -> Self {
        Self { mass: 0.0, energy: 0.0, most: f64::NEG_INFINITY, culprit: Culprit::Liquid(0) }
    }
}

impl Moving {
    fn add(&mut self, who: Culprit, motion: &Motion) {
        self.mass += motion.mass;
        self.energy += motion.energy;
        if motion.energy > self.most {
            (self.most, self.culprit) = (motion.energy, who);
        }
    }
}

/// What the particles of liquid number `n` are, to contact.
fn grain(n: usize, liquid: &scene::Liquid, planar: bool) -> Grain {
    // In the source particles touch walls at half their spacing; by default pressure keeps them there, and contact only what is thrown.
    let radius = liquid.spacing * if liquid.thesis.is_some() { 0.5 } else { 0.25 };
    Grain { radius, mass: Liquid::particle_mass(liquid, planar), liquid: n }
}

/// What each free object takes of what it gets as a wall, and by how much the velocity of the liquid on it changes for the rest.
fn share(walls: &[AsWall], around: &Surroundings) -> (Vec<Push>, Vec<DVec3>) {
    let shared = |(n, wall): (usize, &AsWall)| {
        let solid = around.solids.iter().find(|s| s.free == Some(n as u32));
        solid.map_or((wall.push, DVec3::ZERO), |solid| {
            wall.shared(solid.mass, solid.mass * around.dt as f64 * around.gravity.as_dvec3())
        })
    };
    walls.iter().enumerate().map(shared).unzip()
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

/// How a frame is cut into steps.
struct Plan {
    substeps: u32,
    /// Viscosity acts once in so many steps, for as many at a time.
    viscous_every: u32,
    loads: Vec<Load>,
}

/// One step of a plan.
struct Step<'a> {
    time: f64,
    dt: f32,
    viscous_dt: f32,
    loads: &'a [Load],
    watch: &'a dyn Fn(Phase),
}

/// Most that a liquid swells: what is squeezed more than this is squeezed.
const MOST_SWELL: f32 = 0.1;
/// Most steps that viscosity takes at once.
const MOST_VISCOUS: u32 = 4;
/// Longest step over √(ρs³/γ).
const CAPILLARY: f32 = 0.2;
/// Longest step of free objects [s]: contacts and joints among them drift in longer ones.
const LONGEST_RIGID: f32 = 1.0 / 120.0;
/// Shortest crossing of h by the fastest particle, in steps: beyond it neighbours are passed unseen.
const CROSSING: f32 = 0.4;
/// The same for what is alone in the air: few meet it.
const CROSSING_ALONE: f32 = 0.6;
/// Largest dt² k_spring for which springs are as stiff as asked (see `springs.rs`: their displacement is limited).
const STIFFEST_SPRING: f32 = 0.2;

/// Steps that a liquid needs for a frame of `frame_dt`.
pub(crate) fn wanted_substeps(liquid: &scene::Liquid, packing: &Packing, load: Load, frame_dt: f32) -> u32 {
    if let Some(thesis) = liquid.thesis {
        return thesis.substeps;
    }
    let h = packing.support * liquid.spacing;
    let c = Coefficients::new(liquid, packing);
    let sound = STABLE_SOUND * h / sound_speed(liquid, load);
    let crossing = (CROSSING * h / load.impact).min(CROSSING_ALONE * h / load.speed);
    let springs = (STIFFEST_SPRING / c.k_spring).sqrt();
    // The shortest ripple that particles carry must not turn in a step.
    let ripple = CAPILLARY * (liquid.density * liquid.spacing.powi(3) / liquid.surface_tension).sqrt();
    let dt = sound.min(crossing).min(springs).min(ripple);
    (frame_dt / dt).ceil().max(1.0) as u32
}

/// Steps that viscosity may take at once: what it does in them must stay small, and two particles that meet head-on at full
/// speed must be met at least once while they cross each other's neighbourhood of 2h: 2 × speed × time ≤ 2h × 0.75. Depth asks
/// for short steps; viscosity mostly does not.
fn viscous_every(liquid: &scene::Liquid, packing: &Packing, load: Load, dt: f32) -> u32 {
    const PASSING: f32 = 0.75;
    if liquid.thesis.is_some() {
        return 1;
    }
    let h = packing.support * liquid.spacing;
    let sigma = Material::new(liquid, packing, load, sound_speed(liquid, load), dt, false, 0.0).sigma;
    let thin = 0.75 * EXPLICIT / (sigma * dt);
    let passing = PASSING * h / (load.speed * dt);
    thin.min(passing).clamp(1.0, MOST_VISCOUS as f32) as u32
}

/// Whether a speed is above a limit, or no number at all.
fn is_beyond(speed: f32, limit: f32) -> bool {
    speed > limit || speed.is_nan()
}

/// A speed that nothing healthy reaches within a frame [m/s].
fn runaway(liquid: &scene::Liquid, load: Load) -> f32 {
    100.0 + 20.0 * load.speed.max(sound_speed(liquid, load))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::PLAIN_ONLY;
    use crate::scene::{Arrangement, Fill, Object, Preset, Shape};
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
