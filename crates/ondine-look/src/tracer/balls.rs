//! Balls made ready for rays: particles, drops, and spheres of the scene.

use super::mesh::{Facing, Spot};
use super::ray::Ray;
use super::tree::{Asked, Scaled, Tree, Unit};
use crate::lanes::Eight;
use glam::{Vec3, Vec3A, Vec4};
use obvhs::aabb::Aabb;

/// A ball.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    /// Where it is [m].
    pub center: Vec3,
    /// How large it is [m].
    pub radius: f32,
    /// Linear light, if it is not that of the material.
    pub color: Option<Vec3>,
}

/// Balls with their tree.
#[derive(Clone, Debug)]
pub struct Balls {
    tree: Tree,
    unit: Unit,
    /// Centres and radii in the unit and the order of the tree.
    round: Vec<Vec4>,
    colors: Vec<Option<Vec3>>,
    bounds: (Vec3, Vec3),
}

impl Balls {
    /// Those of the balls that are finite and have a size.
    pub fn new(balls: &[Ball]) -> Option<Self> {
        let sound = |b: &&Ball| b.center.abs().max_element() < 1e9 && b.radius > 0.0 && b.radius < 1e9;
        let balls: Vec<&Ball> = balls.iter().filter(sound).collect();
        let ends = |b: &&Ball| (b.center - b.radius, b.center + b.radius);
        let grow = |(a, b): (Vec3, Vec3), (c, d): (Vec3, Vec3)| (a.min(c), b.max(d));
        let bounds = balls.iter().map(ends).reduce(grow)?;
        let unit = Unit::of(bounds);
        let boxed = |b: &&Ball| {
            let (center, radius) = (unit.point(b.center), Vec3A::splat(unit.length(b.radius)));
            Aabb::new(center - radius, center + radius)
        };
        let (tree, order) = Tree::new(&balls.iter().map(boxed).collect::<Vec<_>>(), Asked::OneByOne);
        let ordered = || order.iter().map(|&i| balls[i as usize]);
        let round =
            ordered().map(|b| Vec3::from(unit.point(b.center)).extend(unit.length(b.radius))).collect();
        Some(Self { tree, unit, round, colors: ordered().map(|b| b.color).collect(), bounds })
    }

    /// Corners of the box around them [m].
    pub fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    /// Where a ray first meets one within a distance, from outside or from inside.
    #[inline(always)]
    pub fn nearest<V: Eight>(&self, ray: &Ray, most: f32) -> Option<Spot> {
        let scaled = self.unit.ray(ray, most);
        let (part, t) = self.tree.nearest::<V>(
            scaled,
            #[inline(always)]
            |ray, i| met(self.round[i], ray),
        )?;
        Some(Spot { distance: self.unit.metres(t), part })
    }

    /// Whether a ray meets any within a distance.
    #[inline(always)]
    pub fn blocks<V: Eight>(&self, ray: &Ray, most: f32) -> bool {
        self.tree.until::<V>(
            self.unit.ray(ray, most),
            #[inline(always)]
            |ray, i| met(self.round[i], ray) < ray.tmax,
        )
    }

    /// Shows every crossing of a ray within a distance, as [`super::mesh::Mesh::crossings`] does.
    #[inline(always)]
    pub fn crossings<V: Eight>(&self, ray: &Ray, most: f32, mut each: impl FnMut(f32, f32)) {
        self.tree.until::<V>(
            self.unit.ray(ray, most),
            #[inline(always)]
            |scaled, i| {
                let round = self.round[i];
                for t in ends(round, scaled).into_iter().flatten().filter(|t| *t > 0.0 && *t < scaled.tmax) {
                    let out = scaled.origin + scaled.direction * t - Vec3A::from(round.truncate());
                    each(self.unit.metres(t), out.dot(scaled.direction) / round.w);
                }
                false
            },
        );
    }

    /// What the surface is like where a ray met it.
    pub fn facing(&self, ray: &Ray, spot: &Spot) -> Facing {
        let out = self.unit.point(ray.at(spot.distance)) - Vec3A::from(self.round[spot.part].truncate());
        let normal = out.normalize_or(Vec3A::Y);
        Facing { flat: normal, smooth: normal, color: self.colors[spot.part].map(Vec3A::from) }
    }
}

/// The two ends of a ray's way through a ball, if it goes there. From the point of the ray nearest to the centre, which
/// keeps small balls far away round.
#[inline]
fn ends(round: Vec4, ray: &Scaled) -> Option<[f32; 2]> {
    let towards = Vec3A::from(round.truncate()) - ray.origin;
    let middle = towards.dot(ray.direction);
    let aside = (towards - ray.direction * middle).length_squared();
    let half = round.w * round.w - aside;
    (half > 0.0).then(|| [middle - half.sqrt(), middle + half.sqrt()])
}

#[inline]
fn met(round: Vec4, ray: &Scaled) -> f32 {
    match ends(round, ray) {
        Some([near, _]) if near > 0.0 => near,
        Some([_, far]) if far > 0.0 => far,
        _ => f32::INFINITY,
    }
}
