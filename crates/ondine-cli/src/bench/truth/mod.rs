//! `ondine bench truth`: laws from books, and what the engine makes of them.
//!
//! Every case is a scene such as a user would write: a stock material, default settings, a box or a floor. It runs until its
//! law has had time to show, and tells the law's number beside the one measured.

mod drops;
mod flow;
mod rest;
mod wetting;

use super::Told;
use crate::args;
use crate::console;
use crate::error::CliError;
use ondine::scene::{Arrangement, Fill, Liquid, Object, Preset, Shape};
use ondine::{Failure, Ledger, Scene, World};
use serde::Serialize;

/// What `ondine bench` calls it.
pub const NAME: &str = "truth";
/// What it is, for people.
pub const ABOUT: &str = "laws from books beside what the engine makes of them; takes some minutes";

/// A law, what it says and what was measured.
#[derive(Clone, Debug, Serialize)]
struct Row {
    benchmark: &'static str,
    /// What is measured, where.
    law: String,
    /// What it should be, or where the error is told as such, 0.
    reference: f64,
    /// What it is.
    measured: f64,
    /// How far from it is still right: a share of the reference, or a limit where that is 0.
    tolerance: f64,
    holds: bool,
}

impl Row {
    /// A quantity with a reference, right within a share of it.
    fn law(law: impl Into<String>, reference: f64, measured: f64, share: f64) -> Self {
        let holds = (measured - reference).abs() <= share * reference.abs();
        Self { benchmark: NAME, law: law.into(), reference, measured, tolerance: share, holds }
    }

    /// Something that should not be, right below a limit.
    fn none(law: impl Into<String>, measured: f64, limit: f64) -> Self {
        let holds = measured.abs() <= limit;
        Self { benchmark: NAME, law: law.into(), reference: 0.0, measured, tolerance: limit, holds }
    }

    /// Something of which there should be so much or more.
    fn at_least(law: impl Into<String>, least: f64, measured: f64) -> Self {
        Self {
            benchmark: NAME,
            law: law.into(),
            reference: least,
            measured,
            tolerance: 0.0,
            holds: measured >= least,
        }
    }

    fn text(&self) -> String {
        let mark = if self.holds { "  " } else { "✗ " };
        let error = match self.reference {
            0.0 => format!("at most {}", self.tolerance),
            _ if self.tolerance == 0.0 => "or more".to_string(),
            reference => format!("{:+.1} %", 100.0 * (self.measured / reference - 1.0)),
        };
        let reference = if self.reference == 0.0 { "0".to_string() } else { number(self.reference) };
        format!("{mark}{:<86} {reference:>9} {:>9}  {error}", self.law, number(self.measured))
    }
}

/// Four digits, however large or small.
fn number(x: f64) -> String {
    match x.abs() {
        a if a >= 100.0 => format!("{x:.0}"),
        a if a >= 1.0 => format!("{x:.2}"),
        _ => format!("{x:.4}"),
    }
}

/// A name, and what measures its laws.
type Case = (&'static str, fn() -> Result<Vec<Row>, Failure>);

const CASES: [Case; 19] = [
    ("pools", rest::pools),
    ("planar-pools", rest::planar_pools),
    ("creep", rest::creep),
    ("cubes", rest::cubes),
    ("balls", rest::balls),
    ("lifted", rest::lifted),
    ("layers", rest::layers),
    ("sloshing", flow::sloshing),
    ("torricelli", flow::torricelli),
    ("films", flow::falling_films),
    ("puddle", flow::puddle),
    ("sinking", flow::sinking),
    ("oscillation", drops::oscillation),
    ("merging", drops::merging),
    ("threads", drops::threads),
    ("breaking", drops::breaking),
    ("dripping", drops::dripping),
    ("puddles", wetting::puddles),
    ("plates", wetting::plates),
];

fn chosen(order: &args::Bench) -> Result<Vec<Case>, CliError> {
    let known = |name: &String| CASES.iter().any(|case| case.0 == name);
    if let Some(name) = order.only.iter().find(|name| !known(name)) {
        let known: Vec<&str> = CASES.iter().map(|case| case.0).collect();
        return Err(CliError::NoSuchBenchmark { name: name.clone(), known: known.join(", ") });
    }
    let is_chosen = |case: &Case| order.only.is_empty() || order.only.iter().any(|name| name == case.0);
    Ok(CASES.into_iter().filter(is_chosen).collect())
}

/// Runs every case that is asked for, telling each as soon as it is known.
pub fn run(order: &args::Bench) -> Result<Vec<Told>, CliError> {
    let cases = chosen(order)?;
    if !order.json {
        console::print(&format!("  {:<86} {:>9} {:>9}", "law", "should be", "is"))?;
    }
    let mut wrong = 0;
    for (_, measure) in cases {
        for row in
            measure().map_err(|failure| CliError::Unmeasured { name: NAME, failure: Box::new(failure) })?
        {
            wrong += usize::from(!row.holds);
            let told = Told::new(row.text(), &row);
            console::print(if order.json { &told.json } else { &told.text })?;
        }
    }
    if !order.json {
        console::print(&format!("{wrong} of the rows above, marked ✗, are outside of what they should be."))?;
    }
    Ok(Vec::new())
}

fn liquid(material: Preset, spacing: f32, fill: Vec<Fill>) -> Liquid {
    Liquid { name: "liquid".into(), spacing, fill, ..material.liquid() }
}

fn block(size: [f32; 3], at: [f32; 3]) -> Fill {
    fill(Shape::Box { size }, at)
}

fn fill(shape: Shape, at: [f32; 3]) -> Fill {
    Fill { shape, at, rotate: [0.0; 3], velocity: [0.0; 3], arrangement: Arrangement::Lattice }
}

/// An open box around the y axis that stands on y = 0.
fn tank(size: [f32; 3]) -> Object {
    Object::new("tank", Shape::Container { size, open: true }, [0.0, 0.5 * size[1], 0.0])
}

fn floor(friction: f32) -> Object {
    Object { friction, ..Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]) }
}

/// What comes to rest must do so by itself: nothing sleeps here.
fn world(scene: Scene) -> World {
    World::new(&Scene { sleep: false, ..scene }).expect("the scenes of this benchmark are sound")
}

/// Advances by so many seconds, with a look after each frame.
fn watch(world: &mut World, seconds: f64, mut look: impl FnMut(&World, f64)) -> Result<(), Failure> {
    let end = world.time() + seconds;
    while world.time() < end - 1e-6 {
        world.advance()?;
        look(world, world.time());
    }
    Ok(())
}

fn rms(ledger: &Ledger, system: usize) -> f64 {
    (2.0 * ledger.systems[system].kinetic_energy / ledger.systems[system].mass).sqrt()
}

/// When a track of (time, value) crosses 0 [s].
fn crossings(track: &[(f64, f64)]) -> Vec<f64> {
    let crosses = |w: &&[(f64, f64)]| w[0].1 * w[1].1 < 0.0;
    let when = |w: &[(f64, f64)]| w[0].0 + (w[1].0 - w[0].0) * w[0].1 / (w[0].1 - w[1].1);
    track.windows(2).filter(crosses).map(when).collect()
}
