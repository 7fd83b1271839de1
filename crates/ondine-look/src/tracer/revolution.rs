//! Surfaces of revolution: meshes of round things, profiles turned about y.

use glam::{Vec2, Vec3};
use ondine::objects::TriangleMesh;
use std::f32::consts::{PI, TAU};

/// Pieces around, and along a half circle.
const AROUND: u32 = 96;
const ALONG: u32 = 32;

/// A mesh with a normal at each point.
pub type MeshWithNormals = (TriangleMesh, Vec<Vec3>);

/// A point of a profile, distance from the axis and height [m], and the direction away from the body there.
pub type ProfilePoint = (Vec2, Vec2);

/// A cylinder of a radius and half a height.
pub fn cylinder(r: f32, h: f32) -> MeshWithNormals {
    revolved(&[disc(r, -h), [(Vec2::new(r, -h), Vec2::X), (Vec2::new(r, h), Vec2::X)], disc(r, h)])
}

/// A cone with its tip up.
pub fn cone(r: f32, h: f32) -> MeshWithNormals {
    let out = Vec2::new(2.0 * h, r).normalize_or(Vec2::X);
    revolved(&[disc(r, -h), [(Vec2::new(r, -h), out), (Vec2::new(0.0, h), out)]])
}

/// A rod with round ends, `h` from its middle to the middle of an end.
pub fn capsule(r: f32, h: f32) -> MeshWithNormals {
    let point = |k: u32, y: f32| {
        let out = Vec2::from_angle(PI * k as f32 / ALONG as f32 - 0.5 * PI);
        (Vec2::new(0.0, y) + r * out, out)
    };
    let half = ALONG / 2;
    let lower = (0..half).map(|k| [point(k, -h), point(k + 1, -h)]);
    let upper = (half..ALONG).map(|k| [point(k, h), point(k + 1, h)]);
    let side = [point(half, -h), point(half, h)];
    revolved(&lower.chain([side]).chain(upper).collect::<Vec<_>>())
}

/// A ring around y.
pub fn torus(r: f32, tube: f32) -> MeshWithNormals {
    let point = |k: u32| {
        let out = Vec2::from_angle(TAU * k as f32 / (2 * ALONG) as f32);
        (Vec2::new(r, 0.0) + tube * out, out)
    };
    revolved(&(0..2 * ALONG).map(|k| [point(k), point(k + 1)]).collect::<Vec<_>>())
}

/// The cut through a hoop, from an inner radius outwards and from a height upwards.
pub fn hoop(inner: f32, low: f32, thick: f32) -> [[ProfilePoint; 2]; 4] {
    let (outer, high) = (inner + thick, low + thick);
    let [a, b] = [Vec2::new(inner, low), Vec2::new(outer, low)];
    let [c, d] = [Vec2::new(outer, high), Vec2::new(inner, high)];
    let side = |a, b, out| [(a, out), (b, out)];
    [side(a, b, Vec2::NEG_Y), side(b, c, Vec2::X), side(c, d, Vec2::Y), side(d, a, Vec2::NEG_X)]
}

/// A disc that faces away from the middle.
pub fn disc(r: f32, y: f32) -> [ProfilePoint; 2] {
    let out = Vec2::new(0.0, y.signum());
    [(Vec2::new(0.0, y), out), (Vec2::new(r, y), out)]
}

/// Pieces of a profile turned about y. Where two pieces meet with unlike normals there is an edge.
pub fn revolved(pieces: &[[ProfilePoint; 2]]) -> MeshWithNormals {
    let (mut mesh, mut normals) = (TriangleMesh::default(), Vec::new());
    for piece in pieces {
        let start = mesh.points.len() as u32;
        for k in 0..=AROUND {
            let (sin, cos) = (TAU * (k % AROUND) as f32 / AROUND as f32).sin_cos();
            let around = |v: Vec2| Vec3::new(v.x * cos, v.y, v.x * sin);
            mesh.points.extend(piece.map(|(p, _)| around(p)));
            normals.extend(piece.map(|(_, n)| around(n)));
        }
        for k in 0..AROUND {
            let a = start + 2 * k;
            for triangle in [[a, a + 1, a + 2], [a + 1, a + 3, a + 2]] {
                mesh.triangles.push(facing_out(triangle, &mesh.points, &normals));
            }
        }
    }
    (mesh, normals)
}

/// The triangle, against the clock seen from where its normals point.
fn facing_out([a, b, c]: [u32; 3], points: &[Vec3], normals: &[Vec3]) -> [u32; 3] {
    let p = |i: u32| points[i as usize];
    let out = normals[a as usize] + normals[b as usize] + normals[c as usize];
    if (p(b) - p(a)).cross(p(c) - p(a)).dot(out) < 0.0 { [a, c, b] } else { [a, b, c] }
}

/// Adds a block between two corners, its sides flat.
pub fn add_block(low: Vec3, high: Vec3, mesh: &mut TriangleMesh) {
    let start = mesh.points.len() as u32;
    let pick = |i: usize, bit: usize| if i >> bit & 1 == 1 { high[bit] } else { low[bit] };
    mesh.points.extend((0..8).map(|i| Vec3::new(pick(i, 0), pick(i, 1), pick(i, 2))));
    const SIDES: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    for [a, b, c, d] in SIDES {
        mesh.triangles.extend([[a, b, c], [a, c, d]].map(|t| t.map(|i| start + i)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six times the volume inside a mesh: positive if its triangles face outwards.
    fn six_volumes(mesh: &TriangleMesh) -> f32 {
        mesh.corners().map(|[a, b, c]| a.dot(b.cross(c))).sum()
    }

    #[test]
    fn meshes_hold_what_they_should() {
        let near = |mesh: &TriangleMesh, volume: f32| {
            let found = six_volumes(mesh) / 6.0;
            assert!((found / volume - 1.0).abs() < 0.01, "{found} instead of {volume}");
        };
        near(&cylinder(0.5, 1.0).0, PI * 0.25 * 2.0);
        near(&cone(0.5, 1.0).0, PI * 0.25 * 2.0 / 3.0);
        near(&capsule(0.5, 1.0).0, PI * 0.25 * 2.0 + 4.0 / 3.0 * PI * 0.125);
        near(&torus(1.0, 0.3).0, TAU * PI * 0.09);
        let mut cube = TriangleMesh::default();
        add_block(Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0), &mut cube);
        near(&cube, 6.0);
    }
}
