//! Liquids, balls and the wire of springs as rays see them: surfaces where there are some, particles where there are none.

use super::droplets::without_droplets;
use super::instance::{Geometry, Instance};
use super::material::{Bsdf, Material, bounded};
use super::mesh::Mesh;
use super::render_scene::SceneParts;
use super::spheres::{Sphere, Spheres};
use crate::coils;
use glam::{IVec3, Vec3};
use ondine::scene::Placement;
use ondine::{Particles, Scene, Surface, SystemKind};
use std::collections::HashSet;
use std::sync::Arc;

/// Radius of a drawn particle over its own: neighbours at rest overlap a little, so a pool reads as one body.
const SWELL: f32 = 1.2;
/// Density, as a fraction of that at rest, below which a particle may be spray.
const SPRAY: f32 = 0.6;
/// Radius of spray over that of a particle.
const DROP: f32 = 0.8;
/// What a surface is like whose colours tell numbers.
const SATIN: Bsdf = Bsdf::Coated { alpha: 0.15, index: 1.4 };

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

/// The liquids and balls of a scene made ready for rays.
#[derive(Clone, Debug)]
pub struct TracedSystems {
    all: Vec<TracedSystem>,
    /// What their colours tell.
    pub coloring: Coloring,
    /// A speed that is brisk [m/s].
    brisk: f32,
}

#[derive(Clone, Debug)]
struct TracedSystem {
    name: String,
    material: Material,
    spacing: f32,
    density: f32,
}

impl TracedSystems {
    /// Those of a scene in which a speed is brisk [m/s].
    pub fn of(scene: &Scene, brisk: f32) -> Self {
        let liquids = scene.liquid.iter().map(|liquid| TracedSystem {
            name: liquid.name.clone(),
            material: Material::of_liquid(liquid),
            spacing: liquid.spacing,
            density: liquid.density,
        });
        let balls = scene.balls.iter().map(|balls| TracedSystem {
            name: balls.name.clone(),
            material: Material::of_balls(balls),
            spacing: 2.0 * balls.radius,
            density: balls.density,
        });
        let coils = scene.spring.iter().map(|spring| TracedSystem {
            name: coils::name(spring),
            material: Material::of_wire(spring.color),
            spacing: 0.0,
            density: 0.0,
        });
        Self { all: liquids.chain(balls).chain(coils).collect(), coloring: Coloring::Material, brisk }
    }

    /// Adds the surfaces of a frame's liquids, and the particles that no surface holds.
    pub fn add(&self, particles: &[Particles], surfaces: &[Surface], parts: &mut SceneParts) {
        for particles in particles {
            let named = self.all.iter().find(|system| system.name == particles.name);
            // Effects are drawn over the picture.
            let Some(system) = named.filter(|_| particles.kind != SystemKind::Effect) else {
                continue;
            };
            let wanted = self.coloring != Coloring::Density;
            let found =
                surfaces.iter().find(|s| wanted && s.name == particles.name && !s.mesh.triangles.is_empty());
            match found {
                Some(surface) => {
                    let number = self.add_surface(system, surface, parts);
                    let spray = self.spray(system, particles, surface);
                    add_spheres(&spray, number, parts);
                }
                None => {
                    let (material, swell) = match particles.kind {
                        SystemKind::Balls => (system.material, 1.0),
                        _ => (system.material.of_particles(), SWELL),
                    };
                    let number = parts.add_material(self.material(material));
                    let all = (0..particles.position.len()).map(|i| self.sphere(system, particles, i, swell));
                    add_spheres(&all.collect::<Vec<_>>(), number, parts);
                }
            }
        }
    }

    /// The material, or one that shows colours as they are.
    fn material(&self, material: Material) -> Material {
        match self.coloring {
            Coloring::Material => material,
            _ => Material { bsdf: SATIN, emission: Default::default(), ..material },
        }
    }

    fn add_surface(&self, system: &TracedSystem, surface: &Surface, parts: &mut SceneParts) -> u16 {
        let number = parts.add_material(self.material(system.material));
        let colors = match self.coloring {
            // What is clear has its colour in its depth.
            Coloring::Material if system.material.is_clear() => Vec::new(),
            Coloring::Material => surface.color.iter().map(|c| bounded(*c).into()).collect(),
            _ => surface.velocity.iter().map(|v| self.speed_color(*v)).collect(),
        };
        let normals = surface.normal.iter().map(|n| Vec3::from(*n)).collect();
        let (rest, droplets) = without_droplets(&surface.mesh, &colors);
        add_spheres(&droplets, number, parts);
        if let Some(mesh) = Mesh::new(&rest, normals, colors) {
            add_geometry(Geometry::Mesh(Arc::new(mesh)), number, parts);
        }
        number
    }

    fn sphere(&self, system: &TracedSystem, particles: &Particles, i: usize, swell: f32) -> Sphere {
        let color = match self.coloring {
            Coloring::Material => None,
            Coloring::Speed => particles.velocity.get(i).map(|v| self.speed_color(*v)),
            Coloring::Density => particles.density.get(i).map(|d| density_color(d / system.density)),
        };
        Sphere { center: particles.position[i].into(), radius: particles.radius_of(i) * swell, color }
    }

    fn speed_color(&self, velocity: [f32; 3]) -> Vec3 {
        let t = (Vec3::from(velocity).length() / self.brisk.max(1e-9)).clamp(0.0, 1.0);
        let (slow, middle, fast) =
            (Vec3::new(0.02, 0.07, 0.35), Vec3::new(0.05, 0.5, 0.75), Vec3::splat(0.95));
        if t < 0.5 { slow.lerp(middle, 2.0 * t) } else { middle.lerp(fast, 2.0 * t - 1.0) }
    }

    /// Particles that fly alone and that the surface has left out.
    fn spray(&self, system: &TracedSystem, particles: &Particles, surface: &Surface) -> Vec<Sphere> {
        // Before the first step densities are not known, and 0.
        let thin = |d: &f32| *d > 0.0 && *d < SPRAY * system.density;
        let sparse = |i: &usize| particles.density.get(*i).is_some_and(thin);
        let sparse: Vec<usize> = (0..particles.position.len()).filter(sparse).collect();
        if sparse.is_empty() {
            return Vec::new();
        }
        let most = IVec3::splat(i32::MAX - 1);
        let cell = |p: Vec3| (p / system.spacing.max(1e-6)).floor().as_ivec3().clamp(-most, most);
        let held: HashSet<IVec3> = surface.mesh.points.iter().map(|p| cell(*p)).collect();
        let alone = |i: &usize| {
            let c = cell(particles.position[*i].into());
            let around = (0..27).map(|k| c + IVec3::new(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1));
            !around.into_iter().any(|c| held.contains(&c))
        };
        let drop = |i: usize| self.sphere(system, particles, i, DROP);
        sparse.into_iter().filter(alone).map(drop).collect()
    }
}

fn add_spheres(spheres: &[Sphere], material: u16, parts: &mut SceneParts) {
    if let Some(spheres) = Spheres::new(spheres) {
        add_geometry(Geometry::Spheres(Arc::new(spheres)), material, parts);
    }
}

fn add_geometry(geometry: Geometry, material: u16, parts: &mut SceneParts) {
    parts.instances.push(Instance { geometry, placement: Placement::ORIGIN, material, camera_only: false });
}

/// The colour of a density, as a fraction of that at rest.
fn density_color(fraction: f32) -> Vec3 {
    let off = ((fraction - 1.0) / 0.15).clamp(-1.0, 1.0);
    let (thin, even, thick) = (Vec3::new(0.03, 0.12, 0.5), Vec3::splat(0.85), Vec3::new(0.6, 0.04, 0.03));
    if off < 0.0 { even.lerp(thin, -off) } else { even.lerp(thick, off) }
}
