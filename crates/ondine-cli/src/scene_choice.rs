//! From what the user names to a scene.

use crate::cache;
use crate::console;
use crate::error::CliError;
use crate::faults;
use crate::gallery;
use ondine::{Fault, Scene};
use ondine_io::scene_text::{self, Located, Override, Source};
use std::path::Path;

/// The text of a scene file or, where there is no such file, of a gallery scene; of standard input where that is `-`.
pub fn find(wanted: &str) -> Result<Source, CliError> {
    let path = Path::new(wanted);
    if wanted == "-" {
        return match std::io::read_to_string(std::io::stdin()) {
            Ok(text) => Ok(Source { cache: cache::folder(), ..Source::new("standard input", text) }),
            Err(source) => Err(CliError::Unreadable { path: "standard input".into(), source }),
        };
    }
    if path.is_file() {
        return read(path);
    }
    match gallery::find(wanted) {
        Some(entry) => Ok(Source::new(format!("{}.toml", entry.name), entry.text)),
        None => Err(CliError::NoSuchScene { wanted: wanted.into(), alike: gallery::most_like(wanted) }),
    }
}

/// The text of a scene file.
pub fn read(path: &Path) -> Result<Source, CliError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Source {
            folder: path.parent().unwrap_or(Path::new("")).into(),
            cache: cache::folder(),
            ..Source::new(path.display().to_string(), text)
        }),
        Err(source) => Err(CliError::Unreadable { path: path.into(), source }),
    }
}

/// The scene that a text means. Its faults are told in full; errors among them stop the program.
pub fn understand(source: &Source, overrides: &[Override]) -> Result<Scene, CliError> {
    let (scene, warnings) = parse(source, overrides)?;
    if !warnings.is_empty() {
        console::eprint(&faults::report(source, &warnings));
    }
    Ok(scene)
}

/// The same, with the warnings untold.
pub fn parse(source: &Source, overrides: &[Override]) -> Result<(Scene, Vec<Located>), CliError> {
    scene_text::parse(source, overrides).map_err(|all| faulty(source, &all))
}

/// Tells why the engine will not have a scene.
pub fn refused(scene: &Scene, faults: Vec<Fault>) -> CliError {
    let placeless = |fault| Located { fault, span: None, line: None, column: None, count: 1 };
    let source = Source::new(scene.title.clone(), "");
    faulty(&source, &faults.into_iter().map(placeless).collect::<Vec<_>>())
}

fn faulty(source: &Source, located: &[Located]) -> CliError {
    console::eprint(&faults::report(source, located));
    CliError::Faulty { name: source.name.clone(), errors: faults::errors(located) }
}
