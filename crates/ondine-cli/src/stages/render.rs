//! `ondine render`: pictures of a bake.

use super::{again, asked_frames, make_folder, open, surface_note, surface_options, through, unsaved};
use crate::args::{self, Color, Look};
use crate::console;
use crate::error::CliError;
use crate::interrupt;
use crate::threads;
use ondine_io::bake::Bake;
use ondine_io::{atomic, scene_text};
use ondine_look::{Coloring, Picture, Quality, Renderer, Surfaces};
use std::fs::File;
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// Makes the pictures that are ordered.
pub fn render(order: &args::Render) -> Result<(), CliError> {
    threads::start(order.of.threads)?;
    let bake = open(&order.of.folder, &order.set)?;
    let range = asked_frames(&bake, order.of.frames)?;
    interrupt::watch()?;
    let count = range.clone().count() as u32;
    let made = make(&bake, range, &order.look, &again("render", &order.of.folder))?;
    let place = bake.folder().pictures();
    console::info(&format!(
        "Made {made} pictures, {} were there.\n\n  pictures   {}",
        count - made,
        place.display()
    ))
}

/// Makes the pictures of a range that are not there yet. Returns how many it made.
pub fn make(bake: &Bake, range: RangeInclusive<u32>, look: &Look, again: &str) -> Result<u32, CliError> {
    make_folder(bake.folder().pictures())?;
    let renderer = Renderer::of(bake.scene()).colored(match look.color {
        Color::Material => Coloring::Material,
        Color::Speed => Coloring::Speed,
        Color::Density => Coloring::Density,
    });
    let options = surface_options(&look.surface);
    let surfaces = shows_surfaces(look, bake).then(|| Surfaces::of(bake.scene(), options));
    let note = note(look, bake);
    let picture = |index: u32| {
        let path = bake.folder().picture(index);
        if is_made(&path, &note) {
            return Ok(None);
        }
        let frame = bake.frame(index)?;
        let surfaces = surfaces.as_ref().map(|surfaces| surfaces.in_frame(&frame)).unwrap_or_default();
        let picture = renderer.picture(&frame, &surfaces, (look.size.width, look.size.height), look.quality);
        atomic::write(&path, |out| picture.encode_png(out, &note)).map_err(unsaved(path))?;
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
fn shows_surfaces(look: &Look, bake: &Bake) -> bool {
    !look.particles
        && look.quality != Quality::Preview
        && look.color != Color::Density
        && !bake.scene().planar()
}

/// How a picture was made: one with the same note need not be made again.
fn note(look: &Look, bake: &Bake) -> String {
    let Look { size, quality, color, surface, .. } = look;
    let shown = if shows_surfaces(look, bake) { surface_note(surface) } else { "particles".into() };
    let scene = xxh3_64(scene_text::write(bake.scene()).as_bytes());
    format!("ondine {}, scene {scene:016x}, {size}, {quality}, {color:?}, {shown}", env!("CARGO_PKG_VERSION"))
}

fn is_made(path: &Path, note: &str) -> bool {
    let there = File::open(path).and_then(|file| Picture::note_in(BufReader::new(file)));
    there.is_ok_and(|there| there.as_deref() == Some(note))
}
