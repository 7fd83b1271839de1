//! What is made of a bake's frames, once they are there: surfaces, pictures, film. Each stage goes through a range of
//! frames, skips what is done, and can be stopped and begun again at any time.

mod film;
mod formats;
mod mesh;
mod render;

pub use film::film;
pub use mesh::mesh;
pub use render::render;

use crate::args::{self, Export};
use crate::baked::Baked;
use crate::interrupt;
use crate::progress::Progress;
use crate::stop::Stop;
use ondine_look::SurfaceOptions;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Makes what a bake was ordered to make of its frames. `again` is the command that goes on after an interruption.
/// Returns what was made and where.
pub fn after_bake(
    baked: &Baked,
    order: &args::Bake,
    again: &str,
) -> Result<Vec<(&'static str, PathBuf)>, Stop> {
    let all = 0..=baked.last;
    let mut places = Vec::new();
    let files: Vec<Export> = order.export.iter().copied().filter(|e| e.is_file()).collect();
    if !files.is_empty() {
        let made = mesh::make(baked, all.clone(), &files, &order.look.surface, again)?;
        places.extend(made.into_iter().map(|place| ("files", place)));
    }
    if order.export.contains(&Export::Png) {
        render::make(baked, all.clone(), &order.look, again)?;
        places.push(("pictures", baked.folder.pictures()));
        if !order.no_film {
            film::make(baked, all, &baked.folder.film(), &film::Cut::default(), again)?;
            places.push(("film", baked.folder.film()));
        }
    }
    Ok(places)
}

/// Does something for each frame of a range. `each` tells what it took, or None if there was nothing to do. Returns for
/// how many frames there was.
fn through(
    stage: &'static str,
    range: RangeInclusive<u32>,
    again: &str,
    mut each: impl FnMut(u32) -> Result<Option<String>, Stop>,
) -> Result<u32, Stop> {
    let last = *range.end();
    let mut progress: Option<Progress> = None;
    let mut made = 0;
    for frame in range {
        // A bar that begins where there is work tells the time that is left.
        if let Some(load) = each(frame)? {
            made += 1;
            progress.get_or_insert_with(|| Progress::start(stage, frame, last)).frame(frame, load);
        }
        if interrupt::asked() && frame < last {
            return Err(Stop::Interrupted { frame, frames: last, resume: again.into() });
        }
    }
    if let Some(progress) = progress {
        progress.end();
    }
    Ok(made)
}

/// A file that could not be written.
fn unsaved(path: PathBuf) -> impl FnOnce(io::Error) -> Stop {
    move |source| Stop::Unmade { path, source }
}

fn make_folder(path: PathBuf) -> Result<(), Stop> {
    std::fs::create_dir_all(&path).map_err(|source| Stop::Unwritable { path, source })
}

fn surface_options(asked: &args::Surfaces) -> SurfaceOptions {
    SurfaceOptions { cell: asked.cell, smoothing: asked.smoothing, ..SurfaceOptions::default() }
}

/// How a surface was made, for the note in its file.
fn surface_note(asked: &args::Surfaces) -> String {
    let SurfaceOptions { support, cell, level, even, smoothing, volume } = surface_options(asked);
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "ondine {version}, cell {cell}, smoothing {smoothing}, support {support}, level {level}, even {even}, \
         volume {volume}"
    )
}

/// The command that goes on with a stage.
fn again(stage: &str, folder: &Path) -> String {
    format!("ondine {stage} {} (and the same options)", folder.display())
}
