//! Shapes with closed forms: the nearest point of each, in its own frame.

use super::{End, Nearest};
use glam::{Vec2, Vec3};

/// Everything behind a plane through the origin; `normal` is of length 1.
pub fn half_space(p: Vec3, normal: Vec3) -> Nearest {
    Nearest::flat(p.dot(normal), normal)
}

/// A ball.
pub fn ball(p: Vec3, radius: f32) -> Nearest {
    let r = p.length();
    let normal = if r > 0.0 { p / r } else { Vec3::Y };
    Nearest { distance: r - radius, normal, bend: 1.0 / r.max(0.01 * radius) }
}

/// A rod along y with round ends, `half_height` from their centres to the origin.
pub fn capsule(p: Vec3, radius: f32, half_height: f32) -> Nearest {
    ball(p - Vec3::Y * p.y.max(-half_height).min(half_height), radius)
}

/// A block.
pub fn block(p: Vec3, half: Vec3) -> Nearest {
    let beyond = p.abs() - half;
    let sign = Vec3::select(p.cmplt(Vec3::ZERO), Vec3::NEG_ONE, Vec3::ONE);
    let outside = beyond.max(Vec3::ZERO);
    let r = outside.length();
    if r > 0.0 {
        return Nearest::flat(r, sign * outside / r);
    }
    let c = beyond.max_position();
    let mut normal = Vec3::ZERO;
    normal[c] = sign[c];
    Nearest::flat(beyond[c], normal)
}

/// The edges at which the face of a block ends that is nearest to an outside point, if they are within `reach` of it along the face.
pub fn block_ends(p: Vec3, half: Vec3, reach: f32) -> [Option<End>; 2] {
    let (past, face) = (p.abs() - half, (p.abs() - half).max_position());
    let sign = Vec3::select(p.cmplt(Vec3::ZERO), Vec3::NEG_ONE, Vec3::ONE);
    [1, 2].map(|turn| {
        let across = (face + turn) % 3;
        (past[across] > -reach).then(|| {
            let mut beyond = p;
            beyond[face] = sign[face] * (half[face] + past[face].max(BEYOND * reach));
            beyond[across] = sign[across] * (half[across] + BEYOND * reach);
            End { past: past[across], across: sign[across] * Vec3::AXES[across], beyond }
        })
    })
}

/// The edge at which the side or the cap of a cylinder ends, whichever is nearer to an outside point.
pub fn cylinder_ends(p: Vec3, radius: f32, half_height: f32, reach: f32) -> [Option<End>; 2] {
    let flat = Vec3::new(p.x, 0.0, p.z);
    let (radial, axial) = (flat.normalize_or_zero(), Vec3::Y * if p.y < 0.0 { -1.0 } else { 1.0 });
    // In its profile it is a block.
    let profile = Vec3::new(flat.length(), p.y, 0.0);
    let ends = block_ends(profile, Vec3::new(radius, half_height, f32::INFINITY), reach);
    ends.map(|end| {
        end.map(|end| End {
            across: if end.across.x == 0.0 { axial } else { radial },
            beyond: end.beyond.x * radial + end.beyond.y * Vec3::Y,
            ..end
        })
    })
}

/// How far past an edge and off its wall one looks for what covers it, over the reach.
const BEYOND: f32 = 0.25;

/// A rod along y with flat ends.
pub fn cylinder(p: Vec3, radius: f32, half_height: f32) -> Nearest {
    let profile = |q: Vec2| {
        let beyond = Vec2::new(q.x - radius, q.y.abs() - half_height);
        let upright = Vec2::new(1.0, if q.y < 0.0 { -1.0 } else { 1.0 });
        let outside = beyond.max(Vec2::ZERO);
        let d = outside.length();
        if d > 0.0 {
            return (d, upright * outside / d);
        }
        if beyond.x > beyond.y { (beyond.x, Vec2::X) } else { (beyond.y, upright.with_x(0.0)) }
    };
    turned(p, profile)
}

/// A cone along y, its tip `half_height` above the origin.
pub fn cone(p: Vec3, radius: f32, half_height: f32) -> Nearest {
    let (tip, rim) = (Vec2::new(0.0, half_height), Vec2::new(radius, -half_height));
    let profile = |q: Vec2| {
        let side = from_segment(q, rim, tip);
        let base = from_segment(q, Vec2::new(0.0, -half_height), rim);
        let (out, slope) = if side.length_squared() < base.length_squared() {
            (side, Vec2::new(2.0 * half_height, radius).normalize())
        } else {
            (base, Vec2::NEG_Y)
        };
        let inside = q.y > -half_height && q.x * 2.0 * half_height < radius * (half_height - q.y);
        let d = out.length();
        match inside {
            true => (-d, slope),
            false => (d, if d > 0.0 { out / d } else { slope }),
        }
    };
    turned(p, profile)
}

/// A ring around y.
pub fn torus(p: Vec3, radius: f32, tube: f32) -> Nearest {
    let profile = |q: Vec2| {
        let out = q - Vec2::new(radius, 0.0);
        let d = out.length();
        (d - tube, if d > 0.0 { out / d } else { Vec2::Y })
    };
    let near = turned(p, profile);
    // Around its tube, which is the sharper bend.
    Nearest { bend: 1.0 / (near.distance + tube).max(0.01 * tube), ..near }
}

/// A shape turned about y, from the distance and the normal in its profile: across, and along y. Of its bend, that around
/// the axis is told: the divergence of the normal's radial part.
fn turned(p: Vec3, profile: impl Fn(Vec2) -> (f32, Vec2)) -> Nearest {
    let across = Vec2::new(p.x, p.z).length();
    let radial = if across > 0.0 { Vec3::new(p.x / across, 0.0, p.z / across) } else { Vec3::X };
    let (distance, normal) = profile(Vec2::new(across, p.y));
    let bend = if normal.x == 0.0 { 0.0 } else { normal.x / across.max(1e-6) };
    Nearest { distance, normal: radial * normal.x + Vec3::Y * normal.y, bend }
}

/// From the nearest point of a segment to q.
fn from_segment(q: Vec2, a: Vec2, b: Vec2) -> Vec2 {
    let t = ((q - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    q - a - t * (b - a)
}
