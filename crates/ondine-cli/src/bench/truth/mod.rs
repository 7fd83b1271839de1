//! `ondine bench truth`: laws from books, and what the engine makes of them.
//!
//! Every case is a scene such as a user would write: a stock material, default settings, a box or a floor. It runs until its
//! law has had time to show, and tells the law's number beside the one measured.

mod rest;
mod flow;
mod drops;

use ondine::scene::{Arrangement, Fill, Liquid, Object, Preset, Shape};
use ondine::{Ledger, Scene, World};

/// A law, what it says and what was measured.
pub struct Row {
    /// What is measured, where.
    pub law: String,
    /// What it should be.
    pub reference: f64,
    /// What it is.
    pub measured: f64,
    /// How far from it is still right: a share of the reference, or a limit where the reference is 0.
    pub tolerance: f64,
}

impl Row {
    fn new(law: impl Into<String>, reference: f64, measured: f64, tolerance: f64) -> Self {
        Self { law: law.into(), reference, measured, tolerance }
    }

    /// Whether it is right.
    pub fn holds(&self) -> bool {
        (self.measured - self.reference).abs() <= self.tolerance * if self.reference == 0.0 { 1.0 } else { self.reference.abs() }
    }
}

/// A case: its name, what it takes (rough seconds), and its measurement.
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// Runs it.
    pub run: fn() -> Vec<Row>,
}

/// Every case.
pub const CASES: &[Case] = &[
    Case { name: "pool", run: rest::pool },
    Case { name: "pool_plane", run: rest::pool_plane },
    Case { name: "creep", run: rest::creep },
    Case { name: "float", run: rest::float },
    Case { name: "lift", run: rest::lift },
    Case { name: "layers", run: rest::layers },
    Case { name: "slosh", run: flow::slosh },
    Case { name: "torricelli", run: flow::torricelli },
    Case { name: "film", run: flow::film },
    Case { name: "shear", run: flow::shear },
    Case { name: "huppert", run: flow::huppert },
    Case { name: "drop", run: drops::oscillation },
    Case { name: "merge", run: drops::merge },
    Case { name: "posts", run: drops::posts },
    Case { name: "thread", run: drops::thread },
];

fn liquid(material: Preset, spacing: f32, fills: Vec<Fill>) -> Liquid {
    Liquid { name: "liquid".into(), spacing, fill: fills, ..material.liquid() }
}

fn block(size: [f32; 3], at: [f32; 3]) -> Fill {
    fill(Shape::Box { size }, at)
}

fn fill(shape: Shape, at: [f32; 3]) -> Fill {
    Fill { shape, at, rotate: [0.0; 3], velocity: [0.0; 3], arrangement: Arrangement::Lattice }
}

/// An open box that stands on y = 0 with its corner at the origin.
fn tank(size: [f32; 3]) -> Object {
    Object::new("tank", Shape::Container { size, open: true }, size.map(|s| 0.5 * s))
}

fn world(scene: Scene) -> World {
    World::new(&scene).unwrap_or_else(|faults| panic!("a sound scene: {faults:?}"))
}

/// Advances by so many seconds, with a look after each frame.
fn run(world: &mut World, seconds: f64, mut look: impl FnMut(&World, f64)) {
    let end = world.time() + seconds;
    while world.time() < end - 1e-6 {
        if let Err(failure) = world.advance() {
            panic!("{failure}");
        }
        let time = world.time();
        look(world, time);
    }
}

fn rms(ledger: &Ledger, n: usize) -> f64 {
    (2.0 * ledger.systems[n].kinetic_energy / ledger.systems[n].mass).sqrt()
}
