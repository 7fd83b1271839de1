//! A game at a fixed step: the world advances by whole frames of 1/60 s, however long the screen's frames are, and what is drawn lies
//! between two of them. `cargo run --release -p ondine-examples --bin game_loop`

use ondine::scene::{Fill, Liquid, Motion, Object, Preset, Shape};
use ondine::{Scene, World};

/// The step of the game [s]: the scene's frame.
const STEP: f64 = 1.0 / 60.0;

fn level() -> Scene {
    let mut puddle = Liquid::new("puddle", Preset::Water);
    puddle.spacing = 0.05;
    puddle.fill.push(Fill::new(Shape::Box { size: [1.0, 0.15, 1.0] }, [1.5, 0.075, 0.0]));
    let room = Object::new("room", Shape::Container { size: [4.0, 2.0, 1.0], open: true }, [0.0, 1.0, 0.0]);
    let mut hero = Object::new("hero", Shape::Sphere { radius: 0.15 }, [-1.0, 0.15, 0.0]);
    hero.motion = Motion::Free;
    Scene { fps: 60.0, dimension: 2, liquid: vec![puddle], object: vec![room, hero], ..Scene::default() }
}

/// The player's button: the hero jumps if there is ground below.
fn jump(world: &mut World) -> Result<(), Box<dyn std::error::Error>> {
    let hero = world.object("hero").ok_or("no hero")?;
    let below = [hero.at[0] as f32, hero.at[1] as f32 - 0.16, 0.0];
    if world.cast_ray(below, [0.0, -1.0, 0.0], 0.05).is_some_and(|hit| hit.object == "room") {
        let up = 3.0 * hero.mass as f32;
        world.push("hero", [0.8 * up, up, 0.0], None).map_err(|faults| faults[0].clone())?;
        println!("{:.2} s: jump", world.time());
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(&level()).map_err(|faults| faults[0].clone())?;
    let place = |world: &World| world.object("hero").map_or([0.0; 3], |hero| hero.at);
    let (mut before, mut left, mut splashed) = (place(&world), 0.0, false);
    // The lengths of the screen's frames [s], as a clock would give them.
    for elapsed in [0.016, 0.021, 0.012, 0.033, 0.05].into_iter().cycle().take(75) {
        jump(&mut world)?;
        left += elapsed;
        while left >= STEP {
            before = place(&world);
            // What goes wrong leaves the game as it was.
            if let Err(failure) = world.advance_or_keep() {
                println!("{failure}");
                world.withdraw_edits();
                break;
            }
            left -= STEP;
        }
        let (now, part) = (place(&world), (left / STEP).min(1.0));
        let drawn = [0, 1].map(|c| before[c] + part * (now[c] - before[c]));
        let pushed = world.object("hero").is_some_and(|hero| hero.force != [0.0; 3]);
        if pushed && !splashed {
            println!("{:.2} s: splash at {:.2} {:.2}", world.time(), drawn[0], drawn[1]);
            splashed = true;
        }
    }
    println!("the hero is at {:.2?} after {} frames of {STEP:.4} s", place(&world), world.frame_index());
    Ok(())
}
