//! `ondine film`: a film of a bake's pictures.

use super::{again, asked_frames, open, through, unsaved};
use crate::args;
use crate::console;
use crate::error::CliError;
use crate::interrupt;
use ondine_io::atomic;
use ondine_io::bake::Bake;
use ondine_look::{FilmError, Gif, Mp4, Picture};
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::ops::RangeInclusive;
use std::path::Path;

/// Pictures that the colours of a GIF are chosen from.
const TYPICAL: usize = 8;

/// What is shown of the pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Width of the film [pixels]; None for that of the pictures.
    pub width: Option<u32>,
    /// One picture of so many is shown.
    pub every: u32,
}

impl Default for Cut {
    fn default() -> Self {
        Self { width: None, every: 1 }
    }
}

/// Makes the film that is ordered.
pub fn film(order: &args::Film) -> Result<(), CliError> {
    let bake = open(&order.folder, &[])?;
    let range = asked_frames(&bake, order.frames)?;
    interrupt::watch()?;
    let path = order.output.clone().unwrap_or_else(|| bake.folder().film());
    let cut = Cut { width: order.width, every: order.every };
    make(&bake, range, &path, &cut, &again("film", &order.folder))?;
    console::info(&format!("  film       {}", path.display()))
}

/// Makes a film of a range of pictures, whole or not at all.
pub fn make(
    bake: &Bake,
    range: RangeInclusive<u32>,
    path: &Path,
    cut: &Cut,
    again: &str,
) -> Result<(), CliError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    let record = match ending.as_str() {
        "mp4" => Reel::mp4,
        "gif" => Reel::gif,
        _ => return Err(CliError::NotAFilm { path: path.into() }),
    };
    let frames = range.step_by(cut.every as usize).collect();
    let reel = Reel { bake, frames, cut, fps: bake.scene().fps / cut.every as f32, path, again };
    // What stops the film must reach the caller past the writer, which knows input and output only.
    let mut stopped = None;
    let written = atomic::write(path, |out| {
        record(&reel, out).map_err(|error| {
            stopped = Some(error);
            io::Error::other("stopped")
        })
    });
    stopped.map_or_else(|| written.map_err(unsaved(path.into())), Err)
}

/// Pictures in the order in which they are shown.
struct Reel<'a> {
    bake: &'a Bake,
    /// At least one.
    frames: Vec<u32>,
    cut: &'a Cut,
    /// Pictures a second [1/s].
    fps: f32,
    path: &'a Path,
    again: &'a str,
}

impl Reel<'_> {
    fn picture(&self, frame: u32) -> Result<Picture, CliError> {
        let path = self.bake.folder().picture(frame);
        match File::open(&path).and_then(|file| Picture::decode_png(BufReader::new(file))) {
            Ok(picture) => Ok(match self.cut.width {
                Some(width) => picture.narrowed(width),
                None => picture,
            }),
            Err(source) if source.kind() == io::ErrorKind::NotFound => {
                Err(CliError::NoPicture { path, folder: self.bake.folder().path().into() })
            }
            Err(source) => Err(CliError::Unreadable { path, source }),
        }
    }

    fn each(&self, mut add: impl FnMut(&Picture) -> Result<(), FilmError>) -> Result<(), CliError> {
        let shown = 0..=self.frames.len() as u32 - 1;
        let mut ahead = None;
        through("film", shown, self.again, |i| {
            let picture = ahead.take().unwrap_or_else(|| self.picture(self.frames[i as usize]))?;
            // While one picture is added the next is read.
            let next = self.frames.get(i as usize + 1);
            let read = std::thread::scope(|scope| {
                let read = next.map(|next| scope.spawn(|| self.picture(*next)));
                let added = add(&picture).map_err(|e| self.unmade(e));
                (added, read.map(|read| read.join()))
            });
            read.0?;
            // What could not be read by that thread is read again.
            ahead = read.1.and_then(|read| read.ok());
            Ok(Some(String::new()))
        })?;
        Ok(())
    }

    fn mp4(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let first = self.picture(self.frames[0])?;
        let film = Mp4::new(out, (first.width, first.height), self.fps);
        let mut film = film.map_err(|e| self.unmade(e))?;
        self.each(|picture| film.add(picture))?;
        film.finish().map_err(|e| self.unmade(e))
    }

    fn gif(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let typical = self.frames.iter().step_by(self.frames.len().div_ceil(TYPICAL));
        let typical: Vec<Picture> = typical.map(|frame| self.picture(*frame)).collect::<Result<_, _>>()?;
        let mut film = Gif::new(out, &typical, self.fps).map_err(|e| self.unmade(e))?;
        self.each(|picture| film.add(picture))?;
        film.finish().map_err(|e| self.unmade(e))
    }

    fn unmade(&self, mut source: FilmError) -> CliError {
        if let FilmError::OtherSize { number, .. } = &mut source {
            *number = self.frames.get(*number as usize).copied().unwrap_or(*number);
        }
        CliError::NoFilm { path: self.path.into(), source }
    }
}
