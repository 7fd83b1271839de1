//! Liquids as rays see them: surfaces where there are some, particles where there are none.

use super::balls::{Ball, Balls};
use super::material::{Kind, Material, bounded};
use super::mesh::Mesh;
use super::props::Set;
use super::stage::{Body, Thing};
use glam::{IVec3, Vec3};
use ondine::objects::TriangleMesh;
use ondine::scene::{Liquid, Placement};
use ondine::{Particles, Surface};
use std::collections::HashSet;
use std::sync::Arc;

/// Radius of a drawn particle over its own: neighbours at rest overlap a little, so a pool reads as one body.
const SWELL: f32 = 1.2;
/// Density, as a share of that at rest, below which a particle may be spray.
const SPRAY: f32 = 0.6;
/// Radius of spray over that of a particle.
const DROP: f32 = 0.8;
/// Width of highlights where colours tell numbers.
const SATIN: Kind = Kind::Coated { width: 0.15, index: 1.4 };

/// Points of a piece of a surface that may be shown as a ball, at most.
const MOST_OF_A_DROP: u32 = 200;
/// How far such a piece goes from its centre, at most, in radii of a ball of its volume.
const ROUND: f32 = 1.35;

/// What the colours of liquids tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coloring {
    /// What they are made of.
    #[default]
    Material,
    /// How fast they are: from blue at rest to white at a speed that is brisk for the scene.
    Speed,
    /// How dense they are: blue below the density at rest, white at it, red above. Drawn as particles.
    Density,
}

/// What is needed of a liquid of the scene.
#[derive(Clone, Debug)]
pub struct Stuff {
    name: String,
    material: Material,
    spacing: f32,
    density: f32,
}

impl Stuff {
    /// Of a liquid.
    pub fn new(liquid: &Liquid) -> Self {
        let material = Material::of_liquid(liquid);
        Self { name: liquid.name.clone(), material, spacing: liquid.spacing, density: liquid.density }
    }
}

/// How liquids are put on the stage.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// The liquids of the scene.
    pub liquids: &'a [Stuff],
    /// What their colours tell.
    pub coloring: Coloring,
    /// A speed that is brisk [m/s].
    pub lively: f32,
}

impl Drawing<'_> {
    /// Puts the surfaces of a frame's liquids on the stage, and the particles that no surface holds.
    pub fn add(&self, particles: &[Particles], surfaces: &[Surface], set: &mut Set) {
        for particles in particles {
            let Some(stuff) = self.liquids.iter().find(|stuff| stuff.name == particles.name) else {
                continue;
            };
            let wanted = self.coloring != Coloring::Density;
            let found =
                surfaces.iter().find(|s| wanted && s.name == particles.name && !s.mesh.triangles.is_empty());
            match found {
                Some(surface) => {
                    let number = self.add_surface(stuff, surface, set);
                    let spray = self.spray(stuff, particles, surface);
                    add_balls(&spray, number, set);
                }
                None => {
                    let number = set.add(self.material(stuff.material.of_beads()));
                    let all = (0..particles.position.len()).map(|i| self.ball(stuff, particles, i, SWELL));
                    add_balls(&all.collect::<Vec<_>>(), number, set);
                }
            }
        }
    }

    /// The material, or one that shows colours as they are.
    fn material(&self, material: Material) -> Material {
        match self.coloring {
            Coloring::Material => material,
            _ => Material { kind: SATIN, glow: Default::default(), ..material },
        }
    }

    fn add_surface(&self, stuff: &Stuff, surface: &Surface, set: &mut Set) -> u16 {
        let number = set.add(self.material(stuff.material));
        let colors = match self.coloring {
            // What is clear has its colour in its depth.
            Coloring::Material if stuff.material.is_clear() => Vec::new(),
            Coloring::Material => surface.color.iter().map(|c| bounded(*c).into()).collect(),
            _ => surface.velocity.iter().map(|v| self.speed_color(*v)).collect(),
        };
        let normals = surface.normal.iter().map(|n| Vec3::from(*n)).collect();
        let (rest, balls) = rounded(&surface.mesh, &colors);
        add_balls(&balls, number, set);
        if let Some(mesh) = Mesh::new(&rest, normals, colors) {
            let body = Body::Mesh(Arc::new(mesh));
            set.things.push(Thing { body, placement: Placement::ORIGIN, material: number, drawn: false });
        }
        number
    }

    fn ball(&self, stuff: &Stuff, particles: &Particles, i: usize, swell: f32) -> Ball {
        let color = match self.coloring {
            Coloring::Material => None,
            Coloring::Speed => particles.velocity.get(i).map(|v| self.speed_color(*v)),
            Coloring::Density => particles.density.get(i).map(|d| density_color(d / stuff.density)),
        };
        Ball { center: particles.position[i].into(), radius: particles.radius * swell, color }
    }

    fn speed_color(&self, velocity: [f32; 3]) -> Vec3 {
        let share = (Vec3::from(velocity).length() / self.lively.max(1e-9)).clamp(0.0, 1.0);
        let (slow, middle, fast) =
            (Vec3::new(0.02, 0.07, 0.35), Vec3::new(0.05, 0.5, 0.75), Vec3::splat(0.95));
        if share < 0.5 { slow.lerp(middle, 2.0 * share) } else { middle.lerp(fast, 2.0 * share - 1.0) }
    }

    /// Particles that fly alone and that the surface has left out.
    fn spray(&self, stuff: &Stuff, particles: &Particles, surface: &Surface) -> Vec<Ball> {
        // Before the first step densities are not known, and 0.
        let thin = |d: &f32| *d > 0.0 && *d < SPRAY * stuff.density;
        let sparse = |i: &usize| particles.density.get(*i).is_some_and(thin);
        let sparse: Vec<usize> = (0..particles.position.len()).filter(sparse).collect();
        if sparse.is_empty() {
            return Vec::new();
        }
        let most = IVec3::splat(i32::MAX - 1);
        let cell = |p: Vec3| (p / stuff.spacing.max(1e-6)).floor().as_ivec3().clamp(-most, most);
        let held: HashSet<IVec3> = surface.mesh.points.iter().map(|p| cell(*p)).collect();
        let alone = |i: &usize| {
            let c = cell(particles.position[*i].into());
            let around = (0..27).map(|k| c + IVec3::new(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1));
            !around.into_iter().any(|c| held.contains(&c))
        };
        let drop = |i: usize| self.ball(stuff, particles, i, DROP);
        sparse.into_iter().filter(alone).map(drop).collect()
    }
}

/// A surface without its small round pieces, and balls in their place, each as large as its piece: a mesh of a drop of one
/// particle or a few has corners.
fn rounded(mesh: &TriangleMesh, colors: &[Vec3]) -> (TriangleMesh, Vec<Ball>) {
    // What is wrong with a mesh is for others to see.
    if mesh.triangles.iter().flatten().any(|i| *i as usize >= mesh.points.len()) {
        return (mesh.clone(), Vec::new());
    }
    let piece = mesh.pieces();
    let mut drops = vec![Drop::default(); mesh.points.len()];
    for (t, corners) in mesh.triangles.iter().zip(mesh.corners()) {
        drops[piece[t[0] as usize] as usize].add(corners);
    }
    for (i, point) in mesh.points.iter().enumerate() {
        let drop = &mut drops[piece[i] as usize];
        drop.points += 1;
        drop.reach = drop.reach.max(point.distance(drop.center()));
    }
    let round = |i: &u32| drops[piece[*i as usize] as usize].is_round();
    let ball = |(i, drop): (usize, &Drop)| Ball {
        center: drop.center(),
        radius: drop.radius(),
        color: colors.get(i).copied(),
    };
    let balls = drops.iter().enumerate().filter(|(_, drop)| drop.is_round()).map(ball).collect();
    let triangles = mesh.triangles.iter().filter(|t| !round(&t[0])).copied().collect();
    (TriangleMesh { points: mesh.points.clone(), triangles }, balls)
}

/// What a piece of a surface measures.
#[derive(Clone, Copy, Debug, Default)]
struct Drop {
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

impl Drop {
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

    /// Radius of a ball of its volume [m].
    fn radius(&self) -> f32 {
        (self.six_volumes.max(0.0) / (8.0 * std::f32::consts::PI)).cbrt()
    }

    fn is_round(&self) -> bool {
        (4..MOST_OF_A_DROP).contains(&self.points) && self.reach < ROUND * self.radius()
    }
}

fn add_balls(balls: &[Ball], material: u16, set: &mut Set) {
    if let Some(balls) = Balls::new(balls) {
        let body = Body::Balls(Arc::new(balls));
        set.things.push(Thing { body, placement: Placement::ORIGIN, material, drawn: false });
    }
}

fn density_color(share: f32) -> Vec3 {
    let off = ((share - 1.0) / 0.15).clamp(-1.0, 1.0);
    let (thin, even, thick) = (Vec3::new(0.03, 0.12, 0.5), Vec3::splat(0.85), Vec3::new(0.6, 0.04, 0.03));
    if off < 0.0 { even.lerp(thin, -off) } else { even.lerp(thick, off) }
}
