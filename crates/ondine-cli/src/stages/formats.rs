//! Files for other programs, frame by frame.

use super::{make_folder, unsaved};
use crate::args::Export;
use crate::console;
use crate::error::CliError;
use ondine::Pose;
use ondine_io::bake::{self, Bake, Folder};
use ondine_io::export::{self, ExportFrame, ObjectMesh, glb, npz, obj, usd, vtk};
use std::io;
use std::path::{Path, PathBuf};

/// How objects in their places are written.
struct Placed {
    /// Its own of the poses that were written last.
    number: usize,
    folder: &'static str,
    ending: &'static str,
    write: fn(&Path, &Pose, &ObjectMesh) -> io::Result<()>,
}

const AS_VTK: Placed = Placed { number: 0, folder: "vtk/objects", ending: "vtp", write: vtk::write_object };
const AS_OBJ: Placed = Placed { number: 1, folder: "mesh/objects", ending: "obj", write: obj::write_object };

/// The files that are being written.
pub struct Formats<'a> {
    folder: &'a Folder,
    wanted: Vec<Export>,
    object_meshes: Vec<ObjectMesh>,
    animation: Option<usd::Animation>,
    balls: Option<usd::Animation>,
    clips: Option<usd::Clips>,
    /// Files of the ParaView collection.
    steps: Vec<vtk::Step>,
    /// Of each object, the last pose that was written for ParaView and as OBJ, and where.
    standing: [Vec<Option<(Pose, PathBuf)>>; 2],
}

impl<'a> Formats<'a> {
    /// Makes room for the wanted ones.
    pub fn begin(wanted: &[Export], bake: &'a Bake) -> Result<Self, CliError> {
        let folder = bake.folder();
        let parts = [
            (Export::Usd, "usd"),
            (Export::Balls, "usd"),
            (Export::Clips, "usd/clips_clips"),
            (Export::Vtk, "vtk/surfaces"),
            (Export::Vtk, "vtk/objects"),
            (Export::Npz, "npz"),
            (Export::Obj, "mesh/objects"),
        ];
        let wants = |export: Export| wanted.contains(&export);
        for (_, part) in parts.into_iter().filter(|(export, _)| wants(*export)) {
            make_folder(folder.part(part))?;
        }
        let object_meshes = export::object_meshes(bake.scene(), &bake.scene().meshes);
        let fps = f64::from(bake.scene().fps);
        tell_thin(&object_meshes, bake);
        let setting = || usd::Setting::of(&ondine_look::with_camera_and_sun(bake.scene()));
        let animation =
            || Ok(usd::Animation::new(&usd_animation(folder), fps, &object_meshes)?.within(setting()));
        let balls = || {
            Ok(usd::Animation::new(&usd_balls(folder), fps, &object_meshes)?.within(setting()).with_balls())
        };
        let clips = || Ok(usd::Clips::new(&usd_clips(folder), fps, &object_meshes)?.within(setting()));
        let (animation, clips) = (wants(Export::Usd).then(animation), wants(Export::Clips).then(clips));
        let balls = wants(Export::Balls).then(balls);
        Ok(Self {
            folder,
            wanted: wanted.to_vec(),
            animation: animation.transpose().map_err(unsaved(usd_animation(folder)))?,
            balls: balls.transpose().map_err(unsaved(usd_balls(folder)))?,
            clips: clips.transpose().map_err(unsaved(usd_clips(folder)))?,
            object_meshes,
            steps: Vec::new(),
            standing: [const { Vec::new() }; 2],
        })
    }

    /// Whether there is nothing to write but the surfaces themselves.
    pub fn are_none(&self) -> bool {
        self.wanted.iter().all(|export| *export == Export::Mesh || !export.is_file())
    }

    /// Writes a frame.
    pub fn push(&mut self, frame: &ExportFrame) -> Result<(), CliError> {
        let index = frame.frame.index;
        for export in self.wanted.clone() {
            match export {
                Export::Obj => self.objs(frame)?,
                Export::Vtk => self.vtps(frame)?,
                Export::Glb => {
                    let path = self.folder.part_whole("mesh", index, "glb");
                    glb::write(&path, frame, &self.object_meshes, false).map_err(unsaved(path))?;
                }
                Export::Npz => {
                    let path = self.folder.part_whole("npz", index, "npz");
                    npz::write(&path, frame).map_err(unsaved(path))?;
                }
                _ => {}
            }
        }
        let (animation, balls, clips) = (self.animation.as_mut(), self.balls.as_mut(), self.clips.as_mut());
        animation
            .map_or(Ok(()), |animation| animation.push(frame))
            .map_err(unsaved(usd_animation(self.folder)))?;
        balls.map_or(Ok(()), |balls| balls.push(frame)).map_err(unsaved(usd_balls(self.folder)))?;
        clips.map_or(Ok(()), |clips| clips.push(frame)).map_err(unsaved(usd_clips(self.folder)))
    }

    fn objs(&mut self, frame: &ExportFrame) -> Result<(), CliError> {
        for surface in &frame.surfaces {
            let path = self.folder.part_of("mesh", &surface.name, frame.frame.index, "obj");
            obj::write(&path, surface).map_err(unsaved(path))?;
        }
        self.objects(frame, &AS_OBJ).map(drop)
    }

    fn vtps(&mut self, frame: &ExportFrame) -> Result<(), CliError> {
        let index = frame.frame.index;
        for surface in &frame.surfaces {
            let path = self.folder.part_of("vtk/surfaces", &surface.name, index, "vtp");
            self.note_step(frame.frame.time, &path);
            vtk::write_surface(&path, surface).map_err(unsaved(path))?;
        }
        let systems = &frame.frame.particles;
        let names = bake::file_names(systems.iter().map(|system| (system.kind, system.name.as_str())));
        for (name, particles) in names.iter().zip(systems) {
            let path = self.folder.part_of("vtk", name, index, "vtp");
            self.note_step(frame.frame.time, &path);
            vtk::write_particles(&path, particles).map_err(unsaved(path))?;
        }
        for path in self.objects(frame, &AS_VTK)? {
            self.note_step(frame.frame.time, &path);
        }
        Ok(())
    }

    /// The files of the objects that are seen. What is where it was, is not written again.
    fn objects(&mut self, frame: &ExportFrame, placed: &Placed) -> Result<Vec<PathBuf>, CliError> {
        let standing = &mut self.standing[placed.number];
        standing.resize(self.object_meshes.len(), None);
        let mut paths = Vec::new();
        for (i, pose) in frame.frame.objects.iter().enumerate() {
            if !(pose.enabled && pose.visible) || self.object_meshes[i].mesh.triangles.is_empty() {
                continue;
            }
            let path = match &standing[i] {
                Some((there, path)) if there == pose => path.clone(),
                _ => {
                    let index = frame.frame.index;
                    let path = self.folder.part_of(placed.folder, &pose.name, index, placed.ending);
                    (placed.write)(&path, pose, &self.object_meshes[i]).map_err(unsaved(path.clone()))?;
                    path
                }
            };
            standing[i] = Some((pose.clone(), path.clone()));
            paths.push(path);
        }
        Ok(paths)
    }

    /// Parts of a frame are numbered in the order in which they are written.
    fn note_step(&mut self, time: f64, path: &Path) {
        let part = self.steps.iter().rev().take_while(|step| step.time == time).count() as u32;
        let file = path.strip_prefix(self.folder.part("vtk")).unwrap_or(path).to_string_lossy().into_owned();
        self.steps.push(vtk::Step { time, file, part });
    }

    /// Writes what ties the frames together. Returns where everything is.
    pub fn finish(self) -> Result<Vec<PathBuf>, CliError> {
        let folder = self.folder;
        let mut places = vec![folder.part("mesh")];
        if let Some(animation) = self.animation {
            animation.finish().map_err(unsaved(usd_animation(folder)))?;
            places.push(usd_animation(folder));
        }
        if let Some(balls) = self.balls {
            balls.finish().map_err(unsaved(usd_balls(folder)))?;
            places.push(usd_balls(folder));
        }
        if let Some(clips) = self.clips {
            clips.finish().map_err(unsaved(usd_clips(folder)))?;
            places.push(usd_clips(folder));
        }
        if !self.steps.is_empty() {
            let path = folder.part("vtk").join("scene.pvd");
            vtk::write_collection(&path, &self.steps).map_err(unsaved(path.clone()))?;
            places.push(path);
        }
        if self.wanted.contains(&Export::Npz) {
            places.push(folder.part("npz"));
        }
        Ok(places)
    }
}

/// Tells of objects that are thinner in places than any mesh of theirs could hold.
fn tell_thin(object_meshes: &[ObjectMesh], bake: &Bake) {
    for (object_mesh, object) in object_meshes.iter().zip(bake.scene().all_objects()) {
        if let Some(thin) = object_mesh.too_thin {
            console::note(&format!(
                "note: object `{}` is {:.2} mm thin in places, too thin for its size: its mesh may have holes there",
                object.name,
                1e3 * thin
            ));
        }
    }
}

fn usd_animation(folder: &Folder) -> PathBuf {
    folder.part("usd").join("scene.usda")
}

fn usd_balls(folder: &Folder) -> PathBuf {
    folder.part("usd").join("balls.usda")
}

fn usd_clips(folder: &Folder) -> PathBuf {
    folder.part("usd").join("clips.usda")
}
