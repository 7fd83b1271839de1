//! Where liquid comes from and where it goes: filled shapes, emitters, drains, lifetimes.
//!
//! A particle stands for a cube (square) of side `spacing`, so a shape of volume V holds V/spacing^d of them: that
//! number, and so the mass, is kept even where the lattice does not fit the shape.

use crate::hash;
use crate::lanes::Portable;
use crate::neighbourhood::Around;
use crate::neighbours::Grid;
use crate::objects::{Collider, Sdf};
use crate::particles::Axes;
use crate::power::Power;
use crate::scene::{Arrangement, Emitter, EmitterShape, Fill, Placement};
use glam::Vec3;

/// How far fills keep from objects, in spacings: what would be nearer is left out, for it would be thrown out.
pub const CLEARANCE: f32 = 0.4;
/// What comes this near to the edge of its fill counts as on it, in spacings.
const EDGE: f32 = 0.05;

/// Whether a point of a fill is left out for an object that is in its way. What fills a mould goes up to its wall: only
/// what is nearer to a wall than to its own edge is cut by it.
pub fn is_cut(p: Vec3, filled: &Collider, object: &Collider, spacing: f32) -> bool {
    let wall = object.distance(p);
    wall < CLEARANCE * spacing && wall < (-filled.distance(p) - EDGE * spacing).max(0.0)
}

/// Points that fill a shape, whose room is `sdf`.
pub fn fill(fill: &Fill, sdf: &Sdf, spacing: f32, planar: bool, seed: u32) -> Vec<Vec3> {
    let lattice = lattice(fill, sdf, spacing, planar);
    match fill.arrangement {
        Arrangement::Lattice => lattice,
        Arrangement::Relaxed => relaxed(fill, sdf, lattice, spacing, planar, seed),
    }
}

/// Number of particles that a filled shape holds.
pub fn count(sdf: &Sdf, spacing: f32, planar: bool) -> f64 {
    sdf.volume(planar) / (spacing as f64).power(if planar { 2 } else { 3 })
}

/// How far a side may be from a whole number of spacings, in spacings, and still count as one.
const WHOLE: f64 = 0.01;

/// The particles of a box: rows, side by side in layers. Sides that are whole numbers of spacings make a cubic lattice. For others
/// layers and rows are as many as fit best, and the particles that the volume holds are dealt out to the rows, which differ by one at
/// most; each row is stretched to its box. So neither the mass nor the distance from the sides depends on how spacing and sides divide.
struct Rows {
    /// The axes across the layers, across the rows of a layer and along a row.
    axes: [usize; 3],
    layers: u64,
    rows: u64,
    count: u64,
    size: Vec3,
    centre: Vec3,
    spacing: f32,
}

impl Rows {
    /// The rows of a shape, if it is a box.
    fn of(sdf: &Sdf, spacing: f32, planar: bool) -> Option<Self> {
        let (low, high) = sdf.bounds().filter(|_| sdf.is_block())?;
        let (mut size, mut centre) = (high - low, 0.5 * (low + high));
        if planar {
            (size.z, centre.z) = (spacing, 0.0);
        }
        // Sides in spacings.
        let sides = size.to_array().map(|side| side as f64 / spacing as f64);
        let whole = sides.map(|side| side.round().max(1.0));
        let is_whole = sides.iter().zip(whole).all(|(side, whole)| (side - whole).abs() < WHOLE);
        let mut axes = [2, 1, 0];
        if !is_whole {
            // Where rows are long, one particle more or less is least.
            axes.sort_by(|&a, &b| sides[a].total_cmp(&sides[b]));
        }
        let layers = whole[axes[0]];
        // What layers leave to do is shared by both other axes.
        let stretch = (sides[axes[0]] / layers).sqrt();
        let rows = (sides[axes[1]] * stretch).round().max(1.0);
        let count =
            if is_whole { whole.iter().product() } else { sides.iter().product::<f64>().round().max(1.0) };
        let [layers, rows, count] = [layers, rows, count].map(|n| n as u64);
        Some(Self { axes, layers, rows, count, size, centre, spacing })
    }

    /// Number of the first particle of a row: particles are dealt out evenly.
    fn first(&self, row: u64) -> u64 {
        let rows = self.layers * self.rows;
        (2 * self.count * row + rows) / (2 * rows)
    }

    /// Particle number `i` of `count`.
    fn point(&self, i: u64) -> Vec3 {
        // The last row whose first particle is not beyond this one.
        let row = ((2 * i + 1) * self.layers * self.rows - 1) / (2 * self.count);
        let (first, end) = (self.first(row), self.first(row + 1));
        let mut point = self.centre;
        for (axis, place, of) in [
            (self.axes[0], row / self.rows, self.layers),
            (self.axes[1], row % self.rows, self.rows),
            (self.axes[2], i - first, end - first),
        ] {
            point[axis] += (place as f32 - 0.5 * (of - 1) as f32) * self.step(axis, of);
        }
        point
    }

    /// Distance between so many particles along an axis [m].
    fn step(&self, axis: usize, many: u64) -> f32 {
        let side = self.size[axis];
        let is_whole = (side as f64 / self.spacing as f64 - many as f64).abs() < WHOLE;
        if is_whole { self.spacing } else { side / many as f32 }
    }
}

/// The lattice that the particles of a shape that is no box are taken from, in its own frame.
struct Lattice {
    layers: [i32; 3],
    spacing: f32,
    centre: Vec3,
}

impl Lattice {
    fn new(sdf: &Sdf, spacing: f32, planar: bool) -> Self {
        let (low, high) = sdf.bounds().unwrap_or_default();
        let layers: [i32; 3] = std::array::from_fn(|c| match planar && c == 2 {
            true => 1,
            // Two layers more than a block has, so that the deepest can be chosen and flat sides are as far from them as a block's.
            false => (((high - low)[c] / spacing).round() as i32).saturating_add(2),
        });
        let centre = 0.5 * (low + high);
        Self { layers, spacing, centre: if planar { centre.with_z(0.0) } else { centre } }
    }

    fn size(&self) -> f64 {
        self.layers.iter().map(|&n| n as f64).product()
    }

    fn point(&self, index: [i32; 3]) -> Vec3 {
        let offset = |c: usize| (index[c] as f32 - 0.5 * (self.layers[c] - 1) as f32) * self.spacing;
        self.centre + Vec3::new(offset(0), offset(1), offset(2))
    }

    /// Point number `i` of all.
    fn numbered(&self, i: u64) -> Vec3 {
        let [nx, ny, _] = self.layers.map(|n| n as u64);
        self.point([i % nx, i / nx % ny, i / nx / ny].map(|x| x as i32))
    }

    /// The points deepest in a shape, as many as its volume holds.
    fn deepest(&self, sdf: &Sdf, planar: bool) -> Vec<Vec3> {
        let mut points = Vec::new();
        for z in 0..self.layers[2] {
            for y in 0..self.layers[1] {
                for x in 0..self.layers[0] {
                    let p = self.point([x, y, z]);
                    let depth = sdf.distance(p);
                    if depth < 0.25 * self.spacing {
                        points.push((depth, p));
                    }
                }
            }
        }
        let wanted = (count(sdf, self.spacing, planar).round() as usize).max(1);
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points.truncate(wanted);
        points.into_iter().map(|(_, p)| p).collect()
    }
}

/// Points that must be looked at to fill a shape: no fewer than its particles.
pub fn lattice_size(sdf: &Sdf, spacing: f32, planar: bool) -> f64 {
    match Rows::of(sdf, spacing, planar) {
        Some(rows) => rows.count as f64,
        None => Lattice::new(sdf, spacing, planar).size(),
    }
}

/// About `most` of the points of a filled shape, spread evenly over it; all of them if they are no more. Relaxed fills
/// count as lattices.
pub fn sample(sdf: &Sdf, placement: Placement, spacing: f32, planar: bool, most: usize) -> Vec<Vec3> {
    let size = lattice_size(sdf, spacing, planar);
    let steps = size.min(most as f64) as u64;
    let place = |k: u64| match size <= most as f64 {
        true => k,
        // Multiples of the golden ratio, modulo 1, never bunch.
        false => ((k as f64 * 0.618_033_988_749_895).fract() * size) as u64,
    };
    let places = (0..steps).map(place);
    let points: Vec<Vec3> = match Rows::of(sdf, spacing, planar) {
        Some(rows) => places.map(|i| rows.point(i)).collect(),
        None => {
            let lattice = Lattice::new(sdf, spacing, planar);
            places.map(|i| lattice.numbered(i)).filter(|&p| sdf.distance(p) <= 0.0).collect()
        }
    };
    points.into_iter().map(|p| placement.to_world(p)).collect()
}

/// The points of a shape, as many as its volume holds: those of its rows if it is a box, or the deepest of a lattice.
fn lattice(fill: &Fill, sdf: &Sdf, spacing: f32, planar: bool) -> Vec<Vec3> {
    let points = match Rows::of(sdf, spacing, planar) {
        Some(rows) => (0..rows.count).map(|i| rows.point(i)).collect(),
        None => Lattice::new(sdf, spacing, planar).deepest(sdf, planar),
    };
    let placement = fill.placement();
    points.into_iter().map(|p| placement.to_world(p)).collect()
}

/// Rounds of pushing apart; after some sixty the spacing hardly changes.
const RELAXING_ROUNDS: usize = 60;
/// Distance at which points push, in spacings: that of nearest neighbours in the closest packing, which all would like to
/// have and none can. A shorter one leaves crowds beside gaps.
const RELAXED_DISTANCE: f32 = 1.12;

/// The lattice shaken, then pushed apart inside the shape.
fn relaxed(fill: &Fill, sdf: &Sdf, lattice: Vec<Vec3>, spacing: f32, planar: bool, seed: u32) -> Vec<Vec3> {
    let placement = fill.placement();
    let mut random = Random::new(seed);
    let mut points = Axes::default();
    for p in lattice {
        let shake = Vec3::new(random.signed(), random.signed(), if planar { 0.0 } else { random.signed() });
        points.push(p + 0.35 * spacing * shake);
    }
    let distance = RELAXED_DISTANCE * spacing;
    let mut grid = Grid::new(distance, planar);
    for _ in 0..RELAXING_ROUNDS {
        push_apart(&mut grid, &mut points, distance);
        for i in 0..points.len() {
            let p = points.get(i);
            let near = sdf.nearest(placement.to_local(p));
            // Half a cell from the surface, where a lattice's first layer would be.
            let too_far = near.distance + 0.45 * spacing;
            if too_far > 0.0 {
                points.set(i, p - too_far * placement.to_world_direction(near.normal));
            }
        }
    }
    points.iter().collect()
}

/// Moves points closer than `distance` halfway apart, one after the other.
fn push_apart(grid: &mut Grid, points: &mut Axes, distance: f32) {
    grid.index(points);
    let mut sorted = Axes::default();
    grid.order().iter().for_each(|&i| sorted.push(points.get(i as usize)));
    grid.each_block([&mut sorted], |local, _| {
        for cell in local.own_cells() {
            for i in local.enter(cell, Around::Later) {
                let neighbourhood = &mut local.neighbourhood;
                neighbourhood.find_later::<Portable>(i, distance);
                for k in 0..neighbourhood.near.len() {
                    let j = neighbourhood.near.place(k);
                    let offset = neighbourhood.point(j) - neighbourhood.point(i);
                    let r = offset.length();
                    if r > 0.0 && r < distance {
                        let push = 0.25 * (distance - r) / r * offset;
                        let axes = &mut neighbourhood.axes[0];
                        for c in 0..3 {
                            axes[c][i] -= push[c];
                            axes[c][j] += push[c];
                        }
                    }
                }
            }
            local.leave();
        }
    });
    *points = sorted;
}

/// A small generator of its own, so that its sequence is the engine's to keep: PCG, 32 bits out of 64.
struct Random(u64);

impl Random {
    fn new(seed: u32) -> Self {
        let mut random = Self(seed as u64 ^ 0x9e37_79b9_7f4a_7c15);
        random.next();
        random
    }

    fn next(&mut self) -> u32 {
        let old = self.0;
        self.0 = old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((((old >> 18) ^ old) >> 27) as u32).rotate_right((old >> 59) as u32)
    }

    /// Between −1 and 1.
    fn signed(&mut self) -> f32 {
        (self.next() >> 8) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// Points of an emitter's nozzle, about its centre: as many as its area holds, square lattice.
pub fn nozzle(emitter: &Emitter, spacing: f32, planar: bool) -> Vec<Vec3> {
    let ahead = Vec3::from(emitter.velocity).normalize_or(Vec3::NEG_Y);
    let (u, v) =
        if planar { (Vec3::new(-ahead.y, ahead.x, 0.0), Vec3::Z) } else { ahead.any_orthonormal_pair() };
    let [w, h] = match emitter.shape {
        EmitterShape::Disc => [2.0 * emitter.radius; 2],
        EmitterShape::Rectangle => emitter.size,
    };
    let rows = |length: f32| ((length / spacing).round() as i32).max(1);
    let centred = |i: i32, n: i32| (i as f32 - 0.5 * (n - 1) as f32) * spacing;
    if planar {
        return (0..rows(w)).map(|i| centred(i, rows(w)) * u).collect();
    }
    let round = emitter.shape == EmitterShape::Disc;
    let (nu, nv) = (rows(w) + round as i32, rows(h) + round as i32);
    let mut points: Vec<Vec3> =
        (0..nv).flat_map(|j| (0..nu).map(move |i| centred(i, nu) * u + centred(j, nv) * v)).collect();
    if round {
        let wanted = std::f32::consts::PI * (emitter.radius / spacing).power(2);
        points.sort_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        points.truncate((wanted.round() as usize).max(1));
    }
    points
}

/// How far the points of a fill are from their lattice, in spacings: a perfect one would stand on its edge until it falls, all of it
/// at once.
pub const UNEVEN: f32 = 0.03;
/// A point at most `reach` beside another along each axis [m], as chance has it for an id.
pub fn stir(p: Vec3, reach: f32, id: u32, planar: bool) -> Vec3 {
    let aside = |axis: u32| 2.0 * hash::chance([id, axis]) - 1.0;
    p + reach * Vec3::new(aside(0), aside(1), if planar { 0.0 } else { aside(2) })
}

/// How far the particles that leave at point number `n` of a nozzle are ahead of a layer, over the spacing. Those of a layer do not
/// leave together: they would fall as a stack of coins.
pub fn stagger(n: usize) -> f64 {
    hash::chance([n as u32]) as f64
}

/// Radius of a circle that holds the nozzle [m].
pub fn radius(emitter: &Emitter) -> f32 {
    match emitter.shape {
        EmitterShape::Disc => emitter.radius,
        EmitterShape::Rectangle => 0.5 * libm::hypotf(emitter.size[0], emitter.size[1]),
    }
}

/// Distances ahead of the nozzle of the layers that leave during a step in which `travelled` grows to `travelled +
/// distance`: one layer every `spacing`, the first at once. The layer that left longest ago is farthest.
pub fn layers(travelled: f64, distance: f64, spacing: f64) -> impl Iterator<Item = f64> {
    let index = |t: f64| (t / spacing).ceil() as i64;
    let end = travelled + distance;
    (index(travelled)..index(end)).map(move |k| end - k as f64 * spacing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Meshes;
    use crate::scene::{Blend, Part, Shape};

    #[test]
    fn layers_leave_every_spacing_whatever_the_steps() {
        for steps in [1, 7, 30, 1000] {
            let (mut travelled, step) = (0.0, 1.0 / steps as f64);
            let mut born: Vec<f64> = Vec::new();
            for _ in 0..steps {
                born.iter_mut().for_each(|x| *x += step);
                born.extend(layers(travelled, step, 0.03));
                travelled += step;
            }
            assert_eq!(born.len(), 34, "in {steps} steps");
            born.sort_by(f64::total_cmp);
            assert!(born.windows(2).all(|w| (w[1] - w[0] - 0.03).abs() < 1e-9));
        }
    }

    #[test]
    fn random_numbers_favour_no_side() {
        let mut random = Random::new(1);
        let mean = (0..10_000).map(|_| random.signed()).sum::<f32>() / 10_000.0;
        assert!(mean.abs() < 0.02, "{mean}");
    }

    #[test]
    fn shapes_hold_their_mass() {
        let shapes = [
            Shape::Sphere { radius: 0.31 },
            Shape::Capsule { radius: 0.2, height: 0.4 },
            Shape::Cylinder { radius: 0.3, height: 0.5 },
            Shape::Box { size: [0.5, 0.7, 0.3] },
            Shape::Cone { radius: 0.3, height: 0.5 },
            Shape::Torus { radius: 0.3, tube: 0.12 },
            Shape::Union(Blend {
                of: vec![
                    Part::new(Shape::Sphere { radius: 0.25 }, [0.0; 3]),
                    Part::new(Shape::Sphere { radius: 0.2 }, [0.3, 0.0, 0.0]),
                ],
                smooth: 0.1,
            }),
        ];
        for shape in shapes {
            for planar in [false, true] {
                for arrangement in [Arrangement::Lattice, Arrangement::Relaxed] {
                    let f = Fill {
                        shape: shape.clone(),
                        at: [1.0, 2.0, 0.0],
                        rotate: [0.0; 3],
                        velocity: [0.0; 3],
                        arrangement,
                    };
                    let sdf = Sdf::new(&shape, &Meshes::default(), planar);
                    let points = fill(&f, &sdf, 0.02, planar, 1);
                    let wanted = count(&sdf, 0.02, planar);
                    let error = (points.len() as f64 / wanted - 1.0).abs();
                    assert!(error < 0.02, "{shape:?} {planar}: {} for {wanted}", points.len());
                }
            }
        }
    }

    #[test]
    fn relaxed_points_keep_their_distance() {
        let shape = Shape::Sphere { radius: 0.2 };
        let f = Fill {
            shape,
            at: [0.0; 3],
            rotate: [0.0; 3],
            velocity: [0.0; 3],
            arrangement: Arrangement::Relaxed,
        };
        let sdf = Sdf::new(&f.shape, &Meshes::default(), false);
        let points = fill(&f, &sdf, 0.02, false, 3);
        let nearest = |p: &Vec3| {
            points.iter().filter(|q| *q != p).map(|q| q.distance(*p)).fold(f32::INFINITY, f32::min)
        };
        let closest = points.iter().map(nearest).fold(f32::INFINITY, f32::min);
        assert!(closest > 0.7 * 0.02, "{closest}");
    }

    fn boxed(size: [f32; 3], spacing: f32, planar: bool) -> Vec<Vec3> {
        let shape = Shape::Box { size };
        let sdf = Sdf::new(&shape, &Meshes::default(), planar);
        let f = Fill {
            shape,
            at: [0.0; 3],
            rotate: [0.0; 3],
            velocity: [0.0; 3],
            arrangement: Arrangement::Lattice,
        };
        let points = fill(&f, &sdf, spacing, planar, 1);
        assert_eq!(points.len() as f64, lattice_size(&sdf, spacing, planar));
        assert_eq!(points, sample(&sdf, f.placement(), spacing, planar, points.len()));
        points
    }

    /// Sides that are whole numbers of spacings make a cubic lattice, x running fastest.
    #[test]
    fn boxes_that_divide_are_cubic_lattices() {
        let mut expected = Vec::new();
        for z in [-0.02, 0.0, 0.02] {
            for y in [-0.01, 0.01] {
                (0..15).for_each(|x| expected.push(Vec3::new((x as f32 - 7.0) * 0.02, y, z)));
            }
        }
        assert_eq!(boxed([0.3, 0.04, 0.06], 0.02, false), expected);
    }

    /// Boxes of any size hold their volume to half a particle, keep half a layer from their sides, and crowd nowhere.
    #[test]
    fn boxes_of_any_size_hold_their_mass_and_keep_from_their_sides() {
        let sizes = [
            [0.11, 0.11, 0.11],
            [0.3, 0.11, 0.31],
            [0.25, 0.21, 0.105],
            [0.09, 0.53, 0.07],
            [0.031, 0.2, 0.4],
        ];
        for size in sizes {
            for planar in [false, true] {
                let points = boxed(size, 0.02, planar);
                let axes = if planar { 2 } else { 3 };
                let volume: f32 = size[..axes].iter().map(|side| side / 0.02).product();
                assert!(
                    (points.len() as f32 - volume).abs() < 0.51,
                    "{size:?}: {} of {volume}",
                    points.len()
                );
                for c in 0..axes {
                    let far = points.iter().map(|p| p[c].abs()).fold(0.0, f32::max);
                    let gap = (0.5 * size[c] - far) / 0.02;
                    assert!((0.35..0.65).contains(&gap), "{size:?}: {gap} spacings from side {c}");
                    let middle = points.iter().map(|p| p[c]).sum::<f32>() / points.len() as f32;
                    assert!(middle.abs() < 0.1 * 0.02, "{size:?}: {middle} off its middle");
                }
                let apart = |(i, p): (usize, &Vec3)| {
                    points[..i].iter().map(|q| q.distance(*p)).fold(f32::INFINITY, f32::min)
                };
                let closest = points.iter().enumerate().map(apart).fold(f32::INFINITY, f32::min);
                assert!(closest > 0.75 * 0.02, "{size:?}: {closest}");
            }
        }
    }
}
