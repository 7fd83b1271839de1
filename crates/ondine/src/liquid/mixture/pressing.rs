//! Pressure and tension of a mixture: from places to densities, from densities to forces, from forces to velocities.

use super::{Laws, Mixture, Part};
use crate::clusters::{BlockLists, Cluster, EIGHT, Sieve};
use crate::liquid::images::{Choice, Images};
use crate::liquid::material::Material;
use crate::liquid::pressure::{self, Field, WallPush};
use crate::liquid::sph::Fluid;
use crate::liquid::{Step, tension};
use crate::parallel::{self, Shared};
use crate::particles::{Axes, NEWBORN};
use crate::scene::LiquidModel;
use glam::Vec3;

/// How densities are summed, over neighbours and over their images in walls.
pub(super) struct Sums {
    near: fn(&Field, &Cluster, &mut [[f32; 4]], Sieve) -> usize,
    images: fn(&Field, &Cluster, &Choice, &mut [[f32; 4]]),
}

/// With the weight of `kernel.rs`.
pub(super) const FITTED: Sums = Sums { near: pressure::densities, images: pressure::image_densities };
/// With that of text 002.
pub(super) const POLY6: Sums =
    Sums { near: pressure::poly6_densities, images: pressure::poly6_image_densities };

impl Mixture {
    /// From places to densities and pressures, and what particles are used to.
    pub(super) fn weigh(&mut self, parts: &mut [Part], laws: &Laws, sum: &Sums) {
        let n = self.ahead.len();
        let (mut sums, mut pressures) = (std::mem::take(&mut self.sums), std::mem::take(&mut self.pressures));
        let (mut images, mut near) = (std::mem::take(&mut self.images), std::mem::take(&mut self.near));
        let blocks = self.clusters.grid().blocks();
        images.resize_with(blocks.max(images.len()), Images::default);
        near.resize_with(blocks.max(near.len()), BlockLists::default);
        let (all_images, all_near) = (Shared::new(&mut images), Shared::new(&mut near));
        sums.resize(n, [0.0; 4]);
        pressures.resize(n + EIGHT, 0.0);
        let field = self.field(laws);
        let (all_sums, all_pressures) = (Shared::new(&mut sums), Shared::new(&mut pressures));
        let reacting = Reacting::all(parts);
        let order = self.clusters.order();
        parallel::for_each(self.clusters.grid().block_numbers(), n, |&block| {
            // SAFETY: each block has its own images and its own lists.
            let (images, near) = unsafe {
                (&mut all_images.slice(block as usize, 1)[0], &mut all_near.slice(block as usize, 1)[0])
            };
            images.clear();
            near.clear();
            for (number, listed) in self.clusters.of(block as usize).enumerate() {
                // SAFETY: each cluster writes its own slots, and so its own particles, only.
                let (sums, pressures) = unsafe {
                    (all_sums.slice(listed.first, listed.len), all_pressures.slice(listed.first, listed.len))
                };
                near.add(listed.near, field.at, |near| (sum.near)(&field, &listed, sums, near));
                let cluster = Cluster { near: near.of(number), ..listed };
                images.add(&cluster, field.at, &self.seen, laws.h);
                for choice in images.of(number) {
                    (sum.images)(&field, &cluster, &choice, sums);
                }
                for (lane, (sums, pressure)) in sums.iter().zip(pressures).enumerate() {
                    let slot = cluster.first + lane;
                    let kind = field.kinds.kind(slot);
                    // SAFETY: as above.
                    *pressure = unsafe { reacting[kind].react(order[slot] as usize, sums[3]) };
                }
            }
        });
        (self.sums, self.pressures, self.images, self.near) = (sums, pressures, images, near);
    }

    /// Forces on every slot. Returns what walls did.
    pub(super) fn push(&mut self, laws: &Laws) -> Vec<Vec<WallPush>> {
        self.exert(laws, |this, site, force, walls| {
            pressure::forces(site.field, &this.pressures, &site.cluster, force);
            for choice in site.choices() {
                let Site { field, cluster, .. } = site;
                pressure::image_forces(field, &this.pressures, cluster, &choice, force, walls);
            }
        })
    }

    /// Surface tension, where there is a surface. Returns what walls did.
    pub(super) fn pull(&mut self, parts: &[Part], laws: &Laws) -> Vec<Vec<WallPush>> {
        self.find_normals(parts);
        let is_near_surface = self.blocks_near_surface();
        self.exert(laws, |this, site, force, walls| {
            let Site { field, cluster, .. } = site;
            if is_near_surface[site.block] && cluster.near.each().any(|slot| this.is_outside(slot as usize)) {
                tension::pull(field, &this.normals, cluster, force);
                for choice in site.choices() {
                    tension::image_pull(field, &this.normals, cluster, &choice, force, walls);
                }
            }
        })
    }

    /// Whether a slot is at a surface.
    fn is_outside(&self, slot: usize) -> bool {
        self.normals[slot][..3] != [0.0; 3]
    }

    /// For each block, whether any particle in it or around it is at a surface: most blocks of a large liquid are far from all.
    fn blocks_near_surface(&self) -> Vec<bool> {
        let (grid, n) = (self.clusters.grid(), self.ahead.len());
        let outside = parallel::map(grid.block_numbers(), n, |&block| {
            grid.particles_of(block as usize).any(|slot| self.is_outside(slot))
        });
        let is_near = |&block: &u32| grid.blocks_around(block as usize).any(|other| outside[other]);
        grid.block_numbers().iter().map(is_near).collect()
    }

    /// Runs `act` for every cluster with the forces on its slots, and a list of what walls do. Returns these lists.
    pub(super) fn exert(
        &mut self,
        laws: &Laws,
        act: impl Fn(&Self, &Site, &mut [[f32; 4]], &mut Vec<WallPush>) + Sync,
    ) -> Vec<Vec<WallPush>> {
        let mut force = std::mem::take(&mut self.force);
        force.resize(self.ahead.len(), [0.0; 4]);
        let this = &*self;
        let (field, shared) = (this.field(laws), Shared::new(&mut force));
        let walls = parallel::map(this.clusters.grid().block_numbers(), field.at.len(), |&block| {
            let (mut walls, block) = (Vec::new(), block as usize);
            for (number, cluster) in this.clusters.with(block, &this.near[block]).enumerate() {
                // SAFETY: each cluster writes its own slots only.
                let force = unsafe { shared.slice(cluster.first, cluster.len) };
                let site = Site { field: &field, cluster, images: &this.images[block], block, number };
                act(this, &site, force, &mut walls);
            }
            walls
        });
        self.force = force;
        walls
    }

    /// Walls draw liquid to them, or from them, by its contact angle (`tension.rs`). Returns what they did.
    pub(super) fn wet(&mut self, parts: &[Part], step: &Step) -> Vec<Vec<WallPush>> {
        let Self { clusters, seen, force, .. } = self;
        let (force, mut first, mut walls) = (Shared::new(force), 0, Vec::new());
        for part in parts {
            let slots = &clusters.slot_of()[first..first + part.len()];
            first += part.len();
            walls.extend(parallel::gather(slots.len(), |range| {
                let mut walls = Vec::new();
                for &slot in slots[range].iter().filter(|&&slot| seen.any(slot as usize)) {
                    // SAFETY: each particle has its own slot.
                    let force = unsafe { &mut force.slice(slot as usize, 1)[0] };
                    for mirror in seen.of(slot as usize) {
                        let collider = mirror.collider();
                        let strength = part.material.wetting * step.colliders[collider].wetting[part.number];
                        let drawn = tension::drawn(mirror.distance / part.material.h);
                        let push = -strength * drawn * mirror.normal;
                        (0..3).for_each(|c| force[c] += push[c]);
                        if mirror.is_free {
                            walls.push(WallPush { slot, collider: collider as u32, push });
                        }
                    }
                }
                walls
            }));
        }
        walls
    }

    /// n of every slot, and the strength of its liquid's tension.
    fn find_normals(&mut self, parts: &[Part]) {
        let Self { sums, normals, kinds, .. } = self;
        normals.resize(sums.len() + EIGHT, [0.0; 4]);
        normals[sums.len()..].fill([0.0; 4]);
        parallel::parts(&mut normals[..sums.len()], |first, part| {
            for (k, normal) in part.iter_mut().enumerate() {
                let material = &parts[kinds.kind(first + k)].material;
                let [x, y, z, _] = sums[first + k];
                let n = -material.gradient * Vec3::new(x, y, z);
                let inside = n.length_squared() < material.inside * material.inside;
                *normal = if inside { Vec3::ZERO } else { n }.extend(material.tension).to_array();
            }
        });
    }

    pub(super) fn accelerate(&mut self, parts: &mut [Part], dt: f32) {
        let mut first = 0;
        for Part { liquid, material, .. } in parts {
            let p = &mut liquid.particles;
            let (slots, force) = (&self.clusters.slot_of()[first..first + p.len()], &self.force);
            let share = dt / material.density;
            first += p.len();
            let Axes { x, y, z } = &mut p.velocity;
            parallel::three([x, y, z], |first, [x, y, z]| {
                for (k, &slot) in slots[first..first + x.len()].iter().enumerate() {
                    let push = force[slot as usize].map(|f| share * f);
                    (x[k], y[k], z[k]) = (x[k] + push[0], y[k] + push[1], z[k] + push[2]);
                }
            });
        }
    }
}

/// A cluster, and what it sees in walls.
pub(super) struct Site<'a> {
    pub field: &'a Field<'a>,
    pub cluster: Cluster<'a>,
    images: &'a Images,
    block: usize,
    /// Its number in its block.
    number: usize,
}

impl Site<'_> {
    /// What it sees, by choices of walls.
    pub fn choices(&self) -> impl Iterator<Item = Choice<'_>> {
        self.images.of(self.number)
    }
}

/// One liquid while its densities are found: what it remembers is written from many clusters at once.
struct Reacting<'a> {
    material: Material,
    model: LiquidModel,
    fluid: Option<Fluid>,
    first: usize,
    density: Shared<'a, f32>,
    used_to: Shared<'a, f32>,
}

impl<'a> Reacting<'a> {
    fn all(parts: &'a mut [Part]) -> Vec<Self> {
        let mut first = 0;
        let one = |part: &'a mut Part| {
            let (material, model, fluid) = (part.material, part.model(), part.fluid);
            let p = &mut part.liquid.particles;
            let this = Self {
                material,
                model,
                fluid,
                first,
                density: Shared::new(&mut p.density),
                used_to: Shared::new(&mut p.used_to),
            };
            first += p.velocity.len();
            this
        };
        parts.iter_mut().map(one).collect()
    }

    /// π of a particle of the mixture whose density has been found; p, in the model of text 002, and a guess of π in the incompressible one.
    ///
    /// # Safety
    /// Nobody else may be at the same particle.
    unsafe fn react(&self, particle: usize, rho: f32) -> f32 {
        let i = particle - self.first;
        // SAFETY: the caller's promise.
        let (density, used_to) =
            unsafe { (&mut self.density.slice(i, 1)[0], &mut self.used_to.slice(i, 1)[0]) };
        *density = rho;
        match self.model {
            LiquidModel::Viscoelastic => (),
            LiquidModel::Sph => {
                *used_to = 0.0;
                return self.fluid.map_or(0.0, |fluid| fluid.pressure(rho));
            }
            // To begin with, that of the step before.
            LiquidModel::Dfsph => return used_to.max(0.0) / self.material.head,
        }
        let share = if *used_to == NEWBORN { 1.0 } else { self.material.forgets };
        *used_to += share * (self.material.strain(rho) - *used_to);
        self.material.pressure(rho, *used_to)
    }
}
