//! All liquids of a scene, as a system of the world.

use super::coefficients::Coefficients;
use super::load::stack;
use super::material::{Material, sound_within};
use super::mixture::{Mixture, Part};
use super::pairing::mixtures;
use super::plan::{MOST_VISCOUS, Plan, viscous_every, wanted_steps};
use super::sph::Fluid;
use super::watch::{self, inner_speed, is_slow, may_rest};
use super::{Liquid, MOST_SWELL};
use crate::contact::floater::Floater;
use crate::contact::impulse::{self, Impulse};
use crate::contact::leaning;
use crate::contact::points::Points;
use crate::contact::unlike::REACH;
use crate::frame::{Particles, SystemLedger};
use crate::health::{Kinetics, Speeds, is_beyond};
use crate::objects::{Bodies, Cling, Collider};
use crate::particles::Carry;
use crate::scene::{self, Described, Drops, Emitter, LiquidModel, Scalar, Scene, SphWalls};
use crate::step::Step;
use crate::system::{Addition, Ahead, Ailment, Mark, System};
use crate::world::SystemView;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// The liquids, in the order of the scene.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Liquids {
    /// Each of them.
    pub all: Vec<Liquid>,
    /// Liquids that mix, in the order of the first of each.
    #[serde(skip)]
    mixtures: Vec<Mixture>,
    /// What they go by in this frame.
    #[serde(skip)]
    plan: Plan,
}

impl Liquids {
    /// The liquids of a scene with their fills in place, around the objects that are there.
    pub fn new(scene: &Scene, colliders: &[Collider]) -> Self {
        let all = scene.liquid.iter().map(|l| Liquid::new(l, scene, colliders)).collect();
        Self { all, ..Self::default() }
    }

    fn descriptions(&self) -> impl Iterator<Item = &scene::Liquid> {
        self.all.iter().map(|l| &l.description)
    }

    /// For each liquid the number of its mixture.
    fn mixed(&self, planar: bool) -> Vec<Option<usize>> {
        mixtures(self.descriptions(), planar)
    }

    /// Particles that are near each other stand near each other, and lists are new with every frame: a run that goes on from a
    /// checkpoint has no others.
    fn put_in_order(&mut self, planar: bool) {
        for liquid in self.all.iter_mut().filter(|l| l.description.thesis.is_none()) {
            liquid.sort(liquid.description.reach(planar), planar, Carry::All);
        }
        self.mixtures.iter_mut().for_each(Mixture::forget);
    }

    /// Liquids take the room that they need under their own weight.
    fn swell(&mut self, dt: f32) {
        let Plan { loads, steps, .. } = &self.plan;
        for (liquid, &load) in self.all.iter_mut().zip(loads) {
            let scene::Liquid { thesis, model, .. } = &liquid.description;
            if thesis.is_none() && *model == LiquidModel::Viscoelastic {
                let c = sound_within(&liquid.description, liquid.packing(), load, dt / *steps as f32);
                liquid.swell_to(((load.head + load.cohesion) / (c * c)).min(MOST_SWELL), dt);
            }
        }
    }

    /// Liquids of the default method go on to their predicted positions.
    fn go_on(&mut self, mixed: &[Option<usize>], step: &Step) {
        for (liquid, mixture) in self.all.iter_mut().zip(mixed) {
            let Some(n) = *mixture else { continue };
            liquid.guide(step);
            liquid.go_on(&Coefficients::new(&liquid.description, liquid.packing()), step);
            if liquid.is_bonded() {
                self.mixtures[n].forget();
            }
        }
    }
}

/// The liquids of mixture number `n`, for a step of `dt`.
fn parts<'a>(
    liquids: &'a mut [Liquid],
    mixed: &[Option<usize>],
    n: usize,
    plan: &Plan,
    dt: f32,
    planar: bool,
) -> Vec<Part<'a>> {
    let all = liquids.iter_mut().zip(&plan.loads).enumerate().zip(mixed);
    let own = all.filter(|(_, m)| **m == Some(n)).map(|(all, _)| all);
    own.map(|(number, (liquid, &load))| {
        let given = &liquid.description;
        let c = sound_within(given, liquid.packing(), load, dt);
        let mut material = Material::new(given, liquid.packing(), load, c, dt, planar, liquid.swell());
        let fluid = Fluid::new(given, c, planar);
        if let Some(fluid) = fluid {
            fluid.put_into(&mut material);
        }
        let (spacing, speed, viscosity) = (given.spacing, load.speed, given.viscosity.linear);
        Part { number, liquid, material, spacing, speed, viscosity, fluid }
    })
    .collect()
}

impl System for Liquids {
    fn add(&mut self, name: &str, addition: Addition, step: &Step) -> f64 {
        self.put_in(name, addition, step)
    }

    fn remove(&mut self, name: &str, ids: &[u32]) {
        self.take_out(name, ids);
    }

    fn kick(&mut self, name: &str, ids: &[u32], velocity: Vec3, planar: bool) -> f64 {
        self.strike(name, ids, velocity, planar)
    }

    fn views(&self) -> Vec<SystemView<'_>> {
        self.all.iter().map(Liquid::view).collect()
    }

    fn live(&mut self, path: &str) -> Option<Scalar<'_>> {
        let (name, key) = path.split_once('.')?;
        self.all.iter_mut().find(|l| l.description.name == name)?.description.live(key)
    }

    fn clings(&self) -> Vec<Cling> {
        let cling = |l: &scene::Liquid| Cling {
            name: l.name.clone(),
            spacing: l.spacing,
            contact_angle: l.contact_angle,
        };
        self.descriptions().map(cling).collect()
    }

    fn plan(&mut self, ahead: &Ahead) -> u32 {
        self.put_in_order(ahead.planar);
        let mut loads: Vec<_> = self.all.iter().map(|l| l.load(ahead.gravity, ahead.dt)).collect();
        // Liquid takes on the speed of what hits it.
        for load in &mut loads {
            (load.speed, load.impact) = (load.speed.max(ahead.fastest), load.impact.max(ahead.fastest));
        }
        let densities: Vec<f32> = self.descriptions().map(|l| l.rest_density()).collect();
        stack(&mut loads, &densities);
        let all = self.all.iter().zip(&loads);
        let wanted = all.map(|(l, load)| wanted_steps(&l.description, l.packing(), *load, ahead.dt)).max();
        self.plan.loads = loads;
        wanted.unwrap_or(1)
    }

    fn begin_frame(&mut self, ahead: &Ahead, steps: u32) {
        let dt = ahead.dt / steps as f32;
        // What liquid and free objects share changes velocities after viscosity has seen them: in bursts it would shake both for ever.
        let most = if ahead.any_free { 1 } else { MOST_VISCOUS };
        let all = self.all.iter().zip(&self.plan.loads);
        let every = all.map(|(l, load)| viscous_every(&l.description, l.packing(), *load, dt));
        self.plan.viscous_every = every.fold(most, u32::min);
        (self.plan.steps, self.plan.done) = (steps, 0);
        self.swell(ahead.dt);
    }

    fn speeds(&self, bodies: &Bodies, dt: f32) -> Speeds {
        let emitters = self.descriptions().flat_map(|l| &l.emitter).map(|e| Vec3::from(e.velocity).length());
        let drops = self.descriptions().flat_map(|l| &l.drops).map(Drops::fastest);
        let inner = self
            .all
            .iter()
            .zip(&self.plan.loads)
            .map(|(l, load)| inner_speed(&l.description, l.packing().planar, bodies, *load, dt));
        Speeds { made: emitters.chain(drops).fold(0.0, f32::max), inner: inner.fold(0.0, f32::max) }
    }

    fn depth_in(&self, collider: &Collider) -> f32 {
        self.all.iter().map(|l| l.depth_in(collider)).fold(0.0, f32::max)
    }

    fn emit_and_drain(&mut self, step: &Step) -> f64 {
        let flow = |(n, liquid): (usize, &mut Liquid)| {
            liquid.drain(step);
            liquid.emit(step) + liquid.drip(n, step)
        };
        self.all.iter_mut().enumerate().map(flow).sum()
    }

    fn predict(&mut self, step: &Step, floaters: &mut [Floater]) -> Vec<Impulse> {
        for liquid in &mut self.all {
            match liquid.description.thesis {
                Some(_) => {
                    liquid.predict(&Coefficients::new(&liquid.description, liquid.packing()), step);
                }
                None => liquid.accelerate(step.dt * step.gravity),
            }
        }
        let (mixed, viscous_dt) = (self.mixed(step.planar), self.plan.viscous_dt(step.dt));
        let count = mixed.iter().flatten().max().map_or(0, |last| last + 1);
        self.mixtures.resize_with(count, Mixture::default);
        let Self { all, mixtures, plan } = self;
        let each = mixtures.iter_mut().enumerate().map(|(n, mixture)| {
            mixture.act(&mut parts(all, &mixed, n, plan, step.dt, step.planar), viscous_dt, step)
        });
        let (impulses, changes) = leaning::share(&impulse::sum(each, step.free), floaters, step);
        for (n, mixture) in mixtures.iter_mut().enumerate() {
            mixture.carry(&mut parts(all, &mixed, n, plan, step.dt, step.planar), &changes);
        }
        self.go_on(&mixed, step);
        self.plan.done += 1;
        impulses
    }

    fn points(&mut self, planar: bool) -> Vec<Points<'_>> {
        let mixed = self.mixed(planar);
        fn points<'a>(liquid: &'a mut Liquid, family: u64, planar: bool) -> Points<'a> {
            let mass = liquid.particle_mass(planar);
            let given = &liquid.description;
            // In the sources particles touch walls at half their spacing; by default pressure keeps them there, and contact only what is
            // thrown.
            let is_bare = given.model == LiquidModel::Sph && given.sph.walls == SphWalls::Bounce;
            let radius = given.spacing * if given.thesis.is_some() || is_bare { 0.5 } else { 0.25 };
            let reach = REACH * given.reach(planar);
            let particles = &mut liquid.particles;
            Points {
                position: &mut particles.position,
                previous: &particles.previous,
                radius,
                mass,
                family,
                reach,
            }
        }
        let family = |n: usize| mixed[n].unwrap_or(mixed.len() + n) as u64;
        self.all.iter_mut().enumerate().map(|(n, liquid)| points(liquid, family(n), planar)).collect()
    }

    fn finish(&mut self, step: &Step, limit: f32) -> Result<Vec<Kinetics>, Ailment> {
        let mut motions = Vec::with_capacity(self.all.len());
        for n in 0..self.all.len() {
            let liquid = &mut self.all[n];
            liquid.finish(step.dt);
            let motion = liquid.kinetics(step.planar);
            let limit = watch::runaway(&liquid.description, self.plan.loads[n]).min(limit);
            if is_beyond(motion.fastest, limit) {
                return Err(self.blame(n, limit, step));
            }
            motions.push(motion);
        }
        Ok(motions)
    }

    fn end_frame(&mut self, step: &Step, frame: u32) -> Result<(), Ailment> {
        self.all.iter().try_for_each(|liquid| liquid.check_room(step))?;
        // Liquids of different weight part, where they lie the wrong way round.
        let mixed = self.mixed(step.planar);
        let frame_dt = 1.0 / step.scene.fps;
        let Self { all, mixtures, plan } = self;
        for (n, mixture) in mixtures.iter_mut().enumerate() {
            let mut parts = parts(all, &mixed, n, plan, frame_dt / plan.steps as f32, step.planar);
            if parts.len() > 1 {
                mixture.part(&mut parts, step.gravity, frame_dt, frame);
            }
        }
        Ok(())
    }

    fn kinetics(&self, planar: bool) -> Vec<Kinetics> {
        self.all.iter().map(|l| l.kinetics(planar)).collect()
    }

    fn blame(&self, member: usize, limit: f32, step: &Step) -> Ailment {
        self.all[member].ailment(limit, step)
    }

    fn broken(&self) -> Option<usize> {
        self.all.iter().position(|l| l.particles.position.iter().any(|p| !p.is_finite()))
    }

    fn bounds(&self) -> Option<(Vec3, Vec3)> {
        self.all.iter().filter_map(Liquid::bounds).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    fn marks(&self) -> Option<Vec<Mark>> {
        let still = |(liquid, load)| is_slow(liquid, load) && may_rest(&liquid.description);
        self.all.iter().zip(&self.plan.loads).all(still).then(|| self.all.iter().map(Liquid::mark).collect())
    }

    fn is_fed(&self, from: f32, to: f32) -> bool {
        let is_open = |start: f32, stop: Option<f32>| start < to && stop.is_none_or(|stop| stop > from);
        let pours = |e: &Emitter| e.velocity != [0.0; 3] && is_open(e.start, e.stop);
        let drips = |d: &Drops| d.rate > 0.0 && is_open(d.start, d.stop);
        self.descriptions().any(|l| l.emitter.iter().any(pours) || l.drops.iter().any(drips))
    }

    fn halt(&mut self) {
        self.all.iter_mut().for_each(Liquid::halt);
    }

    fn frame(&self, _: bool) -> Vec<Particles> {
        self.all.iter().map(Liquid::frame).collect()
    }

    fn ledger(&self, gravity: Vec3, planar: bool, colliders: &[Collider]) -> Vec<SystemLedger> {
        self.all.iter().map(|l| l.ledger(gravity, planar, colliders)).collect()
    }

    fn describe(&self, scene: &mut Scene) {
        scene.liquid = self.descriptions().cloned().collect();
    }

    fn unfit(&self, scene: &Scene) -> Option<String> {
        if self.all.len() != scene.liquid.len() {
            return Some(format!(
                "it has {} liquids for {} in its scene",
                self.all.len(),
                scene.liquid.len()
            ));
        }
        self.all
            .iter()
            .find_map(|l| l.unfit(scene).map(|what| format!("liquid.{}: {what}", l.description.name)))
    }
}
