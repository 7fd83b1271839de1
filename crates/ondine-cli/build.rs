//! Puts the gallery (`scenes/*.toml` at the root of the repository) into the program, so that it works anywhere.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    println!("cargo::rerun-if-changed={}", scenes.display());
    let mut code = String::from("&[\n");
    for file in scene_files(&scenes)? {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(&file)?;
        println!("cargo::rerun-if-changed={}", file.display());
        // Writing into a String does not fail.
        let _ = writeln!(code, "    Entry {{ name: {name:?}, text: {text:?} }},");
    }
    code.push(']');
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&out).join("gallery.rs"), code)
}

/// The scene files in order of name.
fn scene_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.collect();
    let mut files: Vec<PathBuf> = entries?.into_iter().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    Ok(files)
}
