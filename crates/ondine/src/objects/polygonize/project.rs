//! Points of a rough surface move onto the true one, but never so far that a triangle turns over.

use crate::objects::clipped::Clipped;
use glam::Vec3;

/// Farthest that a point may move, in cells.
const REACH: f32 = 0.5;
/// Distance over which the gradient is taken, in cells.
const DIFFERENCE: f32 = 0.03;
/// A gradient shorter than this, squared, leads nowhere: a ridge between two surfaces.
const FLAT: f32 = 0.1;
/// How often all triangles are looked through before every point goes back.
const ROUNDS: usize = 16;

/// The point of the surface near `start`: two Newton steps along the gradient, each only if it leads closer.
pub fn onto_surface(field: &Clipped, start: Vec3, cell: f32) -> Vec3 {
    let mut p = start;
    let mut d = field.at(p);
    for _ in 0..2 {
        let gradient = field.gradient(p, DIFFERENCE * cell);
        let slope = gradient.length_squared();
        let step = -d / slope * gradient;
        let next = start + (p + step - start).clamp_length_max(REACH * cell);
        // Not a number compares false.
        if !(slope > FLAT && next.is_finite()) {
            break;
        }
        let left = field.at(next);
        if left.abs() >= d.abs() {
            break;
        }
        (p, d) = (next, left);
    }
    p
}

/// Puts points back to where they came from until no triangle is turned over or squeezed flat by the move.
pub fn keep_upright(points: &mut [Vec3], rough: &[Vec3], triangles: &[[u32; 3]]) {
    for _ in 0..ROUNDS {
        let mut done = true;
        for t in triangles.iter().map(|t| t.map(|i| i as usize)) {
            if t.iter().any(|&i| points[i] != rough[i]) && !upright(t.map(|i| points[i]), t.map(|i| rough[i]))
            {
                t.iter().for_each(|&i| points[i] = rough[i]);
                done = false;
            }
        }
        if done {
            return;
        }
    }
    points.copy_from_slice(rough);
}

/// Whether a triangle faces much the same way as before, and is not much smaller.
fn upright(now: [Vec3; 3], before: [Vec3; 3]) -> bool {
    let across = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a);
    let (now, before) = (across(now), across(before));
    now.dot(before) > 0.05 * before.length_squared()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_lands_on_the_surface_or_stays_near() {
        let ball = |p: Vec3| p.length() - 1.0;
        let field = Clipped::new(&ball, Vec3::splat(-2.0), Vec3::splat(2.0)).expect("a box");
        let near = onto_surface(&field, Vec3::new(0.0, 1.04, 0.01), 0.1);
        assert!(ball(near).abs() < 1e-5, "{near}");
        let far = Vec3::new(0.0, 1.4, 0.0);
        assert!((onto_surface(&field, far, 0.1) - far).length() < 0.0501);
    }

    #[test]
    fn a_turned_triangle_goes_back() {
        let rough = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE];
        let mut points = [Vec3::ZERO, Vec3::X, -Vec3::Y, Vec3::new(1.0, 1.0, 1.1)];
        keep_upright(&mut points, &rough, &[[0, 1, 2], [1, 3, 2]]);
        assert_eq!(points, [rough[0], rough[1], rough[2], Vec3::new(1.0, 1.0, 1.1)]);
    }
}
