//! The liquid under a body that lies on another collider.
//!
//! Not in thesis 000. Between a floor and what lies on it, or all but lies on it, there is no room for a particle: nothing would
//! press on it from below, and a box on the floor of a tank would be held there by the water above. A true liquid creeps in and
//! has there the pressure that it has all around. So it is taken to be: where the surface of a body is nearer to another collider than a
//! particle is wide, it feels the pressure of the liquid that leans on it at that height, and the other collider feels the opposite.

use crate::contact::impulse::Impulse;
use crate::objects::{Collider, Sdf};
use crate::power::Power;
use glam::{DVec3, Vec3};

/// Gaps with liquid that no particle stands for, in spacings: up to the first wholly, from the second on not at all.
const NARROW: [f32; 2] = [0.9, 1.2];
/// Gaps across which a body touches what it lies on, in spacings.
const TOUCHING: f32 = 0.1;
/// Bodies whose farthest point is nearer to their origin than this are not held by what they touch, in spacings, and the liquid under
/// them does no more than lift them.
const SMALL: f32 = 1.5;
/// Most samples along the longest side of a body.
const MOST: f32 = 32.0;

/// Samples of the surface of a body, in its own frame.
#[derive(Clone, Debug, Default)]
pub struct Lubrication {
    samples: Vec<Sample>,
    /// Distance of the farthest of them from the origin [m].
    radius: f32,
    /// What they surround [m³]; in the plane, the area.
    volume: f64,
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    at: Vec3,
    /// Outward normal times the area that it stands for [m²]; in the plane, the length.
    area: Vec3,
}

/// A piece of a body's surface that is in a narrow gap.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// Where it is [m].
    pub at: Vec3,
    /// Outward normal times its area, or as much of it as the gap has no room for particles [m²].
    pub area: Vec3,
    /// The number of the collider across the gap.
    pub across: usize,
    /// How wide the gap is [m].
    pub width: f32,
}

impl Lubrication {
    /// Samples a shape: points of a lattice within a step of its surface, each with the share of area that smears it over them.
    pub fn new(sdf: &Sdf, spacing: f32, planar: bool) -> Self {
        let Some((low, high)) = sdf.bounds() else { return Self::default() };
        let (size, centre) =
            ((high - low) * if planar { Vec3::new(1.0, 1.0, 0.0) } else { Vec3::ONE }, 0.5 * (low + high));
        let step = (0.5 * spacing).max(size.max_element() / MOST);
        let layers = |c: usize| if planar && c == 2 { 1 } else { (size[c] / step).ceil() as i32 + 2 };
        let along = |c: usize, i: i32| centre[c] + (i as f32 - 0.5 * (layers(c) - 1) as f32) * step;
        let mut samples = Vec::new();
        for z in 0..layers(2) {
            for y in 0..layers(1) {
                for x in 0..layers(0) {
                    let p = Vec3::new(along(0, x), along(1, y), if planar { 0.0 } else { along(2, z) });
                    let near = sdf.nearest(p);
                    let share = 1.0 - near.distance.abs() / step;
                    if share > 0.0 {
                        let area = share * step.power(if planar { 1 } else { 2 });
                        samples
                            .push(Sample { at: p - near.distance * near.normal, area: area * near.normal });
                    }
                }
            }
        }
        let radius = samples.iter().map(|s| s.at.length()).fold(0.0, f32::max);
        // The divergence of the place is the number of dimensions.
        let flux: f64 = samples.iter().map(|s| s.at.dot(s.area) as f64).sum();
        Self { samples, radius, volume: flux / if planar { 2.0 } else { 3.0 } }
    }

    /// The share of what the liquid in the gaps gives that, with what liquid elsewhere has given, lifts the body by no more than
    /// its buoyancy ρ g V: the pressure of a still liquid, summed over the whole body. What is light beside the particles around it
    /// would be thrown about by what the two differ in a single step.
    pub fn buoyant(&self, gaps: &[Gap], head: Head, dt: f32, given: DVec3) -> f64 {
        let lift: DVec3 = gaps.iter().map(|gap| -head.at(gap.at) * dt as f64 * gap.area.as_dvec3()).sum();
        let away = lift.normalize_or_zero();
        let buoyancy = -head.weight.as_dvec3() * self.volume * dt as f64;
        let wanted = (buoyancy - given).dot(away);
        if lift == DVec3::ZERO { 0.0 } else { (wanted / lift.length()).clamp(0.0, 1.0) }
    }

    /// Whether the body is small beside the particles around it.
    pub fn is_small(&self, spacing: f32) -> bool {
        self.radius < SMALL * spacing
    }

    /// The pieces that are in narrow gaps between this collider and others.
    pub fn gaps(&self, number: usize, colliders: &[Collider], spacing: f32) -> Vec<Gap> {
        let [whole, none] = NARROW.map(|n| n * spacing);
        let collider = &colliders[number];
        let reach = self.radius + none;
        let is_near = |(n, other): &(usize, &Collider)| {
            *n != number && other.quick_distance(collider.placement.at) < reach
        };
        let others: Vec<(usize, &Collider)> = colliders.iter().enumerate().filter(is_near).collect();
        let mut gaps = Vec::new();
        for sample in self.samples.iter().filter(|_| !others.is_empty()) {
            let at = collider.placement.to_world(sample.at);
            let distances = others.iter().map(|(n, other)| (other.distance(at), *n));
            let Some((distance, across)) = distances.min_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            let share = ((none - distance) / (none - whole)).clamp(0.0, 1.0);
            if share > 0.0 {
                let area = share * collider.placement.to_world_direction(sample.area);
                gaps.push(Gap { at, area, across, width: distance });
            }
        }
        gaps
    }
}

/// The pressure of a liquid around a body at some height, as at height 0 [Pa], and what it grows by with depth [Pa/m].
#[derive(Clone, Copy, Debug, Default)]
pub struct Head {
    /// Pressure at the origin.
    pub level: f64,
    /// Weight of the liquid along gravity [N/m³].
    pub weight: Vec3,
}

impl Head {
    /// The pressure at a point [Pa].
    fn at(&self, p: Vec3) -> f64 {
        (self.level + self.weight.as_dvec3().dot(p.as_dvec3())).max(0.0)
    }
}

/// Which way an impulse presses a body on what it touches across its gaps, or 0.
pub fn held(gaps: &[Gap], impulse: DVec3, spacing: f32) -> DVec3 {
    if gaps.iter().all(|gap| gap.width > TOUCHING * spacing) {
        return DVec3::ZERO;
    }
    let towards = gaps.iter().map(|gap| gap.area).sum::<Vec3>().as_dvec3().normalize_or_zero();
    if impulse.dot(towards) > 0.5 * impulse.length() { towards } else { DVec3::ZERO }
}

/// Adds what the liquid in the gaps of a body does in a time to all free objects.
pub fn press(
    gaps: &[Gap],
    number: usize,
    head: Head,
    dt: f32,
    colliders: &[Collider],
    impulses: &mut [Impulse],
) {
    for gap in gaps {
        let impulse = -head.at(gap.at) * dt as f64 * gap.area.as_dvec3();
        for (collider, impulse) in [(&colliders[number], impulse), (&colliders[gap.across], -impulse)] {
            if let Some(free) = collider.free {
                impulses[free as usize] += Impulse::at(impulse, (gap.at - collider.centre).as_dvec3());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Placement, Scene, Shape};

    fn collider(shape: &Shape, at: [f32; 3]) -> Collider {
        Collider::of(shape, Placement { at: at.into(), rotation: glam::Quat::IDENTITY }, &Scene::default())
    }

    /// The whole lower face of a box on a floor is in the gap, and nothing else but a rim as high as the gap.
    #[test]
    fn the_face_that_lies_on_a_floor_is_in_the_gap() {
        let floor = collider(&Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
        let cube = collider(&Shape::Box { size: [0.16; 3] }, [0.0, 0.08, 0.0]);
        let lubrication = Lubrication::new(cube.sdf(), 0.02, false);
        let colliders = [floor, cube];
        let sum: Vec3 = lubrication.gaps(1, &colliders, 0.02).iter().map(|g| g.area).sum();
        assert!((sum - Vec3::new(0.0, -0.0256, 0.0)).length() < 0.03 * 0.0256, "{sum}");
        assert!((lubrication.volume / 0.16f64.powi(3) - 1.0).abs() < 0.05, "{}", lubrication.volume);
        let lifted = [colliders[0].clone(), collider(&Shape::Box { size: [0.16; 3] }, [0.0, 0.11, 0.0])];
        assert!(lubrication.gaps(1, &lifted, 0.02).is_empty());
    }
}
