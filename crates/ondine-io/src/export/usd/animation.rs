//! An animation as one USD file with time samples.

use super::layer::{self, Detail, Header};
use super::prims::Prim;
use super::samples::{Key, Samples};
use super::{ExportFrame, ObjectMesh, Seen, Setting};
use crate::atomic;
use std::io;
use std::path::{Path, PathBuf};

/// An animation that is being written: [`push`](Animation::push) every frame, then [`finish`](Animation::finish). Until then nothing
/// stands under its name.
pub struct Animation {
    path: PathBuf,
    seen: Seen,
    samples: Samples,
}

impl Animation {
    /// An animation without frames. The file should be called `*.usda`. Samples wait in its folder, in a file without a name,
    /// so that for a moment the disk must hold all of them twice.
    pub fn new(path: &Path, fps: f64, object_meshes: &[ObjectMesh]) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        Ok(Self { path: path.into(), seen: Seen::new(fps, object_meshes), samples: Samples::new(folder)? })
    }

    /// The same animation with materials, lights and a camera. Before the first frame.
    pub fn within(mut self, setting: Setting) -> Self {
        self.seen.setting = setting;
        self
    }

    /// The same animation with particles as instances of balls, which programs without points can show. Before the first frame.
    pub fn with_balls(mut self) -> Self {
        self.seen.balls = true;
        self
    }

    /// Adds a frame. Frames come in order, and have the same systems and objects. On failure the animation is not to be
    /// used.
    pub fn push(&mut self, frame: &ExportFrame) -> io::Result<()> {
        self.seen.see(frame)?;
        for prim in &self.seen.prims {
            for attribute in prim.attributes {
                let fill = |w: &mut dyn io::Write| (attribute.write)(frame, prim.number, w);
                self.samples.add(key(prim, attribute.declared), frame.frame.index, fill)?;
            }
        }
        Ok(())
    }

    /// Writes the file, whole or not at all.
    pub fn finish(self) -> io::Result<()> {
        let Self { path, seen, samples } = self;
        let setting = seen.setting_text()?;
        let header = Header { fps: seen.fps, range: seen.range()?, about_root: "", setting: &setting };
        atomic::write(&path, |w| {
            layer::write(w, &header, &seen.prims, Detail::Whole, &mut |w, prim, attribute| {
                samples.write(w, key(prim, attribute.declared))
            })
        })
    }
}

fn key(prim: &Prim, declared: &'static str) -> Key {
    (prim.scope as u8, prim.number, declared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::{frame, object_meshes, row, textured, with_balls, with_effect};

    fn written() -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.usda");
        let mut animation = Animation::new(&path, 30.0, &object_meshes()).unwrap();
        let mut last = frame(3);
        last.frame.objects[0].visible = false;
        last.surfaces[0] = ondine::Surface { name: "a b".into(), ..Default::default() };
        [frame(1), frame(2), last].iter().for_each(|frame| animation.push(frame).unwrap());
        animation.finish().unwrap();
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn an_animation_says_what_programs_must_know() {
        let text = written();
        assert_eq!(text, written(), "the same bytes each time");
        assert!(
            text.starts_with("#usda 1.0\n(\ndefaultPrim = \"Ondine\"\nmetersPerUnit = 1\nupAxis = \"Y\"\n")
        );
        assert!(
            text.contains(
                "timeCodesPerSecond = 30\nframesPerSecond = 30\nstartTimeCode = 1\nendTimeCode = 3\n"
            )
        );
        assert_eq!(text.matches("subdivisionScheme = \"none\"").count(), 3);
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }

    /// A place for each corner, as `faceVertexIndices` has them.
    #[test]
    fn meshes_keep_their_places_in_a_texture() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.usda");
        let mut animation = Animation::new(&path, 30.0, &[textured(), Default::default()]).unwrap();
        animation.push(&frame(1)).unwrap();
        animation.finish().unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        let first = "texCoord2f[] primvars:st = [(0.5, 0.25), (0.25, 0.5), (0.125, 0.5), (0.5, 0.25), ";
        assert_eq!(text.matches(first).count(), 1, "{text}");
        assert_eq!(text.matches("] (interpolation = \"faceVarying\")").count(), 1);
    }

    #[test]
    fn names_are_valid_and_apart() {
        let text = written();
        for opening in [
            "def Mesh \"a_b\" (displayName = \"a b\")\n",
            "def Mesh \"a_b_2\" (displayName = \"a-b\")\n",
            "def Points \"a_b_2\" (displayName = \"a-b\")\n",
            "def Mesh \"cup\"\n",
            "def Xform \"floor\"\n",
        ] {
            assert_eq!(text.matches(opening).count(), 1, "{opening}");
        }
    }

    #[test]
    fn effects_have_colours_and_opacities_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.usda");
        let mut animation = Animation::new(&path, 30.0, &object_meshes()).unwrap();
        animation.push(&with_effect(1)).unwrap();
        animation.finish().unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains("float[] primvars:displayOpacity = [0.5, 0.25]"), "{text}");
        assert!(text.contains("color3f[] primvars:displayColor = [(1, 0.0, 0.0), (0.0, 1, "), "{text}");
        assert_eq!(text.matches("displayOpacity").count(), 1 + text.matches("displayOpacity (").count());
    }

    #[test]
    fn particles_may_be_instances_of_balls() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.usda");
        let mut animation = Animation::new(&path, 30.0, &object_meshes()).unwrap().with_balls();
        [frame(1), frame(2)].iter().for_each(|frame| animation.push(frame).unwrap());
        animation.finish().unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains("def PointInstancer \"a_b\" (displayName = \"a b\")\n{\nrel prototypes = </Ondine/Particles/a_b/Ball>\n"));
        assert!(
            text.contains("int[] protoIndices.timeSamples = {\n1: [0, 0, 0, 0],\n2: [0, 0, 0, 0, 0],\n}")
        );
        assert!(!text.contains("def Points"));
    }

    #[test]
    fn balls_are_instances_of_their_sizes_that_turn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.usda");
        let mut animation = Animation::new(&path, 30.0, &object_meshes()).unwrap().with_balls();
        let mut none = with_balls(1);
        let marbles = none.frame.particles.last_mut().unwrap();
        *marbles = ondine::Particles { kind: marbles.kind, ..row("marbles", 0) };
        [none, with_balls(2)].iter().for_each(|frame| animation.push(frame).unwrap());
        animation.finish().unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        assert!(
            text.contains("</Ondine/Particles/marbles/Ball>\ndef Sphere \"Ball\"\n{\ndouble radius = 1\n")
        );
        let scales = "[(0.125, 0.125, 0.125), (0.25, 0.25, 0.25), (0.375, 0.375, 0.375)]";
        assert!(
            text.contains(&format!("float3[] scales.timeSamples = {{\n1: [],\n2: {scales},\n}}")),
            "{text}"
        );
        let turns = "[(0.8, 0.6, 0.0, 0.0), (0.0, 0.0, 1, 0.0), (1, 0.0, 0.0, 0.0)]";
        assert!(
            text.contains(&format!("quath[] orientations.timeSamples = {{\n1: [],\n2: {turns},\n}}")),
            "{text}"
        );
        assert_eq!(text.matches("scales").count(), 2, "of the marbles alone");
        assert!(!text.contains("def Mesh \"marbles\""));
    }

    #[test]
    fn what_changes_has_samples_and_what_is_empty_is_empty() {
        let text = written();
        assert!(text.contains(
            "token visibility.timeSamples = {\n1: \"inherited\",\n2: \"inherited\",\n3: \"invisible\",\n}"
        ));
        assert!(text.contains(
            "int[] faceVertexCounts.timeSamples = {\n1: [3, 3, 3, 3],\n2: [3, 3, 3, 3],\n3: [],\n}"
        ));
        assert!(text.contains("int64[] ids.timeSamples = {\n1: [0, 7, 14, 21],\n2: [0, 7, 14, 21, 28],\n"));
        assert!(text.contains("int64[] ids = []\n"), "the empty system");
        assert!(text.contains("double3 xformOp:translate = (1, 2, 3)\nquatf"));
        assert!(text.contains("quatf xformOp:orient = (0.70710677, 0.0, 0.70710677, 0.0)\n"));
    }
}
