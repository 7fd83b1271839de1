//! Samples on their way into one file. They come frame by frame and must be written attribute by attribute, so they
//! wait on the disk: memory holds where they are.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3Default;

/// What tells an attribute of a prim from all others.
pub type Key = (u8, usize, &'static str);

/// All samples so far, in a file without a name.
pub struct Samples {
    file: File,
    end: u64,
    places: BTreeMap<Key, Vec<Place>>,
}

/// Where a sample is.
struct Place {
    frame: u32,
    start: u64,
    length: u64,
    /// Of its text, to find out what never changes.
    hash: u128,
}

impl Samples {
    /// In the folder of the result: there must be room for as much anyway.
    pub fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self { file: tempfile::tempfile_in(folder)?, end: 0, places: BTreeMap::new() })
    }

    /// Adds what `fill` writes.
    pub fn add(
        &mut self,
        key: Key,
        frame: u32,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        let counted = Counted { to: &mut self.file, length: 0, hash: Xxh3Default::new() };
        let mut buffered = BufWriter::new(counted);
        fill(&mut buffered)?;
        let Counted { length, hash, .. } = buffered.into_inner().map_err(|e| e.into_error())?;
        let hash = hash.digest128();
        self.places.entry(key).or_default().push(Place { frame, start: self.end, length, hash });
        self.end += length;
        Ok(())
    }

    /// Writes an attribute's samples; just one value where it never changes.
    pub fn write(&self, w: &mut dyn Write, key: Key) -> io::Result<()> {
        let Some(places) = self.places.get(&key) else { return Ok(()) };
        let mut file = BufReader::new(&self.file);
        let declared = key.2;
        if places.iter().all(|place| place.hash == places[0].hash) {
            write!(w, "{declared} = ")?;
            copy(&mut file, &places[0], w)?;
            return writeln!(w);
        }
        writeln!(w, "{declared}.timeSamples = {{")?;
        for place in places {
            write!(w, "{}: ", place.frame)?;
            copy(&mut file, place, w)?;
            writeln!(w, ",")?;
        }
        writeln!(w, "}}")
    }
}

fn copy(file: &mut BufReader<&File>, place: &Place, w: &mut dyn Write) -> io::Result<()> {
    file.seek(SeekFrom::Start(place.start))?;
    let copied = io::copy(&mut file.take(place.length), w)?;
    if copied == place.length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Passes bytes on, counts and hashes them.
struct Counted<'a> {
    to: &'a mut File,
    length: u64,
    hash: Xxh3Default,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_come_out_by_attribute_and_constants_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut samples = Samples::new(folder.path()).unwrap();
        let (moves, stays) = ((0, 0, "int a"), (0, 1, "int b"));
        for frame in 0..3 {
            samples.add(moves, frame, |w| write!(w, "{}", 10 * frame)).unwrap();
            samples.add(stays, frame, |w| write!(w, "7")).unwrap();
        }
        let mut text = Vec::new();
        [stays, moves].into_iter().for_each(|key| samples.write(&mut text, key).unwrap());
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text, "int b = 7\nint a.timeSamples = {\n0: 0,\n1: 10,\n2: 20,\n}\n");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "its file has no name");
    }
}
