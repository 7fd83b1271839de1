//! An animation as value clips: a root file that programs open, a manifest that says what changes, and one file for
//! each frame that is loaded when it is shown.

use super::layer::{self, Detail, Header, ROOT};
use super::value::quoted;
use super::{ExportFrame, ObjectMesh, Seen, Setting};
use crate::atomic;
use crate::export::validate::invalid;
use std::io;
use std::path::{Path, PathBuf};

/// Clips that are being written: [`push`](Clips::push) every frame, then [`finish`](Clips::finish).
///
/// For `NAME.usda`, the folder `NAME_clips` beside it holds `frame.0001.usda` and so on, and `manifest.usda`.
pub struct Clips {
    path: PathBuf,
    /// The clips' folder, seen from the root file.
    folder: String,
    seen: Seen,
}

impl Clips {
    /// Clips without frames; makes their folder.
    pub fn new(path: &Path, fps: f64, object_meshes: &[ObjectMesh]) -> io::Result<Self> {
        let name = path.file_stem().and_then(|name| name.to_str());
        let folder = format!("{}_clips", name.ok_or_else(|| invalid("the root file needs a name in UTF-8"))?);
        // USD would take these for numbers of frames, or for ends of a path.
        if folder.contains(['#', '@']) {
            return Err(invalid(format!("`#` and `@` cannot stand in the name of clips, as in `{folder}`")));
        }
        std::fs::create_dir_all(path.with_file_name(&folder))?;
        Ok(Self { path: path.into(), folder, seen: Seen::new(fps, object_meshes) })
    }

    /// The same clips with materials, lights and a camera. Before the first frame.
    pub fn within(mut self, setting: Setting) -> Self {
        self.seen.setting = setting;
        self
    }

    /// Writes a frame's file. Frames come in order, evenly apart, and have the same systems and objects.
    pub fn push(&mut self, frame: &ExportFrame) -> io::Result<()> {
        self.seen.see(frame)?;
        let index = frame.frame.index;
        let header = Header { fps: self.seen.fps, range: (index, index), about_root: "", setting: b"" };
        atomic::write(&self.beside(&format!("frame.{index:04}.usda")), |w| {
            layer::write(w, &header, &self.seen.prims, Detail::Changing, &mut |w, prim, attribute| {
                write!(w, "{}.timeSamples = {{ {index}: ", attribute.declared)?;
                (attribute.write)(frame, prim.number, w)?;
                writeln!(w, " }}")
            })
        })
    }

    /// Writes the manifest and then the root file, each whole or not at all.
    pub fn finish(self) -> io::Result<()> {
        let range = self.seen.range()?;
        let about_root = self.about_root(range)?;
        let setting = self.seen.setting_text()?;
        let manifest = Header { fps: self.seen.fps, range, about_root: "", setting: b"" };
        let root = Header { about_root: &about_root, setting: &setting, ..manifest };
        let prims = &self.seen.prims;
        atomic::write(&self.beside("manifest.usda"), |w| {
            layer::write(w, &manifest, prims, Detail::Changing, &mut |_, _, _| Ok(()))
        })?;
        atomic::write(&self.path, |w| layer::write(w, &root, prims, Detail::Whole, &mut |_, _, _| Ok(())))
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.path.with_file_name(&self.folder).join(name)
    }

    fn about_root(&self, (first, last): (u32, u32)) -> io::Result<String> {
        let stride = self.stride()?;
        let folder = &self.folder;
        let template = quoted(&format!("./{folder}/frame.####.usda"));
        Ok(format!(
            "clips = {{\ndictionary default = {{\nasset manifestAssetPath = @./{folder}/manifest.usda@\n\
             string primPath = \"/{ROOT}\"\nstring templateAssetPath = {template}\n\
             double templateStartTime = {first}\ndouble templateEndTime = {last}\n\
             double templateStride = {stride}\n}}\n}}\n"
        ))
    }

    /// How many frames from one file to the next.
    fn stride(&self) -> io::Result<u32> {
        let frames = &self.seen.frames;
        let stride = frames.get(1).map_or(1, |second| second - frames[0]);
        let even = frames.windows(2).all(|pair| pair[1] - pair[0] == stride);
        if even { Ok(stride) } else { Err(invalid("frames of clips must be evenly apart")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::{frame, object_meshes};

    fn clips(folder: &Path) -> Clips {
        Clips::new(&folder.join("f.usda"), 24.0, &object_meshes()).unwrap()
    }

    #[test]
    fn a_root_a_manifest_and_a_file_for_each_frame() {
        let folder = tempfile::tempdir().unwrap();
        let mut clips = clips(folder.path());
        [0, 2, 4].iter().for_each(|&index| clips.push(&frame(index)).unwrap());
        clips.finish().unwrap();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let root = read("f.usda");
        assert!(root.contains("string templateAssetPath = \"./f_clips/frame.####.usda\"\n"));
        assert!(
            root.contains("templateStartTime = 0\ndouble templateEndTime = 4\ndouble templateStride = 2\n")
        );
        assert!(root.contains("asset manifestAssetPath = @./f_clips/manifest.usda@\n"));
        assert!(!root.contains("timeSamples"), "the root would outweigh its clips");
        let manifest = read("f_clips/manifest.usda");
        assert!(manifest.contains("over Points \"a_b\""));
        assert!(manifest.contains("int64[] ids\n") && !manifest.contains("subdivisionScheme"));
        let clip = read("f_clips/frame.0002.usda");
        assert!(clip.contains("int64[] ids.timeSamples = { 2: [0, 7, 14, 21, 28] }\n"));
        assert!(clip.contains("startTimeCode = 2\nendTimeCode = 2\n"));
    }

    #[test]
    fn uneven_frames_and_names_that_usd_would_misread_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut clips = clips(folder.path());
        [0, 2, 3].iter().for_each(|&index| clips.push(&frame(index)).unwrap());
        assert!(clips.finish().unwrap_err().to_string().contains("evenly apart"));
        assert!(Clips::new(&folder.path().join("a#1.usda"), 24.0, &[]).is_err());
    }
}
