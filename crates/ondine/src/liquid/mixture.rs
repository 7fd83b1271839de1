//! All liquids of the default method together: who is near whom, and what they do to each other.
//!
//! Liquids share one set of neighbour lists, so that unlike particles count in each other's densities and push each other like
//! any neighbours: they keep apart by weight and tension alone. Lists reach a little farther than h and are kept until some
//! particle may have come from outside that reach.
//!
//! A particle has a **slot**: its place in the order of cells when the lists were made. Everything that passes over
//! neighbours read is laid out by slot, four numbers a row.

use super::film::{self, Film, Gap, Head};
use super::images::Images;
use super::material::{CLOSE, CROWDED, LOOK_AHEAD, Material};
use super::mirrors::Seen;
use super::parting::Parting;
use super::pressure::{self, Field, WallPush};
use super::viscosity::{EXPLICIT, Grip, Pairs, Viscosity, WallDrag};
use super::{Liquid, Phase, Surroundings, tension};
use crate::clusters::{BlockLists, Cluster, Clusters, EIGHT};
use crate::contact::pushes::{AsWall, Push};
use crate::parallel::{self, Shared};
use crate::particles::{Axes, NEWBORN};
use glam::{DVec3, Vec3};

/// Buffers of a step. Never part of the state: lists are made anew with every frame.
#[derive(Clone, Debug, Default)]
pub struct Mixture {
    clusters: Clusters,
    /// The particles of all liquids, one liquid after the other, where pressure looks at them.
    ahead: Axes,
    /// The same when the lists were made.
    listed: Axes,
    /// By slot: where pressure looks at a particle. Here and below eight more, for the lanes of the last cluster.
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
    /// By slot: π_c and the number of the liquid, where there are several.
    kinds: Vec<[f32; 4]>,
    /// For each free object, its surface.
    films: Vec<Option<Film>>,
    /// Whether it is pressed on another solid.
    held: Vec<bool>,
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
}

/// What holds for all liquids of a mixture in a step.
struct Laws {
    h: f32,
    close: f32,
    crowded: f32,
    is_tense: bool,
}

impl Part<'_> {
    fn len(&self) -> usize {
        self.liquid.particles.len()
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

    /// Changes velocities by pressure and viscosity for a step. Returns what free objects get as walls.
    pub fn act(&mut self, parts: &mut [Part], around: &Surroundings) -> Vec<AsWall> {
        if parts.iter().all(|p| p.len() == 0) {
            return vec![AsWall::default(); around.free];
        }
        let mut pushes = self.press(parts, around);
        if around.viscous_dt > 0.0 {
            (around.watch)(Phase::Viscosity);
            let dragged = self.drag(parts, around);
            pushes.iter_mut().zip(dragged).for_each(|(push, dragged)| *push += dragged);
        }
        (around.watch)(Phase::Other);
        let crowds = self.crowds(parts, around);
        // What cannot give way does not move together with what leans on it.
        let crowds = crowds.into_iter().zip(&self.held).map(|(crowd, held)| if *held { 0.0 } else { crowd });
        pushes.into_iter().zip(crowds).map(|(push, crowd)| AsWall { push, crowd }).collect()
    }

    /// At the end of a frame: unlike particles that lie the wrong way round change places.
    pub fn part(&mut self, parts: &mut [Part], gravity: Vec3, dt: f32, frame: u32) {
        let is_level = parts.windows(2).all(|p| p[0].material.density == p[1].material.density);
        if self.is_listed && !is_level && gravity != Vec3::ZERO {
            Parting { clusters: &self.clusters, gravity, dt, frame }.part(parts);
        }
    }

    /// Changes velocities by pressure for a step. Returns what free objects get as walls.
    fn press(&mut self, parts: &mut [Part], around: &Surroundings) -> Vec<Push> {
        let h = parts.iter().map(|p| p.material.h).fold(0.0, f32::max);
        (around.watch)(Phase::Sort);
        self.look_ahead(parts, around.dt);
        if !self.is_listed || self.strayed() {
            let speed = parts.iter().map(|p| p.speed).fold(0.0, f32::max);
            self.list(h, 2.0 * LAST * speed * around.dt, around.planar);
        }
        self.place();
        (around.watch)(Phase::Density);
        self.seen.look(&self.clusters, &self.at[..self.ahead.len()], around.solids, h, self.skin);
        self.mark(parts);
        let stiffness = parts.iter().map(|p| p.material.push).fold(f32::INFINITY, f32::min);
        let spacing = parts.iter().map(|p| p.spacing).fold(0.0, f32::max);
        let laws = Laws {
            h,
            close: CLOSE * spacing / h,
            crowded: CROWDED * stiffness,
            is_tense: parts.iter().any(|p| p.material.tension > 0.0),
        };
        self.weigh(parts, &laws);
        let mut walls = self.push(&laws);
        if laws.is_tense {
            walls.extend(self.pull(parts, &laws));
            walls.push(self.wet(parts, around));
        }
        self.accelerate(parts, around.dt);
        let mut pushes = self.collect(&walls, parts, around);
        self.lift(&mut pushes, parts, around);
        pushes
    }

    fn field<'a>(&'a self, laws: &'a Laws) -> Field<'a> {
        let Laws { h, close, crowded, is_tense, .. } = *laws;
        Field { at: &self.at, h, close, crowded, is_tense, kinds: &self.kinds }
    }

    /// Where particles will be a part of the step later.
    fn look_ahead(&mut self, parts: &[Part], dt: f32) {
        let ahead_dt = LOOK_AHEAD * dt;
        let Self { ahead, .. } = self;
        let total: usize = parts.iter().map(|p| p.len()).sum();
        self.is_listed &= ahead.len() == total;
        ahead.each(|axis, c| {
            axis.resize(total, 0.0);
            let mut left = &mut axis[..];
            for part in parts {
                let (own, rest) = left.split_at_mut(part.len());
                let p = &part.liquid.particles;
                let (x, v) = (p.position.axis(c), p.velocity.axis(c));
                parallel::parts(own, |first, part| {
                    for (k, ahead) in part.iter_mut().enumerate() {
                        *ahead = x[first + k] + ahead_dt * v[first + k];
                    }
                });
                left = rest;
            }
        });
    }

    /// Whether any particle is so far from where it was listed that somebody unlisted may be within h.
    fn strayed(&self) -> bool {
        if self.skin == 0.0 {
            return true;
        }
        let limit = (0.5 * self.skin).powi(2);
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
        self.listed.clone_from(&self.ahead);
        self.is_listed = true;
    }

    /// Lays out the particles by slot.
    fn place(&mut self) {
        let Self { ahead, at, clusters, .. } = self;
        let order = clusters.order();
        at.resize(order.len() + EIGHT, [0.0; 4]);
        at[order.len()..].fill([NOWHERE, NOWHERE, NOWHERE, 0.0]);
        parallel::parts(&mut at[..order.len()], |first, part| {
            for (at, &i) in part.iter_mut().zip(&order[first..]) {
                let i = i as usize;
                *at = [ahead.x[i], ahead.y[i], ahead.z[i], 0.0];
            }
        });
    }

    /// Which liquid each slot belongs to, where there are several.
    fn mark(&mut self, parts: &[Part]) {
        self.kinds.clear();
        if parts.len() < 2 {
            return;
        }
        self.kinds.resize(self.ahead.len() + EIGHT, [0.0; 4]);
        let mut slots = self.clusters.slot_of().iter();
        for (kind, part) in parts.iter().enumerate() {
            let row = [part.material.cohesion, kind as f32, 0.0, 0.0];
            slots.by_ref().take(part.len()).for_each(|&slot| self.kinds[slot as usize] = row);
        }
    }

    /// From places to densities and pressures, and what particles are used to.
    fn weigh(&mut self, parts: &mut [Part], laws: &Laws) {
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
                near.add(listed.near.len(), |near| pressure::densities(&field, &listed, sums, near));
                let cluster = Cluster { near: near.of(number), ..listed };
                images.add(&cluster, field.at, &self.seen, laws.h);
                for choice in images.of(number) {
                    pressure::image_densities(&field, &cluster, &choice, sums);
                }
                for (lane, (sums, pressure)) in sums.iter().zip(pressures).enumerate() {
                    let slot = cluster.first + lane;
                    let kind = if field.kinds.is_empty() { 0 } else { field.kinds[slot][1] as usize };
                    // SAFETY: as above.
                    *pressure = unsafe { reacting[kind].react(order[slot] as usize, sums[3]) };
                }
            }
        });
        (self.sums, self.pressures, self.images, self.near) = (sums, pressures, images, near);
    }

    /// Forces on every slot. Returns what walls did.
    fn push(&mut self, laws: &Laws) -> Vec<Vec<WallPush>> {
        let mut force = std::mem::take(&mut self.force);
        force.resize(self.ahead.len(), [0.0; 4]);
        let (field, shared) = (self.field(laws), Shared::new(&mut force));
        let (clusters, pressures, images, near) = (&self.clusters, &self.pressures, &self.images, &self.near);
        let walls = parallel::map(clusters.grid().block_numbers(), field.at.len(), |&block| {
            let mut walls = Vec::new();
            for (number, cluster) in clusters.with(block as usize, &near[block as usize]).enumerate() {
                // SAFETY: each cluster writes its own slots only.
                let force = unsafe { shared.slice(cluster.first, cluster.len) };
                pressure::forces(&field, pressures, &cluster, force);
                for choice in images[block as usize].of(number) {
                    pressure::image_forces(&field, pressures, &cluster, &choice, force, &mut walls);
                }
            }
            walls
        });
        self.force = force;
        walls
    }

    /// Surface tension, where there is a surface. Returns what walls did.
    fn pull(&mut self, parts: &[Part], laws: &Laws) -> Vec<Vec<WallPush>> {
        self.find_normals(parts);
        let mut force = std::mem::take(&mut self.force);
        let (clusters, normals, images, near) = (&self.clusters, &self.normals, &self.images, &self.near);
        let is_outside = |slot: usize| normals[slot][..3] != [0.0; 3];
        let (field, shared) = (self.field(laws), Shared::new(&mut force));
        let walls = parallel::map(clusters.grid().block_numbers(), normals.len(), |&block| {
            let mut walls = Vec::new();
            for (number, cluster) in clusters.with(block as usize, &near[block as usize]).enumerate() {
                if cluster.near.iter().any(|&slot| is_outside(slot as usize)) {
                    // SAFETY: each cluster writes its own slots only.
                    let force = unsafe { shared.slice(cluster.first, cluster.len) };
                    tension::pull(&field, normals, &cluster, force);
                    for choice in images[block as usize].of(number) {
                        tension::image_pull(&field, normals, &cluster, &choice, force, &mut walls);
                    }
                }
            }
            walls
        });
        self.force = force;
        walls
    }

    /// Walls draw liquid to them, or from them, by its contact angle (`tension.rs`). Returns what they did.
    fn wet(&mut self, parts: &[Part], around: &Surroundings) -> Vec<WallPush> {
        let mut walls = Vec::new();
        let mut slots = self.clusters.slot_of().iter();
        for part in parts {
            for &slot in slots.by_ref().take(part.len()) {
                for mirror in self.seen.of(slot as usize) {
                    let solid = mirror.solid();
                    let strength = part.material.wetting * around.solids[solid].wetting[part.number];
                    let push = -strength * tension::drawn(mirror.distance / part.material.h) * mirror.normal;
                    let force = &mut self.force[slot as usize];
                    (0..3).for_each(|c| force[c] += push[c]);
                    if mirror.is_free {
                        walls.push(WallPush { slot, solid: solid as u32, push });
                    }
                }
            }
        }
        walls
    }

    /// n of every slot, and the strength of its liquid's tension.
    fn find_normals(&mut self, parts: &[Part]) {
        let Self { sums, normals, kinds, .. } = self;
        normals.resize(sums.len() + EIGHT, [0.0; 4]);
        normals[sums.len()..].fill([0.0; 4]);
        let is_mixed = !kinds.is_empty();
        parallel::parts(&mut normals[..sums.len()], |first, part| {
            for (k, normal) in part.iter_mut().enumerate() {
                let kind = if is_mixed { kinds[first + k][1] as usize } else { 0 };
                let material = &parts[kind].material;
                let [x, y, z, _] = sums[first + k];
                let n = -material.gradient * Vec3::new(x, y, z);
                let inside = n.length_squared() < (tension::INSIDE / material.h).powi(2);
                *normal = if inside { Vec3::ZERO } else { n }.extend(material.tension).to_array();
            }
        });
    }

    fn accelerate(&mut self, parts: &mut [Part], dt: f32) {
        let mut first = 0;
        for Part { liquid, material, .. } in parts {
            let p = &mut liquid.particles;
            let (slots, force) = (&self.clusters.slot_of()[first..first + p.len()], &self.force);
            let share = dt / material.density;
            first += p.len();
            let Axes { x, y, z } = &mut p.velocity;
            let [x, y, z] = [x, y, z].map(|axis| Shared::new(axis));
            parallel::gather(slots.len(), |range| {
                let (from, len) = (range.start, range.len());
                // SAFETY: each part writes its own particles only.
                let (x, y, z) = unsafe { (x.slice(from, len), y.slice(from, len), z.slice(from, len)) };
                for (k, &slot) in slots[range].iter().enumerate() {
                    let push = force[slot as usize].map(|f| share * f);
                    (x[k], y[k], z[k]) = (x[k] + push[0], y[k] + push[1], z[k] + push[2]);
                }
            });
        }
    }

    /// Mass of the liquid that leans on each free object [kg].
    fn crowds(&self, parts: &[Part], around: &Surroundings) -> Vec<f64> {
        let mut crowds = vec![0.0; around.free];
        self.leaning(parts, around, |part, _, free, near| {
            let material = &parts[part].material;
            crowds[free] += (material.volume * material.density * near) as f64;
        });
        crowds
    }

    /// Liquid that leans on free objects changes its velocity with them, by so much each.
    pub fn carry(&self, parts: &mut [Part], around: &Surroundings, changes: &[DVec3]) {
        if changes.iter().all(|change| *change == DVec3::ZERO) {
            return;
        }
        let mut carried = Vec::new();
        self.leaning(parts, around, |part, i, free, near| {
            carried.push((part, i, near * changes[free].as_vec3()));
        });
        for (part, i, change) in carried {
            let velocity = &mut parts[part].liquid.particles.velocity;
            velocity.set(i, velocity.get(i) + change);
        }
    }

    /// Goes through the particles that lean on free objects, with their liquid, their number, the object's, and how much they do,
    /// from 0 to 1.
    fn leaning(&self, parts: &[Part], around: &Surroundings, mut each: impl FnMut(usize, usize, usize, f32)) {
        if around.free == 0 || !self.is_listed {
            return;
        }
        let mut first = 0;
        for (number, part) in parts.iter().enumerate() {
            for (i, &slot) in self.clusters.slot_of()[first..first + part.len()].iter().enumerate() {
                for mirror in self.seen.of(slot as usize).iter().filter(|m| m.is_free) {
                    let near = 1.0 - 2.0 * mirror.distance / part.material.h;
                    if let Some(free) = around.solids[mirror.solid()].free.filter(|_| near > 0.0) {
                        each(number, i, free as usize, near);
                    }
                }
            }
            first += part.len();
        }
    }

    /// What free objects get for pushing particles.
    fn collect(&self, walls: &[Vec<WallPush>], parts: &[Part], around: &Surroundings) -> Vec<Push> {
        let mut pushes = vec![Push::default(); around.free];
        for wall in walls.iter().flatten() {
            self.give(&mut pushes, wall.slot, wall.solid, around.dt * wall.push, parts, around);
        }
        pushes
    }

    /// Adds what the liquid does to free objects where they all but touch other solids (`film.rs`).
    fn lift(&mut self, pushes: &mut [Push], parts: &[Part], around: &Surroundings) {
        let spacing = parts.iter().map(|p| p.spacing).fold(0.0, f32::max);
        self.films.resize(around.free, None);
        self.held.clear();
        self.held.resize(around.free, false);
        for (number, solid) in around.solids.iter().enumerate() {
            let Some(free) = solid.free else { continue };
            let film = self.films[free as usize]
                .get_or_insert_with(|| Film::new(solid.form(), spacing, around.planar));
            let gaps = film.gaps(number, around.solids, spacing);
            self.held[free as usize] = film::is_held(&gaps, pushes[free as usize].impulse);
            if !gaps.is_empty()
                && let Some(head) = self.head(free as usize, &gaps, parts, around)
            {
                film::press(&gaps, number, head, around.dt, around.solids, pushes);
            }
        }
    }

    /// The pressure of the liquid that leans on a free object, as high as its gaps are on the average.
    fn head(&self, free: usize, gaps: &[Gap], parts: &[Part], around: &Surroundings) -> Option<Head> {
        let down = around.gravity.normalize_or_zero();
        let deep = gaps.iter().map(|gap| gap.at.dot(down)).sum::<f32>() / gaps.len() as f32;
        let (mut sum, mut weight, mut count) = (0.0, 0.0, 0.0);
        self.leaning(parts, around, |part, i, on, near| {
            let (material, p) = (&parts[part].material, &parts[part].liquid.particles);
            let depth = p.position.get(i).dot(down);
            if on == free && (depth - deep).abs() < material.h {
                let heavy = material.density * around.gravity.length();
                sum += (near * (material.bulk * material.strain(p.density[i]) - heavy * depth)) as f64;
                (weight, count) = (weight + near * heavy, count + near);
            }
        });
        (count > 0.0).then(|| Head { level: sum / count as f64, weight: weight / count * down })
    }

    /// Gives a solid, if it is free, the opposite of the impulse that it gave a particle, over the particle's volume.
    fn give(
        &self,
        to: &mut [Push],
        slot: u32,
        solid: u32,
        impulse: Vec3,
        parts: &[Part],
        around: &Surroundings,
    ) {
        let solid = &around.solids[solid as usize];
        let Some(free) = solid.free else { return };
        let [x, y, z, _] = self.at[slot as usize];
        let part = &parts[self.part_of(slot, parts)];
        let impulse = -(part.material.volume as f64) * impulse.as_dvec3();
        to[free as usize] += Push::at(impulse, (Vec3::new(x, y, z) - solid.centre).as_dvec3());
    }

    /// Which liquid a slot belongs to.
    fn part_of(&self, slot: u32, parts: &[Part]) -> usize {
        let mut left = self.clusters.order()[slot as usize] as usize;
        let is_here = |part: &Part| {
            let here = left < part.len();
            left -= if here { 0 } else { part.len() };
            here
        };
        parts.iter().position(is_here).unwrap_or(0)
    }

    /// Changes velocities by viscosity for a step. Returns what free objects get for gripping.
    fn drag(&mut self, parts: &mut [Part], around: &Surroundings) -> Vec<Push> {
        let dt = around.viscous_dt;
        self.lay_out_velocities(parts, dt);
        self.find_grips(parts, around);
        let thickest = parts.iter().map(|p| p.material.sigma).fold(0.0, f32::max);
        let lightest = parts.iter().map(|p| p.material.density).fold(f32::INFINITY, f32::min);
        let beta = parts.iter().map(|p| p.material.beta).fold(0.0, f32::max);
        let gentle = parts.iter().map(|p| p.material.gentle).fold(f32::INFINITY, f32::min);
        let is_thick = thickest * dt > EXPLICIT;
        let pairs = Pairs {
            clusters: &self.clusters,
            near: &self.near,
            at: &self.at,
            h: parts.iter().map(|p| p.material.h).fold(0.0, f32::max),
            // What is solved for must be linear.
            beta: if is_thick { 0.0 } else { lightest * beta * dt },
            gentle,
            most: (EXPLICIT - thickest * dt).max(0.0) * lightest,
        };
        let taken = self.viscosity.apply(&pairs, is_thick);
        let mut first = 0;
        for part in parts.iter_mut() {
            let p = &mut part.liquid.particles;
            let (slots, rows) = (&self.clusters.slot_of()[first..first + p.len()], &self.viscosity.rows);
            p.velocity.each(|v, c| {
                parallel::parts(v, |first, part| {
                    part.iter_mut().zip(&slots[first..]).for_each(|(v, &slot)| *v = rows[slot as usize][c]);
                });
            });
            first += p.len();
        }
        let mut pushes = vec![Push::default(); around.free];
        for (grip, taken) in self.viscosity.grips.iter().zip(taken) {
            self.give(&mut pushes, grip.slot, grip.solid, -taken, parts, around);
        }
        pushes
    }

    fn lay_out_velocities(&mut self, parts: &[Part], dt: f32) {
        let Self { viscosity: Viscosity { rows, density, .. }, clusters, .. } = self;
        let slot_of = clusters.slot_of();
        rows.resize(slot_of.len() + EIGHT, [0.0; 4]);
        rows[slot_of.len()..].fill([0.0; 4]);
        density.resize(slot_of.len(), 0.0);
        let (rows, density, mut first) = (Shared::new(rows), Shared::new(density), 0);
        for part in parts {
            let (slots, v) = (&slot_of[first..first + part.len()], &part.liquid.particles.velocity);
            let (rho, eta) = (part.material.density, part.material.density * part.material.sigma * dt);
            parallel::gather(part.len(), |range| {
                for i in range {
                    let slot = slots[i] as usize;
                    // SAFETY: every particle has one slot.
                    let (row, density) = unsafe { (rows.slice(slot, 1), density.slice(slot, 1)) };
                    row[0] = [v.x[i], v.y[i], v.z[i], eta];
                    density[0] = rho;
                }
            });
            first += part.len();
        }
    }

    fn find_grips(&mut self, parts: &[Part], around: &Surroundings) {
        self.viscosity.grips.clear();
        if around.solids.iter().all(|s| s.friction == 0.0) {
            return;
        }
        for slot in 0..self.ahead.len() {
            for mirror in self.seen.of(slot) {
                let solid = &around.solids[mirror.solid()];
                if solid.friction > 0.0 {
                    let [x, y, z, _] = self.at[slot];
                    let surface = Vec3::new(x, y, z) - mirror.distance * mirror.normal;
                    let wall = solid.velocity_at(surface, around.dt);
                    let part = &parts[self.part_of(slot as u32, parts)];
                    let (rho, h) = (part.material.density, part.material.h);
                    let eta = rho * part.material.own_sigma * around.viscous_dt;
                    let drag: &WallDrag = part.liquid.wall_drag();
                    let grip = Grip::new(slot, mirror, wall, eta, solid.friction, drag, h);
                    self.viscosity.grips.push(grip);
                }
            }
        }
    }
}

/// Where the row for padding stands [m]: far from everything, and its square still a number.
const NOWHERE: f32 = 1e15;

/// One liquid while its densities are found: what it remembers is written from many clusters at once.
struct Reacting<'a> {
    material: Material,
    first: usize,
    density: Shared<'a, f32>,
    used_to: Shared<'a, f32>,
}

impl<'a> Reacting<'a> {
    fn all(parts: &'a mut [Part]) -> Vec<Self> {
        let mut first = 0;
        let one = |part: &'a mut Part| {
            let (material, p) = (part.material, &mut part.liquid.particles);
            let this = Self {
                material,
                first,
                density: Shared::new(&mut p.density),
                used_to: Shared::new(&mut p.used_to),
            };
            first += p.velocity.len();
            this
        };
        parts.iter_mut().map(one).collect()
    }

    /// π of a particle of the mixture whose density has been found.
    ///
    /// # Safety
    /// Nobody else may be at the same particle.
    unsafe fn react(&self, particle: usize, rho: f32) -> f32 {
        let i = particle - self.first;
        // SAFETY: the caller's promise.
        let (density, used_to) =
            unsafe { (&mut self.density.slice(i, 1)[0], &mut self.used_to.slice(i, 1)[0]) };
        *density = rho;
        let share = if *used_to == NEWBORN { 1.0 } else { self.material.forgets };
        *used_to += share * (self.material.strain(rho) - *used_to);
        self.material.pressure(rho, *used_to)
    }
}
