//! `ondine mesh`: surfaces of a bake's liquids, and its frames for other programs.

use super::formats::Formats;
use super::{again, make_folder, surface_note, surface_options, through, unsaved};
use crate::args::{self, Export};
use crate::baked::Baked;
use crate::interrupt;
use crate::say;
use crate::stop::Stop;
use crate::threads;
use ondine::{Frame, Surface};
use ondine_io::export::{ExportFrame, mesh_ply};
use ondine_look::Surfaces;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Makes what is ordered.
pub fn mesh(order: &args::Mesh) -> Result<(), Stop> {
    threads::start(order.of.threads)?;
    let baked = Baked::open(&order.of.folder)?;
    let range = baked.range(order.of.frames)?;
    interrupt::watch()?;
    let again = again("mesh", &order.of.folder);
    let places = make(&baked, range, &order.export, &order.surface, &again)?;
    let lines: Vec<String> = places.iter().map(|place| format!("  files      {}", place.display())).collect();
    say::outcome(&lines.join("\n"))
}

/// Makes the files of a range of frames. Returns where they are.
pub fn make(
    baked: &Baked,
    range: RangeInclusive<u32>,
    wanted: &[Export],
    options: &args::Surfaces,
    again: &str,
) -> Result<Vec<PathBuf>, Stop> {
    make_folder(baked.folder.part("mesh"))?;
    let mut formats = Formats::begin(wanted, baked)?;
    let surfaces = Surfaces::of(&baked.scene, surface_options(options));
    let meshes = Meshes { baked, surfaces, note: surface_note(options) };
    through("mesh", range, again, |index| {
        if formats.are_none() && meshes.are_made(index) {
            return Ok(None);
        }
        let frame = baked.frame(index)?;
        let surfaces = meshes.of(&frame)?;
        let triangles: usize = surfaces.iter().map(|surface| surface.mesh.triangles.len()).sum();
        formats.push(&ExportFrame { frame, surfaces })?;
        Ok(Some(format!("{triangles} triangles")))
    })?;
    formats.finish()
}

/// The surfaces on the disk.
struct Meshes<'a> {
    baked: &'a Baked,
    surfaces: Surfaces,
    note: String,
}

impl Meshes<'_> {
    fn path(&self, system: &str, index: u32) -> PathBuf {
        self.baked.folder.part_of("mesh", system, index, "ply")
    }

    /// Whether all surfaces of a frame are there, made the way that is wanted.
    fn are_made(&self, index: u32) -> bool {
        let paths = self.baked.scene.liquid.iter().map(|liquid| self.path(&liquid.name, index));
        paths.map(|path| mesh_ply::note_in(&path)).all(|note| note.as_ref() == Some(&self.note))
    }

    /// The surfaces of a frame, from the disk or made now and left there.
    fn of(&self, frame: &Frame) -> Result<Vec<Surface>, Stop> {
        if self.are_made(frame.index) {
            let paths = frame.particles.iter().map(|particles| self.path(&particles.name, frame.index));
            let read: Result<Vec<Surface>, _> = paths.map(|path| mesh_ply::read(&path)).collect();
            // One that is damaged is made again.
            if let Ok(surfaces) = read {
                return Ok(surfaces);
            }
        }
        let mut surfaces = self.surfaces.in_frame(frame);
        for surface in &mut surfaces {
            let path = self.path(&surface.name, frame.index);
            mesh_ply::write(&path, surface, &self.note).map_err(unsaved(path))?;
            // The file rounds colours; what is made of it must be the same now and later.
            mesh_ply::round(surface);
        }
        Ok(surfaces)
    }
}
