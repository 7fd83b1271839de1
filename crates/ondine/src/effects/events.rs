//! What happens to particles, each thing once and at its own instant: what other effects come of.

use crate::scene::{ChildEvent, EffectChild};
use glam::Vec3;

/// Something that happened to a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// What.
    pub what: ChildEvent,
    /// Of a trail, the number of the child that is left behind.
    pub child: u32,
    /// When [s].
    pub time: f64,
    /// Where [m].
    pub at: Vec3,
    /// How fast the particle was [m/s]; after an impact.
    pub velocity: Vec3,
}

/// Which events anybody comes of: the others are not noted.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Births.
    pub birth: bool,
    /// Deaths.
    pub death: bool,
    /// Impacts.
    pub impact: bool,
    /// Trails: their numbers among the children, and their rates [1/s].
    pub trails: Vec<(u32, f64)>,
}

impl Wanted {
    /// By the children of an effect.
    pub fn by(children: &[EffectChild]) -> Self {
        let any = |what| children.iter().any(|child| child.on == what);
        let trails = children
            .iter()
            .enumerate()
            .filter(|(_, child)| child.on == ChildEvent::Trail && child.rate > 0.0);
        Self {
            birth: any(ChildEvent::Birth),
            death: any(ChildEvent::Death),
            impact: any(ChildEvent::Impact),
            trails: trails.map(|(number, child)| (number as u32, child.rate as f64)).collect(),
        }
    }

    /// The instants from one time to another, the second excluded, at which a particle leaves something behind: number k at its birth plus
    /// k over the rate, from the first on.
    pub fn trail(&self, birth: f64, from: f64, to: f64) -> Vec<(f64, u32)> {
        let mut all = Vec::new();
        for &(child, rate) in &self.trails {
            let time = |k: f64| birth + k / rate;
            let mut k = ((from - birth) * rate).floor().max(1.0);
            while time(k) < from {
                k += 1.0;
            }
            while time(k) < to {
                all.push((time(k), child));
                k += 1.0;
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every mark of a trail once, for any cut of the time.
    #[test]
    fn trails_do_not_depend_on_steps() {
        let child = EffectChild { effect: "a".into(), on: ChildEvent::Trail, count: 1, rate: 37.3 };
        let wanted = Wanted::by(&[child]);
        let once = wanted.trail(0.1, 0.1, 2.0);
        assert_eq!(once.len(), (37.3f32 as f64 * 1.9) as usize);
        for steps in [3, 60, 977] {
            let at = |i: usize| if i == steps { 2.0 } else { 0.1 + 1.9 * i as f64 / steps as f64 };
            let all: Vec<_> = (0..steps).flat_map(|i| wanted.trail(0.1, at(i), at(i + 1))).collect();
            assert_eq!(all, once);
        }
    }
}
