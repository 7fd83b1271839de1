//! A scene in code, half a second of it, and where its particles are: `cargo run --release -p ondine-examples --bin embed`

use ondine::scene::{Fill, Liquid, Object, Preset, Shape};
use ondine::{Scene, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut honey = Liquid::new("honey", Preset::Honey);
    honey.spacing = 0.03;
    honey.fill.push(Fill::new(Shape::Sphere { radius: 0.15 }, [0.0, 0.5, 0.0]));
    let floor = Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]);
    let scene = Scene { liquid: vec![honey], object: vec![floor], ..Scene::default() };

    // All that is wrong with a scene is told at once.
    let mut world = World::new(&scene).map_err(|faults| faults[0].clone())?;
    for _ in 0..5 {
        for _ in 0..3 {
            world.advance()?;
        }
        // Borrowed, not copied: one slice an axis.
        let honey = world.system("liquid.honey").ok_or("no honey")?;
        let count = honey.position.y.len() as f32;
        let height = honey.position.y.iter().sum::<f32>() / count;
        let falls = honey.velocity.y.iter().sum::<f32>() / count;
        println!("{:.1} s: {count} particles, {height:.3} m high, at {falls:+.2} m/s", world.time());
    }
    Ok(())
}
