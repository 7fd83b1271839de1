//! The ledger of a bake: one line of JSON a frame.

use crate::stop::Stop;
use ondine::Ledger;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A line of the ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// What the engine measured.
    #[serde(flatten)]
    pub measured: Ledger,
    /// Time that the frame took to simulate [ms].
    pub ms: f64,
}

/// The extremes of a whole bake, for its summary.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extremes {
    /// Largest mean compression of a system, as a fraction.
    pub compression: f64,
    /// Most particles found on the wrong side of an object at once.
    pub leaks: u64,
    /// The first frame with any, and its time [s].
    pub first_leak: Option<(u32, f64)>,
}

/// The open ledger of a bake.
#[derive(Debug)]
pub struct Book {
    file: File,
    path: PathBuf,
    extremes: Extremes,
}

impl Book {
    /// An empty ledger.
    pub fn begin(path: PathBuf) -> Result<Self, Stop> {
        match File::create(&path) {
            Ok(file) => Ok(Self { file, path, extremes: Extremes::default() }),
            Err(source) => Err(Stop::Unwritable { path, source }),
        }
    }

    /// The ledger of a stopped bake, up to frame `last`, that of its checkpoint, whose state has this hash. What was written after that,
    /// perhaps half a line, is cut off: those frames are baked again. Nothing is changed of a ledger of another run.
    pub fn reopen(path: PathBuf, last: u32, hash: &str) -> Result<Self, Stop> {
        let text = std::fs::read(&path).map_err(|source| Stop::Unreadable { path: path.clone(), source })?;
        let kept = whole_lines(&text, last);
        if kept.len() <= last as usize {
            return Err(Stop::ShortLedger { path, frame: last });
        }
        let read = kept.iter().map(|line| serde_json::from_slice(line)).collect::<Result<Vec<Line>, _>>();
        let Some(lines) = read.ok().filter(|l| l.last().is_some_and(|last| last.measured.hash == hash))
        else {
            return Err(Stop::OtherLedger { path, frame: last });
        };
        let length = kept.iter().map(|line| line.len() as u64).sum();
        let file =
            reopen_at(&path, length).map_err(|source| Stop::Unwritable { path: path.clone(), source })?;
        let mut book = Self { file, path, extremes: Extremes::default() };
        lines.iter().for_each(|line| book.note(line));
        Ok(book)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The extremes so far.
    pub fn extremes(&self) -> Extremes {
        self.extremes
    }

    /// Adds a frame's line.
    pub fn write(&mut self, line: &Line) -> io::Result<()> {
        self.note(line);
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.write_all(&text)
    }

    /// Brings all lines to the disk, as a checkpoint of this frame must not outlive its ledger.
    pub fn settle(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn note(&mut self, line: &Line) {
        for system in &line.measured.systems {
            self.extremes.compression = self.extremes.compression.max(system.compression);
            self.extremes.leaks = self.extremes.leaks.max(system.leaks);
            if system.leaks > 0 {
                self.extremes.first_leak.get_or_insert((line.measured.frame, line.measured.time));
            }
        }
    }
}

/// The lines of frames 0, 1, ... `last`, each with its end, as far as they are whole and in order.
fn whole_lines(text: &[u8], last: u32) -> Vec<&[u8]> {
    #[derive(Deserialize)]
    struct Numbered {
        frame: u32,
    }
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let expected = 0..=last;
    let whole = |line: &[u8], frame: u32| {
        line.ends_with(b"\n") && serde_json::from_slice::<Numbered>(line).is_ok_and(|n| n.frame == frame)
    };
    lines.zip(expected).take_while(|(line, frame)| whole(line, *frame)).map(|(line, _)| line).collect()
}

fn reopen_at(path: &Path, length: u64) -> io::Result<File> {
    let file = OpenOptions::new().append(true).open(path)?;
    file.set_len(length)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ondine::SystemLedger;

    fn line(frame: u32, leaks: u64) -> Line {
        let system = SystemLedger { name: "water".into(), leaks, ..SystemLedger::default() };
        let measured = Ledger {
            frame,
            time: 0.0,
            substeps: 1,
            hash: format!("{frame:016x}"),
            systems: vec![system],
            objects: vec![],
        };
        Line { measured, ms: 2.5 }
    }

    fn written(path: &Path, frames: u32) -> Result<(), Box<dyn std::error::Error>> {
        let mut book = Book::begin(path.into())?;
        (0..frames).try_for_each(|frame| book.write(&line(frame, frame.into())))?;
        Ok(())
    }

    #[test]
    fn a_line_is_one_flat_object() -> Result<(), serde_json::Error> {
        let text = serde_json::to_string(&line(3, 0))?;
        let value: serde_json::Value = serde_json::from_str(&text)?;
        assert_eq!((&value["frame"], &value["ms"]), (&3.into(), &2.5.into()));
        assert_eq!(serde_json::from_str::<Line>(&text)?, line(3, 0));
        Ok(())
    }

    #[test]
    fn reopening_cuts_after_the_checkpoint_and_drops_a_torn_line() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("ledger.jsonl");
        for torn in ["", "{\"frame\":6,\"ti"] {
            written(&path, 6)?;
            OpenOptions::new().append(true).open(&path)?.write_all(torn.as_bytes())?;
            let mut book = Book::reopen(path.clone(), 3, "0000000000000003")?;
            assert_eq!((book.extremes().leaks, book.extremes().first_leak), (3, Some((1, 0.0))));
            book.write(&line(4, 0))?;
            let frames: Result<Vec<Line>, _> =
                std::fs::read_to_string(&path)?.lines().map(serde_json::from_str).collect();
            assert_eq!(frames?.iter().map(|l| l.measured.frame).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        }
        Ok(())
    }

    #[test]
    fn a_ledger_that_lacks_frames_is_refused() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("ledger.jsonl");
        written(&path, 3)?;
        assert!(matches!(Book::reopen(path, 3, ""), Err(Stop::ShortLedger { frame: 3, .. })));
        Ok(())
    }
}
