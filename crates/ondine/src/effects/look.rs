//! What is seen of an effect: sizes, colours, opacities and angles, found from ages and ids.

use super::Effect;
use super::births::{Draw, chance};
use crate::frame::Particles;
use crate::system::SystemKind;

/// The smallest that anything is drawn [m].
const SMALLEST: f32 = 1e-6;

impl Effect {
    /// What can be seen of it at a time [s].
    pub fn shown(&self, time: f64) -> Particles {
        let (description, swarm, seed) = (&self.description, &self.swarm, self.seed);
        let mut shown = Particles {
            kind: SystemKind::Effect,
            name: description.name.clone(),
            radius: largest(&description.size),
            color: description.color.first().map_or([1.0; 3], |[_, r, g, b]| [*r, *g, *b]),
            ..Particles::default()
        };
        for i in 0..swarm.len() {
            shown.position.push(swarm.position.get(i).into());
            shown.velocity.push(swarm.velocity.get(i).into());
            self.dress(&mut shown, swarm.id[i], [swarm.birth[i], swarm.death[i]], time, seed);
        }
        let settled = &self.settled;
        for i in 0..settled.len() {
            shown.position.push(settled.position.get(i).into());
            shown.velocity.push([0.0; 3]);
            self.dress(&mut shown, settled.id[i], [settled.birth[i], settled.death[i]], time, seed);
        }
        shown
    }

    /// Adds what is found from the id, the times of birth and death [s], and the time.
    fn dress(&self, shown: &mut Particles, id: u32, [birth, death]: [f32; 2], time: f64, seed: u32) {
        let description = &self.description;
        let age = (time - birth as f64).max(0.0) as f32;
        let share = (age / (death - birth).max(f32::MIN_POSITIVE)).min(1.0);
        let mut draw = chance(seed, self.number, id, Draw::Look);
        let size = curve(&description.size, share, |[_, size]| [size])[0];
        shown.radii.push((size * (1.0 - description.size_spread * draw.next())).max(SMALLEST));
        let [r, g, b] = curve(&description.color, share, |[_, r, g, b]| [r, g, b]);
        let [alpha] = curve(&description.opacity, share, |[_, alpha]| [alpha]);
        let [tr, tg, tb] = self.tint(birth, seed);
        shown.colors.push([r * tr, g * tg, b * tb, alpha]);
        if description.turn > 0.0 || description.spin != 0.0 || description.spin_spread > 0.0 {
            let mut each_way = |most: f32| most * (2.0 * draw.next() - 1.0);
            let angle =
                each_way(description.turn) + (description.spin + each_way(description.spin_spread)) * age;
            let (sin, cos) = libm::sincosf(0.5 * (angle % 720.0).to_radians());
            shown.orientation.push([0.0, 0.0, sin, cos]);
        }
        shown.density.push(0.0);
        shown.id.push(id);
    }

    /// The tint of those that are born at an instant.
    fn tint(&self, birth: f32, seed: u32) -> [f32; 3] {
        let tints = &self.description.tint;
        if tints.is_empty() {
            return [1.0; 3];
        }
        let drawn = chance(seed, self.number, birth.to_bits(), Draw::Tint).next();
        tints[((drawn * tints.len() as f32) as usize).min(tints.len() - 1)]
    }
}

/// The largest size of a curve [m].
fn largest(size: &[[f32; 2]]) -> f32 {
    size.iter().map(|[_, size]| *size).fold(SMALLEST, f32::max)
}

/// The value of a curve at a share of life: straight lines between keys, constant beyond the first and the last.
fn curve<const K: usize, const N: usize>(
    keys: &[[f32; K]],
    share: f32,
    value: impl Fn([f32; K]) -> [f32; N],
) -> [f32; N] {
    let after = keys.partition_point(|key| key[0] <= share);
    let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else { return [1.0; N] };
    if after == 0 {
        return value(first);
    }
    let Some(&next) = keys.get(after) else { return value(last) };
    let (before, t) = (keys[after - 1], (share - keys[after - 1][0]) / (next[0] - keys[after - 1][0]));
    let (a, b) = (value(before), value(next));
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_go_through_their_keys() {
        let keys = [[0.2, 1.0], [0.6, 3.0], [1.0, 0.0]];
        let at = |share| curve(&keys, share, |[_, x]| [x])[0];
        assert_eq!([0.0, 0.2, 0.4, 0.6, 0.8, 1.0].map(at), [1.0, 1.0, 2.0, 3.0, 1.5, 0.0]);
    }
}
