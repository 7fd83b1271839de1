//! `ondine mesh`: surfaces of a bake's liquids, and its frames for other programs.

use super::formats::Formats;
use super::{again, asked_frames, make_folder, open, surface_note, surface_options, through, unsaved};
use crate::args::{self, Export};
use crate::console;
use crate::error::CliError;
use crate::interrupt;
use crate::threads;
use ondine::{Frame, Surface, SystemKind};
use ondine_io::bake::Bake;
use ondine_io::export::{ExportFrame, mesh_ply};
use ondine_look::Surfaces;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Makes what is ordered.
pub fn mesh(order: &args::Mesh) -> Result<(), CliError> {
    threads::start(order.of.threads)?;
    let bake = open(&order.of.folder, &[])?;
    let range = asked_frames(&bake, order.of.frames)?;
    interrupt::watch()?;
    let again = again("mesh", &order.of.folder);
    let places = make(&bake, range, &order.export, &order.surface, &again)?;
    let lines: Vec<String> = places.iter().map(|place| format!("  files      {}", place.display())).collect();
    console::info(&lines.join("\n"))
}

/// Makes the files of a range of frames. Returns where they are.
pub fn make(
    bake: &Bake,
    range: RangeInclusive<u32>,
    wanted: &[Export],
    options: &args::SurfaceArgs,
    again: &str,
) -> Result<Vec<PathBuf>, CliError> {
    make_folder(bake.folder().part("mesh"))?;
    let mut formats = Formats::begin(wanted, bake)?;
    let surfaces = Surfaces::of(bake.scene(), surface_options(options));
    let meshes = Meshes { bake, surfaces, note: surface_note(options) };
    through("mesh", range, again, |index| {
        if formats.are_none() && meshes.are_made(index)? {
            return Ok(None);
        }
        let frame = bake.frame(index)?;
        let surfaces = meshes.of(&frame)?;
        let triangles: usize = surfaces.iter().map(|surface| surface.mesh.triangles.len()).sum();
        formats.push(&ExportFrame { frame, surfaces })?;
        Ok(Some(format!("{triangles} triangles")))
    })?;
    formats.finish()
}

/// The surfaces on the disk.
struct Meshes<'a> {
    bake: &'a Bake,
    surfaces: Surfaces,
    note: String,
}

impl Meshes<'_> {
    fn path(&self, system: &str, index: u32) -> PathBuf {
        self.bake.folder().part_of("mesh", system, index, "ply")
    }

    /// Whether all surfaces of a frame are there, made the way that is wanted.
    fn are_made(&self, index: u32) -> Result<bool, CliError> {
        let systems = self.bake.manifest(index)?.systems;
        let liquids = systems.iter().filter(|system| system.kind == SystemKind::Liquid);
        let mut notes = liquids.map(|liquid| mesh_ply::note_in(&self.path(&liquid.name, index)));
        Ok(notes.all(|note| note.as_ref() == Some(&self.note)))
    }

    /// The surfaces of a frame, from the disk or made now and left there.
    fn of(&self, frame: &Frame) -> Result<Vec<Surface>, CliError> {
        if self.are_made(frame.index)? {
            let liquids = frame.particles.iter().filter(|particles| particles.kind == SystemKind::Liquid);
            let paths = liquids.map(|liquid| self.path(&liquid.name, frame.index));
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
