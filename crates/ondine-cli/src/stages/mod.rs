//! What is made of a bake's frames, once they are there: surfaces, pictures, film. Each stage goes through a range of
//! frames, skips what is done, and can be stopped and begun again at any time.

mod film;
mod formats;
mod mesh;
mod render;

pub use film::film;
pub use mesh::mesh;
pub use render::render;

use crate::args::{self, Export, FrameRange};
use crate::error::CliError;
use crate::interrupt;
use crate::progress::Progress;
use crate::scene_choice;
use ondine_io::bake::{Bake, Folder};
use ondine_io::scene_text::Override;
use ondine_look::SurfaceOptions;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Opens a bake with other values of what only pictures ask for. Faults of its scene are told in full.
fn open(path: &Path, values: &[Override]) -> Result<Bake, CliError> {
    let folder = Folder::share(path)?;
    let (scene, _) = scene_choice::parse(&scene_choice::read(&folder.scene())?, values)?;
    Ok(Bake::of(folder, scene))
}

/// The frames of a bake that are asked for.
fn asked_frames(bake: &Bake, asked: Option<FrameRange>) -> Result<RangeInclusive<u32>, CliError> {
    let last = bake.last_frame()?;
    let Some(asked) = asked else { return Ok(0..=last) };
    let none = CliError::NoSuchFrames { folder: bake.folder().path().into(), asked, last };
    asked.within(last).ok_or(none)
}

/// Makes what a bake was ordered to make of its frames. `again` is the command that goes on after an interruption.
/// Returns what was made and where.
pub fn after_bake(
    bake: &Bake,
    order: &args::Bake,
    again: &str,
) -> Result<Vec<(&'static str, PathBuf)>, CliError> {
    let all = 0..=bake.last_frame()?;
    let mut places = Vec::new();
    let files: Vec<Export> = order.export.iter().copied().filter(|e| e.is_file()).collect();
    if !files.is_empty() {
        let made = mesh::make(bake, all.clone(), &files, &order.look.surface, again)?;
        places.extend(made.into_iter().map(|place| ("files", place)));
    }
    if order.export.contains(&Export::Png) {
        render::make(bake, all.clone(), &order.look, again)?;
        places.push(("pictures", bake.folder().pictures()));
        if !order.no_film {
            film::make(bake, all, &bake.folder().film(), &film::Cut::default(), again)?;
            places.push(("film", bake.folder().film()));
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
    mut each: impl FnMut(u32) -> Result<Option<String>, CliError>,
) -> Result<u32, CliError> {
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
            return Err(CliError::Interrupted { frame, frames: last, resume: again.into() });
        }
    }
    if let Some(progress) = progress {
        progress.end();
    }
    Ok(made)
}

/// A file that could not be written.
fn unsaved(path: PathBuf) -> impl FnOnce(io::Error) -> CliError {
    move |source| CliError::Unmade { path, source }
}

fn make_folder(path: PathBuf) -> Result<(), CliError> {
    std::fs::create_dir_all(&path).map_err(|source| CliError::Unwritable { path, source })
}

fn surface_options(asked: &args::SurfaceArgs) -> SurfaceOptions {
    SurfaceOptions { cell: asked.cell, smoothing: asked.smoothing, ..SurfaceOptions::default() }
}

/// How a surface was made, for the note in its file.
fn surface_note(asked: &args::SurfaceArgs) -> String {
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
