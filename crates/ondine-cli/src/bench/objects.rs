//! `ondine bench objects`: how long distance fields take to build and to ask, and what contact costs beside the liquid.

use super::Told;
use super::stopwatch::{Shares, Stopwatch, timed};
use crate::args;
use crate::error::CliError;
use crate::scene_choice;
use ondine::objects::{DistanceField, FieldOptions, TriangleMesh, polygonize};
use ondine::{Phase, World};
use serde::Serialize;
use std::hint::black_box;

/// What `ondine bench` calls it, and what it is.
pub const NAME: &str = "objects";
/// What it is, for people.
pub const ABOUT: &str =
    "a distance field of 100 thousand triangles, and the contact cost of the scene `pour`";

/// Half the side of the box around the ball [m].
const HALF: f32 = 1.2;
/// Cell of its mesh [m]: some hundred thousand triangles.
const CELL: f32 = 0.0186;
/// Points asked of the field.
const QUERIES: usize = 400_000;

/// What was found.
#[derive(Clone, Debug, Serialize)]
struct Found {
    benchmark: &'static str,
    triangles: usize,
    /// Best time to build the field [s].
    build_s: f64,
    /// Memory of the field [B].
    field_bytes: usize,
    /// Time for a distance and a normal near the surface [ns].
    ns_per_query: f64,
    scene: &'static str,
    particles: u64,
    /// Steps taken.
    steps: u64,
    shares: Shares,
    /// Time of contact for one particle in one step [ns].
    contact_ns: f64,
    /// Time of all the rest [ns].
    liquid_ns: f64,
    /// Time of contact over that of the rest of the step.
    contact_over_liquid: f64,
    leaks: u64,
}

/// Measures, best of `repeat` runs.
pub fn run(order: &args::Bench) -> Result<Vec<Told>, CliError> {
    let repeat = order.repeat;
    let mesh = bumpy_ball();
    let built = (0..repeat.max(1)).map(|_| timed(|| build(&mesh))).collect::<Vec<_>>();
    let build_s = built.iter().map(|(_, s)| *s).fold(f64::INFINITY, f64::min);
    let field = built.into_iter().find_map(|(field, _)| field);
    let (field_bytes, ns_per_query) = field.map_or((0, 0.0), |field| (field.memory(), query(&field)));
    let pour = (0..repeat.max(1)).map(|_| pour()).collect::<Result<Vec<_>, _>>()?;
    let pour = pour.into_iter().min_by(|a, b| a.wall.total_cmp(&b.wall)).unwrap_or_default();
    let found = Found {
        benchmark: NAME,
        triangles: mesh.triangles.len(),
        build_s,
        field_bytes,
        ns_per_query,
        scene: SCENE,
        particles: pour.particles,
        steps: pour.steps,
        shares: pour.shares,
        contact_ns: pour.shares.contact * pour.ns_per_particle_step(),
        liquid_ns: (1.0 - pour.shares.contact) * pour.ns_per_particle_step(),
        contact_over_liquid: pour.shares.contact / (1.0 - pour.shares.contact).max(f64::MIN_POSITIVE),
        leaks: pour.leaks,
    };
    Ok(vec![Told::new(found.text(), &found)])
}

impl Found {
    /// As people read it.
    fn text(&self) -> String {
        format!(
            "distance field of {} triangles: built in {:.2} s, {:.1} MB, {:.0} ns for a distance and a normal near the surface\n\
             scene `{}`, {} particles, {} steps: contact takes {:.0} ns a particle-step, the liquid {:.0} ns: {:.0} % of it; leaks {}",
            self.triangles,
            self.build_s,
            self.field_bytes as f64 / 1e6,
            self.ns_per_query,
            self.scene,
            self.particles,
            self.steps,
            self.contact_ns,
            self.liquid_ns,
            100.0 * self.contact_over_liquid,
            self.leaks
        )
    }
}

/// A ball of radius 1 with bumps.
fn bumpy_ball() -> TriangleMesh {
    let bumps = |p: glam::Vec3| (9.0 * p.x).sin() * (7.0 * p.y).sin() * (8.0 * p.z).sin();
    let distance = |p: glam::Vec3| 0.6 * (p.length() - 1.0 + 0.05 * bumps(p));
    polygonize(&distance, glam::Vec3::splat(-HALF), glam::Vec3::splat(HALF), CELL)
}

fn build(mesh: &TriangleMesh) -> Option<DistanceField> {
    DistanceField::build(mesh, FieldOptions::default()).ok()
}

/// Time of a query [ns]: points on spirals, near the surface as particles are, one after the other as neighbours are.
fn query(field: &DistanceField) -> f64 {
    let point = |i: usize| {
        let (angle, height) = (0.01 * i as f32, 2.0 * i as f32 / QUERIES as f32 - 1.0);
        let (radius, across) = (1.0 + 0.04 * (0.7 * i as f32).sin(), (1.0 - height * height).sqrt());
        radius * glam::Vec3::new(across * angle.cos(), height, across * angle.sin())
    };
    let points: Vec<_> = (0..QUERIES).map(point).collect();
    let (_, seconds) = timed(|| points.iter().map(|p| black_box(field.nearest(*p)).distance).sum::<f32>());
    1e9 * seconds / QUERIES as f64
}

const SCENE: &str = "pour";

#[derive(Default)]
struct Pour {
    particles: u64,
    steps: u64,
    particle_steps: u64,
    wall: f64,
    shares: Shares,
    leaks: u64,
}

impl Pour {
    fn ns_per_particle_step(&self) -> f64 {
        1e9 * self.wall / self.particle_steps.max(1) as f64
    }
}

/// The whole pouring scene.
fn pour() -> Result<Pour, CliError> {
    let scene = scene_choice::understand(&scene_choice::find(SCENE)?, &[])?;
    let mut world = World::new(&scene).map_err(|faults| scene_choice::refused(&scene, faults))?;
    let (watch, mut steps, mut particle_steps) = (Stopwatch::new(), 0, 0);
    for _ in 0..scene.frames() {
        watch.resume();
        let advanced = world.advance_watched(&|phase| watch.begin(phase));
        watch.begin(Phase::Other);
        advanced.map_err(|failure| CliError::Unmeasured { name: NAME, failure: Box::new(failure) })?;
        let ledger = world.ledger();
        steps += u64::from(ledger.substeps);
        particle_steps +=
            u64::from(ledger.substeps) * ledger.systems.iter().map(|s| s.particles).sum::<u64>();
    }
    let system = world.ledger().systems.into_iter().next().unwrap_or_default();
    let (particles, leaks) = (system.particles, system.leaks);
    let (wall, shares) = (watch.total().as_secs_f64(), watch.shares());
    Ok(Pour { particles, steps, particle_steps, wall, shares, leaks })
}
