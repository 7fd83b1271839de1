//! Paths that obey no force (004, "Trajectoires artistiques"): straight on, waves, curves through points, random walks, as functions of age.

use super::births::{Draw, chance};
use crate::chance::Chance;
use crate::scene::{EffectPath, Wave};
use glam::{DVec3, Vec3};
use std::f64::consts::TAU;

/// Rounds of halving by which a random walk is found: steps of some thousandth of a life.
const HALVINGS: u32 = 10;
/// Age by which velocities are measured, over the life: less than what can be seen, more than rounding.
const MOMENT: f64 = 1e-4;

/// The path of one particle.
pub struct Path<'a> {
    /// What the scene says of it.
    pub path: &'a EffectPath,
    /// Where it is born [m], and how fast [m/s].
    pub start: DVec3,
    /// How fast [m/s].
    pub go: DVec3,
    /// How long it lives [s].
    pub life: f64,
    /// The words of its chance: the scene's seed, the effect, the particle.
    pub words: [u32; 3],
    /// Whether the scene is planar.
    pub planar: bool,
}

impl Path<'_> {
    /// Where it is at an age [s], and how fast.
    pub fn at(&self, age: f64) -> (DVec3, DVec3) {
        let moment = MOMENT * self.life;
        let (before, after) = ((age - moment).max(0.0), (age + moment).min(self.life));
        let velocity = (self.place(after) - self.place(before)) / (after - before).max(f64::MIN_POSITIVE);
        (self.place(age), velocity)
    }

    /// Where it is at an age [s].
    fn place(&self, age: f64) -> DVec3 {
        let mut at = self.start + age * self.go;
        for (n, wave) in self.path.wave.iter().enumerate() {
            at += self.swung(wave, n, age) - self.swung(wave, n, 0.0);
        }
        if !self.path.through.is_empty() {
            at += through(&self.path.through, age / self.life);
        }
        if self.path.walk > 0.0 {
            at += self.path.walk as f64 * self.walked(age);
        }
        if self.planar { at.with_z(0.0) } else { at }
    }

    fn draw(&self) -> Chance {
        chance(self.words[0], self.words[1], self.words[2], Draw::Path)
    }

    /// Where a wave leads at an age.
    fn swung(&self, wave: &Wave, number: usize, age: f64) -> DVec3 {
        let mut draw = self.draw();
        let ahead = (0..=number).map(|_| draw.next()).last().unwrap_or(0.0) * wave.spread;
        let turns = wave.frequency as f64 * age + ahead as f64;
        let swing = |c: usize| {
            wave.amplitude[c] as f64 * libm::sin(TAU * turns + (wave.phase[c] as f64).to_radians())
        };
        DVec3::new(swing(0), swing(1), swing(2))
    }

    /// A walk of which the mean square of each coordinate is the age, by halving (Lévy): the end first, then the middle as it must be between
    /// both, and so on. Any instant costs the same, and what is found does not depend on what was asked before.
    fn walked(&self, age: f64) -> DVec3 {
        let (mut from, mut to) = ((0.0, DVec3::ZERO), (self.life, self.life.sqrt() * self.step(1)));
        let mut node = 1u32;
        for _ in 0..HALVINGS {
            let (time, spread) = (0.5 * (from.0 + to.0), 0.5 * (to.0 - from.0).sqrt());
            let middle = (time, 0.5 * (from.1 + to.1) + spread * self.step(2 * node + 1));
            node *= 2;
            if age < time {
                to = middle;
            } else {
                from = middle;
                node += 1;
            }
        }
        from.1.lerp(to.1, ((age - from.0) / (to.0 - from.0)).clamp(0.0, 1.0))
    }

    /// A normal deviate for each axis, of a node of the halving: sums of twelve even ones, less six.
    fn step(&self, node: u32) -> DVec3 {
        let [seed, effect, id] = self.words;
        let mut draw = chance(seed, effect, id, Draw::Walk(node));
        let mut normal = || (0..12).map(|_| draw.next() as f64).sum::<f64>() - 6.0;
        DVec3::new(normal(), normal(), normal())
    }
}

/// A smooth curve (Catmull and Rom) that is at the origin at 0, and then passes the points, evenly, the last at 1.
fn through(points: &[[f32; 3]], share: f64) -> DVec3 {
    let last = points.len() as i64;
    let point = |k: i64| match k.clamp(0, last) {
        0 => DVec3::ZERO,
        k => Vec3::from(points[k as usize - 1]).as_dvec3(),
    };
    // Beyond the ends it goes on as it came.
    let beyond = |k: i64| match k {
        k if k < 0 => 2.0 * point(0) - point(1),
        k if k > last => 2.0 * point(last) - point(last - 1),
        k => point(k),
    };
    let place = share.clamp(0.0, 1.0) * last as f64;
    let k = (place as i64).min(last - 1);
    let t = place - k as f64;
    let [a, b, c, d] = [beyond(k - 1), beyond(k), beyond(k + 1), beyond(k + 2)];
    0.5 * (2.0 * b + t * ((c - a) + t * ((2.0 * a - 5.0 * b + 4.0 * c - d) + t * (3.0 * (b - c) + d - a))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(path: &EffectPath, id: u32) -> Path<'_> {
        Path { path, start: DVec3::ZERO, go: DVec3::ZERO, life: 4.0, words: [1, 0, id], planar: false }
    }

    #[test]
    fn curves_pass_their_points() {
        let given = EffectPath {
            through: vec![[1.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 2.0, -1.0]],
            ..EffectPath::default()
        };
        let path = path(&given, 7);
        assert!(path.at(0.0).0.length() < 1e-12);
        for (k, point) in given.through.iter().enumerate() {
            let at = path.at(4.0 * (k + 1) as f64 / 3.0).0;
            assert!(at.distance(Vec3::from(*point).as_dvec3()) < 1e-9, "{k}: {at}");
        }
        // Its speed does not jump at a point.
        let (before, after) = (path.at(4.0 / 3.0 - 1e-3).1, path.at(4.0 / 3.0 + 1e-3).1);
        assert!(before.distance(after) < 0.01 * before.length(), "{before} {after}");
    }

    #[test]
    fn waves_are_sines() {
        let wave = Wave { amplitude: [0.0, 0.2, 0.0], frequency: 0.5, ..Wave::default() };
        let given = EffectPath { wave: vec![wave, wave], ..EffectPath::default() };
        let path = Path { go: DVec3::X, ..path(&given, 0) };
        let (at, velocity) = path.at(0.5);
        assert!(at.distance(DVec3::new(0.5, 0.4, 0.0)) < 1e-7, "{at}");
        assert!(velocity.distance(DVec3::X) < 1e-3, "{velocity}");
    }

    /// The mean square of a walk grows as the time, from any instant on.
    #[test]
    fn walks_spread_as_the_root_of_time() {
        let given = EffectPath { walk: 0.3, ..EffectPath::default() };
        let spread = |from: f64, to: f64| {
            let way = |id| path(&given, id).place(to) - path(&given, id).place(from);
            (0..3000).map(|id| way(id).length_squared()).sum::<f64>() / 9000.0
        };
        for (from, to) in [(0.0, 1.0), (0.0, 4.0), (1.0, 2.5)] {
            let known = 0.09 * (to - from);
            assert!(
                (spread(from, to) / known - 1.0).abs() < 0.06,
                "{from} {to}: {}",
                spread(from, to) / known
            );
        }
    }
}
