//! The scenes that come with the program.

use crate::args;
use crate::console;
use crate::error::CliError;
use ondine_io::scene_text::{self, Source};
use std::fs::File;
use std::io::{ErrorKind, Write};

/// The scene that is baked when nobody says which.
pub const DEFAULT: &str = "fountain";

/// A scene of the gallery.
#[derive(Debug)]
pub struct Entry {
    /// What it is called: its file's name without ".toml".
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

/// The gallery, in order of name. Made by `build.rs`.
pub const ENTRIES: &[Entry] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// The scene of a name.
pub fn find(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// The name most like a mistyped one, if any is.
pub fn most_like(wanted: &str) -> Option<&'static str> {
    ondine::suggest::nearest(wanted, ENTRIES.iter().map(|entry| entry.name))
}

/// Prints the gallery, or the text of one of its scenes.
pub fn show(order: &args::Scenes) -> Result<(), CliError> {
    match &order.name {
        None => list(),
        Some(name) => console::print(known(name)?.text.trim_end()),
    }
}

/// Copies a scene into a file that is not there yet.
pub fn copy(order: &args::New) -> Result<(), CliError> {
    let entry = known(&order.name)?;
    let path = order.file.clone().unwrap_or_else(|| format!("{}.toml", entry.name).into());
    let made = File::options().write(true).create_new(true).open(&path);
    match made.and_then(|mut file| file.write_all(entry.text.as_bytes())) {
        Ok(()) => {
            console::info(&format!("{}: bake it with `ondine bake {}`", path.display(), path.display()))
        }
        Err(source) if source.kind() == ErrorKind::AlreadyExists => Err(CliError::SceneThere { path }),
        Err(source) => Err(CliError::Unmade { path, source }),
    }
}

fn known(name: &str) -> Result<&'static Entry, CliError> {
    find(name).ok_or_else(|| CliError::NotInGallery { wanted: name.into(), alike: most_like(name) })
}

/// Prints the gallery, a line each.
fn list() -> Result<(), CliError> {
    let width = ENTRIES.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let lines: Vec<String> = ENTRIES.iter().map(|entry| line(entry, width)).collect();
    console::print(&lines.join("\n"))
}

fn line(entry: &Entry, width: usize) -> String {
    let source = Source::new(entry.name, entry.text);
    match scene_text::parse(&source, &[]) {
        Ok((scene, _)) => {
            format!("{:width$}  {:5.1} s  {}D  {}", entry.name, scene.duration, scene.dimension, scene.title)
        }
        Err(_) => format!("{:width$}  (has errors: see `ondine check {}`)", entry.name, entry.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gallery_scene_is_without_fault() {
        for entry in ENTRIES {
            let source = Source::new(entry.name, entry.text);
            let faults =
                scene_text::parse(&source, &[]).map_or_else(|faults| faults, |(_, warnings)| warnings);
            let told: Vec<_> = faults.iter().map(|located| located.fault.to_string()).collect();
            assert!(told.is_empty(), "{}: {told:?}", entry.name);
        }
    }

    #[test]
    fn the_default_is_in_the_gallery() {
        assert!(find(DEFAULT).is_some());
        assert_eq!(most_like("fountian"), Some(DEFAULT));
        assert_eq!(most_like("xyz"), None);
    }
}
