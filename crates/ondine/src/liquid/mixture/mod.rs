//! All liquids of the default method together: who is near whom, and what they do to each other.
//!
//! Liquids share one set of neighbour lists, so that unlike particles count in each other's densities and push each other like
//! any neighbours: they keep apart by weight and tension alone. Lists reach a little farther than h and are kept until some
//! particle may have come from outside that reach.
//!
//! A particle has a **slot**: its place in the order of cells when the lists were made. Everything that passes over
//! neighbours read is laid out by slot, four numbers a row.

mod bodies;
mod dragging;
mod pressing;
mod printed;
mod projecting;

use super::Liquid;
use super::images::Images;
use super::lubrication::Lubrication;
use super::material::{LOOK_AHEAD, Material};
use super::mirrors::Seen;
use super::pairing::Kinds;
use super::parting::Parting;
use super::pressure::Field;
use super::sph::incompressible::{self, Volume};
use super::sph::{Fluid, forces::Rows};
use super::viscosity::Viscosity;
use crate::clusters::{BlockLists, Clusters, EIGHT};
use crate::contact::{impulse::Impulse, leaning::Leaning};
use crate::parallel;
use crate::particles::Axes;
use crate::power::Power;
use crate::scene::{LiquidModel, SphWalls};
use crate::step::{Phase, Step};
use bodies::Leaner;
use glam::{DVec3, Vec3};
use pressing::FITTED;
use std::collections::BTreeMap;

/// Buffers of a step. Never part of the state: lists are made anew with every frame.
#[derive(Clone, Debug, Default)]
pub struct Mixture {
    clusters: Clusters,
    /// The particles of all liquids, one liquid after the other, where pressure looks at them.
    ahead: Axes,
    /// The same when the lists were made.
    listed: Axes,
    /// By slot: where pressure looks at a particle, and its interaction radius. Here and below eight more, for the lanes of the last cluster.
    at: Vec<[f32; 4]>,
    /// By slot: sums of the pressure pass, the last of them ρ.
    sums: Vec<[f32; 4]>,
    /// By slot: π [Pa/m²].
    pressures: Vec<f32>,
    /// By slot: n and the strength of tension.
    normals: Vec<[f32; 4]>,
    /// By slot: acceleration times mass density [N/m³].
    force: Vec<[f32; 4]>,
    /// Who is within h of each cluster in this step, block by block.
    near: Vec<BlockLists>,
    seen: Seen,
    /// What is seen in walls, block by block.
    images: Vec<Images>,
    viscosity: Viscosity,
    /// What forces of text 002 read.
    rows: Rows,
    /// The pressures of the incompressible model while they are looked for.
    volume: Volume,
    /// Which liquid each slot belongs to.
    kinds: Kinds,
    /// For each free object, the particles that lean on it.
    leaners: Vec<Vec<Leaner>>,
    /// For each free object, its surface.
    lubrications: BTreeMap<(Option<u32>, u32), Lubrication>,
    /// Which way it is pressed on another collider, or 0.
    held: Vec<DVec3>,
    /// How far the lists reach beyond h [m].
    skin: f32,
    /// Whether the lists are of the particles that are there now.
    is_listed: bool,
}

/// One liquid in a step.
pub struct Part<'a> {
    /// Its number in the scene.
    pub number: usize,
    /// Its state.
    pub liquid: &'a mut Liquid,
    /// Its numbers in this step.
    pub material: Material,
    /// Distance between its particles at rest [m].
    pub spacing: f32,
    /// Fastest motion expected [m/s].
    pub speed: f32,
    /// Its viscosity, as given [Pa·s].
    pub viscosity: f32,
    /// Its numbers in the model of text 002, if it is of that.
    pub fluid: Option<Fluid>,
}

/// What holds for all liquids of a mixture in a step.
struct Laws {
    /// Widest interaction radius [m].
    h: f32,
    /// Whether any of them has surface tension.
    is_tense: bool,
}

impl Laws {
    fn of(parts: &[Part]) -> Self {
        Self {
            h: parts.iter().map(|p| p.material.h).fold(0.0, f32::max),
            is_tense: parts.iter().any(|p| p.material.tension > 0.0),
        }
    }
}

impl Part<'_> {
    fn len(&self) -> usize {
        self.liquid.particles.len()
    }

    /// How it keeps its volume.
    fn model(&self) -> LiquidModel {
        self.liquid.description.model
    }

    /// Share of a step by which its forces look ahead.
    fn look_ahead(&self) -> f32 {
        match self.model() {
            LiquidModel::Viscoelastic => LOOK_AHEAD,
            LiquidModel::Sph => 0.0,
            LiquidModel::Dfsph => incompressible::LOOK_AHEAD,
        }
    }

    /// Whether it sees images in walls.
    fn has_mirrors(&self) -> bool {
        self.model() != LiquidModel::Sph || self.liquid.description.sph.walls == SphWalls::Mirrors
    }

    /// The pressure of a particle [Pa].
    fn pressure(&self, i: usize) -> f32 {
        let p = &self.liquid.particles;
        match self.model() {
            LiquidModel::Dfsph => self.material.density * p.used_to[i].max(0.0),
            _ => self.material.bulk * self.material.strain(p.density[i]),
        }
    }

    /// μ of text 002 [Pa·s].
    pub fn mu(&self) -> f32 {
        self.fluid.map_or(0.0, |fluid| fluid.mu)
    }
}

/// Longest reach of lists beyond h, in h: more neighbours cost more than fresh lists.
const MOST_SKIN: f32 = 0.16;
/// Steps for which lists should last; fewer are not worth a skin.
const LAST: f32 = 3.0;

impl Mixture {
    /// Forgets the lists: particles have come, gone or changed places.
    pub fn forget(&mut self) {
        self.is_listed = false;
    }

    /// Changes velocities by pressure for a step and by viscosity for `viscous_dt` [s]. Returns what free objects get as walls.
    pub fn act(&mut self, parts: &mut [Part], viscous_dt: f32, step: &Step) -> Vec<Leaning> {
        if parts.iter().all(|p| p.len() == 0) {
            self.leaners.clear();
            return vec![Leaning::default(); step.free];
        }
        let laws = Laws::of(parts);
        self.look_around(parts, &laws, step);
        let (mut impulses, dragged) = match parts[0].model() {
            LiquidModel::Viscoelastic => (self.press(parts, &laws, step), self.drag(parts, viscous_dt, step)),
            LiquidModel::Sph => {
                (self.press_as_printed(parts, &laws, step), self.grip(parts, viscous_dt, step))
            }
            LiquidModel::Dfsph => (self.project(parts, &laws, step), Vec::new()),
        };
        impulses.iter_mut().zip(dragged).for_each(|(push, dragged)| *push += dragged);
        (step.watch)(Phase::Other);
        let crowds = self.crowds(parts, step);
        let walls = impulses.into_iter().zip(crowds).zip(self.held.iter().copied());
        walls.map(|((impulse, (crowd, momentum)), held)| Leaning { impulse, crowd, momentum, held }).collect()
    }

    /// At the end of a frame: unlike particles that lie the wrong way round change places.
    pub fn part(&mut self, parts: &mut [Part], gravity: Vec3, dt: f32, frame: u32) {
        let is_level = parts.windows(2).all(|p| p[0].material.density == p[1].material.density);
        if self.is_listed && !is_level && gravity != Vec3::ZERO {
            Parting { clusters: &self.clusters, gravity, dt, frame }.part(parts);
        }
    }

    /// Finds who is near whom, what particles see in walls, and who leans on what.
    fn look_around(&mut self, parts: &[Part], laws: &Laws, step: &Step) {
        (step.watch)(Phase::Sort);
        self.look_ahead(parts, step);
        if !self.is_listed || self.strayed() {
            let speed = parts.iter().map(|p| p.speed).fold(0.0, f32::max);
            self.list(laws.h, 2.0 * LAST * speed * step.dt, step.planar);
        }
        self.kinds.set(parts, self.clusters.slot_of(), step.planar);
        self.place(parts);
        (step.watch)(Phase::Density);
        let walls = if parts.iter().all(Part::has_mirrors) { step.colliders } else { &[] };
        self.seen.look(&self.clusters, &self.at[..self.ahead.len()], walls, laws.h, self.skin);
        self.find_leaners(parts, step);
    }

    /// Changes velocities by pressure for a step. Returns what free objects get as walls.
    fn press(&mut self, parts: &mut [Part], laws: &Laws, step: &Step) -> Vec<Impulse> {
        self.weigh(parts, laws, &FITTED);
        let mut walls = self.push(laws);
        if laws.is_tense {
            walls.extend(self.pull(parts, laws));
            walls.extend(self.wet(parts, step));
        }
        self.accelerate(parts, step.dt);
        let mut impulses = self.collect(&walls, parts, step);
        self.lift(&mut impulses, parts, step);
        impulses
    }

    fn field<'a>(&'a self, laws: &'a Laws) -> Field<'a> {
        Field { at: &self.at, is_tense: laws.is_tense, kinds: &self.kinds }
    }

    /// Where particles will be a part of the step later.
    fn look_ahead(&mut self, parts: &[Part], step: &Step) {
        let Self { ahead, .. } = self;
        let total: usize = parts.iter().map(|p| p.len()).sum();
        self.is_listed &= ahead.len() == total;
        ahead.each(|axis, _| axis.resize(total, 0.0));
        let mut first = 0;
        for part in parts {
            let (own, p) = (first..first + part.len(), &part.liquid.particles);
            let ahead_dt = part.look_ahead() * step.dt;
            // Pressure that is solved for takes what gravity has just given.
            let is_solved = part.model() == LiquidModel::Dfsph;
            let given = if is_solved { step.dt * step.gravity } else { Vec3::ZERO };
            first = own.end;
            let axes = [&mut ahead.x, &mut ahead.y, &mut ahead.z].map(|axis| &mut axis[own.clone()]);
            parallel::three(axes, |first, axes| {
                for (c, axis) in axes.into_iter().enumerate() {
                    let (x, v) = (&p.position.axis(c)[first..], &p.velocity.axis(c)[first..]);
                    for (ahead, (x, v)) in axis.iter_mut().zip(x.iter().zip(v)) {
                        *ahead = x + ahead_dt * (v - given[c]);
                    }
                }
            });
        }
    }

    /// Whether any particle is so far from where it was listed that somebody unlisted may be within h.
    fn strayed(&self) -> bool {
        if self.skin == 0.0 {
            return true;
        }
        let limit = (0.5 * self.skin).power(2);
        let far = parallel::gather(self.ahead.len(), |range| {
            range.into_iter().any(|i| {
                let moved = self.ahead.get(i) - self.listed.get(i);
                moved.length_squared().partial_cmp(&limit).is_none_or(std::cmp::Ordering::is_gt)
            })
        });
        far.into_iter().any(|far| far)
    }

    /// Makes the lists anew.
    fn list(&mut self, h: f32, wanted: f32, planar: bool) {
        self.skin = if wanted <= MOST_SKIN * h { wanted.max(0.25 * MOST_SKIN * h) } else { 0.0 };
        self.clusters.list(&self.ahead, h + self.skin, planar);
        if self.skin > 0.0 {
            self.listed.clone_from(&self.ahead);
        }
        self.is_listed = true;
    }

    /// Lays out the particles by slot, each with its interaction radius.
    fn place(&mut self, parts: &[Part]) {
        let Self { ahead, at, clusters, kinds, .. } = self;
        let order = clusters.order();
        at.resize(order.len() + EIGHT, [0.0; 4]);
        at[order.len()..].fill([NOWHERE, NOWHERE, NOWHERE, 0.0]);
        parallel::parts(&mut at[..order.len()], |first, part| {
            for (k, (at, &i)) in part.iter_mut().zip(&order[first..]).enumerate() {
                let i = i as usize;
                *at = [ahead.x[i], ahead.y[i], ahead.z[i], parts[kinds.kind(first + k)].material.h];
            }
        });
    }
}

/// Where the row for padding stands [m]: far from everything, and its square still a number.
const NOWHERE: f32 = 1e15;
