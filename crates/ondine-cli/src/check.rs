//! `ondine check`: everything that is wrong with a scene.

use crate::args;
use crate::cost::Cost;
use crate::faults;
use crate::say;
use crate::scene_choice;
use crate::stop::Stop;
use ondine::Scene;
use ondine::scene::Liquid;
use ondine_io::scene_text;

/// Share of its viscosity by which a liquid may be too thick without a word.
const TOLD: f32 = 0.1;

/// Reports every fault of a scene. Errors make the input at fault; warnings do not.
pub fn check(order: &args::Check) -> Result<(), Stop> {
    let source = scene_choice::find(&order.scene)?;
    match scene_text::parse(&source, &order.set) {
        Ok((scene, warnings)) => {
            if warnings.is_empty() {
                let (frames, fps) = (scene.frames(), scene.fps);
                let text = format!("no faults. \"{}\", {frames} frames at {fps} a second.", scene.title);
                say::answer(&format!("{}: {text}", source.name))?;
            } else {
                say::answer(&faults::report(&source, &warnings))?;
            }
            let cost = Cost::of(&scene);
            say::answer(&format!("{}: {cost}.", source.name))?;
            tell_viscosities(&scene)?;
            cost.check()
        }
        Err(all) => {
            say::answer(&faults::report(&source, &all))?;
            Err(Stop::Faulty { name: source.name, errors: faults::errors(&all) })
        }
    }
}

/// Tells what liquids too thin for their spacing will act like.
fn tell_viscosities(scene: &Scene) -> Result<(), Stop> {
    let thin = |(liquid, least): &(&Liquid, f32)| {
        liquid.thesis.is_none() && *least > TOLD * liquid.viscosity.linear && *least > 0.0
    };
    for (liquid, least) in scene.liquid.iter().zip(scene.least_viscosities()).filter(thin) {
        say::answer(&format!(
            "liquid.{}: at a spacing of {} m it flows as if it had {:.2} Pa·s, for {} asked; finer is thinner.",
            liquid.name,
            liquid.spacing,
            liquid.viscosity.linear + least,
            liquid.viscosity.linear
        ))?;
    }
    Ok(())
}
