//! `ondine render`: pictures of a bake.

use super::{again, make_folder, surface_note, surface_options, through, unsaved};
use crate::args::{self, Color, Look};
use crate::baked::Baked;
use crate::interrupt;
use crate::say;
use crate::stop::Stop;
use crate::threads;
use ondine_io::{scene_text, whole};
use ondine_look::{Coloring, Picture, Quality, Studio, Surfaces};
use std::fs::File;
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// Makes the pictures that are ordered.
pub fn render(order: &args::Render) -> Result<(), Stop> {
    threads::start(order.of.threads)?;
    let baked = Baked::seen_otherwise(&order.of.folder, &order.set)?;
    let range = baked.range(order.of.frames)?;
    interrupt::watch()?;
    let count = range.clone().count() as u32;
    let made = make(&baked, range, &order.look, &again("render", &order.of.folder))?;
    let place = baked.folder.pictures();
    say::outcome(&format!(
        "Made {made} pictures, {} were there.\n\n  pictures   {}",
        count - made,
        place.display()
    ))
}

/// Makes the pictures of a range that are not there yet. Returns how many it made.
pub fn make(baked: &Baked, range: RangeInclusive<u32>, look: &Look, again: &str) -> Result<u32, Stop> {
    make_folder(baked.folder.pictures())?;
    let studio = Studio::of(&baked.scene).colored(match look.color {
        Color::Material => Coloring::Material,
        Color::Speed => Coloring::Speed,
        Color::Density => Coloring::Density,
    });
    let options = surface_options(&look.surface);
    let surfaces = shows_surfaces(look, baked).then(|| Surfaces::of(&baked.scene, options));
    let note = note(look, baked);
    let picture = |index: u32| {
        let path = baked.folder.picture(index);
        if is_made(&path, &note) {
            return Ok(None);
        }
        let frame = baked.frame(index)?;
        let surfaces = surfaces.as_ref().map(|surfaces| surfaces.in_frame(&frame)).unwrap_or_default();
        let picture = studio.picture(&frame, &surfaces, (look.size.width, look.size.height), look.quality);
        whole::write(&path, |out| picture.encode_png(out, &note)).map_err(unsaved(path))?;
        Ok(Some(load(&surfaces)))
    };
    let last = *range.end();
    let mut ahead = None;
    through("render", range, again, |index| match ahead.take() {
        Some(made) => made,
        // Two at once: while one has work for one thread only, the other goes on.
        None if index < last => {
            let (made, next) = rayon::join(|| picture(index), || picture(index + 1));
            ahead = Some(next);
            made
        }
        None => picture(index),
    })
}

fn load(surfaces: &[ondine::Surface]) -> String {
    let triangles: usize = surfaces.iter().map(|surface| surface.mesh.triangles.len()).sum();
    if triangles > 0 { format!("{triangles} triangles") } else { String::new() }
}

/// Previews, planar scenes and densities are shown as particles.
fn shows_surfaces(look: &Look, baked: &Baked) -> bool {
    !look.particles
        && look.quality != Quality::Preview
        && look.color != Color::Density
        && !baked.scene.planar()
}

/// How a picture was made: one with the same note need not be made again.
fn note(look: &Look, baked: &Baked) -> String {
    let Look { size, quality, color, surface, .. } = look;
    let shown = if shows_surfaces(look, baked) { surface_note(surface) } else { "particles".into() };
    let scene = xxh3_64(scene_text::write(&baked.scene).as_bytes());
    format!("ondine {}, scene {scene:016x}, {size}, {quality}, {color:?}, {shown}", env!("CARGO_PKG_VERSION"))
}

fn is_made(path: &Path, note: &str) -> bool {
    let there = File::open(path).and_then(|file| Picture::note_in(BufReader::new(file)));
    there.is_ok_and(|there| there.as_deref() == Some(note))
}
