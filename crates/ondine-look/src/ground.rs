//! The checker of endless ground, which shows how large things are.

use glam::{Vec2, Vec3};

/// Side of a square of the checker in a scene of a size, half its diagonal [m]: a round number of which some ten cross it.
pub fn checker_size(reach: f32) -> f32 {
    let wish = 0.25 * reach;
    let decade = 10f32.powf(wish.log10().floor());
    let step = if wish < 2.0 * decade {
        1.0
    } else if wish < 5.0 * decade {
        2.0
    } else {
        5.0
    };
    step * decade
}

/// A point in the two axes that a plane runs along most.
pub fn checker_plane(p: Vec3, normal: Vec3) -> Vec2 {
    let n = normal.abs();
    if n.y >= n.max_element() {
        Vec2::new(p.x, p.z)
    } else if n.x >= n.z {
        Vec2::new(p.z, p.y)
    } else {
        Vec2::new(p.x, p.y)
    }
}
