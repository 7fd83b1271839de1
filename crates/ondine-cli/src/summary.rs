//! What a finished bake tells.

use crate::error::count;
use ondine::Ledger;
use ondine_io::bake::Folder;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The extremes of a whole bake.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extremes {
    /// Largest mean compression of a system, as a fraction.
    pub compression: f64,
    /// Most particles found on the wrong side of an object at once.
    pub leaks: u64,
    /// The first frame with any, and its time [s].
    pub first_leak: Option<(u32, f64)>,
}

impl Extremes {
    /// Takes notice of a frame.
    pub fn note(&mut self, measured: &Ledger) {
        for system in &measured.systems {
            self.compression = self.compression.max(system.compression);
            self.leaks = self.leaks.max(system.leaks);
            if system.leaks > 0 {
                self.first_leak.get_or_insert((measured.frame, measured.time));
            }
        }
    }
}

/// What a bake did in this run.
#[derive(Debug)]
pub struct Summary<'a> {
    /// Where.
    pub folder: &'a Folder,
    /// What it made besides, and where.
    pub places: &'a [(&'static str, PathBuf)],
    /// Frames baked in this run.
    pub frames: u32,
    /// Time that they took.
    pub wall: Duration,
    /// The last frame.
    pub last: &'a Ledger,
    /// Of all frames.
    pub extremes: Extremes,
}

impl Summary<'_> {
    /// The same for programs.
    pub fn json(&self) -> Value {
        let systems = self.last.systems.iter().map(|system| (system.name.clone(), json!(system.particles)));
        let places = self
            .places
            .iter()
            .map(|(what, path)| json!({ "what": what, "path": path.display().to_string() }));
        json!({
            "folder": self.folder.path().display().to_string(),
            "frames": self.frames,
            "last_frame": self.last.frame,
            "seconds": self.wall.as_secs_f64(),
            "particles": systems.collect::<serde_json::Map<_, _>>(),
            "compression": self.extremes.compression,
            "leaks": self.extremes.leaks,
            "made": places.collect::<Vec<_>>(),
            "ledger": self.folder.ledger().display().to_string(),
            "scene": self.folder.scene().display().to_string(),
        })
    }

    /// A few lines for people.
    pub fn text(&self) -> String {
        let seconds = self.wall.as_secs_f64();
        let each = 1000.0 * seconds / f64::from(self.frames.max(1));
        let particles: u64 = self.last.systems.iter().map(|system| system.particles).sum();
        let mut text = match self.frames {
            0 => format!(
                "The bake is finished at frame {}: a larger --frames makes it longer.\n",
                self.last.frame
            ),
            frames => format!(
                "Baked {frames} frames in {seconds:.1} s ({each:.0} ms a frame), {particles} particles at the end.\n"
            ),
        };
        // Writing into a String does not fail.
        let _ = writeln!(
            text,
            "Largest compression {:.1} %, leaks {}.",
            100.0 * self.extremes.compression,
            self.extremes.leaks
        );
        text += &self.warning();
        let mut place = |what: &str, path: &Path| {
            let _ = write!(text, "\n  {what:10} {}", path.display());
        };
        self.places.iter().rev().for_each(|(what, path)| place(what, path));
        if self.folder.particles().is_dir() {
            place("particles", &self.folder.particles());
        }
        place("ledger", &self.folder.ledger());
        place("scene", &self.folder.scene());
        text
    }

    /// What must not go unseen.
    fn warning(&self) -> String {
        let Some((frame, time)) = self.extremes.first_leak else { return String::new() };
        let particles = count(self.extremes.leaks as usize, "particle");
        format!(
            "warning: up to {particles} at once inside of objects, first in frame {frame} ({time:.3} s): this bake is not right.\n\
             \x20 = help: see what moves, closes or appears there, and leave the liquid room; make walls thicker than a spacing, \
             or the spacing finer\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_leak_is_remembered() {
        let system = |leaks| ondine::SystemLedger { leaks, ..Default::default() };
        let mut extremes = Extremes::default();
        for (frame, leaks) in [(0, 0), (1, 2), (2, 5), (3, 1)] {
            let (hash, objects) = (String::new(), vec![]);
            let systems = vec![system(leaks)];
            let (time, springs) = (f64::from(frame), Vec::new());
            extremes.note(&Ledger { frame, time, substeps: 1, hash, systems, objects, springs });
        }
        assert_eq!((extremes.leaks, extremes.first_leak), (5, Some((1, 1.0))));
    }

    #[test]
    fn leaks_are_told_loudly() -> Result<(), Box<dyn std::error::Error>> {
        let place = tempfile::tempdir()?;
        let folder = Folder::claim(place.path())?;
        let last = Ledger {
            frame: 9,
            time: 0.3,
            substeps: 1,
            hash: String::new(),
            systems: vec![],
            objects: vec![],
            springs: vec![],
        };
        let told = |extremes| {
            Summary { folder: &folder, places: &[], frames: 9, wall: Duration::ZERO, last: &last, extremes }
                .text()
        };
        assert!(!told(Extremes::default()).contains("warning"));
        let leaky = Extremes { leaks: 97, first_leak: Some((4, 0.1333)), ..Extremes::default() };
        let text = told(leaky);
        for part in ["warning", "97 particles", "frame 4 (0.133 s)", "help"] {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
        Ok(())
    }
}
