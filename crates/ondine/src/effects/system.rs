//! Effects as a system of the world.

use super::forces::{FARTHEST, FASTEST};
use super::{Effect, Effects};
use crate::contact::floater::Floater;
use crate::contact::impulse::Impulse;
use crate::contact::points::Points;
use crate::frame::{Particles, SystemLedger};
use crate::health::{Kinetics, Speeds, is_beyond};
use crate::objects::{Bodies, Cling, Collider};
use crate::scene::{Described, Encounter, Scalar, Scene, Trajectory};
use crate::step::Step;
use crate::system::{Ahead, Ailment, Mark, System, SystemKind};
use crate::world::SystemView;
use glam::{DVec3, Vec3};

/// Longest step of what moves in fields that change from place to place [s].
const LONGEST: f32 = 1.0 / 120.0;

impl Effect {
    fn ailment(&self, particle: Option<u32>, what: String) -> Ailment {
        let cause = "an attractor or a whirl is too strong for the steps, or the integrator gains energy; write a larger core, more substeps, or \
                     integrator = \"exponential\"";
        let system = format!("{}.{}", SystemKind::Effect, self.description.name);
        Ailment { system, particle, what, cause: cause.into() }
    }

    /// What is wrong with a particle, if anything is. Who has only gone far away is taken out.
    fn check(&mut self) -> Result<(), Ailment> {
        if !std::mem::take(&mut self.is_wild) && !self.is_on_course() {
            return Ok(());
        }
        let is_far = |i: &u32| self.swarm.position.get(*i as usize).abs().max_element() >= FARTHEST;
        let far: Vec<u32> = (0..self.swarm.len() as u32).filter(is_far).collect();
        self.removed += far.len() as u64;
        self.swarm.take_out_in_order(&far);
        let swarm = &self.swarm;
        let mut all = swarm.position.iter().zip(swarm.velocity.iter()).enumerate();
        let wild = all.find(|(_, (at, v))| !at.is_finite() || is_beyond(v.length(), FASTEST));
        let Some((i, (at, v))) = wild else { return Ok(()) };
        let what = match at.is_finite() && v.is_finite() {
            true => format!("it ran away at {:.0} m/s", v.length()),
            false => "its position is no longer a number".to_string(),
        };
        Err(self.ailment(Some(swarm.id[i]), what))
    }

    /// How many that should have bounced are in an object.
    fn leaks(&self, colliders: &[Collider]) -> u64 {
        let meets = self.description.collision.objects != Encounter::Pass && !self.is_on_course();
        let is_in = |p: &Vec3| colliders.iter().any(|c| c.at_least(*p) < 0.0 && c.distance(*p) < 0.0);
        if meets { self.swarm.position.iter().filter(is_in).count() as u64 } else { 0 }
    }

    fn steps(&self, ahead: &Ahead) -> u32 {
        let given = &self.description;
        let has_fields = !given.vortex.is_empty() || given.noise.speed > 0.0 || !given.attractor.is_empty();
        let uneven = given.trajectory == Trajectory::Forces && (has_fields || given.drag.quadratic > 0.0);
        given.substeps.unwrap_or(if uneven { (ahead.dt / LONGEST - 1e-3).ceil().max(1.0) as u32 } else { 1 })
    }
}

impl System for Effects {
    fn views(&self) -> Vec<SystemView<'_>> {
        fn view(effect: &Effect) -> SystemView<'_> {
            SystemView {
                kind: SystemKind::Effect,
                name: &effect.description.name,
                radius: effect.description.size.iter().map(|[_, size]| *size).fold(0.0, f32::max),
                position: (&effect.swarm.position).into(),
                velocity: (&effect.swarm.velocity).into(),
                id: &effect.swarm.id,
            }
        }
        self.all.iter().map(view).collect()
    }

    fn live(&mut self, path: &str) -> Option<Scalar<'_>> {
        let (name, key) = path.split_once('.')?;
        self.all.iter_mut().find(|effect| effect.description.name == name)?.description.live(key)
    }

    fn clings(&self) -> Vec<Cling> {
        Vec::new()
    }

    fn plan(&mut self, ahead: &Ahead) -> u32 {
        self.all.iter().map(|effect| effect.steps(ahead)).max().unwrap_or(1)
    }

    fn begin_frame(&mut self, _: &Ahead, _: u32) {}

    fn speeds(&self, _: &Bodies, _: f32) -> Speeds {
        Speeds::default()
    }

    fn depth_in(&self, _: &Collider) -> f32 {
        0.0
    }

    fn emit_and_drain(&mut self, _: &Step) -> f64 {
        0.0
    }

    fn predict(&mut self, step: &Step, _: &mut [Floater]) -> Vec<Impulse> {
        vec![Impulse::default(); step.free]
    }

    fn points(&mut self, _: bool) -> Vec<Points<'_>> {
        Vec::new()
    }

    /// All happens here: objects are where they are at the end of the step, and effects move none of them.
    fn follow(&mut self, step: &Step) {
        self.advance_all(self.span(step), step);
    }

    fn follows_from_time(&self) -> bool {
        let alone = |effect: &Effect| {
            let given = &effect.description;
            effect.is_on_course() && given.child.is_empty() && given.emitter.on.is_none()
        };
        self.all.iter().all(alone)
    }

    fn seek(&mut self, step: &Step, time: f64) {
        self.advance_all(self.now..time, step);
    }

    fn finish(&mut self, step: &Step, _: f32) -> Result<Vec<Kinetics>, Ailment> {
        Ok(self.kinetics(step.planar))
    }

    fn end_frame(&mut self, step: &Step, _: u32) -> Result<(), Ailment> {
        self.now = step.time;
        for effect in &mut self.all {
            if effect.is_on_course() {
                effect.put(step.time, step.planar);
            }
            effect.check()?;
        }
        Ok(())
    }

    /// Effects weigh nothing.
    fn kinetics(&self, _: bool) -> Vec<Kinetics> {
        vec![Kinetics::default(); self.all.len()]
    }

    fn blame(&self, member: usize, _: f32, _: &Step) -> Ailment {
        self.all[member].ailment(None, "it moves too fast".into())
    }

    fn broken(&self) -> Option<usize> {
        self.all.iter().position(|effect| !effect.swarm.position.iter().all(Vec3::is_finite))
    }

    /// Where effects are says nothing of how fast other things may be.
    fn bounds(&self) -> Option<(Vec3, Vec3)> {
        None
    }

    fn marks(&self) -> Option<Vec<Mark>> {
        let is_over = |effect: &Effect| effect.swarm.len() + effect.settled.len() == 0;
        self.all.iter().all(is_over).then(Vec::new)
    }

    fn is_fed(&self, from: f32, to: f32) -> bool {
        let feeds = |effect: &Effect| {
            let emitter = &effect.description.emitter;
            let flows =
                emitter.rate > 0.0 && emitter.start < to && emitter.stop.is_none_or(|stop| stop > from);
            flows || emitter.burst.iter().any(|burst| burst.at >= from && burst.at < to)
        };
        self.all.iter().any(feeds)
    }

    fn halt(&mut self) {}

    fn frame(&self, _: bool) -> Vec<Particles> {
        self.all.iter().map(|effect| effect.shown(self.now)).collect()
    }

    fn ledger(&self, _: Vec3, _: bool, colliders: &[Collider]) -> Vec<SystemLedger> {
        let measure = |effect: &Effect| {
            let (swarm, settled) = (&effect.swarm, &effect.settled);
            let count = swarm.len() + settled.len();
            let all = swarm.position.iter().chain(settled.position.iter());
            let centre = all.map(|p| p.as_dvec3()).sum::<DVec3>() / count.max(1) as f64;
            SystemLedger {
                kind: SystemKind::Effect,
                name: effect.description.name.clone(),
                particles: count as u64,
                max_speed: swarm.velocity.iter().map(|v| v.length()).fold(0.0, f32::max) as f64,
                leaks: effect.leaks(colliders),
                center: centre.into(),
                emitted: effect.emitted,
                removed: effect.removed,
                ..SystemLedger::default()
            }
        };
        self.all.iter().map(measure).collect()
    }

    fn describe(&self, scene: &mut Scene) {
        scene.effect = self.all.iter().map(|effect| effect.description.clone()).collect();
    }

    fn unfit(&self, scene: &Scene) -> Option<String> {
        if self.all.len() != scene.effect.len() {
            return Some(format!(
                "it has {} effects for {} in its scene",
                self.all.len(),
                scene.effect.len()
            ));
        }
        let sound = |(n, effect): (usize, &Effect)| {
            effect.number as usize == n
                && effect.seed == scene.seed
                && effect.emission.is_sound(&effect.description.emitter)
                && effect.swarm.is_sound(effect.is_on_course(), effect.law.planes.len())
                && effect.settled.is_sound()
        };
        let all_sound = self.now.is_finite() && self.all.iter().enumerate().all(sound);
        (!all_sound).then(|| "its effects are not those of its scene".into())
    }
}
