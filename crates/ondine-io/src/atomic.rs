//! Files that are written whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Writes a file whole or not at all. A reader, or a run that goes on after a power cut, finds the old file or the
/// new one, never a part.
///
/// `fill` writes to a temporary file in the same folder, which is flushed to the disk and then renamed. On any error
/// the temporary is removed and the old file stands.
pub fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // Dropped on the way out by an error, the temporary removes itself.
    let temporary = new_temporary(folder)?;
    let mut buffered = BufWriter::new(temporary);
    fill(&mut buffered)?;
    let temporary = buffered.into_inner().map_err(|e| e.into_error())?;
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|e| e.error)?;
    keep_rename(folder);
    Ok(())
}

/// A temporary with the rights of an ordinary new file, not the owner's alone: others may look at a bake.
fn new_temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(".partial");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Brings the rename itself to the disk. By now the new file is whole under its name, and some file systems cannot
/// sync a folder at all, so a refusal is no failure of the write.
fn keep_rename(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn replaces_the_old_file_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.txt");
        std::fs::write(&path, "old").unwrap();
        write(&path, |w| w.write_all(b"new")).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["film.txt"]);
    }

    #[test]
    fn an_error_midway_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.txt");
        std::fs::write(&path, "old").unwrap();
        let result = write(&path, |w| {
            w.write_all(b"half")?;
            Err(io::Error::other("disk on fire"))
        });
        assert_eq!(result.unwrap_err().to_string(), "disk on fire");
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["film.txt"]);
    }

    #[test]
    fn a_name_that_cannot_be_taken_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("taken/inside")).unwrap();
        assert!(write(&folder.path().join("taken"), |w| w.write_all(b"x")).is_err());
        assert_eq!(names(folder.path()), ["taken"]);
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        assert!(write(Path::new("/nowhere/at/all/file"), |_| Ok(())).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_as_readable_as_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write(&ours, |_| Ok(())).unwrap();
        std::fs::write(&plain, "").unwrap();
        let mode = |p: &Path| std::fs::metadata(p).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }
}
