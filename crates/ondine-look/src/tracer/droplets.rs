//! Small round pieces of a surface as spheres: a mesh of a drop of one particle or a few has corners.

use super::spheres::Sphere;
use glam::Vec3;
use ondine::objects::TriangleMesh;

/// Points of a piece of a surface that may be shown as a sphere, at most.
const MOST_POINTS: u32 = 200;
/// How far such a piece goes from its centre, at most, in radii of a sphere of its volume.
const ROUND: f32 = 1.35;

/// A surface without its small round pieces, and spheres in their place, each as large as its piece.
pub fn without_droplets(mesh: &TriangleMesh, colors: &[Vec3]) -> (TriangleMesh, Vec<Sphere>) {
    // What is wrong with a mesh is for others to see.
    if mesh.triangles.iter().flatten().any(|i| *i as usize >= mesh.points.len()) {
        return (mesh.clone(), Vec::new());
    }
    let piece = mesh.pieces();
    let mut droplets = vec![Droplet::default(); mesh.points.len()];
    for (t, corners) in mesh.triangles.iter().zip(mesh.corners()) {
        droplets[piece[t[0] as usize] as usize].add(corners);
    }
    for (i, point) in mesh.points.iter().enumerate() {
        let droplet = &mut droplets[piece[i] as usize];
        droplet.points += 1;
        droplet.reach = droplet.reach.max(point.distance(droplet.center()));
    }
    let round = |i: &u32| droplets[piece[*i as usize] as usize].is_round();
    let sphere = |(i, droplet): (usize, &Droplet)| Sphere {
        center: droplet.center(),
        radius: droplet.radius(),
        color: colors.get(i).copied(),
    };
    let spheres = droplets.iter().enumerate().filter(|(_, droplet)| droplet.is_round()).map(sphere).collect();
    let triangles = mesh.triangles.iter().filter(|t| !round(&t[0])).copied().collect();
    (TriangleMesh { points: mesh.points.clone(), triangles }, spheres)
}

/// What a piece of a surface measures.
#[derive(Clone, Copy, Debug, Default)]
struct Droplet {
    /// Six times its volume [m³].
    six_volumes: f32,
    /// Its centre, times 24 times its volume, from the first corner that was added [m⁴].
    moment: Vec3,
    /// The first corner.
    from: Option<Vec3>,
    /// How far it goes from its centre [m].
    reach: f32,
    points: u32,
}

impl Droplet {
    fn add(&mut self, corners: [Vec3; 3]) {
        let from = *self.from.get_or_insert(corners[0]);
        let [a, b, c] = corners.map(|p| p - from);
        let six_volumes = a.dot(b.cross(c));
        self.six_volumes += six_volumes;
        self.moment += six_volumes * (a + b + c);
    }

    fn center(&self) -> Vec3 {
        self.from.unwrap_or_default() + self.moment / (4.0 * self.six_volumes).max(f32::MIN_POSITIVE)
    }

    /// Radius of a sphere of its volume [m].
    fn radius(&self) -> f32 {
        (self.six_volumes.max(0.0) / (8.0 * std::f32::consts::PI)).cbrt()
    }

    fn is_round(&self) -> bool {
        (4..MOST_POINTS).contains(&self.points) && self.reach < ROUND * self.radius()
    }
}
