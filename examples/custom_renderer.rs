//! A renderer of one's own: a dam that breaks, in letters: `cargo run --release -p ondine-examples --bin custom_renderer`

use ondine::scene::{Fill, Liquid, Object, Preset, Shape};
use ondine::{Scene, World};

const WIDE: usize = 48;
const HIGH: usize = 14;

/// A metre and a fifth of world over the width of the picture. Letters are twice as high as wide.
fn picture(world: &World) -> String {
    let mut counts = [[0u32; WIDE]; HIGH];
    let size = 1.2 / WIDE as f32;
    for [x, y, _] in world.system("liquid.water").into_iter().flat_map(|water| water.position.iter()) {
        let (column, row) = (x / size, y / (2.0 * size));
        if column >= 0.0 && row >= 0.0 && (column as usize) < WIDE && (row as usize) < HIGH {
            counts[HIGH - 1 - row as usize][column as usize] += 1;
        }
    }
    let ink = |n: u32| [' ', '.', 'o', '#'][n.min(3) as usize];
    let lines = counts.iter().map(|row| format!("|{}|\n", row.map(ink).iter().collect::<String>()));
    lines.collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut water = Liquid::new("water", Preset::Water);
    water.spacing = 0.015;
    water.fill.push(Fill::new(Shape::Box { size: [0.36, 0.54, 1.0] }, [0.18, 0.27, 0.0]));
    let tank = Object::new("tank", Shape::Container { size: [1.2, 2.0, 1.0], open: true }, [0.6, 1.0, 0.0]);
    let scene = Scene { dimension: 2, liquid: vec![water], object: vec![tank], ..Scene::default() };
    let mut world = World::new(&scene).map_err(|faults| faults[0].clone())?;
    for _ in 0..4 {
        println!("{:.2} s\n{}", world.time(), picture(&world));
        for _ in 0..4 {
            world.advance()?;
        }
    }
    Ok(())
}
