//! Unlike particles push apart.
//!
//! Source: thesis 000 chapter 8, "fluides multi-phases": each kind keeps its own density measure, and particles of
//! different kinds simply repel. So do liquids here that are not of one mixture (`liquid/mixture`). Two unlike particles closer than the mean of their reaches ([`REACH`] of h) are moved apart
//! to it, the lighter the more, so that momentum is kept: Δx_i m_i = −Δx_j m_j. Buoyancy then follows by itself.
//!
//! Limits: mass ratios beyond some hundreds to one let the heavy kind crush the light (the thesis says as much).

use super::points::Points;
use crate::lanes::Portable;
use crate::neighbourhood::{Around, Local, Neighbourhood};
use crate::neighbours::Grid;
use crate::particles::Axes;
use glam::Vec3;

/// Share of an overlap that one step takes back; all of it would make interfaces jitter.
const SHARE: f32 = 0.5;

/// Reach of a particle over its h. Kinds that came as close as their own particles do would mix in layers one particle
/// thin, each too sparse to know that it is squeezed; seen at 0.5, not at 0.6.
pub const REACH: f32 = 0.6;

/// Buffers of the pass, kept between steps. Never part of the state.
#[derive(Clone, Debug, Default)]
pub struct Unlike {
    grid: Grid,
    position: Axes,
    /// Family, inverse mass and reach of each particle.
    traits: Axes,
}

impl Unlike {
    /// Pushes unlike particles apart, once.
    pub fn push_apart(&mut self, kinds: &mut [Points], planar: bool) {
        let mut families = kinds.iter().filter(|k| k.len() > 0).map(|k| k.family);
        let first = families.next();
        if families.all(|family| Some(family) == first) {
            return;
        }
        let reach = kinds.iter().map(|k| k.reach).fold(0.0, f32::max);
        let families = numbers(kinds);
        let Self { grid, position, traits } = self;
        grid.set(reach, planar);
        gather(kinds, position);
        grid.index(position);
        let from = std::mem::take(position);
        let mut kind_of = Vec::with_capacity(from.len());
        for (k, kind) in kinds.iter().enumerate() {
            kind_of.resize(kind_of.len() + kind.len(), k);
        }
        traits.each(|axis, _| axis.clear());
        for &i in grid.order() {
            let k = kind_of[i as usize];
            position.push(from.get(i as usize));
            let kind = &kinds[k];
            traits.push(Vec3::new(families[k], 1.0 / kind.mass as f32, kind.reach));
        }
        grid.each_block([position, traits], |local, _| sweep(local, reach));
        scatter(kinds, position, grid.order());
    }
}

/// A small number for the family of each, equal where families are: what lanes compare.
fn numbers(kinds: &[Points]) -> Vec<f32> {
    let first = |k: &Points| kinds.iter().position(|other| other.family == k.family).unwrap_or(0);
    kinds.iter().map(|k| first(k) as f32).collect()
}

fn gather(kinds: &[Points], all: &mut Axes) {
    all.each(|axis, c| {
        axis.clear();
        kinds.iter().for_each(|k| axis.extend_from_slice(k.position.axis(c)));
    });
}

fn scatter(kinds: &mut [Points], all: &Axes, order: &[u32]) {
    let mut starts: Vec<usize> = Vec::with_capacity(kinds.len());
    let mut total = 0;
    for kind in kinds.iter() {
        starts.push(total);
        total += kind.position.len();
    }
    for (now, &before) in order.iter().enumerate() {
        let k = starts.partition_point(|&s| s <= before as usize) - 1;
        kinds[k].position.set(before as usize - starts[k], all.get(now));
    }
}

fn sweep(local: &mut Local<2>, reach: f32) {
    for cell in local.own_cells() {
        for i in local.enter(cell, Around::Later) {
            local.neighbourhood.find_later::<Portable>(i, reach);
            for n in 0..local.neighbourhood.near.len() {
                let j = local.neighbourhood.near.place(n);
                pair(&mut local.neighbourhood, i, j);
            }
        }
        local.leave();
    }
}

fn pair(neighbourhood: &mut Neighbourhood<2>, i: usize, j: usize) {
    let [[x, y, z], [family, per_mass, reach]] = &mut neighbourhood.axes;
    if family[i] == family[j] {
        return;
    }
    let offset = Vec3::new(x[j] - x[i], y[j] - y[i], z[j] - z[i]);
    let (r, wanted) = (offset.length(), 0.5 * (reach[i] + reach[j]));
    if r >= wanted || r == 0.0 {
        return;
    }
    let push = SHARE * (wanted - r) / (r * (per_mass[i] + per_mass[j])) * offset;
    let (di, dj) = (-per_mass[i] * push, per_mass[j] * push);
    (x[i], y[i], z[i]) = (x[i] + di.x, y[i] + di.y, z[i] + di.z);
    (x[j], y[j], z[j]) = (x[j] + dj.x, y[j] + dj.y, z[j] + dj.z);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::strewn;
    use glam::DVec3;

    fn axes(points: &[Vec3]) -> Axes {
        let mut axes = Axes::default();
        points.iter().for_each(|&p| axes.push(p));
        axes
    }

    fn kind(position: &mut Axes, mass: f32, reach: f32) -> Points<'_> {
        // Each test has a heavy and a light kind, or kinds of one mass that are far apart.
        static NOWHERE: Axes = Axes { x: Vec::new(), y: Vec::new(), z: Vec::new() };
        let (family, mass) = (mass.to_bits() as u64, mass as f64);
        Points { position, previous: &NOWHERE, radius: 0.0, mass, family, reach }
    }

    /// Thesis 000 chapter 8: Δx_i m_i = −Δx_j m_j. Half the overlap of 0.04 is taken back, three quarters of it by the
    /// particle that weighs a third.
    #[test]
    fn the_lighter_of_a_pair_gives_way_the_more() {
        let (mut heavy, mut light) = (axes(&[Vec3::ZERO]), axes(&[0.06 * Vec3::X]));
        Unlike::default().push_apart(&mut [kind(&mut heavy, 3.0, 0.1), kind(&mut light, 1.0, 0.1)], false);
        assert!(
            (heavy.x[0] - -0.005).abs() < 1e-8 && (light.x[0] - 0.075).abs() < 1e-8,
            "{heavy:?} {light:?}"
        );
    }

    /// A crowd of two kinds is pushed apart without moving its centre of mass; like particles do not notice each other.
    #[test]
    fn pushing_unlike_particles_apart_moves_no_mass() {
        for planar in [false, true] {
            let (a, b) = (strewn(500, planar, 6), strewn(500, planar, 7));
            let (mut heavy, mut light) = (axes(&a), axes(&b));
            let moment = |heavy: &Axes, light: &Axes| {
                let sum = |a: &Axes| a.iter().map(|p| p.as_dvec3()).sum::<DVec3>();
                13.5 * sum(heavy) + sum(light)
            };
            let before = moment(&heavy, &light);
            let kinds = &mut [kind(&mut heavy, 13.5, 0.2), kind(&mut light, 1.0, 0.15)];
            Unlike::default().push_apart(kinds, planar);
            let moved = heavy.iter().zip(&a).filter(|(now, then)| now != *then).count();
            assert!(moved > 100, "{moved} of 500 moved");
            let drift = (moment(&heavy, &light) - before).length();
            // A thousand particles, some ten roundings of 10⁻⁷ m each, weighed.
            assert!(drift < 1e-4, "{drift}");
        }
        let (mut one, mut other) = (axes(&strewn(100, false, 8)), axes(&[10.0 * Vec3::X]));
        let before = one.clone();
        let kinds = &mut [kind(&mut one, 1.0, 0.5), kind(&mut other, 1.0, 0.5)];
        Unlike::default().push_apart(kinds, false);
        assert_eq!(one, before);
    }
}
