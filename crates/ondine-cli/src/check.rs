//! `ondine check`: everything that is wrong with a scene.

use crate::args;
use crate::console;
use crate::cost::Cost;
use crate::error::CliError;
use crate::faults;
use crate::scene_choice;
use ondine::scene::Liquid;
use ondine::{Scene, Severity};
use ondine_io::scene_text::{self, Located, Source};
use serde_json::{Value, json};

/// Share of its viscosity by which a liquid may be too thick without a word.
const TOLD: f32 = 0.1;

/// Reports every fault of some scenes. Errors make the input at fault; warnings do not.
pub fn check(order: &args::Check) -> Result<(), CliError> {
    let mut errors = Vec::new();
    for wanted in &order.scenes {
        match check_one(wanted, order) {
            Err(error) if error.status() == 1 => errors.push(error),
            other => other?,
        }
    }
    let (faulty, all) = (errors.len(), order.scenes.len());
    match errors.pop() {
        None => Ok(()),
        Some(only) if all == 1 => Err(only),
        Some(last) => {
            // Those that could not even be read have not been told yet.
            let unread =
                errors.iter().chain([&last]).filter(|error| !matches!(error, CliError::Faulty { .. }));
            unread.for_each(|error| console::eprint(&error.report()));
            Err(CliError::SeveralFaulty { faulty, all })
        }
    }
}

fn check_one(wanted: &str, order: &args::Check) -> Result<(), CliError> {
    let source = scene_choice::find(wanted)?;
    let parsed = scene_text::parse(&source, &order.set);
    if order.json {
        console::print(&json(&source, &parsed).to_string())?;
    }
    match parsed {
        Ok((scene, _)) if order.json => Cost::of(&scene).check(),
        Ok((scene, warnings)) => {
            if warnings.is_empty() {
                let (frames, fps) = (scene.frames(), scene.fps);
                let text = format!("no faults. \"{}\", {frames} frames at {fps} a second.", scene.title);
                console::info(&format!("{}: {text}", source.name))?;
            } else {
                console::print(&faults::report(&source, &warnings))?;
            }
            let cost = Cost::of(&scene);
            console::info(&format!("{}: {cost}.", source.name))?;
            tell_viscosities(&scene)?;
            cost.check()
        }
        Err(all) => {
            if !order.json {
                console::print(&faults::report(&source, &all))?;
            }
            Err(CliError::Faulty { name: source.name, errors: faults::errors(&all) })
        }
    }
}

/// What is right or wrong with a scene, for programs.
fn json(source: &Source, parsed: &Result<(Scene, Vec<Located>), Vec<Located>>) -> Value {
    let (located, scene) = match parsed {
        Ok((scene, warnings)) => (warnings, Some(scene)),
        Err(all) => (all, None),
    };
    let fault = |l: &Located| {
        let severity = if l.fault.severity == Severity::Error { "error" } else { "warning" };
        json!({
            "severity": severity,
            "path": l.fault.path,
            "reason": l.fault.reason,
            "remedy": l.fault.remedy,
            "line": l.line,
            "column": l.column,
        })
    };
    let about = |scene: &Scene| {
        let cost = Cost::of(scene);
        json!({
            "title": scene.title,
            "frames": scene.frames(),
            "fps": scene.fps,
            "particles": cost.most_particles(),
            "bytes": cost.bytes().round(),
            "seconds": cost.seconds(),
        })
    };
    json!({
        "scene": source.name,
        "sound": scene.is_some(),
        "about": scene.map(about),
        "faults": located.iter().map(fault).collect::<Vec<_>>(),
    })
}

/// Tells what liquids too thin for their spacing will act like.
fn tell_viscosities(scene: &Scene) -> Result<(), CliError> {
    let thin = |(liquid, least): &(&Liquid, f32)| {
        liquid.thesis.is_none() && *least > (1.0 + TOLD) * liquid.viscosity.linear
    };
    for (liquid, least) in scene.liquid.iter().zip(scene.least_viscosities()).filter(thin) {
        console::info(&format!(
            "liquid.{}: at a spacing of {} m it flows as if it had {:.2} Pa·s, for {} asked; finer is thinner.",
            liquid.name, liquid.spacing, least, liquid.viscosity.linear
        ))?;
    }
    Ok(())
}
