//! `ondine check`: everything that is wrong with a scene.

use crate::args;
use crate::faults;
use crate::say;
use crate::scene_choice;
use crate::stop::Stop;
use ondine_io::scene_text;

/// Reports every fault of a scene. Errors make the input at fault; warnings do not.
pub fn check(order: &args::Check) -> Result<(), Stop> {
    let source = scene_choice::find(&order.scene)?;
    match scene_text::parse(&source, &order.set) {
        Ok((scene, warnings)) if warnings.is_empty() => say::answer(&format!(
            "{}: no faults. \"{}\", {} frames at {} a second.",
            source.name,
            scene.title,
            scene.frames(),
            scene.fps
        )),
        Ok((_, warnings)) => say::answer(&faults::report(&source, &warnings)),
        Err(all) => {
            say::answer(&faults::report(&source, &all))?;
            Err(Stop::Faulty { name: source.name, errors: faults::errors(&all) })
        }
    }
}
