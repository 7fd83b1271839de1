//! What is measured: a cubic metre of liquid in the corner of a closed box.

use crate::args;
use ondine::Scene;
use ondine::scene::{Arrangement, Fill, LiquidModel, Object, Preset, Shape};

/// Inner sides of the box [m].
const BOX: [f32; 3] = [2.0, 2.0, 1.0];

/// From this many particles along an edge on, a whole second takes minutes.
const LARGE: u32 = 80;

/// Largest cube that is let come to rest: eight seconds of a larger one take minutes.
const SETTLED: u32 = 30;

/// One benchmark.
#[derive(Debug)]
pub struct Case {
    /// What `ondine bench` calls it.
    pub name: &'static str,
    /// What it is, for people.
    pub about: &'static str,
    /// Other names that it is run by, with others.
    pub with: &'static str,
    material: Preset,
    model: LiquidModel,
    sizes: &'static [u32],
    seconds: f64,
    settles: bool,
}

/// The benchmarks.
pub const ALL: &[Case] = &[
    Case {
        name: "liquid",
        about: "a dam breaks: 1 m³ of water falls into a closed box of 2 × 2 × 1 m",
        with: "sph",
        material: Preset::Water,
        model: LiquidModel::Viscoelastic,
        sizes: &[27, 46, 100],
        seconds: 1.0,
        settles: true,
    },
    Case {
        name: "springs",
        about: "the same cube as jelly, held together by springs",
        with: "",
        material: Preset::Jelly,
        model: LiquidModel::Viscoelastic,
        sizes: &[27],
        seconds: 0.1,
        settles: false,
    },
    Case {
        name: "sph",
        about: "the same dam as SPH as first taught; run with the other models, to compare",
        with: "sph",
        material: Preset::Water,
        model: LiquidModel::Sph,
        sizes: &[27, 46],
        seconds: 1.0,
        settles: false,
    },
    Case {
        name: "dfsph",
        about: "the same dam as incompressible SPH",
        with: "sph",
        material: Preset::Water,
        model: LiquidModel::Dfsph,
        sizes: &[27, 46],
        seconds: 1.0,
        settles: false,
    },
];

impl Case {
    /// The sizes asked for, or its own.
    pub fn sizes(&self, order: &args::Bench) -> Vec<u32> {
        if order.size.is_empty() { self.sizes.to_vec() } else { order.size.clone() }
    }

    /// Time to simulate when nobody says [s].
    pub fn seconds(&self, size: u32) -> f64 {
        if size < LARGE { self.seconds } else { self.seconds.min(0.1) }
    }

    /// Whether the pool that it ends as is measured too.
    pub fn settles(&self, size: u32) -> bool {
        self.settles && size <= SETTLED
    }

    /// `size`³ particles on a lattice, in the corner of the box.
    pub fn scene(&self, size: u32) -> Scene {
        let mut liquid = self.material.liquid();
        (liquid.name, liquid.model) = (self.name.into(), self.model);
        liquid.spacing = 1.0 / size as f32;
        liquid.fill.push(Fill {
            shape: Shape::Box { size: [1.0; 3] },
            at: [0.5; 3],
            rotate: [0.0; 3],
            velocity: [0.0; 3],
            arrangement: Arrangement::Lattice,
        });
        let walls = Shape::Container { size: BOX, open: false };
        let walls = Object::new("walls", walls, BOX.map(|side| 0.5 * side));
        Scene { liquid: vec![liquid], object: vec![walls], ..Scene::default() }
    }

    /// Height of the pool that the cube becomes [m].
    pub fn pool_height(&self) -> f64 {
        1.0 / f64::from(BOX[0] * BOX[2])
    }
}
