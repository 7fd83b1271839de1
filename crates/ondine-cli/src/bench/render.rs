//! `ondine bench render`: how long a picture takes.

use super::Told;
use super::splash::splash;
use super::stopwatch::timed;
use crate::args;
use crate::error::CliError;
use ondine::scene::{Camera, Object, Preset, Shape};
use ondine::{Frame, Scene};
use ondine_look::{Quality, Renderer, SurfaceOptions, surface};
use serde::Serialize;

/// What `ondine bench` calls it.
pub const NAME: &str = "render";
/// What it is, for people.
pub const ABOUT: &str = "a traced picture of a splash of 20 thousand particles";

/// Particles of the splash.
const COUNT: usize = 20_000;
const SIZE: (u32, u32) = (1280, 720);

/// What was found.
#[derive(Clone, Debug, Serialize)]
struct Found {
    benchmark: &'static str,
    particles: usize,
    triangles: usize,
    width: u32,
    height: u32,
    quality: String,
    surface_s: f64,
    picture_s: f64,
}

/// Measures, best of `repeat` runs.
pub fn run(order: &args::Bench) -> Result<Vec<Told>, CliError> {
    let particles = splash(COUNT);
    let mut water = Preset::Water.liquid();
    water.name = particles.name.clone();
    let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
    let camera = Camera { at: [3.2, 1.9, 3.6], look_at: [1.0, 0.4, 0.5], ..Camera::default() };
    let scene = Scene { liquid: vec![water], object: vec![floor], camera: Some(camera), ..Scene::default() };
    let renderer = Renderer::of(&scene);
    let best =
        |work: &dyn Fn()| (0..order.repeat.max(1)).map(|_| timed(work).1).fold(f64::INFINITY, f64::min);
    let around = || surface(&[&particles], &SurfaceOptions::default());
    let (surface_s, surfaces) = (best(&|| drop(around())), [around()]);
    let mut frame = Frame { index: 0, time: 0.0, particles: Vec::new(), objects: Vec::new() };
    frame.particles.push(particles);
    let triangles = surfaces[0].mesh.triangles.len();
    let qualities = [Quality::Preview, Quality::Draft];
    let found = qualities.into_iter().map(|quality| Found {
        benchmark: NAME,
        particles: frame.particles[0].position.len(),
        triangles,
        width: SIZE.0,
        height: SIZE.1,
        quality: quality.to_string(),
        surface_s,
        picture_s: best(&|| drop(renderer.picture(&frame, &surfaces, SIZE, quality))),
    });
    Ok(found.map(|found| found.told()).collect())
}

impl Found {
    fn told(&self) -> Told {
        let text = format!(
            "{} × {} picture of {} particles, {}: {:.2} s; the surface of {} triangles before it {:.3} s",
            self.width,
            self.height,
            self.particles,
            self.quality,
            self.picture_s,
            self.triangles,
            self.surface_s
        );
        Told::new(text, self)
    }
}
