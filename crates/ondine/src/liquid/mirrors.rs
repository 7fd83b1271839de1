//! Walls are mirrors.
//!
//! Not in thesis 000, where a particle at a wall misses half its neighbours and takes itself to be at a free surface. Here
//! every wall shows a particle the images of its neighbours, and its own, and an image counts like a neighbour. With d_i and
//! d_j the distances of two particles from a flat wall, the one is from the image of the other
//!
//! r'² = r² + 4 d_i d_j
//!
//! which needs no more than signed distances, so that it is taken for walls of any form. Densities are then functions of
//! positions alone, the pressure forces are their exact gradients (½∇r'² = x_i − x_j + 2 d_j n_i), and no wall can feed a
//! current: what pushes a particle away gets back what it gave when the particle returns. The wall gets the opposite.
//! In corners there are images of images: one for every choice among the walls that two particles share.
//!
//! Behind a wall that bulges there is less room than before it. An image beside a ball of curvature k = 1/R weighs
//! w_i w_j of a neighbour, w = ((1 − kd)/(1 + kd))^(ways/5): a ball bends in two ways, a rod and what is round in the plane in one.
//!
//! Where a flat wall ends there is less behind it, too: w² fades across the edge to what a quarter space shows of what is before it, and
//! particles feel the slope of that along the wall. (A sudden end would be a step in the energy, which whoever crosses it to and fro can
//! draw from: such edges drive currents for ever.) An edge that another collider covers is none.
//! Limits: an inner edge that a shape does not tell as two walls shows one image only; a bend that is not known counts as none. At the rim of a
//! cylinder the slope is that of the edge alone, not of the bend that begins there.

use crate::clusters::Clusters;
use crate::objects::{Collider, End, Wall};
use crate::parallel::{self, Shared};
use glam::Vec3;

/// Walls that a particle minds at once: the nearest.
pub const MOST: usize = 3;
/// Walls that one collider may have: the faces of a container.
const FACES: u32 = 8;
/// Nearest that a particle may be to a mirror, in h: its own image must not stand in its place.
const CLOSEST: f32 = 0.01;
/// How much of an image is left beyond an edge, how sharply it fades there, over h, and how far before it, in h: fitted to the
/// share of a neighbourhood that is behind a wall's end, over what is before it.
const EDGE: (f32, f32, f32) = (0.38, 8.0, 0.12);
/// Sharpest bends kd, hollow and round: beyond the one images would crowd, beyond the other there is no room for any.
const SHARPEST: [f32; 2] = [-0.4, 0.8];

/// What a particle sees of one wall.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mirror {
    /// Which wall: particles see each other's images in the same one only.
    pub wall: u32,
    /// Whether it is a plane without an end, whose distance is known for every point.
    pub is_plane: bool,
    /// Distance [m].
    pub distance: f32,
    /// Unit normal, out of the wall.
    pub normal: Vec3,
    /// Whether it belongs to a free collider, which wants to know what it does.
    pub is_free: bool,
    /// w.
    pub weight: f32,
    /// How w changes with the particle's place, over w [1/m].
    pub slope: Vec3,
    /// Its bends, the sum of both ways [1/m].
    pub bend: f32,
}

impl Mirror {
    fn of(collider: usize, is_free: bool, wall: &Wall, h: f32) -> Self {
        let near = &wall.near;
        let distance = near.distance.max(CLOSEST * h);
        let number = collider as u32 * FACES + wall.face;
        if wall.is_plane {
            let (wall, normal, weight) = (number, near.normal, 1.0);
            return Self { wall, is_plane: true, distance, normal, is_free, weight, ..Self::default() };
        }
        let kd = bend_at_wall(near.bend, distance);
        let (weight, slope) = round(kd, wall.ways, distance);
        Self {
            bend: wall.ways * sharpest(kd) / distance,
            is_free,
            wall: number,
            is_plane: false,
            distance,
            normal: near.normal,
            weight,
            slope: slope * near.normal,
        }
    }

    /// Takes account of an edge of the wall, of which a share is not covered by other colliders.
    fn fade(&mut self, end: &End, bare: f32, h: f32) {
        let (least, sharp, before) = EDGE;
        let left = 1.0 / (1.0 + libm::expf(sharp * (end.past / h + before)));
        let lost = bare * (1.0 - least);
        let share = 1.0 - lost * (1.0 - left);
        // The share is that of a pair: w² of like ones.
        self.weight *= share.sqrt();
        self.slope -= 0.5 * lost * left * (1.0 - left) * sharp / (h * share) * end.across;
    }

    /// The number of the collider that the wall belongs to.
    pub fn collider(&self) -> usize {
        (self.wall / FACES) as usize
    }
}

/// kd of a wall whose bend is told where the particle is; that of the wall, a distance d behind, is sharper: k = b/(1 − bd).
fn bend_at_wall(bend: f32, distance: f32) -> f32 {
    let told = bend * distance;
    if told < 0.499 { told / (1.0 - told) } else { 1.0 }
}

fn sharpest(kd: f32) -> f32 {
    kd.clamp(SHARPEST[0], SHARPEST[1])
}

/// w of a wall that bends by kd in so many ways, and how it changes with the distance, over w [1/m].
fn round(bend: f32, ways: f32, distance: f32) -> (f32, f32) {
    if bend == 0.0 || ways == 0.0 {
        return (1.0, 0.0);
    }
    let kd = sharpest(bend);
    // Beyond the sharpest bend w is the same at any distance.
    let slope = if bend == kd { -0.4 * ways * kd / (distance * (1.0 - kd * kd)) } else { 0.0 };
    (libm::powf((1.0 - kd) / (1.0 + kd), 0.2 * ways), slope)
}

/// The mirrors of one particle, nearest first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mirrors {
    all: [Mirror; MOST],
    len: usize,
}

impl std::ops::Deref for Mirrors {
    type Target = [Mirror];
    fn deref(&self) -> &[Mirror] {
        &self.all[..self.len]
    }
}

impl Mirrors {
    /// Finds those of a particle at `p` with interaction radius `h`, of walls within `reach`.
    fn look(&mut self, p: Vec3, colliders: &[(usize, &Collider)], h: f32, reach: f32) {
        self.len = 0;
        for &(number, collider) in colliders {
            collider.walls(p, reach, |wall| {
                let mut mirror = Mirror::of(number, collider.free.is_some(), &wall, h);
                for end in wall.ends.iter().flatten() {
                    mirror.fade(end, bare(end, number, colliders, h), h);
                }
                self.add(mirror);
            });
        }
    }

    fn add(&mut self, new: Mirror) {
        let place = self.iter().position(|m| new.distance < m.distance).unwrap_or(self.len);
        if place < MOST {
            self.all.copy_within(place..MOST - 1, place + 1);
            self.all[place] = new;
            self.len = (self.len + 1).min(MOST);
        }
    }
}

/// How much of an edge of a collider no other collider covers.
fn bare(end: &End, of: usize, colliders: &[(usize, &Collider)], h: f32) -> f32 {
    let others = colliders.iter().filter(|(number, _)| *number != of);
    let room = others.map(|(_, collider)| collider.distance(end.beyond)).fold(COVERED * h, f32::min);
    (room / (COVERED * h)).max(0.0)
}

/// How far from another collider an edge is not covered at all, over h.
const COVERED: f32 = 0.2;

/// What all particles see in a step.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// For each slot, where its mirrors are, or [`NONE`].
    place: Vec<u32>,
    /// Those of a block stand where its slots do, at the front.
    mirrors: Vec<Mirrors>,
}

/// Sees no wall.
const NONE: u32 = u32::MAX;

impl Seen {
    /// Looks at the colliders from every slot, up to the widest radius `h`. `stray` is how far particles may be from their blocks.
    pub fn look(&mut self, clusters: &Clusters, at: &[[f32; 4]], colliders: &[Collider], h: f32, stray: f32) {
        let grid = clusters.grid();
        self.place.resize(at.len(), NONE);
        self.mirrors.resize(at.len(), Mirrors::default());
        let (places, mirrors) = (Shared::new(&mut self.place), Shared::new(&mut self.mirrors));
        let all: Vec<(usize, &Collider)> = colliders.iter().enumerate().collect();
        parallel::for_each(grid.block_numbers(), at.len(), |&block| {
            let (own, (centre, radius)) = (grid.particles_of(block as usize), grid.sphere_of(block as usize));
            let from = own.start;
            // SAFETY: each block has its own slots.
            let (places, mirrors) =
                unsafe { (places.slice(from, own.len()), mirrors.slice(from, own.len())) };
            places.fill(NONE);
            let (mut near, mut nearer) = (Vec::new(), Vec::new());
            find_near(&all, centre, radius + stray + h, &mut near);
            if near.is_empty() {
                return;
            }
            let mut found = 0;
            for cluster in clusters.of(block as usize) {
                let slots = cluster.first..cluster.first + cluster.len;
                let (centre, radius) = sphere(&at[slots.clone()]);
                find_near(&near, centre, radius + h, &mut nearer);
                for slot in slots.filter(|_| !nearer.is_empty()) {
                    mirrors[found].look(point(&at[slot]), &nearer, at[slot][3], h);
                    if !mirrors[found].is_empty() {
                        places[slot - from] = (from + found) as u32;
                        found += 1;
                    }
                }
            }
        });
    }

    /// The mirrors of a slot.
    #[inline(always)]
    pub fn of(&self, slot: usize) -> &[Mirror] {
        match self.place[slot] {
            NONE => &[],
            place => &self.mirrors[place as usize],
        }
    }

    /// Whether a slot sees any wall.
    #[inline(always)]
    pub fn any(&self, slot: usize) -> bool {
        self.place[slot] != NONE
    }

    /// The mirror of a slot that shows the same wall.
    #[inline(always)]
    pub fn same(&self, slot: usize, wall: u32) -> Option<&Mirror> {
        self.of(slot).iter().find(|m| m.wall == wall)
    }
}

/// Finds those of some colliders that are within reach of a point.
fn find_near<'a>(
    colliders: &[(usize, &'a Collider)],
    at: Vec3,
    reach: f32,
    near: &mut Vec<(usize, &'a Collider)>,
) {
    near.clear();
    near.extend(colliders.iter().filter(|(_, collider)| collider.quick_distance(at) < reach));
}

fn point(row: &[f32; 4]) -> Vec3 {
    Vec3::new(row[0], row[1], row[2])
}

/// A sphere that holds some points.
fn sphere(rows: &[[f32; 4]]) -> (Vec3, f32) {
    let centre = rows.iter().map(point).sum::<Vec3>() / rows.len() as f32;
    let radius = rows.iter().map(|row| point(row).distance_squared(centre)).fold(0.0, f32::max).sqrt();
    // Roundings far from the origin.
    (centre, 1.001 * radius + 1e-6 * centre.abs().max_element())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Placement, Scene, Shape};

    /// Forces follow from an energy only if w changes as its slope tells, around faces, edges and corners alike.
    fn seen(p: Vec3, colliders: &[(usize, &Collider)]) -> Mirrors {
        let mut mirrors = Mirrors::default();
        mirrors.look(p, colliders, 0.044, 0.044);
        mirrors
    }

    #[test]
    fn weights_change_as_their_slopes_tell() {
        const H: f32 = 0.044;
        let (small, large) = (Shape::Sphere { radius: 0.03 }, Shape::Sphere { radius: 0.08 });
        let others = [
            Shape::Box { size: [0.2, 0.1, 0.3] },
            Shape::Capsule { radius: 0.04, height: 0.1 },
            Shape::Torus { radius: 0.1, tube: 0.03 },
            // Long, for at its rim a bend begins at once.
            Shape::Cylinder { radius: 0.05, height: 1.0 },
        ];
        let in_space = [&small, &large].into_iter().chain(&others).map(|shape| (shape, 3));
        let mut faded = 0;
        for (shape, dimension) in in_space.chain([(&small, 2), (&large, 2), (&others[2], 2)]) {
            let scene = Scene { dimension, ..Scene::default() };
            let collider = Collider::of(shape, Placement::new([0.0; 3], [0.0; 3]), &scene);
            let weight = |p: Vec3| seen(p, &[(0, &collider)]).first().copied();
            for i in 0..4000u32 {
                let at = |k: u32| 0.36 * (((i + 1) * k) as f32 * 0.618_034).fract() - 0.18;
                let p = Vec3::new(at(1), at(7), if dimension == 2 { 0.0 } else { at(13) });
                let Some(here) = weight(p).filter(|m| m.distance > 0.1 * H && m.distance < 0.9 * H) else {
                    continue;
                };
                for axis in Vec3::AXES.into_iter().take(dimension as usize) {
                    let step = 2e-4 * axis;
                    let (Some(before), Some(after)) = (weight(p - step), weight(p + step)) else { continue };
                    let told = here.slope.dot(axis);
                    let is = (after.weight - before.weight) / (4e-4 * here.weight);
                    // Where the nearest face changes w has a crease.
                    let is_creased = (before.slope - after.slope).length() > 0.5 / H;
                    assert!(is_creased || (told - is).abs() < 0.15 / H, "{shape:?} at {p}: {told} for {is}");
                    faded += u32::from(told.abs() > 0.5 / H);
                }
            }
        }
        assert!(faded > 100, "{faded} were near an edge");
    }

    /// An edge that another collider covers is none.
    #[test]
    fn covered_edges_do_not_fade() {
        let place = |at| Placement::new(at, [0.0; 3]);
        let scene = Scene::default();
        let floor = Collider::of(&Shape::Box { size: [1.0, 0.2, 1.0] }, place([0.5, -0.1, 0.0]), &scene);
        let wall = Collider::of(&Shape::Box { size: [0.2, 2.0, 1.0] }, place([-0.1, 0.5, 0.0]), &scene);
        let p = Vec3::new(0.01, 0.01, 0.0);
        let alone = seen(p, &[(0, &floor)]);
        assert!(alone[0].weight < 0.95, "{}", alone[0].weight);
        let both = seen(p, &[(0, &floor), (1, &wall)]);
        assert!(both.len() == 2 && both.iter().all(|m| m.weight > 0.99), "{both:?}");
    }
}
