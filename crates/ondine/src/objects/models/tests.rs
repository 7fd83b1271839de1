//! The models are what they say: sizes, holes, walls, symmetry.

use super::*;
use crate::objects::{Meshes, Sdf, TriangleMesh, mesh_of};
use glam::Vec3;
use std::collections::{BTreeMap, BTreeSet};

const ALL: [Model; 5] = [Model::Rabbit, Model::Figure, Model::Stool, Model::Cup, Model::Teapot];

fn sdf(model: Model) -> Sdf {
    Sdf::new(&shape(model, 1.0), &Meshes::default(), false)
}

fn mesh(model: Model, height: f32) -> TriangleMesh {
    mesh_of(&Shape::Model { of: model, height }, &Meshes::default())
}

#[test]
fn heights_are_as_wanted() {
    for model in ALL {
        for height in [1.0, 0.3] {
            let (low, high) = mesh(model, height).bounds().expect("a mesh");
            let off = ((low.y + 0.5 * height).abs()).max((high.y - 0.5 * height).abs());
            assert!(off < 0.01 * height, "{model:?} from {} to {}", low.y, high.y);
        }
    }
}

/// Genus: how many handles a closed surface in one piece has.
fn genus(mesh: &TriangleMesh) -> i64 {
    let edges: BTreeSet<(u32, u32)> = sides(mesh).map(|(a, b)| (a.min(b), a.max(b))).collect();
    let euler = mesh.points.len() as i64 - edges.len() as i64 + mesh.triangles.len() as i64;
    (2 - euler) / 2
}

fn sides(mesh: &TriangleMesh) -> impl Iterator<Item = (u32, u32)> + '_ {
    mesh.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
}

/// Points that can be reached from the first.
fn reached(mesh: &TriangleMesh) -> usize {
    let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    sides(mesh).for_each(|(a, b)| next.entry(a).or_default().push(b));
    let (mut seen, mut waiting) = (BTreeSet::from([0]), vec![0]);
    while let Some(at) = waiting.pop() {
        waiting.extend(next[&at].iter().filter(|&&b| seen.insert(b)));
    }
    seen.len()
}

#[test]
fn each_is_one_closed_surface_with_the_handles_it_should_have() {
    // Three legs between a seat and a ring: as many loops as arcs of the ring. A hollow with one nozzle makes none.
    let genera = [0, 0, 3, 1, 1];
    for (model, expected) in ALL.into_iter().zip(genera) {
        let mesh = mesh(model, 1.0);
        let directed: BTreeSet<(u32, u32)> = sides(&mesh).collect();
        assert_eq!(directed.len(), 3 * mesh.triangles.len(), "{model:?}: a side is used twice");
        assert!(directed.iter().all(|&(a, b)| directed.contains(&(b, a))), "{model:?} is open");
        assert_eq!(reached(&mesh), mesh.points.len(), "{model:?} is in pieces");
        assert_eq!(genus(&mesh), expected, "{model:?}");
    }
}

/// Points all over the box about a model.
fn places(sdf: &Sdf) -> impl Iterator<Item = Vec3> {
    let (low, high) = sdf.bounds().expect("an end");
    (0..4000).map(move |i| {
        let share = Vec3::new(0.618_034, 0.754_878, 0.569_84) * i as f32;
        low + (high - low) * share.fract()
    })
}

#[test]
fn left_is_as_right() {
    let mirrors = [
        (Model::Rabbit, Vec3::new(1.0, 1.0, -1.0)),
        (Model::Figure, Vec3::new(-1.0, 1.0, 1.0)),
        (Model::Stool, Vec3::new(-1.0, 1.0, 1.0)),
        (Model::Cup, Vec3::new(1.0, 1.0, -1.0)),
        (Model::Teapot, Vec3::new(1.0, 1.0, -1.0)),
    ];
    for (model, mirror) in mirrors {
        let sdf = sdf(model);
        // Near the surface: deep inside, a blend passes over parts that it need not look at.
        for p in places(&sdf).filter(|p| sdf.distance(*p).abs() < 0.05) {
            let (here, there) = (sdf.distance(p), sdf.distance(mirror * p));
            assert!((here - there).abs() < 4e-3, "{model:?} at {p}: {here} and {there}");
        }
    }
}

#[test]
fn things_stand_on_flat_soles() {
    let soles = [
        (Model::Figure, vec![[0.145, -0.025], [0.16, 0.08], [-0.145, -0.025]]),
        (Model::Stool, vec![[0.0, 0.3], [0.2598, -0.15], [-0.2598, -0.15]]),
        (Model::Cup, vec![[0.0, 0.0], [0.3, 0.0], [0.0, -0.3]]),
        (Model::Teapot, vec![[0.0, 0.0], [0.2, 0.0], [0.0, -0.2]]),
    ];
    for (model, places) in soles {
        let sdf = sdf(model);
        for [x, z] in places {
            for (dx, dz) in [(0.0, 0.0), (0.02, 0.01), (-0.01, 0.02)] {
                let under = sdf.distance(Vec3::new(x + dx, -0.51, z + dz));
                assert!((under - 0.01).abs() < 1e-3, "{model:?} at {x}, {z}: {under}");
            }
        }
    }
}

/// Way through the first wall that a ray meets, if it meets one.
fn wall(sdf: &Sdf, from: Vec3, direction: Vec3) -> Option<f32> {
    let step = 0.002;
    let inside = |k: &u32| sdf.distance(from + direction * (*k as f32 * step)) < 0.0;
    let first = (0..1000).find(inside)?;
    let last = (first..2000).find(|k| !inside(k))?;
    Some((last - first) as f32 * step)
}

/// Directions evenly spread over a sphere.
fn directions(count: u32) -> impl Iterator<Item = Vec3> {
    (0..count).map(move |i| {
        let y = 1.0 - 2.0 * (i as f32 + 0.5) / count as f32;
        let (sin, cos) = (2.399_963 * i as f32).sin_cos();
        let across = (1.0 - y * y).sqrt();
        Vec3::new(across * cos, y, across * sin)
    })
}

#[test]
fn a_cup_is_hollow_and_its_walls_are_thick() {
    let cup = sdf(Model::Cup);
    assert!(cup.distance(Vec3::ZERO) > 0.3);
    assert!(cup.distance(Vec3::new(0.0, 0.6, 0.0)) > 0.09, "open at the top");
    let bottom = cup.nearest(Vec3::new(0.1, -0.4, 0.1));
    assert!((bottom.distance - 0.04).abs() < 1e-3 && bottom.normal.y > 0.999, "flat inside: {bottom:?}");
    // Not up, where rays clip the round of the rim.
    for d in directions(2000).filter(|d| d.y < 0.2) {
        for y in [-0.3, 0.0, 0.3] {
            let Some(thickness) = wall(&cup, Vec3::Y * y, d) else { continue };
            assert!(thickness > 0.055, "{thickness} from {y} along {d}");
        }
    }
}

#[test]
fn a_teapot_pours_through_its_spout_alone() {
    let pot = sdf(Model::Teapot);
    let path = [[0.0, -0.13], [0.2, -0.28], [0.445, -0.19], [0.545, -0.06], [0.675, 0.20], [0.8, 0.45]];
    let path = path.map(|[x, y]| Vec3::new(x, y, 0.0));
    for leg in path.windows(2) {
        for k in 0..=50 {
            let p = leg[0].lerp(leg[1], k as f32 / 50.0);
            assert!(pot.distance(p) > 0.03, "blocked at {p}: {}", pot.distance(p));
        }
    }
    for x in path[1..4].iter().flat_map(|p| [wall(&pot, *p, Vec3::Z), wall(&pot, *p, Vec3::NEG_Z)]) {
        assert!(x.is_some_and(|thickness| thickness > 0.043), "{x:?} beside the spout");
    }
    // The wall between body and spout ends in an edge where they open into one another; elsewhere nothing leads out.
    for d in directions(4000).filter(|d| d.x < 0.8) {
        let thickness = wall(&pot, path[0], d);
        assert!(thickness.is_some_and(|t| t > 0.043), "{thickness:?} along {d}");
    }
}

#[test]
fn a_figure_has_no_thin_limbs() {
    fn check(part: &Part) {
        match &part.shape {
            Shape::Union(blend) => blend.of.iter().for_each(check),
            Shape::Capsule { radius, .. } | Shape::Sphere { radius } | Shape::Cylinder { radius, .. } => {
                assert!(2.0 * radius >= 0.07, "{part:?}");
            }
            _ => {}
        }
    }
    check(&part(figure()));
}

#[test]
fn enlarging_multiplies_distances() {
    for model in ALL {
        let (small, large) = (sdf(model), Sdf::new(&shape(model, 2.5), &Meshes::default(), false));
        for p in places(&small) {
            assert!((2.5 * small.distance(p) - large.distance(2.5 * p)).abs() < 1e-4, "{model:?} at {p}");
        }
    }
}
