//! Rigid objects: where a line of sight meets them, and which points they hold.

use crate::seen::{Seen, Thing};
use crate::shading::linear;
use crate::view::{Ray, View};
use glam::Vec3;
use ondine::Scene;
use ondine::scene::{Placement, Shape};
use rayon::prelude::*;

/// A rigid object as it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Solid {
    /// Its shape.
    pub shape: Shape,
    /// Where it stands.
    pub placement: Placement,
    /// Linear light.
    pub color: Vec3,
}

/// Where a ray meets a solid, if it does: the depth, and the direction away from the solid.
pub type Met = Option<(f32, Vec3)>;

/// The scene's objects that are there now.
pub fn of_scene(scene: &Scene) -> Vec<Solid> {
    let present = scene.object.iter().filter(|o| o.enabled);
    present.map(|o| Solid::new(o.shape, o.placement(), linear(o.color))).collect()
}

/// Draws the solids: what the rays meet in space, the cut through z = 0 in a planar scene.
pub fn draw(solids: &[Solid], view: &View, planar: bool, seen: &mut Seen) {
    for (index, solid) in solids.iter().enumerate() {
        let (columns, rows) = solid.window(view, seen);
        // Rays in the solid's own frame, turned once for all.
        let local = view.seen_from(&solid.placement);
        let plane = view.depth(Vec3::ZERO);
        let height = rows.len();
        seen.par_rows_mut().enumerate().skip(rows.start).take(height).for_each(|(y, row)| {
            for (x, cell) in columns.clone().zip(&mut row[columns.clone()]) {
                let ray = local.ray(x as f32 + 0.5, y as f32 + 0.5);
                let depth =
                    if planar { solid.cut(&ray, plane) } else { solid.meet(&ray).map(|(depth, _)| depth) };
                if let Some(depth) = depth {
                    cell.put(depth, Thing::Solid(index));
                }
            }
        });
    }
}

/// Half the sides of the box about a bounded shape, in the shape's own axes; None for a half-space.
pub fn half_extent(shape: &Shape) -> Option<Vec3> {
    match *shape {
        Shape::HalfSpace { .. } => None,
        Shape::Box { size } | Shape::Container { size, .. } => Some(0.5 * Vec3::from(size)),
        Shape::Sphere { radius } => Some(Vec3::splat(radius)),
        Shape::Capsule { radius, height } => Some(Vec3::new(radius, 0.5 * height + radius, radius)),
        Shape::Cylinder { radius, height } => Some(Vec3::new(radius, 0.5 * height, radius)),
    }
}

/// The corners of the box about a bounded shape, in the world. Corner i is on the high side of x, y and z where bits
/// 0, 1 and 2 of i are set.
pub fn corners(half: Vec3, placement: &Placement) -> [Vec3; 8] {
    std::array::from_fn(|i| {
        let side = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        placement.to_world(half * Vec3::new(side(0), side(1), side(2)))
    })
}

impl Solid {
    fn new(shape: Shape, placement: Placement, color: Vec3) -> Self {
        Self { shape, placement, color }
    }

    /// Whether it throws shadows on other things. Half-spaces and containers have the liquid on their lit side.
    pub fn throws_shadow(&self) -> bool {
        !matches!(self.shape, Shape::HalfSpace { .. } | Shape::Container { .. })
    }

    /// The samples that may see it: those about its corners, or all.
    fn window(&self, view: &View, seen: &Seen) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let everywhere = (0..seen.size().0, 0..seen.size().1);
        let Some(half) = half_extent(&self.shape) else { return everywhere };
        let (mut low, mut high) = ((f32::INFINITY, f32::INFINITY), (f32::NEG_INFINITY, f32::NEG_INFINITY));
        for corner in corners(half, &self.placement) {
            let Some(spot) = view.project(corner) else { return everywhere };
            low = (low.0.min(spot.x), low.1.min(spot.y));
            high = (high.0.max(spot.x), high.1.max(spot.y));
        }
        seen.window(low, high)
    }

    /// Where a ray comes in from outside. A ray that starts inside sees through, so a camera in a wall is not blind.
    pub fn hit(&self, ray: &Ray) -> Met {
        let local = Ray {
            from: self.placement.to_local(ray.from),
            direction: self.placement.rotation.inverse() * ray.direction,
        };
        let (depth, normal) = self.meet(&local)?;
        Some((depth, self.placement.to_world_direction(normal)))
    }

    /// The same in the solid's own frame.
    #[inline]
    fn meet(&self, ray: &Ray) -> Met {
        let (o, d) = (ray.from, ray.direction);
        let met = match self.shape {
            Shape::HalfSpace { normal } => plane(o, d, Vec3::from(normal).normalize_or_zero()),
            Shape::Box { size } => block(o, d, 0.5 * Vec3::from(size)),
            Shape::Container { size, .. } => floor(o, d, 0.5 * Vec3::from(size)),
            Shape::Sphere { radius } => ball(o, d, radius),
            Shape::Capsule { radius, height } => capsule(o, d, radius, 0.5 * height),
            Shape::Cylinder { radius, height } => cylinder(o, d, radius, 0.5 * height),
        };
        met.filter(|(depth, _)| *depth > 0.0)
    }

    /// Depth of the plane z = 0 along a ray of the solid's own frame, where the solid holds that point. `along` is
    /// the depth of that plane: the same for all rays of a view straight onto it.
    fn cut(&self, ray: &Ray, along: f32) -> Option<f32> {
        self.holds(ray.at(along)).then_some(along)
    }

    fn holds(&self, p: Vec3) -> bool {
        match self.shape {
            Shape::HalfSpace { normal } => p.dot(normal.into()) < 0.0,
            Shape::Box { size } => (p.abs() - 0.5 * Vec3::from(size)).max_element() < 0.0,
            // The liquid is inside and everything else is solid: its outline says it, a dark sky would not.
            Shape::Container { .. } => false,
            Shape::Sphere { radius } => p.length() < radius,
            Shape::Capsule { radius, height } => {
                (p - Vec3::Y * p.y.clamp(-0.5 * height, 0.5 * height)).length() < radius
            }
            Shape::Cylinder { radius, height } => p.x.hypot(p.z) < radius && p.y.abs() < 0.5 * height,
        }
    }
}

fn plane(o: Vec3, d: Vec3, normal: Vec3) -> Met {
    let (height, fall) = (o.dot(normal), d.dot(normal));
    (height > 0.0 && fall < 0.0).then(|| (-height / fall, normal))
}

fn block(o: Vec3, d: Vec3, half: Vec3) -> Met {
    let near = (-half * d.signum() - o) / d;
    let far = (half * d.signum() - o) / d;
    let depth = near.max_element();
    if depth >= far.min_element() {
        return None;
    }
    let axis = Vec3::AXES[near.max_position()];
    Some((depth, -axis * d.dot(axis).signum()))
}

/// The inner bottom of a container, so that what lies in it does not hover.
fn floor(o: Vec3, d: Vec3, half: Vec3) -> Met {
    let (depth, normal) = plane(o + Vec3::Y * half.y, d, Vec3::Y)?;
    let p = o + d * depth;
    (p.x.abs() < half.x && p.z.abs() < half.z).then_some((depth, normal))
}

fn ball(o: Vec3, d: Vec3, radius: f32) -> Met {
    let depth = first_root(d.length_squared(), o.dot(d), o.length_squared() - radius * radius)?;
    Some((depth, (o + d * depth) / radius))
}

/// Where a ray enters the endless round rod about y.
fn rod(o: Vec3, d: Vec3, radius: f32) -> Met {
    let (flat_o, flat_d) = (o.with_y(0.0), d.with_y(0.0));
    let (a, b) = (flat_d.length_squared(), flat_o.dot(flat_d));
    let depth = first_root(a, b, flat_o.length_squared() - radius * radius)?;
    Some((depth, (flat_o + flat_d * depth) / radius))
}

fn cylinder(o: Vec3, d: Vec3, radius: f32, half: f32) -> Met {
    let side = rod(o, d, radius).filter(|(t, _)| (o + d * *t).y.abs() <= half);
    let lid_normal = if o.y > 0.0 { Vec3::Y } else { Vec3::NEG_Y };
    let lid = plane(o - lid_normal * half, d, lid_normal)
        .filter(|(t, _)| (o + d * *t).with_y(0.0).length_squared() <= radius * radius);
    nearest([side, lid, None])
}

fn capsule(o: Vec3, d: Vec3, radius: f32, half: f32) -> Met {
    let side = rod(o, d, radius).filter(|(t, _)| (o + d * *t).y.abs() <= half);
    let end = |center: Vec3| ball(o - center, d, radius);
    nearest([side, end(Vec3::Y * half), end(Vec3::NEG_Y * half)])
}

fn nearest(candidates: [Met; 3]) -> Met {
    candidates.into_iter().flatten().filter(|(t, _)| *t > 0.0).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// The smaller root of a·t² + 2·b·t + c = 0.
fn first_root(a: f32, b: f32, c: f32) -> Option<f32> {
    let discriminant = b * b - a * c;
    (a > 0.0 && discriminant > 0.0).then(|| (-b - discriminant.sqrt()) / a)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solid(shape: Shape) -> Solid {
        Solid::new(shape, Placement::new([0.0, 1.0, 0.0], [0.0, 90.0, 0.0]), Vec3::ONE)
    }

    const DOWN: Ray = Ray { from: Vec3::new(0.0, 11.0, 0.0), direction: Vec3::NEG_Y };

    #[test]
    fn a_ray_from_above_meets_the_top_of_each_shape() {
        let tops = [
            (Shape::HalfSpace { normal: [0.0, 2.0, 0.0] }, 10.0),
            (Shape::Box { size: [1.0, 2.0, 4.0] }, 9.0),
            (Shape::Container { size: [1.0, 2.0, 4.0], open: true }, 11.0),
            (Shape::Sphere { radius: 3.0 }, 7.0),
            (Shape::Capsule { radius: 0.5, height: 2.0 }, 8.5),
            (Shape::Cylinder { radius: 0.5, height: 2.0 }, 9.0),
        ];
        for (shape, depth) in tops {
            let (met, normal) = solid(shape).hit(&DOWN).unwrap_or_else(|| panic!("{shape:?} is missed"));
            assert!((met - depth).abs() < 1e-4, "{shape:?} at {met}");
            assert!(normal.distance(Vec3::Y) < 1e-4, "{shape:?} faces {normal}");
        }
    }

    #[test]
    fn rotation_turns_the_shape() {
        // A quarter turn about y swaps the sides along x and z.
        let block = solid(Shape::Box { size: [1.0, 2.0, 4.0] });
        let beside = |x: f32| Ray { from: Vec3::new(x, 11.0, 0.0), ..DOWN };
        assert!(block.hit(&beside(1.8)).is_some());
        assert!(block.hit(&beside(2.2)).is_none());
    }

    #[test]
    fn a_ray_from_inside_sees_through() {
        let inside = Ray { from: Vec3::new(0.0, 1.1, 0.0), direction: Vec3::NEG_Y };
        assert!(solid(Shape::Sphere { radius: 1.0 }).hit(&inside).is_none());
        assert!(solid(Shape::Box { size: [1.0; 3] }).hit(&inside).is_none());
        assert!(solid(Shape::Cylinder { radius: 1.0, height: 1.0 }).hit(&inside).is_none());
    }
}
