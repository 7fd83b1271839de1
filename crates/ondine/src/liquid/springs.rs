//! Springs that appear, change length and vanish.
//!
//! Source: thesis 000 §5.2 and §5.3, Algorithms 5 and 6 (the latter is missing from the text; it is equation 5.2 applied
//! to every pair of neighbours).
//!
//! | symbol | meaning |
//! |---|---|
//! | L, r | rest length and present length of a spring |
//! | α, γ | plasticity [1/s] and yield ratio |
//!
//! Each step: a pair closer than h without a spring gets one with L = h, which exerts no force yet; L moves towards r at
//! the rate α once they differ by more than γL; a spring with L > h vanishes; the others displace their ends by
//! D = dt² k_spring (L−r)(1−L/h), one after the other; with the default method, all at once.
//!
//! Where it differs: when springs are switched on, neighbours are bonded at their present distance (Figure 5.3: the cast
//! keeps the form of its mould), and with α = 0 so are newly emitted particles; with α = 0 springs with L = h, which could never do anything, are not made; the
//! displacement is limited like viscosity, by pair and by group of eight, so that no stiffness can explode.
//! Limits: springs never tear by themselves when α = 0.

use super::coefficients::Coefficients;
use crate::lanes::{Lanes, widest};
use crate::neighbourhood::{Around, Local, Neighbourhood};
use crate::neighbours::Grid;
use crate::parallel::Shared;
use crate::particles::{Axes, ParticleArrays};
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// The springs of a liquid. Each is kept once, by the end with the lower id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Springs {
    /// First spring of each particle, and the number of springs. Empty when there are no springs.
    first: Vec<u32>,
    /// The particle at the other end; the top bit marks a spring longer than h at the last adjustment.
    partner: Vec<u32>,
    /// Rest lengths [m].
    rest: Vec<f32>,
    /// Springs longer than h, whose ends may be in blocks that do not touch: (owner, spring).
    #[serde(skip)]
    long: Vec<[u32; 2]>,
    #[serde(skip)]
    drafts: Drafts,
}

/// Marks, in `partner`, a spring longer than h.
const LONG: u32 = 1 << 31;

/// What each block found, before it is put together. Never part of the state.
#[derive(Debug, Default)]
struct Drafts(Vec<Draft>);

impl Clone for Drafts {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Drafts {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Debug, Default)]
struct Draft {
    counts: Vec<u32>,
    partner: Vec<u32>,
    rest: Vec<f32>,
    /// (owner, spring), with springs numbered from the block's first.
    long: Vec<[u32; 2]>,
}

/// What to do with pairs that have no spring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unbonded {
    /// Bond those of which one has this id or a later one at their present distance; leave the others.
    Bond(u32),
    /// Algorithm 6: a spring with L = h that plasticity shortens.
    Approach,
}

impl Springs {
    /// Number of springs.
    pub fn len(&self) -> usize {
        self.partner.len()
    }

    /// Rest lengths [m], in no particular order.
    #[cfg(test)]
    pub fn rest_lengths(&self) -> &[f32] {
        &self.rest
    }

    /// Whether every spring is between two of so many particles.
    pub fn is_sound(&self, particles: usize) -> bool {
        let Some((&start, &end)) = self.first.first().zip(self.first.last()) else {
            return self.partner.is_empty() && self.rest.is_empty();
        };
        let ends = start == 0 && end as usize == self.partner.len() && self.rest.len() == self.partner.len();
        ends && self.first.len() <= particles + 1
            && self.first.is_sorted()
            && self.partner.iter().all(|p| ((p & !LONG) as usize) < particles)
            && self.rest.iter().all(|l| l.is_finite() && *l >= 0.0)
    }

    /// Removes all springs.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Follows a reordering of the particles: `order[i]` was the old place of particle i; those not in it are gone.
    pub fn reorder(&mut self, order: &[u32], before: usize) {
        if self.first.is_empty() {
            return;
        }
        let mut now = vec![u32::MAX; before];
        for (i, &old) in order.iter().enumerate() {
            now[old as usize] = i as u32;
        }
        let (mut first, mut partner, mut rest) = (
            Vec::with_capacity(order.len() + 1),
            Vec::with_capacity(self.len()),
            Vec::with_capacity(self.len()),
        );
        first.push(0);
        for &old in order {
            // Particles born since the last adjustment have no entry yet.
            if (old as usize) + 1 < self.first.len() {
                for s in self.of(old as usize) {
                    let other = now[(self.partner[s] & !LONG) as usize];
                    if other != u32::MAX {
                        partner.push(other);
                        rest.push(self.rest[s]);
                    }
                }
            }
            first.push(partner.len() as u32);
        }
        (self.first, self.partner, self.rest) = (first, partner, rest);
    }

    fn of(&self, i: usize) -> std::ops::Range<usize> {
        self.first[i] as usize..self.first[i + 1] as usize
    }

    /// Algorithm 6 over sorted particles.
    pub fn adjust(
        &mut self,
        grid: &Grid,
        particles: &ParticleArrays,
        c: &Coefficients,
        unbonded: Unbonded,
        dt: f32,
    ) {
        // Particles emitted since, which stand at the end until they are sorted in, have no springs.
        self.first.resize(particles.len() + 1, self.partner.len() as u32);
        let mut drafts = std::mem::take(&mut self.drafts);
        drafts.0.resize_with(grid.blocks().max(drafts.0.len()), Draft::default);
        let shared = Shared::new(&mut drafts.0);
        let this = &*self;
        grid.view_blocks([&particles.position], |local, block| {
            // SAFETY: each block writes its own draft only.
            let draft = unsafe { &mut shared.slice(block, 1)[0] };
            this.draft(grid, particles, c, unbonded, dt, local, block, draft);
        });
        self.assemble(grid, &drafts.0[..grid.blocks()]);
        self.drafts = drafts;
    }

    #[allow(clippy::too_many_arguments)]
    fn draft(
        &self,
        grid: &Grid,
        particles: &ParticleArrays,
        c: &Coefficients,
        unbonded: Unbonded,
        dt: f32,
        local: &mut Local<1>,
        block: usize,
        draft: &mut Draft,
    ) {
        draft.counts.clear();
        draft.partner.clear();
        draft.rest.clear();
        draft.long.clear();
        let slots: Vec<u32> = local.slots().collect();
        let makes_new = unbonded != Unbonded::Approach || c.alpha > 0.0;
        let mut own = grid.particles_of(block);
        for cell in local.own_cells() {
            let here = local.enter(cell, Around::All);
            let hood_slots: Vec<u32> = local.neighbourhood.places().map(|p| slots[p as usize]).collect();
            for (i, slot) in here.zip(own.by_ref()) {
                let before = draft.partner.len();
                for s in self.of(slot) {
                    let other = (self.partner[s] & !LONG) as usize;
                    let r = particles.position.get(other).distance(particles.position.get(slot));
                    draft.keep(slot, other as u32, plastic(self.rest[s], r, c, dt), r, c);
                }
                if makes_new {
                    find_near(&mut local.neighbourhood, i, c.h);
                    let near = &local.neighbourhood.near;
                    let old = self.of(slot);
                    for k in 0..near.len() {
                        let other = hood_slots[near.place(k)];
                        let later = particles.id[other as usize];
                        let known = || self.partner[old.clone()].iter().any(|p| p & !LONG == other);
                        if later <= particles.id[slot] || known() {
                            continue;
                        }
                        let r = near.distance(k);
                        match unbonded {
                            Unbonded::Bond(first) if later >= first => draft.keep(slot, other, r, r, c),
                            Unbonded::Bond(_) => (),
                            Unbonded::Approach => draft.keep(slot, other, plastic(c.h, r, c, dt), r, c),
                        }
                    }
                }
                draft.counts.push((draft.partner.len() - before) as u32);
            }
        }
    }

    fn assemble(&mut self, grid: &Grid, drafts: &[Draft]) {
        self.first.clear();
        self.first.push(0);
        self.partner.clear();
        self.rest.clear();
        self.long.clear();
        for (block, draft) in drafts.iter().enumerate() {
            debug_assert_eq!(draft.counts.len(), grid.particles_of(block).len());
            let base = self.partner.len() as u32;
            self.long.extend(draft.long.iter().map(|[owner, s]| [*owner, s + base]));
            self.partner.extend(&draft.partner);
            self.rest.extend(&draft.rest);
            let mut total = base;
            self.first.extend(draft.counts.iter().map(|n| {
                total += n;
                total
            }));
        }
    }

    /// Algorithm 5.
    ///
    /// # Safety
    /// The grid must have sorted the particles where they are now, by cells no smaller than h, and [`Springs::adjust`] must have seen them
    /// there with the same h: springs that are not marked as long then end in the block of their owner or one cell around it.
    pub unsafe fn displace(
        &self,
        grid: &Grid,
        particles: &mut ParticleArrays,
        c: &Coefficients,
        pulling: Pulling,
        dt: f32,
    ) {
        let n = particles.len();
        let position = &mut particles.position;
        let before = match pulling {
            Pulling::InTurn => None,
            Pulling::AtOnce => Some(position.clone()),
        };
        let axes = [&mut position.x, &mut position.y, &mut position.z].map(|a| Shared::new(a));
        let ends = Ends { axes, before: before.as_ref() };
        let stiffness = match pulling {
            Pulling::InTurn => dt * dt * c.k_spring,
            Pulling::AtOnce => (dt * dt * c.k_spring).min(STIFFEST),
        };
        grid.coloured(n, |block| {
            for i in grid.particles_of(block) {
                for group in self.partner[self.of(i)].chunks(8).zip(self.rest[self.of(i)].chunks(8)) {
                    // SAFETY: by the caller's promise no other block of this colour touches these particles; long springs are left out.
                    unsafe { pull(&ends, i, group, stiffness, c.h) };
                }
            }
        });
        for &[owner, s] in &self.long {
            let s = s as usize;
            let group = (&[self.partner[s] & !LONG][..], &self.rest[s..s + 1]);
            // SAFETY: one after the other.
            unsafe { pull(&ends, owner as usize, group, stiffness, c.h) };
        }
    }
}

widest! {
    fn find_near(neighbourhood: &mut Neighbourhood<1>, i: usize, h: f32) = find_near_with
}

#[inline(always)]
fn find_near_with<V: Lanes>(neighbourhood: &mut Neighbourhood<1>, i: usize, h: f32) {
    neighbourhood.find_near::<V>(i, h);
}

/// The particles that springs pull on.
struct Ends<'a> {
    axes: [Shared<'a, f32>; 3],
    /// Where they were before any of them was pulled, where that counts.
    before: Option<&'a Axes>,
}

/// Whether a spring sees what those before it did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pulling {
    /// It does, as in the thesis.
    InTurn,
    /// All see the same: none comes before another, and a body at rest stays at rest instead of turning slowly the way the order goes.
    AtOnce,
}

/// Largest dt² k_spring for which springs that pull at once are stable: the stiffest motion of a lattice has ω² = 7 k_spring or so.
pub const STIFFEST: f32 = 0.25;

/// The share of a spring's stretch that one displacement takes back, at most: more would overshoot.
const MOST_OF_ONE: f32 = 0.5;

/// Displaces particle i and up to eight partners by the springs between them; marked springs are passed over.
///
/// # Safety
/// No one else may touch these particles meanwhile.
unsafe fn pull(ends: &Ends, i: usize, group: (&[u32], &[f32]), stiffness: f32, h: f32) {
    // SAFETY: the caller's promise; one element at a time.
    let at = |i: usize, c: usize| unsafe { &mut ends.axes[c].slice(i, 1)[0] };
    let now = |i: usize| Vec3::new(*at(i, 0), *at(i, 1), *at(i, 2));
    let point = |i: usize| ends.before.map_or_else(|| now(i), |before| before.get(i));
    let here = point(i);
    let shares = group.1.iter().map(|rest| (stiffness * (1.0 - rest / h)).clamp(0.0, MOST_OF_ONE));
    let total: f32 = shares.clone().sum();
    let scale = if total > 1.0 { 1.0 / total } else { 1.0 };
    let mut own = Vec3::ZERO;
    for ((&j, &rest), share) in group.0.iter().zip(group.1).zip(shares) {
        if j & LONG != 0 {
            continue;
        }
        let offset = point(j as usize) - here;
        let r = offset.length();
        let d = scale * share * (rest - r) * offset / r.max(1e-6 * h);
        own -= d;
        for c in 0..3 {
            *at(j as usize, c) += d[c];
        }
    }
    for c in 0..3 {
        *at(i, c) += own[c];
    }
}

impl Draft {
    fn keep(&mut self, owner: usize, partner: u32, rest: f32, r: f32, c: &Coefficients) {
        if rest <= c.h {
            // What is no number may be anywhere.
            let is_short = r < c.h;
            if !is_short {
                self.long.push([owner as u32, self.partner.len() as u32]);
            }
            self.partner.push(partner | if is_short { 0 } else { LONG });
            self.rest.push(rest);
        }
    }
}

/// Equations 5.1 and 5.2: the new rest length.
pub fn plastic(rest: f32, r: f32, c: &Coefficients, dt: f32) -> f32 {
    let excess = (r - rest).abs() - c.gamma * rest;
    if excess > 0.0 { rest + (dt * c.alpha).min(1.0) * excess.copysign(r - rest) } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::{Carry, strewn};
    use std::collections::BTreeMap;

    const DT: f32 = 1.0 / 30.0;

    /// Particles on the x axis, sorted.
    fn row(x: &[f32], h: f32) -> (Grid, ParticleArrays) {
        let mut particles = ParticleArrays::of(x.iter().map(|x| (x * Vec3::X, Vec3::ZERO)));
        let mut grid = Grid::new(h, false);
        grid.sort(&mut particles, Carry::All);
        (grid, particles)
    }

    /// Springs of rest length `rest` from each particle of a row to the next.
    fn chain(rest: f32, count: usize, long: bool) -> Springs {
        let mark = if long { LONG } else { 0 };
        Springs {
            first: (0..=count as u32).chain([count as u32]).collect(),
            partner: (1..=count as u32).map(|j| j | mark).collect(),
            rest: vec![rest; count],
            long: (0..count as u32).filter(|_| long).map(|i| [i, i]).collect(),
            drafts: Drafts::default(),
        }
    }

    fn displace(springs: &Springs, grid: &Grid, particles: &mut ParticleArrays, c: &Coefficients) {
        // SAFETY: `row` has sorted them, and long springs are marked.
        unsafe { springs.displace(grid, particles, c, Pulling::InTurn, DT) };
    }

    fn x(particles: &ParticleArrays) -> Vec<f32> {
        particles.by_name(&particles.position).iter().map(|p| p.x).collect()
    }

    /// Thesis 000 Algorithm 5: k_spring = 90, L = 0.5, r = 0.6, dt = 1/30 give D = −0.005, so that r becomes 0.59.
    #[test]
    fn a_stretched_spring_displaces_its_ends_by_algorithm_5() {
        let c = Coefficients { k_spring: 90.0, ..Coefficients::inert(1.0) };
        let (grid, mut p) = row(&[0.0, 0.6], c.h);
        displace(&chain(0.5, 1, false), &grid, &mut p, &c);
        assert!((x(&p)[0] - 0.005).abs() < 1e-8 && (x(&p)[1] - 0.595).abs() < 6e-8, "{:?}", x(&p));
    }

    /// Thesis 000 §5.2: "a spring whose rest length is the interaction radius exerts no force".
    #[test]
    fn a_spring_as_long_as_h_exerts_no_force() {
        let c = Coefficients { k_spring: 90.0, ..Coefficients::inert(1.0) };
        let (grid, mut p) = row(&[0.0, 0.6], c.h);
        displace(&chain(1.0, 1, false), &grid, &mut p, &c);
        assert_eq!(x(&p), [0.0, 0.6]);
    }

    /// Algorithm 5 asks nothing of r: a spring stretched far beyond h, its ends in blocks that do not touch, still pulls.
    #[test]
    fn a_spring_stretched_across_blocks_still_pulls() {
        let c = Coefficients { k_spring: 90.0, ..Coefficients::inert(1.0) };
        let (grid, mut p) = row(&[0.0, 40.0], c.h);
        displace(&chain(0.5, 1, true), &grid, &mut p, &c);
        assert!((x(&p)[0] - 1.975).abs() < 1e-5 && (x(&p)[1] - 38.025).abs() < 1e-5, "{:?}", x(&p));
    }

    /// Thesis 000 §3.3: each constraint sees what those before it did. The first spring, stretched by 1 and as stiff as a
    /// spring may be, brings its ends to 0.5 and 1.5; the second, satisfied at first, is now stretched by 0.5 and takes
    /// half of that from each of its ends. In parallel the second would do nothing: 0.5, 1.5, 3.
    #[test]
    fn springs_act_in_sequence() {
        let c = Coefficients { k_spring: 1e6, ..Coefficients::inert(4.0) };
        let (grid, mut p) = row(&[0.0, 2.0, 3.0], c.h);
        displace(&chain(1.0, 2, false), &grid, &mut p, &c);
        assert_eq!(x(&p), [0.5, 1.75, 2.75]);
    }

    fn held(mut rest: f32, r: f32, c: &Coefficients, steps: u32) -> f32 {
        for _ in 0..steps {
            rest = plastic(rest, r, c, DT);
        }
        rest
    }

    /// Thesis 000 equation 5.1, held at r = 0.8 from L = 0.5 with α = 3: L_n = r + (L − r)(1 − α dt)^n.
    #[test]
    fn rest_lengths_approach_a_held_length_geometrically() {
        let c = Coefficients { alpha: 3.0, ..Coefficients::inert(1.0) };
        for (steps, wanted) in [(1, 0.53), (10, 0.695_396_467_97), (30, 0.787_282_652_52)] {
            let rest = held(0.5, 0.8, &c, steps) as f64;
            assert!((rest - wanted).abs() < 1e-6, "{steps} steps: {rest} for {wanted}");
        }
        // "When α is 1/dt, the rest length becomes the present length at once."
        assert_eq!(plastic(0.5, 0.8, &Coefficients { alpha: 1.0 / DT, ..c }, DT), 0.8);
    }

    /// Thesis 000 equation 5.2 with γ = 0.1: below the yield ratio exactly nothing, beyond it up to the ratio.
    #[test]
    fn rest_lengths_yield_beyond_the_yield_ratio_only() {
        let c = Coefficients { alpha: 3.0, gamma: 0.1, ..Coefficients::inert(1.0) };
        for r in [0.451, 0.48, 0.5, 0.52, 0.549] {
            assert_eq!(plastic(0.5, r, &c, DT), 0.5, "held at {r}");
        }
        // Stretched, L goes to r/(1+γ); compressed, to r/(1−γ).
        for (r, wanted, limit) in [(0.8, 0.720_382_278_27, 0.8 / 1.1), (0.3, 0.343_175_495_56, 0.3 / 0.9)] {
            let rest = held(0.5, r, &c, 30) as f64;
            assert!((rest - wanted).abs() < 1e-6, "held at {r}: {rest} for {wanted}");
            assert!((held(0.5, r, &c, 3000) as f64 - limit).abs() < 1e-6);
        }
    }

    /// Algorithm 6: a pair within h gets a spring with L = h, which begins to shorten at once.
    #[test]
    fn neighbours_get_springs_and_strangers_do_not() {
        let c = Coefficients { alpha: 3.0, k_spring: 1.0, ..Coefficients::inert(1.0) };
        let (grid, p) = row(&[0.0, 0.75, 1.75], c.h);
        let mut springs = Springs::default();
        springs.adjust(&grid, &p, &c, Unbonded::Approach, DT);
        assert_eq!(springs.len(), 1, "1 m apart is not nearer than h");
        assert!((springs.rest_lengths()[0] - 0.975).abs() < 1e-6);
        // Without plasticity such a spring could never do anything and is not made.
        let mut rigid = Springs::default();
        rigid.adjust(&grid, &p, &Coefficients { alpha: 0.0, ..c }, Unbonded::Approach, DT);
        assert_eq!(rigid.len(), 0);
    }

    /// Algorithm 6: a spring whose rest length has grown beyond h is removed, however long it is stretched otherwise.
    #[test]
    fn springs_that_outgrow_h_vanish() {
        let c = Coefficients { alpha: 3.0, k_spring: 1.0, ..Coefficients::inert(1.0) };
        let (grid, p) = row(&[0.0, 1.5], c.h);
        let mut springs = chain(0.9, 1, false);
        springs.adjust(&grid, &p, &c, Unbonded::Approach, DT);
        assert_eq!(springs.rest_lengths(), [0.96]);
        springs.adjust(&grid, &p, &c, Unbonded::Approach, DT);
        assert_eq!(springs.len(), 0);
    }

    /// What is no number stands in some cell, far from what it is bonded to: such a spring is not pulled in its block's turn.
    #[test]
    fn springs_to_what_is_no_number_are_long() {
        let c = Coefficients { k_spring: 1.0, ..Coefficients::inert(1.0) };
        let (grid, p) = row(&[900.0, f32::NAN], c.h);
        let first = p.id.iter().position(|&id| id == 0).expect("it is there");
        let mut springs = chain(0.5, 1, false);
        if first == 1 {
            (springs.first, springs.partner) = (vec![0, 0, 1], vec![0]);
        }
        springs.adjust(&grid, &p, &c, Unbonded::Approach, DT);
        assert_eq!((springs.len(), springs.long.len(), springs.partner[0] & LONG), (1, 1, LONG));
    }

    /// The springs by the names of their ends, lower name first.
    fn by_names(springs: &Springs, particles: &ParticleArrays) -> BTreeMap<[u32; 2], u32> {
        let mut all = BTreeMap::new();
        for i in 0..particles.len() {
            for s in springs.of(i) {
                let ends = [particles.id[i], particles.id[(springs.partner[s] & !LONG) as usize]];
                assert!(ends[0] < ends[1], "the lower name keeps the spring");
                assert!(all.insert(ends, springs.rest[s].to_bits()).is_none(), "no pair has two springs");
            }
        }
        all
    }

    /// A crowd over many blocks is bonded pair by pair, and the springs follow their ends when the particles are sorted
    /// anew or taken away.
    #[test]
    fn bonds_join_every_pair_once_and_follow_their_ends() {
        let c = Coefficients { k_spring: 1.0, ..Coefficients::inert(0.15) };
        for planar in [false, true] {
            let points = strewn(1500, planar, 5);
            let mut p = ParticleArrays::of(points.iter().map(|&x| (x, Vec3::ZERO)));
            let mut grid = Grid::new(c.h, planar);
            grid.sort(&mut p, Carry::All);
            let mut springs = Springs::default();
            springs.adjust(&grid, &p, &c, Unbonded::Bond(0), DT);
            let bonds = by_names(&springs, &p);
            let mut wanted = 0;
            for i in 0..points.len() {
                for j in 0..i {
                    wanted += ((points[i] - points[j]).length_squared() < c.h * c.h) as usize;
                }
            }
            assert!(bonds.len() > 1000);
            assert_eq!(bonds.len(), wanted);
            // Every third particle is taken away, and the rest turned around.
            let order: Vec<u32> = (0..1500).rev().filter(|i| i % 3 != 0).collect();
            springs.reorder(&order, 1500);
            p.reorder(&order, Carry::All);
            let left: Vec<u32> = p.id.clone();
            let mut kept = bonds.clone();
            kept.retain(|ends, _| ends.iter().all(|id| left.contains(id)));
            assert_eq!(by_names(&springs, &p), kept);
            assert!(kept.len() < bonds.len() && !kept.is_empty());
        }
    }
}
