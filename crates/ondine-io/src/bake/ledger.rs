//! The ledger of a bake: one line of JSON a frame.

use super::error::BakeError;
use ondine::Ledger;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A line of the ledger of a bake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerLine {
    /// What the engine measured.
    #[serde(flatten)]
    pub measured: Ledger,
    /// Time that the frame took to simulate [ms].
    pub ms: f64,
}

/// The open ledger of a bake.
#[derive(Debug)]
pub(super) struct LedgerFile {
    file: File,
    path: PathBuf,
}

impl LedgerFile {
    /// An empty ledger.
    pub fn create(path: PathBuf) -> Result<Self, BakeError> {
        match File::create(&path) {
            Ok(file) => Ok(Self { file, path }),
            Err(source) => Err(BakeError::Unwritable { path, source }),
        }
    }

    /// The ledger of a stopped bake, up to frame `last`, that of its checkpoint, whose state has this hash; and its lines. What was written
    /// after that, perhaps half a line, is cut off: those frames are baked again. Nothing is changed of a ledger of another run.
    pub fn reopen(path: PathBuf, last: u32, hash: &str) -> Result<(Self, Vec<LedgerLine>), BakeError> {
        let text =
            std::fs::read(&path).map_err(|source| BakeError::Unreadable { path: path.clone(), source })?;
        let kept = whole_lines(&text, last);
        if kept.len() <= last as usize {
            return Err(BakeError::ShortLedger { path, frame: last });
        }
        let read =
            kept.iter().map(|line| serde_json::from_slice(line)).collect::<Result<Vec<LedgerLine>, _>>();
        let Some(lines) = read.ok().filter(|l| l.last().is_some_and(|last| last.measured.hash == hash))
        else {
            return Err(BakeError::OtherLedger { path, frame: last });
        };
        let length = kept.iter().map(|line| line.len() as u64).sum();
        let file = reopen_at(&path, length)
            .map_err(|source| BakeError::Unwritable { path: path.clone(), source })?;
        Ok((Self { file, path }, lines))
    }

    /// Adds a frame's line.
    pub fn write(&mut self, line: &LedgerLine) -> Result<(), BakeError> {
        let written = serde_json::to_vec(line).map_err(io::Error::from).and_then(|mut text| {
            text.push(b'\n');
            self.file.write_all(&text)
        });
        written.map_err(|source| BakeError::Unwritable { path: self.path.clone(), source })
    }

    /// Brings all lines to the disk, as a checkpoint of this frame must not outlive its ledger.
    pub fn sync(&self) -> Result<(), BakeError> {
        self.file.sync_data().map_err(|source| BakeError::Unwritable { path: self.path.clone(), source })
    }
}

/// All lines of a ledger. The end of a line that a killed bake was in the middle of is passed over, as `resume` cuts it off.
pub(super) fn read(path: &Path) -> Result<Vec<LedgerLine>, BakeError> {
    let text = std::fs::read(path).map_err(|source| BakeError::Unreadable { path: path.into(), source })?;
    let whole = text.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let line = |(i, line): (usize, &[u8])| {
        let damaged = |reason| BakeError::BadLedger { path: path.into(), line: i + 1, reason };
        let read: LedgerLine = serde_json::from_slice(line).map_err(|e| {
            // A name of the file's own may be in it, of any length.
            damaged(e.to_string().chars().take(200).collect())
        })?;
        let frame = read.measured.frame;
        if frame as usize == i { Ok(read) } else { Err(damaged(format!("frame {frame} is not due there"))) }
    };
    whole.enumerate().map(line).collect()
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

    fn line(frame: u32, leaks: u64) -> LedgerLine {
        let system = SystemLedger { name: "water".into(), leaks, ..SystemLedger::default() };
        let measured = Ledger {
            frame,
            time: 0.0,
            substeps: 1,
            hash: format!("{frame:016x}"),
            systems: vec![system],
            objects: vec![],
            springs: vec![],
        };
        LedgerLine { measured, ms: 2.5 }
    }

    fn written(path: &Path, frames: u32) -> Result<(), Box<dyn std::error::Error>> {
        let mut file = LedgerFile::create(path.into())?;
        (0..frames).try_for_each(|frame| file.write(&line(frame, frame.into())))?;
        Ok(())
    }

    #[test]
    fn a_line_is_one_flat_object() -> Result<(), serde_json::Error> {
        let text = serde_json::to_string(&line(3, 0))?;
        let value: serde_json::Value = serde_json::from_str(&text)?;
        assert_eq!((&value["frame"], &value["ms"]), (&3.into(), &2.5.into()));
        assert_eq!(serde_json::from_str::<LedgerLine>(&text)?, line(3, 0));
        Ok(())
    }

    #[test]
    fn reopening_cuts_after_the_checkpoint_and_drops_a_torn_line() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("ledger.jsonl");
        for torn in ["", "{\"frame\":6,\"ti"] {
            written(&path, 6)?;
            OpenOptions::new().append(true).open(&path)?.write_all(torn.as_bytes())?;
            let (mut file, lines) = LedgerFile::reopen(path.clone(), 3, "0000000000000003")?;
            assert_eq!(lines, [line(0, 0), line(1, 1), line(2, 2), line(3, 3)]);
            file.write(&line(4, 0))?;
            let frames: Vec<u32> = read(&path)?.iter().map(|line| line.measured.frame).collect();
            assert_eq!(frames, [0, 1, 2, 3, 4]);
        }
        Ok(())
    }

    #[test]
    fn a_ledger_that_lacks_frames_is_refused() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("ledger.jsonl");
        written(&path, 3)?;
        assert!(matches!(LedgerFile::reopen(path, 3, ""), Err(BakeError::ShortLedger { frame: 3, .. })));
        Ok(())
    }

    #[test]
    fn damaged_lines_are_told_and_torn_ones_passed_over() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("ledger.jsonl");
        written(&path, 3)?;
        let text = std::fs::read_to_string(&path)?;
        std::fs::write(&path, format!("{text}{{\"frame\":3,\"ti"))?;
        assert_eq!(read(&path)?.len(), 3);
        std::fs::write(&path, text.replace("\"frame\":1", "\"frame\":\"one\""))?;
        let told = read(&path).unwrap_err().to_string();
        assert!(told.contains("ledger.jsonl is damaged in line 2"), "{told}");
        std::fs::write(&path, text.replace("\"frame\":1", "\"frame\":7"))?;
        assert!(read(&path).unwrap_err().to_string().contains("frame 7 is not due there"));
        Ok(())
    }
}
