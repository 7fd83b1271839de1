//! A pool that somebody plays with, written down as a scene that does the same again:
//! `cargo run --release -p ondine-examples --bin live_edits`

use ondine::scene::{Fill, Liquid, Motion, Object, Preset, Shape};
use ondine::{Fault, Scene, World};
use ondine_io::scene_text;

fn pool() -> Scene {
    let mut water = Liquid::new("water", Preset::Water);
    water.spacing = 0.05;
    water.fill.push(Fill::new(Shape::Box { size: [0.8, 0.2, 0.4] }, [0.0, 0.1, 0.0]));
    let tank = Object::new("tank", Shape::Container { size: [0.8, 1.0, 0.4], open: true }, [0.0, 0.5, 0.0]);
    Scene { dimension: 3, max_substeps: 8, liquid: vec![water], object: vec![tank], ..Scene::default() }
}

/// What is done before each frame. An edit that cannot be made says where it is wrong, why, and what to do.
fn play(world: &mut World, frame: u32) -> Result<(), Vec<Fault>> {
    match frame {
        0 => {
            let mut duck = Object::new("duck", Shape::Sphere { radius: 0.08 }, [-0.2, 0.4, 0.0]);
            duck.motion = Motion::Free;
            world.add_object(duck)
        }
        5 => world.add_fill("liquid.water", Fill::new(Shape::Sphere { radius: 0.1 }, [0.2, 0.6, 0.0])),
        8 => world.push("duck", [0.2, 0.0, 0.0], None),
        10 => world.grab("duck", [-0.2, 0.25, 0.0]),
        11..16 => world.drag("duck", [0.05 * frame as f32 - 0.7, 0.5, 0.0]),
        16 => world.release("duck"),
        18 => world.set("liquid.water.viscosity.linear", 2.0),
        _ => Ok(()),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(&pool()).map_err(|faults| faults[0].clone())?;
    for frame in 0..24 {
        play(&mut world, frame).map_err(|faults| faults[0].clone())?;
        world.advance()?;
    }
    let faults = world.push("dukc", [1.0, 0.0, 0.0], None).unwrap_err();
    println!("refused: {}", faults[0]);

    let text = scene_text::write(&world.recorded_scene());
    let (scene, _) = scene_text::parse(&scene_text::Source::new("session.toml", text), &[])
        .map_err(|faults| faults[0].fault.clone())?;
    let mut again = World::new(&scene).map_err(|faults| faults[0].clone())?;
    for _ in 0..24 {
        again.advance()?;
    }
    println!("{} edits, hash {:016x}, again {:016x}", world.edits().len(), world.hash(), again.hash());
    Ok(())
}
