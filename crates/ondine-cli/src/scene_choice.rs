//! From what the user names to a scene.

use crate::faults;
use crate::gallery;
use crate::say;
use crate::stop::Stop;
use ondine::Scene;
use ondine_io::scene_text::{self, Located, Override, Source};
use std::path::Path;

/// The text of a scene file or, where there is no such file, of a gallery scene.
pub fn find(wanted: &str) -> Result<Source, Stop> {
    let path = Path::new(wanted);
    if path.is_file() {
        return read(path);
    }
    match gallery::find(wanted) {
        Some(entry) => Ok(Source { name: format!("{}.toml", entry.name), text: entry.text.into() }),
        None => Err(Stop::NoSuchScene { wanted: wanted.into(), alike: gallery::most_like(wanted) }),
    }
}

/// The text of a scene file.
pub fn read(path: &Path) -> Result<Source, Stop> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Source { name: path.display().to_string(), text }),
        Err(source) => Err(Stop::Unreadable { path: path.into(), source }),
    }
}

/// The scene that a text means. Its faults are told in full; errors among them stop the program.
pub fn understand(source: &Source, overrides: &[Override]) -> Result<Scene, Stop> {
    match scene_text::parse(source, overrides) {
        Ok((scene, warnings)) => {
            tell(source, &warnings);
            Ok(scene)
        }
        Err(all) => {
            tell(source, &all);
            Err(Stop::Faulty { name: source.name.clone(), errors: faults::errors(&all) })
        }
    }
}

fn tell(source: &Source, located: &[Located]) {
    if !located.is_empty() {
        say::aside(&faults::report(source, located));
    }
}
