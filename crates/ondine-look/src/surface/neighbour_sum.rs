//! Eq 7.1 at the particles themselves: a sum over the neighbours of one.

use glam::Vec3;

/// Others that are added at once.
const LANES: usize = 8;
/// Out of every particle's reach.
const NOWHERE: f32 = f32::INFINITY;

/// Particles that may be near others, axis by axis, in whole groups of eight.
#[derive(Debug, Default)]
pub struct NeighbourSum {
    axes: [Vec<[f32; LANES]>; 3],
}

impl NeighbourSum {
    /// Takes these particles in place of the last ones.
    pub fn gather<'a>(&mut self, points: impl Iterator<Item = &'a Vec3>) {
        self.axes.iter_mut().for_each(Vec::clear);
        for (i, point) in points.enumerate() {
            for (axis, groups) in self.axes.iter_mut().enumerate() {
                if i % LANES == 0 {
                    groups.push([NOWHERE; LANES]);
                }
                if let Some(group) = groups.last_mut() {
                    group[i % LANES] = point[axis];
                }
            }
        }
    }

    /// Σ (1 − r/h)² over all of them that are within h of a place.
    pub fn sum(&self, at: Vec3, h: f32) -> f32 {
        let (mut sums, inverse) = ([0.0; LANES], 1.0 / h);
        let [xs, ys, zs] = &self.axes;
        for ((xs, ys), zs) in xs.iter().zip(ys).zip(zs) {
            for i in 0..LANES {
                let [x, y, z] = [xs[i] - at.x, ys[i] - at.y, zs[i] - at.z];
                let near = 1.0 - (x * x + y * y + z * z).sqrt() * inverse;
                let near = if near > 0.0 { near } else { 0.0 };
                sums[i] += near * near;
            }
        }
        sums.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_are_near_count() {
        let points: Vec<Vec3> = (0..13).map(|i| Vec3::new(0.1 * i as f32, 0.05, -0.02 * i as f32)).collect();
        let mut neighbours = NeighbourSum::default();
        neighbours.gather(points.iter());
        neighbours.gather(points.iter());
        let at = Vec3::new(0.33, 0.0, 0.0);
        let expected: f32 = points.iter().map(|p| (1.0 - p.distance(at) / 0.5).max(0.0).powi(2)).sum();
        assert!((neighbours.sum(at, 0.5) - expected).abs() < 1e-5);
    }
}
