//! `ondine film`: a film of a bake's pictures.

use super::{again, through, unsaved};
use crate::args;
use crate::baked::Baked;
use crate::interrupt;
use crate::say;
use crate::stop::Stop;
use ondine_io::whole;
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
pub fn film(order: &args::Film) -> Result<(), Stop> {
    let baked = Baked::open(&order.folder)?;
    let range = baked.range(order.frames)?;
    interrupt::watch()?;
    let path = order.output.clone().unwrap_or_else(|| baked.folder.film());
    let cut = Cut { width: order.width, every: order.every };
    make(&baked, range, &path, &cut, &again("film", &order.folder))?;
    say::outcome(&format!("  film       {}", path.display()))
}

/// Makes a film of a range of pictures, whole or not at all.
pub fn make(
    baked: &Baked,
    range: RangeInclusive<u32>,
    path: &Path,
    cut: &Cut,
    again: &str,
) -> Result<(), Stop> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    let record = match ending.as_str() {
        "mp4" => Reel::mp4,
        "gif" => Reel::gif,
        _ => return Err(Stop::NotAFilm { path: path.into() }),
    };
    let frames = range.step_by(cut.every as usize).collect();
    let reel = Reel { baked, frames, cut, fps: baked.scene.fps / cut.every as f32, path, again };
    // What stops the film must reach the caller past the writer, which knows input and output only.
    let mut stopped = None;
    let written = whole::write(path, |out| {
        record(&reel, out).map_err(|stop| {
            stopped = Some(stop);
            io::Error::other("stopped")
        })
    });
    stopped.map_or_else(|| written.map_err(unsaved(path.into())), Err)
}

/// Pictures in the order in which they are shown.
struct Reel<'a> {
    baked: &'a Baked,
    /// At least one.
    frames: Vec<u32>,
    cut: &'a Cut,
    /// Pictures a second [1/s].
    fps: f32,
    path: &'a Path,
    again: &'a str,
}

impl Reel<'_> {
    fn picture(&self, frame: u32) -> Result<Picture, Stop> {
        let path = self.baked.folder.picture(frame);
        match File::open(&path).and_then(|file| Picture::decode_png(BufReader::new(file))) {
            Ok(picture) => Ok(match self.cut.width {
                Some(width) => picture.narrowed(width),
                None => picture,
            }),
            Err(source) if source.kind() == io::ErrorKind::NotFound => {
                Err(Stop::NoPicture { path, folder: self.baked.folder.path().into() })
            }
            Err(source) => Err(Stop::Unreadable { path, source }),
        }
    }

    fn each(&self, mut add: impl FnMut(&Picture) -> Result<(), FilmError>) -> Result<(), Stop> {
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

    fn mp4(&self, out: &mut dyn Write) -> Result<(), Stop> {
        let first = self.picture(self.frames[0])?;
        let film = Mp4::new(out, (first.width, first.height), self.fps);
        let mut film = film.map_err(|e| self.unmade(e))?;
        self.each(|picture| film.add(picture))?;
        film.finish().map_err(|e| self.unmade(e))
    }

    fn gif(&self, out: &mut dyn Write) -> Result<(), Stop> {
        let typical = self.frames.iter().step_by(self.frames.len().div_ceil(TYPICAL));
        let typical: Vec<Picture> = typical.map(|frame| self.picture(*frame)).collect::<Result<_, _>>()?;
        let mut film = Gif::new(out, &typical, self.fps).map_err(|e| self.unmade(e))?;
        self.each(|picture| film.add(picture))?;
        film.finish().map_err(|e| self.unmade(e))
    }

    fn unmade(&self, mut source: FilmError) -> Stop {
        if let FilmError::OtherSize { number, .. } = &mut source {
            *number = self.frames.get(*number as usize).copied().unwrap_or(*number);
        }
        Stop::NoFilm { path: self.path.into(), source }
    }
}
