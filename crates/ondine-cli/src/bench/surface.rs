//! `ondine bench surface`: how long surfaces take, alone and beside the simulation.

use super::Told;
use super::splash::splash;
use super::stopwatch::timed;
use crate::args;
use crate::error::CliError;
use crate::memory::Count;
use crate::scene_choice;
use ondine::{Particles, World};
use ondine_io::atomic;
use ondine_look::{SurfaceOptions, Surfaces, surface, surface_mesh};
use serde::Serialize;

/// What `ondine bench` calls it.
pub const NAME: &str = "surface";
/// What it is, for people.
pub const ABOUT: &str =
    "surfaces of a splash of 20 thousand to a million particles, and of the scenes `dam_break` and `wave`";

/// Particles of the splashes.
const COUNTS: [usize; 3] = [20_000, 100_000, 1_000_000];
/// Side of a cell of the finely meshed splashes, in spacings: half a particle's radius.
const CELL: f32 = 0.25;
/// How often they are smoothed.
const SMOOTHING: u32 = 25;
/// The scenes that are simulated, too: about 20 thousand particles each.
const SCENES: [&str; 2] = ["dam_break", "wave"];

/// The surface of a splash.
#[derive(Clone, Debug, Serialize)]
struct Splash {
    benchmark: &'static str,
    particles: usize,
    /// Between particles [m].
    spacing: f32,
    triangles: usize,
    /// Just eq 7.1 and marching cubes [s].
    plain_s: f64,
    /// Particles weighed, mesh smoothed, with normals, velocities and colours [s].
    whole_s: f64,
    /// The same with cells twice as wide, as pictures are made [s].
    default_s: f64,
    /// Most memory beside the particles while the plain one is made [B].
    plain_bytes: u64,
    /// The same for the whole [B].
    bytes: u64,
}

/// Surfaces beside a simulation.
#[derive(Clone, Debug, Serialize)]
struct Beside {
    benchmark: &'static str,
    scene: &'static str,
    particles: usize,
    frames: u32,
    /// Mean time for a frame [s].
    simulation_s: f64,
    surface_s: f64,
    surface_share: f64,
    /// Frames a second, simulated and with a surface.
    fps: f64,
}

/// Measures, best of `repeat` runs.
pub fn run(order: &args::Bench) -> Result<Vec<Told>, CliError> {
    let asked: Vec<usize> = order.size.iter().map(|size| (*size as usize).pow(3)).collect();
    let counts = if asked.is_empty() { COUNTS.to_vec() } else { asked.clone() };
    let mut told = Vec::new();
    for count in counts {
        let particles = splash(count);
        if let Some(path) = &order.particles {
            let bytes: Vec<u8> =
                particles.position.as_flattened().iter().flat_map(|c| c.to_le_bytes()).collect();
            let written = atomic::write(path, |out| out.write_all(&bytes));
            written.map_err(|source| CliError::Unmade { path: path.clone(), source })?;
        }
        told.push(of_splash(&particles, order.repeat).told());
    }
    if asked.is_empty() {
        for scene in SCENES {
            told.push(beside_simulation(scene)?.told());
        }
    }
    Ok(told)
}

fn of_splash(particles: &Particles, repeat: u32) -> Splash {
    let plain = SurfaceOptions { cell: CELL, ..SurfaceOptions::plain(0.6) };
    let whole = SurfaceOptions { cell: CELL, smoothing: SMOOTHING, ..SurfaceOptions::default() };
    let best =
        |work: &dyn Fn() -> usize| (0..repeat.max(1)).map(|_| timed(work).1).fold(f64::INFINITY, f64::min);
    let plain_s = best(&|| surface_mesh(&[particles], &plain).triangles.len());
    let whole_s = best(&|| surface(&[particles], &whole).mesh.triangles.len());
    let default_s = best(&|| surface(&[particles], &SurfaceOptions::default()).mesh.triangles.len());
    let memory = Count::begin();
    let (plain_bytes, _) = memory.peak_of(|| surface_mesh(&[particles], &plain));
    let (bytes, made) = memory.peak_of(|| surface(&[particles], &whole));
    drop(memory);
    let triangles = made.mesh.triangles.len();
    Splash {
        benchmark: NAME,
        particles: particles.position.len(),
        spacing: 2.0 * particles.radius,
        triangles,
        plain_s,
        whole_s,
        default_s,
        plain_bytes,
        bytes,
    }
}

/// The whole scene, each frame with its surface.
fn beside_simulation(name: &'static str) -> Result<Beside, CliError> {
    let scene = scene_choice::understand(&scene_choice::find(name)?, &[])?;
    let mut world = World::new(&scene).map_err(|faults| scene_choice::refused(&scene, faults))?;
    let around = Surfaces::of(&scene, SurfaceOptions::default());
    let (mut simulation, mut surfaces, mut particles) = (0.0, 0.0, 0);
    for _ in 0..scene.frames() {
        let (advanced, seconds) = timed(|| world.advance());
        advanced.map_err(|failure| CliError::Unmeasured { name: NAME, failure: Box::new(failure) })?;
        simulation += seconds;
        let frame = world.frame();
        particles = frame.particles.iter().map(|system| system.position.len()).sum();
        surfaces += timed(|| around.in_frame(&frame)).1;
    }
    let frames = scene.frames();
    let each = |seconds: f64| seconds / f64::from(frames);
    Ok(Beside {
        benchmark: NAME,
        scene: name,
        particles,
        frames,
        simulation_s: each(simulation),
        surface_s: each(surfaces),
        surface_share: surfaces / (simulation + surfaces),
        fps: 1.0 / each(simulation + surfaces),
    })
}

impl Splash {
    fn told(&self) -> Told {
        let text = format!(
            "splash of {} particles: plain surface {:.3} s; weighed, smoothed {SMOOTHING} times, with normals and \
             velocities {:.3} s, {} triangles, {:.0} MB; with the default cells {:.3} s",
            self.particles,
            self.plain_s,
            self.whole_s,
            self.triangles,
            self.bytes as f64 / 1e6,
            self.default_s
        );
        Told::new(text, self)
    }
}

impl Beside {
    fn told(&self) -> Told {
        let text = format!(
            "scene `{}`, {} particles, {} frames: simulation {:.1} ms and surface {:.1} ms a frame ({:.0} % of both): \
             {:.1} frames a second",
            self.scene,
            self.particles,
            self.frames,
            1e3 * self.simulation_s,
            1e3 * self.surface_s,
            1e2 * self.surface_share,
            self.fps
        );
        Told::new(text, self)
    }
}
