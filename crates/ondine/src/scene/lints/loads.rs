//! What liquids must withstand and what they cost, from their fills and emitters alone.

use super::Part;
use crate::liquid::load::{Columns, Load, stack};
use crate::liquid::material::{Packing, cohesion};
use crate::liquid::plan::wanted_steps;
use crate::liquid::sources;
use crate::scene::checks::Addresses;
use crate::scene::checks::amounts::{drops_per_second, per_second};
use crate::scene::{Drops, Emitter, Liquid, Scene};
use glam::Vec3;

/// What a scene takes to run, about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Particles at the start.
    pub particles: f64,
    /// Most particles at any time.
    pub most_particles: f64,
    /// Steps of the first frames, each.
    pub steps: u32,
}

/// What a scene without errors takes to run.
pub fn estimate(scene: &Scene, addresses: &Addresses) -> Estimate {
    let parts = Part::all(scene, addresses);
    let loads = loads(scene, &parts);
    let wanted = scene.liquid.iter().zip(&loads).map(|(liquid, load)| steps(scene, liquid, *load));
    let steps = wanted.max().unwrap_or(1).min(scene.max_substeps);
    let particles = (parts.iter().map(|part| part.count)).sum();
    let emitted: f64 = scene.liquid.iter().map(|liquid| emitted(scene, liquid)).sum();
    Estimate { particles, most_particles: particles + emitted, steps }
}

/// How long what is emitted stays, where something takes it away [s]: a guess.
const STAYS: f32 = 3.0;

/// Particles that come out of a liquid's emitters and are there at once.
fn emitted(scene: &Scene, liquid: &Liquid) -> f64 {
    let is_taken = !scene.drain.is_empty() || scene.kill_box.is_some();
    let stays = liquid.lifetime.unwrap_or(f32::INFINITY).min(if is_taken { STAYS } else { f32::INFINITY });
    let of_emitter = |emitter: &Emitter| {
        let end = emitter.stop.unwrap_or(f32::INFINITY).min(scene.duration);
        let open = (end - emitter.start).clamp(0.0, stays);
        open as f64
            * per_second(liquid, emitter, Vec3::from(emitter.velocity).length() as f64, scene.planar())
    };
    let of_drops = |drops: &Drops| {
        let end = drops.stop.unwrap_or(f32::INFINITY).min(scene.duration);
        let open = (end - drops.start).clamp(0.0, stays);
        open as f64 * drops_per_second(liquid, drops, scene.planar())
    };
    liquid.emitter.iter().map(of_emitter).sum::<f64>() + liquid.drops.iter().map(of_drops).sum::<f64>()
}

/// Steps that a liquid under a load needs for a frame.
pub fn steps(scene: &Scene, liquid: &Liquid, load: Load) -> u32 {
    let packing = Packing::of(liquid.support_in(scene.planar()), scene.planar());
    wanted_steps(liquid, &packing, load, 1.0 / scene.fps)
}

/// The load of each liquid in the first frame.
pub fn loads(scene: &Scene, parts: &[Part]) -> Vec<Load> {
    let load = |(n, liquid): (usize, &Liquid)| {
        let own: Vec<&Part> = parts.iter().filter(|part| part.liquid == n).collect();
        alone(scene, liquid, &own)
    };
    let mut loads: Vec<Load> = scene.liquid.iter().enumerate().map(load).collect();
    let densities: Vec<f32> = scene.liquid.iter().map(|liquid| liquid.density).collect();
    stack(&mut loads, &densities);
    loads
}

/// The load of a liquid without those above it.
fn alone(scene: &Scene, liquid: &Liquid, parts: &[&Part]) -> Load {
    let gravity = Vec3::from(scene.gravity);
    let (g, down) = (gravity.length(), gravity.normalize_or(Vec3::NEG_Y));
    let moving = liquid.fill.iter().map(|f| f.velocity).chain(liquid.emitter.iter().map(|e| e.velocity));
    let dropped = liquid.drops.iter().map(|d| d.fastest());
    let moving = moving.map(|v| Vec3::from(v).length()).chain(dropped);
    let fastest = moving.fold(0.0, f32::max) + g / scene.fps;
    let depth = depth(parts, down, liquid.spacing, scene.planar());
    let packing = Packing::of(liquid.support_in(scene.planar()), scene.planar());
    let fallen: f64 = parts.iter().map(|part| part.count * part.centre().dot(down) as f64).sum();
    let count: f64 = parts.iter().map(|part| part.count).sum();
    Load {
        head: 0.5 * g * depth,
        gravity: g,
        cohesion: cohesion(liquid, &packing) / liquid.density,
        depth,
        speed: fastest,
        impact: fastest,
        weight: liquid.density * g * depth,
        centre: (fallen / count.max(1.0)) as f32,
    }
}

/// Points by which the depth of a liquid is measured, about.
const MEASURED: f64 = 20_000.0;

/// How much liquid is above and below a particle, on the average [m], as the engine measures it; of large fills, on a coarser lattice.
fn depth(parts: &[&Part], down: Vec3, spacing: f32, planar: bool) -> f32 {
    let count: f64 = parts.iter().map(|part| part.count).sum();
    let coarser =
        libm::pow((count / MEASURED).max(1.0), if planar { 0.5 } else { 1.0 / 3.0 }) as f32 * spacing;
    let columns = Columns::along(down, coarser);
    let lattice = |part: &&Part| {
        sources::sample(part.room.sdf(), part.room.placement, coarser, planar, 4 * MEASURED as usize)
    };
    columns.mean(parts.iter().flat_map(lattice)) * coarser
}

impl Part {
    /// Its centre of mass [m].
    fn centre(&self) -> Vec3 {
        self.points.iter().sum::<Vec3>() / self.points.len().max(1) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::World;
    use crate::scene::{Arrangement, Fill, Object, Preset, Shape};

    /// What is guessed from a sample of a fill is what the engine finds when it has all particles.
    #[test]
    fn the_guess_is_what_the_engine_finds() {
        let fill = |shape, at| Fill {
            shape,
            at,
            rotate: [0.0; 3],
            velocity: [0.0; 3],
            arrangement: Arrangement::Lattice,
        };
        let boxes = |size: [f32; 3]| fill(Shape::Box { size }, [0.0, 0.5 * size[1], 0.0]);
        let ball = fill(Shape::Sphere { radius: 0.3 }, [0.0, 1.0, 0.0]);
        for (fills, spacing) in [
            (vec![boxes([1.0, 0.5, 0.6])], 0.02),
            (vec![boxes([1.0, 0.5, 0.6])], 0.01),
            (vec![boxes([0.5, 0.2, 0.5]), ball], 0.02),
        ] {
            let mut liquid = Preset::Water.liquid();
            (liquid.name, liquid.spacing, liquid.fill) = ("water".into(), spacing, fills);
            let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
            let scene = Scene { liquid: vec![liquid], object: vec![floor], ..Scene::default() };
            let guess = estimate(&scene, &Addresses::of(&scene));
            let mut world = World::new(&scene).expect("a scene without errors");
            let particles = world.ledger().systems[0].particles as f64;
            assert!((guess.particles / particles - 1.0).abs() < 0.03, "{guess:?} for {particles}");
            world.advance().expect("it goes on");
            let steps = world.ledger().substeps;
            assert!(guess.steps.abs_diff(steps) <= 1 + steps / 15, "{guess:?} for {steps} steps");
        }
    }
}
