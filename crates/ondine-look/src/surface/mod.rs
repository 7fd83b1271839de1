//! The surface of a liquid: a closed mesh around its particles.
//!
//! Source: thesis 000 §7.2. Each particle adds (1 − r/h)² around itself, the square root of the sum is φ (eq 7.1), and
//! the surface is where φ passes a level, found by marching cubes on a lattice whose cells do not depend on h.
//!
//! | step | file |
//! |---|---|
//! | show what comes next from nozzles, and what walls mirror | `nozzles`, `images` |
//! | sort the particles by the cube they stand in | `cells` |
//! | weigh them, and choose the blocks of the lattice to look at | `neighbour_sum`, `field` |
//! | sum eq 7.1 at the nodes of a block | `samples` |
//! | walk its cells | `patch` |
//! | give the points direction, velocity and colour | `attributes` |
//! | number all points through | `stitch` |
//! | take the bumps of single particles off | `smooth` |
//! | give it the volume of its particles | `volume` |
//! | lay what is behind a wall against it, and press what faces one into it | `walls` |
//!
//! Differs from the source: lattice blocks are sorted rather than hashed, those deep in the liquid are skipped, and by
//! default particles are weighed ([`SurfaceOptions::even`]) and the mesh is smoothed. Blocks are worked on by any number
//! of threads and put together in their order: the same bits always.

mod attributes;
mod cells;
mod field;
mod images;
mod neighbour_sum;
mod nozzles;
mod patch;
mod samples;
mod smooth;
mod stitch;
#[cfg(test)]
mod tests;
mod volume;
mod walls;

use attributes::VertexAttributes;
use field::Field;
use glam::Vec3;
use nozzles::Nozzle;
use ondine::objects::{Collider, TriangleMesh};
use ondine::scene::Liquid;
use ondine::{Frame, Particles, Scene, Surface, SystemKind};
use walls::ObjectShapes;

/// How a surface is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceOptions {
    /// Reach h of a particle, in spacings: larger is smoother and loses thin parts. Default 2.
    pub support: f32,
    /// Side of a cell of the lattice, in spacings. Default 0.65.
    pub cell: f32,
    /// Value of φ at the surface, between 0 and 1. Default: the one at which drops have the volume of their particles.
    pub level: f32,
    /// Whether crowded particles count less, such that φ is 1 in a pool as at a lone particle. Without it φ is just
    /// eq 7.1, and the right level depends on how many particles meet. Default true.
    pub even: bool,
    /// How often the mesh is smoothed. Default 5.
    pub smoothing: u32,
    /// Whether the mesh is moved a little, such that it holds the volume of the particles at rest. Default true.
    pub volume: bool,
}

impl Default for SurfaceOptions {
    fn default() -> Self {
        Self { support: 2.0, cell: 0.65, level: 0.75, even: true, smoothing: 5, volume: true }
    }
}

impl SurfaceOptions {
    /// Just eq 7.1 and marching cubes, at a level.
    pub fn plain(level: f32) -> Self {
        Self { level, even: false, smoothing: 0, volume: false, ..Self::default() }
    }
}

/// The surfaces of a scene's liquids, frame by frame.
#[derive(Clone, Debug)]
pub struct Surfaces {
    objects: ObjectShapes,
    /// Of each liquid.
    nozzles: Vec<(String, Vec<Nozzle>)>,
    options: SurfaceOptions,
}

impl Surfaces {
    /// For a scene as it was written.
    pub fn of(scene: &Scene, options: SurfaceOptions) -> Self {
        let nozzles =
            |liquid: &Liquid| (liquid.name.clone(), liquid.emitter.iter().filter_map(Nozzle::new).collect());
        Self {
            objects: ObjectShapes::of(scene),
            nozzles: scene.liquid.iter().map(nozzles).collect(),
            options,
        }
    }

    /// The surface of each liquid of a frame, in their order, laid to the objects that it touches. Other systems have none.
    pub fn in_frame(&self, frame: &Frame) -> Vec<Surface> {
        let colliders = self.objects.in_frame(frame);
        let liquids = frame.particles.iter().filter(|particles| particles.kind == SystemKind::Liquid);
        liquids.map(|particles| self.of_liquid(particles, frame.time, &colliders)).collect()
    }

    fn of_liquid(&self, particles: &Particles, time: f64, colliders: &[Collider]) -> Surface {
        let spacing = 2.0 * particles.radius;
        let nozzles = self.nozzles.iter().find(|(name, _)| *name == particles.name);
        let open = nozzles.map_or(&[][..], |(_, nozzles)| nozzles).iter();
        let open: Vec<_> = open.map(|nozzle| (nozzle, nozzle.coming(particles, time))).collect();
        let coming: Vec<(u32, Vec3)> = open.iter().flat_map(|(_, coming)| coming).copied().collect();
        let all = images::with_more(particles, &coming);
        let mirrored = images::images(&all, colliders);
        let mut surface = surface(&[&images::with_more(&all, &mirrored)], &self.options);
        for (nozzle, _) in open.iter().filter(|(_, coming)| !coming.is_empty()) {
            nozzle.cut(&mut surface, spacing);
        }
        walls::press(&mut surface, colliders, spacing);
        surface
    }
}

/// The surface around all particles of some systems, as if they were one liquid; each point has the colour and the
/// velocity of the particles around it. The first system gives its name.
pub fn surface(systems: &[&Particles], options: &SurfaceOptions) -> Surface {
    let name = systems.first().map(|first| first.name.clone()).unwrap_or_default();
    let Some(spacing) = spacing(systems) else { return Surface { name, ..Surface::default() } };
    let pieces = Field::new(systems, spacing, options).pieces(true);
    let (mut mesh, mut attributes) = stitch::stitch(pieces);
    smooth::smooth(&mut mesh, &mut attributes, options.smoothing);
    if options.volume {
        volume::hold(&mut mesh, &attributes, rest_volume(systems), spacing);
    }
    let each = |what: fn(&VertexAttributes) -> [f32; 3]| attributes.iter().map(what).collect();
    Surface {
        name,
        normal: each(|a| a.normal.into()),
        velocity: each(|a| a.velocity.into()),
        color: each(|a| a.color.into()),
        mesh,
    }
}

/// The bare mesh of the same surface before smoothing: points and triangles, no attributes.
pub fn surface_mesh(systems: &[&Particles], options: &SurfaceOptions) -> TriangleMesh {
    let Some(spacing) = spacing(systems) else { return TriangleMesh::default() };
    stitch::stitch(Field::new(systems, spacing, options).pieces(false)).0
}

/// Volume of all particles at rest [m³]: a cube of one spacing each.
fn rest_volume(systems: &[&Particles]) -> f64 {
    systems.iter().map(|system| system.position.len() as f64 * f64::from(2.0 * system.radius).powi(3)).sum()
}

/// Distance between particles at rest [m]: of the coarsest system.
fn spacing(systems: &[&Particles]) -> Option<f32> {
    let spacing = systems.iter().map(|system| 2.0 * system.radius).fold(0.0, f32::max);
    (spacing > 0.0 && spacing.is_finite()).then_some(spacing)
}
