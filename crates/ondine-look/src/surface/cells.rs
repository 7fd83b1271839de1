//! Particles sorted by the cube they stand in: those near a place are a few stretches of one array.
//!
//! Source: thesis 000 §7.1. As in the engine, cubes are sorted instead of hashed, and only those with particles exist.

use glam::{IVec3, Vec3};
use ondine::Particles;
use rayon::prelude::*;
use std::ops::Range;

/// Cubes are numbered from here on each axis: 21 bits an axis make a key of 63.
const OFFSET: i32 = 1 << 20;

/// Particles in the order of their cubes.
#[derive(Debug)]
pub struct Cells {
    /// Side of a cube [m].
    pub side: f32,
    /// Keys of the cubes that have particles, ascending.
    keys: Vec<u64>,
    /// The first particle of each of them, and the number of particles at the end.
    starts: Vec<u32>,
    /// Positions of the particles [m].
    pub points: Vec<Vec3>,
    /// Where each particle was before: the system, and the number in it.
    pub origin: Vec<(u32, u32)>,
}

impl Cells {
    /// Sorts the particles of all systems. Those that are no place, or a million cubes away, are left out.
    pub fn new(systems: &[&Particles], side: f32) -> Self {
        let mut sorted: Vec<(u64, (u32, u32))> =
            Vec::with_capacity(systems.iter().map(|s| s.position.len()).sum());
        for (number, system) in systems.iter().enumerate() {
            let keys = system.position.iter().enumerate();
            let keys = keys.filter_map(|(i, p)| {
                Some((key_within(cube(Vec3::from(*p), side))?, (number as u32, i as u32)))
            });
            sorted.extend(keys);
        }
        sorted.par_sort_unstable();
        let (mut keys, mut starts) = (Vec::new(), Vec::new());
        for (i, (key, _)) in sorted.iter().enumerate() {
            if keys.last() != Some(key) {
                keys.push(*key);
                starts.push(i as u32);
            }
        }
        starts.push(sorted.len() as u32);
        let origin: Vec<_> = sorted.into_iter().map(|(_, origin)| origin).collect();
        let point = |&(system, i): &(u32, u32)| systems[system as usize].position[i as usize].into();
        let points = origin.par_iter().with_min_len(4096).map(point).collect();
        Self { side, keys, starts, points, origin }
    }

    /// How many cubes have particles.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The particles of one cube, or of a stretch of them.
    pub fn particles(&self, cubes: Range<usize>) -> Range<usize> {
        self.starts[cubes.start] as usize..self.starts[cubes.end] as usize
    }

    /// The cubes that a box between two corners touches, as stretches in ascending order, empty ones left out.
    pub fn touching(&self, low: Vec3, high: Vec3) -> impl Iterator<Item = Range<usize>> + '_ {
        let most = IVec3::splat(OFFSET - 1);
        let clamped = |p: Vec3| (p / self.side).floor().as_ivec3().clamp(-most, most);
        let (low, high) = (clamped(low), clamped(high));
        let rows = (low.z..=high.z).flat_map(move |z| (low.y..=high.y).map(move |y| (y, z)));
        rows.filter_map(move |(y, z)| {
            let first = key(IVec3::new(low.x, y, z))?;
            let last = first + (high.x - low.x) as u64;
            let start = self.keys.partition_point(|k| *k < first);
            let count = self.keys[start..].iter().take_while(|k| **k <= last).count();
            (count > 0).then_some(start..start + count)
        })
    }

    /// The cubes in and around one, as [`Self::touching`] gives them.
    pub fn around(&self, cube: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let at = place(self.keys[cube]).as_vec3();
        self.touching((at - 0.5) * self.side, (at + 1.5) * self.side)
    }

    /// Corners of the box about the particles of a cube.
    pub fn bounds(&self, cube: usize) -> (Vec3, Vec3) {
        let points = &self.points[self.particles(cube..cube + 1)];
        points.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)))
    }
}

/// The cube that a point stands in.
pub fn cube(p: Vec3, side: f32) -> IVec3 {
    // Casts saturate, and what is not a number becomes the far end: both have no key.
    let at = (p / side).floor();
    if at.is_nan() { IVec3::MAX } else { at.as_ivec3() }
}

/// A number for a cube, in the order z, y, x. None a million cubes away.
pub fn key(at: IVec3) -> Option<u64> {
    let near = at.cmpge(IVec3::splat(-OFFSET)).all() && at.cmplt(IVec3::splat(OFFSET)).all();
    let [x, y, z] = [at.x, at.y, at.z].map(|c| c.wrapping_add(OFFSET) as u64);
    near.then_some(z << 42 | y << 21 | x)
}

/// The same, and none near the rim either: what is around a particle then has a key, too.
fn key_within(at: IVec3) -> Option<u64> {
    let rim = IVec3::splat(OFFSET - 4);
    (at.cmpgt(-rim).all() && at.cmplt(rim).all()).then(|| key(at)).flatten()
}

/// The cube of a key.
pub fn place(key: u64) -> IVec3 {
    let axis = |shift: u32| (key >> shift & ((1 << 21) - 1)) as i32 - OFFSET;
    IVec3::new(axis(0), axis(21), axis(42))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_places_agree_and_ascend_along_x() {
        for at in [IVec3::ZERO, IVec3::new(-5, 7, 900_000), IVec3::splat(-OFFSET)] {
            let key_here = key(at).unwrap();
            assert_eq!(place(key_here), at);
            assert_eq!(key(at + IVec3::X), Some(key_here + 1));
        }
        assert_eq!(key(IVec3::splat(OFFSET)), None);
        assert_eq!(key(cube(Vec3::new(0.0, f32::NAN, 0.0), 1.0)), None);
        assert_eq!(key(cube(Vec3::new(0.0, f32::INFINITY, 0.0), 1.0)), None);
    }

    #[test]
    fn a_box_touches_every_cube_with_particles_in_it_once() {
        let position: Vec<[f32; 3]> =
            (0..1000).map(|i| [i % 10, i / 10 % 10, i / 100].map(|c| c as f32 - 4.5)).collect();
        let particles = Particles {
            name: "all".into(),
            radius: 0.5,
            color: [0.0; 3],
            velocity: vec![[0.0; 3]; 1000],
            density: vec![0.0; 1000],
            id: (0..1000).collect(),
            position,
            ..Particles::default()
        };
        let cells = Cells::new(&[&particles], 2.0);
        let found: Vec<usize> =
            cells.touching(Vec3::splat(-1.9), Vec3::splat(1.9)).flat_map(|r| cells.particles(r)).collect();
        assert!(found.is_sorted());
        assert_eq!(found.len(), 4 * 4 * 4);
        assert!(found.iter().all(|&i| cells.points[i].abs().max_element() <= 2.0));
    }
}
