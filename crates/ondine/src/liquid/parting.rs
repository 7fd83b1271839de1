//! Liquids of different weight part, down to single particles.
//!
//! Not in thesis 000. Particles move past each other as long as what drives them is strong beside what holds them in place. A heavy
//! one that has been left on top of light ones is not driven hard: a layer that is one particle thick would lie there for ever,
//! where a true one tears and sinks in drops smaller than a particle. Here a heavy particle changes places with a light one
//! below it, as often as a drop of its size would sink past it: at Stokes's speed, Δρ g s²/18μ, or √(g s Δρ/ρ) if that is
//! less. Masses stay, momentum is kept, and potential energy is lost.

use super::mixture::Part;
use crate::clusters::{Clusters, Slots};
use crate::particles::ParticleArrays;
use crate::power::Power;
use crate::{hash, parallel};
use glam::Vec3;

/// Farthest that two which change places are apart, in spacings.
const FARTHEST: f32 = 2.0;
/// By how much the volumes of two that change places may differ, as a share: a larger one would not fit.
const LIKE: f32 = 0.1;
/// Least cosine between the way from one to the other and the vertical.
const STEEPEST: f32 = 0.25;

/// Who lies on whom in which mixture.
pub struct Parting<'a> {
    /// The liquids and their neighbours.
    pub clusters: &'a Clusters,
    /// Gravity [m/s²].
    pub gravity: Vec3,
    /// Time since the last look [s].
    pub dt: f32,
    /// Tells one look from the next.
    pub frame: u32,
}

impl Parting<'_> {
    /// Changes the places of particles of unlike liquids that lie the wrong way round.
    pub fn part(&self, parts: &mut [Part]) {
        let firsts: Vec<usize> = parts
            .iter()
            .scan(0, |first, part| {
                *first += part.liquid.particles.len();
                Some(*first - part.liquid.particles.len())
            })
            .collect();
        let pairs = self.wrong(parts, &firsts);
        let mut is_taken = vec![false; self.clusters.order().len()];
        for [heavy, light] in pairs {
            if !is_taken[heavy] && !is_taken[light] {
                (is_taken[heavy], is_taken[light]) = (true, true);
                exchange(parts, place(&firsts, heavy), place(&firsts, light));
            }
        }
    }

    /// Heavy particles that go now, each with the light one below it.
    fn wrong(&self, parts: &[Part], firsts: &[usize]) -> Vec<[usize; 2]> {
        let order = self.clusters.order();
        let blocks = self.clusters.grid().block_numbers();
        let found = parallel::map(blocks, order.len(), |&block| {
            let mut pairs = Vec::new();
            for cluster in self.clusters.of(block as usize) {
                for &heavy in &order[cluster.first..cluster.first + cluster.len] {
                    let light = self.below(parts, firsts, heavy as usize, cluster.near);
                    pairs.extend(light.map(|light| [heavy as usize, light]));
                }
            }
            pairs
        });
        found.into_iter().flatten().collect()
    }

    /// The light particle most nearly below a heavy one, if it goes now.
    fn below(&self, parts: &[Part], firsts: &[usize], heavy: usize, near: Slots) -> Option<usize> {
        let (kind, i) = place(firsts, heavy);
        let (down, this) = (self.gravity.normalize_or_zero(), &parts[kind]);
        let at = this.liquid.particles.position.get(i);
        let mut best = (STEEPEST, None);
        for slot in near.each() {
            let other = self.clusters.order()[slot as usize] as usize;
            let (other_kind, j) = place(firsts, other);
            let lighter = &parts[other_kind].material;
            let is_like = (lighter.volume / this.material.volume - 1.0).abs() < LIKE;
            if lighter.density >= this.material.density || !is_like {
                continue;
            }
            let way = parts[other_kind].liquid.particles.position.get(j) - at;
            let steep = way.dot(down) / way.length();
            if way.length_squared() < (FARTHEST * this.spacing).power(2) && steep > best.0 {
                best = (steep, Some((other_kind, other)));
            }
        }
        let (other_kind, other) = best.1?;
        let chance = self.rate(this, &parts[other_kind]) * self.dt;
        (hash::chance([this.liquid.particles.id[i], self.frame]) < chance).then_some(other)
    }

    /// How often a heavy particle changes places with a light one below [1/s].
    fn rate(&self, heavy: &Part, light: &Part) -> f32 {
        let (g, s) = (self.gravity.length(), heavy.spacing);
        let lighter = heavy.material.density - light.material.density;
        let stokes = lighter * g * s * s / (18.0 * heavy.viscosity.max(light.viscosity).max(1e-6));
        stokes.min((g * s * lighter / heavy.material.density).sqrt()) / s
    }
}

/// The liquid that a particle of the mixture belongs to, and its number there.
fn place(firsts: &[usize], particle: usize) -> (usize, usize) {
    let kind = firsts.partition_point(|first| *first <= particle) - 1;
    (kind, particle - firsts[kind])
}

/// Lets two particles change places. Both go on as the other did, but for what keeps the momentum.
fn exchange(parts: &mut [Part], (a, i): (usize, usize), (b, j): (usize, usize)) {
    let mass = |part: &Part| part.material.volume * part.material.density;
    let (heavy, light) = (mass(&parts[a]), mass(&parts[b]));
    let Ok([first, second]) = parts.get_disjoint_mut([a, b]) else { return };
    let (p, q): (&mut ParticleArrays, &mut ParticleArrays) =
        (&mut first.liquid.particles, &mut second.liquid.particles);
    let (x, y) = (p.position.get(i), q.position.get(j));
    let (u, v) = (p.velocity.get(i), q.velocity.get(j));
    let kept = (heavy - light) / (heavy + light) * (u - v);
    p.position.set(i, y);
    q.position.set(j, x);
    p.velocity.set(i, v + kept);
    q.velocity.set(j, u + kept);
    std::mem::swap(&mut p.density[i], &mut q.density[j]);
    std::mem::swap(&mut p.used_to[i], &mut q.used_to[j]);
}
